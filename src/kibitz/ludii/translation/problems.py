"""Collect what a sheet uses that is not translated, or passed over.

What is passed over may change the game, so such a sheet is refused like one with an unknown ludeme.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kibitz.errors import Diagnostic, Place, Source
from kibitz.ludii.tokens import Ludeme

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
        """Diagnostics of the sheet, in the order of the text."""
        return tuple(sorted(self._found.values(), key=lambda one: one.place.start))


_read: ContextVar[set[Place | tuple[Place, str]]] = ContextVar("read")


class _Watched(Ludeme):
    """A ludeme that notes who looks at its items; walks and texts are no looks."""

    def __getattribute__(self, name: str) -> Any:
        if name == "items":
            _read.get().add(self.place)
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ludeme) and _key(self) == _key(other)

    def __hash__(self) -> int:
        return hash(_key(self))

    def __str__(self) -> str:
        return str(_plain(self))

    @property
    def kind(self) -> str:
        return Ludeme(self.shape, self.name, _items(self)[:1]).kind

    def get(self, label: str) -> Ludeme | None:
        _read.get().update((self.place, (self.place, label)))
        return next((item for item in _items(self) if item.label == label), None)

    def walk(self) -> Iterator[Ludeme]:
        yield self
        for item in _items(self):
            yield from item.walk()


def watched(ludeme: Ludeme) -> Ludeme:
    """Return a copy that notes what is looked at from now on."""
    _read.set(set())
    return _copy(ludeme)


def passed_over(ludeme: Ludeme) -> Iterator[Ludeme]:
    """Yield what nothing has looked at in a watched ludeme: calls, and items by their labels."""
    for item in _items(ludeme):
        is_unread = item.shape == "call" and _items(item) and item.place not in _read.get()
        if is_unread or (item.label and (ludeme.place, item.label) not in _read.get()):
            yield item
        else:
            yield from passed_over(item)


def _items(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    found: tuple[Ludeme, ...] = object.__getattribute__(ludeme, "items")
    return found


def _key(ludeme: Ludeme) -> tuple[object, ...]:
    return ludeme.shape, ludeme.name, _items(ludeme), ludeme.label


def _copy(ludeme: Ludeme) -> Ludeme:
    items = tuple(map(_copy, _items(ludeme)))
    return _Watched(ludeme.shape, ludeme.name, items, ludeme.label, ludeme.place)


def _plain(ludeme: Ludeme) -> Ludeme:
    items = tuple(map(_plain, _items(ludeme)))
    return Ludeme(ludeme.shape, ludeme.name, items, ludeme.label)
