"""Parse the full name of a game, such as "nim:1,3,misere", into its family and parameters."""

from __future__ import annotations

import re
from difflib import get_close_matches
from reprlib import repr as shorten

from kibitz.errors import GameNameError
from kibitz.games.families import FAMILIES, LIMITS, MOST_HEAPS, VARIANTS, Family

Value = int | tuple[int, ...] | str | bool

_LINES = ("RCD", "RC", "RD", "CD", "R", "C", "D")
_LONGEST = 200
_SYNTAX = re.compile(r"\[|\]|(?P<field>[A-Z]+)(?P<more>,\.\.\.)?|(?P<word>[a-z]{2,})")


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_CALLED = {
    _bare(called): name
    for name, family in FAMILIES.items()
    for called in (*family.also, family.title, name)
    if called
}


def library_name(name: str) -> str:
    """Return the library's name of a game for what people call it; others stay as they are.

    >>> library_name("Connect Four"), library_name("noughts and crosses"), library_name("mnk:3,3,3")
    ('connectfour', 'tictactoe', 'mnk:3,3,3')
    """
    head, colon, text = name.partition(":")
    return f"{_CALLED.get(_bare(head[:_LONGEST]), head)}{colon}{text}"


def read_name(name: str) -> tuple[str, Family, dict[str, Value]]:
    """Find the family of a game, and read its parameters as keywords for the family's facts.

    >>> head, family, values = read_name("mnk:4,4,3,RC")
    >>> values
    {'rows': 4, 'cols': 4, 'k': 3, 'lines': 'RC'}
    """
    head, colon, text = name.partition(":")
    families = {**VARIANTS, **FAMILIES}
    if head not in families:
        near = get_close_matches(head[:_LONGEST].lower(), families, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(FAMILIES)}"
        raise GameNameError(f"no game is called {shorten(head)}", hint=hint)
    family = families[head]
    if not colon:
        return head, family, {}
    match = re.fullmatch(_pattern(family.parameters), text) if len(text) <= _LONGEST else None
    if not family.parameters or not match:
        message = f"the parameters {shorten(text)} do not fit {head}"
        raise GameNameError(message, hint=_usage(head, family))
    given = {field: part for field, part in match.groupdict().items() if part is not None}
    for field, part in given.items():
        if problem := _problem(field, part, family):
            raise GameNameError(f"{head}: {problem}", hint=_usage(head, family))
    return head, family, {field.lower(): _value(field, part) for field, part in given.items()}


def _pattern(parameters: str) -> str:
    """Turn the syntax for people into a regular expression with a group for each field."""

    def part(match: re.Match[str]) -> str:
        field, more, word = match["field"], match["more"], match["word"]
        if field == "LINES":
            return f"(?P<LINES>{'|'.join(_LINES)})"
        if field:
            return f"(?P<{field}>[0-9]+{'(?:,[0-9]+)*' if more else ''})"
        if word:
            return f"(?P<{word}>{word})"
        return {"[": "(?:", "]": ")?"}[match[0]]

    return _SYNTAX.sub(part, parameters)


def _value(field: str, part: str) -> Value:
    if field == "LINES":
        return part
    if field.islower():
        return True
    return _numbers(part) if field == "HEAP" else int(part)


def _problem(field: str, part: str, family: Family) -> str:
    """Say what is wrong with a number that is too small or too large, or with too many."""
    if field == "LINES" or field.islower():
        return ""
    numbers = _numbers(part)
    limits = _limits(field, family)
    for number in numbers:
        if number not in limits:
            return f"{field} is {number}; it can be {_span(limits)}"
    many = len(numbers) > MOST_HEAPS
    return f"{len(numbers)} heaps; there can be at most {MOST_HEAPS}" if many else ""


def _usage(head: str, family: Family) -> str:
    if not family.parameters:
        return f"write {head} alone; it takes no parameters"
    fields = [match["field"] for match in _SYNTAX.finditer(family.parameters) if match["field"]]
    meanings = [
        f"{field} one of {', '.join(_LINES)}"
        if field == "LINES"
        else f"{field} {_span(_limits(field, family))}"
        for field in fields
    ]
    example = family.examples[0]
    return f"write {head}:{family.parameters}, {', '.join(meanings)}; for example {example}"


def _numbers(part: str) -> tuple[int, ...]:
    return tuple(int(number) for number in part.split(","))


def _limits(field: str, family: Family) -> range:
    return family.limits.get(field, LIMITS[field])


def _span(limits: range) -> str:
    return f"{limits[0]} to {limits[-1]}"
