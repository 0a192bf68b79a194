"""Compile clauses for `next` and `fnext` to successor functions, from state to state.

There is one function for each combination of kinds of moves that the roles make: clauses that ask
for other moves are left out of it, and where a clause asks for the move of some role, the role is
filled in. What follows from the moves alone is found once for each joint move. A kind of fluents
that depends on few fluents and on no move, such as whose turn it is, is looked up in a table of
results found before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from kibitz.engine.ungrounded.code_emitter import Access
from kibitz.engine.ungrounded.compiler import Compiler
from kibitz.engine.ungrounded.flat_clauses import (
    ANY,
    Build,
    DependencyLevel,
    FlatAtom,
    FlatClause,
    FunctorId,
    Pattern,
    TermId,
    atom_variables,
)
from kibitz.engine.ungrounded.tuple_access import Fluents, MoveOf
from kibitz.gdl import Variable

Row = tuple[int, ...]
Function = Callable[..., Any]
Kinds = tuple[FunctorId, ...]
"""What kind of move each role makes."""

_MOST_FUNCTIONS = 256
_FEW = 8
_MOST_KNOWN = 10_000


class Functions(NamedTuple):
    """Functions of a joint move: its effects in any state; the successor; that and the changes."""

    certain: Function
    step: Function
    advance: Function


class StepWriter:
    """Writes step functions when they are first needed."""

    def __init__(
        self,
        compiler: Compiler,
        clauses: Iterable[FlatClause],
        roles: Sequence[TermId],
        *,
        is_translated: bool,
    ) -> None:
        self.compiler = compiler
        self.roles = roles
        self.is_translated = is_translated
        self.heads = [c for c in clauses if c.head.pred.relation in ("next", "fnext")]
        self.emptied = {c.head.pred.functor for c in self.heads if _ends_all(c)}
        self.known = self._find_known()
        self._functions: dict[Kinds, Functions] = {}
        compiler.namespace.update(E_SET=frozenset(), put=compiler.put, meet=compiler.meet)
        for slot in self.known:
            self._write_known(slot)
        self._any = self._write(None)

    def functions(self, kinds: Kinds) -> Functions:
        """Return the function that steps if roles make moves of these kinds."""
        found = self._functions.get(kinds)
        if found is None:
            if len(self._functions) >= _MOST_FUNCTIONS:
                return self._any
            found = self._functions[kinds] = self._write(kinds)
        return found

    def _write(self, kinds: Kinds | None) -> Functions:
        number = self.compiler.fresh()
        heads = self.heads
        certain: list[FlatClause] = []
        if kinds is not None:
            heads = [c for clause in heads for c in _specialise(clause, kinds, self.roles)]
            certain = [clause for clause in heads if self._is_certain(clause)]
            heads = [clause for clause in heads if clause not in certain]
        new, places = self._certain_lines(certain, kinds)
        *slow, after, changes = self._lines(heads, places, kinds, [])
        taken = [c for c in heads if self._takes_out(c)] if kinds is not None else []
        kept = [c for c in heads if c not in taken]
        *fast, _, _ = self._lines(kept, places, kinds, taken)
        define = self.compiler.define
        # The table of a state met before this code was written may lack places that are new here.
        places_in_table = self.compiler.slot_counts["R"]
        grow = f"if len(R) < {places_in_table}: R += [None] * ({places_in_table} - len(R))"
        return Functions(
            define(f"certain{number}", "D", new),
            define(f"step{number}", "S, R, D", [grow, *fast, f"return {after}"]),
            define(f"advance{number}", "S, R, D", [grow, *slow, f"return {after}, {changes}"]),
        )

    def _takes_out(self, clause: FlatClause) -> bool:
        """Return whether a clause ends all fluents with a key that the moves give."""
        head = clause.head
        moves = [a for a in clause.positive if _is_move(a)]
        others = [a for a in clause.positive if not _is_move(a)]
        given = atom_variables(*moves)
        return (
            head.pred.relation == "fnext"
            and head.pred.functor not in (ANY, *self.emptied)
            and [(a.pred.relation, a.pred.functor, a.args) for a in others]
            == [("true", head.pred.functor, head.args)]
            and not clause.negative
            and not clause.distinct
            and all(isinstance(arg, (int, Variable)) for a in clause.positive for arg in a.args)
            and all(len(set(a.args)) == len(a.args) for a in clause.positive)
            and any(arg in given for arg in head.args)
            and len({v for a in moves for v in atom_variables(a)})
            == sum(len(atom_variables(a)) for a in moves)
            and not any(isinstance(arg, int) for a in moves for arg in a.args[1:])
        )

    def _taking_lines(self, clause: FlatClause) -> list[str]:
        """Write such a clause: fluents that do not hold need not be looked up."""
        before: list[str] = []
        names: dict[Pattern, str] = {}
        for atom in filter(_is_move, clause.positive):
            move = self._reach(atom, 0, before).bucket((), "")
            names.update({arg: f"{move}[{i}]" for i, arg in enumerate(atom.args)})
        head = clause.head
        columns = tuple(
            i for i, arg in enumerate(head.args) if arg in names or isinstance(arg, int)
        )
        values = [names.get(head.args[i], str(head.args[i])) for i in columns]
        slot = self.compiler.slots[cast(int, head.pred.functor)]
        key = values[0] if len(values) == 1 else f"({', '.join(values)})"
        if len(columns) == len(head.args):
            return [*before, f"z{slot}.discard(({''.join(v + ', ' for v in values)}))"]
        found = Fluents(self.compiler, slot, before).bucket(columns, key)
        return [*before, f"z{slot}.difference_update({found})"]

    def _is_certain(self, clause: FlatClause) -> bool:
        """Return whether a clause asks only for moves and for what always holds."""
        if clause.head.pred.relation != "next" or clause.head.pred.functor == ANY:
            return False
        return self.compiler.slots[cast(int, clause.head.pred.functor)] not in self.known and all(
            isinstance(atom.args[0], int)
            if _is_move(atom)
            else self.compiler.level(atom.pred) == DependencyLevel.STATIC
            and atom.pred.relation != "true"
            for atom in (*clause.positive, *clause.negative)
        )

    def _certain_lines(
        self, clauses: list[FlatClause], kinds: Kinds | None
    ) -> tuple[list[str], dict[int, int]]:
        """Write what finds the consequences of the moves, and return the place of each kind."""
        slots = sorted({self.compiler.slots[cast(int, c.head.pred.functor)] for c in clauses})
        lines = ["S = R = Q = O = L = None", *_unpack(kinds)]
        lines += [f"n{slot} = set()" for slot in slots]
        for clause in clauses:
            slot = self.compiler.slots[cast(int, clause.head.pred.functor)]
            lines += self.compiler.clause_lines(clause, f"n{slot}", reach=self._reach)
        lines += [f"meet({slot}, n{slot})" for slot in slots]
        lines.append(f"return ({''.join(f'frozenset(n{slot}), ' for slot in slots)})")
        return lines, {slot: place for place, slot in enumerate(slots)}

    def _lines(
        self,
        heads: list[FlatClause],
        places: dict[int, int],
        kinds: Kinds | None,
        taken: list[FlatClause],
    ) -> list[str]:
        """Write a step; the last two lines are expressions of the state after it and of changes.

        Clauses in `taken` are applied to the state at once, so their changes are not reported.
        """
        compiler = self.compiler
        slots = compiler.slots
        reach = None if kinds is None else self._reach
        given = {c.head.pred.functor for c in heads if c.head.pred.relation == "next"}
        ended = {c.head.pred.functor for c in heads if c.head.pred.relation == "fnext"}
        is_open = {"next": ANY in given, "fnext": ANY in ended}
        lines: list[str] = []
        for clause in heads:
            pred = clause.head.pred
            letter = "n" if pred.relation == "next" else "x"
            if letter == "x" and pred.functor in self.emptied:
                continue
            if pred.functor == ANY:
                add = f"put({letter}_all, {{0}})"
                lines += compiler.clause_lines(clause, "_", add, reach=reach)
            elif (slot := slots[cast(int, pred.functor)]) not in self.known:
                lines += compiler.clause_lines(clause, f"{letter}{slot}", reach=reach)
        start = [f"Q = [None] * {compiler.slot_counts['Q']}", "O = L = None", *_unpack(kinds)]
        results: list[str] = []
        changes: list[str] = []
        for functor, slot in slots.items():
            if slot in self.known:
                key = self._known_key(slot)
                lines.append(f"n{slot} = known{slot}.get({key})")
                lines.append(f"if n{slot} is None: n{slot} = find{slot}(S, R, {key})")
                results.append(f"n{slot}")
                changes.append(f"({slot}, S[{slot}], n{slot})")
                continue
            has_more = functor in given or is_open["next"]
            has_new = has_more or slot in places
            is_emptied = functor in self.emptied
            has_ended = (functor in ended or is_open["fnext"]) and not is_emptied
            if slot in places:
                certain = f"D.certain[{places[slot]}]"
                start.append(f"n{slot} = {f'set({certain})' if has_more else certain}")
            elif has_more:
                start.append(f"n{slot} = set()")
            if has_more and slot in compiler.seen:
                compiler.namespace[f"seen{slot}"] = compiler.seen[slot]
                lines.append(f"if not n{slot} <= seen{slot}: meet({slot}, n{slot})")
            if has_ended or (is_open["fnext"] and is_emptied):
                start.append(f"x{slot} = set()")
            is_kept = self.is_translated and not is_emptied
            takes = [
                line
                for clause in taken
                if clause.head.pred.functor == functor
                for line in self._taking_lines(clause)
            ]
            lines += _result(slot, has_new, has_ended, is_kept, takes)
            results.append(f"z{slot}")
            old = f"S[{slot}]" if not is_kept else f"x{slot}" if has_ended else "E_SET"
            if has_new or old != "E_SET":
                changes.append(f"({slot}, {old}, {f'n{slot}' if has_new else 'E_SET'})")
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
        after = f"({''.join(r + ', ' for r in results)}{others})"
        return [*start, *lines, after, f"({''.join(c + ', ' for c in changes)})"]

    def _reach(self, atom: FlatAtom, _place: int, before: list[str]) -> Access:
        """Reach the move of a role that is known, and everything else as usual."""
        role = atom.args[0] if atom.pred.relation == "does" else None
        if atom.pred.functor is not None and isinstance(role, int) and role in self.roles:
            return MoveOf(self.roles.index(role), before, is_whole=atom.pred.functor == ANY)
        return self.compiler.reach(atom, before)

    def _find_known(self) -> dict[int, tuple[int, ...]]:
        """Find the kinds that depend on no move, with the kinds that they depend on."""
        slots = self.compiler.slots
        by_kind: dict[FunctorId, list[FlatClause]] = {functor: [] for functor in slots}
        for clause in self.heads:
            functor = cast(int, clause.head.pred.functor)
            if functor == ANY:
                return {}
            if not (clause.head.pred.relation == "fnext" and functor in self.emptied):
                by_kind[functor].append(clause)
        found = {f for f in slots if 0 < len(self.compiler.initial_rows.get(f, ())) <= _FEW}
        if self.is_translated:
            found &= self.emptied
        while True:
            simple = {f for f in found if all(self._is_simple(c, found) for c in by_kind[f])}
            if simple == found:
                break
            found = simple
        return {
            slots[f]: tuple(
                sorted({slots[cast(int, a.pred.functor)] for c in by_kind[f] for a in _fluents(c)})
            )
            for f in found
        }

    def _is_simple(self, clause: FlatClause, kinds: set[FunctorId]) -> bool:
        return all(
            self.compiler.level(atom.pred) == DependencyLevel.STATIC
            for atom in (*clause.positive, *clause.negative)
            if atom.pred.relation != "true"
        ) and all(atom.pred.functor in kinds for atom in _fluents(clause))

    def _known_key(self, slot: int) -> str:
        read = self.known[slot]
        return f"S[{read[0]}]" if len(read) == 1 else f"({''.join(f'S[{i}], ' for i in read)})"

    def _write_known(self, slot: int) -> None:
        """Write what finds the fluents of a kind and remembers them."""
        compiler = self.compiler
        functor = next(f for f, own in compiler.slots.items() if own == slot)
        lines = ["D = Q = O = L = None", f"n{slot} = set()"]
        for clause in self.heads:
            if clause.head.pred.functor == functor and clause.head.pred.relation == "next":
                lines += compiler.clause_lines(clause, f"n{slot}")
        compiler.namespace[f"known{slot}"] = {}
        lines += [
            f"meet({slot}, n{slot})",
            f"if len(known{slot}) > {_MOST_KNOWN}: known{slot}.clear()",
            f"known{slot}[K] = n{slot} = frozenset(n{slot})",
            f"return n{slot}",
        ]
        compiler.define(f"find{slot}", "S, R, K", lines)


def _unpack(kinds: Kinds | None) -> list[str]:
    return [] if kinds is None else [f"{''.join(f'd{i}, ' for i in range(len(kinds)))} = D.rows"]


def _result(
    slot: int, has_new: bool, has_ended: bool, is_kept: bool, takes: list[str]
) -> Iterator[str]:
    """Write how the fluents of one kind are found for the next state."""
    if not is_kept:
        yield f"z{slot} = {f'n{slot}' if has_new else 'E_SET'}"
        return
    yield f"z{slot} = S[{slot}]"
    changes = [f"{letter}{slot}" for letter, has in (("x", has_ended), ("n", has_new)) if has]
    at = "    "
    if takes:
        at = ""
    elif changes:
        yield f"if {' or '.join(changes)}:"
    else:
        return
    yield f"{at}z{slot} = set(z{slot})"
    yield from takes
    if has_ended:
        yield f"{at}z{slot} -= x{slot}"
    if has_new:
        yield f"{at}z{slot} |= n{slot}"


def _specialise(clause: FlatClause, kinds: Kinds, roles: Sequence[TermId]) -> Iterator[FlatClause]:
    """Fill in the roles of the moves that a clause asks for; no result if it cannot hold."""
    made = dict(zip(roles, kinds, strict=True))
    for atom in filter(_is_move, clause.positive):
        role = atom.args[0]
        if isinstance(role, Variable):
            for one, kind in made.items():
                if atom.pred.functor in (ANY, kind):
                    yield from _specialise(_substitute(clause, role, one), kinds, roles)
            return
        if not isinstance(role, int) or role not in made:
            return
        if atom.pred.functor not in (ANY, made[role]):
            return
    if any(a == b for a, b in clause.distinct):
        return
    if any(_is_move(a) and _is_certain(a, made) for a in clause.negative):
        return
    yield replace(
        clause,
        positive=tuple(a for a in clause.positive if not (_is_move(a) and _is_certain(a, made))),
        negative=tuple(a for a in clause.negative if not (_is_move(a) and _is_wrong(a, made))),
        distinct=tuple(
            (a, b) for a, b in clause.distinct if not (isinstance(a, int) and isinstance(b, int))
        ),
    )


def _is_move(atom: FlatAtom) -> bool:
    return atom.pred.relation == "does" and atom.pred.functor is not None


def _is_certain(atom: FlatAtom, made: dict[TermId, FunctorId]) -> bool:
    """Return whether a move without arguments is made whenever the kinds are these."""
    role = atom.args[0]
    is_role = isinstance(role, int) and role in made
    return is_role and atom.pred.columns == 1 and atom.pred.functor == made[cast(int, role)]


def _is_wrong(atom: FlatAtom, made: dict[TermId, FunctorId]) -> bool:
    """Return whether a move is not made if the kinds are these."""
    role = atom.args[0]
    if not isinstance(role, int):
        return False
    return role not in made or atom.pred.functor not in (ANY, made[role])


def _substitute(clause: FlatClause, variable: Variable, value: TermId) -> FlatClause:
    def pattern(p: Pattern) -> Pattern:
        if isinstance(p, Build):
            return Build(p.functor, tuple(map(pattern, p.args)))
        return value if p == variable else p

    def atom(a: FlatAtom) -> FlatAtom:
        return FlatAtom(a.pred, tuple(map(pattern, a.args)))

    return FlatClause(
        atom(clause.head),
        tuple(dict.fromkeys(map(atom, clause.positive))),
        tuple(dict.fromkeys(map(atom, clause.negative))),
        tuple((pattern(a), pattern(b)) for a, b in clause.distinct),
    )


def _fluents(clause: FlatClause) -> Iterator[FlatAtom]:
    """Walk the fluents that a clause asks for or denies."""
    for atom in (*clause.positive, *clause.negative):
        if atom.pred.relation == "true":
            yield atom


def _ends_all(clause: FlatClause) -> bool:
    """Return whether a clause says that no fluent of its kind stays."""
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
