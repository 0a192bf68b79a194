"""Parse the text of a strategy into formulas, and print formulas as text."""
