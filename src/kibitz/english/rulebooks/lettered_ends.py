"""Rules without an end in, the same with the end in letters out, from the clauses of the sheet.

Where board, start and moves have sentences and the end has none, the clauses that say when play is
over and who then gets what are written with letters, with all that they need. They ask for squares
by the names that the sentences give them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import permutations

import kibitz.rulebook as m
from kibitz.english.rulebooks.canonical_clauses import canonical, clause_variables, live_clauses
from kibitz.english.rulebooks.names import ConstantTypes, Place
from kibitz.english.rulebooks.positions import Cell, View
from kibitz.english.rulebooks.statements import lettered_sentences
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, RuleSheet, Term, Variable

_NOTHING = "nothing"
_KEPT = frozenset({"cell", "control", "move", "place", "noop", "can_move"})
"""Names of the rules that sentences make, which sentences with letters must keep."""
_MOST_CLAUSES = 300
_MOST_TRIED = 2
_MANY = 3
"""Clauses behind the name of a condition that may only say whether a player can move."""
_Key = tuple[str, int]


@dataclass(frozen=True)
class Boards:
    """What is known of a game and its board: the view, contents in sentences, moves and fluents.

    `names` has what each role is called, `turn` the name of the fluent that says whose turn it is.
    `held` has what each content is in the rules that sentences make, `moves` the cells that moves
    leave and reach: one for a piece that is placed, two for one that moves.
    """

    view: View
    held: Mapping[str, str]
    names: Mapping[str, str]
    fluents: Sequence[Function]
    turn: str
    moves: Sequence[tuple[Function, str, tuple[Cell, ...]]] = ()


def with_lettered_ends(sheet: RuleSheet, rules: m.Rules, boards: Boards) -> Iterator[m.Rules]:
    """Yield the rules with sentences about the end, the shortest first."""
    clauses = live_clauses(sheet)
    squares = _squares(boards)
    if squares is None:
        return
    known: set[tuple[str, ...]] = set()
    for stand_ins in _stand_ins(clauses):
        said = _Asked(clauses, squares, stand_ins, boards.turn).clauses()
        written = said and _written(said, boards, squares, stand_ins)
        names = {name.lower(): name for name in boards.names.values()}
        sentences = written and lettered_sentences(written, names, keep=_KEPT)
        if sentences and tuple(sentences) not in known:
            known.add(tuple(sentences))
            (players,) = rules.all(m.Players)
            plain = [one for one in rules.sentences if one != players]
            texts = [*(m.write_rulebook(m.Rules.of([one])) for one in plain), *sentences]
            yield m.Rules.of([players, *map(m.Statement, texts)])


@dataclass(frozen=True)
class _Shape:
    """Where a fluent has its column, row and content; a fixed content where it has no place."""

    column: int
    row: int | None
    content: int | None
    fixed: str = ""


@dataclass
class _Squares:
    """How fluents and moves of a sheet speak of cells, and what coordinates are called."""

    shapes: dict[_Key, _Shape]
    columns: dict[str, str]
    rows: dict[str, str]
    has_blank: bool
    moves: dict[_Key, tuple[str, tuple[int, ...], int | None]] = field(default_factory=dict)


def _squares(boards: Boards) -> _Squares | None:
    view = boards.view
    if view.kind == "piles":
        return None
    shown: dict[_Key, list[tuple[tuple[str, ...], Cell, str]]] = {}
    hidden: set[_Key] = set()
    for fluent in boards.fluents:
        key = fluent.name, len(fluent.args)
        place = view.find(fluent)
        if place is None:
            hidden.add(key)
        elif any(isinstance(arg, Function) and arg.args for arg in fluent.args):
            return None
        else:
            args = tuple(map(str, fluent.args))
            shown.setdefault(key, []).append((args, view.cells[place[0]], place[1]))
    if hidden & set(shown) or not shown:
        return None
    found = _Squares({}, {}, {}, has_blank=False)
    for key, rows in sorted(shown.items()):
        shape = _shape(rows, found, key[1])
        if shape is None:
            return None
        found.shapes[key] = shape
        found.has_blank |= any(not content for *_, content in rows)
    found.moves = _moves(boards, found)
    return found


def _shape(
    rows: Sequence[tuple[tuple[str, ...], Cell, str]], squares: _Squares, arity: int
) -> _Shape | None:
    """Find the arguments that are column, row and content, as all rows have them."""
    is_grid = len(rows[0][1]) == 2
    size = 2 if is_grid else 1
    if not size <= arity <= size + 1:
        return None
    for order in permutations(range(arity)):
        column, *others = order
        row = others.pop(0) if is_grid else None
        content = others.pop(0) if others else None
        maps = [
            _joined(squares.columns, ((args[column], cell[0]) for args, cell, _ in rows)),
            {} if row is None
            else _joined(squares.rows, ((args[row], cell[1]) for args, cell, _ in rows)),
            {} if content is None else _joined({}, ((args[content], c) for args, _, c in rows)),
        ]  # fmt: skip
        fixed = {c for *_, c in rows} if content is None else {""}
        if None not in maps and len(fixed) == 1:
            squares.columns, squares.rows = maps[0] or {}, maps[1] or {}
            return _Shape(column, row, content, fixed.pop())
    return None


def _joined(known: dict[str, str], pairs: Iterable[tuple[str, str]]) -> dict[str, str] | None:
    """Add pairs to what is called by which name; None where that is not one to one."""
    found = dict(known)
    for old, new in pairs:
        if found.setdefault(old, new) != new:
            return None
    return found if len(set(found.values())) == len(found) else None


def _moves(
    boards: Boards, squares: _Squares
) -> dict[_Key, tuple[str, tuple[int, ...], int | None]]:
    """Find the arguments of moves that are the cells they leave and reach, and what moves."""
    made: dict[_Key, list[tuple[tuple[str, ...], str, tuple[Cell, ...]]]] = {}
    for move, content, cells in boards.moves:
        key = move.name, len(move.args)
        made.setdefault(key, []).append((tuple(map(str, move.args)), content, cells))
    found: dict[_Key, tuple[str, tuple[int, ...], int | None]] = {}
    for key, rows in made.items():
        sizes = {len(cells) for *_, cells in rows}
        if len(sizes) > 1:
            continue
        flat = [
            (args, content, [name for cell in cells for name in cell])
            for args, content, cells in rows
        ]
        count = len(flat[0][2])
        per_cell = len(rows[0][2][0])
        tables = [squares.columns, squares.rows][:per_cell] * (count // per_cell)
        for order in permutations(range(key[1]), count):
            rest = [n for n in range(key[1]) if n not in order]
            fits = all(
                tables[k].get(args[n]) == names[k]
                for args, _, names in flat
                for k, n in enumerate(order)
            )
            if fits and len(rest) <= 1:
                piece = rest[0] if rest else None
                if piece is None or all(args[piece] == content for args, content, _ in flat):
                    found[key] = ("place" if sizes == {1} else "move", order, piece)
                    break
    return found


def _stand_ins(clauses: Sequence[Clause]) -> Iterator[frozenset[_Key]]:
    """Yield names of conditions on players alone that may be *can move*: all, each, and none."""
    types = ConstantTypes(clauses)
    roles = {str(c.head.args[0]) for c in clauses if c.head.relation == "role"}
    behind = {
        key: len(_behind(clauses, key))
        for key in dict.fromkeys(_key(c.head) for c in clauses)
        if key[0] not in KEYWORD_ARITY
        and (
            len(roles) == 1
            if key[1] == 0
            else key[1] == 1
            and set(types.constants.get(types.of((key[0], 1, 0)), ())) <= roles
            and (key[0], 1, 0) in types
        )
    }
    large = sorted((key for key in behind if behind[key] >= _MANY), key=lambda key: -behind[key])
    if len(large) > 1:
        yield frozenset(large)
    for key in large[:_MOST_TRIED]:
        yield frozenset({key})
    yield frozenset()


def _behind(clauses: Sequence[Clause], start: _Key) -> list[Clause]:
    """Return the clauses that a relation follows from, at last."""
    seen, waiting = {start}, [start]
    found: list[Clause] = []
    while waiting:
        key = waiting.pop()
        for clause in clauses:
            if _key(clause.head) != key or clause.head.relation in ("true", "does"):
                continue
            found.append(clause)
            for atom in (*clause.positive, *clause.negative):
                if (other := _key(atom)) not in seen:
                    seen.add(other)
                    waiting.append(other)
    return found


class _Asked:
    """The clauses that the end needs, with what they ask of squares and moves put in new words."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        squares: _Squares,
        stand_ins: frozenset[_Key],
        turn: str,
    ) -> None:
        self.all, self.squares, self.stand_ins, self.turn = clauses, squares, stand_ins, turn

    def clauses(self) -> list[Clause] | None:
        """Return the clauses; None where they ask for what has no words."""
        waiting: list[tuple[str, _Key]] = [("", ("terminal", 0)), ("", ("goal", 2))]
        seen = set(waiting)
        found: list[Clause] = []
        while waiting:
            kind, key = waiting.pop(0)
            for clause in self.all:
                if not _is_about(clause, kind, key):
                    continue
                found.append(clause)
                for atom in (*clause.positive, *clause.negative):
                    need = self._needs(atom)
                    if need is None or len(found) > _MOST_CLAUSES:
                        return None
                    for one in need:
                        if one not in seen:
                            seen.add(one)
                            waiting.append(one)
        return [c for c in self.all if c in set(found) or c.head.relation == "role"]

    def _needs(self, atom: Atom) -> list[tuple[str, _Key]] | None:
        """Return what else must be said for a condition; None where nothing can."""
        relation = atom.relation
        if relation in ("role", "terminal", "goal"):
            return [] if relation == "role" else [("", _key(atom))]
        if relation == "true":
            told = atom.args[0]
            if not isinstance(told, Function):
                return None
            key = told.name, len(told.args)
            is_known = key in self.squares.shapes or key == (self.turn, 1)
            return [] if is_known else [("fluent", key)]
        if relation == "does":
            told = atom.args[1]
            if not isinstance(told, Function):
                return None
            is_known = (told.name, len(told.args)) in self.squares.moves or not told.args
            return [] if is_known else None
        if relation == "legal":
            return None
        return [] if _key(atom) in self.stand_ins else [("", _key(atom))]


def _is_about(clause: Clause, kind: str, key: _Key) -> bool:
    if kind == "fluent":
        told = clause.head.args[0] if clause.head.relation in ("init", "next") else None
        return isinstance(told, Function) and (told.name, len(told.args)) == key
    return _key(clause.head) == key


def _written(
    clauses: Sequence[Clause],
    boards: Boards,
    squares: _Squares,
    stand_ins: frozenset[_Key],
) -> list[Clause] | None:
    """Give clauses the names of cells, contents, players and moves that sentences have."""
    types = ConstantTypes(clauses)
    new = {(types.of(("role", 1, 0)), role): name.lower() for role, name in boards.names.items()}
    for fluent in boards.fluents:
        shape = squares.shapes.get((fluent.name, len(fluent.args)))
        place = boards.view.find(fluent)
        if shape is None or shape.content is None or place is None:
            continue
        kind = types.of((fluent.name, len(fluent.args), shape.content))
        wanted = boards.held[place[1]].replace("_", "-") if place[1] else _NOTHING
        if new.setdefault((kind, str(fluent.args[shape.content])), wanted) != wanted:
            return None
    for kind, constants in types.constants.items():
        if set(constants) <= set(boards.names):
            new |= {(kind, role): boards.names[role].lower() for role in constants}
    shared = {sort for sort in ("column", "row") if not _renamed_sort(sort, squares, types, new)}
    words = _Words(squares, boards, stand_ins, shared)
    found = [words.clause(types.renamed(clause, new)) for clause in clauses]
    unique = {canonical(clause): clause for clause in reversed(found)}
    return [*reversed(unique.values()), *words.tables]


def _renamed_sort(
    sort: str,
    squares: _Squares,
    types: ConstantTypes,
    new: dict[tuple[Place, str], str],
) -> bool:
    """Give columns or rows their new names wherever they are, if they are nothing else there."""
    places: dict[str, set[Place]] = {"column": set(), "row": set()}
    others = {kind for kind, _ in new}
    for (name, arity), shape in squares.shapes.items():
        places["column"].add((name, arity, shape.column))
        places["row"] |= {(name, arity, shape.row)} if shape.row is not None else set()
    sorts = ("column", "row") if squares.rows else ("column",)
    for (name, arity), (_, order, _) in squares.moves.items():
        for k, number in enumerate(order):
            places[sorts[k % len(sorts)]].add((name, arity, number))
    kinds = {one: {types.of(place) for place in found} for one, found in places.items()}
    other = kinds["row" if sort == "column" else "column"] | others
    table = squares.columns if sort == "column" else squares.rows
    constants = {(kind, one) for kind in kinds[sort] for one in types.constants.get(kind, ())}
    if kinds[sort] & other or any(one not in table for _, one in constants):
        return False
    new |= {(kind, one): table[one] for kind, one in constants}
    return True


class _Words:
    """Puts what clauses ask of squares, turns and moves in the words that sentences have."""

    def __init__(
        self, squares: _Squares, boards: Boards, stand_ins: frozenset[_Key], shared: Set[str]
    ) -> None:
        self.squares, self.boards, self.stand_ins = squares, boards, stand_ins
        self.tables: list[Clause] = []
        self._shared = shared
        self._sorts = {"column": squares.columns, "row": squares.rows}

    def clause(self, clause: Clause) -> Clause:
        """Return a clause in these words."""
        self._bound: dict[tuple[str, Variable], Variable] = {}
        self._uses = Counter(clause_variables(clause))
        self._asked = Counter(
            (sort, term)
            for atom in (*clause.positive, *clause.negative)
            for sort, term in self._coordinates(atom)
            if isinstance(term, Variable)
        )
        positive: list[Atom] = []
        distinct = list(clause.distinct)
        for atom in clause.positive:
            positive += self._atoms(atom, distinct)
        negative = [self._atoms(atom, [])[-1] for atom in clause.negative]
        numbers = [Atom(f"{sort}_number", (new, old)) for (sort, old), new in self._bound.items()]
        return Clause(clause.head, (*positive, *numbers), tuple(negative), tuple(distinct))

    def _coordinates(self, atom: Atom) -> Iterator[tuple[str, Term]]:
        """Yield the columns and rows that an atom asks for."""
        told = atom.args[-1] if atom.relation in ("true", "does") else None
        if not isinstance(told, Function):
            return
        key = told.name, len(told.args)
        if atom.relation == "true" and (shape := self.squares.shapes.get(key)):
            yield "column", told.args[shape.column]
            if shape.row is not None:
                yield "row", told.args[shape.row]
        elif atom.relation == "does" and (made := self.squares.moves.get(key)):
            sorts = ("column", "row") if self.squares.rows else ("column",)
            for k, n in enumerate(made[1]):
                yield sorts[k % len(sorts)], told.args[n]

    def _atoms(self, atom: Atom, distinct: list[tuple[Term, Term]]) -> list[Atom]:
        """Return what an atom becomes, itself last."""
        if _key(atom) in self.stand_ins:
            alone = tuple(Function(name.lower()) for name in self.boards.names.values())
            return [Atom("can_move", atom.args or alone)]
        told = atom.args[-1] if atom.relation in ("true", "does") else None
        if not isinstance(told, Function):
            return [atom]
        key = told.name, len(told.args)
        where = [self._named(sort, term) for sort, term in self._coordinates(atom)]
        if atom.relation == "true":
            if key == (self.boards.turn, 1):
                return [Atom("true", (Function("control", told.args),))]
            shape = self.squares.shapes.get(key)
            if shape is None:
                return [atom]
            content: Term = Function(self.boards.held.get(shape.fixed, "").replace("_", "-"))
            if shape.content is not None:
                content = told.args[shape.content]
                if isinstance(content, Variable) and not self.squares.has_blank:
                    distinct.append((content, Function(_NOTHING)))
            return [Atom("true", (Function("cell", (*where, content)),))]
        if not told.args:
            return [Atom("does", (atom.args[0], Function("noop")))]
        name, _, piece = self.squares.moves[key]
        does = Atom("does", (atom.args[0], Function(name, tuple(where))))
        if piece is None or self._uses[told.args[piece]] == 1:  # type: ignore[index]
            return [does]
        start = where[: len(where) // 2] if name == "move" else where
        return [Atom("true", (Function("cell", (*start, told.args[piece])),)), does]

    def _named(self, sort: str, term: Term) -> Term:
        """Return a column or row by the name that sentences have for it."""
        known = self._sorts[sort]
        if sort not in self._shared:
            return term
        if isinstance(term, Function):
            return Function(known.get(term.name, term.name))
        is_same = all(old == new for old, new in known.items())
        if is_same or self._uses[term] == self._asked[sort, term]:
            return term
        if not any(one.head.relation == f"{sort}_number" for one in self.tables):
            self.tables += [
                Clause(Atom(f"{sort}_number", (Function(new), Function(old))))
                for old, new in sorted(known.items(), key=lambda pair: (len(pair[1]), pair[1]))
            ]
        return self._bound.setdefault((sort, term), Variable(f"{term.name}_{sort}"))


def _key(atom: Atom) -> _Key:
    return atom.relation, len(atom.args)
