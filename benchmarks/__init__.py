"""Yardsticks: what the engine does from rules alone, by code written by hand for one game."""
