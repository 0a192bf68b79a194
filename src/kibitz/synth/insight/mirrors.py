"""Solution in, ideas out: leave a position that is its own image under a symmetry of the board."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.solve import Solution, keeping_edges
from kibitz.space import StateSpace
from kibitz.strategy import (
    columns_of,
    exchanges,
    named_symmetries,
    symmetry_words,
    unchanged,
    write_term,
)
from kibitz.synth.insight.ideas import Idea
from kibitz.synth.insight.threats import threat_rules

__all__ = ["mirror_ideas", "threatening_mirror_ideas"]

_MOST_STATES = 100_000

Bools = npt.NDArray[np.bool_]


def mirror_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the mirror strategies that symmetries suggest, alone or with a condition or two more.

    They are for a role that wins. What gives up value, or says nothing, in its first decisions is
    left out.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("kayles:3"))))
    >>> next(mirror_ideas(solution, "player1")).rules
    ('next unchanged(left_right) => any',)
    """
    space = solution.space
    if len(space) > _MOST_STATES or space.is_reduced or solution.value()[role] < 100:
        return
    columns = columns_of(space)
    first = _First(solution, role)
    goes_on = ~space.terminal
    for name, same in _mirrors(space):
        asked = f"next unchanged({name})"
        tried: list[tuple[str, Bools]] = [("", same), (" and next not terminal", same & goes_on)]
        for more, held in list(tried):
            for fluent in space.game.network.fluents:
                column = columns.fluent(fluent)
                text = write_term(fluent)
                tried.append((f"{more} and next {text}", held & column))
                tried.append((f"{more} and next not {text}", held & ~column))
        for more, held in tried:
            # With a condition more, a move that ends play at once is no mirror strategy.
            if first.are_right(held) and (not more or first.are_right(held & goes_on)):
                yield Idea((f"{asked}{more} => any",), (_why(name),), must_answer=True)


def threatening_mirror_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the mirror strategies of a role that wins at once where it can."""
    space = solution.space
    if len(space) > _MOST_STATES or space.is_reduced or solution.value()[role] < 100:
        return
    first = _First(solution, role)
    (win, *_), (reason, *_) = threat_rules()
    for name, same in _mirrors(space):
        if first.are_right(same):
            why = (reason, _why(name))
            yield Idea((win, f"next unchanged({name}) => any"), why, must_answer=True)


def _mirrors(space: StateSpace) -> Iterator[tuple[str, Bools]]:
    """Walk symmetries, with the states that are their own images."""
    game = space.game
    plain = {name: carrier.fluents for name, carrier in named_symmetries(game).items()}
    for name, images in (plain | exchanges(game)).items():
        yield name, columns_of(space)(unchanged(name, images))


def _why(name: str) -> str:
    return (
        f"Whatever the opponent does to a position that looks the same after "
        f"{symmetry_words(name)}, you can do to its image; so you have a move whenever the "
        "opponent had one."
    )


class _First:
    """The first decisions of a role: in the initial state, or after each first move."""

    def __init__(self, solution: Solution, role: Role) -> None:
        space = solution.space
        mine = columns_of(space).to_move(role)
        after = space.target[space.first_edge[0] : space.first_edge[1]]
        states = [0] if mine[0] else [int(s) for s in np.unique(after) if mine[s]]
        good = keeping_edges(solution)
        self.decisions = []
        for state in states:
            edges = slice(space.first_edge[state], space.first_edge[state + 1])
            self.decisions.append((space.target[edges], good[edges]))

    def are_right(self, held: Bools) -> bool:
        """Return whether moves that leave such states exist and keep the value, in each of them."""
        for targets, good in self.decisions:
            chosen = held[targets]
            if (chosen & ~good).any() or not (chosen.any() or good.all()):
                return False
        return bool(self.decisions)
