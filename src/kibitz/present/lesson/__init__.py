"""Explanation in, a lesson out."""
