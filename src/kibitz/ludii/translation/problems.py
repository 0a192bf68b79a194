"""What a sheet uses that is not translated: collected, so that all of it is reported at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.errors import Diagnostic, Place, Source
from kibitz.ludii.ludemes import Ludeme

__all__ = ["Failed", "NotStatic", "Problems", "Unsupported", "reading"]

_HINT = "the page on Ludii in the documentation lists what is read"

_REPORT = "if Ludii reads the sheet, please report it: this is a mistake in Kibitz"


class Unsupported(Exception):  # noqa: N818 - never leaves the package
    """Carries a ludeme that is not translated to where it is collected."""

    def __init__(self, ludeme: Ludeme, reason: str = "") -> None:
        super().__init__(ludeme.kind)
        self.ludeme, self.reason = ludeme, reason


class Failed(Unsupported):
    """Carries a ludeme at which the translator itself failed."""


class NotStatic(Exception):  # noqa: N818 - never leaves the package
    """A value that is wanted before play depends on the position."""


@contextmanager
def reading(ludeme: Ludeme) -> Iterator[None]:
    """Refuse a ludeme whose value depends on play or is too large, and one that makes code fail."""
    try:
        yield
    except NotStatic as error:
        raise Unsupported(ludeme, "known only in play") from error
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        raise Failed(ludeme, f"{type(error).__name__}: {error}") from error
    except (RecursionError, ZeroDivisionError, OverflowError) as error:
        raise Unsupported(ludeme, "too large") from error


class Problems:
    """Diagnostics of one sheet, each place once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._found: dict[tuple[Place, str], Diagnostic] = {}

    def add(self, problem: Unsupported) -> None:
        """Keep a ludeme that is not translated."""
        ludeme = problem.ludeme
        shown = f"({ludeme.kind} …)" if ludeme.shape == "call" else str(ludeme)[:60]
        line, column = self.source.position(ludeme.place.start)
        reason = f": {problem.reason}" if problem.reason else ""
        where = f"{shown} at {self.source.name}:{line}:{column}{reason}"
        code, message, hint = "LUD010", f"unsupported ludeme {where}", _HINT
        if isinstance(problem, Failed):
            code, message, hint = "LUD011", f"internal error in ludeme {where}", _REPORT
        self._found.setdefault(
            (ludeme.place, message), Diagnostic.error(code, message, ludeme.place, hint)
        )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found, in the order of the text."""
        return tuple(sorted(self._found.values(), key=lambda one: one.place.start))
