"""Players of chosen skill: their moves, their chances, and how hard positions are for them."""
