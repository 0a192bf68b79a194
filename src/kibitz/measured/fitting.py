"""Fit candidates to positions: rule lists whose moves have the highest values there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import Role
from kibitz.measured.candidates import Terms, Words
from kibitz.measured.players import Candidate, Ranks, Rule
from kibitz.measured.positions import Choices

MOST_RULES = 64
MOST_NEEDS, MOST_WANTS = 2, 3
"""The most conditions and preferences of one rule: more are hard to remember."""
_HOT, _COLD = 3e-3, 1e-4
"""How much worse a list may be that the search goes on from, at first and at last."""


@dataclass
class Examples:
    """Positions of all roles with what can be asked of their moves."""

    terms: Terms
    first: npt.NDArray[np.int64]
    bits: Words
    ranks: Ranks
    values: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    @classmethod
    def none(cls, terms: Terms) -> Examples:
        """Return no examples."""
        return cls(
            terms,
            np.zeros(1, dtype=np.int64),
            np.zeros(0, dtype=np.uint64),
            np.zeros((0, len(terms.preferences)), dtype=np.int16),
            np.zeros(0),
            np.zeros(0),
        )

    def __len__(self) -> int:
        return len(self.first) - 1

    def add(self, choices: Choices, role: Role) -> None:
        """Add positions of a role."""
        bits, ranks = self.terms.look(choices, role)
        self.first = np.concatenate([self.first, self.first[-1] + choices.first[1:]])
        self.bits = np.concatenate([self.bits, bits])
        self.ranks = np.concatenate([self.ranks, ranks])
        self.values = np.concatenate([self.values, choices.values])
        self.weights = np.concatenate([self.weights, choices.weights])

    def latest(self, positions: int) -> Examples:
        """Return the positions that were added last."""
        start = max(0, len(self) - positions)
        move = self.first[start]
        return Examples(
            self.terms,
            self.first[start:] - move,
            self.bits[move:],
            self.ranks[move:],
            self.values[move:],
            self.weights[start:],
        )

    def redrawn(self, seed: int) -> Examples:
        """Return the positions with weights as if they had been drawn again from themselves."""
        times = np.random.default_rng(seed).poisson(1.0, len(self))
        times[0] += not times.any()
        return replace(self, weights=self.weights * times)

    def marked(self) -> Examples:
        """Return the same positions whose moves have values drawn at random.

        Lists have the same score in them just if they choose the same moves: what moves are worth
        is an estimate, and lists that it holds for equal may not be.
        """
        return replace(self, values=np.random.default_rng(0).random(len(self.values)))

    def telling(self) -> list[int]:
        """Return the preferences that rank some moves of a position above others."""
        heads = np.repeat(self.first[:-1], np.diff(self.first))
        return np.flatnonzero((self.ranks != self.ranks[heads]).any(axis=0)).tolist()

    def score(self, candidate: Candidate) -> tuple[float, npt.NDArray[np.int64]]:
        """Return the mean value of a list's moves, and which rule decides in each position."""
        needs, wants = _as_numbers(self.terms, candidate, len(candidate))
        decider = np.empty(len(self), dtype=np.int64)
        score = core.function("lists_score")
        return score(
            self._context(self.ranks, wants, decider), needs, wants, len(candidate)
        ), decider

    def _context(
        self, ranks: Ranks, wants: npt.NDArray[np.int64], decider: npt.NDArray[np.int64]
    ) -> Struct:
        """Return what native loops take for these positions."""
        widest = int(np.diff(self.first).max(initial=1))
        return Struct(
            "examples", first=self.first, count=len(self), bits=self.bits, ranks=ranks,
            preferences=ranks.shape[1], values=self.values, weights=self.weights,
            slots=wants.shape[1], chosen=np.empty(widest, dtype=np.int64), decider=decider,
        )  # fmt: skip


def fit_list(
    examples: Examples,
    *,
    most: int,
    steps: int,
    price: float,
    seed: int,
    start: Candidate = (),
) -> Candidate:
    """Look for a list of at most so many rules whose moves are worth most in the examples.

    Each condition and each preference has a price, in points from 0 to 1.
    """
    terms = examples.terms
    needs, wants = _as_numbers(terms, start, most)
    # Preferences that say nothing here are not tried; those of the first list keep their places.
    used = {int(want) for want in wants.ravel() if want >= 0}
    tried = np.array(sorted({*examples.telling(), *used}), dtype=np.int64)
    place = np.full(len(terms.preferences) + 1, -1, dtype=np.int64)
    place[tried] = np.arange(len(tried))
    wants = place[wants]
    decider = np.empty(len(examples), dtype=np.int64)
    ranks = np.ascontiguousarray(examples.ranks[:, tried])
    rooms, slots = wants.shape
    walk = Struct(
        "walk", most=most, room=rooms, widest=MOST_NEEDS, conditions=len(terms.conditions),
        price=price, steps=steps, hot=_HOT, cooling=(_COLD / _HOT) ** (1 / steps),
        needs=np.zeros(2 * rooms, dtype=np.uint64),
        wants=np.zeros((2 * rooms, slots), dtype=np.int64),
    )  # fmt: skip
    rules = core.function("lists_anneal")(
        examples._context(ranks, wants, decider), walk, needs, wants, len(start),
        np.array([seed], dtype=np.uint64),
    )  # fmt: skip
    found = np.append(tried, -1)[wants[:rules]]
    return pruned(examples, _as_candidate(terms, needs[:rules], found))


def pruned(examples: Examples, candidate: Candidate) -> Candidate:
    """Leave out what changes no move in the examples: rules, conditions, preferences."""
    return shortened(examples.marked(), candidate, lambda score, own: score == own)


def shortened(
    examples: Examples, candidate: Candidate, is_as_good: Callable[[float, float], bool]
) -> Candidate:
    """Leave out parts one after the other where the score without them is as good as the own."""
    score, _ = examples.score(candidate)
    at = len(candidate) - 1
    while at >= 0:
        for shorter in _without_one(candidate, at):
            if is_as_good(examples.score(shorter)[0], score):
                candidate = shorter
                break
        else:
            at -= 1
        at = min(at, len(candidate) - 1)
    return candidate


def plainer(examples: Examples, candidate: Candidate) -> Candidate:
    """Put conditions that come earlier, and are easier to say, in the place of others if possible.

    Nothing may change in the examples.
    """
    marked = examples.marked()
    score, decider = marked.score(candidate)
    for at, rule in enumerate(candidate):
        for place, need in enumerate(rule.needs):
            for name in examples.terms.conditions[: examples.terms.conditions.index(need)]:
                needs = (*candidate[at].needs[:place], name, *candidate[at].needs[place + 1 :])
                changed = (
                    *candidate[:at],
                    Rule(needs, rule.wants),
                    *candidate[at + 1 :],
                )
                other, deciding = marked.score(changed)
                if other == score and np.array_equal(decider, deciding):
                    candidate = changed
                    break
    return candidate


def neighbours(
    examples: Examples, candidate: Candidate, *, most: int, count: int, drawn: int, seed: int
) -> list[Candidate]:
    """Return lists that differ in one thing: those that do best in the examples, the best first.

    Some of the others are drawn at random, since values of examples are estimates.
    """
    terms = examples.terms
    preferences = [terms.preferences[number] for number in examples.telling()]
    found: dict[Candidate, None] = {}
    for at, rule in enumerate(candidate):
        before, after = candidate[:at], candidate[at + 1 :]
        found.update(dict.fromkeys(_without_one(candidate, at)))
        changed = [
            Rule((*rule.needs, name), rule.wants)
            for name in terms.conditions
            if name not in rule.needs and len(rule.needs) < MOST_NEEDS
        ]
        for name in preferences:
            if name in rule.wants:
                continue
            for slot in range(len(rule.wants) + 1):
                if len(rule.wants) < MOST_WANTS:
                    wants = (*rule.wants[:slot], name, *rule.wants[slot:])
                    changed.append(Rule(rule.needs, wants))
                if slot < len(rule.wants):
                    wants = (*rule.wants[:slot], name, *rule.wants[slot + 1 :])
                    changed.append(Rule(rule.needs, wants))
        found.update(dict.fromkeys((*before, new, *after) for new in changed))
        if at:
            found[*candidate[: at - 1], rule, candidate[at - 1], *after] = None
    if len(candidate) < most:
        single = [Rule((name,)) for name in terms.conditions]
        single += [Rule((name,), (want,)) for name in terms.conditions for want in preferences]
        single += [Rule((), (want,)) for want in preferences]
        for at in range(len(candidate) + 1):
            for rule in single:
                found[*candidate[:at], rule, *candidate[at:]] = None
    found.pop(candidate, None)
    scores = {one: examples.score(one)[0] for one in found}
    own, _ = examples.score(candidate)
    other = [one for one in scores if scores[one] != own or size_of(one) < size_of(candidate)]
    other.sort(key=lambda one: -scores[one])
    rest = other[count:]
    chosen = np.random.default_rng(seed).permutation(len(rest))[:drawn]
    return other[:count] + [rest[number] for number in chosen]


def size_of(candidate: Candidate) -> int:
    """Return how much there is to remember: conditions, preferences, and rules."""
    return sum(1 + len(rule.needs) + len(rule.wants) for rule in candidate)


def _without_one(candidate: Candidate, at: int) -> list[Candidate]:
    """Return the lists without one rule, or without one of its conditions or preferences."""
    rule = candidate[at]
    before, after = candidate[:at], candidate[at + 1 :]
    shorter = [
        Rule((*rule.needs[:i], *rule.needs[i + 1 :]), rule.wants) for i in range(len(rule.needs))
    ] + [Rule(rule.needs, (*rule.wants[:i], *rule.wants[i + 1 :])) for i in range(len(rule.wants))]
    return [(*before, *after), *((*before, less, *after) for less in shorter)]


def _as_numbers(
    terms: Terms, candidate: Candidate, room: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return a list as the kernels read it, with room for more rules."""
    slots = max([MOST_WANTS, *(len(rule.wants) for rule in candidate)])
    room = max(room, len(candidate), 1)
    needs = np.zeros(room, dtype=np.uint64)
    wants = np.full((room, slots), -1, dtype=np.int64)
    for i, rule in enumerate(candidate):
        needs[i] = sum(1 << terms.conditions.index(name) for name in rule.needs)
        for j, name in enumerate(rule.wants):
            wants[i, j] = terms.preferences.index(name)
    return needs, wants


def _as_candidate(
    terms: Terms, needs: npt.NDArray[np.uint64], wants: npt.NDArray[np.int64]
) -> Candidate:
    """Return what the kernels found, by names; a preference that was asked before says nothing."""
    return tuple(
        Rule(
            tuple(name for i, name in enumerate(terms.conditions) if int(need) >> i & 1),
            tuple(dict.fromkeys(terms.preferences[want] for want in wanted if want >= 0)),
        )
        for need, wanted in zip(needs.tolist(), wants.tolist(), strict=True)
    )
