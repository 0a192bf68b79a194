"""Positions of matches in, puzzles out that a search proves one by one: for games of any size."""
