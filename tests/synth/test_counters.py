"""Numbers written in other ways than as heaps: what play depends on is found, and what to leave."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from kibitz.engine import CompiledGame
from kibitz.english import plain_rule, read_back, scene_of
from kibitz.gdl import RuleSheet, parse
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import Insight, find_insight, insight_sentences
from kibitz.synth.insight.counter_ideas import cold_pairs, periodic_steps

_TURNS = """
(role pat) (role sam) (init (turn pat))
(<= (next (turn pat)) (true (turn sam))) (<= (next (turn sam)) (true (turn pat)))
(<= (legal ?r rest) (role ?r) (not (true (turn ?r))))
(<= terminal (not more))
(<= (goal ?r 0) (not more) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not more) (not (true (turn ?r))))
"""


def one_piece(steps: Iterable[tuple[int, int]], rows: int, columns: int) -> RuleSheet:
    """Write a game with one piece, which both move towards 1, 1; moves are counted, too."""
    going = [
        f"(go {r} {c} {r - down} {c - left})"
        for r in range(1, rows + 1)
        for c in range(1, columns + 1)
        for down, left in steps
        if 1 <= r - down <= rows and 1 <= c - left <= columns
    ]
    counted = [f"(then {n} {n + 1})" for n in range(rows + columns)]
    rules = f"""
    (init (stands {rows} {columns})) (init (made 0))
    (<= (next (made ?m)) (true (made ?n)) (then ?n ?m))
    (<= (legal ?r (to ?a ?b)) (true (turn ?r)) (true (stands ?x ?y)) (go ?x ?y ?a ?b))
    (<= (next (stands ?a ?b)) (does ?r (to ?a ?b)))
    (<= more (true (stands ?x ?y)) (go ?x ?y ?a ?b))
    """
    return parse("\n".join([_TURNS, rules, *going, *counted]), name="piece")


def sticks(count: int) -> RuleSheet:
    """Write sticks in no order, of which one or two are taken, and each is there or not."""
    rules = """
    (<= (legal ?r (one ?s)) (true (turn ?r)) (true (stick ?s)))
    (<= (legal ?r (two ?s ?t)) (true (turn ?r)) (true (stick ?s)) (true (stick ?t)) (before ?s ?t))
    (<= (gone ?s) (does ?r (one ?s)))
    (<= (gone ?s) (does ?r (two ?s ?t))) (<= (gone ?t) (does ?r (two ?s ?t)))
    (<= (next (stick ?s)) (true (stick ?s)) (not (gone ?s)))
    (<= more (true (stick ?s)))
    """
    names = "klmnopq"[:count]
    facts = [f"(init (stick {name}))" for name in names]
    facts += [f"(before {a} {b})" for a in names for b in names if a < b]
    return parse("\n".join([_TURNS, rules, *facts]), name="sticks")


def race(goal: int, most: int) -> RuleSheet:
    """Write a race in which whoever reaches a number or passes it wins."""
    facts = [f"(step {n} {k} {n + k})" for n in range(goal) for k in range(1, most + 1)]
    facts += [f"(below {n} {n + 1})" for n in range(goal + most)]
    rules = """
    (init (total 0))
    (<= (legal ?r (add ?k)) (true (turn ?r)) (true (total ?n)) (step ?n ?k ?m))
    (<= (next (total ?m)) (does ?r (add ?k)) (true (total ?n)) (step ?n ?k ?m))
    (<= more (true (total ?n)) (step ?n ?k ?m))
    """
    return parse("\n".join([_TURNS, rules, *facts]), name="race")


def coins(rows: Iterable[tuple[int, int]]) -> RuleSheet:
    """Write two coins in each row, which both players may move towards one another."""
    facts = [f"(less {a} {b})" for b in range(1, 8) for a in range(1, b)]
    facts += [f"(follows {n} {n + 1})" for n in range(1, 7)]
    for row, (left, right) in zip("uvw", rows, strict=False):
        facts += [f"(init (west {row} {left}))", f"(init (east {row} {right}))"]
    rules = """
    (<= (gap ?w ?x ?y) (true (west ?w ?x)) (true (east ?w ?y)))
    (<= (legal ?r (push ?w ?to)) (true (turn ?r)) (gap ?w ?x ?y) (less ?x ?to) (less ?to ?y))
    (<= (legal ?r (pull ?w ?to)) (true (turn ?r)) (gap ?w ?x ?y) (less ?x ?to) (less ?to ?y))
    (<= (next (west ?w ?to)) (does ?r (push ?w ?to)))
    (<= (next (east ?w ?to)) (does ?r (pull ?w ?to)))
    (<= (next (west ?w ?x)) (true (west ?w ?x)) (not (pushed ?w)))
    (<= (next (east ?w ?x)) (true (east ?w ?x)) (not (pulled ?w)))
    (<= (pushed ?w) (does ?r (push ?w ?to))) (<= (pulled ?w) (does ?r (pull ?w ?to)))
    (<= more (gap ?w ?x ?y) (less ?x ?to) (less ?to ?y))
    """
    return parse("\n".join([_TURNS, rules, *facts]), name="coins")


def insight(sheet: RuleSheet) -> Insight:
    solution = solve(explore(CompiledGame(sheet)))
    values = solution.value()
    found = find_insight(solution, max(values, key=lambda role: values[role]))
    assert found is not None
    return found


_LINES = range(1, 8)
_ROOK = [*((k, 0) for k in _LINES), *((0, k) for k in _LINES)]
_KING = [(1, 0), (0, 1), (1, 1)]
_QUEEN = [*_ROOK, *((k, k) for k in _LINES)]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        (one_piece(_ROOK, 4, 6), "Leave as many in stands.1 as in stands.2 if you can."),
        (
            one_piece(_QUEEN, 6, 8),
            "Leave one of the pairs 1/1, 2/3, 4/6, 5/8 in stands.1 and stands.2, "
            "in either order if you can.",
        ),
        (
            one_piece(_KING, 4, 5),
            "Leave an odd number in stands.1 and an odd number in stands.2 if you can.",
        ),
        (sticks(5), "Leave a multiple of 3 places with stick if you can."),
        (race(12, 4), "Leave 2 more than a multiple of 5 in total if you can."),
        (
            coins([(1, 4), (2, 6)]),
            "Leave east u as far from west u as east v is from west v if you can.",
        ),
    ],
    ids=["rook", "queen", "king", "sticks", "race", "coins"],
)
def test_what_to_leave_is_found_however_numbers_are_written(sheet: RuleSheet, said: str) -> None:
    found = insight(sheet)
    assert insight_sentences(found) == [said]
    assert found.holds_for.proved
    game = found.strategy.game
    assert isinstance(game, CompiledGame)
    scene = scene_of(game, found.role)
    meant = plain_rule(found.rules[0])
    assert meant is not None
    assert {rule.asked for rule in read_back(scene, said)} == {meant.asked}


def going_up(steps: Iterable[tuple[int, int]], end: int) -> RuleSheet:
    """Write the same game of one piece, which begins at 1, 1 and goes towards `end` in both."""
    down = one_piece(steps, end, end)

    def turned(match: re.Match[str]) -> str:
        name, *numbers = match[0].split()
        return " ".join([name, *(str(end + 1 - int(number)) for number in numbers)])

    return parse(re.sub(r"(stands|go)( \d)+", turned, down.source.text), name="piece")


@pytest.mark.parametrize(
    ("sheet", "sizes"),
    [
        (one_piece(_KING, 4, 5), "a move lessens them by 0/1 or 1/0 or 1/1, down to 1"),
        (going_up(_KING, 5), "a move raises them by 0/1 or 1/0 or 1/1, up to 5"),
        (
            going_up(_ROOK, 5),
            "any number may be added to any one of them while there is room up to 5",
        ),
        (
            going_up(_QUEEN, 5),
            "any number may be added to one of them, or the same to both, up to 5; the next pair "
            "always has the largest number that is in none yet, and a difference one larger than "
            "the pair before",
        ),
    ],
    ids=["king", "king up", "rook up", "queen up"],
)
def test_what_holds_for_every_size_says_where_numbers_go(sheet: RuleSheet, sizes: str) -> None:
    assert insight(sheet).holds_for.sizes.endswith(f", as long as {sizes}")


def test_three_gaps_cancel_by_their_nim_sum() -> None:
    found = insight(coins([(1, 3), (2, 5), (1, 6)]))
    (rule,) = found.rule_texts
    assert rule.count("xor(") == 2
    (said,) = insight_sentences(found)
    assert said.startswith("Leave rooms with nim-sum 0: from west u to east u; from west v")


def test_cold_pairs_are_those_of_wythoff() -> None:
    pairs = sorted((a, b) for a, b in cold_pairs(30).items() if a <= b)
    golden = (1 + 5**0.5) / 2
    assert pairs == [(int(d * golden), int(d * golden) + d) for d in range(len(pairs))]


def test_steps_are_proved_only_if_remainders_decide() -> None:
    assert periodic_steps(frozenset({(1, 0), (0, 1)}), (5, 5)) == (
        2,
        frozenset({(0, 0), (1, 1)}),
    )
    knight = frozenset({(2, 1), (2, -1), (1, 2), (-1, 2)})
    corners = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
    assert periodic_steps(knight, (7, 7)) == (4, corners)
    assert periodic_steps(knight, (8, 8)) is None  # In the far corner whoever moves loses, too.
