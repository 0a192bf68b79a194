"""Play, prune and write rule lists, from given rules if there are any."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, constant, function
from kibitz.engine import Move, Role
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.rows import row_words
from kibitz.strategy import And, Const, Formula, Holds, Not, Strategy, StrategyRule, write_rule
from kibitz.synth.problem.features import Feature
from kibitz.synth.problem.problem import ANY_OF_THEM, Problem

T = TypeVar("T")

NO_SILENCE, ANY_MOVE, ANY_SILENCE = range(3)
"""Where a list may say nothing: nowhere, where every move is correct, or anywhere (core.h)."""


@dataclass(frozen=True, slots=True, order=True)
class CandidateRule:
    """A rule as numbers: an orbit of moves, and literals for its standard move.

    A literal is twice an atom's number, plus one where it is negated.
    """

    orbit: int
    literals: tuple[int, ...] = ()

    def without(self, literal: int) -> CandidateRule:
        """Return the rule without one of its literals."""
        return CandidateRule(self.orbit, tuple(x for x in self.literals if x != literal))


def literals_of(problem: Problem, rule: CandidateRule) -> list[tuple[Function, bool]]:
    """Return the literals of a rule that are not features: atoms, and whether they must hold.

    Sorted by their text, those that hold first.
    """
    atoms = len(problem.atoms)
    found = [(problem.atoms[x >> 1], not x & 1) for x in rule.literals if x >> 1 < atoms]
    return sorted(found, key=lambda pair: (not pair[1], problem.game.write(pair[0])))


def features_of(problem: Problem, rule: CandidateRule) -> list[Feature]:
    """Return the features that a rule asks of its move."""
    atoms = len(problem.atoms)
    return [problem.features[(x >> 1) - atoms] for x in rule.literals if x >> 1 >= atoms]


def moves_of(problem: Problem, rule: CandidateRule) -> list[Move]:
    """Return the moves of a rule: one, two, or all that the role ever has."""
    moves = problem.orbit_moves[rule.orbit]
    if moves != ANY_OF_THEM:
        return [problem.moves[move] for move in moves]
    chosen = {problem.orbit_of[m] for m in problem.sit_move.tolist()}
    return [m for i, m in enumerate(problem.moves) if problem.orbit_of[i] in chosen]


class Bench:
    """Evaluates lists: where each rule applies, and where a list errs."""

    def __init__(
        self, problem: Problem, rules: Sequence[CandidateRule] = (), *, room: int = 0
    ) -> None:
        self.problem = problem
        self.arrays = problem.arrays
        self.table = self._table(max(room, len(rules), 1))
        self._rules: list[CandidateRule] = []
        self.put(rules)

    def _table(self, rules: int) -> Struct:
        """Make an empty list with room for a number of rules."""
        a, states, slots = self.arrays, len(self.problem), rules + 1
        words = row_words(int(np.diff(a.sit_first).max()))
        width = max(constant("MOST_LITERALS"), int(np.diff(a.usable_first).max()))
        orbit, size = np.zeros((2, slots), dtype=np.int32)
        queue, bad = np.zeros((2, states), dtype=np.int32)
        return Struct(
            "rule_table", on=a, slots=slots, width=width, words=words, orbit=orbit, size=size,
            literals=np.zeros((slots, width), dtype=np.int32),
            order=np.arange(slots, dtype=np.int32), version=np.ones(slots, dtype=np.int64),
            known=np.zeros((states, slots), dtype=np.int64),
            masks=np.zeros((slots, states, words), dtype=np.uint64),
            reached=np.zeros(states + 1, dtype=np.int64), queue=queue, bad=bad,
            weights=np.ones(states),
        )  # fmt: skip

    @property
    def rules(self) -> list[CandidateRule]:
        """The list in the table, which a search may have changed."""
        t = self.table
        self._rules = [
            CandidateRule(int(t.orbit[s]), tuple(sorted(map(int, t.literals[s, : t.size[s]]))))
            for s in t.order[: t.length]
        ]
        return list(self._rules)

    def put(self, rules: Iterable[CandidateRule]) -> None:
        """Set the list. What is known about rules that stay is kept."""
        wanted = list(rules)
        t = self.table
        if len(wanted) > len(t.order) - 1:
            weights = t.weights
            self.table = t = self._table(2 * len(wanted))
            t.weights = weights
            self._rules = []
        same = 0
        for old, new in zip(self._rules, wanted, strict=False):
            if old is not new:
                break
            same += 1
        free: dict[CandidateRule, list[int]] = {}
        slots = t.order.tolist()
        for slot, rule in zip(slots[same:], self._rules[same:], strict=False):
            free.setdefault(rule, []).append(slot)
        places = [free[rule].pop() if free.get(rule) else -1 for rule in wanted[same:]]
        taken = set(places)
        rest = [slot for slot in slots[same:] if slot not in taken]
        for i, rule in enumerate(wanted[same:]):
            if places[i] < 0:
                slot = places[i] = rest.pop()
                t.orbit[slot] = rule.orbit
                t.size[slot] = len(rule.literals)
                t.literals[slot, : len(rule.literals)] = rule.literals
                t.version[slot] += 1
        t.order[same:] = places + rest
        t.length = len(wanted)
        self._rules = wanted

    def errors(self, silence: int = ANY_MOVE, *, limit: float = 1e300) -> npt.NDArray[np.int32]:
        """Return the states in which the list errs, at least one if there are any."""
        count = function("situations_errors")(self.table, silence, limit)
        bad: npt.NDArray[np.int32] = self.table.bad[:count].copy()
        return bad

    def is_right(self, rules: Iterable[CandidateRule], silence: int = ANY_MOVE) -> bool:
        """Return whether a list never errs."""
        self.put(rules)
        return len(self.errors(silence, limit=0.5)) == 0

    def reached(self) -> npt.NDArray[np.int64]:
        """Return the states that the last list could reach."""
        stamps = self.table.reached
        return np.flatnonzero(stamps[:-1] == stamps[-1])

    def parents(self) -> dict[int, int]:
        """Return, for each state that play can reach with the list, a predecessor.

        Nearest first; -1 for the states in which play begins.
        """
        a, t = self.arrays, self.table
        self.errors(ANY_SILENCE)
        found = dict.fromkeys(a.roots.tolist(), -1)
        queue = list(found)
        for state in queue:
            place = self.first_rule(state)
            start, end = (int(x) for x in a.sit_first[state : state + 2])
            chosen = list(range(start, end))
            if place >= 0:
                mask = t.masks[t.order[place], state]
                chosen = [s for s in chosen if int(mask[(s - start) >> 6]) >> (s - start & 63) & 1]
            for sit in chosen:
                if place >= 0 and not all(a.sit_correct[s] for s in chosen):
                    continue
                for to in a.succ[a.succ_first[sit] : a.succ_first[sit + 1]].tolist():
                    if to not in found:
                        found[to] = state
                        queue.append(to)
        return found

    def first_rule(self, state: int) -> int:
        """Return the index of the rule that decides in a state; -1 if none does."""
        return int(function("situations_first_rule")(self.table, state, 0))

    def live(self) -> set[int]:
        """Return the indices of rules that decide in some state that matters."""
        live = np.zeros(self.table.length, dtype=np.uint8)
        function("situations_mark_live")(self.table, live)
        return set(np.flatnonzero(live).tolist())

    def pruned_errors(
        self, rules: Sequence[CandidateRule], silence: int = ANY_MOVE
    ) -> list[CandidateRule]:
        """Drop rules, then literals, of a list that errs, while it errs in no more states."""
        kept = list(rules)

        def count(tried: Sequence[CandidateRule]) -> int:
            self.put(tried)
            return len(self.errors(silence))

        least = count(kept)
        for place in reversed(range(len(kept))):
            shorter = [*kept[:place], *kept[place + 1 :]]
            if count(shorter) <= least:
                kept = shorter
        for place in range(len(kept)):
            for literal in kept[place].literals:
                shorter = [*kept[:place], kept[place].without(literal), *kept[place + 1 :]]
                if count(shorter) <= least:
                    kept = shorter
        return kept

    def pruned(
        self,
        rules: Sequence[CandidateRule],
        *,
        silence: int = ANY_MOVE,
        locked: int = 0,
        source: random.Random | None = None,
        prices: npt.NDArray[np.float64] | None = None,
    ) -> list[CandidateRule]:
        """Drop rules, then literals, while the list stays correct; expensive literals first."""
        source = source or random.Random(0)
        kept = list(rules)
        gone: set[int] = set()
        for place in shuffled(range(locked, len(kept)), source):
            shorter = [rule for i, rule in enumerate(kept) if i != place and i not in gone]
            if self.is_right(shorter, silence):
                gone.add(place)
        kept = [rule for i, rule in enumerate(kept) if i not in gone]
        pairs = [(i, x) for i in range(locked, len(kept)) for x in kept[i].literals]
        pairs = shuffled(pairs, source)
        if prices is not None:
            pairs.sort(key=lambda pair: -prices[kept[pair[0]].orbit, pair[1]])
        for place, literal in pairs:
            shorter = [*kept[:place], kept[place].without(literal), *kept[place + 1 :]]
            if self.is_right(shorter, silence):
                kept = shorter
        return kept


def shuffled(items: Iterable[T], source: random.Random) -> list[T]:
    """Return the items in random order."""
    result = list(items)
    source.shuffle(result)
    return result


def is_simple(rule: StrategyRule) -> bool:
    """Return whether a rule is an AND of fluents and negated fluents with one move, no more."""
    is_one = len(rule.choices) == 1 and len(rule.moves) == 1 and not rule.preferences
    return is_one and condition_literals(rule.condition) is not None


def start_features(strategy: Strategy, role: Role) -> list[Feature]:
    """Return the rules of a strategy that are not simple, unchanged."""
    found = strategy.rules_for(role)
    if not found:
        raise InputError(f"{strategy.name} is not a rule list", hint="write one rule per line")
    texts = [write_rule(rule.choices, rule.preferences) for rule in found if not is_simple(rule)]
    return [Feature(text, text, is_rule=True) for text in texts]


def start_rules(problem: Problem, strategy: Strategy) -> list[CandidateRule]:
    """Turn the rules of a strategy into numbers; raise if they err already.

    They err if, with optimal moves wherever they say nothing, they lead to a move that is not
    optimal. The problem has features for rules that are not simple.
    """
    rules: list[CandidateRule] = []
    plain = sum(not feature.is_rule for feature in problem.features)
    literal = 2 * (len(problem.atoms) + plain)
    for rule in strategy.rules_for(problem.role):
        if is_simple(rule):
            parts = condition_literals(rule.condition) or []
            literals = [2 * problem.atoms.index(fluent) + (not holds) for fluent, holds in parts]
            rules.append(_standard(problem, literals, problem.moves.index(rule.moves[0])))
        else:
            rules.append(CandidateRule(len(problem.orbit_moves) - 1, (literal,)))
            literal += 2
    bench = Bench(problem, rules)
    bad = bench.errors(ANY_SILENCE)
    if len(bad):
        raise InputError(
            f"{strategy.name} errs already, so nothing can be built on it",
            hint=_where(bench, int(bad[0])),
        )
    return rules


def _where(bench: Bench, state: int) -> str:
    """Show a state in which the rules err."""
    problem, write = bench.problem, bench.problem.game.write
    place = bench.first_rule(state)
    first, last = problem.arrays.sit_first[state : state + 2]
    correct = [
        write(problem.moves[problem.sit_move[s]])
        for s in range(first, last)
        if problem.arrays.sit_correct[s]
    ]
    return (
        f"rule {place + 1} plays a move that is not optimal in the state\n"
        f"    {problem.state(state)}\n  where these are: {' '.join(correct)}"
    )


def _standard(problem: Problem, literals: list[int], move: int) -> CandidateRule:
    """Return the image of a rule that plays the representative of its orbit of moves."""
    symmetry = problem.to_standard[move]
    carried = {2 * int(problem.fluent_images[symmetry, x >> 1]) + (x & 1) for x in literals}
    return CandidateRule(problem.orbit_of[move], tuple(sorted(carried)))


def condition_literals(condition: Formula) -> list[tuple[Function, bool]] | None:
    """Return the literals of a conjunction; None if it is something else."""
    match condition:
        case Const(True):
            return []
        case And(parts):
            inner = [condition_literals(part) for part in parts]
            return None if None in inner else [x for part in inner if part for x in part]
        case Holds(fluent):
            return [(fluent, True)]
        case Not(Holds(fluent)):
            return [(fluent, False)]
    return None
