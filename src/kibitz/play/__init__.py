"""Players, matches and tournaments, in the process or over the network.

========== =================================================================
agent      what every player is; the random one
uct        a plain tree search for any engine
tree       the arrays of a tree search on compiled games
search     that search: blocks of playouts, proofs, transpositions
thinking   agents that search, play perfectly, or both
strategist agents that do what a strategy says
reply      agents that play best against a known strategy
learned    agents for trees, learned rules and weak constraints
specs      agents by name
match      one match between agents
tournament many matches: seats, seeds, scores and how sure they are
plots      scores drawn
warm       native code made ready ahead of a match
protocol   match servers and players elsewhere
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
