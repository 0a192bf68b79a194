"""Picture in, SVG, PNG, TikZ, DOT or JSON out."""
