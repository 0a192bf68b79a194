"""The command winsets, as programs call it."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import kibitz


@pytest.mark.parametrize("method", ["auto", "explicit", "symbolic"])
def test_winsets_gives_the_keys_that_programs_read(method: str) -> None:
    options = ("--set", "paper", "--role", "xplayer", "--method", method, "--json")
    done = kibitz("winsets", "connect:3,4x4", *options)
    result = json.loads(done.stdout)
    assert result["states"] == 41_750
    assert result["w"] == [9410, 988, 110]
    assert result["seconds"] > 0
    assert result["method"] == ("explicit" if method == "explicit" else "symbolic")


def test_sets_roles_and_goals_can_be_chosen() -> None:
    done = kibitz("winsets", "tictactoe", "--role", "oplayer", "--json")
    assert json.loads(done.stdout)["w"] == [860, 96, 50]
    options = ("--set", "paper", "--among", "reachable", "--json")
    assert json.loads(kibitz("winsets", "connect:3,4x4", *options).stdout)["w"][2] == 94
    done = kibitz("winsets", "mnk:1,3,3", "--goal", "50")
    assert "W_0:            6  next move" in done.stdout


def test_a_game_without_such_wins_says_why() -> None:
    assert "the most is 50: --goal 50" in kibitz("winsets", "mnk:1,3,3").stdout
    options = ("--set", "paper", "--method", "symbolic")
    assert "try --set exact" in kibitz("winsets", "chomp", *options).stdout


def test_exact_sets_of_consistent_states_are_refused() -> None:
    done = kibitz("winsets", "connect:3,4x4", "--among", "consistent")
    assert (done.returncode, done.stdout) == (2, "")
    assert "add --set paper or remove --among" in done.stderr


def test_wrong_roles_and_simultaneous_moves_are_refused() -> None:
    done = kibitz("winsets", "nim:1,2", "--role", "red")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no role red" in done.stderr
    for method in ("explicit", "symbolic"):
        done = kibitz("winsets", "roshambo", "--method", method)
        assert (done.returncode, done.stdout) == (1, "")
        assert "at the same time" in done.stderr


@pytest.mark.slow
def test_a_budget_that_does_not_suffice_says_how_far_it_came() -> None:
    for seconds in ("2", "10", "50", "250"):  # until there is time for a layer
        done = kibitz("winsets", "connect:4,5x5", "--timeout", seconds)
        assert (done.returncode, done.stdout) == (1, "")
        if "layers" in done.stderr:
            break
    assert "layers" in done.stderr
    assert "--timeout" in done.stderr


def test_solve_on_diagrams_gives_what_arrays_give() -> None:
    one, other = (
        json.loads(kibitz("solve", "threemensmorris", "--json", *options).stdout)
        for options in ((), ("--symbolic",))
    )
    for key in ("states", "nonterminal_states", "terminal_states", "moves", "value", "distance"):
        assert one[key] == other[key]
    assert sum(other["worth"].values()) == one["states"]
    assert "value 100 for xplayer" in kibitz("solve", "tictactoe", "--symbolic").stdout


def test_a_position_is_valued_on_diagrams_as_on_arrays() -> None:
    state = "(heap a 0) (heap b 1) (heap c 2) (control player1)"
    one, other = (
        json.loads(
            kibitz("solve", "nim:1,2,3", "--position", "-", "--json", *options, stdin=state).stdout
        )
        for options in ((), ("--symbolic",))
    )
    assert one["states"] == other["states"]
    told = [
        {move["move"][0]: (move["value"], move["distance"]) for move in result["position"]}
        for result in (one, other)
    ]
    assert told[0] == told[1]


def test_diagrams_are_neither_stored_nor_reduced() -> None:
    done = kibitz("solve", "nim:1,2", "--symbolic", "--reduce")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--symbolic" in done.stderr
