"""Two games in, whether they are the same out: moves, ends and goals, state by state.

The states of both are walked side by side from the start. Two states match if their boards hold
the same, both are terminal or neither, terminal ones give every role the same, and the moves of
the player to move lead to boards that match one by one. All states are compared where they are
few, else those of random matches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from kibitz.engine import Game, Move, State
from kibitz.english.rulebooks.positions import Contents
from kibitz.gdl import Function

Reader = Callable[[State], Contents | None]
Pair = tuple[State, State]


@dataclass(frozen=True)
class Comparison:
    """Whether two games agree, on how many states, on all of them or not; else where they differ.

    `where` is the first state of the first game that differs, with its depth; `is_about_moves` says
    that moves differ there, or what they change, and not the end.
    """

    agree: bool
    states: int
    is_complete: bool
    difference: str = ""
    where: tuple[State, int] | None = None
    is_about_moves: bool = False


_AT_RANDOM = 0.2
_LOOKED_AT = 8
"""Moves of which the one that leaves the fewest replies is played."""
_UNKNOWN = Function("?", ())
"""Stands for the name of a move in the other game that is not known, or not the same everywhere."""


class _DifferenceError(Exception):
    """Carries what differs at a pair of states."""


class _EndDifferenceError(_DifferenceError):
    """Carries what differs in when play ends, or in what it gives."""


def compare_games(
    one: Game,
    other: Game,
    read_one: Reader,
    read_other: Reader,
    *,
    moves: int = 20_000,
    seed: int = 0,
) -> Comparison:
    """Compare two games with the same number of roles, in the same order.

    At most so many moves are compared: of all states from the start on, and if that is too few
    for all, half of them of random matches. Half as many more are of matches in which each player
    leaves the other few moves, which random ones rarely do.
    """
    if len(one.roles) != len(other.roles):
        return Comparison(False, 0, False, "the number of roles")
    walk = _Walk(one, other, read_one, read_other)
    start = one.initial(), other.initial()
    waiting = [(start, 0)]
    seen = {(start[0].key, start[1].key)}
    pair, depth = start, 0
    try:
        while waiting and walk.moves < moves // 2:
            pair, depth = waiting.pop(0)
            for after in walk.step(*pair):
                key = after[0].key, after[1].key
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, depth + 1))
        # What is still waiting, in part: a game of that size is finished rather than sampled.
        while waiting and len(waiting) * 4 < walk.states:
            pair, depth = waiting.pop(0)
            for after in walk.step(*pair):
                key = after[0].key, after[1].key
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, depth + 1))
            if walk.moves > moves:
                break
        if not waiting:
            return Comparison(True, walk.states, True)
        random = Random(seed)
        for follow, count in ((walk.follow, moves // 2), (walk.confine, moves // 4)):
            limit = walk.moves + count
            while walk.moves < limit:
                pair, depth = start, 0
                while depth <= 1_000:
                    chosen = follow(*pair, random)
                    if chosen is None:
                        break
                    pair, depth = chosen, depth + 1
    except _DifferenceError as difference:
        is_about_moves = not isinstance(difference, _EndDifferenceError)
        where = pair[0], depth
        return Comparison(False, walk.states, False, str(difference), where, is_about_moves)
    return Comparison(True, walk.states, False)


class _Walk:
    """Compares pairs of states, each once, and counts them."""

    def __init__(self, one: Game, other: Game, read_one: Reader, read_other: Reader) -> None:
        self.games = one, other
        self.readers = read_one, read_other
        self.states = self.moves = 0
        self._known: dict[object, list[Pair]] = {}
        self._renamed: dict[tuple[int, Move], Move] = {}
        self._boards: tuple[dict[object, Contents | None], ...] = ({}, {})

    def step(self, first: State, second: State) -> list[Pair]:
        """Compare two states; return the pairs that their moves lead to."""
        key = first.key, second.key
        if key not in self._known:
            self.states += 1
            found = self._step(first, second)
            if len(self._known) > 200_000:
                self._known.clear()
            self._known[key] = found
        self.moves += max(1, len(self._known[key]))
        return self._known[key]

    def follow(self, first: State, second: State, random: Random) -> Pair | None:
        """Compare two states and play a random move in both; None at the end of a match.

        Where it is known which move of one game is which of the other, from states compared
        before, only the move that is played is made. If that does not fit, all moves are.
        """
        chosen = self._follow_known(first, second, random)
        if chosen is not None:
            return chosen
        after = self.step(first, second)
        return random.choice(after) if after else None

    def confine(self, first: State, second: State, random: Random) -> Pair | None:
        """Compare two states and play a move that leaves few, mostly; None at the end of a match.

        Ends of which random matches know nothing come this way: nobody left, nowhere to go.
        """
        after = self.step(first, second)
        if not after or random.random() < _AT_RANDOM:
            return random.choice(after) if after else None

        def choices(pair: Pair) -> int:
            return sum(len(pair[0].legal(role)) for role in pair[0].game.roles)

        few = random.sample(after, min(len(after), _LOOKED_AT))
        return min(few, key=choices)

    def _follow_known(self, first: State, second: State, random: Random) -> Pair | None:
        if (first.key, second.key) in self._known or first.is_terminal or second.is_terminal:
            return None
        options = [[s.legal(role) for role in s.game.roles] for s in (first, second)]
        renamed = [
            tuple(self._renamed.get((n, move), _UNKNOWN) for move in moves)
            for n, moves in enumerate(options[0])
        ]
        if [sorted(moves, key=str) for moves in renamed] != [
            sorted(moves, key=str) for moves in options[1]
        ]:
            return None
        chosen = [random.randrange(len(moves)) for moves in options[0]]
        joints = [
            tuple(moves[i] for i, moves in zip(chosen, side, strict=True))
            for side in (options[0], renamed)
        ]
        after = (
            first.game.successor(first.key, joints[0]),
            second.game.successor(second.key, joints[1]),
        )
        boards = [self._board(0, first), self._board(0, after[0])]
        if boards != [self._board(1, second), self._board(1, after[1])]:
            return None
        self.states += 1
        self.moves += 4
        return after

    def _board(self, side: int, state: State) -> Contents | None:
        known = self._boards[side]
        if state.key not in known:
            if len(known) > 200_000:
                known.clear()
            known[state.key] = self.readers[side](state)
        return known[state.key]

    def _step(self, first: State, second: State) -> list[Pair]:
        if self._board(0, first) != self._board(1, second):
            raise _DifferenceError("what moves change")
        if first.is_terminal != second.is_terminal:
            raise _EndDifferenceError("when play ends")
        if first.is_terminal:
            goals = [tuple(s.goals[role] for role in s.game.roles) for s in (first, second)]
            if goals[0] != goals[1]:
                raise _EndDifferenceError("what players get at the end")
            return []
        options = [[s.legal(role) for role in s.game.roles] for s in (first, second)]
        counts = [[len(moves) for moves in each] for each in options]
        if counts[0] != counts[1]:
            raise _DifferenceError("which moves there are")
        several = [n for n, count in enumerate(counts[0]) if count > 1]
        if len(several) > 1 or not all(counts[0]):
            raise _DifferenceError("who moves")
        mover = several[0] if several else 0
        for number, (moves, others) in enumerate(zip(*options, strict=True)):
            if len(moves) == 1:
                self._rename(number, moves[0], others[0])
        after: list[dict[Contents | None, list[State]]] = []
        made: list[dict[Contents | None, Move]] = [{}, {}]
        for side, state in enumerate((first, second)):
            groups: dict[Contents | None, list[State]] = {}
            for move in options[side][mover]:
                joint = [m[0] for m in options[side]]
                joint[mover] = move
                reached = state.game.successor(state.key, tuple(joint))
                groups.setdefault(self._board(side, reached), []).append(reached)
                made[side][self._board(side, reached)] = move
            after.append(groups)
        if {k: len(v) for k, v in after[0].items()} != {k: len(v) for k, v in after[1].items()}:
            raise _DifferenceError("which moves there are")
        pairs: list[Pair] = []
        for board, states in after[0].items():
            others = after[1][board]
            if len({s.key for s in states}) > 1 and len({s.key for s in others}) > 1:
                raise _DifferenceError("what moves change besides the board")
            pairs += zip(states, others, strict=True)
            if len(states) == 1:
                self._rename(mover, made[0][board], made[1][board])
        return pairs

    def _rename(self, role: int, move: Move, other: Move) -> None:
        """Remember which move is which, as long as that is the same everywhere."""
        known = self._renamed.setdefault((role, move), other)
        if known != other:
            self._renamed[role, move] = _UNKNOWN
