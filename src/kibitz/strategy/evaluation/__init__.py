"""Evaluate formulas in states to truth values and recommended moves."""
