"""Game trees searched by clingo, as in paper 004."""
