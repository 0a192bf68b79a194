"""A RuleSheet as a Game, evaluated from its first-order rules: no grounding, any rule sheet.

A state's key is one frozen set of tuples for each kind of fluent. A sheet with the rule

    (<= (next ?f) (true ?f) (not (fnext ?f)))

is run by paper 002's state transition (8): what `fnext` gives is removed from the state, what the
other rules give is added, and what stays costs nothing. Such a step knows what it changes, so with
`keeps` earlier answers are kept where nothing that they depend on changed. Whether that pays
depends on the game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple, cast

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.engine.grounding import dynamic_relations, restrict
from kibitz.engine.ungrounded.compiler import Compiler
from kibitz.engine.ungrounded.flat_clauses import (
    ANY,
    SPLIT,
    Pred,
    Symbols,
    TermId,
    UnstratifiedError,
    flatten,
    imply,
    inline,
)
from kibitz.engine.ungrounded.incremental import Answers, Change, Memory, TooMuchToKeepError
from kibitz.engine.ungrounded.successors import Functions, StepWriter
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

Row = tuple[int, ...]
Key = tuple[frozenset[Row], ...]
"""One set for each kind of fluent, and a last one for terms of unknown kind.

Stepping leaves the sets mutable, since freezing one copies it; `successor` freezes them."""


class AppliedMove:
    """A joint move: for each kind of move by role, in the order of roles, and what steps by it."""

    __slots__ = ("advance", "by_kind", "certain", "rows", "step", "terms")

    def __init__(
        self,
        by_kind: dict[int, dict[TermId, Row]],
        rows: tuple[Row, ...],
        terms: tuple[Row, ...],
        functions: Functions,
    ) -> None:
        self.by_kind = by_kind
        self.rows = rows
        self.terms = terms
        self.step = functions.step
        self.advance = functions.advance
        self.certain: tuple[frozenset[Row], ...] = functions.certain(self)


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

    With `rules`, it runs on these, a translation of the sheet that describes the same game.

    >>> from kibitz.games import load_sheet
    >>> game = UngroundedGame(load_sheet("tictactoe"))
    >>> state = game.initial().step(["(mark 2 2)", "noop"])
    >>> len(state.legal("oplayer")), state.is_terminal
    (8, False)
    """

    def __init__(
        self, sheet: RuleSheet, *, rules: RuleSheet | None = None, keeps: bool = False
    ) -> None:
        self.sheet, self.rules = sheet, rules or sheet
        clauses = clauses_of(self.rules)
        self.is_translated = is_translated(clauses)
        self.keeps = keeps and self.is_translated
        if self.is_translated:
            # Everything that `fnext` gives is wanted, as with `next`; rewriting must know.
            kept = (clause for clause in clauses if not _stays(clause))
            clauses = tuple(replace(clause, head=_wrap(clause.head)) for clause in kept)
        if not self.keeps:  # A call asks for no more than its caller wants to know.
            clauses = inline(clauses)
        try:
            self._compile(_restricted(on_demand(clauses)))
        except UnstratifiedError:  # Asking for less can connect what was separate.
            self._compile(_restricted(clauses))

    def initial(self) -> State:
        """Return the state in which every match starts."""
        return State(self, self.initial_key)

    def state_of(self, fluents: Iterable[Function]) -> State:
        """Return the state in which exactly these terms hold."""
        return State(self, self._key(map(self._symbols.intern, fluents)))

    def fluents(self, key: Hashable) -> tuple[Function, ...]:
        """Return the fluents that hold in a state, sorted by their text."""
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
        """Return the moves of a role that the rules allow, sorted by their text."""
        return self._view(cast(Key, key)).legal[role]

    def is_terminal(self, key: Hashable) -> bool:
        """Return whether play has ended."""
        return self._view(cast(Key, key)).is_terminal

    def goals(self, key: Hashable) -> dict[Role, Goal]:
        """Return the goal value of each role."""
        return dict(self._view(cast(Key, key)).goals)

    def successor(self, key: Hashable, joint: tuple[Move, ...]) -> State:
        """Return the state after a joint move, which must be legal."""
        moves = tuple(self._symbols.intern(move) for move in joint)
        state = cast(Key, key)
        table = self._known_table(state)
        try:
            after, changes = self.advance(state, table, self.made(moves))
        except TooMuchToKeepError:
            there = self._plain.state(self.fluents(key)).key
            return self.state(self._plain.successor(there, joint).fluents)
        frozen = tuple(map(frozenset, after))
        if frozen not in self._tables:
            self._enter_table(frozen, self.table(table, changes))
        return State(self, frozen)

    def table(self, before: Table | None = None, changes: Iterable[Change] = ()) -> Table:
        """Make room for what will be evaluated in one state.

        With the table of the state before, and what `advance` reports as changed since, earlier
        results are kept as far as they still hold.
        """
        table: Table = [None] * self._compiler.slot_counts["R"]
        if self.keeps:
            table[1] = before[1].after(changes) if before else Answers(self._memory)
        return table

    def legal_numbers(self, key: Key, table: Table) -> list[list[TermId]]:
        """Return the legal moves of each role by number, in no order."""
        found: dict[TermId, list[TermId]] = {role: [] for role in self._role_numbers}
        for role, move in self._ask_legal(key, table):
            if role in found:
                found[role].append(move)
        return list(found.values())

    def made(self, moves: tuple[TermId, ...]) -> AppliedMove:
        """Prepare a joint move, given by number in the order of the roles."""
        made = self._made.get(moves)
        if made is None:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            terms = tuple(zip(self._role_numbers, moves, strict=True))
            parts = [(role, *self._symbols.parts[move]) for role, move in terms]
            rows = tuple((role, *args) for role, _, *args in parts)
            kinds = tuple(kind for _, kind, *_ in parts)
            by_kind: dict[int, dict[TermId, Row]] = {ANY: {row[0]: row for row in terms}}
            for kind, row in zip(kinds, rows, strict=True):
                by_kind.setdefault(kind, {})[row[0]] = row
            made = AppliedMove(by_kind, rows, terms, self._stepper.functions(kinds))
            self._made[moves] = made
        return made

    def step(self, key: Key, table: Table, made: AppliedMove) -> Key:
        """Return the state after a joint move."""
        return cast(Key, made.step(key, table, made))

    def advance(self, key: Key, table: Table, made: AppliedMove) -> tuple[Key, tuple[Change, ...]]:
        """Return the state after a joint move, and what is different in it."""
        return cast(tuple[Key, tuple[Change, ...]], made.advance(key, table, made))

    def _compile(self, clauses: tuple[Clause, ...]) -> None:
        self._symbols = symbols = Symbols()
        split = (*SPLIT, "fnext") if self.is_translated else SPLIT
        if _names_values(clauses):  # "0 if not 100" is a rule over two relations, not one.
            split = (*split, "goal")
        unwrapped = tuple(replace(clause, head=_unwrap(clause.head)) for clause in clauses)
        flat = flatten(unwrapped, symbols, split=split)
        if self.keeps:
            flat = imply(flat)
        self._memory = Memory()
        self._compiler = compiler = Compiler(flat, symbols, self._memory if self.keeps else None)
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
        self._made: dict[tuple[TermId, ...], AppliedMove] = {}
        self._ask_legal = compiler.question(Pred("legal", None, 2))
        self._goal_values = {
            pred: None if pred.functor is None else symbols.make((pred.functor,))
            for pred in compiler.by_head
            if pred.relation == "goal"
        }
        self._ask_goals = {pred: compiler.question(pred) for pred in self._goal_values}
        self._ask_terminal = compiler.question(Pred("terminal", None, 0))
        self._stepper = StepWriter(
            compiler, flat, self._role_numbers, is_translated=self.is_translated
        )
        compiler.is_running = True
        self.initial_key = self._key(initial)
        self._view = lru_cache(maxsize=_VIEWED)(self._compute_view)
        self._tables: dict[Key, Table] = {}

    def _known_table(self, key: Key) -> Table:
        table = self._tables.get(key)
        return self._enter_table(key, self.table()) if table is None else table

    def _enter_table(self, key: Key, table: Table) -> Table:
        if len(self._tables) >= _VIEWED:
            del self._tables[next(iter(self._tables))]
        self._tables[key] = table
        return table

    def _key(self, fluents: Iterable[TermId]) -> Key:
        sets: tuple[set[Row], ...] = tuple(set() for _ in range(len(self._compiler.slots) + 1))
        for fluent in fluents:
            self._compiler.put(sets, (fluent,))
        for slot, rows in enumerate(sets[:-1]):
            self._compiler.meet(slot, rows)
        return tuple(map(frozenset, sets))

    @cached_property
    def _plain(self) -> UngroundedGame:
        """The same game, in which nothing is kept."""
        return UngroundedGame(self.sheet, rules=self.rules)

    def _compute_view(self, key: Key) -> _View:
        try:
            return self._find_view(key)
        except TooMuchToKeepError:
            return self._plain._view(cast(Key, self._plain.state(self.fluents(key)).key))

    def _find_view(self, key: Key) -> _View:
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


def count_visits(game: UngroundedGame, depth: int) -> int:
    """Count the initial state and every successor to a depth, each as often as it is reached.

    Terminal states are expanded like others.

    >>> from kibitz.games import load_sheet
    >>> [count_visits(UngroundedGame(load_sheet("tictactoe")), depth) for depth in range(4)]
    [1, 10, 82, 586]
    """
    return 1 + (_below(game, game.initial_key, game.table(), depth) if depth else 0)


def _below(game: UngroundedGame, key: Key, table: Table, depth: int) -> int:
    count = 0
    for moves in product(*game.legal_numbers(key, table)):
        count += 1
        made = game.made(moves)
        if depth == 1:
            made.step(key, table, made)
        else:
            after, changes = made.advance(key, table, made)
            count += _below(game, after, game.table(table, changes), depth - 1)
    return count


def is_translated(clauses: Iterable[Clause]) -> bool:
    """Return whether a rule over `fnext` defines what stays, and `fnext` is used only for that.

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
    """Guard the relations that would otherwise be products of unrelated conditions."""
    dynamic = dynamic_relations(clauses)
    products = {c.head.relation for c in clauses if _is_product(c, dynamic)}
    guarded = restrict(clauses)
    chosen = [
        with_guard if clause.head.relation in products else clause
        for clause, with_guard in zip(clauses, guarded, strict=False)
    ]
    return (*chosen, *guarded[len(clauses) :])


def _is_product(clause: Clause, dynamic: set[str]) -> bool:
    """Return whether a head combines what the state says of unrelated things."""
    wanted = set(variables_of(clause.head))
    uses = Counter(v for atom in clause.positive for v in set(variables_of(atom)))
    changing = [set(variables_of(a)) for a in clause.positive if a.relation in dynamic]
    return sum(any(v in wanted and uses[v] == 1 for v in names) for names in changing) > 1


def _names_values(clauses: Iterable[Clause]) -> bool:
    """Return whether `goal` occurs in a body, and always with a constant value."""
    heads = [c.head for c in clauses if c.head.relation == "goal"]
    asked = [a for c in clauses for a in (*c.positive, *c.negative) if a.relation == "goal"]
    return bool(asked) and all(
        isinstance(a.args[1], Function) and not a.args[1].args for a in (*heads, *asked)
    )


def _index(written: list[str], role: str) -> int:
    return written.index(role) if role in written else len(written)


def _only_number(values: list[Function]) -> Goal:
    if len(values) != 1 or values[0].args or not re.fullmatch(r"[0-9]{1,9}", values[0].name):
        return None
    value = int(values[0].name)
    return value if value <= 100 else None
