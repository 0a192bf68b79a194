"""Rule sheets and hand-written games go in step, and golden transcripts replay."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.games.by_hand import by_hand
from tests.games.conftest import EXAMPLES, engine, reference
from tests.games.golden import FOLDER, MATCHES, Step, hand_played, write

from kibitz.engine import Game
from kibitz.gdl import parse_terms


@pytest.mark.parametrize("made", [engine, reference], ids=["compiled", "reference"])
@pytest.mark.parametrize("name", [*EXAMPLES, "bottom1:3,3x4,D", "nim:0,2,1", "hex:2"])
def test_rules_and_hand_written_game_go_in_step(name: str, made: Callable[[str], Game]) -> None:
    game = by_hand(name)
    position = game.initial()
    state = made(name).initial()
    roles = state.game.roles
    assert roles == game.roles
    choose = random.Random(name).choice
    for _ in range(25):
        assert {str(fluent) for fluent in state.fluents} == game.fluents(position)
        assert tuple(state.goals.values()) == game.goals(position)
        assert state.is_terminal == game.is_over(position)
        if state.is_terminal:
            break
        legal = game.moves(position)
        for role, moves in zip(roles, legal, strict=True):
            assert sorted(str(move) for move in state.legal(role)) == sorted(moves)
        joint = tuple(choose(sorted(moves)) for moves in legal)
        position = game.step(position, joint)
        state = state.step(joint)


@pytest.mark.parametrize("family", MATCHES)
def test_a_golden_transcript_replays(family: str) -> None:
    text = (FOLDER / f"{family}.txt").read_text("utf-8")
    name = MATCHES[family]
    played = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith("played ")]
    state = engine(name).initial()
    roles = state.game.roles
    steps = []
    for line in played:
        joint = tuple(str(move) for move in parse_terms(line))
        legal = [[str(move) for move in state.legal(role)] for role in roles]
        steps.append(Step([str(fluent) for fluent in state.fluents], legal, played=joint))
        state = state.step(joint)
    assert state.is_terminal
    goals = tuple(state.goals.values())
    steps.append(Step([str(fluent) for fluent in state.fluents], goals=goals))
    assert write(name, roles, steps) == text


@pytest.mark.parametrize("family", ["tictactoe", "maze", "roshambo"])
def test_golden_transcripts_are_those_of_the_games_by_hand(family: str) -> None:
    game = by_hand(MATCHES[family])
    text = write(MATCHES[family], game.roles, hand_played(game))
    assert text == (FOLDER / f"{family}.txt").read_text("utf-8")
