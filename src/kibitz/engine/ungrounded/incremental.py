"""Answers found in one state, kept for the states after it.

In a sheet in which `fnext` defines what ends, every step says what changed. A call asks a derived
relation for the tuples with certain values in certain columns; its answer is kept together with
the fluents that were looked at. An answer holds in the next state as well unless one of them
changed, and it also holds in earlier states in which they were the same, so other states after
those find it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Set as AbstractSet
from typing import Any

from kibitz.errors import KibitzError

Row = tuple[int, ...]
Columns = tuple[int, ...]
Item = Hashable
"""Something that was looked at: a fluent, all fluents with a key, a kind of fluents, or anything.

Fluents of two kinds may be one item; then an answer is computed once more than necessary."""

Call = tuple[int, Any]
Answer = tuple[set[Row], set[Item]]
Change = tuple[int, AbstractSet[Row], AbstractSet[Row]]
"""A kind of fluents by number, what ended, and what is new."""

Body = Callable[[Any, Any, Any, set[Item]], set[Row]]

ANYTHING: Item = ("anything",)
"""Looked at by a call that asks for all fluents."""

_LINEAGE = 8
_FEW = 40
_FLOOR = 50
_DEEPEST = 2000
_MOST_WORK = 100_000
_MOST_DEPENDENTS = 400_000


class TooMuchToKeepError(KibitzError):
    """Answers cannot be kept in a game; it can be played without keeping them."""


class Memory:
    """Dependency index shared by all states of a game: items to read, and the calls that read each.

    `watched` has the kinds of fluents that answers depend on, each with the columns in which keys
    are looked up, and a number for these. When there are more, or when there is no room, a new
    generation of answers begins, and those of the last one are dropped.
    """

    def __init__(self) -> None:
        self.watched: dict[int, dict[Columns, int]] = {}
        self.items: dict[int, dict[Row, tuple[Item, ...]]] = {}
        self.dependents: dict[Item, set[Call]] = {}
        self.size = 0
        self.generation = 0
        self.is_large = False

    def watch(self, slot: int, columns: Columns | None = None) -> int:
        """Return the number of the item that stands for the fluents of a kind with some key."""
        numbers = self.watched.setdefault(slot, {})
        if columns is None:
            return 0
        if columns not in numbers:
            self._begin()
            numbers[columns] = -1 - sum(map(len, self.watched.values()))
        return numbers[columns]

    def _begin(self) -> None:
        self.items.clear()
        self.dependents.clear()
        self.size = 0
        self.generation += 1

    def enter(self, call: Call, support: Iterable[Item], count: int) -> None:
        """Note what a call looked at, where enough answers are kept for that to pay."""
        if not self.is_large:
            if count < _FEW:
                return
            self._begin()
            self.is_large = True
        for item in support:
            calls = self.dependents.setdefault(item, set())
            if call not in calls:
                calls.add(call)
                self.size += 1
        if self.size > _MOST_DEPENDENTS:
            self._begin()

    def items_of(self, slot: int, row: Row) -> tuple[Item, ...]:
        """Return what may have been looked at when a fluent was."""
        known = self.items.setdefault(slot, {})
        found: list[Item] = [row]
        for columns, number in self.watched.get(slot, {}).items():
            key = row[columns[0]] if len(columns) == 1 else tuple(row[c] for c in columns)
            found.append((number, key) if columns else number)
        known[row] = tuple(found)
        return known[row]


class Answers:
    """The answers that hold in one state.

    Calls that ask themselves, directly or through others, are evaluated in rounds: each starts from
    the result of the last one, until there is nothing new. Rules are stratified, so nothing is
    negated before it is known.
    """

    __slots__ = ("_busy", "_lineage", "_low", "_memory", "_work", "entries", "generation")

    def __init__(self, memory: Memory) -> None:
        self.entries: dict[Call, Answer] = {}
        self.generation = memory.generation
        self._memory = memory
        self._lineage: tuple[tuple[dict[Call, Answer], set[Item]], ...] = ()
        self._busy: dict[Call, tuple[int, set[Row]]] | None = None
        self._low = _DEEPEST
        self._work = 0

    def after(self, changes: Iterable[Change]) -> Answers:
        """Return the answers that hold in a state after this one."""
        memory = self._memory
        touched: set[Item] = {ANYTHING}
        for slot, ended, new in changes:
            if slot in memory.watched:
                items = memory.items.get(slot, {})
                for row in ended ^ new:
                    touched.update(items.get(row) or memory.items_of(slot, row))
        result = Answers(memory)
        if self.generation == memory.generation:
            result.entries = self._still_hold(touched)
            result._lineage = ((self.entries, touched), *self._lineage[: _LINEAGE - 1])
        return result

    def _still_hold(self, touched: set[Item]) -> dict[Call, Answer]:
        if not self._memory.is_large:
            return {c: a for c, a in self.entries.items() if touched.isdisjoint(a[1])}
        entries = self.entries.copy()
        dependents = self._memory.dependents
        for item in touched:
            for call in dependents.get(item, ()):
                if call in entries and not touched.isdisjoint(entries[call][1]):
                    del entries[call]
        return entries

    def work_out(self, call: Call, body: Body, state: Any, table: Any) -> Answer:
        """Find the answer to a call that has none yet."""
        if self._busy is None:
            self._busy = {}
        if call in self._busy:
            index, known = self._busy[call]
            self._low = min(self._low, index)
            return known, set()
        self._work += 1
        if self._work > _MOST_WORK:
            raise TooMuchToKeepError(f"one state asks for more than {_MOST_WORK:,} answers to keep")
        index = len(self._busy)
        if index and index % _FLOOR == 0:
            return self._deeper(call, body, state, table)
        return self._work_out(call, body, state, table, index)

    def _deeper(self, call: Call, body: Body, state: Any, table: Any) -> Answer:
        """Evaluate a call nested so deeply that Python's recursion limit has to be raised."""
        assert self._busy is not None
        if len(self._busy) >= _DEEPEST:
            raise TooMuchToKeepError(
                f"some rules need one another more than {_DEEPEST:,} levels deep, too many to keep"
            )
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + 10 * _FLOOR)
        try:
            return self._work_out(call, body, state, table, len(self._busy))
        finally:
            sys.setrecursionlimit(limit)

    def _work_out(self, call: Call, body: Body, state: Any, table: Any, index: int) -> Answer:
        assert self._busy is not None
        outer, self._low = self._low, _DEEPEST
        support: set[Item] = set()
        known: set[Row] = set()
        try:
            while True:
                self._busy[call] = (index, known)
                rows = body(state, table, call[1], support)
                if self._low > index or len(rows) == len(known):
                    break
                known = rows
        finally:
            self._busy.pop(call, None)
        is_whole = self._low >= index
        self._low = outer if is_whole else min(outer, self._low)
        answer = (rows, support)
        if is_whole:
            self.keep(call, answer)
        return answer

    def keep(self, call: Call, answer: Answer) -> None:
        """Keep an answer here and in the earlier states in which it holds."""
        self.entries[call] = answer
        if self.generation != self._memory.generation:
            return
        self._memory.enter(call, answer[1], len(self.entries))
        for entries, touched in self._lineage:
            if not touched.isdisjoint(answer[1]):
                break
            entries[call] = answer
