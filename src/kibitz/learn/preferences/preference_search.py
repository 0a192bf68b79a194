"""Find the smallest preferences that respect ordered examples.

Each step tries every change of one constraint at once, as one sum of arrays, and makes the best
that was not undone recently.

Every weak constraint that the bias allows is counted once in every state of the examples. The rest
is arithmetic: an example is the difference between two rows of counts, and the search is for
constraints with weights and priorities whose sums are below zero at the highest priority at which
they are not zero. clingo chooses; it gets examples only when they turn out to be violated, so it
sees few of many. Examples that differ in no count clash at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import clingo
import numpy as np
import numpy.typing as npt

from kibitz.budget import is_over
from kibitz.gdl import Function, RuleSheet
from kibitz.learn.preferences.bias import Bias, Body, constraint_bodies, invented_rules, programs
from kibitz.learn.preferences.preferences import Facts, Preferences, Weak, counts

Chosen = dict[int, tuple[int, int]]
"""The weight and priority of each selected constraint, by its number."""

Ints = npt.NDArray[np.int64]

_WORK = 4_000_000_000
"""How many numbers to process where no time is given."""


@dataclass
class _State:
    rows: npt.NDArray[np.int32]
    price: Ints
    lengths: Ints
    levels: int
    sums: Ints
    chosen: Chosen

    def put(self, column: int, option: tuple[int, int] | None) -> None:
        """Give a constraint another weight and priority, or remove it."""
        old = self.chosen.pop(column, None)
        if old is not None:
            self.sums[:, old[1] - 1] -= old[0] * self.rows[:, column]
        if option is not None:
            self.sums[:, option[1] - 1] += option[0] * self.rows[:, column]
            self.chosen[column] = option

    def broken(self) -> int:
        """Return the cost of the examples that are not in order."""
        return int(self.price[~self._right(0)].sum())

    def size(self) -> int:
        return int(self.lengths[list(self.chosen)].sum())

    def _right(self, above: int) -> npt.NDArray[np.bool_]:
        """Return which examples the priorities up to the lowest `levels - above` put in order."""
        right = np.zeros(len(self.rows), dtype=bool)
        for level in range(self.levels - above):
            sums = self.sums[:, level]
            right = (sums < 0) | ((sums == 0) & right)
        return right

    def prices(self, level: int, weight: int) -> Ints:
        """Return the cost after adding each constraint, with each priority and weight."""
        undecided = np.ones(len(self.rows), dtype=bool)
        for higher in range(level, self.levels):
            undecided &= self.sums[:, higher] == 0
        decided = np.zeros(len(self.rows), dtype=bool)
        for higher in range(level, self.levels):
            sums = self.sums[:, higher]
            decided = (sums < 0) | ((sums == 0) & decided)
        fixed = int(self.price[~undecided & ~decided].sum())
        here = np.flatnonzero(undecided)
        below = self._right(self.levels - level + 1)[here]
        after = self.sums[here, level - 1][:, None] + weight * self.rows[here]
        wrong = (after > 0) | ((after == 0) & ~below[:, None])
        return np.asarray(fixed + self.price[here] @ wrong, dtype=np.int64)


def descend(
    rows: npt.NDArray[np.int32],
    price: Ints,
    lengths: Ints,
    *,
    weights: Sequence[int],
    levels: int,
    deadline: float = math.inf,
    scale: int = 1,
) -> tuple[Chosen, int]:
    """Search for a choice of low cost: `scale` times that of violated examples, plus its length.

    Returns the best choice and the cost of what it violates. The steps are the same each time; how
    many there are depends on the size of the arrays, and on the deadline if there is one.

    >>> rows = np.array([[-1, 1], [0, -1]], dtype=np.int32)
    >>> ones = np.ones(2, dtype=np.int64)
    >>> descend(rows, ones, ones, weights=(1,), levels=2, scale=9)[1]
    0
    """
    state = _State(rows, price, lengths, levels, np.zeros((len(rows), levels), np.int64), {})
    source = np.random.default_rng(1)
    tabu = np.zeros(rows.shape[1], dtype=np.int64)
    best: Chosen = {}
    best_cost = scale * state.broken()
    best_broken = state.broken()
    step = stale = 0
    most = 20_000
    if deadline == math.inf:
        most = min(most, max(100, _WORK // max(1, rows.size * levels * len(weights))))
    while not is_over(deadline) and stale < 1000 and step < most:
        step += 1
        stale += 1
        size = state.size()
        moves: list[tuple[float, int, tuple[int, int] | None]] = []
        free = np.ones(rows.shape[1], dtype=bool)
        free[list(state.chosen)] = False
        open_ = free & (tabu <= step)
        if open_.any():
            for level in range(1, levels + 1):
                for weight in weights:
                    costs = scale * state.prices(level, weight) + size + lengths
                    noise = source.random(len(costs))
                    column = int(np.argmin(np.where(open_, costs + 0.5 * noise, np.inf)))
                    moves.append((float(costs[column]), column, (weight, level)))
        for column in [c for c in state.chosen if tabu[c] <= step]:
            old = state.chosen[column]
            options = [None, *((w, p) for w in weights for p in range(1, levels + 1))]
            for option in options:
                if option == old:
                    continue
                state.put(column, option)
                moves.append((float(scale * state.broken() + state.size()), column, option))
            state.put(column, old)
        if not moves:
            continue
        cost, column, option = min(moves, key=lambda move: move[0] + 0.5 * source.random())
        state.put(column, option)
        tabu[column] = step + 3 + int(source.integers(0, 8))
        if cost < best_cost:
            best, best_cost, best_broken, stale = dict(state.chosen), int(cost), state.broken(), 0
    return best, best_broken


CONFLICTS = 200_000
"""The conflicts that learning may use where no time is given."""
UNBOUNDED = (1 << 32) - 2
_ASKING = 100
"""The cost of a call of clingo in conflicts, even if it has none."""
_BATCH = 8
_MANY = 5000


@dataclass(frozen=True)
class OrderedExample:
    """The state after a better move, and the state after a worse one."""

    better: frozenset[Function]
    worse: frozenset[Function]
    text: str = ""
    weight: int = 1
    state: str = ""
    """Where the choice is."""


@dataclass(frozen=True)
class Learned:
    """Result of a search: the learned preferences, or the examples that clash."""

    preferences: Preferences | None
    is_smallest: bool
    examples: int
    broken: tuple[OrderedExample, ...] = ()
    seen: int = 0
    candidates: int = 0
    seconds: float = field(default=0.0, compare=False)
    conflicts: int = 0
    """The cost of clingo's search, which is the same on any machine."""
    time_ended: bool = False
    """Whether time ended it: another run may learn more."""


def learn_preferences(
    sheet: RuleSheet,
    examples: Sequence[OrderedExample],
    bias: Bias,
    *,
    with_noise: bool = False,
    seconds: float | None = None,
    conflicts: int = CONFLICTS,
    progress: Callable[[str], None] | None = None,
) -> Learned:
    """Find preferences that order all examples, with the fewest literals.

    With noise, an example may be violated at the cost of its weight, in literals. The search is
    limited by `seconds`, or, if none are given, by conflicts of clingo's search, which gives the
    same result on any machine. Where they run out, the result is the best so far, not called
    smallest, or None if nothing was found.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.learn.preferences.bias import read_bias
    >>> good, bad = (frozenset(parse_terms(t)) for t in ("(heap a 0)", "(heap a 1)"))
    >>> bias = read_bias("#modeo(1, next(heap(a,const(n)))). #constant(n,0). #constant(n,1).")
    >>> found = learn_preferences(load_sheet("nim:1,2"), [OrderedExample(good, bad)], bias)
    >>> found.preferences.size, found.is_smallest
    (1, True)
    """
    began = time.monotonic()
    deadline = math.inf if seconds is None else began + seconds
    left = UNBOUNDED if seconds is not None else conflicts
    time_ended = False
    bodies = constraint_bodies(bias)
    best: Learned | None = None
    states = list(dict.fromkeys(s for e in examples for s in (e.better, e.worse)))
    row = {state: i for i, state in enumerate(states)}
    pairs = np.array([(row[e.better], row[e.worse]) for e in examples]).reshape(-1, 2)
    for rules in programs(invented_rules(bias)):
        background = "\n".join(filter(None, (bias.background, *rules)))
        facts = Facts(sheet, background)
        if bias.heads and not _is_worth_it(facts, bodies, states):
            continue
        table = counts(bodies, facts.columns(states), len(states))
        search = _Search(bodies, table, pairs, examples, bias, conflicts=left)
        found = search.run(background, with_noise=with_noise, deadline=deadline, progress=progress)
        left, time_ended = search.conflicts, time_ended or search.time_ended
        if found.preferences is not None or best is None:
            best = found
        if found.preferences is not None or is_over(deadline) or left <= 0:
            break
    assert best is not None
    return Learned(
        best.preferences,
        best.is_smallest,
        len(examples),
        best.broken,
        best.seen,
        len(bodies),
        time.monotonic() - began,
        0 if seconds is not None else conflicts - left,
        time_ended,
    )


def _is_worth_it(
    facts: Facts, bodies: Sequence[Body], states: Sequence[frozenset[Function]]
) -> bool:
    """Return whether invented rules derive anything in some of the states."""
    few = states[:: max(1, len(states) // 8)]
    table = counts(bodies, facts.columns(few), len(few))
    return bool((table != table[0]).any())


class _Search:
    def __init__(
        self,
        bodies: Sequence[Body],
        table: npt.NDArray[np.int32],
        pairs: npt.NDArray[np.int64],
        examples: Sequence[OrderedExample],
        bias: Bias,
        *,
        conflicts: int,
    ) -> None:
        self.bias, self.examples = bias, examples
        self.conflicts = conflicts
        """How many are left."""
        self.time_ended = False
        difference = table[pairs[:, 0]] - table[pairs[:, 1]]
        self.rows, first, inverse = np.unique(
            difference, axis=0, return_index=True, return_inverse=True
        )
        self.first = first
        self.price = np.zeros(len(self.rows), dtype=np.int64)
        np.add.at(self.price, inverse.reshape(-1), [e.weight for e in examples])
        kept: dict[bytes, int] = {}
        for column in range(len(bodies)):  # Short ones come first, and represent equal ones.
            values = self.rows[:, column]
            if values.any():
                kept.setdefault(values.tobytes(), column)
        self.columns = list(kept.values())
        self.bodies = [bodies[column] for column in self.columns]
        self.rows = np.ascontiguousarray(self.rows[:, self.columns])
        self.control = clingo.Control(["--warn=none", "--opt-mode=opt"])
        self.added: list[int] = []

    def run(
        self,
        background: str,
        *,
        with_noise: bool,
        deadline: float,
        progress: Callable[[str], None] | None,
    ) -> Learned:
        blank = np.flatnonzero(~self.rows.any(axis=1))
        if len(blank) and not with_noise:
            return self._failed(blank)
        if progress:
            progress(f"{len(self.rows):,} examples, {len(self.bodies):,} candidates: guessing")
        guess, guessed = self._guess(with_noise, deadline)
        if with_noise and len(self.rows) > _MANY:
            return self._done(self._make(guess, background), is_smallest=False)
        self._begin(with_noise)
        order = [i for i in np.argsort(-self.price, kind="stable") if i not in set(blank.tolist())]
        self._add([int(i) for i in order[:_BATCH]])
        best: Preferences | None = None
        lowest: float = float("inf")
        if with_noise or not guessed:
            best, lowest = self._make(guess, background), self._price(guess, self._broken(guess))
            self._limit(int(lowest))
        while True:
            if progress:
                progress(f"{len(self.added)} of {len(self.rows):,} examples: searching and proving")
            chosen, is_proved = self._solve(deadline)
            if chosen is None:
                if is_proved and best is None:
                    return self._failed(np.array(self._clash(deadline)))
                return self._done(best, is_smallest=is_proved)
            wrong = self._broken(chosen)
            price = self._price(chosen, wrong)
            if progress:
                progress(f"{len(self.added)} examples, {len(wrong)} broken")
            if (with_noise or not len(wrong)) and price < lowest:
                best, lowest = self._make(chosen, background), price
            fresh = [int(i) for i in wrong if i not in set(self.added) and self.rows[i].any()]
            if not fresh:
                return self._done(best, is_smallest=is_proved)
            if self._is_late(deadline):
                return self._done(best, is_smallest=False)
            fresh.sort(key=lambda i: -int(self.price[i]))
            self._add(fresh[:_BATCH])

    def _guess(self, with_noise: bool, deadline: float) -> tuple[list[Weak], int]:
        """Search by small steps, without proof, for up to a share of the time."""
        lengths = np.array([len(body) for body in self.bodies], dtype=np.int64)
        left = deadline - time.monotonic()
        until = time.monotonic() + left * (0.9 if len(self.rows) > _MANY else 0.5)
        chosen, broken = descend(
            self.rows,
            self.price,
            lengths,
            weights=self.bias.weights,
            levels=self.bias.priorities,
            deadline=until,
            scale=1 if with_noise else 100,
        )
        self._is_late(until)
        return [Weak(self.bodies[c], w, p) for c, (w, p) in chosen.items()], broken

    def _limit(self, size: int) -> None:
        """Let clingo look only for something smaller."""
        self.control.add("limit", [], f":- #sum {{ L,C : use(C,_,_), body(C,L) }} >= {size}.")
        self.control.ground([("limit", [])])

    def _begin(self, with_noise: bool) -> None:
        weights = " ".join(f"weight({w})." for w in self.bias.weights)
        lines = [f"{weights} level(1..{self.bias.priorities})."]
        lines += [f"body({i},{len(body)})." for i, body in enumerate(self.bodies)]
        lines += [
            "{ use(C,W,P) : weight(W), level(P) } 1 :- body(C,_).",
            "used(P) :- use(_,_,P). :- used(P), P > 1, not used(P-1).",
            "#minimize { L,C : use(C,_,_), body(C,L) }.",
        ]
        self.with_noise = with_noise
        self.control.add("base", [], "\n".join(lines))
        self.control.ground([("base", [])])

    def _add(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.added.append(number)
            terms = ";".join(
                f"W*({int(d)}),{c},W : use({c},W,P)" for c, d in enumerate(self.rows[number]) if d
            )
            name = f"e{number}"
            lines = [
                f"#external checked({number}).",
                f"below({number},P) :- level(P), #sum {{ {terms} }} < 0.",
                f"even({number},P) :- level(P), #sum {{ {terms} }} = 0.",
                f"tied({number},{self.bias.priorities}).",
                f"tied({number},P-1) :- tied({number},P), even({number},P), P > 1.",
                f"right({number}) :- tied({number},P), below({number},P).",
            ]
            if self.with_noise:
                price = int(self.price[number])
                lines.append(f":~ not right({number}). [{price}@0, broken({number})]")
            else:
                lines.append(f":- checked({number}), not right({number}).")
            self.control.add(name, [], "\n".join(lines))
            self.control.ground([(name, [])])
            self.control.assign_external(clingo.Function("checked", [clingo.Number(number)]), True)

    def _solve(self, deadline: float) -> tuple[list[Weak] | None, bool]:
        """Return the best choice, and whether that is proved; None where none was found."""
        found: list[Weak] | None = None
        if not self._may_solve():
            return None, False
        with self.control.solve(async_=True, yield_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(0.1):
                    if self._is_late(deadline):
                        handle.cancel()
                        return found, False
                model = handle.model()
                if model is None:
                    is_proved = bool(handle.get().exhausted)
                    break
                found = [
                    Weak(self.bodies[c.number], w.number, p.number)
                    for c, w, p in (
                        symbol.arguments
                        for symbol in model.symbols(atoms=True)
                        if symbol.match("use", 3)
                    )
                ]
        self._count()
        return found, is_proved

    def _may_solve(self) -> bool:
        """Give clingo the conflicts that are left; return whether there are any."""
        solving = self.control.configuration.solve
        assert isinstance(solving, clingo.Configuration)
        solving.solve_limit = str(max(0, self.conflicts))
        return self.conflicts > 0

    def _count(self) -> None:
        """Subtract the cost of the last call of clingo from what is left."""
        self.conflicts -= _ASKING
        self.conflicts -= int(self.control.statistics["solving"]["solvers"]["conflicts"])

    def _is_late(self, deadline: float) -> bool:
        """Return whether to stop, and record whether that is because time is over."""
        self.time_ended |= time.monotonic() > deadline
        return is_over(deadline)

    def _sums(self, chosen: Sequence[Weak]) -> npt.NDArray[np.int64]:
        number = {id(body): i for i, body in enumerate(self.bodies)}
        sums = np.zeros((len(self.rows), self.bias.priorities), dtype=np.int64)
        for weak in chosen:
            column = self.bias.priorities - weak.priority
            sums[:, column] += weak.weight * self.rows[:, number[id(weak.body)]]
        return sums

    def _broken(self, chosen: Sequence[Weak]) -> npt.NDArray[np.int64]:
        """Return the examples that a choice does not order."""
        sums = self._sums(chosen)
        right = np.zeros(len(sums), dtype=bool)
        open_ = np.ones(len(sums), dtype=bool)
        for column in range(sums.shape[1]):
            right |= open_ & (sums[:, column] < 0)
            open_ &= sums[:, column] == 0
        return np.flatnonzero(~right)

    def _price(self, chosen: Sequence[Weak], wrong: npt.NDArray[np.int64]) -> int:
        return sum(len(weak.body) for weak in chosen) + int(self.price[wrong].sum())

    def _make(self, chosen: Sequence[Weak], background: str) -> Preferences:
        """Order constraints, and number the priorities that are in use from 1."""
        levels = sorted({weak.priority for weak in chosen})
        order = sorted(chosen, key=lambda weak: (-weak.priority, len(weak.body), weak.body.text))
        return Preferences(
            tuple(Weak(w.body, w.weight, levels.index(w.priority) + 1) for w in order), background
        )

    def _done(self, best: Preferences | None, *, is_smallest: bool) -> Learned:
        broken: tuple[OrderedExample, ...] = ()
        if best is not None:
            broken = self._texts(self._broken(best.constraints))
        return Learned(best, is_smallest, 0, broken, len(self.added))

    def _failed(self, numbers: npt.NDArray[np.int64]) -> Learned:
        return Learned(None, True, 0, self._texts(numbers), len(self.added))

    def _texts(self, numbers: npt.NDArray[np.int64]) -> tuple[OrderedExample, ...]:
        return tuple(self.examples[int(self.first[i])] for i in numbers)

    def _clash(self, deadline: float) -> list[int]:
        """Leave out examples as long as the others still clash."""
        kept = list(self.added)
        for number in list(kept):
            if self._is_late(deadline) or not self._may_solve():
                break
            atom = clingo.Function("checked", [clingo.Number(number)])
            self.control.assign_external(atom, False)
            if self.control.solve().unsatisfiable:
                kept.remove(number)
            else:
                self.control.assign_external(atom, True)
            self._count()
        return kept
