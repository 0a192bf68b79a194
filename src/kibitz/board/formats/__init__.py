"""Write a Picture as SVG, PNG, TikZ, DOT or JSON."""
