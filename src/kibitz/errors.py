"""Errors and how they are reported: exceptions, diagnostics and places in a text.

The exception tree::

    KibitzError              everything Kibitz raises on purpose; `str()` is written for people
    ├── RuleSheetError       a rule sheet has errors; carries all diagnostics
    ├── GameNameError        no library game of that name, or wrong parameters
    ├── IllegalMoveError     a move that the rules do not allow in this state
    ├── InputError           any other file or argument that cannot be used
    │   ├── StrategyError    a text in the strategy language has an error
    │   └── NoChoiceError    rules are wanted for a role whose moves are all perfect
    ├── ProtocolError        a message that is not part of the protocol of match servers
    ├── StuckError           play can get stuck, so that states have no value
    └── BudgetExceededError  time or memory ran out before there was an answer; carries the
        │                    options that allow more
        ├── NotCompiledError the game could not be grounded, so its states cannot be listed
        └── IncompleteError  exploring met a limit before all states were found

Callers decide by the type and the fields of an error, never by its text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal, NamedTuple

__all__ = [
    "BudgetExceededError",
    "Diagnostic",
    "GameNameError",
    "IllegalMoveError",
    "IncompleteError",
    "InputError",
    "KibitzError",
    "NoChoiceError",
    "NotCompiledError",
    "Note",
    "Place",
    "ProtocolError",
    "RuleSheetError",
    "Severity",
    "Source",
    "StrategyError",
    "StuckError",
    "clipped",
    "internal_error",
    "rendered",
]

_MOST_IN_DIAGNOSTIC = 1_000
_MOST_DIAGNOSTICS = 50


def clipped(text: str, most: int) -> str:
    """Shorten long words, and the text: names and numbers of a rule sheet may have any length.

    >>> clipped("the goal " + 300 * "9" + " is no number", 120)
    'the goal 999999999999999999999999999999999999999999999999999999999999… is no number'
    """
    # Paths stay whole.
    text = re.sub(r"\S{250,}", lambda found: found.group()[:60] + "…", text)
    return text if len(text) <= most else text[:most].rstrip() + " …"


class Place(NamedTuple):
    """A stretch of a source text, as character offsets."""

    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """A text, and the name that messages use for it.

    >>> Source("my.kif", "(role x)\\n(role y)").position(9)
    (2, 1)
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line; lines are numbered from 1."""
        start = self._line_starts[number - 1]
        return self.text[start : self._line_end(number)]

    def _line_end(self, number: int) -> int:
        starts = self._line_starts
        return starts[number] - 1 if number < len(starts) else len(self.text)

    def excerpt(self, place: Place) -> str:
        """Show the line of a place with carets under it, at most 100 characters wide."""
        line_number, column = self.position(place.start)
        left = max(0, column - 61)
        # Only what is shown is cut out: a line may be the whole text, with a thousand places in it.
        start = place.start - column + 1 + left
        end = min(self._line_end(line_number), start + 100)
        shown = "".join(c if c.isprintable() else " " for c in self.text[start:end])
        width = max(1, min(place.end, end) - place.start)
        gutter = f"{line_number:>4} | "
        carets = " " * (column - 1 - left) + "^" * width
        return f"{gutter}{shown}\n{' ' * (len(gutter) - 2)}| {carets}"


class Severity(StrEnum):
    """How much a diagnostic matters.

    Errors stop the work, warnings do not; a remark is about something that may well be meant.
    """

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Note(NamedTuple):
    """A second place that a diagnostic refers to."""

    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found wrong in a source: what, where, and what to do about it."""

    code: str
    severity: Severity
    message: str
    place: Place
    hint: str = ""
    notes: tuple[Note, ...] = ()

    @classmethod
    def error(
        cls, code: str, message: str, place: Place, hint: str = "", notes: Iterable[Note] = ()
    ) -> Diagnostic:
        """Make one that must be fixed."""
        return cls._clipped(code, Severity.ERROR, message, place, hint, notes)

    @classmethod
    def warning(
        cls, code: str, message: str, place: Place, hint: str = "", notes: Iterable[Note] = ()
    ) -> Diagnostic:
        """Make one that need not be fixed."""
        return cls._clipped(code, Severity.WARNING, message, place, hint, notes)

    @classmethod
    def remark(
        cls, code: str, message: str, place: Place, hint: str = "", notes: Iterable[Note] = ()
    ) -> Diagnostic:
        """Make one about something that may be meant."""
        return cls._clipped(code, Severity.REMARK, message, place, hint, notes)

    @classmethod
    def _clipped(
        cls,
        code: str,
        severity: Severity,
        message: str,
        place: Place,
        hint: str,
        notes: Iterable[Note],
    ) -> Diagnostic:
        texts = (clipped(text, _MOST_IN_DIAGNOSTIC) for text in (message, hint))
        short = tuple(Note(clipped(n.message, _MOST_IN_DIAGNOSTIC), n.place) for n in notes)
        return cls(code, severity, next(texts), place, next(texts), short)

    def render(self, source: Source) -> str:
        """Write the diagnostic out for a person, with the line and a caret.

        >>> source = Source("a.kif", "(role )")
        >>> print(Diagnostic("GDL004", Severity.ERROR, "bad", Place(0, 7)).render(source))
        a.kif:1:1: GDL004: bad
           1 | (role )
             | ^^^^^^^
        """
        kind = "" if self.severity is Severity.ERROR else f"{self.severity}: "
        lines = [f"{self._where(source, self.place)}: {self.code}: {kind}{self.message}"]
        lines.append(source.excerpt(self.place))
        for note in self.notes:
            lines.append(f"{self._where(source, note.place)}: note: {note.message}")
            lines.append(source.excerpt(note.place))
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    @staticmethod
    def _where(source: Source, place: Place) -> str:
        line, column = source.position(place.start)
        return f"{source.name}:{line}:{column}"


def rendered(located: Sequence[tuple[Diagnostic, Source]]) -> list[str]:
    """Write out diagnostics, each with the source it is about: the first ones, and how many more.

    >>> found = Diagnostic.error("GDL004", "bad", Place(0, 7))
    >>> rendered([(found, Source("a.kif", "(role )"))] * 60)[-1]
    'and 10 more; kibitz check --json lists all'
    """
    texts = [found.render(source) for found, source in located[:_MOST_DIAGNOSTICS]]
    more = len(located) - len(texts)
    return [*texts, f"and {more:,} more; kibitz check --json lists all"] if more else texts


class KibitzError(Exception):
    """The root of everything Kibitz raises on purpose."""

    def __init__(self, message: str, *, hint: str = "", most: int = 5_000) -> None:
        self.message, self.hint = clipped(message, most), clipped(hint, most)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process boundaries; rebuild them from their fields, not by their __init__.
        return _rebuilt, (type(self), self.__dict__)


def _rebuilt(kind: type[KibitzError], content: dict[str, object]) -> KibitzError:
    error = kind.__new__(kind)
    error.__dict__.update(content)
    return error


def internal_error(error: BaseException) -> KibitzError:
    """Describe a bug in Kibitz in one line for people."""
    return KibitzError(
        f"internal error: {type(error).__name__}: {error}",
        hint="please report it with the command and the rule sheet; KIBITZ_DEBUG=1 shows where",
    )


class RuleSheetError(KibitzError):
    """A rule sheet has errors."""

    def __init__(self, source: Source, diagnostics: Iterable[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(rendered([(d, source) for d in self.diagnostics])), most=200_000)


class GameNameError(KibitzError):
    """No game of the library has this name, or its parameters are wrong."""


class IllegalMoveError(KibitzError):
    """A role was given a move that is not legal in the state."""

    def __init__(self, role: str, move: str, legal: Sequence[str]) -> None:
        self.role, self.move, self.legal = role, move, tuple(legal)
        choices = " ".join(legal) or "none"
        super().__init__(f"{move} is not a legal move of {role}", hint=f"legal moves: {choices}")


class StuckError(KibitzError):
    """In `states` states a role has no legal move, and play has not ended."""

    def __init__(self, message: str, *, states: int) -> None:
        self.states = states
        super().__init__(
            message, hint="give every role a move there, such as noop, or let play end there"
        )


class InputError(KibitzError):
    """A file or an argument cannot be used."""


class StrategyError(InputError):
    """A text in the strategy language has an error."""

    def __init__(self, source: Source, diagnostic: Diagnostic) -> None:
        self.source, self.diagnostic = source, diagnostic
        super().__init__(diagnostic.render(source))


class NoChoiceError(InputError):
    """Rules are wanted for a role that has nothing to decide: whatever it plays is perfect."""


class ProtocolError(KibitzError):
    """A message is not part of the protocol of match servers and players."""


class BudgetExceededError(KibitzError):
    """Time or memory ran out before there was an answer.

    `options` are the options of the command line that the hint speaks of.
    """

    def __init__(self, message: str, *, hint: str = "", options: Sequence[str] = ()) -> None:
        super().__init__(message, hint=hint)
        self.options = tuple(options)


class NotCompiledError(BudgetExceededError):
    """A game runs on an engine that cannot list its states."""

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(
            f"{game} is not compiled, so its states cannot be listed",
            hint="allow more time and memory to ground it",
            options=["--timeout", "--memory"],
        )


class IncompleteError(BudgetExceededError):
    """Exploring a game met a limit, so that nothing can be said of all its states.

    >>> print(IncompleteError("sim", states=1200, limit="states", seconds=0.2, bytes=10**8))
    sim has at least 1,200 states; exploring it ended at the limit of states, after 0 s and 0.1 GB
      hint: allow more states with --max-states
    """

    def __init__(
        self,
        game: str,
        *,
        states: int,
        limit: Literal["states", "time", "memory"],
        seconds: float,
        bytes: int,
        hint: str = "",
    ) -> None:
        self.game, self.states, self.limit = game, states, limit
        self.seconds, self.bytes = seconds, bytes
        option = {"states": "--max-states", "time": "--timeout", "memory": "--memory"}[limit]
        count = "1 state" if states == 1 else f"{states:,} states"
        super().__init__(
            f"{game} has at least {count}; exploring it ended at the limit of {limit}, "
            f"after {seconds:.0f} s and {bytes / 1e9:.1f} GB",
            hint=hint or f"allow more {limit} with {option}",
            options=[option],
        )
