"""Hypothesis strategies for small games with random formulas and plans over their words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import product

from hypothesis import assume, strategies as st
from tests.random_games import games
from tests.solve.test_retrograde import graphs
from tests.strategy.made import solution

from kibitz.engine import Game
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function, clauses_of, read
from kibitz.space import Limits, StateSpace, explore
from kibitz.strategy import read_strategy
from kibitz.strategy.evaluation.rule_images import carriers_of
from kibitz.strategy.tree import (
    FALSE,
    TRUE,
    Also,
    And,
    AtLeast,
    Can,
    Derived,
    Does,
    Else,
    Formula,
    GoalIs,
    Holds,
    Initial,
    Legal,
    Next,
    Not,
    Or,
    Plan,
    Previous,
    Renaming,
    Simple,
    Terminal,
    Turn,
    Wins,
)

__all__ = ["formulas", "plans", "spaces"]


LIBRARY = ("nim:1,2", "nim:2,2", "crossdot:3,2", "hanoi:2", "kayles:3")


@st.composite
def spaces(draw: st.DrawFn, most: int = 40) -> StateSpace:
    """Make a small space: of the library, of a random rule sheet, or of a random graph."""
    name = draw(st.sampled_from([*LIBRARY, "", "", "", ""]))
    if name and len(solution(name).space) <= most:
        return solution(name).space
    sheet = draw(st.one_of(games(), graphs().map(lambda graph: read(graph.sheet()))))
    try:
        game = CompiledGame(sheet)
        space = explore(game, limits=Limits(states=most))
    except KibitzError:
        assume(False)
        raise
    assume(space.is_complete and 0 < space.edges < 4 * most)
    return space


def relations(space: StateSpace, most: int = 6) -> list[Function]:
    """List some atoms of the relations of a rule sheet that depend on the state."""
    fluents = [f for number in range(len(space)) for f in space.state(number).fluents]
    words = list(dict.fromkeys(arg for fluent in fluents for arg in fluent.args))[:3]
    heads = {
        (clause.head.relation, len(clause.head.args)) for clause in clauses_of(space.game.sheet)
    }
    found: list[Function] = []
    for name, arity in sorted(heads):
        for args in product(words, repeat=arity):
            text = f"({' '.join(map(str, (name, *args)))})"
            with suppress(KibitzError):
                (plan,) = (plan for _, plan in read_strategy(text, space.game).plans[:1])
                if isinstance(plan, Simple) and isinstance(plan.formula, Derived):
                    found.append(plan.formula.atom)
    return found[:: 1 + len(found) // most]


@cache
def renamings(game: Game) -> list[Renaming]:
    """List what symmetries of a game make of its fluents."""
    with suppress(KibitzError):
        found = [carrier.renaming for carrier in carriers_of(game)]
        return [renaming for renaming in found if renaming][:4]
    return []


def leaves(space: StateSpace, turn: bool) -> st.SearchStrategy[Formula]:
    game = space.game
    role = st.sampled_from(game.roles)
    fluents = sorted({f for s in range(len(space)) for f in space.state(s).fluents}, key=str)
    found: list[st.SearchStrategy[Formula]] = [
        st.sampled_from([TRUE, FALSE, Initial(), Terminal()]),
        st.builds(Wins, role),
        st.builds(GoalIs, role, st.sampled_from(["=", ">=", "<"]), st.sampled_from([0, 50, 100])),
    ]
    if turn:
        found.append(st.builds(Turn, role))
    if atoms := relations(space):
        images = st.sampled_from([None, *renamings(space.game)])
        found.append(st.builds(Derived, st.sampled_from(atoms), images))
    if fluents:
        found.append(st.builds(Holds, st.sampled_from(fluents)))
    for index, name in enumerate(game.roles):
        moves = sorted({joint[index] for joint in space.joint_moves}, key=str)
        found.append(st.builds(Does, st.just(name), st.sampled_from(moves)))
        found.append(st.builds(Legal, st.just(name), st.sampled_from(moves)))
    return st.one_of(*found)


def formulas(
    space: StateSpace, *, past: bool = False, turn: bool = True
) -> st.SearchStrategy[Formula]:
    """Make formulas over what a space speaks of.

    Whose turn it is where nobody has a choice is known from a whole space only, so that lookahead
    at one state may say otherwise.
    """
    unary: list[Callable[[Formula], Formula]] = [Not, Next]
    if past:
        unary.append(Previous)
    role = st.sampled_from(space.game.roles)

    def extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
        able = [] if past else [st.builds(Can, role, inner)]
        return st.one_of(
            *(st.builds(kind, inner) for kind in unary),
            *able,
            st.builds(And, parts),
            st.builds(Or, parts),
            st.builds(AtLeast, st.integers(1, 3), parts),
        )

    return st.recursive(leaves(space, turn), extend, max_leaves=7)


def plans(space: StateSpace, *, past: bool = False, turn: bool = True) -> st.SearchStrategy[Plan]:
    """Make plans over what a space speaks of."""

    def extend(inner: st.SearchStrategy[Plan]) -> st.SearchStrategy[Plan]:
        parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(Else, parts), st.builds(Also, parts))

    return st.recursive(
        st.builds(Simple, formulas(space, past=past, turn=turn)), extend, max_leaves=5
    )
