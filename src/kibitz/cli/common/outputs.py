"""Write files whole, and show how far long work has come."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kibitz.errors import InputError
from kibitz.files import written_whole


def check_folder(output: Path | None) -> None:
    """Refuse a file that cannot be written, before any work is done."""
    if not output:
        return
    if not output.parent.is_dir():
        raise InputError(f"cannot write {output}: {output.parent} is not a folder")
    if output.is_dir():
        raise InputError(f"cannot write {output}: it is a folder", hint="add a file's name")
    if not os.access(output.parent, os.W_OK):
        raise InputError(f"cannot write {output}: {output.parent} may not be written to")


def check_plot(output: Path | None) -> None:
    """Refuse a plot that cannot be written, before any work is done."""
    check_folder(output)
    if output and output.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise InputError(f"cannot draw {output}", hint="end its name in .svg, .png or .pdf")


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file, or leave what was there."""
    with written_whole(path) as part:
        part.write_bytes(text.encode() if isinstance(text, str) else text)


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
