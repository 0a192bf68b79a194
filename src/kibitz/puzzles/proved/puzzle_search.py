"""Find a PuzzleSet for a game of any size: positions of matches, proved by bounded searches.

Nothing is listed. A position is kept if the search proves what its title says, and no position is
kept twice, also not as its image under a symmetry. The same seed gives the same puzzles, as long as
the time is enough.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.prove import Prover, Spending
from kibitz.puzzles.proved.attempts import Attempt, Shares, Solver
from kibitz.puzzles.proved.openings import Candidate, MatchPositions
from kibitz.puzzles.proved.tasks import LOOKS, Examiner, Found, Task, claim_of, short_wins
from kibitz.puzzles.proved.themes import Themes, check_theme
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, Refutation, plies_of, puzzle_name, within_text
from kibitz.puzzles.selection import Wanted
from kibitz.puzzles.skill.hardness import LEVELS, Level, classify
from kibitz.rows import key_of, least_images
from kibitz.threads import ThreadTeam

_WORKERS = 2
"""Always so many, whatever the machine, so that the same seed gives the same puzzles."""
_CHUNK = 16
_DEAR, _SOME = 50_000, 3
"""Distances that cost so many looks for nothing are left out, if others gave some puzzles."""
_NEAR = 8
_MOST_NEAR = 3
_ENOUGH = 0.1
"""A batch that gives such a share of the wanted puzzles is enough: one puzzle of each match. Where
it gives fewer, positions near a puzzle are tried as well, for up to three puzzles of a match."""
_FUTILE = 16
"""So many batches in a row without a puzzle, and there is no hope for more."""
_SHORT, _MOST_LOOKED_AT = 8, 200_000
"""Plies and positions up to which all play from some positions is looked at before a search."""
_MEMORY = 100_000_000
_WRONG = 3
_NATURAL = 0.1
"""A wrong move is natural if some player makes it with such a chance."""
_GROUP = 8

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A puzzle that was found, and what each player does there."""

    found: Found
    candidate: Candidate
    shares: tuple[Shares | None, ...]
    level: Level


def search_puzzles(
    game: CompiledGame,
    role: Role,
    *,
    task: Task = Task.WIN,
    rounds: int = 2,
    solvers: Sequence[Solver] = (),
    wanted: Wanted | None = None,
    seconds: float = 300.0,
    progress: Progress = lambda _: None,
) -> PuzzleSet:
    """Find puzzles in matches, and prove them; for games in which two roles take turns.

    The first of `solvers` says how hard a puzzle is: by the chance that its move is right.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.puzzles.proved.attempts import read_solver
    >>> game = CompiledGame(load_sheet("connect:4,5x5"))
    >>> solvers = [read_solver("1", game)]
    >>> found = search_puzzles(game, "xplayer", rounds=1, solvers=solvers, wanted=Wanted(count=2))
    >>> [(puzzle.win_in, len(puzzle.first_moves)) for puzzle in found]
    [(1, 1), (1, 1)]
    """
    wish = wanted or Wanted()
    game.check_role(role)
    check_theme(wish.theme, wish.rules, role)
    if len(game.roles) != 2:
        raise InputError(
            f"puzzles are searched for in games of two roles, and {game.sheet.name} has "
            f"{len(game.roles)}"
        )
    began = time.monotonic()
    hunt = _Hunt(game, role, task, rounds, solvers, wish, began + seconds, progress)
    made = hunt.collect()
    found = len(made)
    made = sorted(made[: wish.count], key=_progression)
    result = PuzzleSet(
        game.sheet.name,
        role,
        solvers[0].name if solvers else "",
        "",
        tuple(made),
        hunt.examined,
        found,
        way="search",
        matches=hunt.source.matches,
        seconds=time.monotonic() - began,
    )
    if len(made) >= wish.count:
        return result
    few = f"only {len(made)} of {wish.count}" if made else "no"
    of_level = f" that are {wish.level.value}" if wish.level else ""
    of_level += f" with the theme {wish.theme}" if wish.theme else ""
    why = (
        f"{few} puzzles{of_level} were found in {hunt.examined:,} positions of "
        f"{hunt.source.matches:,} matches"
    )
    return replace(result, why=why, hint="more --timeout, or another --win-in, --role or --task")


class _Hunt:
    """One search for puzzles."""

    def __init__(
        self,
        game: CompiledGame,
        role: Role,
        task: Task,
        rounds: int,
        solvers: Sequence[Solver],
        wish: Wanted,
        deadline: float,
        progress: Progress,
    ) -> None:
        self.game, self.role, self.task, self.rounds = game, role, task, rounds
        self.solvers, self.wish = solvers, wish
        self.deadline, self.progress = deadline, progress
        seconds = max(1.0, deadline - time.monotonic())
        self.prover = Prover(game, Spending(seconds, _MEMORY, threads=_WORKERS))
        index = game.roles.index(role)
        # The search for whole proofs has all workers for itself.
        workers = 1 if task is Task.DRAW else _WORKERS
        self.examiners = [Examiner(self.prover, index) for _ in range(workers)]
        self.themes = [Themes(examiner, wish.rules) for examiner in self.examiners]
        self.source = MatchPositions(game, index, seed=wish.seed)
        self.seen: set[bytes] = set()
        self.looks: Counter[int] = Counter()
        self.hits: Counter[int] = Counter()
        self.examined = 0

    def collect(self) -> list[Puzzle]:
        """Search until there are enough, or the time is over; what is open then is dropped."""
        made: list[Puzzle] = []
        group: list[tuple[Candidate, Found]] = []
        try:
            for found in self._found():
                group.append(found)
                enough = len(made) + len(group) >= self.wish.count
                if len(group) >= _GROUP or enough:
                    made += self._made(group)
                    group = []
                    self.progress(f"{len(made)} puzzles of {self.examined:,} positions")
                if len(made) >= self.wish.count:
                    return made
            made += self._made(group)
        except KeyboardInterrupt:
            pass
        return made

    def _made(self, group: list[tuple[Candidate, Found]]) -> list[Puzzle]:
        """Make puzzles of what was found, as long as there is time."""
        made = []
        for one in self._measured(group):
            puzzle = self.puzzle(one)
            if time.monotonic() > self.deadline:
                break
            made.append(puzzle)
        return made

    def _found(self) -> Iterator[tuple[Candidate, Found]]:
        futile = 0
        for batch in self.source.batches(self._distances()):
            kept: dict[int, Candidate] = {}
            for candidate, found in self._examine_all(self._new(batch)):
                if candidate.match not in kept:
                    kept[candidate.match] = candidate
                    yield candidate, found
            if len(kept) < _ENOUGH * self.wish.count:
                near = [
                    other for one in kept.values() for other in self.source.near(one, most=_NEAR)
                ]
                more = dict.fromkeys(kept, 1)
                for candidate, found in self._examine_all(self._new(near)):
                    more[candidate.match] += 1
                    if more[candidate.match] <= _MOST_NEAR:
                        yield candidate, found
            futile = 0 if kept else futile + 1
            if not kept:  # distances that were left out get another chance
                self.looks.clear()
                self.hits.clear()
            if futile >= _FUTILE or time.monotonic() > self.deadline:
                return

    def _distances(self) -> list[int]:
        """Return how far from the end of a match a puzzle is likely to be.

        Whoever wins makes the last move as a rule, and often sees a short win.
        """
        last = plies_of(self.rounds)
        if self.task is Task.WIN:
            return [last - 1, last + 1, last, last + 3]
        if self.task is Task.DEFEND:
            return [last, last + 2, last - 1, last + 4]
        return list(range(2, 11))

    def _examine_all(self, candidates: list[Candidate]) -> Iterator[tuple[Candidate, Found]]:
        """Give the candidates that are puzzles, as long as there is time."""
        for distance, group in groupby(candidates, key=lambda one: one.distance):
            rest = list(group)
            while rest and not self._is_futile(distance):
                chunk, rest = rest[:_CHUNK], rest[_CHUNK:]
                before = self._looks()
                results = self._examined(chunk)
                self.looks[distance] += self._looks() - before
                for candidate, found in zip(chunk, results, strict=True):
                    if found is not None:
                        self.hits[distance] += 1
                        yield candidate, found
                if time.monotonic() > self.deadline:
                    return

    def _is_futile(self, distance: int) -> bool:
        """Return whether positions so far from the end were tried in vain, and others were not."""
        is_dear = self.looks[distance] >= _DEAR and not self.hits[distance]
        return is_dear and self.hits.total() >= _SOME

    def _looks(self) -> int:
        return sum(examiner.wins.positions for examiner in self.examiners)

    def _new(self, candidates: list[Candidate]) -> list[Candidate]:
        """Keep positions that were not met before, also not as an image under a symmetry."""
        if not candidates:
            return []
        rows = least_images(np.stack([one.row for one in candidates]), self.prover.images)
        kept = []
        for one, row in zip(candidates, rows, strict=True):
            key = row.tobytes()
            if key not in self.seen:
                self.seen.add(key)
                kept.append(one)
        return kept

    def _promising(self, chunk: list[Candidate]) -> list[bool]:
        """Return which positions may be puzzles to win, where all their play is looked at soon."""
        plies, values = plies_of(self.rounds), self.prover.values
        found = None
        if self.task is Task.WIN and plies <= _SHORT:
            index = self.game.roles.index(self.role)
            found = short_wins(
                self.source.blocks,
                np.stack([one.row for one in chunk]),
                index,
                plies,
                goal=values[0] if index else values[-1],
                most=_MOST_LOOKED_AT,
            )
        if found is None:
            return [True] * len(chunk)
        is_one = found.answers == 1 if self.wish.unique is not False else found.answers > 0
        is_long = found.plies > (plies_of(self.rounds - 1) if self.rounds else 0)
        is_won = found.plies <= plies
        may_be: list[bool] = (is_long & is_won & is_one & (found.answers < found.moves)).tolist()
        return may_be

    def _examined(self, chunk: list[Candidate]) -> list[Found | None]:
        results: list[Found | None] = [None] * len(chunk)
        workers = len(self.examiners)
        self.examined += len(chunk)
        may_be = self._promising(chunk)
        unique = self.wish.unique is not False

        def work(worker: int) -> None:
            for number in [i for i, may in enumerate(may_be) if may][worker::workers]:
                if time.monotonic() > self.deadline:
                    return
                state = State(self.game, key_of(chunk[number].row))
                examiner = self.examiners[worker]
                found = examiner.examine(state, self.task, self.rounds, unique=unique)
                theme = self.wish.theme
                if found and theme and theme not in self.themes[worker].of(found):
                    found = None
                results[number] = found

        if workers == 1:
            work(0)
        else:
            with ThreadTeam(workers) as team:
                team.each(work)
        return results

    def _measured(self, group: list[tuple[Candidate, Found]]) -> list[_Shown]:
        """Let all players try, and keep puzzles of the wanted level."""
        if not group:
            return []
        states = [found.state for _, found in group]
        columns = [_shares(solver, states, self.role) for solver in self.solvers]
        rows = list(zip(*columns, strict=True)) if columns else [()] * len(group)
        shown = []
        for (candidate, found), shares in zip(group, rows, strict=True):
            first = next((s for s in shares if s is not None), None)
            chance = 0.5 if first is None else _right(first, found)
            level = LEVELS[int(classify(np.array([chance]), self.wish.thresholds)[0])]
            if self.wish.level is None or level is self.wish.level:
                shown.append(_Shown(found, candidate, tuple(shares), level))
        return shown

    def puzzle(self, one: _Shown) -> Puzzle:
        """Make a puzzle, with refutations of natural mistakes and its themes."""
        found, game, examiner = one.found, self.game, self.examiners[0]
        turns = self.source.alternates
        attempts = tuple(
            Attempt(solver.name, _right(shares, found), solver.tries)
            for solver, shares in zip(self.solvers, one.shares, strict=True)
            if shares is not None
        )
        wrong = [self._refutation(examiner, found, move) for move in self._natural(one)]
        return Puzzle(
            name=puzzle_name(found.state),
            state=found.state,
            role=self.role,
            win_in=self.rounds if self.task is not Task.DRAW else None,
            level=one.level,
            chances=(),
            first_moves=tuple(map(game.write, found.answers)),
            line=tuple(map(game.write, found.line)),
            remoteness=found.plies,
            slower_moves=tuple(map(game.write, found.slower)),
            task=self.task.value,
            themes=self.themes[0].of(found),
            attempts=attempts,
            refutations=tuple(wrong),
            claim=claim_of(self.task, self.rounds, len(found.answers), alternates=turns),
            alternates=turns,
            played=self.source.moves_of(one.candidate),
        )

    def _natural(self, one: _Shown) -> list[Move]:
        """Return the wrong moves that players make most often, or the first ones."""
        chance: dict[Move, float] = {}
        for shares in one.shares:
            for move, share in (shares or {}).items():
                chance[move] = max(share, chance.get(move, 0.0))
        right = {*one.found.answers, *one.found.slower}
        wrong = [move for move in one.found.moves if move not in right]
        wrong.sort(key=lambda move: -chance.get(move, 0.0))
        return [m for m in wrong[:_WRONG] if chance.get(m, 0.0) >= _NATURAL] or wrong[:1]

    def _refutation(self, examiner: Examiner, found: Found, move: Move) -> Refutation:
        """Say how a wrong move fails."""
        write, opponent = self.game.write, self.game.roles[examiner.other]
        then = examiner.step(found.state, move)
        wrong = write(move)
        if then.is_terminal:
            is_lost = examiner.wins.is_won(then, examiner.other)
            result = f"{opponent} has won" if is_lost else "play ends without a win"
            return Refutation(wrong, (), result)
        most = plies_of(self.rounds)
        row = self.prover.row(then)
        plies = examiner.wins.plies(row, examiner.other, most, positions=LOOKS)
        if plies is not None:
            line = examiner.line(then, examiner.other, plies)
            return Refutation(wrong, tuple(map(write, line)), f"{opponent} wins")
        if self.task is Task.WIN:
            for reply in then.legal(examiner.mover(then)):
                if examiner.after(then, reply, examiner.role, most - 2) is False:
                    when = within_text(self.rounds, alternates=self.source.alternates)
                    result = f"{self.role} does not win {when}"
                    return Refutation(wrong, (write(reply),), result)
        return Refutation(wrong, (), f"{opponent} wins" if self.task is Task.DRAW else "")


def _shares(solver: Solver, states: list[State], role: Role) -> list[Shares | None]:
    """Let a player try; one that cannot play the game says nothing."""
    try:
        return solver.shares(states, role)
    except KibitzError:
        return [None] * len(states)


def _right(shares: Shares, found: Found) -> float:
    return sum(shares.get(move, 0.0) for move in found.answers)


def _progression(puzzle: Puzzle) -> tuple[object, ...]:
    """Sort from easy to hard."""
    return LEVELS.index(puzzle.level), puzzle.rating, puzzle.remoteness or 0, puzzle.name
