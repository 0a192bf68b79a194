"""Phrase what a move leaves, and read it back."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

_MOST = 3
"""Things that are listed one by one; more of them nobody remembers."""
_SO_ON = " and so on to "
_NUMBER = re.compile(r"\d+")


def list_briefly(things: list[str], between: str) -> str:
    """Join texts; of more than three that differ only by even steps of their numbers, the ends.

    >>> list_briefly(["2", "5", "8", "11"], ", "), list_briefly(["2", "5", "9", "11"], ", ")
    ('2, 5 and so on to 11', '2, 5, 9, 11')
    """
    brief = f"{between.join(things[:2])}{_SO_ON}{things[-1]}"
    return brief if len(things) > _MOST and _are_even(things) else between.join(things)


def list_in_full(text: str, between: str) -> list[str]:
    """Undo `list_briefly`.

    >>> list_in_full("box 1 with box 2; box 3 with box 4 and so on to box 7 with box 8", "; ")[2]
    'box 5 with box 6'
    """
    start, _, last = text.partition(_SO_ON)
    things = start.split(between)
    if not last or len(things) != 2:
        return things
    first, second = map(numbers_in, things)
    steps = [b - a for a, b in zip(first, second, strict=False)]
    here = second
    while here != numbers_in(last) and len(things) < _MOST_MEANT:
        here = [number + step for number, step in zip(here, steps, strict=True)]
        words = _NUMBER.split(last)
        things.append("".join(w + str(n) for w, n in zip(words, here, strict=False)) + words[-1])
    return things


_MOST_MEANT = 100
"""A text that names no end of its steps is read no further."""


def _are_even(things: list[str]) -> bool:
    """Return whether texts differ in their numbers alone, and these by the same steps."""
    numbers = [numbers_in(thing) for thing in things]
    steps = {tuple(b - a for a, b in zip(*pair, strict=False)) for pair in pairwise(numbers)}
    return len({_NUMBER.sub("#", thing) for thing in things}) == 1 and len(steps) == 1


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a text, by which such texts are sorted as people do."""
    return [int(number) for number in _NUMBER.findall(text)]


ATOM = r"(?:\((?:[^()]|\([^()]*\))*\)|[^\s(),]+)"
"""An argument of a fluent, or a fluent, as it is written inside a phrase."""

_SAID = r"(?:\((?:[^()]|\([^()]*\))*\)|(?:(?! is | and )[^(),])+?)"
"""The same, or words for it."""
_NAME = r"\w*[a-rtvwz]"
"""A name whose plural ends in s."""
_VALUE = r"\d+|(?:\d+ more than )?a multiple of \d+|an even number|an odd number"
_AFTER = "make a move after which "
_AND_AFTER = " and after which "
_AND_LEAVE = ", and leave "
_SAME = "the position looks the same after "
_PAIRS = re.compile(
    f"{_AFTER}the (smallest|largest) of the numbers in (?P<n>{_NAME}) is what (?P<t>[\\d-]+) has "
    f"for the difference of the number in (?P<a>{_SAID}) from the number in (?P<b>{_SAID})"
)
_PAIRS_LEFT = re.compile(
    f"leave one of the pairs (?P<t>[\\d/, ]+) of (?P<n>{_NAME})s in (?P<a>{_SAID}) "
    f"and (?P<b>{_SAID})"
)

_PARTNERS = re.compile(
    f"{_AFTER}the number in (?P<a>{_SAID}) is what (?P<t>[\\dx-]+) has for the number in "
    f"(?P<b>{_SAID})"
)
_PARTNERS_LEFT = re.compile(
    f"leave one of the pairs (?P<t>[\\d/, ]+) in (?P<a>{_SAID}) and (?P<b>{_SAID}), in either order"
)

_ONE_OF = re.compile(
    f"{_AFTER}the number in (?P<a>{_SAID}) is what (?P<t>[\\dx-]+) has for the number in (?P=a)"
)
_ONE_OF_LEFT = re.compile(
    f"leave one of the numbers (?P<t>[\\d, ]+(?: and so on to \\d+)?) in (?P<a>{_SAID})"
)

_ROOM = re.compile(f"the room from the number in (?P<a>{_SAID}) to the number in (?P<b>{_SAID})")
_ROOMS = "leave rooms with nim-sum 0: "

_HALF = re.compile(
    r"either (?P<a>.+?) is not (?P<x>empty|the opponent's) or (?P<b>.+?) is not "
    r"(?P<y>empty|the opponent's)"
)
_NO_HALF = "leave no pair that is half the opponent's and half empty: "

_LEAVING = (
    (
        f"{_AFTER}the largest of the numbers in {{n}} is less than 2 and after which the nim-sum "
        "of the numbers in {n} is 1",
        "leave only {n}s of one, and an odd number of them",
    ),
    (
        f"{_AFTER}the largest of the remainders by {{t}} of the numbers in {{n}} is less than 2 "
        "and after which the nim-sum of the remainders by {t} of the numbers in {n} is 1",
        "leave only {n}s whose remainders by {t} are 0 and 1, and an odd number of ones",
    ),
    (
        f"{_AFTER}the largest of the values {{t}} of the numbers in {{n}} is less than 2 and after "
        "which the nim-sum of the values {t} of the numbers in {n} is 1",
        "leave only {n}s that count 0 and 1, and an odd number of ones, where 0, 1, 2, … count {t} "
        "again and again",
    ),
    (
        f"{_AFTER}what the number in {{a}} exceeds the number in {{b}} by is {{d}}",
        "leave {d} more in {a} than in {b}",
    ),
    (
        f"{_AFTER}what the number in {{a}} exceeds the number in {{b}} by is {{v}}",
        "leave a number in {a} that exceeds the one in {b} by {v}",
    ),
    (
        f"{_AFTER}either the number in {{a}} is {{v}} or the number in {{a}} is {{w}} and after "
        "which either the number in {b} is {x} or the number in {b} is {y}",
        "leave {v} or {w} in {a}, and {x} or {y} in {b}",
    ),
    (f"{_AFTER}the number in {{a}} is {{v}}", "leave {v} in {a}"),
    (f"{_AFTER}the number in {{a}} is more than {{m}}", "leave more than {m} in {a}"),
    (f"{_AFTER}the number in {{a}} is less than {{m}}", "leave less than {m} in {a}"),
    (
        f"{_AFTER}the nim-sum of the number in {{a}} with the total of the number in {{a}} with 1 "
        "is the total of the total of the number in {a} with the number in {a} with 1",
        "leave one less than a power of two in {a}",
    ),
    (
        f"{_AFTER}the nim-sum of the number in {{a}} with what the number in {{a}} exceeds 1 by "
        "is what the total of the number in {a} with the number in {a} exceeds 1 by",
        "leave a power of two in {a}",
    ),
    (
        f"{_AFTER}the number in {{a}} is less than what {{t}} has for the number in {{b}}",
        "leave less in {a} than {b} counts, where 0, 1, 2, … count {t}",
    ),
    (
        f"{_AFTER}either the number in {{a}} is {{v}} or the number in {{a}} is {{w}}",
        "leave {v} or {w} in {a}",
    ),
    (
        f"{_AFTER}either the number in {{a}} is {{t}} more than a multiple of {{m}}, the number in "
        "{a} is {u} more than a multiple of {m} or the number in {a} is {s} more than a multiple "
        "of {m}",
        "leave {t}, {u} or {s} more than a multiple of {m} in {a}",
    ),
    (
        f"{_AFTER}either the number in {{a}} is {{v}}, the number in {{a}} is {{w}} or the number "
        "in {a} is {x}",
        "leave {v}, {w} or {x} in {a}",
    ),
    (
        f"{_AFTER}the number in {{a}} is {{v}} and after which the number in {{b}} is {{w}}",
        "leave {v} in {a} and {w} in {b}",
    ),
    (
        f"{_AFTER}the number in {{a}} is the number in {{b}}",
        "leave as many in {a} as in {b}",
    ),
    (
        f"{_AFTER}the remainder of the number in {{a}} by {{t}} is the remainder of the number in "
        "{b} by {t}",
        "leave numbers in {a} and {b} that have the same remainder by {t}",
    ),
    (
        f"{_AFTER}the remainder of the number in {{a}} by {{t}} is the remainder of the number in "
        "{b} by {u}",
        "leave the same remainder by {t} in {a} as by {u} in {b}",
    ),
    (
        f"{_AFTER}the total of the number in {{a}} with the number in {{b}} is {{v}}",
        "leave {v} in {a} and {b} together",
    ),
    (
        f"{_AFTER}the nim-sum of the number in {{a}} with the number in {{b}} with the number in "
        "{c} is {v}",
        "leave {a}, {b} and {c} with nim-sum {v}",
    ),
    (f"{_AFTER}the nim-sum of the numbers in {{n}} is {{v}}", "leave {n}s with nim-sum {v}"),
    (
        f"{_AFTER}the nim-sum of the numbers in {{a}} is {{v}}",
        "leave numbers in {a} with nim-sum {v}",
    ),
    (f"{_AFTER}the sum of the numbers in {{a}} is {{v}}", "leave numbers in {a} with sum {v}"),
    (
        f"{_AFTER}the nim-sum of the remainders by {{t}} of the numbers in {{n}} is {{v}}",
        "leave {n}s whose remainders by {t} have nim-sum {v}",
    ),
    (
        f"{_AFTER}the nim-sum of the remainders by {{t}} of the numbers in {{a}} is {{v}}",
        "leave numbers in {a} whose remainders by {t} have nim-sum {v}",
    ),
    (
        f"{_AFTER}the nim-sum of the values {{t}} of the numbers in {{n}} is {{v}}",
        "leave {n}s with nim-sum {v}, where 0, 1, 2, … count {t} again and again",
    ),
    (
        f"{_AFTER}the nim-sum of the values {{t}} of the numbers in {{a}} is {{v}}",
        "leave numbers in {a} with nim-sum {v}, where 0, 1, 2, … count {t} again and again",
    ),
    (
        f"{_AFTER}the nim-sum of the values {{t}} of the runs of {{a}} is {{v}}",
        "leave runs of {a} with nim-sum {v}, where runs of 0, 1, 2, … count {t}",
    ),
    (
        f"{_AFTER}what the count of {{a}} exceeds the count of {{b}} by is {{v}}",
        "leave {v} more {a} than {b}",
    ),
    (
        f"{_AFTER}what the number in {{a}} exceeds the number in {{b}} by is what the number in "
        "{c} exceeds the number in {f} by",
        "leave {a} as far from {b} as {c} is from {f}",
    ),
    (
        f"{_AFTER}the number of groups of {{a}} is an odd number",
        "leave an odd number of groups of {a}",
    ),
    (
        f"{_AFTER}the number of groups of {{a}} is an even number",
        "leave an even number of groups of {a}",
    ),
    (f"{_AFTER}the number of groups of {{a}} is 1", "leave one group of {a}"),
    (f"{_AFTER}the number of groups of {{a}} is {{d}}", "leave {d} groups of {a}"),
    (f"{_AFTER}the count on dark cells of {{a}} is {{v}}", "leave {v} of {a} on dark cells"),
    (f"{_AFTER}the count on light cells of {{a}} is {{v}}", "leave {v} of {a} on light cells"),
    (f"{_AFTER}the count of {{a}} is an odd number", "leave an odd number of {a}"),
    (f"{_AFTER}the count of {{a}} is an even number", "leave an even number of {a}"),
    (f"{_AFTER}the count of {{a}} is {{v}}", "leave {v} {a}"),
    (
        f"{_AFTER}either the count of {{a}} is {{v}} or the count of {{a}} is {{w}}",
        "leave {v} or {w} {a}",
    ),
)


def shorten(text: str) -> str:
    """Say what a move leaves, where a text says what holds after it.

    >>> shorten("make a move after which the number in left.1 is a multiple of 4")
    'leave a multiple of 4 in left.1'
    """
    if text.startswith(_AFTER + _SAME):
        rest = text.removeprefix(_AFTER + _SAME).replace(_AND_AFTER, " and in which ")
        return f"leave a position that looks the same after {rest}"
    pairs = _half_pairs(text)
    if pairs:
        return _NO_HALF + list_briefly([f"{one} with {other}" for one, other in pairs], "; ")
    rooms = _rooms(text)
    if rooms:
        return _ROOMS + list_briefly([f"from {one} to {other}" for one, other in rooms], "; ")
    match = _PAIRS.fullmatch(text)
    if match:
        sign = 1 if match[1] == "smallest" else -1
        numbers = [int(number) for number in match["t"].split("-")]
        listed = ", ".join(f"{n}/{n + sign * place}" for place, n in enumerate(numbers))
        return f"leave one of the pairs {listed} of {match['n']}s in {match['a']} and {match['b']}"
    match = _ONE_OF.fullmatch(text)
    if match:
        own = _partners(match["t"])
        if all(place == number for place, number in own.items()):
            brief = list_briefly(list(map(str, own)), ", ")
            return f"leave one of the numbers {brief} in {match['a']}"
    match = _PARTNERS.fullmatch(text)
    if match:
        partner = _partners(match["t"])
        if all(partner.get(other) == one for one, other in partner.items()):
            listed = ", ".join(f"{one}/{other}" for one, other in partner.items() if one <= other)
            return (
                f"leave one of the pairs {listed} in {match['a']} and {match['b']}, in either order"
            )
    found = _rewritten(text, lambda long, short: (long, short))
    parts = text.removeprefix(_AFTER).split(_AND_AFTER)
    if found != text or len(parts) == 1 or not text.startswith(_AFTER):
        return found
    said = [shorten(_AFTER + part) for part in parts]
    is_left = all(part.startswith("leave ") and _AND_LEAVE not in part for part in said)
    return (
        _AND_LEAVE.join([said[0], *(p.removeprefix("leave ") for p in said[1:])])
        if is_left
        else text
    )


def lengthen(text: str) -> str:
    """Undo `shorten`.

    >>> lengthen("leave a multiple of 4 in left.1")
    'make a move after which the number in left.1 is a multiple of 4'
    """
    same = "leave a position that looks the same after "
    if text.startswith(same):
        rest = text.removeprefix(same).replace(" and in which ", _AND_AFTER)
        return f"{_AFTER}{_SAME}{rest}"
    if text.startswith(_NO_HALF):
        pieces = []
        for pair in list_in_full(text.removeprefix(_NO_HALF), "; "):
            one, _, other = pair.partition(" with ")
            pieces.append(f"either {one} is not empty or {other} is not the opponent's")
            pieces.append(f"either {one} is not the opponent's or {other} is not empty")
        return _AFTER + _AND_AFTER.join(pieces)
    if text.startswith(_ROOMS):
        ways = list_in_full(text.removeprefix(_ROOMS), "; ")
        ends = [way.removeprefix("from ").split(" to ") for way in ways]
        said = [f"the room from the number in {a} to the number in {b}" for a, b in ends]
        return f"{_AFTER}the nim-sum of {' with '.join(said)} is 0"
    match = _PAIRS_LEFT.fullmatch(text)
    if match:
        pairs = [tuple(map(int, pair.split("/"))) for pair in match["t"].split(", ")]
        table = "-".join(str(one) for one, _ in pairs)
        kind = "smallest" if all(one <= other for one, other in pairs) else "largest"
        return (
            f"{_AFTER}the {kind} of the numbers in {match['n']} is what {table} has for the "
            f"difference of the number in {match['a']} from the number in {match['b']}"
        )
    match = _ONE_OF_LEFT.fullmatch(text)
    if match:
        listed = {int(number) for number in list_in_full(match["t"], ", ")}
        table = "-".join(str(n) if n in listed else "x" for n in range(max(listed) + 1))
        number = f"the number in {match['a']}"
        return f"{_AFTER}{number} is what {table} has for {number}"
    match = _PARTNERS_LEFT.fullmatch(text)
    if match:
        pairs = [tuple(map(int, pair.split("/"))) for pair in match["t"].split(", ")]
        partner = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
        table = "-".join(str(partner.get(place, "x")) for place in range(max(partner) + 1))
        return (
            f"{_AFTER}the number in {match['a']} is what {table} has for the number in {match['b']}"
        )
    if text.startswith("leave ") and _AND_LEAVE in text:
        said = [lengthen(f"leave {part}") for part in text.removeprefix("leave ").split(_AND_LEAVE)]
        if all(part.startswith(_AFTER) for part in said):
            return _AFTER + _AND_AFTER.join(part.removeprefix(_AFTER) for part in said)
    return _rewritten(text, lambda long, short: (short, long))


def _partners(table: str) -> dict[int, int]:
    """Return what a table in words has for each place where it has something."""
    entries = enumerate(table.split("-"))
    return {place: int(entry) for place, entry in entries if entry != "x"}


def _rooms(text: str) -> list[tuple[str, str]]:
    """Return between what there are rooms of which a text says that their nim-sum is 0."""
    start, end = f"{_AFTER}the nim-sum of ", " is 0"
    if not (text.startswith(start) and text.endswith(end)):
        return []
    said = text[len(start) : -len(end)].split(" with ")
    found = [match for match in map(_ROOM.fullmatch, said) if match is not None]
    return [(room["a"], room["b"]) for room in found] if len(found) == len(said) else []


def _half_pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of which a text denies, both ways, that one is theirs and one is empty."""
    if not text.startswith(_AFTER + "either "):
        return []
    found: dict[tuple[str, str], set[str]] = {}
    for piece in text.removeprefix(_AFTER).split(_AND_AFTER):
        match = _HALF.fullmatch(piece)
        if match is None or match["x"] == match["y"]:
            return []
        found.setdefault((match["a"], match["b"]), set()).add(match["x"])
    if not all(len(ways) == 2 for ways in found.values()):
        return []
    ordered = (tuple(sorted(pair, key=numbers_in)) for pair in found)
    return sorted(((one, other) for one, other in ordered), key=lambda p: numbers_in(p[0]))


def _rewritten(text: str, order: Callable[[str, str], tuple[str, str]]) -> str:
    for pair in _LEAVING:
        before, after = order(*pair)
        match = re.fullmatch(_pattern(before), text)
        if match:
            return after.format(**match.groupdict())
    return text


def _pattern(words: str) -> str:
    """Write a phrase as a pattern; what stands in it twice is the same."""
    pattern = re.escape(words)
    kinds = dict.fromkeys("abcf", _SAID) | dict.fromkeys("vwxy", _VALUE)
    kinds |= {"n": _NAME, "t": r"[\d-]+"} | dict.fromkeys("mdus", r"\d+")
    for name, meant in kinds.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{meant})", 1)
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P={name})")
    return pattern
