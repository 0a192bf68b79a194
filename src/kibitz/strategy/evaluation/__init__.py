"""Formulas and states in, truth values and recommended moves out."""
