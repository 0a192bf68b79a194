"""Layout and state in, Picture or text out."""
