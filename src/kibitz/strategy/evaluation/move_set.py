"""Sets of moves: which moves of a role are chosen in each state of a space, and their orbits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.space import StateId, StateSpace
from kibitz.strategy.evaluation.columns import Bools, Numbers, columns_of, depth_of, unfold
from kibitz.strategy.evaluation.rule_images import Carrier


def group_moves(state: State, role: Role, carriers: list[Carrier]) -> list[int]:
    """Number the legal moves of a role so that those that are symmetric have one number.

    >>> import kibitz
    >>> from kibitz.strategy import carriers_of
    >>> game = kibitz.load("tictactoe")
    >>> group_moves(game.initial(), "xplayer", carriers_of(game))
    [0, 1, 0, 1, 2, 1, 0, 1, 0]
    """
    legal = state.legal(role)
    group = {move: i for i, move in enumerate(legal)}
    fluents = frozenset(state.fluents)
    for carrier in carriers:
        if frozenset(carrier.fluents.get(f, f) for f in fluents) != fluents:
            continue
        moves = carrier.moves[role]
        for move in legal:
            image = moves.get(move, move)
            if image in group and group[image] != group[move]:
                low, high = sorted((group[image], group[move]))
                group = {m: low if g == high else g for m, g in group.items()}
    order = {g: i for i, g in enumerate(dict.fromkeys(group.values()))}
    return [order[group[move]] for move in legal]


SILENCES = ("any", "stop")
"""What can happen where a strategy allows no legal move though it is its role's turn."""


def check_silence(silence: str) -> None:
    """Raise InputError if this is not one of SILENCES.

    >>> check_silence("any")
    """
    if silence not in SILENCES:
        raise InputError(f"no silence {silence}", hint=f"one of {' '.join(SILENCES)}")


@dataclass(frozen=True, eq=False)
class MoveSet:
    """A set of pairs of state and move (definition 2 of paper 001).

    `chosen` says for each edge whether its move by `role` is in the set. Edges of states in which
    it is not the role's turn never are. Sets of one space and role have `&`, `|`, `-` and `~`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> everything = ~MoveSet(space, "xplayer", np.zeros(space.edges, dtype=bool))
    >>> len(everything), len(everything - everything)
    (8631, 0)
    """

    space: StateSpace
    role: Role
    chosen: Bools

    def __post_init__(self) -> None:
        self.space.game.check_role(self.role)
        if len(self.chosen) != self.space.edges:
            raise InputError(
                f"{len(self.chosen)} truth values for {self.space.edges} moves of a space"
            )

    def __and__(self, other: MoveSet) -> MoveSet:
        one, two = self._alike(other)
        return MoveSet(one.space, self.role, one.chosen & two.chosen)

    def __or__(self, other: MoveSet) -> MoveSet:
        one, two = self._alike(other)
        return MoveSet(one.space, self.role, one.chosen | two.chosen)

    def __sub__(self, other: MoveSet) -> MoveSet:
        one, two = self._alike(other)
        return MoveSet(one.space, self.role, one.chosen & ~two.chosen)

    def __invert__(self) -> MoveSet:
        """All other moves in states in which it is the role's turn."""
        columns = columns_of(self.space)
        mine = columns.to_move(self.role)[columns.source]
        return MoveSet(self.space, self.role, mine & ~self.chosen)

    def completed(self) -> MoveSet:
        """Add all moves in states in which none is chosen: σ^max of paper 000."""
        source = columns_of(self.space).source
        return MoveSet(self.space, self.role, self.chosen | self.silent[source])

    def under(self, silence: str) -> MoveSet:
        """Return the moves that may be made, with this reading of silence.

        Where the set has no move and it is the role's turn, `any` allows every legal move, and
        `stop` none: what follows such a state is not considered, as in paper 001.
        """
        check_silence(silence)
        return self.completed() if silence == "any" else self

    @property
    def silent(self) -> Bools:
        """Where it is the role's turn and the set has no move, a truth value for each state."""
        columns = columns_of(self.space)
        silent = columns.to_move(self.role).copy()
        silent[columns.source[self.chosen]] = False
        return silent

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MoveSet):
            return NotImplemented
        same = self.space is other.space and self.role == other.role
        return same and bool((self.chosen == other.chosen).all())

    __hash__ = None  # type: ignore[assignment]

    def _alike(self, other: MoveSet) -> tuple[MoveSet, MoveSet]:
        depth = max(depth_of(self.space), depth_of(other.space))
        one, two = self.unfolded(depth), other.unfolded(depth)
        if one.space is not two.space or one.role != two.role:
            raise InputError("these sets of moves belong to different spaces or roles")
        return one, two

    def unfolded(self, depth: int) -> MoveSet:
        """Return the same moves on a space whose states know the last moves; see `unfold`."""
        moves = self
        while depth_of(moves.space) < depth:
            space = unfold(moves.space, depth_of(moves.space) + 1)
            moves = MoveSet(space, self.role, moves.chosen[space.target.astype(np.int64) - 1])
        return moves

    def __len__(self) -> int:
        """How many pairs of state and move there are."""
        return len(self.distinct_edges())

    def distinct_edges(self) -> Numbers:
        """Return one edge for each pair; several joint moves can share the role's move."""
        columns = columns_of(self.space)
        edges = np.flatnonzero(self.chosen)
        if not columns.several_choose:
            return edges
        moves = columns.move_number(self.role)[self.space.action[edges]].astype(np.int64)
        key = columns.source[edges] * (int(moves.max(initial=0)) + 1) + moves
        order = np.argsort(key, kind="stable")
        is_new = np.ones(len(key), dtype=bool)
        is_new[1:] = key[order][1:] != key[order][:-1]
        return edges[order[is_new]]

    def pairs(self) -> Iterator[tuple[StateId, Move]]:
        """Walk the pairs of state and move, in the order of the states."""
        index = self.space.game.roles.index(self.role)
        source = columns_of(self.space).source
        for edge in self.distinct_edges():
            yield int(source[edge]), self.space.joint_moves[self.space.action[edge]][index]

    def moves(self, state: StateId) -> tuple[Move, ...]:
        """Return the moves that are chosen in a state, sorted by their text."""
        index = self.space.game.roles.index(self.role)
        begin, end = self.space.first_edge[state], self.space.first_edge[state + 1]
        chosen = (e for e in range(begin, end) if self.chosen[e])
        found = {self.space.joint_moves[self.space.action[e]][index] for e in chosen}
        return tuple(sorted(found, key=self.space.game.write))
