"""Imports of optional libraries: where one is missing, an error says how to install it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.errors import InputError

__all__ = ["optional"]


@contextmanager
def optional(extra: str, *libraries: str) -> Iterator[None]:
    """Import what belongs to an extra; raise InputError if it, or one of `libraries`, is missing.

    >>> with optional("cluster", "no_such_library"):
    ...     import no_such_library
    Traceback (most recent call last):
    kibitz.errors.InputError: this needs no_such_library, which is not installed
      hint: pip install 'kibitz[cluster]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in (extra, *libraries):
            raise
        raise InputError(
            f"this needs {name}, which is not installed", hint=f"pip install 'kibitz[{extra}]'"
        ) from None
