"""What is still emitted: helpers for the loops of proofs."""
