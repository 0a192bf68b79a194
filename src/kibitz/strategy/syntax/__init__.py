"""The text of a strategy in, formulas out, and back."""
