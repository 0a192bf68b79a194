"""Draw a state by its Layout, as a Picture or as text."""
