"""Numbers that change by steps from a fixed list in, ideas out: which remainders to leave.

They are proved at once: no step leads from such numbers to such numbers, and from all others some
step does. Whether a step is possible depends on numbers only where they are smaller than the
longest step, so that all cases occur among the numbers below twice its length and the remainders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from kibitz.synth.insight.counters import Axis, Vector, ends_text, listed
from kibitz.synth.insight.ideas import HoldsFor, Idea

__all__ = ["periodic_steps", "step_ideas"]

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
