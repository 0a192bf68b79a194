"""Game and role in, Insight out: the list that is shortest to say, for which sizes, and why.

Ideas come from what the rules are about: heaps and their values, symmetry, numbers of the state. Each
is read again and followed by the checker through all positions before it is believed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError, NoChoiceError
from kibitz.solve import Solution, optimal_edges
from kibitz.strategy import Strategy, Verdict, columns_of, read_strategy, verify
from kibitz.synth.insight.heaps import heaps_of
from kibitz.synth.insight.ideas import HoldsFor, Idea, heap_ideas
from kibitz.synth.insight.mirrors import mirror_ideas
from kibitz.synth.insight.number_rules import number_ideas

__all__ = ["Insight", "find_insight"]


@dataclass(frozen=True)
class Insight:
    """A list that people remember, its verdict by the checker, its sizes, and a reason for each rule."""

    role: Role
    strategy: Strategy
    verdict: Verdict
    holds_for: HoldsFor
    why: tuple[str, ...]
    seconds: float
    states: int

    @property
    def rule_texts(self) -> list[str]:
        """The rules one by one, in the strategy language."""
        lines = self.strategy.text.splitlines()
        return [line for line in lines if not line.startswith("symmetric ")]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON, with the keys of a synthesis."""
        rules = self.verdict.rules
        return {
            "role": self.role,
            "strategy": self.strategy.text,
            "rules": rules,
            "literals": self.verdict.literals,
            "verdict": self.verdict.as_json(),
            "symmetry": self.strategy.symmetry,
            "lower_bound": 1,
            "proved_minimal": rules == 1,
            "literals_lower_bound": 0,
            "proved_fewest_literals": False,
            "seconds": self.seconds,
            "seed": 0,
            "states": self.states,
            "time_ended": False,
            "holds_for": self.holds_for.as_json(),
            "why": list(self.why),
        }


def find_insight(solution: Solution, role: Role, *, seconds: float = 10.0) -> Insight | None:
    """Find the list that is shortest to say; None where no idea plays perfectly.

    The solution is of all states, not one of each orbit.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:3,4,5"))
    >>> found = find_insight(solve(explore(game)), "player1")
    >>> found.rule_texts, found.holds_for.proved
    (['next nimsum(heap.2) = 0 => any'], True)
    """
    begin = time.monotonic()
    game = solution.space.game
    game.check_role(role)
    deadline = begin + seconds
    for idea in _ideas(solution, role):
        checked = _checked(idea, solution, role)
        if checked is not None:
            strategy, verdict = checked
            holds_for = idea.proof or _sizes(strategy, solution, role)
            return Insight(
                role,
                strategy,
                verdict,
                holds_for,
                idea.why,
                time.monotonic() - begin,
                len(solution.space),
            )
        if time.monotonic() > deadline:
            break
    return None


def check_choice(solution: Solution, role: Role) -> None:
    """Raise NoChoiceError if whatever the role plays is optimal."""
    game = solution.space.game
    nothing = verify(read_strategy("# nothing", game), solution, role)
    if nothing.strongly_optimal and nothing.makes_progress:
        raise NoChoiceError(
            f"{role} has nothing to decide in {game.sheet.name}: whatever it plays, "
            f"it gets {solution.values()[role]} against best play",
            hint="roles: " + " ".join(game.roles),
        )


def _ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    heaps = heaps_of(solution.space)
    if heaps is not None:
        yield from heap_ideas(heaps)
    yield from mirror_ideas(solution.space.game)
    yield from number_ideas(solution, role)


def _checked(idea: Idea, solution: Solution, role: Role) -> tuple[Strategy, Verdict] | None:
    """Follow an idea's rules; return them with the verdict if they play perfectly."""
    game: CompiledGame = solution.space.game
    try:
        strategy = read_strategy(idea.text, game, name="insight")
        verdict = verify(strategy, solution, role)
    except KibitzError:
        return None
    right = verdict.strongly_optimal and verdict.makes_progress and not verdict.dead_rules
    if right and idea.must_answer and not _answers(strategy, solution, role):
        return None
    return (strategy, verdict) if right else None


def _answers(strategy: Strategy, solution: Solution, role: Role) -> bool:
    """Return whether rules have a move wherever play that follows them comes, but for its start."""
    space = solution.space
    chosen = strategy.on(space, role).chosen
    mine = columns_of(space).to_move(role)
    known, queue = {0}, [0]
    while queue:
        state = queue.pop()
        edges = np.arange(space.first_edge[state], space.first_edge[state + 1])
        followed = edges[chosen[edges]] if mine[state] else edges
        if mine[state] and not len(followed):
            if state:
                return False
            followed = edges
        for after in space.target[followed].tolist():
            if after not in known:
                known.add(after)
                queue.append(after)
    return True


def _sizes(strategy: Strategy, solution: Solution, role: Role) -> HoldsFor:
    """Say for which starts a list is right: from all positions of the game, or from its own."""
    space = solution.space
    moves = strategy.on(space, role)
    turn = np.flatnonzero(columns_of(space).to_move(role))
    chosen, good = moves.chosen, optimal_edges(solution)
    for state in turn.tolist():
        edges = slice(space.first_edge[state], space.first_edge[state + 1])
        asked = chosen[edges]
        allowed = asked if asked.any() else np.ones_like(asked)
        if (allowed & ~good[edges]).any():
            return HoldsFor(False, "this game from its start")
    return HoldsFor(False, f"this game from any of its {len(space):,} positions")
