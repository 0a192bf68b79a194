"""Game in, Layout out: where each fluent is drawn."""
