"""Name pieces, players and constants.

Where a player has several kinds, those of different players that are called alike but for a mark
of the owner, such as wp and bp or white_king and black_king, are of one kind.

An empty square is called *blank* where the sheet has *b* for it, and chessmen such as *wp* and
*bk* are called *white-pawn* and *black-king*. Column *b* keeps its name: places of arguments that
share a variable anywhere are of one type, and a constant is renamed in one type alone, so that
what is equal stays equal and what differs still differs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import kibitz.rulebook as m
from kibitz.english.rulebooks.forms import SQUARES, bare_name
from kibitz.gdl import Atom, Clause, Function, Term, Variable

CHESSMEN = {
    "p": "pawn", "r": "rook", "n": "knight", "b": "bishop", "q": "queen", "k": "king", "m": "man",
}  # fmt: skip
_OTHERS = ("token", "counter", "marker", "guard", "scout", "runner", "chief", "tower")


def piece_kinds(owner: Mapping[str, int], players: tuple[str, ...]) -> dict[str, str]:
    """Name the kinds of pieces; they are pieces where each player has but one kind.

    >>> piece_kinds({"wp": 0, "wk": 0, "bp": 1, "bk": 1}, ("White", "Black"))
    {'wp': 'pawn', 'wk': 'king', 'bp': 'pawn', 'bk': 'king'}
    >>> piece_kinds({"x": 0, "o": 1}, ("X", "O"))
    {'x': 'piece', 'o': 'piece'}
    >>> piece_kinds({"wp": 0, "wk": 0, "bp": 1, "bk": 1}, ("Red", "Black"))["wk"]
    'king'
    """
    own = [[content for content in owner if owner[content] == n] for n in range(len(players))]
    if all(len(contents) <= 1 for contents in own):
        return dict.fromkeys(owner, "piece")
    bare = dict(zip(owner, owner, strict=True))
    shared = [_shared_start(contents) for contents in own]
    for strip in (_without_name, _without_initial, None):
        stripped = {
            content: strip(content, players[n]) if strip else content[len(shared[n]) :]
            for content, n in owner.items()
        }
        sets = [sorted(stripped[content] for content in contents) for contents in own if contents]
        if all(one == sets[0] and all(one) and len(set(one)) == len(one) for one in sets):
            bare = stripped
            break
    words: dict[str, str] = {}
    for name in dict.fromkeys(bare.values()):
        words[name] = _word(name, set(words.values()))
    return {content: words[bare[content]] for content in owner}


def _shared_start(words: list[str]) -> str:
    """Return the letters with which all words begin."""
    first, last = min(words, default=""), max(words, default="")
    count = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[:count]


def _without_name(content: str, player: str) -> str:
    return re.sub(rf"^{player}[-_]?|[-_]?{player}$", "", content, flags=re.IGNORECASE)


def _without_initial(content: str, player: str) -> str:
    first = player[0].lower()
    if content.lower().startswith(first):
        return content[1:].lstrip("-_")
    return content[:-1].rstrip("-_") if content.lower().endswith(first) else content


def _word(name: str, taken: set[str]) -> str:
    word = CHESSMEN.get(name.lower(), re.sub(r"[^a-z]", "", name.lower()))
    is_noun = len(word) > 2 and not word.endswith("s") and word not in m.RESERVED
    if is_noun and word not in taken:
        return word
    return next(one for one in (*_OTHERS, f"piece{len(taken)}") if one not in taken)


_TAKEN = frozenset(
    {"b", "a", "noop", "pass", "role", "true", "does", "player", "you", "one", "two", "opponent"}
)


def player_names(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Name the players: by their mark or colour where the role is named after it."""
    short = [re.sub(r"(?<=.)[-_]?player$", "", role, flags=re.IGNORECASE) for role in roles]
    names = []
    for number, (name, role) in enumerate(zip(short, roles, strict=True)):
        chosen = name if len(set(short)) == len(roles) else role
        chosen = re.sub(r"\W", "", chosen)
        is_usable = (
            re.fullmatch(r"[A-Za-z]\w*", chosen) and chosen.lower() not in _TAKEN | m.RESERVED
        )
        other = f"Side{number + 1}" if len(roles) > 1 else "Solver"
        names.append(chosen[:1].upper() + chosen[1:] if is_usable else other)
    return tuple(names)


_BLANKS = frozenset({"b", "e", "nil"})
Place = tuple[str, int, int]
"""A place of an argument: the name of a relation or function, its arity, and the number."""
_SAME = {"init": "true", "next": "true", "legal": "does"}


def plainly_named(clauses: Sequence[Clause], called: Mapping[str, str]) -> list[Clause]:
    """Give constants on squares new names, none of which is in use; `called` has those of roles.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(role white) (init (cell b 1 wk)) (init (cell b 2 wp)) (init (cell b 3 b))"
    >>> [str(one.head) for one in plainly_named(clauses_of(parse(text)), {"white": "White"})[1:]]
    ['(init (cell b 1 white-king))', '(init (cell b 2 white-pawn))', '(init (cell b 3 blank))']
    """
    types = ConstantTypes(clauses)
    roles = {str(c.head.args[0]): "" for c in clauses if c.head.relation == "role"}
    roles = {role: called.get(role, role) for role in roles}
    names = _new_names(types, roles)
    return [types.renamed(clause, names) for clause in clauses] if names else list(clauses)


def _new_names(types: ConstantTypes, roles: Mapping[str, str]) -> dict[tuple[Place, str], str]:
    by_initial = Counter(name[0].lower() for name in roles.values())
    side_of = {n[0].lower(): n.lower() for n in roles.values() if by_initial[n[0].lower()] == 1}
    found: dict[tuple[Place, str], str] = {}
    for kind in types.contents():
        held = [name for name in types.constants.get(kind, {}) if name not in roles]
        men = {
            name: f"{side_of[name[0].lower()]}-{CHESSMEN[name[1].lower()]}"
            for name in held
            if len(name) == 2 and name[0].lower() in side_of and name[1].lower() in CHESSMEN
        }
        new = men if 1 < len(men) == len(set(men.values())) else {}
        blanks = [name for name in held if name.lower() in _BLANKS and name not in new]
        new |= {name: "blank" for name in blanks if len(blanks) == 1}
        found |= {(kind, old): name for old, name in new.items() if name not in types.used}
    return found


class ConstantTypes:
    """Places of arguments that may hold the same, each type by one of its places."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._above: dict[Place, Place] = {}
        self._squares: set[Place] = set()
        seen: list[tuple[Place, str]] = []
        for clause in clauses:
            places: dict[Variable, Place] = {}
            for place, term in _terms(clause, places):
                self._above.setdefault(place, place)
                if isinstance(term, Variable):
                    self._join(places.setdefault(term, place), place)
                else:
                    seen.append((place, term.name))
                    if term.args and bare_name(term.name) in SQUARES:
                        self._squares.add((term.name, len(term.args), len(term.args) - 1))
        self.used = {name for _, name in seen}
        self.constants: dict[Place, dict[str, None]] = {}
        for place, name in seen:
            self.constants.setdefault(self.of(place), {})[name] = None

    def of(self, place: Place) -> Place:
        """Return the type of a place."""
        while self._above.get(place, place) != place:
            place = self._above[place]
        return place

    def __contains__(self, place: Place) -> bool:
        """Return whether anything stands in a place."""
        return place in self._above

    def _join(self, one: Place, other: Place) -> None:
        self._above[self.of(other)] = self.of(one)

    def contents(self) -> Iterator[Place]:
        """Yield the types of what squares hold, if these are not those of where squares are."""
        for name, arity, last in sorted(self._squares):
            kind = self.of((name, arity, last))
            if all(self.of((name, arity, n)) != kind for n in range(last)):
                yield kind

    def renamed(self, clause: Clause, names: Mapping[tuple[Place, str], str]) -> Clause:
        """Return a clause with other names for constants of some types."""
        places: dict[Variable, Place] = {}
        for place, term in _terms(clause, places):
            if isinstance(term, Variable):
                places.setdefault(term, place)

        def term_at(place: Place, term: Term) -> Term:
            if isinstance(term, Variable):
                return term
            inner = (term_at((term.name, len(term.args), n), a) for n, a in enumerate(term.args))
            return Function(names.get((self.of(place), term.name), term.name), tuple(inner))

        def atom(one: Atom) -> Atom:
            pairs = enumerate(one.args)
            return Atom(one.relation, tuple(term_at(_place(one, n), arg) for n, arg in pairs))

        distinct = []
        for a, b in clause.distinct:
            at = _place_of_pair(a, b, places)
            distinct.append((term_at(at, a), term_at(at, b)))
        return Clause(
            atom(clause.head),
            tuple(map(atom, clause.positive)),
            tuple(map(atom, clause.negative)),
            tuple(distinct),
        )


_NOWHERE: Place = ("", 0, 0)


def _terms(clause: Clause, places: Mapping[Variable, Place]) -> Iterator[tuple[Place, Term]]:
    """Yield all terms with their places; those that differ come last, with that of a variable."""
    for atom in (clause.head, *clause.positive, *clause.negative):
        for number, arg in enumerate(atom.args):
            yield from _inner(_place(atom, number), arg)
    for a, b in clause.distinct:
        at = _place_of_pair(a, b, places)
        yield from _inner(at, a)
        yield from _inner(at, b)


def _inner(place: Place, term: Term) -> Iterator[tuple[Place, Term]]:
    yield place, term
    if isinstance(term, Function):
        for number, arg in enumerate(term.args):
            yield from _inner((term.name, len(term.args), number), arg)


def _place(atom: Atom, number: int) -> Place:
    is_role = number == 0 and atom.relation in ("role", "does", "legal", "goal")
    return ("role", 1, 0) if is_role else (
        _SAME.get(atom.relation, atom.relation), len(atom.args), number
    )  # fmt: skip


def _place_of_pair(a: Term, b: Term, places: Mapping[Variable, Place]) -> Place:
    """Return where terms that must differ belong: where one of them is, if it is a variable."""
    return next((places[one] for one in (a, b) if isinstance(one, Variable)), _NOWHERE)
