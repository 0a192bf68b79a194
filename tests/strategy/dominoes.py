"""Cram under names of its own: dominoes that both lay either way, on tiles named by two letters."""

from __future__ import annotations

from itertools import pairwise

from kibitz.gdl import RuleSheet, parse

__all__ = ["domino_sheet"]


def domino_sheet(rows: int, columns: int) -> RuleSheet:
    """Write the game for a board of letters; whoever cannot lay a domino loses."""
    down, across = "uvwxyz"[:rows], "abcdefgh"[:columns]
    tiles = [(r, c) for r in down for c in across]
    touching = [
        *(((r, a), (r, b)) for r in down for a, b in pairwise(across)),
        *(((a, c), (b, c)) for c in across for a, b in pairwise(down)),
    ]
    facts = [f"(init (free {c} {r}))" for r, c in tiles]
    facts += [f"(beside {c1} {r1} {c2} {r2})" for (r1, c1), (r2, c2) in touching]
    facts += [f"(left_of {a} {b})" for a, b in pairwise(across)]
    facts += [f"(over {a} {b})" for a, b in pairwise(down)]
    rules = """
    (role eve) (role dan)
    (init (moving eve))
    (<= (legal ?r (lay ?a ?b ?c ?d))
        (true (moving ?r)) (beside ?a ?b ?c ?d) (true (free ?a ?b)) (true (free ?c ?d)))
    (<= (legal ?r rest) (role ?r) (not (true (moving ?r))))
    (<= (next (moving eve)) (true (moving dan)))
    (<= (next (moving dan)) (true (moving eve)))
    (<= (next (free ?x ?y)) (true (free ?x ?y)) (not (covered ?x ?y)))
    (<= (covered ?a ?b) (does ?r (lay ?a ?b ?c ?d)))
    (<= (covered ?c ?d) (does ?r (lay ?a ?b ?c ?d)))
    (<= room (beside ?a ?b ?c ?d) (true (free ?a ?b)) (true (free ?c ?d)))
    (<= terminal (not room))
    (<= (goal ?r 0) (not room) (true (moving ?r)))
    (<= (goal ?r 100) (role ?r) (not room) (not (true (moving ?r))))
    (<= (goal ?r 50) (role ?r) room)
    """
    return parse("\n".join([rules, *facts]), name="dominoes")
