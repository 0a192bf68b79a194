"""Ground rules in, a CompiledGame out: native code, or arrays where there is none."""
