"""Game in, a description of its rules out."""
