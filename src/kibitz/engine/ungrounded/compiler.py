"""Compile clauses to Python functions that answer queries about a state.

Relations are evaluated in the order in which they need one another. Those that depend on nothing
are evaluated here, once. For the others code is written: for a state those that depend on it alone,
for a joint move the rest. Recursive relations are evaluated in rounds, and each round joins only
with what the last one added (semi-naive evaluation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import itemgetter
from typing import Any

from kibitz.engine.ungrounded.code_emitter import Access, ClauseWriter, Reach
from kibitz.engine.ungrounded.flat_clauses import (
    ANY,
    DependencyLevel,
    FlatAtom,
    FlatClause,
    FunctorId,
    Pred,
    Symbols,
    find_groups,
    find_levels,
    pattern_variables,
)
from kibitz.engine.ungrounded.incremental import ANYTHING, Memory
from kibitz.engine.ungrounded.join_plan import Guesses, make_plan
from kibitz.engine.ungrounded.tuple_access import (
    DerivedAccess,
    EveryFluent,
    Fixed,
    Fluents,
    Kept,
    Local,
    Moves,
    PerKey,
    Tuples,
    Watched,
    build_index,
    end_round,
    local_index,
)

Columns = tuple[int, ...]
Function = Callable[..., Any]

LARGE = 100_000
"""A relation with more tuples is evaluated only for the values that are asked for."""

_MOST_ASKED = 100_000


class Compiler:
    """Compiles flat clauses; `namespace` is what the code it writes runs in.

    With a memory, relations of the state are asked call by call, and the second of R has answers.
    """

    def __init__(
        self, clauses: Iterable[FlatClause], symbols: Symbols, memory: Memory | None = None
    ) -> None:
        self.symbols = symbols
        self.memory = memory
        self._calls: dict[tuple[Pred, Columns], str] = {}
        self.by_head: dict[Pred, list[FlatClause]] = {}
        for clause in clauses:
            self.by_head.setdefault(clause.head.pred, []).append(clause)
        self.slots: dict[FunctorId, int] = {}
        self.rows: dict[Pred, Tuples] = {}
        self.initial_rows: dict[FunctorId, list[tuple[int, ...]]] = {}
        self.fluent_indexes: dict[tuple[int, Columns], dict[object, list[tuple[int, ...]]]] = {}
        self.seen: dict[int, set[tuple[int, ...]]] = {}
        self.is_running = False
        self.namespace: dict[str, Any] = {
            "mk": symbols.make,
            "parts": symbols.parts,
            "index": build_index,
            "local_index": local_index,
            "end_round": end_round,
            "own_index": _own_index,
            "own_bucket": _own_bucket,
            "every": self._every,
            "anything": ANYTHING,
            "E": (),
            "M": {},
        }
        self.slot_counts = {"R": 2, "Q": 0}  # the first of R holds all fluents as terms
        self._index_slots: dict[tuple[str, int, Columns], int] = {}
        self._counter = 0
        self._levels = find_levels(self.by_head)
        self._groups = find_groups(self.by_head)
        self._group_of = {pred: n for n, group in enumerate(self._groups) for pred in group}
        self._places: dict[Pred, int] = {}
        self._written: set[int] = set()
        self._asked: dict[tuple[Pred, Columns], str] = {}
        self._is_large: dict[Pred, bool] = {}
        self._source: list[str] = []
        self._guesses = Guesses(self)

    def fresh(self) -> int:
        """Return a number that no name has yet."""
        self._counter += 1
        return self._counter

    def level(self, pred: Pred) -> DependencyLevel:
        """Return what a relation depends on."""
        return self._levels.get(pred, DependencyLevel.STATIC)

    def fixed(self, pred: Pred) -> Tuples:
        """Return the tuples of a relation that depends on nothing."""
        if pred not in self.rows:
            self._work_out(self._group_of.get(pred), pred)
        return self.rows[pred]

    def index_slot(self, table: str, slot: int, columns: Columns) -> int:
        """Return the slot of R or Q in which an index is kept."""
        key = (table, slot, columns)
        if key not in self._index_slots:
            self._index_slots[key] = self._new_slot(table)
        return self._index_slots[key]

    def fluent_index(self, slot: int, columns: Columns) -> str | None:
        """Return the name of an index over all fluents of a kind met so far, if there can be one.

        Once states have been met, there can be none for a kind that had none before.
        """
        name = f"u{slot}_{'_'.join(map(str, columns))}"
        if (slot, columns) not in self.fluent_indexes:
            if self.is_running and slot not in self.seen:
                return None
            rows = self.seen.setdefault(slot, set())
            self.fluent_indexes[slot, columns] = self.namespace[name] = build_index(rows, columns)
        return name

    def meet(self, slot: int, rows: Iterable[tuple[int, ...]]) -> None:
        """Enter fluents of one kind into the indexes over all fluents ever met."""
        seen = self.seen.get(slot)
        if seen is None:
            return
        new = [row for row in rows if row not in seen]
        seen.update(new)
        for (own, columns), index in self.fluent_indexes.items():
            if own == slot:
                for key, found in build_index(new, columns).items():
                    index.setdefault(key, []).extend(found)

    def put(self, sets: tuple[set[tuple[int, ...]], ...], row: tuple[int, ...]) -> None:
        """Add a fluent, given as a term, to the set of its kind."""
        functor, *args = self.symbols.parts[row[0]]
        slot = self.slots.get(functor)
        if slot is None:
            sets[-1].add(row)
        else:
            sets[slot].add(tuple(args))

    def question(self, pred: Pred) -> Function:
        """Write what answers with all tuples of a relation; call it with S and R."""
        name = f"ask{self.fresh()}"
        before: list[str] = []
        if self.level(pred) == DependencyLevel.STATIC:
            self.namespace[name] = self.fixed(pred)
            lines = [f"return {name}"]
        elif self.memory and not self._is_recursive(pred):
            # For what is asked again in every state, noting what was looked at does not pay.
            place = self._place(pred, "R")
            lines, names = self._evaluation(
                [pred], _for_roles if pred.relation == "legal" else None
            )
            lines = ["    " + line for line in lines]
            lines = [f"if R[{place}] is None:", *lines, f"    R[{place}] = {names[pred]}"]
            lines = ["O = L = None", *lines, f"return R[{place}]"]
        else:
            rows = self.reach(FlatAtom(pred, ()), before).scan()
            lines = ["L = None", *before, f"return {rows}"]
        return self.define(f"q{name}", "S, R, D=None, Q=None", lines)

    def call(self, pred: Pred, columns: Columns) -> str:
        """Return the name of the function that answers with the tuples that have a key."""
        if (pred, columns) not in self._calls:
            number = self.fresh()
            self._calls[pred, columns] = f"k{number}"
            lines = ["D = Q = None", *self._call_lines(pred, columns, self._watching)]
            self._write_function(f"b{number}", "S, R, K, L", lines)
            answer = [
                f"e = R[1].entries.get(({number}, K))",
                f"if e is None: e = R[1].work_out(({number}, K), b{number}, S, R)",
                "if L is not None: L |= e[1]",
                "return e[0]",
            ]
            self._write_function(f"k{number}", "S, R, K, L", answer)
        return self._calls[pred, columns]

    def _call_lines(self, pred: Pred, columns: Columns, reach: Reach | None = None) -> list[str]:
        """Write what evaluates the tuples of a relation with the key K in some columns."""
        given = [(column, f"a{column}") for column in columns]
        names = "".join(f"{name}, " for _, name in given)
        lines = ["O = None" if reach else "O = L = None", "o = set()"]
        if columns:
            lines.append(f"{names if len(columns) > 1 else 'a' + str(columns[0])} = K")
        for clause in self.by_head.get(pred, ()):
            known = {v for i in columns for v in pattern_variables(clause.head.args[i])}
            plan = make_plan(clause, self._guesses.matches, given=known)
            writer = ClauseWriter(clause, plan, reach or self._reach_usual, self.fresh)
            lines += writer.write("o", given=given)
            self._add_functions(writer)
        return [*lines, "return o"]

    def is_large(self, pred: Pred) -> bool:
        """Return whether a relation is asked key by key: it seems to have too many tuples."""
        if pred not in self._is_large:
            is_kept = self.memory and self.level(pred) == DependencyLevel.STATE
            can_be = pred in self.by_head and not is_kept and not self._is_recursive(pred)
            self._is_large[pred] = can_be and self._guesses.size(pred) > LARGE
        return self._is_large[pred]

    def asked(self, pred: Pred, columns: Columns) -> str:
        """Return the name of the function that evaluates the tuples that have a key, once."""
        if (pred, columns) not in self._asked:
            number = self.fresh()
            self._asked[pred, columns] = f"k{number}"
            self._write_function(f"b{number}", "S, R, D, Q, K", self._call_lines(pred, columns))
            if self.level(pred) == DependencyLevel.STATIC:
                lines = [f"known = k{number}_known"]
                self.namespace[f"k{number}_known"] = {}
                bound = [f"    if len(known) > {_MOST_ASKED}: known.clear()"]
            else:
                table = "R" if self.level(pred) == DependencyLevel.STATE else "Q"
                place = f"{table}[{self._new_slot(table)}]"
                lines = [f"known = {place}", f"if known is None: known = {place} = {{}}"]
                bound = []
            lines += [
                "found = known.get(K)",
                "if found is None:",
                *bound,
                f"    found = known[K] = b{number}(S, R, D, Q, K)",
                "return found",
            ]
            self._write_function(f"k{number}", "S, R, D, Q, K", lines)
        return self._asked[pred, columns]

    def _watching(self, atom: FlatAtom, _place: int, before: list[str]) -> Access:
        pred = atom.pred
        if pred.relation == "true" and pred.functor is not None:
            if pred.functor == ANY:
                return EveryFluent(before, is_watched=True)
            return Watched(self, self.slots[pred.functor], before)
        return self.reach(atom, before)

    def _is_recursive(self, pred: Pred) -> bool:
        group = self._groups[self._group_of[pred]]
        return len(group) > 1 or any(
            atom.pred == pred for clause in self.by_head.get(pred, ()) for atom in clause.positive
        )

    def define(self, name: str, arguments: str, lines: Iterable[str]) -> Function:
        """Compile a function, together with all others written so far."""
        self._write_function(name, arguments, lines)
        self._run()
        function: Function = self.namespace[name]
        return function

    def clause_lines(
        self, clause: FlatClause, out: str, add: str | None = None, *, reach: Reach | None = None
    ) -> list[str]:
        """Write a clause that is read by no other, such as one with `next` as its head."""
        plan = make_plan(clause, self._guesses.matches)
        writer = ClauseWriter(clause, plan, reach or self._reach_usual, self.fresh)
        lines = writer.write(out, add=add)
        self._add_functions(writer)
        return lines

    def _new_slot(self, table: str) -> int:
        self.slot_counts[table] += 1
        return self.slot_counts[table] - 1

    def reach(self, atom: FlatAtom, before: list[str]) -> Access:
        """Return access to the relation of an atom."""
        pred = atom.pred
        if pred.relation == "true" and pred.functor is not None:
            if pred.functor == ANY:
                return EveryFluent(before, is_watched=False)
            return Fluents(self, self.slots[pred.functor], before)
        if pred.relation == "does" and pred.functor is not None:
            return Moves(pred.functor, before)
        if self.is_large(pred):
            return PerKey(self, pred, before)
        if self.memory and self.level(pred) == DependencyLevel.STATE:
            return Kept(self, pred)
        return self.reach_whole(pred, before)

    def _reach_usual(self, atom: FlatAtom, _place: int, before: list[str]) -> Access:
        return self.reach(atom, before)

    def reach_whole(self, pred: Pred, before: list[str]) -> Access:
        """Return access to all tuples of a relation, evaluated together."""
        if self.level(pred) == DependencyLevel.STATIC:
            rows = self.fixed(pred)
            name = f"T{self._place(pred, None)}"
            self.namespace[name] = rows
            return Fixed(self, name, rows)
        group = self._group_of[pred]
        self._write_group(group)
        table = "R" if self.level(pred) == DependencyLevel.STATE else "Q"
        return DerivedAccess(self, table, self._place(pred, table), group, before)

    def _place(self, pred: Pred, table: str | None) -> int:
        if pred not in self._places:
            self._places[pred] = self.fresh() if table is None else self._new_slot(table)
        return self._places[pred]

    def _work_out(self, group: int | None, pred: Pred) -> None:
        """Evaluate a group of relations that depend on nothing."""
        if group is None or pred not in self.by_head:
            self.rows[pred] = set()
            return
        preds = [p for p in self._groups[group] if p in self.by_head]
        ground = [
            (p, c)
            for p in preds
            for c in self.by_head[p]
            if not (c.positive or c.negative or c.distinct)
        ]
        for p in preds:
            self.rows[p] = set()
        for p, clause in ground:
            self.rows[p].add(tuple(a for a in clause.head.args if isinstance(a, int)))
        if len(ground) == sum(len(self.by_head[p]) for p in preds):
            return
        for p in preds:
            for clause in self.by_head[p]:
                for atom in (*clause.positive, *clause.negative):
                    if atom.pred not in preds and not self.is_large(atom.pred):
                        self.fixed(atom.pred)
        lines, names = self._evaluation(preds)
        result = [f"return {', '.join(names[p] for p in preds)},"]
        found = self.define(f"f{self.fresh()}", "S, R, D, Q, O=None, L=None", lines + result)
        for p, rows in zip(preds, found(None, None, None, None), strict=True):
            self.rows[p] = rows

    def _write_group(self, group: int) -> None:
        """Write the function that evaluates a group of relations of a state or a joint move."""
        if group in self._written:
            return
        self._written.add(group)
        preds = [p for p in self._groups[group] if p in self.by_head]
        lines, names = self._evaluation(preds)
        for pred in preds:
            table = "R" if self.level(pred) == DependencyLevel.STATE else "Q"
            lines.append(f"{table}[{self._place(pred, table)}] = {names[pred]}")
        self._write_function(f"e{group}", "S, R, D, Q, O=None, L=None", lines)

    def _evaluation(
        self, preds: list[Pred], change: Callable[[FlatClause], FlatClause] | None = None
    ) -> tuple[list[str], dict[Pred, str]]:
        """Write the lines that evaluate relations which may need one another."""
        numbers = {pred: i for i, pred in enumerate(preds)}
        names = {pred: f"o{i}" for pred, i in numbers.items()}
        lines = [f"{name} = set()" for name in names.values()]
        recursive: list[tuple[Pred, FlatClause]] = []
        facts: dict[Pred, set[tuple[int, ...]]] = {}
        for pred in preds:
            for clause in self.by_head[pred]:
                if any(a.pred in numbers for a in clause.positive):
                    recursive.append((pred, clause))
                elif clause.positive or clause.negative or clause.distinct:
                    lines += self.clause_lines(change(clause) if change else clause, names[pred])
                else:
                    row = tuple(a for a in clause.head.args if isinstance(a, int))
                    facts.setdefault(pred, set()).add(row)
        for pred, rows in facts.items():
            name = f"F{self.fresh()}"
            self.namespace[name] = rows
            lines.append(f"{names[pred]} |= {name}")
        if not recursive:
            return lines, names
        all_of = ", ".join(names.values())
        lines += [
            f"O = {{'o': [{all_of}], 'd': [{', '.join(f'set({n})' for n in names.values())}], "
            "'xo': {}, 'xd': {}}"
        ]
        lines.append("while any(O['d']):")
        lines.append(f"    O['w'] = [{', '.join('set()' for _ in preds)}]")
        for pred, clause in recursive:
            for place, atom in enumerate(clause.positive):
                if atom.pred in numbers:
                    lines += [
                        "    " + x for x in self._round(clause, place, numbers, numbers[pred])
                    ]
        lines.append("    end_round(O)")
        return lines, names

    def _round(
        self, clause: FlatClause, place: int, numbers: dict[Pred, int], own: int
    ) -> list[str]:
        """Write a recursive clause in which one atom ranges over what the last round added."""

        def reach(atom: FlatAtom, at: int, before: list[str]) -> Access:
            number = numbers.get(atom.pred)
            if number is None:
                return self.reach(atom, before)
            return Local(number, "d" if at == place else "o", before)

        plan = make_plan(clause, self._guesses.within(numbers), first=place)
        writer = ClauseWriter(clause, plan, reach, self.fresh)
        lines = [f"w = O['w'][{own}]", *writer.write("w")]
        self._add_functions(writer)
        new = numbers[clause.positive[place].pred]
        return [f"if O['d'][{new}]:", *("    " + line for line in lines)]

    def _every(self, state: tuple[frozenset[tuple[int, ...]], ...], table: list[Any]) -> Any:
        """Return all fluents of a state as terms, each in its own tuple."""
        if table[0] is None:
            make = self.symbols.make
            found = {(make((f, *row)),) for f, slot in self.slots.items() for row in state[slot]}
            table[0] = found | state[-1]
        return table[0]

    def _add_functions(self, writer: ClauseWriter) -> None:
        for lines in writer.functions:
            self._source.append("\n".join(lines))

    def _write_function(self, name: str, arguments: str, lines: Iterable[str]) -> None:
        self._source.append("\n    ".join([f"def {name}({arguments}):", *lines]) + "\n")

    def _run(self) -> None:
        source, self._source = "\n".join(self._source), []
        # The text holds numbers and names made up in this package, nothing of the rule sheet.
        exec(compile(source, "<rules>", "exec"), self.namespace)


def _for_roles(clause: FlatClause) -> FlatClause:
    """Ask only for the moves of roles, so that a role is known from the start."""
    role = FlatAtom(Pred("role", None, 1), clause.head.args[:1])
    return replace(clause, positive=tuple(dict.fromkeys((*clause.positive, role))))


def _own_index(
    state: tuple[frozenset[tuple[int, ...]], ...],
    table: list[Any],
    slot: int,
    place: int,
    columns: Columns,
) -> Any:
    """Return an index of the fluents of one kind in one state, made when first asked for."""
    if table[place] is None:
        table[place] = build_index(state[slot], columns)
    return table[place]


def _own_bucket(
    rows: Iterable[tuple[int, ...]], table: list[Any], columns: Columns, call: tuple[int, Any]
) -> Any:
    """Return the fluents with a key in one state, kept for the states after it."""
    found = table[1].entries.get(call)
    if found is None:
        get = itemgetter(*columns)
        key = call[1]
        # A reader of this bucket has looked at all fluents with this key.
        found = ([row for row in rows if get(row) == key], {call})
        table[1].keep(call, found)
    return found[0]
