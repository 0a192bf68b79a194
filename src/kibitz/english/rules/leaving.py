"""What holds after a move in, what the move leaves out, and back: texts of sentences."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["ATOM", "lengthen", "shorten"]

ATOM = r"(?:\((?:[^()]|\([^()]*\))*\)|[^\s(),]+)"
"""An argument of a fluent, or a fluent, as it is written inside a phrase."""

_LEAVING = (
    ("make a move after which the number in {0} is {1}", "leave {1} in {0}"),
    (
        "make a move after which the nim-sum of the numbers in {0} is {1}",
        "leave numbers in {0} whose nim-sum is {1}",
    ),
    (
        "make a move after which the sum of the numbers in {0} is {1}",
        "leave numbers in {0} whose sum is {1}",
    ),
    (
        "make a move after which the nim-sum of the remainders by {2} of the numbers in {0} is {1}",
        "leave numbers in {0} whose remainders by {2} have nim-sum {1}",
    ),
    (
        "make a move after which the nim-sum of the values {2} of the numbers in {0} is {1}",
        "leave numbers in {0} whose values {2} have nim-sum {1}",
    ),
    (
        "make a move after which the nim-sum of the values {2} of the runs of {0} is {1}",
        "leave runs of {0} whose values {2} have nim-sum {1}",
    ),
)


def shorten(text: str) -> str:
    """Say what a move leaves, where a text says what holds after it.

    >>> shorten("make a move after which the number in left.1 is a multiple of 4")
    'leave a multiple of 4 in left.1'
    """
    return _rewritten(text, lambda long, short: (long, short))


def lengthen(text: str) -> str:
    """Undo `shorten`.

    >>> lengthen("leave a multiple of 4 in left.1")
    'make a move after which the number in left.1 is a multiple of 4'
    """
    return _rewritten(text, lambda long, short: (short, long))


def _rewritten(text: str, order: Callable[[str, str], tuple[str, str]]) -> str:
    for pair in _LEAVING:
        before, after = order(*pair)
        value = r"(?P<b>\d+|(?:\d+ more than )?a multiple of \d+)"
        pattern = re.escape(before).replace(r"\{0\}", f"(?P<a>{ATOM})")
        pattern = pattern.replace(r"\{1\}", value).replace(r"\{2\}", r"(?P<c>[\d-]+)")
        match = re.fullmatch(pattern, text)
        if match:
            return after.format(match["a"], match["b"], match.groupdict().get("c"))
    return text
