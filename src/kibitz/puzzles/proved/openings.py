"""A game in, even openings out: positions near its start, with the moves that lead there.

Even is one of two things: that two players, who may differ in skill, get the same from it when they
play it out many times, or that a search proves it to be a draw. Nothing is listed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role, State
from kibitz.errors import InputError
from kibitz.policy import Policy
from kibitz.prove import Prover, Spending, smallest_images
from kibitz.puzzles.proved.match_positions import Candidate, MatchPositions
from kibitz.puzzles.proved.sampled_play import play_out
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, puzzle_name
from kibitz.puzzles.selection import EVEN, Wanted
from kibitz.puzzles.skill.hardness import Level

__all__ = ["OPENING", "PROVABLE", "search_balanced", "search_drawn"]

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
        rows = smallest_images(np.stack([one.row for one in candidates]), self.prover.images)
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
