"""The line that shows how far long work has come: at a terminal, or now and then in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["clear_line", "counted_states", "shown_line"]

_WIDEST = 120
_EVERY_S = 10.0
"""How often a line is printed where nobody watches, so that logs stay short."""


def shown_line(prefix: str = "") -> Callable[[str], None]:
    """Return a function that replaces the shown message, or prints one in ten seconds."""
    if sys.stderr.isatty():
        return lambda message: print(
            f"\r\033[K{prefix}{message}"[:_WIDEST], end="", file=sys.stderr, flush=True
        )
    begin = last = time.monotonic()

    def show(message: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now >= last + _EVERY_S:
            last = now
            print(f"[{now - begin:.0f} s] {prefix}{message}", file=sys.stderr, flush=True)

    return show


def counted_states() -> Callable[..., None]:
    """Return a function that shows how many states are found, its first argument."""
    show = shown_line()
    return lambda found, *_: show(f"{found:,} states")


def clear_line() -> None:
    """Erase what was shown."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
