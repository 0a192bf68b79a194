"""Small games of one and of three roles, whose figures can be counted by hand."""

from __future__ import annotations

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import Listed, Solution, solve, solve_any
from kibitz.space import explore

__all__ = ["DEAD", "THREE", "solution_of", "solved"]

THREE = """
(role a) (role b) (role c)
(init (left 3)) (init (turn a))
(after a b) (after b c) (after c a)
(less 3 1 2) (less 3 2 1) (less 2 1 1) (less 2 2 0) (less 1 1 0)
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (left ?m)) (less ?m ?n ?k))
(<= (legal ?r wait) (role ?r) (true (turn ?s)) (distinct ?r ?s))
(<= (next (left ?k)) (does ?r (take ?n)) (true (left ?m)) (less ?m ?n ?k))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))
(<= (next (last ?r)) (does ?r (take ?n)))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (true (last ?r)))
(<= (goal ?r 0) (role ?r) (not (true (last ?r))))
"""
"""Take one or two of three; whoever takes the last wins."""

DEAD = """
(role a)
(init (at 1)) (init here)
(way 1 2) (way 2 3) (way 3 4)
(unread 7)
(<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (legal a fly) (true (at 4)))
(<= (next (at ?y)) (does a (go ?y)))
(<= (next here) (true here))
(<= (next gone) (does a (go 1)))
(<= terminal (true (at 3)))
(<= (goal a 100) (true (at 3)))
(<= (goal a 20) (true (at 2)))
"""
"""Line 7 lets nobody fly, for play is over at 3; nobody goes to 1; nothing asks for `unread`."""


def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


def solution_of(text: str) -> Listed:
    return solve_any(explore(CompiledGame(read(text))))
