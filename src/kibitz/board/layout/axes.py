"""Constants in, their order along an axis out: by successor facts, by number, or by letter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from kibitz.gdl import Function, RuleSheet

__all__ = ["Chain", "chains_of", "natural", "order_axis"]

Chain = tuple[str, ...]

_NUMBERED = re.compile(r"(.*?)(-?\d+)")


def order_axis(values: Collection[str], chains: Iterable[Chain] = ()) -> Chain | None:
    """Order constants that name places along a line; None if they do not seem to.

    >>> order_axis({"10", "9", "1"}), order_axis({"c2", "c10"}), order_axis({"x", "o", "b"})
    (('1', '9', '10'), ('c2', 'c10'), None)
    >>> order_axis({"two", "one"}, [("one", "two", "three")])
    ('one', 'two')
    """
    if not values:
        return None
    numbered = [_NUMBERED.fullmatch(value) for value in values]
    if all(numbered) and len({m[1] for m in numbered if m}) == 1:
        return tuple(sorted(values, key=lambda v: (int(_NUMBERED.fullmatch(v)[2]), v)))  # type: ignore[index]
    wanted = set(values)
    for chain in chains:
        if wanted <= set(chain):
            return tuple(value for value in chain if value in wanted)
    if all(len(v) == 1 and v.isalpha() for v in values):
        ordered = sorted(values, key=lambda v: (v.lower(), v))
        if ord(ordered[-1].lower()) - ord(ordered[0].lower()) == len(ordered) - 1:
            return tuple(ordered)
    return None


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """Return a key that sorts numbers in names as numbers.

    >>> sorted(["a10", "a9"], key=natural)
    ['a9', 'a10']
    """
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(p)) if p.isdecimal() and p.isascii() else (1, p) for p in parts)


def chains_of(sheet: RuleSheet) -> tuple[Chain, ...]:
    """Find chains of constants in facts such as (succ 1 2) (succ 2 3); the longest first.

    Facts may also name all pairs of a smaller and a larger constant.

    >>> from kibitz.gdl import parse
    >>> chains_of(parse("(after a b) (after b c) (pair u v) (pair u w)"))
    (('a', 'b', 'c'),)
    >>> chains_of(parse("(less a b) (less a c) (less b c)"))
    (('a', 'b', 'c'),)
    """
    linked: dict[str, set[tuple[str, str]]] = {}
    broken: set[str] = set()
    for rule in sheet.rules:
        head = rule.head
        if rule.body or len(head.args) != 2 or head.relation in ("init", "legal", "does", "goal"):
            continue
        if all(isinstance(arg, Function) and not arg.args for arg in head.args):
            linked.setdefault(head.relation, set()).add((str(head.args[0]), str(head.args[1])))
        else:
            broken.add(head.relation)
    found = {
        chain
        for relation, pairs in linked.items()
        if relation not in broken
        for chain in (_successions(pairs) or _orders(pairs))
        if len(chain) > 2
    }
    return tuple(sorted(found, key=lambda c: (-len(c), c)))


def _successions(pairs: set[tuple[str, str]]) -> list[Chain]:
    """Return the chains of pairs that link each constant to one, and to no two the same."""
    following = dict(pairs)
    if not len(following) == len(set(following.values())) == len(pairs):
        return []
    found = []
    for start in following.keys() - set(following.values()):
        chain = [start]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        found.append(tuple(chain))
    return found


def _orders(pairs: set[tuple[str, str]]) -> list[Chain]:
    """Return the one chain of pairs that are all of a smaller and a larger constant."""
    larger: dict[str, int] = {}
    for one, other in pairs:
        larger[one] = larger.get(one, 0) + 1
        larger.setdefault(other, 0)
    ordered = sorted(larger, key=lambda name: -larger[name])
    # As many pairs as an order has, each from left to right: then these are all.
    place = {name: index for index, name in enumerate(ordered)}
    is_order = 2 * len(pairs) == len(ordered) * (len(ordered) - 1)
    return [tuple(ordered)] if is_order and all(place[a] < place[b] for a, b in pairs) else []
