"""Players, matches and tournaments, in the process or over the network.

========== =================================================================
agent      what every player is; the random one
uct        a plain tree search for any engine
tree       the arrays of a tree search on compiled games
search     that search: blocks of playouts, proofs, transpositions
thinking   agents that search, play perfectly, or both
match      one match between agents
========== =================================================================
"""

from __future__ import annotations

from kibitz.play.agent import Agent, Line, RandomAgent
from kibitz.play.match import Clocks, Match, Step, play_match
from kibitz.play.thinking import AutoAgent, OptimalAgent, SearchAgent
from kibitz.play.uct import UctAgent

__all__ = [
    "Agent",
    "AutoAgent",
    "Clocks",
    "Line",
    "Match",
    "OptimalAgent",
    "RandomAgent",
    "SearchAgent",
    "Step",
    "UctAgent",
    "play_match",
]
