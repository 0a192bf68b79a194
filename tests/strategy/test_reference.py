"""A check that shares nothing with the compiled one comes to the same verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.strategy.made import game, solution

from kibitz.engine import ReferenceGame
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.games import load
from kibitz.strategy import Verdict, read_strategy, shipped_text, verify
from kibitz.strategy.images import Carrier, carriers_of, symmetries_of
from kibitz.strategy.reference import verify_by_reference

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


def both(name: str, text: str, role: str) -> tuple[Verdict, Verdict]:
    strategy = read_strategy(text, ReferenceGame(load(name)))
    carriers = carriers_of(game(name)) if strategy.symmetry != "none" else []
    slow = verify_by_reference(strategy, role, carriers=carriers)
    fast = verify(read_strategy(text, game(name)), solution(name), role)
    return slow, fast


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in TEXTS.items() for t in texts])
def test_the_reference_check_agrees(name: str, text: str) -> None:
    for role in game(name).roles:
        slow, fast = both(name, text, role)
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
    strategy = read_strategy("true => (reduce a 0)", ReferenceGame(load("nim:2,2")))
    with pytest.raises(KibitzError, match="symmetry"):
        verify_by_reference(strategy, "player1", carriers=[carrier])


def test_large_games_are_refused() -> None:
    strategy = read_strategy("true", ReferenceGame(load("tictactoe")))
    with pytest.raises(BudgetExceededError, match="small games"):
        verify_by_reference(strategy, "xplayer", most_states=50)
