"""CompiledGame in, StateSpace out: native loops that list every reachable state."""
