"""Compile ground rules to a CompiledGame: native code, or arrays where there is none."""
