"""Review a match: which moves of a role gave something away, and what was not examined."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kibitz.engine import CompiledGame, Move, Role
from kibitz.errors import KibitzError
from kibitz.gdl import beyond_gdl1
from kibitz.play.agents.agent import MatchSoFar
from kibitz.play.search.turn_search import make_search
from kibitz.prove import Prover, Spending
from kibitz.solve import Solution, solve_game
from kibitz.space import Limits
from kibitz.wording import counted

_STATES = 1_000_000
_NODES = 500_000
_DOUBTFUL = 0.1
"""What a search must think lost for a move to be named, where nothing is proved."""
_MOST_DOUBTFUL = 3


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move with its number in the match, and what the role could guarantee before and after it.

    `better` are moves that would have kept the value, where it fell.
    """

    number: int
    move: Move
    before: int
    after: int
    better: tuple[Move, ...] = ()

    @property
    def lost(self) -> int:
        """How much of its goal the role gave away."""
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class DoubtfulMove:
    """A move with its number that a search thinks bad: its value, and a move that looks better.

    Values are between 0 and 1, estimated and not proved.
    """

    number: int
    move: Move
    before: float
    after: float
    better: Move


@dataclass(frozen=True, slots=True)
class Review:
    """Review of a role's choices: those examined, how many were not, and why.

    `doubtful` are moves among those not examined that a search thinks bad, the worst ones.
    """

    role: Role
    examined: tuple[ReviewedMove, ...]
    left_out: int
    why: str = ""
    doubtful: tuple[DoubtfulMove, ...] = ()

    def lines(self, words: Callable[[Move], str]) -> Iterator[str]:
        """Yield sentences about the moves that gave something away, and about the others."""
        for one in self.examined:
            if one.lost > 0:
                keeps = f"; {words(one.better[0])} keeps {one.before}" if one.better else ""
                yield (
                    f"Move {one.number}, {words(one.move)}: the value for {self.role} fell from "
                    f"{one.before} to {one.after}{keeps}."
                )
        kept = sum(one.lost <= 0 for one in self.examined)
        if self.examined:
            yield f"{kept} of {counted(len(self.examined), 'examined move')} kept the value."
        if self.left_out:
            yield f"{counted(self.left_out, 'move')} not examined: {self.why}."
        for bad in self.doubtful:
            yield (
                f"Move {bad.number}, {words(bad.move)}, looks bad to a search: about "
                f"{100 * bad.after:.0f} of 100; {words(bad.better)} looks like "
                f"{100 * bad.before:.0f}."
            )


def review_match(line: MatchSoFar, role: Role, *, seconds: float = 5.0) -> Review:
    """Look at each choice of a role in a match, within some seconds.

    Small games are solved; in others positions are proved one by one, from the last one backwards.
    A search of as many seconds estimates the moves of two roles that this leaves.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> line = MatchSoFar((game.initial(),)).then(["(reduce a 0)", "noop"])
    >>> for sentence in review_match(line, "player1").lines(str):
    ...     print(sentence)
    Move 1, (reduce a 0): the value for player1 fell from 100 to 0; (reduce b 1) keeps 100.
    0 of 1 examined move kept the value.
    """
    chosen = [i for i in range(len(line.moves)) if len(line.states[i].legal(role)) > 1]
    game = line.state.game
    if not isinstance(game, CompiledGame):
        return Review(role, (), len(chosen), "the game is not compiled")
    if any(beyond_gdl1(game.sheet)):
        return Review(role, (), len(chosen), "there is chance, or something hidden")
    alone = [i for i in chosen if line.states[i].turn == (role,)]
    why = "others chose at the same time"
    found: list[ReviewedMove] = []
    deadline = time.monotonic() + seconds
    try:
        limits = Limits(states=_STATES, seconds=seconds / 2)
        solution = solve_game(game, limits=limits)
        if solution.kind == "exact":
            found = _by_solution(solution, line, role, alone)
        else:
            why = "the game has no single values"
    except KibitzError:
        try:
            found = _by_proofs(game, line, role, alone, deadline)
        except KibitzError as error:
            why = error.message
        else:
            why = f"nothing was proved in {seconds:g} s"
    seen = {one.number - 1 for one in found}
    doubtful = _by_search(game, line, role, [i for i in alone if i not in seen], seconds)
    return Review(role, tuple(found), len(chosen) - len(found), why, doubtful)


def _by_solution(
    solution: Solution, line: MatchSoFar, role: Role, chosen: list[int]
) -> list[ReviewedMove]:
    states = [0]
    for joint in line.moves:
        states.append(dict(solution.space.moves(states[-1]))[joint])
    index = solution.space.game.roles.index(role)
    found = []
    for i in chosen:
        before, after = (solution.value(state)[role] for state in states[i : i + 2])
        better = tuple(made.joint[index] for made in solution.keeping(states[i]))
        move = line.moves[i][index]
        found.append(ReviewedMove(i + 1, move, before, after, better if after < before else ()))
    return found


def _by_proofs(
    game: CompiledGame, line: MatchSoFar, role: Role, chosen: list[int], deadline: float
) -> list[ReviewedMove]:
    """Prove positions from the last one backwards; what is found helps with the next."""
    seconds = max(0.1, deadline - time.monotonic())
    prover = Prover(game, Spending(seconds=seconds, memory=200_000_000))
    index = game.roles.index(role)
    found = []
    for i in reversed(chosen):
        if time.monotonic() >= deadline:
            break
        after = prover.prove(line.states[i + 1], weak=True).value
        before = prover.prove(line.states[i], weak=True).value if after else None
        if before is None or after is None:
            break
        better: tuple[Move, ...] = ()
        if after[role] < before[role]:
            better = prover.prove(line.states[i]).best
        move = line.moves[i][index]
        found.append(ReviewedMove(i + 1, move, before[role], after[role], better))
    return found[::-1]


def _by_search(
    game: CompiledGame, line: MatchSoFar, role: Role, chosen: list[int], seconds: float
) -> tuple[DoubtfulMove, ...]:
    """Return the moves that a search thinks worst; the positions share the seconds."""
    if not chosen or len(game.roles) != 2:
        return ()
    search = make_search(game, nodes=_NODES)
    index = game.roles.index(role)
    found = []
    for i in chosen:
        for state in line.states[i + 1], line.states[i]:
            if not state.is_terminal:
                search.run(state, rounds=1)
                search.run(state, deadline=time.monotonic() + seconds / len(chosen) / 2)
        options = {option.move: option.value for option in search.options(role)}
        better, move = search.best(role).move, line.moves[i][index]
        if options[better] - options[move] > _DOUBTFUL:
            found.append(DoubtfulMove(i + 1, move, options[better], options[move], better))
    worst = sorted(found, key=lambda one: one.after - one.before)[:_MOST_DOUBTFUL]
    return tuple(sorted(worst, key=lambda one: one.number))
