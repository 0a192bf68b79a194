"""Kibitz: rules of a board game in; a short, proven way to play it perfectly out."""

__version__ = "0.1.0"
