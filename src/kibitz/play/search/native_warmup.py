"""Get native code ready before a match needs it."""

from __future__ import annotations

from kibitz.engine import CompiledGame
from kibitz.gdl import read
from kibitz.play.search.tree_search import TreeSearch

__all__ = ["warm_up"]

_RULES = """
(role a) (role b) (init (control a))
(<= (legal ?r go) (true (control ?r)))
(<= (legal ?r stay) (true (control ?r)))
(<= (legal a noop) (true (control b)))
(<= (legal b noop) (true (control a)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (next over) (does ?r stay))
(<= terminal (true over))
(goal a 50) (goal b 50)
"""


def warm_up() -> None:
    """Search a tiny game, so that everything is compiled and loaded."""
    game = CompiledGame(read(_RULES, name="warm-up"))
    TreeSearch(game, nodes=1000).run(game.initial(), rounds=20)
