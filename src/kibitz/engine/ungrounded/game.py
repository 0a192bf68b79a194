"""A RuleSheet as a Game, evaluated from its first-order rules: no grounding, any rule sheet.

A state's key is one frozen set of tuples for each kind of fluent. A sheet with the rule

    (<= (next ?f) (true ?f) (not (fnext ?f)))

is run by paper 002's state transition (8): what `fnext` gives is taken out of the state, what the
other rules give is put in, and nothing is done for what stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, cast

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.engine.ungrounded.compiling import Compiler, UnstratifiedError
from kibitz.engine.ungrounded.flat import ANY, SPLIT, FlatClause, Pred, flatten
from kibitz.engine.ungrounded.inline import inline
from kibitz.engine.ungrounded.symbols import Symbols, TermId
from kibitz.gdl import (
    Atom,
    Clause,
    Function,
    RuleSheet,
    Variable,
    clauses_of,
    on_demand,
    variables_of,
)
from kibitz.ground.restrict import dynamic_relations, restrict

__all__ = ["Key", "UngroundedGame"]

Row = tuple[int, ...]
Key = tuple[frozenset[Row], ...]
"""One set for each kind of fluent, and at last one for terms of no known kind.

Stepping leaves the sets open, for freezing one copies it; `successor` freezes them."""

Made = dict[int, dict[TermId, Row]]
"""The moves that are made: for each kind of move, by role."""

Table = list[Any]

_VIEWED = 2048
_MOST_MADE = 50_000
_HIDDEN = "fnext;"


class _View(NamedTuple):
    legal: dict[Role, tuple[Move, ...]]
    goals: dict[Role, Goal]
    is_terminal: bool


class UngroundedGame(Game):
    """A game evaluated by joins over the fluents that hold.

    >>> from kibitz.games import load
    >>> game = UngroundedGame(load("tictactoe"))
    >>> state = game.initial().step(["(mark 2 2)", "noop"])
    >>> len(state.legal("oplayer")), state.is_terminal
    (8, False)
    """

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        clauses = clauses_of(sheet)
        self.is_translated = is_translated(clauses)
        if self.is_translated:
            # Everything that `fnext` gives is wanted, as with `next`; rewriting must know.
            kept = (clause for clause in clauses if not _stays(clause))
            clauses = tuple(replace(clause, head=_wrap(clause.head)) for clause in kept)
        try:
            self._compile(_restricted(on_demand(inline(clauses))))
        except UnstratifiedError:  # Asking for less can tie what was apart.
            self._compile(_restricted(inline(clauses)))

    def initial(self) -> State:
        """Give the state in which every match starts."""
        return State(self, self.initial_key)

    def state(self, fluents: Iterable[Function]) -> State:
        """Give the state in which exactly these fluents hold."""
        return State(self, self._key(map(self._symbols.intern, fluents)))

    def fluents(self, key: Hashable) -> tuple[Function, ...]:
        """Give the fluents that hold in a state, sorted by their text."""
        *kinds, others = cast(Key, key)
        symbols = self._symbols
        found = [
            symbols.term(symbols.make((functor, *row)))
            for functor, slot in self._compiler.slots.items()
            for row in kinds[slot]
        ]
        found += [symbols.term(row[0]) for row in others]
        return tuple(sorted(found, key=self.write))

    def legal(self, key: Hashable, role: Role) -> tuple[Move, ...]:
        """Give the moves of a role that the rules allow, sorted by their text."""
        return self._view(cast(Key, key)).legal[role]

    def is_terminal(self, key: Hashable) -> bool:
        """Tell whether play has ended."""
        return self._view(cast(Key, key)).is_terminal

    def goals(self, key: Hashable) -> dict[Role, Goal]:
        """Give the goal value of each role."""
        return dict(self._view(cast(Key, key)).goals)

    def successor(self, key: Hashable, joint: tuple[Move, ...]) -> State:
        """Give the state after a joint move, which must be legal."""
        moves = tuple(self._symbols.intern(move) for move in joint)
        state = cast(Key, key)
        after = self.step(state, self._known_table(state), self.made(moves))
        return State(self, tuple(map(frozenset, after)))

    def table(self) -> Table:
        """Make room for what will be worked out in one state."""
        return [None] * self._compiler.slot_counts["R"]

    def legal_numbers(self, key: Key, table: Table) -> list[list[TermId]]:
        """Give the legal moves of each role by number, in no order."""
        found: dict[TermId, list[TermId]] = {role: [] for role in self._role_numbers}
        for role, move in self._ask_legal(key, table):
            if role in found:
                found[role].append(move)
        return list(found.values())

    def made(self, moves: tuple[TermId, ...]) -> Made:
        """Group the moves of all roles, in the order of the roles, by their kind and by role."""
        made = self._made.get(moves)
        if made is None:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            made = self._made[moves] = {}
            for role, move in zip(self._role_numbers, moves, strict=True):
                functor, *args = self._symbols.parts[move]
                made.setdefault(functor, {})[role] = (role, *args)
                made.setdefault(ANY, {})[role] = (role, move)
        return made

    def _compile(self, clauses: tuple[Clause, ...]) -> None:
        self._symbols = symbols = Symbols()
        split = (*SPLIT, "fnext") if self.is_translated else SPLIT
        if _names_values(clauses):  # "0 if not 100" is a rule over two relations, not one.
            split = (*split, "goal")
        unwrapped = tuple(replace(clause, head=_unwrap(clause.head)) for clause in clauses)
        flat = flatten(unwrapped, symbols, split=split)
        self._compiler = compiler = Compiler(flat, symbols)
        roles = [symbols.term(row[0]) for row in compiler.fixed(Pred("role", None, 1))]
        written = [str(r.head.args[0]) for r in self.sheet.rules if r.head.relation == "role"]
        roles.sort(key=lambda r: (_index(written, str(r)), str(r)))
        self.roles = tuple(map(str, roles))
        self._role_numbers = [symbols.intern(role) for role in roles]
        initial = [row[0] for row in compiler.fixed(Pred("init", None, 1))]
        kinds = {symbols.parts[number][0] for number in initial}
        for clause in flat:
            for atom in (clause.head, *clause.positive, *clause.negative):
                if atom.pred.relation in ("true", "next", "fnext") and atom.pred.functor not in (
                    None,
                    ANY,
                ):
                    kinds.add(atom.pred.functor)
        compiler.slots = {functor: slot for slot, functor in enumerate(sorted(kinds))}
        for number in initial:
            functor, *args = symbols.parts[number]
            compiler.initial_rows.setdefault(functor, []).append(tuple(args))
        self._seen: dict[int, set[Row]] = {}
        self._made: dict[tuple[TermId, ...], Made] = {}
        self._ask_legal = compiler.question(Pred("legal", None, 2))
        self._goal_values = {
            pred: None if pred.functor is None else symbols.make((pred.functor,))
            for pred in compiler.by_head
            if pred.relation == "goal"
        }
        self._ask_goals = {pred: compiler.question(pred) for pred in self._goal_values}
        self._ask_terminal = compiler.question(Pred("terminal", None, 0))
        self.step = compiler.define("step", "S, R, D", self._step_lines(flat))
        self.initial_key = self._key(initial)
        self._view = lru_cache(maxsize=_VIEWED)(self._compute_view)
        self._known_table = lru_cache(maxsize=_VIEWED)(lambda _key: self.table())

    def _step_lines(self, clauses: Iterable[FlatClause]) -> list[str]:
        """Write the function from a state and moves to the next state."""
        compiler = self._compiler
        slots = compiler.slots
        heads = [c for c in clauses if c.head.pred.relation in ("next", "fnext")]
        given = {c.head.pred.functor for c in heads if c.head.pred.relation == "next"}
        ended = {c.head.pred.functor for c in heads if c.head.pred.relation == "fnext"}
        emptied = {c.head.pred.functor for c in heads if _ends_all(c)}
        is_open = {"next": ANY in given, "fnext": ANY in ended}
        lines: list[str] = []
        for clause in heads:
            pred = clause.head.pred
            letter = "n" if pred.relation == "next" else "x"
            if letter == "x" and pred.functor in emptied:
                continue
            if pred.functor == ANY:
                add = f"put({letter}_all, {{0}})"
                lines += compiler.clause_lines(clause, "_", add)
            else:
                slot = slots[cast(int, pred.functor)]
                lines += compiler.clause_lines(clause, f"{letter}{slot}")
        compiler.namespace["put"] = self._put
        compiler.namespace["merge"] = _merge
        start = [f"Q = [None] * {compiler.slot_counts['Q']}", "O = None"]
        results: list[str] = []
        for functor, slot in slots.items():
            has_new = functor in given or is_open["next"]
            has_ended = (functor in ended or is_open["fnext"]) and functor not in emptied
            if has_new:
                start.append(f"n{slot} = set()")
            if has_ended:
                start.append(f"x{slot} = set()")
            if has_new and any(key[0] == slot for key in compiler.fluent_indexes):
                compiler.namespace[f"seen{slot}"] = self._seen.setdefault(slot, set())
                lines.append(f"if not n{slot} <= seen{slot}: meet({slot}, n{slot})")
            results.append(self._result(slot, has_new, has_ended, functor in emptied))
        compiler.namespace["meet"] = self._meet
        for letter, relation in (("n", "next"), ("x", "fnext")):
            if is_open[relation]:
                start.append(f"{letter}o = set()")
                sets = "".join(f"{letter}{slot}, " for slot in slots.values())
                start.append(f"{letter}_all = ({sets}{letter}o, )")
        others = "S[-1]" if self.is_translated else "E_SET"
        if is_open["fnext"]:
            others += " - xo"
        if is_open["next"]:
            others = f"(({others}) | no)"
        compiler.namespace["E_SET"] = frozenset()
        # With an open `fnext` every kind has a set for what ended, emptied ones too.
        start += [
            f"x{slot} = set()"
            for functor, slot in slots.items()
            if is_open["fnext"] and functor in emptied
        ]
        return [*start, *lines, f"return ({''.join(r + ', ' for r in results)}{others})"]

    def _result(self, slot: int, has_new: bool, has_ended: bool, is_emptied: bool) -> str:
        """Write the expression for the fluents of one kind in the next state."""
        if not self.is_translated or is_emptied:
            return f"n{slot}" if has_new else "E_SET"
        kept = f"S[{slot}]"
        if has_ended and has_new:
            return f"(merge({kept}, x{slot}, n{slot}) if x{slot} or n{slot} else {kept})"
        if has_ended:
            return f"({kept}.difference(x{slot}) if x{slot} else {kept})"
        return f"({kept}.union(n{slot}) if n{slot} else {kept})" if has_new else kept

    def _put(self, sets: tuple[set[Row], ...], row: Row) -> None:
        """Add a fluent, given as a term, to the set of its kind."""
        functor, *args = self._symbols.parts[row[0]]
        slot = self._compiler.slots.get(functor)
        if slot is None:
            sets[-1].add(row)
        else:
            sets[slot].add(tuple(args))

    def _meet(self, slot: int, rows: Iterable[Row]) -> None:
        """Enter fluents of one kind into the indexes over all fluents ever met."""
        seen = self._seen.setdefault(slot, set())
        new = [row for row in rows if row not in seen]
        seen.update(new)
        for (own, columns), index in self._compiler.fluent_indexes.items():
            if own == slot:
                for row in new:
                    key = row[columns[0]] if len(columns) == 1 else tuple(row[c] for c in columns)
                    index.setdefault(key, []).append(row)

    def _key(self, fluents: Iterable[TermId]) -> Key:
        sets: tuple[set[Row], ...] = tuple(set() for _ in range(len(self._compiler.slots) + 1))
        for fluent in fluents:
            self._put(sets, (fluent,))
        for slot, rows in enumerate(sets[:-1]):
            self._meet(slot, rows)
        return tuple(map(frozenset, sets))

    def _compute_view(self, key: Key) -> _View:
        table = self._known_table(key)
        symbols = self._symbols
        legal = {
            role: tuple(sorted((symbols.term(m) for m in moves), key=self.write))
            for role, moves in zip(self.roles, self.legal_numbers(key, table), strict=True)
        }
        values: dict[TermId, list[Function]] = {role: [] for role in self._role_numbers}
        for pred, ask in self._ask_goals.items():
            named = self._goal_values[pred]
            for row in ask(key, table):
                if row[0] in values:
                    values[row[0]].append(symbols.term(row[1] if named is None else named))
        goals = map(_only_number, values.values())
        is_terminal = bool(self._ask_terminal(key, table))
        return _View(legal, dict(zip(self.roles, goals, strict=True)), is_terminal)


def _merge(state: frozenset[Row], ended: set[Row], new: set[Row]) -> set[Row]:
    """Take out what ended and put in what is new, copying once."""
    after = set(state)
    after -= ended
    after |= new
    return after


def is_translated(clauses: Iterable[Clause]) -> bool:
    """Tell whether what stays is told by a rule over `fnext`, and `fnext` is used for that only.

    >>> from kibitz.gdl import parse
    >>> is_translated(clauses_of(parse("(<= (next ?f) (true ?f) (not (fnext ?f)))")))
    True
    """
    users = [c for c in clauses if any(a.relation == "fnext" for a in (*c.positive, *c.negative))]
    return len(users) == 1 and _stays(users[0])


def _stays(clause: Clause) -> bool:
    (variable, *_) = (*clause.head.args, None)
    return (
        isinstance(variable, Variable)
        and clause.head == Atom("next", (variable,))
        and clause.positive == (Atom("true", (variable,)),)
        and clause.negative == (Atom("fnext", (variable,)),)
        and not clause.distinct
    )


def _wrap(head: Atom) -> Atom:
    """Hide `fnext` as something that is next."""
    return Atom("next", (Function(_HIDDEN, head.args),)) if head.relation == "fnext" else head


def _unwrap(head: Atom) -> Atom:
    inner = head.args[0] if head.relation == "next" else None
    if isinstance(inner, Function) and inner.name == _HIDDEN:
        return Atom("fnext", inner.args)
    return head


def _restricted(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Guard the relations that would otherwise be products of unrelated parts."""
    dynamic = dynamic_relations(clauses)
    products = {c.head.relation for c in clauses if _is_product(c, dynamic)}
    guarded = restrict(clauses)
    chosen = [
        with_guard if clause.head.relation in products else clause
        for clause, with_guard in zip(clauses, guarded, strict=False)
    ]
    return (*chosen, *guarded[len(clauses) :])


def _is_product(clause: Clause, dynamic: set[str]) -> bool:
    """Tell whether a head puts together what the state says of unrelated things."""
    wanted = set(variables_of(clause.head))
    uses = Counter(v for atom in clause.positive for v in set(variables_of(atom)))
    changing = [set(variables_of(a)) for a in clause.positive if a.relation in dynamic]
    return sum(any(v in wanted and uses[v] == 1 for v in names) for names in changing) > 1


def _names_values(clauses: Iterable[Clause]) -> bool:
    """Tell whether `goal` stands in a body, and always with a constant for its value."""
    heads = [c.head for c in clauses if c.head.relation == "goal"]
    asked = [a for c in clauses for a in (*c.positive, *c.negative) if a.relation == "goal"]
    return bool(asked) and all(
        isinstance(a.args[1], Function) and not a.args[1].args for a in (*heads, *asked)
    )


def _ends_all(clause: FlatClause) -> bool:
    """Tell whether a clause says that no fluent of its kind stays."""
    head = clause.head
    return (
        head.pred.relation == "fnext"
        and len(clause.positive) == 1
        and clause.positive[0].pred.relation == "true"
        and clause.positive[0].pred.functor == head.pred.functor
        and clause.positive[0].args == head.args
        and not clause.negative
        and not clause.distinct
        and len({a for a in head.args if isinstance(a, Variable)}) == len(head.args)
    )


def _index(written: list[str], role: str) -> int:
    return written.index(role) if role in written else len(written)


def _only_number(values: list[Function]) -> Goal:
    if len(values) == 1 and not values[0].args and re.fullmatch(r"-?[0-9]{1,9}", values[0].name):
        return int(values[0].name)
    return None
