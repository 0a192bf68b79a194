"""Constants of a rule sheet in, their numbers out, however numbers are written.

They are numerals, English words, terms such as (s (s zero)), or constants whose order some relation
of two arguments gives, whatever it is called: each linked to the next, or to all that are larger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.board import chains_of
from kibitz.engine import CompiledGame
from kibitz.gdl import Function, RuleSheet, Term

__all__ = ["number_arguments", "numbers_of_values"]

_FEWEST = 3
"""Fewer names that end in digits, such as p1 and p2, are rather names than numbers."""


def numbers_of_values(values: Iterable[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values: as numerals, English words or nested terms, or by their places in an order.

    An order counts up from its start, or from its end where play begins at its start and not at its
    end, as where a relation links each constant to the one below. Names such as c1, c2, c3 count by
    their digits. None if there is no order.

    >>> from kibitz.gdl import parse, parse_terms
    >>> found = numbers_of_values(parse_terms("b c"), parse("(below c b) (below b a) (init (n c))"))
    >>> {str(value): number for value, number in sorted(found.items(), key=str)}
    {'b': 1, 'c': 2}
    >>> sorted(numbers_of_values(parse_terms("zero (s (s zero))"), parse("")).values())
    [0, 2]
    """
    known = set(values)
    for read in (_numeral, _WORDS.get):
        numbers = {value: read(value.name) for value in known if not value.args}
        found = {value: number for value, number in numbers.items() if number is not None}
        if len(found) == len(known):
            return found
    return _nested(known) or _in_chains(known, sheet) or _by_digits(known)


def number_arguments(game: CompiledGame) -> tuple[tuple[str, int], ...]:
    """Return the names of fluents with the arguments, from 1, that are numbers.

    >>> from kibitz.games import load_sheet
    >>> number_arguments(CompiledGame(load_sheet("nim:3,4")))
    (('heap', 2),)
    """
    network = game.network
    values: dict[tuple[str, int], set[Function]] = {}
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        for index, value in enumerate(fluent.args, start=1):
            if isinstance(value, Function):
                values.setdefault((fluent.name, index), set()).add(value)
    return tuple(
        key
        for key, found in sorted(values.items())
        if len(found) > 1 and numbers_of_values(found, game.sheet) is not None
    )


def _numeral(name: str) -> int | None:
    return int(name) if name.isdecimal() else None


def _nested(values: set[Function]) -> dict[Function, int] | None:
    """Count how often one function is applied to one constant, in all values."""
    numbers: dict[Function, int] = {}
    functions: set[str] = set()
    innermost: set[Term] = set()
    for value in values:
        inner: Term = value
        count = 0
        while isinstance(inner, Function) and len(inner.args) == 1:
            functions.add(inner.name)
            inner, count = inner.args[0], count + 1
        innermost.add(inner)
        numbers[value] = count
    is_counted = len(functions) == len(innermost) == 1
    return numbers if is_counted and not any(getattr(i, "args", ()) for i in innermost) else None


def _in_chains(values: set[Function], sheet: RuleSheet) -> dict[Function, int] | None:
    """Number values by their places in a chain of facts."""
    for chain in chains_of(sheet):
        ordered = [Function(name) for name in chain]
        if not values <= set(ordered):
            continue
        digits = _by_digits(set(ordered))
        if digits is not None and [abs(digits[v] - digits[ordered[0]]) for v in ordered] == [
            *range(len(ordered))
        ]:
            return {value: digits[value] for value in values}
        begun = {
            value
            for rule in sheet.rules
            if rule.head.relation == "init" and isinstance(rule.head.args[0], Function)
            for value in rule.head.args[0].args
        }
        if ordered[0] in begun and ordered[-1] not in begun:
            ordered.reverse()
        return {value: number for number, value in enumerate(ordered) if value in values}
    return None


def _by_digits(values: set[Function]) -> dict[Function, int] | None:
    """Number names that differ in the digits at their end alone."""
    parts = {value: re.fullmatch(r"(.*?)(\d+)", value.name) for value in values if not value.args}
    found = {value: part for value, part in parts.items() if part is not None}
    if not _FEWEST <= len(found) == len(values) or len({part[1] for part in found.values()}) > 1:
        return None
    numbers = {value: int(part[2]) for value, part in found.items()}
    return numbers if len(set(numbers.values())) == len(numbers) else None


def _number_words() -> dict[str, int]:
    """Return the English words for numbers below 100, whatever joins tens and units."""
    found = {word: number for number, word in enumerate(_SMALL.split())}
    units = list(found.items())[1:10]
    for tens, word in enumerate(_TENS.split(), start=2):
        found[word] = 10 * tens
        for unit, number in units:
            for joined in ("", "_", "-"):
                found[f"{word}{joined}{unit}"] = 10 * tens + number
    return found


_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = _number_words()
