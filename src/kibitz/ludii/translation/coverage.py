"""Watch a translation, and find what it passed over: a ludeme or a label that nothing asked for.

What is passed over may change the game, so such a sheet is refused like one with an unknown ludeme.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from kibitz.errors import Place
from kibitz.ludii.ludemes import Ludeme

__all__ = ["passed_over", "watched"]

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
