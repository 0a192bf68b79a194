"""Compute the sites of a board from its ludeme: build a graph, then measure it."""
