"""Derive the Layout of a game: where each fluent is drawn."""
