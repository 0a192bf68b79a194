"""How much the quick run tries of what the slow one tries: examples, and games by name."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

__all__ = ["examples", "one_of_each_family", "quick", "spread"]

T = TypeVar("T")


def examples(number: int, **options: Any) -> settings:
    """Let Hypothesis try so many examples in the slow run, and a share of them in the quick one.

    >>> examples(50).max_examples in (10, 50)
    True
    """
    share = settings().max_examples / 100  # what the profile says
    return settings(max_examples=max(3, round(number * share)), **options)


def spread(names: Sequence[T], most: int = 12, *, begin: int = 0) -> list[ParameterSet]:
    """Give at most so many names, evenly spread, to the quick run; tests that begin apart differ.

    >>> [len(name.marks) for name in spread("abcdef", 3, begin=1)]
    [1, 0, 1, 0, 1, 0]
    """
    step = -(-len(names) // most)
    return quick(names, names[begin % step :: step])


def quick(names: Sequence[T], chosen: Container[T]) -> list[ParameterSet]:
    """Give the chosen names to the quick run, and all to the slow one.

    >>> [len(name.marks) for name in quick("abc", "b")]
    [1, 0, 1]
    """
    return [pytest.param(name, marks=() if name in chosen else pytest.mark.slow) for name in names]


def one_of_each_family(names: Sequence[str], *, without: Container[str] = ()) -> list[ParameterSet]:
    """Give the first game of each family to the quick run.

    >>> [len(name.marks) for name in one_of_each_family(["nim:1", "nim:2", "maze"])]
    [0, 1, 0]
    """
    first: dict[str, str] = {}
    for name in names:
        if name not in without:
            first.setdefault(name.partition(":")[0], name)
    return quick(names, set(first.values()))
