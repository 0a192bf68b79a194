"""Facts that are found once about an object, and forgotten with it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

__all__ = ["Attached"]

K = TypeVar("K")
V = TypeVar("V")


class Attached(Generic[K, V]):
    """Maps objects to facts, each kept in the `__dict__` of its object.

    A fact may refer to its object; a WeakKeyDictionary would then keep both for ever.

    >>> class Game: ...
    >>> sizes: Attached[Game, int] = Attached()
    >>> game = Game()
    >>> game in sizes, sizes.setdefault(game, 9), sizes[game], sizes.get(Game())
    (False, 9, 9, None)
    """

    def __contains__(self, key: K) -> bool:
        return self in _facts(key)

    def __getitem__(self, key: K) -> V:
        value: V = _facts(key)[self]
        return value

    def __setitem__(self, key: K, value: V) -> None:
        _facts(key)[self] = value

    def get(self, key: K) -> V | None:
        """Return the fact about an object, None if there is none."""
        return _facts(key).get(self)

    def setdefault(self, key: K, value: V) -> V:
        """Return the fact about an object, which is the given one if there is none."""
        found: V = _facts(key).setdefault(self, value)
        return found

    def pop(self, key: K) -> V | None:
        """Forget the fact about an object, and return it."""
        value: V | None = _facts(key).pop(self, None)
        return value


def _facts(key: object) -> dict[object, Any]:
    facts: dict[object, Any] = vars(key).setdefault("_attached", {})
    return facts
