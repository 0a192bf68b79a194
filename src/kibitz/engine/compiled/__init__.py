"""Compile ground rules to a CompiledGame that runs on native code."""
