"""Game in, an explanation of how to play it well out."""
