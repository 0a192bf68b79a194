"""What `kibitz invariants` calls proved holds in play, and is proved a second time.

States come from engines that know nothing of groups of fluents: the reference and the ungrounded
one. The compiled engine leaves fluents out on the strength of what is tested here.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from tests.effort import examples, quick
from tests.foreign import FOREIGN, needs_foreign
from tests.games.conftest import EXAMPLES
from tests.random_games import games
from tests.soundness.claims import Walked, contradictions, read_statement, walk

from kibitz.budget import Budget, run_within
from kibitz.engine import ReferenceGame
from kibitz.engine.grounding.invariant_check import check_claims
from kibitz.engine.grounding.invariant_claims import (
    Claim,
    NeverTogether,
    OneChooses,
    OneValue,
    Steady,
)
from kibitz.engine.grounding.invariants import Status, find_invariants
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read

SMALL = ("tictactoe", "nim:1,2,4,5", "connect:3,4x4", "roshambo", "hanoi", "threemensmorris",
         "crossdot", "chomp", "maze")  # fmt: skip
FERRY = """
    ; Two ferrymen at once; a boat may carry several, an oar is where it was left.
    (role north) (role south) (bank left) (bank right)
    (init (at goat left)) (init (at hay left)) (init (boat left)) (init (oar left a))
    (init (oar left b)) (init (rested north)) (init (rested south)) (init (hours 0))
    (<= (legal ?who (take ?what)) (role ?who) (true (boat ?here)) (true (at ?what ?here)))
    (<= (legal ?who row) (role ?who) (true (rested ?who)))
    (<= (legal ?who rest) (role ?who))
    (<= crossed (does ?who row))
    (<= (taken ?what) (does ?who (take ?what)))
    (<= (next (boat ?to)) (true (boat ?from)) (bank ?to) (distinct ?from ?to) crossed)
    (<= (next (boat ?here)) (true (boat ?here)) (not crossed))
    (<= (next (at ?what ?to)) (true (at ?what ?from)) (bank ?to) (distinct ?from ?to)
        crossed (taken ?what))
    (<= (next (at ?what ?where)) (true (at ?what ?where)) (not crossed))
    (<= (next (at ?what ?where)) (true (at ?what ?where)) (not (taken ?what)))
    (<= (next (oar left ?which)) (true (oar left ?which)))
    (<= (next (oar right a)) crossed)
    (<= (next (rested ?who)) (does ?who rest))
    (<= (next (hours ?m)) (true (hours ?n)) (succ ?n ?m))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= terminal (true (hours 4)))
    (<= (goal ?who 100) (role ?who) (true (at goat right)))
    (<= (goal ?who 0) (role ?who) (not (true (at goat right))))
"""
FOREIGN_SMALL = ("blocks", "buttons", "hanoi", "nim1", "roshambo2", "ticTacToe", "sum15",
                 "sheepAndWolf", "gt_chicken", "ticTicToe")  # fmt: skip


def played(sheet: RuleSheet, *, steps: int, reference_steps: int) -> list[Walked]:
    walked = list(walk(UngroundedGame(sheet), steps=steps)) if steps else []
    return walked + list(walk(ReferenceGame(sheet), steps=reference_steps, seed=2))


def judge(sheet: RuleSheet, walked: list[Walked], *, seconds: float = 300) -> tuple[int, int]:
    """Test all that is called proved; give how much that is, and how much was proved twice."""
    found = find_invariants(sheet, Budget(seconds))
    proved = found.with_status(Status.PROVED)
    claims: list[Claim] = []
    for invariant in proved:
        assert invariant.claim is not None
        claims.append(invariant.claim)
        assert contradictions(invariant.claim, walked) == [], invariant.statement
        if isinstance(invariant.claim, OneValue | OneChooses):
            assert read_statement(invariant.statement) == invariant.claim
    for invariant in found.with_status(Status.REFUTED):
        assert invariant.claim is not None
    checked = check_claims(sheet, claims, lemmas=found.lemmas, budget=Budget(seconds))
    wrong = [str(c) for c, holds in zip(claims, checked.claims, strict=True) if holds is False]
    assert wrong == []
    assert False not in checked.lemmas
    return len(claims), checked.claims.count(True)


@pytest.mark.parametrize("name", SMALL)
def test_proved_invariants_of_small_games_hold_in_play(name: str) -> None:
    sheet = load_sheet(name)
    proved, twice = judge(sheet, played(sheet, steps=300, reference_steps=60))
    assert proved == twice > 0


def test_proved_invariants_of_a_game_with_simultaneous_moves_hold_in_play() -> None:
    sheet = read(FERRY, form="kif")
    assert judge(sheet, played(sheet, steps=500, reference_steps=100)) == (3, 3)


@examples(12)
@given(games())
def test_proved_invariants_of_random_games_hold_in_play(sheet: RuleSheet) -> None:
    proved, twice = judge(sheet, played(sheet, steps=40, reference_steps=10))
    assert proved == twice


@needs_foreign
@pytest.mark.parametrize("name", quick(FOREIGN_SMALL, set(FOREIGN_SMALL) - {"sheepAndWolf"}))
def test_proved_invariants_of_foreign_sheets_hold_in_play(name: str) -> None:
    sheet = read((FOREIGN / "rules" / f"{name}.kif").read_bytes(), name=name, form="kif")
    judge(sheet, played(sheet, steps=60, reference_steps=10))


@needs_foreign
def test_a_sheet_in_which_two_things_share_a_cell_has_nothing_false_proved() -> None:
    path = FOREIGN / "broken" / "invariant-not-kept.kif"
    sheet = read(path.read_bytes(), form="kif")
    proved, twice = judge(sheet, played(sheet, steps=50, reference_steps=20))
    assert proved == twice > 0


EVERY_FOREIGN = [
    path
    for folder in ("rules", "conformance", "hard/rules", "broken", "broken/mistakes")
    for path in sorted((FOREIGN / folder).glob("*.kif"))
    if path.stem != "manyvars"  # Its one rule with 3,000 variables is about time alone.
]


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("path", EVERY_FOREIGN, ids=lambda path: path.stem)
def test_proved_invariants_of_every_foreign_sheet_hold_in_play(path: Path) -> None:
    try:
        sheet = read(path.read_bytes(), name=path.stem, form="kif")
    except KibitzError:
        return  # Sheets with errors go no further.
    judge(sheet, bounded(sheet), seconds=15)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_proved_invariants_of_every_library_game_hold_in_play(name: str) -> None:
    sheet = load_sheet(name)
    judge(sheet, bounded(sheet), seconds=15)


def bounded(sheet: RuleSheet) -> list[Walked]:
    """Play for many steps, or for few where the sheet is slow, or not at all."""
    for steps, reference_steps in ((300, 20), (30, 3), (0, 2)):
        try:
            return run_within(
                Budget(15),
                partial(played, sheet, steps=steps, reference_steps=reference_steps),
            )
        except BudgetExceededError:
            continue
    return []


@pytest.mark.parametrize(
    "claim",
    [
        OneValue(("cell", 3), 0, is_exact=False),
        OneValue(("control", 1), 0, is_exact=False),
        OneValue(("cell", 3), 2, is_exact=True),
        OneChooses(),
        Steady(("cell", 3), ends=True),
        Steady(("step", 1), ends=False),
        NeverTogether(("x", ("mark", 1)), ("o", ("noop", 0))),
    ],
    ids=str,
)
def test_play_shows_what_is_false(claim: Claim) -> None:
    sheet = read("""
        (role x) (role o) (init (control x)) (init (cell 1 1 b)) (init (cell 2 1 b))
        (legal x (mark 1)) (legal x (mark 2)) (legal o noop) (legal o (mark 1))
        (<= (next (cell ?n 1 x)) (does ?r (mark ?n)))
        (<= (next (cell 1 1 b)) (true (cell 1 1 b)))
        (next (control x)) (<= (next (control o)) (true (cell 1 1 x)))
        (<= (next (step 1)) (does o noop)) (<= terminal (true (step 2)))
        (goal x 0) (goal o 0)
    """)
    assert contradictions(claim, played(sheet, steps=50, reference_steps=20))
