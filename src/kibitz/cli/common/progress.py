"""The line that shows a person at a terminal how far long work has come."""

from __future__ import annotations

import sys
from collections.abc import Callable

__all__ = ["clear_line", "counted_states", "shown_line"]

_WIDEST = 120


def shown_line(prefix: str = "") -> Callable[[str], None] | None:
    """Return a function that replaces the shown message, if a person is watching."""
    if not sys.stderr.isatty():
        return None
    return lambda message: print(
        f"\r\033[K{prefix}{message}"[:_WIDEST], end="", file=sys.stderr, flush=True
    )


def counted_states() -> Callable[..., None] | None:
    """Return a function that shows how many states are found, its first argument."""
    show = shown_line()
    return None if show is None else lambda found, *_: show(f"{found:,} states")


def clear_line() -> None:
    """Erase what was shown."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
