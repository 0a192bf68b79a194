from __future__ import annotations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.random_games import games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import Network, ground
from kibitz.engine.grounding.exclusive_groups import find_groups, hide
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse_terms, read

pytestmark = pytest.mark.usefixtures("grounded_anew")


def step_evenly(network: Network, steps: int) -> list[set[str]]:
    """Make the first legal moves in turn, and give the fluents of each state on the way."""
    state = [int(holds) for holds in network.initial]
    found = []
    for number in range(steps):
        holding = {str(f) for f, holds in zip(network.fluents, state, strict=True) if holds}
        holding |= {
            str(hidden.fluent)
            for hidden in network.hidden
            if not any(state[i] for i in hidden.unless)
        }
        found.append(holding)
        values = network.evaluate([*state, *[0] * (network.first_gate - network.first_move)])
        made: list[int] = []
        for literals in network.legal:
            legal = [i for i, lit in enumerate(literals) if values[lit >> 1] ^ (lit & 1)]
            if not legal:
                return found
            chosen = legal[number % len(legal)]
            made += [int(i == chosen) for i in range(len(literals))]
        values = network.evaluate([*state, *made])
        state = [values[lit >> 1] ^ (lit & 1) for lit in network.next]
    return found


@examples(12)
@given(games())
def test_hidden_fluents_reappear_where_they_hold(sheet: RuleSheet) -> None:
    plain = ground(sheet, groups=False).network
    hidden = hide(plain, find_groups(plain))
    assert step_evenly(hidden, 12) == step_evenly(plain, 12)


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "breakthrough", "sim", "nim:1,2"])
def test_a_game_with_hidden_fluents_goes_the_same_way(name: str) -> None:
    plain = ground(load_sheet(name), groups=False).network
    hidden = hide(plain, find_groups(plain))
    assert len(hidden.fluents) + len(hidden.hidden) == len(plain.fluents)
    assert hidden.hidden
    assert step_evenly(hidden, 10) == step_evenly(plain, 10)


SHARED = """
    (role me) (init (in red ball)) (init (in blue ball)) (init (in red key)) (bag red) (bag blue)
    (<= (legal me (carry ?to)) (bag ?to))
    (<= (next (in ?to key)) (does me (carry ?to)))
    (<= (next (in ?bag ball)) (true (in ?bag ball)))
    (<= terminal (true (in blue key))) (goal me 0)
"""


def test_of_rows_of_which_some_fail_only_those_that_are_proved_hide_a_fluent() -> None:
    network = ground(read(SHARED, form="kif")).network
    assert [h.fluent.args[1].name for h in network.hidden] == ["key"]
    plain = ground(read(SHARED, form="kif"), groups=False).network
    assert step_evenly(network, 6) == step_evenly(plain, 6)


def test_a_fluent_that_tells_another_is_not_hidden() -> None:
    for name in ("tictactoe", "hanoi:5", "nim:1,2,3,3"):
        network = ground(load_sheet(name)).network
        names = set(network.fluents)
        assert not names & {hidden.fluent for hidden in network.hidden}
        assert all(0 <= i < len(names) for hidden in network.hidden for i in hidden.unless)


def test_without_groups_nothing_is_hidden() -> None:
    network = ground(load_sheet("tictactoe"), groups=False).network
    assert hide(network, ()) is network
    assert network.hidden == ()


EMPTY = "(cell 1 1 b) (cell 1 2 b) (cell 1 3 b) (cell 2 1 b) (cell 2 2 b) (cell 2 3 b)"
EMPTY += " (cell 3 1 b) (cell 3 2 b) (cell 3 3 b)"


def test_a_state_made_of_fluents_shows_the_hidden_ones() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    state = game.state(parse_terms(f"{EMPTY} (control xplayer)"))
    assert state == game.initial()
    assert str(state) == f"{EMPTY} (control xplayer)"


@pytest.mark.parametrize(
    "fluents",
    [
        EMPTY,
        f"{EMPTY} (control xplayer) (control oplayer)",
        f"{EMPTY} (control xplayer) (cell 1 1 x)",
        EMPTY.removeprefix("(cell 1 1 b)") + "(control xplayer)",
    ],
)
def test_a_state_that_breaks_a_group_is_refused_with_the_group(fluents: str) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    with pytest.raises(InputError, match=r"exactly one of \(.*\) holds in every state"):
        game.state(parse_terms(fluents))


def test_a_fluent_that_can_never_hold_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"\(cell 9 9 b\) can never hold in tictactoe"):
        CompiledGame(load_sheet("tictactoe")).state(parse_terms("(cell 9 9 b)"))
