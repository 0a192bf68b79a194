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

    >>> from kibitz.gdl import parse
    >>> chains_of(parse("(after a b) (after b c) (pair u v) (pair u w)"))
    (('a', 'b', 'c'),)
    """
    after: dict[str, dict[str, str]] = {}
    broken: set[str] = set()
    for rule in sheet.rules:
        head = rule.head
        if rule.body or len(head.args) != 2 or head.relation in ("init", "legal", "does", "goal"):
            continue
        first, second = head.args
        if not isinstance(first, Function) or not isinstance(second, Function):
            continue
        following = after.setdefault(head.relation, {})
        if first.args or second.args or following.get(str(first), str(second)) != str(second):
            broken.add(head.relation)
        following[str(first)] = str(second)
    found: list[Chain] = []
    for relation, following in after.items():
        if relation in broken or len(set(following.values())) != len(following):
            continue
        for start in following.keys() - set(following.values()):
            chain = [start]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            if len(chain) > 2:
                found.append(tuple(chain))
    return tuple(sorted(set(found), key=lambda c: (-len(c), c)))
