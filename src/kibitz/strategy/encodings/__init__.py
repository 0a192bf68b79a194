"""Strategies in other languages: answer set programs and first-order logic.

========== =================================================================
regression what a formula with ○ says of the present state, as gates
asp        games and strategies as clingo programs (paper 001, section 7.4)
tptp       the Situation Calculus in TPTP's form (paper 001, 7.1 to 7.3)
========== =================================================================
"""

from kibitz.strategy.encodings.asp import asp_encoding
from kibitz.strategy.encodings.tptp import tptp_encoding

__all__ = ["asp_encoding", "tptp_encoding"]
