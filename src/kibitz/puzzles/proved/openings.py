"""Sample positions of matches, and choose even openings among them.

Players are random ones and tree search with few playouts, in blocks of matches. All positions are
reached by play, so none is artificial. The same seed gives the same positions.

Even is one of two things: that two players, who may differ in skill, get the same from it when they
play it out many times, or that a search proves it to be a draw. Nothing is listed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, CompiledGame, Move, Role, State
from kibitz.errors import InputError
from kibitz.policy import (
    NotInBlocksError,
    Policy,
    RandomPolicy,
    UctPolicy,
    match_rows,
    play_matches,
)
from kibitz.prove import Prover, Spending
from kibitz.puzzles.proved.attempts import play_out
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, puzzle_name
from kibitz.puzzles.selection import EVEN, Wanted
from kibitz.puzzles.skill.hardness import Level
from kibitz.rows import least_images

Row = npt.NDArray[np.uint64]

_PAIRINGS = ((0, 0), (10, 0), (10, 10), (0, 10), (50, 10), (50, 50), (10, 50), (100, 50))
"""Playouts of the role and of its opponent, again and again; 0 plays at random."""
_STRONG = (300, 300)
_MATCHES = 64
_LONGEST = 1_000
_LOOKED_AT = 4
"""Matches of each batch in which turns are looked at."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A position of a match: the rows of the match up to it, the last one being its own.

    `distance` is how many plies before the end of the match it stood. A position near one of a
    match has the number of that match, and its distance.
    """

    line: tuple[Row, ...]
    match: int
    distance: int = 0

    @property
    def row(self) -> Row:
        """The position."""
        return self.line[-1]


class MatchPositions:
    """Plays matches, and gives positions in which a role is to choose, some plies from the end.

    >>> from kibitz.games import load_sheet
    >>> source = MatchPositions(CompiledGame(load_sheet("tictactoe")), 0)
    >>> batch = next(source.batches([3]))
    >>> len(batch) > 20, all(len(one.line) > 2 for one in batch)
    (True, True)
    """

    def __init__(self, game: CompiledGame, role: int, *, seed: int = 1) -> None:
        self.game, self.role, self.seed = game, role, seed
        self.blocks = Blocks(game)
        self.source = np.random.default_rng(seed)
        self.matches = 0
        self.alternates = True
        """Whether no role was seen to choose twice in a row."""
        self._can_search = True

    def batches(self, distances: Sequence[int]) -> Iterator[list[Candidate]]:
        """Play on for ever; each batch has the positions of some matches.

        They are so many plies from the end of a match, in this order.
        """
        number = 0
        while True:
            pairing = _PAIRINGS[number % len(_PAIRINGS)]
            number += 1
            lines = self._lines(pairing, number)
            found = [
                Candidate(tuple(line[:-distance]), self.matches + match, distance)
                for distance in distances
                for match, line in enumerate(lines)
                if len(line) > distance
            ]
            self.matches += len(lines)
            yield self._of_role(found)

    def openings(self, plies: range, *, strong: bool = False) -> Iterator[list[Candidate]]:
        """Play on for ever; each batch has positions so many plies after the start."""
        number = 0
        while True:
            number += 1
            pairing = _STRONG if strong else _PAIRINGS[number % len(_PAIRINGS)]
            lines = self._lines(pairing, number)
            found = [
                Candidate(tuple(line[: ply + 1]), self.matches + match)
                for match, line in enumerate(lines)
                for ply in plies
                if ply < len(line) - 1
            ]
            self.matches += len(lines)
            found = self._of_role(found)
            yield [found[i] for i in self.source.permutation(len(found))]

    def near(self, candidate: Candidate, *, most: int, back: int = 4) -> list[Candidate]:
        """Take back some plies, make other moves instead, and give what stands there then."""
        found = []
        for _ in range(most):
            plies = int(self.source.integers(1, back + 1))
            line = list(candidate.line[:-plies])
            if not line:
                continue
            for _ in range(plies):
                children = self.blocks.expand(line[-1][None, :], stop_at_terminal=True).states
                if not len(children):
                    break
                line.append(children[int(self.source.integers(len(children)))])
            else:
                found.append(replace(candidate, line=tuple(line)))
        return self._of_role(found)

    def moves_of(self, candidate: Candidate) -> tuple[tuple[Move, ...], ...]:
        """Return joint moves that lead to a position from the start of the game."""
        found = []
        for before, after in pairwise(candidate.line):
            children = self.blocks.expand(before[None, :])
            index = int((children.states == after).all(axis=1).argmax())
            joint = children.joint[index].tolist()
            found.append(tuple(self.game.network.moves[r][m] for r, m in enumerate(joint)))
        return tuple(found)

    def _of_role(self, candidates: list[Candidate]) -> list[Candidate]:
        """Keep positions in which play goes on and the role alone has a choice."""
        if not candidates:
            return []
        rows = np.stack([one.row for one in candidates])
        is_open = ~self.blocks.terminal(rows)
        for role, name in enumerate(self.game.roles):
            counts = self.blocks.legal(rows, name).sum(axis=1)
            is_open &= counts > 1 if role == self.role else counts == 1
        return [one for one, keep in zip(candidates, is_open.tolist(), strict=True) if keep]

    def _lines(self, pairing: tuple[int, int], number: int) -> list[list[Row]]:
        """Play matches, and return the rows of each."""
        game, seed = self.game, 1000 * self.seed + number
        policies: dict[str, Policy] = {
            name: UctPolicy(playouts, seed=seed) if playouts else RandomPolicy()
            for role, name in enumerate(game.roles)
            for playouts in [pairing[0] if role == self.role else pairing[1]]
        }
        if not self._can_search:
            policies = {}
        try:
            results = play_matches(
                game, policies, _MATCHES, seed=seed, longest=_LONGEST, record=True
            )
        except NotInBlocksError:
            self._can_search = False
            return self._lines((0, 0), number)
        lines = match_rows(game, results)
        self._note_turns(lines[:_LOOKED_AT])
        return lines

    def _note_turns(self, lines: list[list[Row]]) -> None:
        """Look for a role that chooses twice in a row."""
        for line in lines:
            rows = np.stack(line)
            for name in self.game.roles:
                chooses = self.blocks.legal(rows, name).sum(axis=1) > 1
                chooses &= ~self.blocks.terminal(rows)
                if (chooses[1:] & chooses[:-1]).any():
                    self.alternates = False


OPENING = range(3, 13)
"""Plies after the start in which positions are looked for that two players find even."""
PROVABLE = range(3, 31)
"""Plies after the start in which draws are looked for."""
_FIRST_PLAYS, _PLAYS = 64, 256
_CHUNK, _FEW, _NEAR = 32, 6, 12
_SHARE = 50_000
"""Positions that a search may look at to prove one draw."""
_MEMORY = 300_000_000
_FUTILE = 2_000
"""So many positions in a row without an even one, and there is no hope for more."""

Progress = Callable[[str], None]
Player = tuple[str, Policy]


def search_balanced(
    game: CompiledGame,
    role: Role,
    own: Player,
    other: Player,
    *,
    wanted: Wanted | None = None,
    plies: range = OPENING,
    seconds: float = 300.0,
    progress: Progress = lambda _: None,
) -> PuzzleSet:
    """Find positions near the start of matches in which two players have even chances.

    Each is played out 64 times, and what looks even 256 times more; the score is of the latter.
    Where the opponent is the better player, these are handicaps.
    """
    opponent = next((one for one in game.roles if one != role), role)
    policies = {role: own[1], opponent: other[1]}
    wish = wanted or Wanted()

    def even(states: list[State]) -> Iterator[tuple[int, Puzzle]]:
        first = play_out(states, role, policies, plays=_FIRST_PLAYS, seed=wish.seed)
        hopeful = [i for i, found in enumerate(first) if abs(found.score - 0.5) <= 2 * EVEN]
        again = play_out(
            [states[i] for i in hopeful], role, policies, plays=_PLAYS, seed=wish.seed + 1
        )
        for i, found in zip(hopeful, again, strict=True):
            if abs(found.score - 0.5) <= EVEN:
                lost = found.losses / found.plays
                yield (
                    i,
                    replace(
                        _opening(states[i], role, found.level(wish.thresholds)),
                        chances=((own[0], found.chance), (f"{other[0]}, opponent", lost)),
                        score=found.score,
                        plays=found.plays,
                    ),
                )

    hunt = _Hunt(game, role, wish, plies, seconds, progress)
    made = hunt.collect(even)
    result = hunt.result(made, own[0], other[0])
    if made:
        return result
    why = f"none of {hunt.tried:,} positions is even for {own[0]} against {other[0]}"
    return replace(result, why=why, hint="bring the skills closer together")


def search_drawn(
    game: CompiledGame,
    role: Role,
    *,
    wanted: Wanted | None = None,
    plies: range = PROVABLE,
    seconds: float = 300.0,
    progress: Progress = lambda _: None,
) -> PuzzleSet:
    """Find positions of matches that a search proves to be draws, as near to the start as it can.

    It tries positions a ply earlier where most of some were decided, and a ply later where not.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("connect:4,4x4"))
    >>> found = search_drawn(game, "xplayer", wanted=Wanted(count=2))
    >>> [(puzzle.claim, len(puzzle.played) >= 3) for puzzle in found]
    [('a draw with best play', True), ('a draw with best play', True)]
    """
    middle_ply = plies[len(plies) // 2]
    hunt = _Hunt(game, role, wanted or Wanted(), plies, seconds, progress, ply=middle_ply)
    prover = hunt.prover
    middle = [i for i, value in enumerate(prover.values) if 2 * value == prover.total]
    if not middle:
        raise InputError(f"{game.sheet.name} has no end in which both get the same")
    draw = middle[0]

    def drawn(states: list[State]) -> Iterator[tuple[int, Puzzle]]:
        decided = 0
        for i, state in enumerate(states):
            if hunt.is_over:
                return
            row = prover.row(state)
            is_reached = prover.ask(row, draw, _SHARE)
            is_surpassed: bool | None = False
            if is_reached and draw + 1 < len(prover.values):
                is_surpassed = prover.ask(row, draw + 1, _SHARE)
            decided += None not in (is_reached, is_surpassed)
            if is_reached and is_surpassed is False:
                opening = _opening(state, role, Level.MEDIUM)
                yield i, replace(opening, claim="a draw with best play", score=0.5)
        hunt.go(-1 if 2 * decided > len(states) else 1)

    made = hunt.collect(drawn)
    result = hunt.result(made)
    if made:
        return result
    why = f"none of {hunt.tried:,} positions was proved to be a draw"
    return replace(result, why=why, hint="a later --after, or more --timeout")


def _opening(state: State, role: Role, level: Level) -> Puzzle:
    return Puzzle(
        name=puzzle_name(state),
        state=state,
        role=role,
        win_in=None,
        level=level,
        chances=(),
        first_moves=(),
        line=(),
        remoteness=None,
    )


@dataclass
class _Hunt:
    """One search for openings: positions of matches, no two of them alike."""

    game: CompiledGame
    role: Role
    wish: Wanted
    plies: range
    seconds: float
    progress: Progress
    ply: int | None = None
    tried: int = 0

    def __post_init__(self) -> None:
        self.game.check_role(self.role)
        if len(self.game.roles) != 2:
            raise InputError(f"even positions are for two roles, and {self.game.sheet.name} is not")
        self.began = time.monotonic()
        self.prover = Prover(self.game, Spending(self.seconds, _MEMORY))
        index = self.game.roles.index(self.role)
        self.source = MatchPositions(self.game, index, seed=self.wish.seed)
        self.seen: set[bytes] = set()
        self.near: list[Candidate] = []

    def go(self, step: int) -> None:
        """Look for positions so many plies later."""
        if self.ply is not None:
            self.ply = min(max(self.plies), max(min(self.plies), self.ply + step))

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() - self.began > self.seconds

    def collect(self, even: Callable[[list[State]], Iterator[tuple[int, Puzzle]]]) -> list[Puzzle]:
        """Try positions until there are enough even ones, or the time is over."""
        made: list[Puzzle] = []
        last = 0
        for chunk in self._chunks():
            keys = Blocks(self.game).keys(np.stack([one.row for one in chunk]))
            for i, puzzle in even([State(self.game, key) for key in keys]):
                made.append(replace(puzzle, played=self.source.moves_of(chunk[i])))
                last = self.tried
                if len(made) >= self.wish.count:
                    return made
                if self.ply is not None:
                    self.near += self._new(self.source.near(chunk[i], most=_NEAR, back=2))
            self.tried += len(chunk)
            self.progress(f"{len(made)} even positions of {self.tried:,}")
            if self.is_over or self.tried - last > _FUTILE:
                return made
        return made

    def _chunks(self) -> Iterator[list[Candidate]]:
        """Give positions of matches, and before more of them those near to what was found."""
        for batch in self.source.openings(self.plies, strong=self.ply is not None):
            new = self._new(batch)
            if not new:
                return
            if self.ply is None:
                yield from (new[start : start + _CHUNK] for start in range(0, len(new), _CHUNK))
                continue
            for chunk in self._at_plies(new, self.ply):
                yield chunk
                while self.near:
                    chunk, self.near = self.near[:_FEW], self.near[_FEW:]
                    yield chunk

    def _new(self, candidates: list[Candidate]) -> list[Candidate]:
        """Keep positions that were not met before, also not as an image under a symmetry."""
        if not candidates:
            return []
        rows = least_images(np.stack([one.row for one in candidates]), self.prover.images)
        kept = []
        for one, row in zip(candidates, rows, strict=True):
            if row.tobytes() not in self.seen:
                self.seen.add(row.tobytes())
                kept.append(one)
        return kept

    def _at_plies(self, new: list[Candidate], wanted: int) -> Iterator[list[Candidate]]:
        """Give some positions of the wanted ply, or the nearest; then where `go` has led."""
        by_ply: dict[int, list[Candidate]] = {}
        for one in new:
            by_ply.setdefault(len(one.line) - 1, []).append(one)
        while by_ply:
            self.ply = min(by_ply, key=lambda ply: abs(ply - wanted))
            yield by_ply.pop(self.ply)[:_FEW]
            wanted = self.ply
            if wanted not in by_ply:
                return

    def result(self, made: list[Puzzle], own: str = "", other: str = "") -> PuzzleSet:
        """Return what was found."""
        return PuzzleSet(
            self.game.sheet.name,
            self.role,
            own,
            other,
            tuple(made),
            self.tried,
            len(made),
            way="search",
            matches=self.source.matches,
            seconds=time.monotonic() - self.began,
        )
