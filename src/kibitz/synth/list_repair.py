"""A rule list that may err in, a Repair out: the fewest edits that make it perfect.

An edit drops a rule, moves one, replaces one, or adds one. Edits are tried by their number. A list
that errs has a *counterexample*: a line of play to a state in which it errs. A list that is
right must decide otherwise somewhere on that line, and so an added rule must be right in one of
its states; that leaves few of all rules that can be written. Every list of one edit is tried or
excluded in this way, and where time allows it every list of two, so that a repair of two or three
edits may be known to be a smallest one, among rules of the vocabulary.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kibitz.engine import Role
from kibitz.errors import InputError, KibitzError
from kibitz.solve import Solution, keeping_edges
from kibitz.space import StateId
from kibitz.strategy import Strategy, Verdict, read_strategy, verify
from kibitz.synth.repair_rules import Edit, RepairRules, repaired_text
from kibitz.synth.repair_search import RepairSearch

__all__ = ["Edit", "Repair", "best_place", "repair", "repaired_text"]

Report = Callable[[str], None]

_LISTS_A_SECOND = 5_000
"""Half of what is tried in a second on one core: the rest is for more edits."""


@dataclass(frozen=True)
class Repair:
    """A list that is perfect, the edits that lead to it one after another, and their proof.

    No list of fewer than `lower_bound` edits is perfect, if added and changed rules are taken from
    `candidates` rules that `vocabulary` describes.
    """

    role: Role
    strategy: Strategy
    before: Verdict
    verdict: Verdict
    edits: tuple[Edit, ...]
    lower_bound: int
    vocabulary: str
    candidates: int
    tried: int
    seconds: float
    time_ended: bool = False
    """Whether time cut the search short: another run may find fewer edits."""

    @property
    def proved_smallest(self) -> bool:
        """Whether no smaller edit over the vocabulary makes the list perfect."""
        return self.lower_bound >= len(self.edits)

    @property
    def bound_text(self) -> str:
        """Describe what is known of smaller edits."""
        if not self.edits:
            return "nothing to repair"
        if len(self.edits) == 1:
            return "no smaller edit exists"
        if self.proved_smallest:
            return f"no smaller edit exists among {self.vocabulary}"
        if self.lower_bound == 1:
            return "whether a smaller edit exists is not known"
        return f"at least {self.lower_bound} edits are needed among {self.vocabulary}"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "role": self.role,
            "strategy": self.strategy.text,
            "edits": [edit.as_json() for edit in self.edits],
            "lower_bound": self.lower_bound,
            "proved_smallest": self.proved_smallest,
            "vocabulary": self.vocabulary,
            "candidates": self.candidates,
            "lists_tried": self.tried,
            "before": self.before.as_json(),
            "verdict": self.verdict.as_json(),
            "seconds": self.seconds,
            "time_ended": self.time_ended,
        }


def repair(
    strategy: Strategy,
    solution: Solution,
    role: Role,
    *,
    seconds: float = 30.0,
    report: Report | None = None,
) -> Repair:
    """Make a rule list perfect with the fewest edits.

    How many lists it tries depends on `seconds`, which only cut this short. The solution is one of
    all states. Raise KibitzError where no repair is found in time.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> given = read_strategy("(heap b 1) => (reduce b 0)\\ntrue => (reduce b 0)", game)
    >>> found = repair(given, solve(explore(game)), "player1")
    >>> [edit.sentence for edit in found.edits], found.proved_smallest
    (['Change rule 2 to: Reduce heap b to 1 if you can.'], True)
    """
    begin = time.perf_counter()
    if not strategy.is_list:
        raise InputError(f"{strategy.name} is not a rule list, so it cannot be repaired")
    if any(rule.is_locked for rule in strategy.rules_for(role)):
        raise InputError("rules in blocks cannot be repaired", hint="write the rules one per line")
    before = verify(strategy, solution, role)
    if before.perfect:
        return Repair(role, strategy, before, before, (), 0, "", 0, 0, 0.0)
    if report:
        report("collecting rules")
    pool = RepairRules(strategy, solution, role)
    lists = int(_LISTS_A_SECOND * seconds)
    search = RepairSearch(pool, begin + seconds, report or (lambda _: None), lists)
    steps, bound = search.run()
    made = read_strategy(
        repaired_text(strategy, [pool.texts[i] for i in steps[-1].order]),
        strategy.game,
        name=strategy.name,
    )
    verdict = verify(made, solution, role)
    if not verdict.perfect:
        raise KibitzError(
            f"the repaired list for {role} is refuted by the checker",
            hint="please report it with the command, the rules and the list",
        )
    return Repair(
        role,
        made,
        before,
        verdict,
        tuple(pool.edit(one, two) for one, two in pairwise(steps)),
        min(bound, len(steps) - 1),
        pool.vocabulary,
        len(pool.texts) - pool.given,
        search.tried,
        time.perf_counter() - begin,
        search.time_ended,
    )


def best_place(
    given: Strategy, rule: str, solution: Solution, role: Role, state: StateId
) -> tuple[int, bool]:
    """Return where in a list a rule leaves the fewest states in which it fails, the first such.

    Where the list fails in the given state, the rule must decide there. Return also whether the
    list then fails in more states than before, as one does whose other rules are wrong.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> given = read_strategy("true => (reduce b 0)", game)
    >>> best_place(given, "true => (reduce b 1)", solve(explore(game)), "player1", 0)
    (0, False)
    """
    rules = [known.text for known in given.rules_for(role)]
    space = solution.space
    decided = given.decide(space, role)
    chosen, decider = decided.arrays_on(space)
    edges = slice(space.first_edge[state], space.first_edge[state + 1])
    fails = len(decider) and (chosen[edges] & ~keeping_edges(solution)[edges]).any()
    last = int(decider[state]) if fails else len(rules)

    def failures(made: list[str]) -> int:
        text = repaired_text(given, made)
        verdict = verify(read_strategy(text, given.game), solution, role)
        return 0 if verdict.perfect else 1 + verdict.bad_states

    found = [failures([*rules[:place], rule, *rules[place:]]) for place in range(last + 1)]
    return found.index(min(found)), min(found) > failures(rules)
