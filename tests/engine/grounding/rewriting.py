"""Compare rules with rewritten ones by letting the reference engine play both."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

from tests.engine.suite import walk_together

from kibitz.engine import ReferenceGame
from kibitz.gdl import Clause, RuleSheet, clauses_of, on_demand, parse

__all__ = ["LIBRARY", "plays_the_same", "written"]

Rewriting = Callable[[tuple[Clause, ...]], tuple[Clause, ...]]

LIBRARY = ("tictactoe", "nim:1,3,5,7", "connect:3,4x4", "roshambo", "hanoi", "breakthrough:4x3",
           "threemensmorris", "sim", "kayles", "hex:3", "pegsolitaire")  # fmt: skip


def plays_the_same(sheet: RuleSheet, rewriting: Rewriting, *, steps: int) -> None:
    """Walk with the rules and with rewritten ones, comparing all that they say on the way."""
    with patch("kibitz.engine.reference.on_demand", lambda c: rewriting(on_demand(c))):
        rewritten = ReferenceGame(sheet)
    walk_together([ReferenceGame(sheet), rewritten], seed=sheet.name, steps=steps)


def written(text: str, rewriting: Rewriting) -> list[str]:
    """Write each rewritten clause as 'head :- positive, ~negative, left/right'."""
    result = []
    for clause in rewriting(clauses_of(parse(text, form="kif"))):
        body = [
            *map(str, clause.positive),
            *(f"~{atom}" for atom in clause.negative),
            *(f"{left}/{right}" for left, right in clause.distinct),
        ]
        result.append(f"{clause.head} :- {', '.join(body)}")
    return result
