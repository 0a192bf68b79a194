"""Find what to leave where play depends on a few numbers.

They are proved at once: no step leads from such numbers to such numbers, and from all others some
step does. Whether a step is possible depends on numbers only where they are smaller than the
longest step, so that all cases occur among the numbers below twice its length and the remainders.

Three kinds of play are known for every size: heaps of any kind, each with Grundy values of its own;
two numbers of which any number may be taken from one, or the same from both (Wythoff 1907); and
steps from a fixed list (`step_ideas`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import product

from kibitz.space import StateSpace
from kibitz.synth.insight.counters import (
    Axis,
    Counters,
    Vector,
    axes_of,
    counters_of,
    distances,
    ends_text,
    listed,
    named,
)
from kibitz.synth.insight.heaps import Heaps, Values, heap_values, is_tame, mex
from kibitz.synth.insight.ideas import MISERE, NIM_SUM, HoldsFor, Idea, heap_ideas, taking

_MOST_MODULUS = 8
_MOST_ALTERNATIVES = 3
_MOST_CASES = 200_000


def step_ideas(
    axes: list[Axis], options: dict[Vector, frozenset[Vector]], *, misere: bool = False
) -> Iterator[Idea]:
    """Leave numbers with certain remainders, where moves are steps from a fixed list."""
    steps = {_less(vector, after) for vector, left in options.items() for after in left}
    tops = [max(vector[index] for vector in options) for index in range(len(axes))]
    if len(steps) > 24 or len(axes) > 3 or not all(sum(step) > 0 for step in steps):
        return
    for vector, left in options.items():
        ends = {_less(vector, step) for step in steps}
        if left != {end for end in ends if _is_within(end, tops)}:
            return
    sides = tuple(top + 1 for top in tops)
    found = None if misere else periodic_steps(frozenset(steps), sides)
    proof = None
    if found is not None:
        how = " or ".join("/".join(map(str, step)) for step in sorted(steps))
        bound = (
            f" of which there are {' by '.join(map(str, sides))}, or more by multiples of "
            f"{found[0]}"
            if _grows(steps)
            else ""
        )
        sizes = f"{listed(axes)}{bound}, as long as a move {_done(axes)} by {how}"
        sizes += f", {ends_text(axes)}" if ends_text(axes) else ""
        proof = HoldsFor(True, sizes)
    found = found or _rests_here(options, misere=misere)
    rule = None if found is None else _rest_rule(axes, *found)
    if rule is not None:
        reason = (
            "Whatever the opponent does then, these remainders change, and you can make them so "
            "again; so it is the opponent who first cannot move."
        )
        yield Idea((f"next {rule} => any",), (reason,) if proof else (), proof)


def _done(axes: list[Axis]) -> str:
    """Say what moves do to numbers."""
    if not any(axis.is_up for axis in axes):
        return "lessens them"
    return "raises them" if all(axis.is_up for axis in axes) else "brings them nearer to their ends"


def _rests_here(
    options: dict[Vector, frozenset[Vector]], *, misere: bool
) -> tuple[int, frozenset[Vector]] | None:
    """Return a modulus, and the remainders of all positions to leave that there are, of no others.

    Every option has a smaller sum.
    """
    cold: set[Vector] = set()
    for vector in sorted(options, key=sum):
        left = options[vector]
        if (left or not misere) and cold.isdisjoint(left):
            cold.add(vector)
    for modulus in range(2, _MOST_MODULUS + 1):
        rests = frozenset(_rest(vector, modulus) for vector in cold)
        if all((_rest(vector, modulus) in rests) == (vector in cold) for vector in options):
            return modulus, rests
    return None


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


def _rest_rule(axes: list[Axis], modulus: int, rests: frozenset[Vector]) -> str | None:
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
        if len(places) == modulus:
            continue
        turned = sorted((axis.end - p if axis.is_up else axis.end + p) % modulus for p in places)
        kinds = " or ".join(f"{axis.text} % {modulus} = {place}" for place in turned)
        said.append(f"({kinds})" if len(turned) > 1 else kinds)
    return " and next ".join(said) or None


def counter_ideas(space: StateSpace) -> Iterator[Idea]:
    """Walk the rules for games of a few numbers, those first that are proved for every size.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> next(counter_ideas(explore(CompiledGame(load_sheet("nim:2,3"))))).rules
    ('next number((heap a _)) = number((heap b _)) => any',)
    """
    checked_here: list[Idea] = []
    for counters in counters_of(space):
        if len(counters.texts) == 1:
            yield from _one_number(counters)
            yield from _shares(counters)
            continue
        axes = axes_of(counters)
        options = {
            distances(axes, vector): frozenset(distances(axes, after) for after in left)
            for vector, left in counters.options.items()
        }
        yield from _heap_sum(axes, options, misere=counters.misere)
        if not counters.misere:
            yield from _wythoff(axes, options)
        for idea in step_ideas(axes, options, misere=counters.misere):
            if idea.proof is None:
                checked_here.append(idea)
            else:
                yield idea
    yield from checked_here


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
    (axis,) = axes_of(counters)
    numbers = {vector[0]: {after[0] for after in left} for vector, left in counters.options.items()}
    ends = [number for number, left in numbers.items() if not left]
    if not ends:
        return
    beyond = min(ends) if axis.is_up else max(ends)
    for end in dict.fromkeys((axis.end, beyond)):
        here = Axis(axis.text, end, axis.is_up)
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
                named(here),
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


def _shares(counters: Counters) -> Iterator[Idea]:
    """Walk the rules for one number of which a share may be taken: at most half, or a divisor.

    From 2n + 1 at most half leads to anything from n + 1 on, so that the next number to leave after
    n is 2n + 1. An odd number has odd divisors alone, and 1 may be taken from an even one.
    """
    numbers = {n: {after for (after,) in left} for (n,), left in counters.options.items()}
    if counters.misere or min(numbers) < 0:
        return
    text = counters.texts[0]
    name = named(axes_of(counters)[0])
    back = "no longer, and you can make it one again"
    if all(left == set(range(n - n // 2, n)) for n, left in numbers.items()):
        why = f"Whatever the opponent takes, the number is one less than a power of two {back}."
        sizes = f"every number in {name}, as long as at most half of it may be taken"
        rule = f"next xor({text}, {text} + 1) = {text} + {text} + 1 => any"
        yield Idea((rule,), (why,), HoldsFor(True, sizes))
    if all(left == {n - d for d in range(1, n) if n % d == 0} for n, left in numbers.items()):
        why = (
            "An odd number has odd divisors alone, so that whatever the opponent takes leaves an "
            "even one, from which you can take 1; the last number, 1, is odd."
        )
        sizes = f"every number in {name}, as long as a divisor that is smaller may be taken"
        yield Idea((f"next {text} % 2 = 1 => any",), (why,), HoldsFor(True, sizes))


def _heap_sum(
    axes: list[Axis], options: dict[Vector, frozenset[Vector]], *, misere: bool
) -> Iterator[Idea]:
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
        up = axis.is_up
        kinds.append(Heaps(axis.name, 1, 1, most, takes, misere=False, is_up=up, text=axis.text))
    for vector, left in options.items():
        if len(left) != sum(len(changes[i][n]) for i, n in enumerate(vector)):
            return
    values = [heap_values(kind) for kind in kinds]
    known = [value for value in values if value is not None and not value.start]
    if len(known) < len(axes):
        return
    idea = _sum_idea(axes, kinds, known)
    if not misere:
        yield idea
    elif all(map(is_tame, kinds, known)):
        rules = (f"next {_few_left(axes, known)} => any", *idea.rules)
        yield Idea(rules, MISERE, idea.proof)


def _few_left(axes: list[Axis], values: list[Values]) -> str:
    """Write that all values are 0 or 1, and an odd number of them 1."""
    terms = [_valued(axis, value) for axis, value in zip(axes, values, strict=True)]
    if len(terms) == 2:
        one, other = axes
        if one.is_up == other.is_up and all(value.is_identity for value in values):
            total = one.end + other.end + (-1 if one.is_up else 1)
            return f"{one.text} + {other.text} = {total}"
        return f"{terms[0]} + {terms[1]} = 1"
    joined = reduce(lambda one, other: f"xor({one}, {other})", terms)
    return " and next ".join([*(f"{term} < 2" for term in terms), f"{joined} = 1"])


def _sum_idea(axes: list[Axis], kinds: list[Heaps], values: list[Values]) -> Idea:
    alike = len({(kind.takes, value.period) for kind, value in zip(kinds, values, strict=True)})
    if len(axes) == 2 and alike == 1:
        rule, what = _equal(axes, values[0])
        reason = (
            f"A move changes one of the two, so that {what} no longer; and then you can make it so "
            "again on the other side. At the end it is so, and the opponent is the first who "
            "cannot move."
        )
    elif len(axes) == 2:
        one, other = (_valued(axis, value) for axis, value in zip(axes, values, strict=True))
        rule = f"{one} = {other}"
        reason = (
            "A move changes the value of one of the two, so that they are equal no longer; and "
            "then you can make them equal again. At the end they are, and the opponent is the "
            "first who cannot move."
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
        each = f"{takings[0]} {'to' if axes[0].is_up else 'from'} any one of them"
    else:
        each = " and ".join(
            f"{taking(kind)} {'to' if axis.is_up else 'from'} {named(axis)}"
            for axis, kind in zip(axes, kinds, strict=True)
        )
    ends = ends_text(axes)
    until = f"while there is room {ends}" if ends else "while there is enough"
    sizes = f"{listed(axes)}, as long as {each} {until}"
    return Idea((f"next {rule} => any",), (reason,), HoldsFor(True, sizes))


def _equal(axes: list[Axis], values: Values) -> tuple[str, str]:
    """Write that two distances have the same value, and say it."""
    one, other = axes
    plain = one.is_up == other.is_up and one.end == other.end
    first, second = (one.text, other.text) if plain else (one.term, other.term)
    period = len(values.period)
    if values.is_identity:
        if plain or one.is_up != other.is_up:
            return f"{first} = {second}", "they are as far from the end"
        high, low = (one, other) if one.end > other.end else (other, one)
        return f"{high.text} - {low.text} = {high.end - low.end}", "they are as far from the end"
    if values.period == tuple(range(period)):
        return f"{first} % {period} = {second} % {period}", f"they leave the same rest by {period}"
    return f"{_valued(one, values)} = {_valued(other, values)}", "they have the same value"


def _valued(axis: Axis, values: Values) -> str:
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


def _wythoff(axes: list[Axis], options: dict[Vector, frozenset[Vector]]) -> Iterator[Idea]:
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

    def back(axis: Axis, distance: int) -> int:
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
    ends = ends_text(axes)
    sizes = (
        f"{listed(axes)}, as long as any number may be {'added to' if one.is_up else 'taken from'} "
        f"one of them, or the same {'to' if one.is_up else 'from'} both"
        f"{f', {ends}' if ends else ''}; the next pair always has the "
        f"{'largest' if one.is_up else 'smallest'} number that is in none yet, and a difference "
        "one larger than the pair before"
    )
    rule = f"next {one.text} = entry({other.text}, {entries}) => any"
    yield Idea((rule,), (reason,), HoldsFor(True, sizes))
