"""StateSpace in, values out: one module for each kind of game."""
