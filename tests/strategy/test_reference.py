"""A check that shares nothing with the compiled one comes to the same verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.strategy.made import game, solution

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import Verdict, read_strategy, shipped_text, verify
from kibitz.strategy.evaluation.move_set import SILENCES
from kibitz.strategy.evaluation.rule_images import (
    Carrier,
    carriers_of,
    image_carriers,
    symmetries_of,
)
from kibitz.strategy.verification.reference import verify_by_reference

TEXTS = {
    "nim:1,2,3": [
        "true => (reduce a 0)\n(heap b 1) => (reduce c 1)\ntrue => (reduce c 2)",
        "next wins(me) else next (all H in {a, b, c}: does(opponent, reduce(H, 0)) "
        "implies next not wins(opponent))",
    ],
    "nim:2,2": [
        "(heap b 0) => (reduce a 0)\n(heap b 1) => (reduce a 1)",
        "symmetric first\n(heap b 0) => (reduce a 0)\ntrue => (reduce a 1)",
        "left => (reduce b 0)",
        "does(reduce(a,1)) & (heap b 2) => (reduce a 0)\nnot does(opponent, noop) => (reduce b 1)",
        "false",
    ],
    "crossdot:4,2": ["box(1,cross) => mark(2)\ntrue => mark(3)", "next wins(me) else decided"],
    "mnk:2,3,2": ["true => mark(1,2)\nnot cell(1,1,x) & cell(1,3,b) => mark(2,3)"],
    "hanoi:2": ["true", "next wins(me)"],
}


def bare(verdict: Verdict) -> Verdict:
    return replace(verdict, counterexample=None, against="")


def both(name: str, text: str, role: str, silence: str = "any") -> tuple[Verdict, Verdict]:
    strategy = read_strategy(text, ReferenceGame(load_sheet(name)))
    carriers = carriers_of(game(name)) if strategy.symmetry != "none" else []
    slow = verify_by_reference(strategy, role, carriers=carriers, silence=silence)
    fast = verify(read_strategy(text, game(name)), solution(name), role, silence=silence)
    return slow, fast


@pytest.mark.parametrize("silence", SILENCES)
@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in TEXTS.items() for t in texts])
def test_the_reference_check_agrees(name: str, text: str, silence: str) -> None:
    for role in game(name).roles:
        slow, fast = both(name, text, role, silence)
        # Which of the nearest states is shown may differ; that there is one may not.
        assert (slow.counterexample is None) == (fast.counterexample is None)
        if slow.counterexample and fast.counterexample:
            assert len(slow.counterexample.path) == len(fast.counterexample.path)
        assert bare(slow) == bare(fast)


@pytest.mark.slow
def test_the_reference_check_agrees_on_the_published_lists() -> None:
    for name, on, role in (
        ("nim-table4", "nim:1,2,4,5", "player1"),
        ("nim-table4", "nim:1,2,4,5,misere", "player1"),
        ("tictactoe-five", "tictactoe", "xplayer"),
        ("tictactoe-table3", "tictactoe", "xplayer"),
    ):
        slow, fast = both(on, shipped_text(name), role)
        assert slow.strongly_optimal == fast.strongly_optimal
        assert slow.bad_states == fast.bad_states
        assert slow.states_checked == fast.states_checked


def test_a_wrong_symmetry_is_found_out() -> None:
    found = symmetries_of(game("nim:2,2"))
    wrong = replace(found.generators[0], moves=((0, 1, 2, 3, 4), (0, 1, 2, 3, 4)))
    carrier = Carrier(found, wrong, game("nim:2,2").roles)
    strategy = read_strategy("true => (reduce a 0)", ReferenceGame(load_sheet("nim:2,2")))
    with pytest.raises(KibitzError, match="symmetry"):
        verify_by_reference(strategy, "player1", carriers=[carrier])


@pytest.mark.slow
def test_a_game_with_very_many_symmetries_is_checked_by_the_images_that_differ() -> None:
    things = " ".join(f"(thing t{i})" for i in range(9))
    sheet = read(
        f"""(role ann) (role bob) {things} (init (turn ann)) (init (left 2))
        (<= (init (free ?t)) (thing ?t))
        (<= (legal ?r (take ?t)) (true (turn ?r)) (true (free ?t)))
        (<= (legal ann noop) (true (turn bob))) (<= (legal bob noop) (true (turn ann)))
        (<= (next (free ?t)) (true (free ?t)) (not (taken ?t)))
        (<= (taken ?t) (does ?r (take ?t)))
        (<= (next (last ?t)) (taken ?t))
        (<= (next (turn bob)) (true (turn ann))) (<= (next (turn ann)) (true (turn bob)))
        (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
        (<= terminal (true (left 0)))
        (<= (goal ?r 50) (role ?r))""",
        name="things",
    )
    made = CompiledGame(sheet)
    with pytest.raises(BudgetExceededError, match="symmetries"):
        symmetries_of(made)
    solved = solve(explore(made))
    for text, pairs in (("true => (take t1)", 9), ("(last t1) => (take t2)", 72)):
        strategy = read_strategy(text, made)
        for role in made.roles:
            slow = verify_by_reference(
                read_strategy(text, ReferenceGame(sheet)), role, carriers=image_carriers(made)
            )
            assert bare(slow) == bare(verify(strategy, solved, role))
        role = "ann" if "last" not in text else "bob"
        assert len(strategy.on(solved.space, role)) == pairs
    first = read_strategy("symmetric first\ntrue => (take t1)", made)
    assert len(first.on(solved.space, "ann")) == 1
    more = CompiledGame(read(f"{sheet.source.text}(<= one (true (free t1)))", name="things"))
    with pytest.raises(BudgetExceededError, match="relation of the rule sheet"):
        read_strategy("one => (take t1)", more).on(explore(more), "ann")


def test_large_games_are_refused() -> None:
    strategy = read_strategy("true", ReferenceGame(load_sheet("tictactoe")))
    with pytest.raises(BudgetExceededError, match="small games"):
        verify_by_reference(strategy, "xplayer", most_states=50)
