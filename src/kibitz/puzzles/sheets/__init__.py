"""Puzzles in, sheets and tables of them out."""
