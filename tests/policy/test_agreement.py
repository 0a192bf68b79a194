"""Every condition and preference allows the same moves by gates, by looking ahead, and by itself.

What `kibitz moves` prints, one state at a time, is compared with what plays in blocks, in states of
random matches of the library's games and of foreign ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine import Blocks, CompiledGame, Move, Role, State, make_game
from kibitz.errors import StrategyError
from kibitz.games import catalogue, load_sheet
from kibitz.gdl import read
from kibitz.measured.positions import Positions, allowed_moves
from kibitz.measured.vocabulary import vocabulary_for
from kibitz.policy import LookaheadPolicy, MoveMasks, NotCompilableError, moves_ahead, place_policy
from kibitz.strategy import (
    Strategy,
    named_symmetries,
    plan_formulas,
    read_strategy,
    vocabulary_of,
    write_term,
)

LIBRARY = [name for entry in catalogue() for name in entry.examples]
FOREIGN_GAMES = [
    "amazons", "blockerSerial", "breakthroughSmall", "breakthroughSuicide", "checkersSmall",
    "chomp",
    "conn4", "connectFourLarge", "dotsAndBoxesSuicide", "doubletictactoe", "gomoku_11x11",
    "gt_chicken", "hexPie", "kalaha6x2x4", "knightThrough", "nim3", "nineBoardTicTacToePie",
    "numbertictactoe", "othello-comp2007", "pawnToQueen", "pawnWhopping", "pentago", "quarto",
    "sheepAndWolf", "sum15", "ticTacToe",
]  # fmt: skip

_MOST_FOLLOWING = 200
"""About how many states may follow one that is compared: one at a time they take long."""
_GATES, _POSITIONS, _PARTS = 1 << 19, 20_000, 1_000_000
_STATES = 2


@dataclass(frozen=True)
class Met:
    """A state of a match, and how it came about."""

    state: State
    history: tuple[tuple[State, tuple[Move, ...]], ...]


def positions_met(game: CompiledGame, source: random.Random, matches: int) -> list[Met]:
    found = []
    for _ in range(matches):
        state = game.initial()
        history: list[tuple[State, tuple[Move, ...]]] = []
        for _ in range(80):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            found.append(Met(state, tuple(history)))
            joint = tuple(map(source.choice, legal))
            history.append((state, joint))
            state = game.successor(state.key, joint)
    return found


def conditions_of(game: CompiledGame, role: Role, source: random.Random) -> Iterator[str]:
    """Walk all that rules of thumb ask, and what only people do: relations, and past moves."""
    for feature in vocabulary_for(game, role).conditions:
        yield f"{feature.formula} => any"
    moves = [write_term(move) for move in game.network.moves[game.roles.index(role)]]
    others = [one for one in game.roles if one != role]
    words = vocabulary_of(game)
    for name, arity in sorted(words.relations):
        if arity < 2 and words.needs_state(name) and not words.needs_moves(name):
            constants = sorted(words.constants)
            some = source.sample(constants, min(len(constants), 6))
            relation = " | ".join(f"({name} {one})" for one in some) if arity else name
            yield f"next not ({relation}) => any"
            yield f"({relation}) => any"
    yield f"legal({role}, {source.choice(moves)}) | initial => any"
    yield f"next turn({role}) => any"
    if len(others) == 1:
        for name in (*named_symmetries(game), "half_turn"):
            yield f"mirrors(opponent, {name}) => any"
        last = write_term(source.choice(game.network.moves[game.roles.index(others[0])]))
        yield f"previous does(opponent, {last}) => any"


def lists_of(game: CompiledGame, role: Role, source: random.Random) -> Iterator[str]:
    """Walk lists in which everything is asked or preferred once, and some of several rules."""
    conditions = list(conditions_of(game, role, source))
    preferences = [feature.formula for feature in vocabulary_for(game, role).preferences]
    for line in conditions:
        more = f" also {source.choice(preferences)}" if preferences else ""
        yield f"symmetric none\n{line}{more}"
    for preference in preferences:
        yield f"symmetric none\ntrue => any also {preference}"
    moves = game.network.moves[game.roles.index(role)]
    fluents = [write_term(fluent) for fluent in game.network.fluents]
    some = [write_term(move) for move in source.sample(moves, min(3, len(moves)))]
    for symmetry in ("any", "first"):
        rules = [f"{source.choice(fluents)} => {move}" for move in some]
        rules += [f"not {source.choice(fluents)} => {{{', '.join(some)}}}"]
        yield "\n".join([f"symmetric {symmetry}", *rules])
    for _ in range(2):
        lines = source.sample(conditions, min(3, len(conditions)))
        if preferences:
            lines = [f"{line} also {source.choice(preferences)}" for line in lines]
        yield "\n".join(["symmetric none", *lines])


class Comparison:
    """Compares one role's lists of a game in some states, and counts what was compared."""

    def __init__(self, game: CompiledGame, role: Role, met: list[Met]) -> None:
        self.game, self.role = game, role
        self.index = game.roles.index(role)
        self.met = [one for one in met if len(one.state.legal(role)) > 1]
        self.masks = MoveMasks(game, role)
        self.done: Counter[str] = Counter()

    def compare(self, text: str, source: random.Random) -> None:
        try:
            strategy = read_strategy(text, self.game, name="list")
            plan = strategy.plan(self.role)
        except StrategyError:  # the game has no such number, place or symmetry
            self.done["no such words"] += 1
            return
        ahead = max([1, *map(moves_ahead, plan_formulas(plan))])
        few = [one for one in self.met if self._following(one.state) ** ahead <= _MOST_FOLLOWING]
        if not few:
            self.done["too many follow"] += 1
            return
        chosen = source.sample(few, min(_STATES, len(few)))
        told = [self._told(strategy, one) for one in chosen]
        try:
            with self.masks.limited(_GATES, _POSITIONS, _PARTS):
                policy = place_policy(self.masks, self.masks.plan(plan), name="list")
        except NotCompilableError:
            pass
        else:
            self._assert_same(text, chosen, told, allowed_moves(
                self.game, self.role, policy, self._positions(chosen)
            ))  # fmt: skip
            self.done["by gates"] += 1
        try:
            looking = LookaheadPolicy.of(strategy, self.role)
        except NotCompilableError:
            return
        self._assert_same(text, chosen, told, allowed_moves(
            self.game, self.role, looking, self._positions(chosen)
        ))  # fmt: skip
        self.done["by looking ahead"] += 1

    def _following(self, state: State) -> int:
        return int(np.prod([len(state.legal(role)) for role in self.game.roles]))

    def _told(self, strategy: Strategy, one: Met) -> set[Move]:
        found = strategy.moves(one.state, self.role, history=one.history)
        return set(found or one.state.legal(self.role))

    def _positions(self, chosen: list[Met]) -> Positions:
        number: list[Mapping[Move, int]] = [
            {move: i for i, move in enumerate(moves)} for moves in self.game.network.moves
        ]
        last = [
            [number[i][move] for i, move in enumerate(one.history[-1][1])]
            if one.history
            else [-1] * len(number)
            for one in chosen
        ]
        rows = Blocks(self.game).rows([cast(int, one.state.key) for one in chosen])
        return Positions(rows, np.array(last, dtype=np.int64), np.ones(len(rows), dtype=np.int64))

    def _assert_same(
        self, text: str, chosen: list[Met], told: list[set[Move]], found: list[tuple[Move, ...]]
    ) -> None:
        for one, expected, here in zip(chosen, told, found, strict=True):
            assert set(here) == expected, (self.role, text, str(one.state))


def compare(game: CompiledGame, every: int) -> Counter[str]:
    """Compare some of the lists of two roles of a game, others for each role."""
    source = random.Random(3)
    met = positions_met(game, source, 4)
    done: Counter[str] = Counter()
    for number, role in enumerate(game.roles[:2]):
        comparison = Comparison(game, role, met)
        if comparison.met:
            lists = list(lists_of(game, role, source))
            for text in lists[number + len(game.sheet.name) % every :: every]:
                comparison.compare(text, source)
            done += comparison.done
    return done


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough:4x3", "hex:3", "nim:1,3,5,7"])
def test_gates_looks_and_kibitz_moves_agree_about_some_lists(name: str) -> None:
    assert compare(CompiledGame(load_sheet(name)), 15)["by gates"] > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY)
def test_gates_looks_and_kibitz_moves_agree_on_a_game_of_the_library(name: str) -> None:
    assert compare(CompiledGame(load_sheet(name)), 2)["by gates"] > 1


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("name", FOREIGN_GAMES)
def test_gates_looks_and_kibitz_moves_agree_on_a_foreign_game(name: str) -> None:
    path = FOREIGN / "rules" / f"{name}.kif"
    game = make_game(read(path.read_bytes(), name=name, form="kif"))
    assert isinstance(game, CompiledGame)
    assert compare(game, 2)["by gates"] > 1
