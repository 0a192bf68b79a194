"""Ludemes in, English out, which is read back into ludemes to see that it says the same."""
