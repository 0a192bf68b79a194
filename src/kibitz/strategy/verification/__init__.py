"""Verify a strategy on a StateSpace, and report a Verdict."""
