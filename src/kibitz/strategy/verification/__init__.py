"""StateSpace and strategy in, verdict out."""
