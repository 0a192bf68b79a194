"""RuleSheet in, Network out: the propositional game.

The clauses are rewritten (what builds terms on demand, moves taken apart from what they leave
alone, long bodies split), grounded by clingo in a child process, and built into gates.
"""

from kibitz.ground.grounding import Grounding, ground
from kibitz.ground.network import FALSE, TRUE, Literal, Network, negate

__all__ = ["FALSE", "TRUE", "Grounding", "Literal", "Network", "ground", "negate"]
