"""Commands on strategies: check, make, learn, encode."""
