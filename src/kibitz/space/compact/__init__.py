"""CompiledGame in, CompactSpace out: every reachable state in a few bytes, without its moves."""
