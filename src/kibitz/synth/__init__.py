"""Solution in, Strategy out: rule lists short enough to remember, proved to play perfectly."""

from kibitz.synth.synthesis import Options, Synthesis, synthesise

__all__ = ["Options", "Synthesis", "synthesise"]
