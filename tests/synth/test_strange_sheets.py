"""Sheets by strangers: what to leave is found however numbers, boards and turns are written."""

from __future__ import annotations

import pytest
from tests.synth import strange_sheets as sheets

from kibitz.engine import CompiledGame
from kibitz.english import plain_rule, read_back, scene_of
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import find_insight, insight_sentences

_CASES = {
    "nested terms": (
        sheets.peano(7),
        ["Leave a multiple of 3 in beans if you can."],
        "every number in beans, as long as 1 or 2 may be taken while there is enough",
    ),
    "an order without a successor": (
        sheets.lettered_rook(),
        ["Leave 1 more in rook.2 than in rook.1 if you can."],
        "all numbers in rook.1 and rook.2, as long as any number may be taken from any one of them",
    ),
    "misère numbers": (
        sheets.lettered_rook(misere=True),
        [
            "Leave 2 in rook.1 and rook.2 together if you can.",
            "Leave 1 more in rook.2 than in rook.1 if you can.",
        ],
        "all numbers in rook.1 and rook.2",
    ),
    "misère piles": (
        sheets.bounded_piles([3, 4, 4], 2, misere=True),
        [
            "Leave only piles whose remainders by 3 are 0 and 1, and an odd number of ones "
            "if you can.",
            "Leave piles whose remainders by 3 have nim-sum 0 if you can.",
        ],
        "any number of heaps, each of any size, as long as 1 or 2 may be taken",
    ),
    "own men": (
        sheets.marching_men(),
        [
            "Leave rooms with nim-sum 0: from man ada r1 to man ben r1; from man ada r2 to man "
            "ben r2; from man ada r3 to man ben r3 if you can."
        ],
        "all gaps, as long as any number may be taken from any one of them",
    ),
    "at most half, misère": (
        sheets.shares(20, "half", misere=True),
        ["Leave one of the numbers 2, 5, 11 in heap if you can."],
        "",
    ),
    "at most half, misère, more of it": (
        sheets.shares(30, "half", misere=True),
        [
            "Leave one of the numbers 2, 5, 11 in heap if you can.",
            "Leave 23 in heap if you can.",
        ],
        "",
    ),
    "coins that are turned, three at most": (
        sheets.turned_coins(6, 3),
        [
            "Leave numbers in coins that are heads with nim-sum 0, where 0, 1, 2, … count "
            "0-1-2-4-7-8-11 again and again if you can."
        ],
        "",
    ),
    "stones on a board of two parts": (
        sheets.stones_off_diagonals(5, 3),
        ["Leave a position that looks the same after a half-turn if you can."],
        "every board with an odd number of rows and an odd number of columns",
    ),
    "two kinds of piles": (
        sheets.two_fruits(),
        ["Leave the same remainder by 4 in apples as by 3 in carrots if you can."],
        "all numbers in apples and carrots, as long as 1, 2 or 3 may be taken from apples and 1 or "
        "2 may be taken from carrots",
    ),
    "at most half": (
        sheets.shares(20, "half"),
        ["Leave one less than a power of two in heap if you can."],
        "every number in heap, as long as at most half of it may be taken",
    ),
    "divisors": (
        sheets.shares(12, "divisor"),
        ["Leave an odd number in heap if you can."],
        "every number in heap, as long as a divisor that is smaller may be taken",
    ),
    "every other step": (
        sheets.stairs(),
        ["Leave as many in on step1 as in on step3 if you can."],
        "",
    ),
    "every other room": (
        sheets.coins_in_a_line(),
        ["Leave rooms with nim-sum 0: from coin c to coin d; from coin a to coin b if you can."],
        "",
    ),
    "a limit that grows": (
        sheets.growing_limit(15),
        [
            "Leave less in limit than counters counts, where 0, 1, 2, … count "
            "16-2-2-4-2-6-2-2-8-2-2-8-6-16-2 if you can."
        ],
        "",
    ),
    "right along its own play": (
        sheets.coins_from_both_ends(),
        ["Leave an even number in high if you can."],
        "",
    ),
    "a ring": (
        sheets.ring_of_pins(6),
        ["Leave a position that looks the same after a half-turn if you can."],
        "every ring of an even number of places, at least 4, as long as moves need and take",
    ),
    "own colours that never touch": (
        sheets.own_colours(2, 3, may_touch=False),
        [
            "Leave a position that looks the same after a half-turn that exchanges the sides if "
            "you can."
        ],
        "",
    ),
    "own colours around a middle": (
        sheets.own_colours(3, 3, may_touch=True),
        [
            "Leave a position that looks the same after a half-turn that exchanges the sides if "
            "you can."
        ],
        "",
    ),
    "colours for all": (
        sheets.two_colours(4),
        [
            "Leave a position that looks the same after a reflection from left to right that "
            "exchanges both kinds of pieces if you can."
        ],
        "",
    ),
    "crosses": (
        sheets.three_crosses(7),
        [
            "Win at once if you can.",
            "Leave a position that looks the same after a reflection from left to right if you "
            "can.",
        ],
        "",
    ),
}


@pytest.mark.parametrize("case", _CASES)
def test_what_to_leave_is_found_in_a_sheet_by_strangers(case: str) -> None:
    sheet, rules, proved = _CASES[case]
    game = CompiledGame(sheet)
    solution = solve(explore(game))
    (role,) = [role for role, value in solution.value().items() if value == 100]
    found = find_insight(solution, role)
    assert found is not None
    assert insight_sentences(found) == rules
    assert found.holds_for.proved == bool(proved)
    assert found.holds_for.sizes.startswith(proved or "this game")
    assert len(rules) > 1 or found.why[0], "one rule that wins has its reason"
    scene = scene_of(game, role)
    for rule, said in zip(found.rules, rules, strict=True):
        meant = plain_rule(rule)
        assert meant is not None
        assert {read.asked for read in read_back(scene, said)} == {meant.asked}
