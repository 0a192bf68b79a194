"""A game too large to list in; out positions of matches, their moves valued, and ordered examples.

Tree search with few playouts plays matches. In some of their positions the search for one position
values every move; where it does not come to an end, tree search estimates the values. An example
weighs ten where both values are proved, and less where they are estimated: the more, the further
they are apart, for that makes them the more certain. Some positions are held out, to see how well
what is learned ranks moves that it was not learned from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from kibitz.budget import is_over
from kibitz.engine import Blocks, CompiledGame, Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import RuleSheet
from kibitz.learn.preferences.preference_search import OrderedExample
from kibitz.learn.preferences.preferences import Preferences
from kibitz.policy import UctPolicy, match_rows, play_matches, share_interval, tree_values
from kibitz.prove import Prover, Spending

_MATCHES, _LONGEST = 64, 500
_PLAYER, _ESTIMATE = 50, 500
"""Playouts for a move of a match, and to estimate the value of a move."""
_SHARE = 20_000
"""Positions that the search may look at for one move."""
_MEMORY = 100_000_000
CERTAIN = 10
"""The weight of an example that is proved."""
APART = 0.15
"""Estimates that differ by less say nothing."""
_MOST_PAIRS = 12
_HELD_OUT = 4
"""One position in so many is held out."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ValuedPosition:
    """A position in which one role has a choice, and what each of its moves is worth.

    `values` are those for the role: an index of the proved goals, or an estimate from 0 to 1;
    `scores` are goals of the first role, rounded where they are estimates. `line` are the positions
    of a match that led there.
    """

    state: State
    role: Role
    moves: tuple[Move, ...]
    values: tuple[float, ...]
    scores: tuple[int, ...]
    is_proved: bool
    line: tuple[State, ...] = ()

    def is_best(self, number: int) -> bool:
        """Whether no move is known, or seen, to be better than this one."""
        behind = max(self.values) - self.values[number]
        return behind == 0 if self.is_proved else behind < APART

    def weight(self, number: int) -> int:
        """Return how certain it is that this move is worse than the best one: 1 to 10."""
        if self.is_proved:
            return CERTAIN
        return max(1, round((CERTAIN - 1) * (max(self.values) - self.values[number])))


@dataclass(frozen=True, slots=True)
class Pool:
    """Examples to learn from and others to judge by, and the positions they are from."""

    examples: tuple[OrderedExample, ...]
    held_out: tuple[OrderedExample, ...]
    positions: int
    proved: int
    learned_from: tuple[ValuedPosition, ...] = ()
    judged_by: tuple[ValuedPosition, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return how large it is, as plain values."""
        return {
            "positions": self.positions,
            "proved": self.proved,
            "estimated": self.positions - self.proved,
        }


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How many pairs of moves that nothing was learned from are ranked right."""

    pairs: int
    right: int

    def as_json(self) -> dict[str, object]:
        """Return it as plain values, with the 95 % interval of the share."""
        low, high = share_interval(self.right, self.pairs)
        share = self.right / self.pairs if self.pairs else None
        return {"pairs": self.pairs, "right": self.right, "share": share, "low": low, "high": high}


def make_pool(
    start: State,
    *,
    positions: int = 60,
    seed: int = 1,
    deadline: float = math.inf,
    progress: Progress = lambda _: None,
) -> Pool:
    """Collect examples from positions of matches that begin in a state, until a deadline.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("connect:4,5x5"))
    >>> pool = make_pool(game.initial(), positions=8)
    >>> pool.positions, len(pool.examples) > len(pool.held_out) > 0
    (8, True)
    """
    game = cast(CompiledGame, start.game)
    found = _positions(game, start, seed)
    values = _Values(game, seed)
    learned: list[tuple[ValuedPosition, list[OrderedExample]]] = []
    kept: list[tuple[ValuedPosition, list[OrderedExample]]] = []
    tried = proved = 0
    for line, role in found:
        valued = values.of(line, role)
        pairs = values.examples(valued)
        if not pairs:
            continue
        proved += valued.is_proved
        tried += 1
        (kept if tried % _HELD_OUT == 0 else learned).append((valued, pairs))
        progress(f"{tried} positions, {proved} with proved values")
        if tried == positions or is_over(deadline):
            break
    if not learned:
        raise InputError(
            f"in matches of {game.sheet.name} no move is seen to be better than another",
            hint="start where there is a choice: --position or --instance",
        )
    return Pool(
        tuple(pair for _, pairs in learned for pair in pairs),
        tuple(pair for _, pairs in kept for pair in pairs),
        tried,
        proved,
        tuple(valued for valued, _ in learned),
        tuple(valued for valued, _ in kept),
    )


def held_out(preferences: Preferences, sheet: RuleSheet, pool: Pool) -> HeldOut:
    """Count the pairs of the pool that were held out and are ranked right."""
    pairs = pool.held_out
    if not pairs:
        return HeldOut(0, 0)
    better, worse = (
        [tuple(row) for row in preferences.costs(sheet, states).tolist()]
        for states in ([pair.better for pair in pairs], [pair.worse for pair in pairs])
    )
    right = sum(first < second for first, second in zip(better, worse, strict=True))
    return HeldOut(len(pairs), right)


def _positions(
    game: CompiledGame, start: State, seed: int
) -> Iterator[tuple[tuple[State, ...], Role]]:
    """Give positions in which one role has a choice, each at the end of the line that led there.

    They come at random from all that were met.
    """
    blocks = Blocks(game)
    row = game.rows([start])
    source = np.random.default_rng(seed)
    policies = {role: UctPolicy(_PLAYER, seed=seed) for role in game.roles}
    results = play_matches(
        game,
        policies,
        _MATCHES,
        seed=seed,
        longest=_LONGEST,
        record=True,
        starts=np.repeat(row, _MATCHES, axis=0),
    )
    lines = [blocks.keys(np.stack(line)) for line in match_rows(game, results, row[0])]
    places = {key: (i, j) for i, line in enumerate(lines) for j, key in enumerate(line)}
    keys = sorted(places)
    for number in source.permutation(len(keys)).tolist():
        match, turn = places[keys[number]]
        state = State(game, keys[number])
        choosers = [role for role in game.roles if len(state.legal(role)) > 1]
        if not state.is_terminal and len(choosers) == 1:
            yield tuple(State(game, key) for key in lines[match][: turn + 1]), choosers[0]


class _Values:
    """Values of moves: proved where a bounded search answers, and else estimated."""

    def __init__(self, game: CompiledGame, seed: int) -> None:
        self.game, self.seed = game, seed
        self.source = np.random.default_rng(seed)
        self.prover: Prover | None = None
        if len(game.roles) == 2:
            try:
                self.prover = Prover(game, Spending(memory=_MEMORY, threads=1))
            except KibitzError:  # a game that the search does not take
                self.prover = None

    def of(self, line: tuple[State, ...], role: Role) -> ValuedPosition:
        """Value every move in the last position of a line."""
        state = line[-1]
        moves = tuple(state.legal(role))
        proved = self._proved(state, role, moves)
        if proved is not None and self.prover is not None:
            sign = 1 if role == self.game.roles[0] else -1
            values = tuple(float(sign * value) for value in proved)
            scores = tuple(self.prover.values[value] for value in proved)
        else:
            shares = self._estimated(state, role, moves)
            values = tuple(shares[:, self.game.roles.index(role)].tolist())
            scores = tuple(round(100 * share) for share in shares[:, 0].tolist())
        return ValuedPosition(state, role, moves, values, scores, proved is not None, line)

    def examples(self, valued: ValuedPosition) -> list[OrderedExample]:
        """Return some pairs of moves of which one is better."""
        state, role, moves, values = valued.state, valued.role, valued.moves, valued.values
        best = max(values)
        after = [frozenset(_after(state, role, move).fluents) for move in moves]
        pairs = [
            (first, second)
            for first, value in enumerate(values)
            for second in range(len(values))
            if value == best and not valued.is_best(second)
        ]
        if len(pairs) > _MOST_PAIRS:
            drawn = self.source.permutation(len(pairs))[:_MOST_PAIRS]
            pairs = [pairs[i] for i in sorted(drawn.tolist())]
        write = self.game.write
        return [
            OrderedExample(
                after[first],
                after[second],
                f"{state}: {write(moves[first])} before {write(moves[second])}",
                weight=valued.weight(second),
                state=str(state),
            )
            for first, second in pairs
        ]

    def _proved(self, state: State, role: Role, moves: Sequence[Move]) -> list[int] | None:
        """Return the proved values of all moves for the first role; None if one is open."""
        if self.prover is None:
            return None
        found = []
        for move in moves:
            then = _after(state, role, move)
            value = self.prover.end_value(then) if then.is_terminal else self._asked(then)
            if value is None:
                return None
            found.append(value)
        return found

    def _asked(self, state: State) -> int | None:
        """Ask for one value after the other whether the first role reaches it."""
        assert self.prover is not None
        row = self.prover.row(state)
        for value in range(1, len(self.prover.values)):
            is_reached = self.prover.ask(row, value, _SHARE)
            if is_reached is None:
                return None
            if not is_reached:
                return value - 1
        return len(self.prover.values) - 1

    def _estimated(
        self, state: State, role: Role, moves: Sequence[Move]
    ) -> npt.NDArray[np.float64]:
        """Return what tree search expects of each move for each role, from 0 to 1."""
        after = [_after(state, role, move) for move in moves]
        values = np.array([[_goal(then, one) for one in self.game.roles] for then in after])
        is_open = np.array([not then.is_terminal for then in after])
        if is_open.any():
            rows = self.game.rows(then for then in after if not then.is_terminal)
            values[is_open] = tree_values(self.game, rows, _ESTIMATE, seed=self.seed, threads=1)
        return values


def _goal(state: State, role: Role) -> float:
    """Return what a role has got, from 0 to 1; half where play goes on."""
    goal = state.goals[role] if state.is_terminal else None
    return 0.5 if goal is None else goal / 100


def _after(state: State, role: Role, move: Move) -> State:
    joint = [move if one == role else state.legal(one)[0] for one in state.game.roles]
    return state.step(joint)
