"""Ordered examples in, weak constraints out."""
