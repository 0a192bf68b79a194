"""How generated code reaches the tuples of a relation: one class for each place they are kept in.

A fixed relation is a set that code refers to by name, with an index for each combination of
columns that is asked for. A relation of the state is evaluated when it is first needed and then
kept with the state, and so are its indexes. Fluents have an index over all that were ever met: its
results are looked up in the current state, so no state needs its own index unless there are too
many.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.engine.ungrounded.compiler import Compiler
    from kibitz.engine.ungrounded.flat_clauses import Pred


Row = tuple[int, ...]
Tuples = set[Row]
Columns = tuple[int, ...]

LONG_BUCKET = 8
"""From this length on, an index of the current state is better than one over all fluents."""


def build_index(rows: Iterable[Row], columns: Columns) -> dict[object, list[Row]]:
    """Group tuples by what they have in some columns; one column is its own key.

    >>> build_index([(1, 2), (1, 3)], (0,))
    {1: [(1, 2), (1, 3)]}
    """
    index: dict[object, list[Row]] = {}
    get = itemgetter(*columns)
    for row in rows:
        key = get(row)
        if key in index:
            index[key].append(row)
        else:
            index[key] = [row]
    return index


def local_index(rounds: dict[str, Any], kind: str, number: int, columns: Columns) -> Any:
    """Return an index of a relation that is being evaluated: "o" for all, "d" for what is new."""
    kept = rounds["x" + kind]
    if (number, columns) not in kept:
        kept[number, columns] = build_index(rounds[kind][number], columns)
    return kept[number, columns]


def end_round(rounds: dict[str, Any]) -> None:
    """Add what a round found to the relations and their indexes."""
    rounds["d"] = [found - all_ for found, all_ in zip(rounds["w"], rounds["o"], strict=True)]
    rounds["xd"] = {}
    for all_, new in zip(rounds["o"], rounds["d"], strict=True):
        all_ |= new
    for (number, columns), index in rounds["xo"].items():
        for key, rows in build_index(rounds["d"][number], columns).items():
            index.setdefault(key, []).extend(rows)


class _Named:
    """Tuples in a set that has a name."""

    is_by_role = False
    is_certain = False

    def __init__(self, name: str) -> None:
        self.name = name

    def scan(self) -> str:
        """Return an expression of all tuples."""
        return self.name

    def has(self, key: str) -> str:
        """Return an expression for whether a tuple is there."""
        return self.name if key == "()" else f"{key} in {self.name}"

    def recheck(self) -> str | None:
        """Buckets are exact unless a class says otherwise."""
        return None

    def index(self, columns: Columns) -> str:
        """Return the name of an index on some columns."""
        raise NotImplementedError

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the tuples with a key in some columns."""
        return f"{self.index(columns)}.get({key}, E)"

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Return an expression for whether a key occurs."""
        return f"{key} in {self.index(columns)}"


class Fixed(_Named):
    """A relation that depends on nothing, evaluated before the code is written."""

    def __init__(self, compiler: Compiler, name: str, rows: Tuples) -> None:
        super().__init__(name)
        self.compiler = compiler
        self.rows = rows

    def index(self, columns: Columns) -> str:
        """Return the name of an index, made now if it is not there yet."""
        name = f"{self.name}_{'_'.join(map(str, columns))}"
        if name not in self.compiler.namespace:
            self.compiler.namespace[name] = build_index(self.rows, columns)
        return name


class DerivedAccess(_Named):
    """A relation evaluated for a state or for a joint move, kept in a slot of R or Q."""

    def __init__(self, compiler: Compiler, table: str, slot: int, group: int, before: list[str]):
        super().__init__(f"{table.lower()}{slot}")
        self.compiler = compiler
        self.table = table
        self.slot = slot
        self.before = before
        _once(
            before,
            f"{self.name} = {table}[{slot}]",
            f"if {self.name} is None:",
            f"    e{group}(S, R, D, Q)",
            f"    {self.name} = {table}[{slot}]",
        )

    def index(self, columns: Columns) -> str:
        """Return the name of an index that is kept with the relation."""
        slot = self.compiler.index_slot(self.table, self.slot, columns)
        name = f"{self.table.lower()}{slot}"
        _once(
            self.before,
            f"{name} = {self.table}[{slot}]",
            f"if {name} is None:",
            f"    {name} = {self.table}[{slot}] = index({self.name}, {columns!r})",
        )
        return name


class Local(_Named):
    """A relation that is being evaluated: all of it, or what the last round added."""

    def __init__(self, number: int, kind: str, before: list[str]) -> None:
        super().__init__(f"{kind}{number}")
        self.number = number
        self.before = before
        _once(before, f"{self.name} = O['{kind}'][{number}]")

    def index(self, columns: Columns) -> str:
        """Return the name of an index, made when first needed and kept while rounds go on."""
        name = f"x{self.name}_{'_'.join(map(str, columns))}"
        _once(self.before, f"{name} = local_index(O, {self.name[0]!r}, {self.number}, {columns!r})")
        return name


class Fluents(_Named):
    """The fluents of one kind that hold in the state."""

    def __init__(self, compiler: Compiler, slot: int, before: list[str]) -> None:
        super().__init__(f"s{slot}")
        self.compiler = compiler
        self.slot = slot
        _once(before, f"{self.name} = S[{slot}]")

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of fluents with a key; they may belong to other states."""
        if self.compiler.memory:
            number = self.compiler.memory.watch(self.slot, columns)
            whole = f"own_bucket(S[{self.slot}], R, {columns!r}, ({number}, {key}))"
        else:
            own = self.compiler.index_slot("R", -1 - self.slot, columns)
            whole = f"own_index(S, R, {self.slot}, {own}, {columns!r}).get({key}, E)"
        name = self.compiler.fluent_index(self.slot, columns)
        if name is None:
            return whole
        short = f"b{self.compiler.fresh()}"
        return f"({short} if len({short} := {name}.get({key}, E)) < {LONG_BUCKET} else {whole})"

    def recheck(self) -> str | None:
        """Return the set of the fluents that hold."""
        return self.name

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Only walking a bucket shows it."""
        return None


class Watched(Fluents):
    """The same, where it is noted which of them are looked at: `L` is the set of such items."""

    def __init__(self, compiler: Compiler, slot: int, before: list[str]) -> None:
        super().__init__(compiler, slot, before)
        self.before = before
        assert compiler.memory is not None
        self.memory = compiler.memory
        self.memory.watch(slot)

    def scan(self) -> str:
        """Return an expression of all fluents of the kind."""
        _once(self.before, f"L.add({self.memory.watch(self.slot, ())})")
        return self.name

    def has(self, key: str) -> str:
        """Return an expression for whether a fluent holds."""
        return f"L.add({key}) or {key} in {self.name}"

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of fluents with a key; they may belong to other states."""
        item = f"({self.memory.watch(self.slot, columns)}, {key})"
        return f"L.add({item}) or {super().bucket(columns, key)}"


class Kept:
    """A relation whose answers are kept from state to state; one call for each key."""

    is_by_role = False
    is_certain = False

    def __init__(self, compiler: Compiler, pred: Pred) -> None:
        self.compiler = compiler
        self.pred = pred

    def scan(self) -> str:
        """Return an expression of all tuples."""
        return self._call((), "()")

    def has(self, key: str) -> str:
        """Return an expression that is true if a tuple is there."""
        columns = tuple(range(self.pred.columns))
        one = key.removeprefix("(").removesuffix(", )")
        return self._call(columns, one if len(columns) == 1 else key)

    def recheck(self) -> str | None:
        """Answers are exact."""
        return None

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the tuples with a key in some columns."""
        return self._call(columns, key)

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Return an expression that is true if a key occurs."""
        return self._call(columns, key)

    def _call(self, columns: Columns, key: str) -> str:
        return f"{self.compiler.call(self.pred, columns)}(S, R, {key}, L)"


class PerKey(Kept):
    """A relation too large to be evaluated as a whole; one call for each key."""

    def __init__(self, compiler: Compiler, pred: Pred, before: list[str]) -> None:
        super().__init__(compiler, pred)
        self.before = before

    def scan(self) -> str:
        """Return an expression of all tuples, which are then evaluated after all."""
        return self.compiler.reach_whole(self.pred, self.before).scan()

    def _call(self, columns: Columns, key: str) -> str:
        return f"{self.compiler.asked(self.pred, columns)}(S, R, D, Q, {key})"


class EveryFluent:
    """All fluents of the state as terms."""

    is_by_role = False
    is_certain = False

    def __init__(self, before: list[str], *, is_watched: bool) -> None:
        _once(before, "sx = every(S, R)")
        if is_watched:
            _once(before, "L.add(anything)")

    def scan(self) -> str:
        """Return an expression of all fluents."""
        return "sx"

    def has(self, key: str) -> str:
        """Return an expression for whether a fluent holds."""
        return f"{key} in sx"

    def recheck(self) -> str | None:
        """Buckets are exact."""
        return None

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the fluent itself if it holds."""
        return f"(({key},),) if ({key},) in sx else E"

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Return an expression for whether a fluent holds."""
        return f"({key},) in sx"


class Moves:
    """The moves of one kind that are made, by role; a role makes one move."""

    is_by_role = True
    is_certain = False

    def __init__(self, functor: int, before: list[str]) -> None:
        self.name = f"m{functor if functor >= 0 else 'x'}"
        _once(before, f"{self.name} = D.by_kind.get({functor}, M)")

    def scan(self) -> str:
        """Return an expression of all moves."""
        return f"{self.name}.values()"

    def has(self, key: str) -> str:
        """Return an expression for whether a move is made."""
        role, *args = key.strip("()").split(", ", 1)
        found = f"{self.name}.get({role})"
        return f"{found} == {key}" if args and args[0] else f"{role} in {self.name}"

    def recheck(self) -> str | None:
        """Moves are exact."""
        return None

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the move of one role, or None."""
        return f"{self.name}.get({key})"

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Roles are looked up by `bucket`."""
        return None


class MoveOf:
    """The move that one role makes, of a kind that is known."""

    is_by_role = True
    is_certain = True

    def __init__(self, number: int, before: list[str], *, is_whole: bool) -> None:
        self.name = f"w{number}" if is_whole else f"d{number}"
        if is_whole:
            _once(before, f"w{number} = D.terms[{number}]")

    def scan(self) -> str:
        """Return an expression of the move alone."""
        return f"({self.name},)"

    def has(self, key: str) -> str:
        """Return an expression for whether the move is made."""
        return f"{self.name} == {key}"

    def recheck(self) -> str | None:
        """The move is exact."""
        return None

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the move."""
        return self.name

    def has_key(self, columns: Columns, key: str) -> str | None:
        """The move is there."""
        return None


def _once(before: list[str], *lines: str) -> None:
    if lines[0] not in before:
        before.extend(lines)
