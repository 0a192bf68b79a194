"""Slots for work: a number for all visitors, fewer for each, so that no visitor takes all."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from kibitz.errors import BudgetExceededError, KibitzError

__all__ = ["CancelledError", "Places", "check_departure", "departure", "visitor"]

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""Who asks: the address that a request came from."""

departure: ContextVar[threading.Event | None] = ContextVar("departure", default=None)
"""Set when the visitor who asks has gone; None for work that nobody waits for."""

_PATIENCE_S = 60.0
_LOOK_S = 0.2


class CancelledError(KibitzError):
    """Raised inside work that must end."""


def check_departure() -> None:
    """Raise CancelledError where the visitor who asked has gone."""
    gone = departure.get()
    if gone is not None and gone.is_set():
        raise CancelledError("the visitor has gone")


class Places:
    """Limits how many work at a time, in all and of each visitor; others wait for a while.

    Some requests of a visitor may wait, for a page sends several at once; more are refused.

    >>> places = Places(3, each=2, patience_s=0)
    >>> with places.take(), places.take():
    ...     with places.take():
    ...         pass
    Traceback (most recent call last):
    kibitz.errors.BudgetExceededError: you have 2 games or questions at work
      hint: wait for them, and try again
    """

    def __init__(
        self, total: int, *, each: int, waiting: int = 12, patience_s: float = _PATIENCE_S
    ) -> None:
        self.total, self.each, self.patience_s = total, each, patience_s
        self.waiting = waiting
        self._taken: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a place for a while; raise BudgetExceededError if there is none."""
        who = visitor.get()
        with self._changed:
            self._wait(who)
            self._taken[who] += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken[who] -= 1
                self._taken += Counter()  # Forget who has none.
                self._changed.notify_all()

    def _wait(self, who: str) -> None:
        if self._is_free(who):
            return
        if self._waiting[who] >= self.waiting:
            raise self._refusal(who)
        self._waiting[who] += 1
        try:
            end = time.monotonic() + self.patience_s
            while not self._changed.wait_for(lambda: self._is_free(who), _LOOK_S):
                check_departure()
                if time.monotonic() > end:
                    raise self._refusal(who)
        finally:
            self._waiting[who] -= 1
            self._waiting += Counter()  # Forget who has none.

    def _is_free(self, who: str) -> bool:
        return self._taken.total() < self.total and self._taken[who] < self.each

    def _refusal(self, who: str) -> BudgetExceededError:
        if self._taken[who] >= self.each:
            return BudgetExceededError(
                f"you have {self.each} games or questions at work",
                hint="wait for them, and try again",
            )
        return BudgetExceededError("too many visitors are at work", hint="try again in a minute")
