"""Compare strategies, suggest a rule, leave out what a list does not need, and match its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.solve import Solution, edge_sources, keeping_edges, progress_edges
from kibitz.space import StateId, StateSpace, reachable_under
from kibitz.strategy.evaluation.columns import Bools, columns_of, depth_of, unfold
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.evaluation.rule_images import Choices, images
from kibitz.strategy.pictures import literals_of
from kibitz.strategy.strategy import Decisions, Strategy, StrategyRule, read_strategy, rule_list
from kibitz.strategy.syntax.printer import write_rule
from kibitz.strategy.tree import And, Formula, conjunction
from kibitz.strategy.verification.verdict import Verdict, verify

_MOST_CHOICES = 16


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Fluents and legal moves of the images of a rule that apply.

    Where none does, `failing` are the fluents, and `blocked` the moves, that keep the image from
    applying that lacks least.
    """

    fluents: tuple[Function, ...] = ()
    moves: tuple[Move, ...] = ()
    failing: tuple[Function, ...] = ()
    blocked: tuple[Move, ...] = ()


def match_rule(rule: StrategyRule, state: State, role: Role) -> RuleMatch | None:
    """Match all images of a rule; None where they are too many, or not all literals and moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> (rule,) = read_strategy("cell(1,1,x) => mark(2,2)", game).rules_for("oplayer")
    >>> match = match_rule(rule, game.initial(), "oplayer")
    >>> list(map(str, match.failing)), list(map(str, match.blocked))
    (['(cell 1 1 x)'], ['(mark 2 2)'])
    """
    if len(rule.choices) > _MOST_CHOICES or rule.preferences:
        return None
    holding = frozenset(state.fluents)
    legal = frozenset(state.legal(role))
    fluents: list[Function] = []
    applied: list[Move] = []
    lacking: list[tuple[int, list[Function], list[Move]]] = []
    for image in images(rule.choices, state.game, role):
        for condition, moves in image:
            literals = literals_of(condition)
            if literals is None:
                return None
            failing = [fluent for fluent, sign in literals if (fluent in holding) != sign]
            blocked = [move for move in moves if move not in legal]
            if len(blocked) < len(moves):
                blocked = []
            if not failing and not blocked:
                fluents += [fluent for fluent, _ in literals]
                applied += [move for move in moves if move in legal]
            lacking.append((len(failing) + bool(blocked), failing, blocked))
    if applied or not lacking:
        return RuleMatch(tuple(dict.fromkeys(fluents)), tuple(dict.fromkeys(applied)))
    _, failing, blocked = min(lacking, key=lambda found: found[0])
    return RuleMatch(failing=tuple(failing), blocked=tuple(blocked))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """States in which one rule of each strategy decides, and they choose differently.

    Rules are numbered from 1; 0 says that no rule decides. The example is the first such state.
    """

    rules: tuple[int, int]
    states: int
    example: StateId
    moves: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two strategies of a role choose differently."""

    role: Role
    space: StateSpace
    states: int
    different: int
    only: tuple[int, int]
    """How many pairs of state and move only the first has, and only the second."""
    groups: tuple[Disagreement, ...]
    silence: str = "any"
    """What happens where a strategy has no move; see `MoveSet.under`."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        write = self.space.game.write
        return {
            "role": self.role,
            "silence": self.silence,
            "states": self.states,
            "different": self.different,
            "only_first": self.only[0],
            "only_second": self.only[1],
            "groups": [
                {
                    "rules": list(group.rules),
                    "states": group.states,
                    "example": [write(f) for f in self.space.state(group.example).fluents],
                    "moves": [list(moves) for moves in group.moves],
                }
                for group in self.groups
            ],
        }


class Deciding(Protocol):
    """Anything that recommends moves on a space, and says which of its rules decides where."""

    def decide(self, space: StateSpace, role: Role) -> Decisions:
        """Return the moves, and the number of the rule that decides in each state."""


def compare(
    one: Deciding, other: Deciding, space: StateSpace, role: Role, *, silence: str = "any"
) -> Difference:
    """Compare two strategies on all states of a space in which it is a role's turn.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> from kibitz.strategy.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> texts = ("true => (reduce a 0)", "(heap b 0) => (reduce a 0)")
    >>> strategies = [read_strategy(text, game) for text in texts]
    >>> found = compare(*strategies, explore(game), "player1", silence="stop")
    >>> found.different, found.only, found.groups[0].rules
    (1, (1, 0), (1, 0))
    """
    space.require_all_states("comparing strategies")
    first, second = (
        replace(found, moves=found.moves.under(silence))
        for found in (one.decide(space, role), other.decide(space, role))
    )
    depth = max(depth_of(first.moves.space), depth_of(second.moves.space))
    first, second = _unfolded(first, depth), _unfolded(second, depth)
    whole = first.moves.space
    columns = columns_of(whole)
    differ = np.zeros(len(whole), dtype=bool)
    differ[columns.source[first.moves.chosen ^ second.moves.chosen]] = True
    return Difference(
        role=role,
        space=whole,
        states=int(columns.to_move(role).sum()),
        different=int(differ.sum()),
        only=(len(first.moves - second.moves), len(second.moves - first.moves)),
        groups=tuple(_groups(first, second, differ)),
        silence=silence,
    )


def _unfolded(decisions: Decisions, depth: int) -> Decisions:
    space, decider = decisions.moves.space, decisions.decider
    while depth_of(space) < depth:
        before = np.concatenate([np.zeros(1, dtype=np.int64), space.target.astype(np.int64)])
        space, decider = unfold(space, depth_of(space) + 1), decider[before]
    return Decisions(decisions.moves.unfolded(depth), decider)


def _groups(first: Decisions, second: Decisions, differ: Bools) -> Iterator[Disagreement]:
    states = np.flatnonzero(differ)
    pairs = np.stack([first.decider[states], second.decider[states]], axis=1) + 1
    found: dict[tuple[int, int], list[int]] = {}
    for state, (a, b) in zip(states.tolist(), pairs.tolist(), strict=True):
        found.setdefault((a, b), []).append(state)
    for rules, members in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        yield Disagreement(
            rules,
            len(members),
            members[0],
            (_moves(first.moves, members[0]), _moves(second.moves, members[0])),
        )


def _moves(moves: MoveSet, state: StateId) -> tuple[str, ...]:
    return tuple(map(moves.space.game.write, moves.moves(state)))


Progress = Callable[[int, int], None]
"""Called with how many rules and literals remain."""


@dataclass(frozen=True, slots=True)
class Minimised:
    """A smaller rule list, its verdict, and which guarantee of the original it keeps."""

    strategy: Strategy
    verdict: Verdict
    before: Verdict
    kept: str


def minimise(
    strategy: Strategy,
    solution: Solution,
    role: Role,
    *,
    silence: str = "any",
    progress: Progress | None = None,
) -> Minimised:
    """Drop what a rule list does not need.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:2"))
    >>> strategy = read_strategy("(heap a 2) => (reduce a 0)", game)
    >>> print(minimise(strategy, solve(explore(game)), "player1").strategy.text, end="")
    true => (reduce a 0)
    """
    if not strategy.is_list:
        raise InputError(f"{strategy.name} is not a rule list, so there is nothing to drop")
    before = verify(strategy, solution, role, silence=silence)
    kept = next(
        (claim for claim in ("perfect", "strongly_optimal", "weakly_optimal") if before.is_(claim)),
        f"goal {before.guarantees[role]}",
    )

    def keeps_guarantee(verdict: Verdict) -> bool:
        if kept.startswith("goal"):
            return verdict.guarantees[role] >= before.guarantees[role]
        return verdict.is_(kept) and verdict.guarantees[role] >= before.guarantees[role]

    best, verdict = strategy, before
    improved = True
    while improved:
        improved = False
        for rules in _smaller(best, verdict, role):
            candidate = _written(best, rules)
            found = verify(candidate, solution, role, silence=silence)
            if keeps_guarantee(found):
                best, verdict, improved = candidate, found, True
                if progress:
                    progress(found.rules, found.literals)
                break
    return Minimised(best, verdict, before, kept)


def _smaller(strategy: Strategy, verdict: Verdict, role: Role) -> Iterator[list[StrategyRule]]:
    """Walk the lists with one item less: dead rules first, then any rule, then any literal."""
    rules = list(strategy.rules_for(role))
    free = [i for i, rule in enumerate(rules) if not rule.is_locked]
    dead = [i for i in free if i + 1 in verdict.dead_rules]
    for i in [*dead, *(i for i in reversed(free) if i not in dead)]:
        if len(rules) > 1:
            yield rules[:i] + rules[i + 1 :]
    for i in free:
        rule = rules[i]
        for choices in _without_a_literal(rule.choices):
            yield [*rules[:i], StrategyRule(choices, preferences=rule.preferences), *rules[i + 1 :]]
        for n in range(len(rule.preferences) if len(rule.choices) == 1 else 0):
            fewer = (*rule.preferences[:n], *rule.preferences[n + 1 :])
            yield [*rules[:i], StrategyRule(rule.choices, preferences=fewer), *rules[i + 1 :]]


def _without_a_literal(choices: Choices) -> Iterator[Choices]:
    if len(choices) != 1:
        return
    ((condition, moves),) = choices
    parts: Sequence[Formula] = condition.parts if isinstance(condition, And) else (condition,)
    if condition == conjunction(()):
        return
    for i in range(len(parts)):
        yield ((conjunction([*parts[:i], *parts[i + 1 :]]), moves),)


def _written(strategy: Strategy, rules: list[StrategyRule]) -> Strategy:
    """Write rules as the text of a strategy, and read it."""
    lines = [f"symmetric {strategy.symmetry}", *strategy.settings]
    block = ""
    for rule in rules:
        if rule.is_locked:
            if rule.name != block:
                lines.append(rule.name)
        elif rule.text:
            lines.append(rule.text)
        elif len(rule.choices) == 1:
            lines.append(write_rule(rule.choices, rule.preferences))
        else:
            raise InputError("rules made by each cannot be written one by one")
        block = rule.name
    if strategy.symmetry == "any" and not strategy.settings:
        del lines[0]
    text = "".join(f"{line}\n" for line in lines)
    return read_strategy(text, strategy.game, name=strategy.name)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rule as text, and in how many states reached by optimal play it applies."""

    text: str
    states: int


def suggest_rule(
    solution: Solution, state: StateId, role: Role, *, symmetry: str = "any"
) -> Suggestion:
    """Make a rule for a state, shortened by dropping literals one by one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> suggest_rule(solution, 0, "player1")
    Suggestion(text='true => (reduce b 1)\\n', states=1)
    """
    space = solution.space
    game = space.game
    index = game.roles.index(role)
    if space.terminal[state] or int(space.turn[state]) != index:
        raise InputError(f"it is not {role}'s turn there", hint="choose a state where it is")
    optimal = keeping_edges(solution)
    correct = optimal if space.is_layered else progress_edges(solution)
    source = edge_sources(space)
    seen = reachable_under(space, optimal | (space.turn != index)[source]).seen
    seen[state] = True
    matters = seen[source]
    edges = range(space.first_edge[state], space.first_edge[state + 1])
    moves = list(
        dict.fromkeys(space.joint_moves[space.action[e]][index] for e in edges if correct[e])
    )
    best: tuple[int, int, str] | None = None
    for move in moves:
        found = _generalised(solution, state, role, move, correct, matters, symmetry)
        if found and (best is None or found < best):
            best = found
    if best is None:
        raise InputError(
            "no rule with symmetric images is correct here",
            hint="begin the strategy with: symmetric none",
        )
    return Suggestion(best[2], -best[1])


def _generalised(
    solution: Solution,
    state: StateId,
    role: Role,
    move: Move,
    correct: npt.NDArray[np.bool_],
    matters: npt.NDArray[np.bool_],
    symmetry: str,
) -> tuple[int, int, str] | None:
    """Return the number of literals, minus that of states, and the text of a correct rule."""
    space = solution.space
    game = space.game

    def chosen(literals: list[tuple[Function, bool]]) -> tuple[MoveSet, str]:
        made = rule_list([(literals, [move])], game=game, symmetry=symmetry)
        return made.on(space, role), made.text

    literals = [(fluent, True) for fluent in space.state(state).fluents]
    allowed, text = chosen(literals)
    if (allowed.chosen & matters & ~correct).any():
        return None
    for literal in list(literals):
        fewer = [other for other in literals if other != literal]
        found, written = chosen(fewer)
        if not (found.chosen & matters & ~correct).any():
            literals, allowed, text = fewer, found, written
    states = len(np.unique(edge_sources(space)[allowed.chosen & matters]))
    return len(literals), -states, text
