"""One strategy asked in every way that Kibitz knows, and what it means taken path by path.

`agree(space, plan, role, silence)` compares, for a plan on a small space without its past:

- the moves at one state, and the set of moves on the space, with the definitions of `oracle`;
- the answer sets of its encoding with the matches that the reference engine plays;
- the states and ends that `comply` is left with, with those that these matches meet;
- the verdict of the compiled checker with that of the reference check.

It raises AssertionError where two of them differ, and gives how many comparisons it made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import clingo
from tests.strategy.oracle import Path, allowed, to_move

from kibitz.engine import Game, Move, ReferenceGame, Role, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.solve import solve
from kibitz.space import StateId, StateSpace
from kibitz.strategy import Strategy, Verdict, read_strategy, verify
from kibitz.strategy.encodings import asp_encoding
from kibitz.strategy.evaluation.one_state import moves_in
from kibitz.strategy.tree import Plan
from kibitz.strategy.verification.compliance import comply
from kibitz.strategy.verification.reference import verify_by_reference

__all__ = ["Match", "Walk", "agree", "answers", "strategy_of", "walk"]

Match = tuple[str, ...]
"""Joint moves as text, one after the other."""
Key = frozenset[Function]
LONGEST = 5
MOST_MATCHES = 300


def strategy_of(plan: Plan, game: Game) -> Strategy:
    """Make a plan a strategy for all roles of a game."""
    plans = tuple((role, plan) for role in game.roles)
    return replace(read_strategy("true", game), plans=plans, lines=(), symmetry="none")


@dataclass(frozen=True)
class Walk:
    """Matches of up to some length, and the states that they, or what stops before, go through."""

    complete: set[Match]
    states: set[Key]
    ends: set[Key]


def walk(game: Game, choose: Callable[[State, Role], tuple[Move, ...]], longest: int) -> Walk:
    """Play all matches in which each role makes only moves that are chosen for it."""
    found = Walk(set(), set(), set())

    def go(state: State, played: Match) -> None:
        key = frozenset(state.fluents)
        found.states.add(key)
        if state.is_terminal:
            found.complete.add(played)
            found.ends.add(key)
            return
        if len(played) == longest:
            return
        for joint in product(*(choose(state, role) for role in game.roles)):
            go(game.successor(state.key, joint), (*played, " ".join(map(str, joint))))

    go(game.initial(), ())
    return found


def answers(game: CompiledGame, text: str) -> set[Match]:
    """Give the matches that the answer sets of a program are."""
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: set[Match] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            steps: dict[int, dict[str, str]] = {}
            for symbol in model.symbols(shown=True):
                role, move, time = symbol.arguments
                steps.setdefault(time.number, {})[str(role)] = _kif(move)
            match = tuple(
                " ".join(steps[t][role] for role in game.roles) for t in range(len(steps))
            )
            assert match not in found, "each match is one answer set"
            found.add(match)
    return found


def _kif(symbol: clingo.Symbol) -> str:
    if symbol.type == clingo.SymbolType.Number or not symbol.arguments:
        return str(symbol)
    return f"({symbol.name} {' '.join(map(_kif, symbol.arguments))})"


def _few_matches(space: StateSpace) -> int:
    """Give the length up to which there are few enough matches to play all of them by clingo."""
    ways = {0: 1}
    for length in range(1, LONGEST + 1):
        after: dict[int, int] = {}
        for state, count in ways.items():
            for _, to in space.moves(state):
                after[to] = after.get(to, 0) + count
        if sum(after.values()) > MOST_MATCHES:
            return max(1, length - 1)
        ways = after
    return LONGEST


def agree(space: StateSpace, plan: Plan, role: Role, silence: str) -> int:
    """Compare everything that can be asked of a plan; give the number of comparisons."""
    game = space.game
    strategy = strategy_of(plan, game)
    right = _right_moves(space, plan, role, silence)
    said = strategy.on(space, role)
    taken = said.under(silence)
    for number in range(len(space)):
        expected = right.get(number, set())
        assert set(taken.moves(number)) == expected
        here = moves_in(strategy, space.state(number), role, silence=silence)
        assert set(here.moves) == set(map(game.write, expected))
        assert here.has_turn == (number in right)
    reference = ReferenceGame(game.sheet)
    number_of = {frozenset(space.state(n).fluents): n for n in range(len(space))}

    def choose(state: State, who: Role) -> tuple[Move, ...]:
        legal = state.legal(who)
        moves = right.get(number_of[frozenset(state.fluents)])
        if who != role or moves is None:
            return legal
        return tuple(move for move in legal if move in moves)

    longest = _few_matches(space)
    walked = walk(reference, choose, longest)
    program = asp_encoding(game, {role: strategy}, horizon=longest, silence=silence)
    assert answers(game, program) == walked.complete
    found = comply(space, [said], silence=silence)
    whole = _reached(space, right, role)
    assert (found.states, found.ends) == (len(whole), sum(bool(space.terminal[n]) for n in whole))
    assert {number_of[key] for key in walked.states} <= whole
    return 2 * len(space) + 2 + _verdicts(space, strategy, role, silence)


def _right_moves(
    space: StateSpace, plan: Plan, role: Role, silence: str
) -> dict[StateId, set[Move]]:
    """Give the moves that may be made in each state in which it is the role's turn."""
    index = space.game.roles.index(role)
    found = {}
    for number in to_move(space, role):
        moves = allowed(space, plan, role, Path((number,), ()))
        if not moves and silence == "any":
            moves = {joint[index] for joint, _ in space.moves(number)}
        found[number] = moves
    return found


def _reached(space: StateSpace, right: dict[StateId, set[Move]], role: Role) -> set[StateId]:
    index = space.game.roles.index(role)
    seen, queue = {0}, [0]
    while queue:
        number = queue.pop()
        for joint, after in space.moves(number):
            may = number not in right or joint[index] in right[number]
            if may and after not in seen:
                seen.add(after)
                queue.append(after)
    return seen


def _verdicts(space: StateSpace, strategy: Strategy, role: Role, silence: str) -> int:
    """Compare both checkers, where states have one value; give the number of comparisons."""
    try:
        solution = solve(space)
        slow = verify_by_reference(
            replace(strategy, game=ReferenceGame(space.game.sheet)), role, silence=silence
        )
    except KibitzError:
        return 0
    assert _bare(verify(strategy, solution, role, silence=silence)) == _bare(slow)
    return 1


def _bare(verdict: Verdict) -> Verdict:
    return replace(verdict, counterexample=None, against="")
