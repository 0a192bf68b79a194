"""CompactSpace in, CompactSolution out: values and distances in 10 bits a state."""
