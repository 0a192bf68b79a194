"""Lines of text in, patterns of a grammar out: one pattern a line."""

from __future__ import annotations

from typing import Any

from kibitz.rulebook.grammar import Pattern


def table(symbol: str, make: Any, lines: str, **fixed: Any) -> tuple[Pattern, ...]:
    """Return the patterns of a symbol that make the same thing, one for each line.

    >>> [pattern.template for pattern in table("side", "left", '''
    ...     the left side
    ...     the left edge
    ... ''')]
    ['the left side', 'the left edge']
    """
    templates = (line.strip() for line in lines.splitlines())
    return tuple(Pattern(symbol, template, make, fixed) for template in templates if template)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(word_set("win  lose"))
    ['lose', 'win']
    """
    return frozenset(text.split())


def same(it: Any) -> Any:
    """Return what the only slot of a pattern holds."""
    return it
