"""A Game in, the evidence for its layout out: its fluents, its moves, and some random play.

The fluents and moves are all that the network has, where there is one, and otherwise those seen in
play. Play is random with a fixed seed, so a game always looks the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import prod

from kibitz.board.drawing.pieces import is_blank
from kibitz.board.layout.axes import Chain, chains_of
from kibitz.board.layout.field_domains import field_domains
from kibitz.board.layout.layout import fields_of, shape_of, split_name
from kibitz.board.layout.static_facts import find_links, owners_of
from kibitz.engine import CompiledGame, Game, Move, State
from kibitz.gdl import Function

__all__ = ["FieldTable", "Survey", "SurveyStep", "look_at"]

FIRST_MOVES = 40
WALKS = 3
WALK_LENGTH = 30
MOST_CHOICES = 4_000
MOST_POSSIBLE = 5_000
MOST_FLUENTS = 50_000

Functor = tuple[str, int]


@dataclass(frozen=True, slots=True)
class SurveyStep:
    """One step of play: the fluents before, the joint move, and the fluents after."""

    before: frozenset[Function]
    joint: tuple[Move, ...]
    after: frozenset[Function]


@dataclass(frozen=True)
class FieldTable:
    """All fluents or moves of one name and shape, as rows of fields."""

    name: str
    arity: int
    shape: str
    split: tuple[int, ...]
    rows: dict[Function, tuple[str, ...]]

    @property
    def width(self) -> int:
        """How many fields there are."""
        return len(next(iter(self.rows.values())))

    def domain(self, field: int) -> set[str]:
        """Return all values of a field."""
        return {row[field] for row in self.rows.values()}


@dataclass(frozen=True)
class Survey:
    """What is known about a game."""

    game: Game
    initial: frozenset[Function]
    tables: tuple[FieldTable, ...]
    moves: tuple[FieldTable, ...]
    first_steps: tuple[SurveyStep, ...]
    steps: tuple[SurveyStep, ...]
    chains: tuple[Chain, ...]
    is_whole: bool

    @cached_property
    def links(self) -> tuple[frozenset[tuple[str, ...]], ...]:
        """Relations of four or five constants that hold in every state."""
        return find_links(self.game.sheet)

    @cached_property
    def owners(self) -> dict[str, str]:
        """Roles by their names and by facts about them, such as (sign xplayer x)."""
        return owners_of(self.game)

    def states(self) -> Iterator[frozenset[Function]]:
        """Walk the states that were seen."""
        yield self.initial
        for step in (*self.first_steps, *self.steps):
            yield step.after


def look_at(game: Game) -> Survey:
    """Look at a game."""
    initial = game.initial()
    first = list(_first_steps(initial))
    steps = list(_walks(initial))
    seen: dict[Function, None] = dict.fromkeys(initial.fluents)
    made: dict[Function, None] = {}
    is_whole = isinstance(game, CompiledGame)
    if isinstance(game, CompiledGame):
        network = game.network
        seen |= dict.fromkeys(network.fluents)
        seen |= dict.fromkeys(hidden.fluent for hidden in network.hidden)
        for moves in network.moves:
            made |= dict.fromkeys(moves)
    else:
        for step in (*first, *steps):
            seen |= dict.fromkeys(sorted(step.after, key=str))
            made |= dict.fromkeys(step.joint)
        seen |= dict.fromkeys(_possible(game, seen))
        for role in game.roles:
            made |= dict.fromkeys(initial.legal(role))
    return Survey(
        game,
        frozenset(initial.fluents),
        _tables(islice(seen, MOST_FLUENTS)),
        _tables(islice(made, MOST_FLUENTS)),
        tuple(first),
        tuple(steps),
        chains_of(game.sheet),
        is_whole,
    )


def _possible(game: Game, seen: Iterable[Function]) -> list[Function]:
    """Return fluents that were not seen in play and that the rules may well allow.

    Where some value is a blank, all cells have been seen, and only their values may be new;
    otherwise a cell may have been empty so far.
    """
    domains = field_domains(game.sheet) or {}
    met: dict[Functor, list[Function]] = {}
    for fluent in seen:
        if fluent.args and all(isinstance(a, Function) and not a.args for a in fluent.args):
            met.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    found: list[Function] = []
    for (name, arity), values in domains.items():
        size = prod(map(len, values))
        if not arity or not 0 < size <= MOST_POSSIBLE:
            continue
        keys = None
        if any(map(is_blank, values[-1])):
            keys = {fluent.args[:-1] for fluent in met.get((name, arity), ())}
        for row in product(*(sorted(domain) for domain in values)):
            args = tuple(map(Function, row))
            if keys is None or args[:-1] in keys:
                found.append(Function(name, args))
    return found


def _first_steps(state: State) -> Iterator[SurveyStep]:
    """Make each first move once, spread evenly if there are many; the other roles do anything."""
    if state.is_terminal:
        return
    legal = [state.legal(role) for role in state.game.roles]
    if not all(legal):
        return
    for index, moves in enumerate(legal):
        if len(moves) == 1:
            continue
        is_quick = max(len(moves), len(state.fluents)) < MOST_CHOICES / 4
        most = FIRST_MOVES if is_quick else 1
        for move in moves[:: -(-len(moves) // most)]:
            joint = tuple(move if i == index else other[0] for i, other in enumerate(legal))
            after = state.game.successor(state.key, joint)
            yield SurveyStep(frozenset(state.fluents), joint, frozenset(after.fluents))


def _walks(initial: State) -> Iterator[SurveyStep]:
    """Play at random; less where there are many moves, which take long to list."""
    source = random.Random(1)
    choices = 0
    for _ in range(WALKS):
        state = initial
        for _ in range(WALK_LENGTH):
            choices += len(state.fluents) // 10
            if state.is_terminal or choices > MOST_CHOICES:
                break
            legal = [state.legal(role) for role in state.game.roles]
            choices += sum(map(len, legal))
            if not all(legal) or choices > MOST_CHOICES:
                break
            joint = tuple(source.choice(moves) for moves in legal)
            after = state.game.successor(state.key, joint)
            yield SurveyStep(frozenset(state.fluents), joint, frozenset(after.fluents))
            state = after


def _tables(terms: Iterable[Function]) -> tuple[FieldTable, ...]:
    """Sort terms by name and arity; those of one name with different shapes are left out."""
    by_functor: dict[Functor, list[Function]] = {}
    for term in terms:
        by_functor.setdefault((term.name, len(term.args)), []).append(term)
    tables = []
    for (name, arity), members in by_functor.items():
        shapes = {shape_of(term) for term in members}
        if len(shapes) > 1:
            tables.append(FieldTable(name, arity, "", (), dict.fromkeys(members, ())))
            continue
        plain = {term: fields_of(term) for term in members}
        width = len(next(iter(plain.values())))
        split = tuple(i for i in range(width) if _is_split({row[i] for row in plain.values()}))
        rows = {term: fields_of(term, split) for term in members} if split else plain
        tables.append(FieldTable(name, arity, shapes.pop(), split, rows))
    return tuple(tables)


def _is_split(values: set[str]) -> bool:
    """Return whether constants name both rows and columns, such as a1 to c3."""
    pairs = {split_name(value) for value in values}
    if len(values) < 4 or len(pairs) < len(values) or any(not second for _, second in pairs):
        return False
    firsts, seconds = {a for a, _ in pairs}, {b for _, b in pairs}
    if len(firsts) < 2 or len(seconds) < 2 or max(map(len, firsts)) > 2:
        return False
    if all(first.isdecimal() for first in firsts):  # 11, 12, 21, 22, and not 10 to 40
        return len(pairs) == len(firsts) * len(seconds) and "0" not in firsts and len(seconds) < 10
    return 3 * len(pairs) >= len(firsts) * len(seconds)
