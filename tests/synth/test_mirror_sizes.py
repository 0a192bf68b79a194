"""Mirror strategies that are proved for every size, however a sheet writes places."""

from __future__ import annotations

from itertools import product

import pytest

from kibitz.engine import CompiledGame
from kibitz.gdl import RuleSheet, parse
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import find_insight

_TURNS = """
(role ida) (role jo) (init (turn ida))
(<= (next (turn ida)) (true (turn jo))) (<= (next (turn jo)) (true (turn ida)))
(<= (legal ?r rest) (role ?r) (not (true (turn ?r))))
(<= terminal (not more))
(<= (goal ?r 0) (not more) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not more) (not (true (turn ?r))))
"""


def kings(rows: int, columns: int) -> RuleSheet:
    """Write kings that must not touch; they stay, and the places that are left are listed."""
    cells = list(product(range(1, rows + 1), range(1, columns + 1)))
    facts = [f"(init (free {r} {c}))" for r, c in cells]
    facts += [
        f"(near {r} {c} {x} {y})"
        for (r, c), (x, y) in product(cells, repeat=2)
        if max(abs(r - x), abs(c - y)) <= 1
    ]
    rules = """
    (<= (legal ?r (put ?x ?y)) (true (turn ?r)) (true (free ?x ?y)))
    (<= (lost ?x ?y) (does ?r (put ?a ?b)) (near ?a ?b ?x ?y))
    (<= (next (free ?x ?y)) (true (free ?x ?y)) (not (lost ?x ?y)))
    (<= (next (king ?x ?y)) (does ?r (put ?x ?y))) (<= (next (king ?x ?y)) (true (king ?x ?y)))
    (<= more (true (free ?x ?y)))
    """
    return parse("\n".join([_TURNS, rules, *facts]), name="kings")


def crosses(length: int) -> RuleSheet:
    """Write crosses in a row, none beside another; no fluent says where one may go."""
    facts = [f"(init (box {n} open))" for n in range(1, length + 1)]
    facts += [f"(then {n} {n + 1})" for n in range(1, length)]
    rules = """
    (<= (legal ?r (cross ?n)) (true (turn ?r)) (can ?n))
    (<= (can ?n) (true (box ?n open)) (not (beside ?n)))
    (<= (beside ?n) (then ?n ?m) (true (box ?m crossed)))
    (<= (beside ?n) (then ?m ?n) (true (box ?m crossed)))
    (<= (next (box ?n crossed)) (does ?r (cross ?n)))
    (<= (next (box ?n crossed)) (true (box ?n crossed)))
    (<= (next (box ?n open)) (true (box ?n open)) (not (now ?n)))
    (<= (now ?n) (does ?r (cross ?n)))
    (<= more (can ?n))
    """
    return parse("\n".join([_TURNS, rules, *facts]), name="crosses")


def named_dominoes(rows: int, columns: int) -> RuleSheet:
    """Write cram on places such as a1, of which the sheet says only which are neighbours."""
    cells = list(product(range(1, rows + 1), "abcdef"[:columns]))
    facts = [f"(init (open {c}{r}))" for r, c in cells]
    facts += [
        f"(by {c}{r} {e}{d})"
        for (r, c), (d, e) in product(cells, repeat=2)
        if (d - r, ord(e) - ord(c)) in ((0, 1), (1, 0))
    ]
    rules = """
    (<= (legal ?r (lay ?p ?q)) (true (turn ?r)) (by ?p ?q) (true (open ?p)) (true (open ?q)))
    (<= (hit ?p) (does ?r (lay ?p ?q))) (<= (hit ?q) (does ?r (lay ?p ?q)))
    (<= (next (open ?p)) (true (open ?p)) (not (hit ?p)))
    (<= more (by ?p ?q) (true (open ?p)) (true (open ?q)))
    """
    return parse("\n".join([_TURNS, rules, *facts]), name="dominoes")


@pytest.mark.parametrize(
    ("sheet", "sizes"),
    [
        (
            kings(3, 5),
            "every board with an odd number of rows and an odd number of columns and at ",
        ),
        (crosses(5), "every row of an odd number of places and at least 3 places, as long as a "),
        (named_dominoes(2, 4), "every board with an even number of rows and an even number of col"),
    ],
    ids=["kings", "crosses", "dominoes"],
)
def test_mirroring_is_proved_for_every_size(sheet: RuleSheet, sizes: str) -> None:
    solution = solve(explore(CompiledGame(sheet)))
    values = solution.value()
    found = find_insight(solution, max(values, key=lambda role: values[role]))
    assert found is not None
    assert found.rule_texts[0].startswith("next unchanged(")
    assert found.holds_for.proved
    assert found.holds_for.sizes.startswith(sizes)
