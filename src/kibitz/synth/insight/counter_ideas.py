"""StateSpace in, ideas out: what to leave where play depends on a few numbers alone.

Three kinds of play are known for every size: heaps of any kind, each with Grundy values of its own;
two numbers of which any number may be taken from one, or the same from both (Wythoff 1907); and
steps from a fixed list. Of these, positions to leave that depend on remainders are proved at once:
no step leads from one to another, and from any other position some step leads to one. Whether a
step is possible depends on numbers only where they are smaller than the longest step, so that all
cases occur among the numbers below twice its length and the remainders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product

from kibitz.space import StateSpace
from kibitz.synth.insight.counters import Counters, Vector, counters_of
from kibitz.synth.insight.heaps import Heaps, Values, heap_values, mex
from kibitz.synth.insight.ideas import NIM_SUM, HoldsFor, Idea, heap_ideas, taking

__all__ = ["cold_pairs", "counter_ideas", "periodic_steps"]

_MOST_MODULUS = 8
_MOST_ALTERNATIVES = 3
_MOST_CASES = 200_000


@dataclass(frozen=True, slots=True)
class _Axis:
    """A number as it is written, and where it ends; its distance from there is what counts."""

    text: str
    end: int
    is_up: bool

    def distance(self, number: int) -> int:
        return self.end - number if self.is_up else number - self.end

    @property
    def term(self) -> str:
        """The distance in the strategy language."""
        if self.is_up:
            return f"({self.end} - {self.text})"
        return f"({self.text} - {self.end})" if self.end else self.text

    @property
    def name(self) -> str:
        """What the number is called in a sentence."""
        if " - " in self.text:
            return "gaps"
        inner = self.text.rpartition("(")[2].rstrip(")")
        words = [word for word in inner.split() if word != "_"]
        return " ".join(words) if "(" in self.text else inner


def counter_ideas(space: StateSpace) -> Iterator[Idea]:
    """Walk the rules for games of a few numbers, all proved for every size.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> next(counter_ideas(explore(CompiledGame(load_sheet("nim:2,3"))))).rules
    ('next number((heap a _)) = number((heap b _)) => any',)
    """
    for counters in counters_of(space):
        if len(counters.texts) == 1:
            yield from _one_number(counters)
            continue
        axes = _axes(counters)
        options = {
            _seen(axes, vector): frozenset(_seen(axes, after) for after in left)
            for vector, left in counters.options.items()
        }
        if not counters.misere:
            yield from _heap_sum(axes, options)
            yield from _wythoff(axes, options)
            yield from _stepping(axes, options)


def _axes(counters: Counters) -> list[_Axis]:
    axes = []
    for index, text in enumerate(counters.texts):
        change = sum(
            after[index] - vector[index]
            for vector, left in counters.options.items()
            for after in left
        )
        numbers = [vector[index] for vector in counters.options]
        axes.append(_Axis(text, max(numbers) if change > 0 else min(numbers), change > 0))
    return axes


def _seen(axes: list[_Axis], vector: Vector) -> Vector:
    return tuple(axis.distance(number) for axis, number in zip(axes, vector, strict=True))


def _taken(options: dict[int, set[int]]) -> tuple[tuple[int, ...], bool] | None:
    """Return what may be taken from a number, and whether also more than there is."""
    if any(after >= number for number, left in options.items() for after in left):
        return None
    taken = {number: {number - after for after in left} for number, left in options.items()}
    every = set().union(*taken.values())
    if all(less == {k for k in every if k <= n} for n, less in taken.items()):
        return tuple(sorted(every)), False
    largest = taken[max(taken)]
    if all(less == ({min(k, n) for k in largest} if n else set()) for n, less in taken.items()):
        return tuple(sorted(largest)), True
    return None


def _one_number(counters: Counters) -> Iterator[Idea]:
    """Walk the rules for one number, which may end at several, as a race that runs past its end."""
    (axis,) = _axes(counters)
    numbers = {vector[0]: {after[0] for after in left} for vector, left in counters.options.items()}
    ends = [number for number, left in numbers.items() if not left]
    if not ends:
        return
    beyond = min(ends) if axis.is_up else max(ends)
    for end in dict.fromkeys((axis.end, beyond)):
        here = _Axis(axis.text, end, axis.is_up)
        options: dict[int, set[int]] = {}
        for number, left in numbers.items():
            place = max(0, here.distance(number))
            options.setdefault(place, set()).update(max(0, here.distance(n)) for n in left)
        found = _taken(options)
        if found is not None and found[0]:
            takes, is_clamped = found
            is_clamped |= any(here.distance(number) < 0 for number in numbers)
            most = max(options)
            is_any = takes == tuple(range(1, most + 1))
            heaps = Heaps(
                _listed([here]),
                1,
                1,
                most,
                None if is_any else takes,
                counters.misere,
                end,
                axis.is_up,
                is_clamped,
                axis.text,
            )
            yield from heap_ideas(heaps)
            return


def _heap_sum(axes: list[_Axis], options: dict[Vector, frozenset[Vector]]) -> Iterator[Idea]:
    """Leave numbers whose values cancel, where a move lessens one of them by what it allows."""
    changes: list[dict[int, set[int]]] = [
        {vector[index]: set() for vector in options} for index in range(len(axes))
    ]
    for vector, left in options.items():
        for after in left:
            changed = [index for index in range(len(axes)) if vector[index] != after[index]]
            if len(changed) != 1:
                return
            changes[changed[0]][vector[changed[0]]].add(after[changed[0]])
    kinds = []
    for index, axis in enumerate(axes):
        found = _taken(changes[index])
        if found is None or found[1]:
            return
        most = max(changes[index])
        is_any = found[0] == tuple(range(1, most + 1))
        takes = None if is_any else found[0]
        kinds.append(Heaps(axis.name, 1, 1, most, takes, misere=False, text=axis.text))
    for vector, left in options.items():
        if len(left) != sum(len(changes[i][n]) for i, n in enumerate(vector)):
            return
    values = [heap_values(kind) for kind in kinds]
    known = [value for value in values if value is not None and not value.start]
    if len(known) == len(axes):
        yield _sum_idea(axes, kinds, known)


def _sum_idea(axes: list[_Axis], kinds: list[Heaps], values: list[Values]) -> Idea:
    alike = len({(kind.takes, value.period) for kind, value in zip(kinds, values, strict=True)})
    if len(axes) == 2 and alike == 1:
        rule, what = _equal(axes, values[0])
        reason = (
            f"A move changes one of the two, so that {what} no longer; and then you can make it so "
            "again on the other side. At the end it is so, and the opponent is the first who "
            "cannot move."
        )
    else:
        terms = [_valued(axis, value) for axis, value in zip(axes, values, strict=True)]
        joined = reduce(lambda one, other: f"xor({one}, {other})", terms)
        rule = f"{joined} = 0"
        reason = (
            "A move changes one of the numbers, so it changes a nim-sum of 0; and from any other "
            "nim-sum one of them can be given the value that makes it 0 again. At the end it is 0, "
            f"so that the opponent is the first who cannot move. {NIM_SUM}"
        )
    takings = list(dict.fromkeys(taking(kind) for kind in kinds))
    if len(takings) == 1:
        each = f"{takings[0]} from any one of them"
    else:
        each = " and ".join(
            f"{taking(kind)} from {axis.name}" for axis, kind in zip(axes, kinds, strict=True)
        )
    sizes = f"all numbers in {_listed(axes)}, as long as {each} while there is enough"
    return Idea((f"next {rule} => any",), (reason,), HoldsFor(True, sizes))


def _listed(axes: list[_Axis]) -> str:
    fluents = [axis.name.partition(".")[0] for axis in axes]
    names = list(
        dict.fromkeys(
            axis.name if fluents.count(fluent) > 1 else fluent
            for axis, fluent in zip(axes, fluents, strict=True)
        )
    )
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _equal(axes: list[_Axis], values: Values) -> tuple[str, str]:
    """Write that two distances have the same value, and say it."""
    one, other = axes
    plain = one.is_up == other.is_up and one.end == other.end
    first, second = (one.text, other.text) if plain else (one.term, other.term)
    period = len(values.period)
    if values.is_identity:
        if plain or one.is_up != other.is_up:
            return f"{first} = {second}", "they are as far from the end"
        return f"{one.text} - {other.text} = {one.end - other.end}", "they are as far from the end"
    if values.period == tuple(range(period)):
        return f"{first} % {period} = {second} % {period}", f"they leave the same rest by {period}"
    return f"{_valued(one, values)} = {_valued(other, values)}", "they have the same value"


def _valued(axis: _Axis, values: Values) -> str:
    """Write the value of a number."""
    if values.is_identity:
        return axis.term
    size = len(values.period)
    rest = f"{axis.term} % {size}"
    if values.period == tuple(range(size)):
        return rest
    return f"entry({rest}, {', '.join(map(str, values.period))})"


def cold_pairs(most: int) -> dict[int, int]:
    """Return the partner of each number up to one in Wythoff's pairs, where it is within reach.

    >>> cold_pairs(7)
    {0: 0, 1: 2, 2: 1, 3: 5, 5: 3, 4: 7, 7: 4}
    """
    partner: dict[int, int] = {}
    used: set[int] = set()
    for difference in range(most + 1):
        least = mex(used)
        used |= {least, least + difference}
        if least + difference <= most:
            partner[least], partner[least + difference] = least + difference, least
    return partner


def _wythoff(axes: list[_Axis], options: dict[Vector, frozenset[Vector]]) -> Iterator[Idea]:
    """Leave a cold pair, where any number may be taken from one, or the same from both."""
    if len(axes) != 2:
        return
    for (a, b), left in options.items():
        expected = {
            *((a - k, b) for k in range(1, a + 1)),
            *((a, b - k) for k in range(1, b + 1)),
            *((a - k, b - k) for k in range(1, min(a, b) + 1)),
        }
        if left != expected:
            return
    most = max(max(vector) for vector in options)
    partner = cold_pairs(most)
    one, other = axes

    def back(axis: _Axis, distance: int) -> int:
        return axis.end - distance if axis.is_up else axis.end + distance

    table = {back(other, n): back(one, m) for n, m in partner.items()}
    if min(table) < 0:
        return
    entries = ", ".join(str(table.get(n, -1)) for n in range(max(table) + 1))
    reason = (
        "The pairs have every number once and every difference once. So a move, which keeps one "
        "number or the difference, never leads from a pair to a pair; and from any other position "
        "some move leads to one. The last of them is the end, so that the opponent is the first "
        "who cannot move."
    )
    sizes = (
        f"all numbers in {_listed(axes)}, as long as any number may be taken from one of them, or "
        "the same from both; the next pair always has the smallest number that is in none yet, and "
        "a difference one larger than the pair before"
    )
    rule = f"next {one.text} = entry({other.text}, {entries}) => any"
    yield Idea((rule,), (reason,), HoldsFor(True, sizes))


def _stepping(axes: list[_Axis], options: dict[Vector, frozenset[Vector]]) -> Iterator[Idea]:
    """Leave numbers with certain remainders, where moves are steps from a fixed list."""
    steps = {
        tuple(a - b for a, b in zip(vector, after, strict=True))
        for vector, left in options.items()
        for after in left
    }
    tops = [max(vector[index] for vector in options) for index in range(len(axes))]
    if len(steps) > 24 or len(axes) > 3 or not all(sum(step) > 0 for step in steps):
        return
    for vector, left in options.items():
        ends = {_less(vector, step) for step in steps}
        if left != {end for end in ends if _is_within(end, tops)}:
            return
    sides = tuple(top + 1 for top in tops)
    found = periodic_steps(frozenset(steps), sides)
    if found is None:
        return
    modulus, rests = found
    rule = _rest_rule(axes, modulus, rests)
    if rule is None:
        return
    reason = (
        "Whatever the opponent does then, these remainders change, and you can make them so again; "
        "so it is the opponent who first cannot move."
    )
    listed = " or ".join("/".join(map(str, step)) for step in sorted(steps))
    bound = (
        f" of which there are {' by '.join(map(str, sides))}, or more by multiples of {modulus}"
        if _grows(steps)
        else ""
    )
    sizes = f"all numbers in {_listed(axes)}{bound}, as long as a move lessens them by {listed}"
    yield Idea((f"next {rule} => any",), (reason,), HoldsFor(True, sizes))


def _grows(steps: Iterable[Vector]) -> bool:
    return any(part < 0 for step in steps for part in step)


def periodic_steps(steps: frozenset[Vector], sides: Vector) -> tuple[int, frozenset[Vector]] | None:
    """Return a modulus, and the remainders to leave that are proved for it; None if there is none.

    A step lessens numbers, which stay from 0 on, and lessens their sum. Where it makes one larger,
    there are only so many numbers as `sides` says, or more by multiples of the modulus.

    >>> periodic_steps(frozenset({(1, 0), (0, 1), (1, 1)}), (8, 8))
    (2, frozenset({(0, 0)}))
    """
    reach = max(abs(part) for step in steps for part in step)
    axes = len(sides)
    for modulus in range(2, _MOST_MODULUS + 1):
        most = 2 * reach + 2 * modulus
        if most**axes * len(steps) > _MOST_CASES:
            return None
        cold = _cold(steps, [most] * axes)
        rests = frozenset(r for r in product(range(modulus), repeat=axes) if r in cold)
        if any(_rest(_less(r, step), modulus) in rests for r in rests for step in steps):
            continue
        boards: list[tuple[int, ...]] = [(most,)] * axes
        if _grows(steps):
            boards = [
                tuple(
                    n
                    for n in range(min(side, most - modulus + 1), most + 1)
                    if (n - side) % modulus == 0
                )
                for side in sides
            ]
        if all(
            _leads_back(steps, modulus, rests, tuple(n - 1 for n in board))
            for board in product(*boards)
        ):
            return modulus, rests
    return None


def _leads_back(
    steps: frozenset[Vector], modulus: int, rests: frozenset[Vector], tops: Vector
) -> bool:
    """Return whether from every position that is not to be left some step leads to one that is."""
    return all(
        _rest(vector, modulus) in rests
        or any(
            _is_within(after, tops) and _rest(after, modulus) in rests
            for after in (_less(vector, step) for step in steps)
        )
        for vector in product(*(range(top + 1) for top in tops))
    )


def _cold(steps: frozenset[Vector], tops: list[int]) -> set[Vector]:
    """Return the positions from which whoever moves loses, on a board with these bounds."""
    cold: set[Vector] = set()
    for vector in sorted(product(*(range(top + 1) for top in tops)), key=sum):
        if not any(_less(vector, step) in cold for step in steps):
            cold.add(vector)
    return cold


def _less(vector: Vector, step: Vector) -> Vector:
    return tuple(a - b for a, b in zip(vector, step, strict=True))


def _rest(vector: Vector, modulus: int) -> Vector:
    return tuple(n % modulus for n in vector)


def _is_within(vector: Vector, tops: list[int] | Vector) -> bool:
    return all(0 <= n <= top for n, top in zip(vector, tops, strict=True))


def _rest_rule(axes: list[_Axis], modulus: int, rests: frozenset[Vector]) -> str | None:
    """Write that distances have some of these remainders, if that can be said shortly."""
    totals = {sum(rest) % modulus for rest in rests}
    if len(rests) == modulus ** (len(axes) - 1) and len(totals) == 1:
        total = " + ".join(axis.term for axis in axes)
        return f"({total}) % {modulus} = {totals.pop()}"
    singles = [sorted({rest[index] for rest in rests}) for index in range(len(axes))]
    if len(rests) != len(set(product(*singles))) or max(map(len, singles)) > _MOST_ALTERNATIVES:
        return None
    said = []
    for axis, places in zip(axes, singles, strict=True):
        turned = sorted((axis.end - p if axis.is_up else axis.end + p) % modulus for p in places)
        kinds = " or ".join(f"{axis.text} % {modulus} = {place}" for place in turned)
        said.append(f"({kinds})" if len(turned) > 1 else kinds)
    return " and next ".join(said)
