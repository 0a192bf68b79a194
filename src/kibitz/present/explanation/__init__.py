"""Explain how to play a game well."""
