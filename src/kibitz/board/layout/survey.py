"""Survey a game for its layout: fluents, moves, fixed facts about its board, and order along axes.

Relations that no state changes are evaluated by the grounder, within a small budget; where that
fails, the board is drawn without them.

For games that cannot be grounded. A variable holds what all its places in the body of its rule have
in common; constants flow from facts and bodies to heads until there is nothing new. The result may
be more than is ever reached, and is never less.

The fluents and moves are all that the network has, where there is one, and otherwise those seen in
play. Play is random with a fixed seed, so a game always looks the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import prod

from kibitz.board.drawing.pieces import is_blank
from kibitz.board.layout.layout import fields_of, shape_of, split_name
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, Move, State, dynamic_relations, ground_clauses
from kibitz.errors import KibitzError
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    on_demand,
)

Link = frozenset[tuple[str, ...]]

_BUDGET = Budget(seconds=1, bytes=1_000_000_000)
_MOST = 20_000
"""Tuples; a relation with more is not a list of neighbours."""


def find_links(sheet: RuleSheet) -> tuple[Link, ...]:
    """Find the relations of four or five constants that hold in every state, and listed pairs.

    >>> from kibitz.gdl import parse
    >>> text = "(succ 1 2) (row 1) (<= (beside ?r ?c ?r ?d) (row ?r) (succ ?c ?d))"
    >>> [sorted(link) for link in find_links(parse(text))]
    [[('1', '1', '1', '2')], [('1', '2')]]
    """
    plain = _plain_pairs(sheet)
    clauses = on_demand(clauses_of(sheet))
    dynamic = dynamic_relations(clauses)
    static = [c for c in clauses if c.head.relation not in dynamic]
    static = [c for c in static if c.head.relation not in KEYWORD_ARITY]
    arity = {c.head.relation: len(c.head.args) for c in static}
    wanted = {relation: n for relation, n in arity.items() if n in (4, 5)}
    if not wanted:
        return plain
    asked = []
    for relation, n in wanted.items():
        args = tuple(Variable(f"a{k}") for k in range(n))
        head = Atom("init", (Function(relation, args),))
        asked.append(Clause(head, (Atom(relation, args),)))
    try:
        rules = ground_clauses([*static, *asked], _BUDGET)
    except KibitzError:
        return plain
    found: dict[str, set[tuple[str, ...]]] = {relation: set() for relation in wanted}
    for name, (term, *_) in rules.facts:
        if name == "init":
            found[term.name].add(tuple(map(str, term.args)))
    links = (frozenset(rows) for rows in found.values() if 0 < len(rows) <= _MOST)
    return (*links, *plain)


def _plain_pairs(sheet: RuleSheet) -> tuple[Link, ...]:
    """Return the relations of two constants that are listed as facts, the shortest list first."""
    found: dict[str, set[tuple[str, ...]]] = {}
    mixed = {rule.head.relation for rule in sheet.rules if rule.body}
    for rule in sheet.rules:
        head = rule.head
        if len(head.args) == 2 and head.relation not in mixed | KEYWORD_ARITY.keys():
            found.setdefault(head.relation, set()).add((str(head.args[0]), str(head.args[1])))
    links = [frozenset(rows) for rows in found.values() if len(rows) <= _MOST]
    return tuple(sorted(links, key=lambda link: (len(link), sorted(link))))


def owners_of(game: Game) -> dict[str, str]:
    """Return the owner of each name, from names and from facts such as (sign xplayer x)."""
    owners = {role: role for role in game.roles}
    for rule in game.sheet.rules:
        head = rule.head
        if rule.body or len(head.args) < 2 or head.relation in KEYWORD_ARITY:
            continue
        named = [str(arg) for arg in head.args if isinstance(arg, Function) and not arg.args]
        if len(named) == len(head.args) and named[0] in game.roles and named[1] not in game.roles:
            owners.setdefault(named[1], named[0])
    return owners


_NUMBERED = re.compile(r"([a-z]+(?:_[a-z]+)*)([1-9])(?:_v?\d+)*")
"""A piece with the number of its owner, and perhaps with states behind it, such as king1_2."""


def owner_of(name: str, owners: dict[str, str]) -> str | None:
    """Return the owner of a piece: by facts, or because it is named after its role.

    >>> owner_of("whitepawn", {"white": "white"}), owner_of("bk", {"black": "black"})
    ('white', 'black')
    >>> owner_of("pawn2", {"p1": "p1", "p2": "p2"})
    'p2'
    """
    if name in owners:
        return owners[name]
    lower = name.lower()
    roles = sorted(set(owners.values()))
    if match := _NUMBERED.fullmatch(lower):
        numbered = [role for role in roles if re.fullmatch(rf"[a-z]+_?{match[2]}", role.lower())]
        if len(numbered) == 1:
            return numbered[0]
    for role in roles:
        if lower.startswith(role.lower()) or (role.lower().startswith(lower) and len(lower) == 1):
            return role
    initials = [role[:1].lower() for role in roles]
    if len(lower) == 2 and initials.count(lower[0]) == 1:
        return roles[initials.index(lower[0])]
    return None


Path = tuple[str, ...]
Domains = dict[Path, set[str]]

_ROUNDS = 60
_STATE = {"init": "true", "next": "true", "base": "true", "legal": "does", "input": "does"}


def field_domains(sheet: RuleSheet) -> dict[tuple[str, int], list[set[str]]] | None:
    """Return the constants of every argument of fluents without functions; None if it takes long.

    >>> from kibitz.gdl import parse
    >>> domains = field_domains(parse("(init (at 1)) (succ 1 2) (succ 2 3)"
    ...     "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))"))
    >>> sorted(domains["at", 1][0])
    ['1', '2', '3']
    """
    clauses = clauses_of(sheet)
    domains: Domains = {}
    for _ in range(_ROUNDS):
        if not sum(_flow(clause, domains) for clause in clauses):
            break
    else:
        return None
    found: dict[tuple[str, int], list[set[str]]] = {}
    for path, values in domains.items():
        if path[0] == "true" and len(path) == 4:
            _, name, arity, place = path
            listed = found.setdefault((name, int(arity)), [set() for _ in range(int(arity))])
            listed[int(place)] |= values
    return found


def _flow(clause: Clause, domains: Domains) -> bool:
    """Let constants flow through one clause; return whether any is new."""
    allowed: dict[Variable, set[str]] = {}
    for atom in clause.positive:
        for path, term in _places(atom):
            if isinstance(term, Variable):
                known = domains.get(path, set())
                allowed[term] = allowed[term] & known if term in allowed else set(known)
    is_new = False
    for path, term in _places(clause.head):
        values = allowed.get(term, set()) if isinstance(term, Variable) else {term.name}
        held = domains.setdefault(path, set())
        if not values <= held:
            held |= values
            is_new = True
    return is_new


def _places(atom: Atom) -> Iterator[tuple[Path, Term]]:
    """Walk the arguments of an atom, and separately those of function terms."""
    relation = _STATE.get(atom.relation, atom.relation)
    for number, arg in enumerate(atom.args):
        if relation in ("true", "does"):
            # All relations about states range over the same fluents.
            yield from _inside((relation,), arg) if number == len(atom.args) - 1 else ()
        else:
            yield from _inside((relation, str(len(atom.args)), str(number)), arg)


def _inside(path: Path, term: Term) -> Iterator[tuple[Path, Term]]:
    if isinstance(term, Variable) or not term.args:
        yield path, term
        return
    for number, arg in enumerate(term.args):
        inner = (*path, term.name, str(len(term.args)), str(number))
        if isinstance(arg, Function) and arg.args and len(inner) > 12:
            continue  # lists in lists: they name no board
        yield from _inside(inner, arg)


Chain = tuple[str, ...]

_AXES_NUMBERED = re.compile(r"(.*?)(-?\d+)")


def order_axis(values: Collection[str], chains: Iterable[Chain] = ()) -> Chain | None:
    """Order constants that name places along a line; None if they do not seem to.

    >>> order_axis({"10", "9", "1"}), order_axis({"c2", "c10"}), order_axis({"x", "o", "b"})
    (('1', '9', '10'), ('c2', 'c10'), None)
    >>> order_axis({"two", "one"}, [("one", "two", "three")])
    ('one', 'two')
    """
    if not values:
        return None
    numbered = [_AXES_NUMBERED.fullmatch(value) for value in values]
    if all(numbered) and len({m[1] for m in numbered if m}) == 1:
        return tuple(sorted(values, key=lambda v: (int(_AXES_NUMBERED.fullmatch(v)[2]), v)))  # type: ignore[index]
    wanted = set(values)
    for chain in chains:
        if wanted <= set(chain):
            return tuple(value for value in chain if value in wanted)
    if all(len(v) == 1 and v.isalpha() for v in values):
        ordered = sorted(values, key=lambda v: (v.lower(), v))
        if ord(ordered[-1].lower()) - ord(ordered[0].lower()) == len(ordered) - 1:
            return tuple(ordered)
    return None


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """Return a key that sorts numbers in names as numbers.

    >>> sorted(["a10", "a9"], key=natural)
    ['a9', 'a10']
    """
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(p)) if p.isdecimal() and p.isascii() else (1, p) for p in parts)


def chains_of(sheet: RuleSheet) -> tuple[Chain, ...]:
    """Find chains of constants in facts such as (succ 1 2) (succ 2 3); the longest first.

    Facts may also name all pairs of a smaller and a larger constant.

    >>> from kibitz.gdl import parse
    >>> chains_of(parse("(after a b) (after b c) (pair u v) (pair u w)"))
    (('a', 'b', 'c'),)
    >>> chains_of(parse("(less a b) (less a c) (less b c)"))
    (('a', 'b', 'c'),)
    """
    linked: dict[str, set[tuple[str, str]]] = {}
    broken: set[str] = set()
    for rule in sheet.rules:
        head = rule.head
        if rule.body or len(head.args) != 2 or head.relation in ("init", "legal", "does", "goal"):
            continue
        if all(isinstance(arg, Function) and not arg.args for arg in head.args):
            linked.setdefault(head.relation, set()).add((str(head.args[0]), str(head.args[1])))
        else:
            broken.add(head.relation)
    found = {
        chain
        for relation, pairs in linked.items()
        if relation not in broken
        for chain in (_successions(pairs) or _orders(pairs))
        if len(chain) > 2
    }
    return tuple(sorted(found, key=lambda c: (-len(c), c)))


def _successions(pairs: set[tuple[str, str]]) -> list[Chain]:
    """Return the chains of pairs that link each constant to one, and to no two the same."""
    following = dict(pairs)
    if not len(following) == len(set(following.values())) == len(pairs):
        return []
    found = []
    for start in following.keys() - set(following.values()):
        chain = [start]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        found.append(tuple(chain))
    return found


def _orders(pairs: set[tuple[str, str]]) -> list[Chain]:
    """Return the one chain of pairs that are all of a smaller and a larger constant."""
    larger: dict[str, int] = {}
    for one, other in pairs:
        larger[one] = larger.get(one, 0) + 1
        larger.setdefault(other, 0)
    ordered = sorted(larger, key=lambda name: -larger[name])
    # As many pairs as an order has, each from left to right: then these are all.
    place = {name: index for index, name in enumerate(ordered)}
    is_order = 2 * len(pairs) == len(ordered) * (len(ordered) - 1)
    return [tuple(ordered)] if is_order and all(place[a] < place[b] for a, b in pairs) else []


FIRST_MOVES = 40
WALKS = 3
WALK_LENGTH = 30
MOST_CHOICES = 4_000
MOST_POSSIBLE = 5_000
MOST_FLUENTS = 50_000

Functor = tuple[str, int]


@dataclass(frozen=True, slots=True)
class SurveyStep:
    """One step of play: the fluents before, the joint move, and the fluents after."""

    before: frozenset[Function]
    joint: tuple[Move, ...]
    after: frozenset[Function]


@dataclass(frozen=True)
class FieldTable:
    """All fluents or moves of one name and shape, as rows of fields."""

    name: str
    arity: int
    shape: str
    split: tuple[int, ...]
    rows: dict[Function, tuple[str, ...]]

    @property
    def width(self) -> int:
        """How many fields there are."""
        return len(next(iter(self.rows.values())))

    def domain(self, field: int) -> set[str]:
        """Return all values of a field."""
        return {row[field] for row in self.rows.values()}


@dataclass(frozen=True)
class Survey:
    """Survey of a game: its tables of fluents and moves, sampled steps and chains."""

    game: Game
    initial: frozenset[Function]
    tables: tuple[FieldTable, ...]
    moves: tuple[FieldTable, ...]
    first_steps: tuple[SurveyStep, ...]
    steps: tuple[SurveyStep, ...]
    chains: tuple[Chain, ...]
    is_whole: bool

    @cached_property
    def links(self) -> tuple[frozenset[tuple[str, ...]], ...]:
        """Relations of four or five constants that hold in every state."""
        return find_links(self.game.sheet)

    @cached_property
    def owners(self) -> dict[str, str]:
        """Roles by their names and by facts about them, such as (sign xplayer x)."""
        return owners_of(self.game)

    def states(self) -> Iterator[frozenset[Function]]:
        """Walk the states that were seen."""
        yield self.initial
        for step in (*self.first_steps, *self.steps):
            yield step.after


def look_at(game: Game) -> Survey:
    """Look at a game."""
    initial = game.initial()
    first = list(_first_steps(initial))
    steps = list(_walks(initial))
    seen: dict[Function, None] = dict.fromkeys(initial.fluents)
    made: dict[Function, None] = {}
    is_whole = isinstance(game, CompiledGame)
    if isinstance(game, CompiledGame):
        network = game.network
        seen |= dict.fromkeys(network.fluents)
        seen |= dict.fromkeys(hidden.fluent for hidden in network.hidden)
        for moves in network.moves:
            made |= dict.fromkeys(moves)
    else:
        for step in (*first, *steps):
            seen |= dict.fromkeys(sorted(step.after, key=str))
            made |= dict.fromkeys(step.joint)
        seen |= dict.fromkeys(_possible(game, seen))
        for role in game.roles:
            made |= dict.fromkeys(initial.legal(role))
    return Survey(
        game,
        frozenset(initial.fluents),
        _tables(islice(seen, MOST_FLUENTS)),
        _tables(islice(made, MOST_FLUENTS)),
        tuple(first),
        tuple(steps),
        chains_of(game.sheet),
        is_whole,
    )


def _possible(game: Game, seen: Iterable[Function]) -> list[Function]:
    """Return fluents that were not seen in play and that the rules may well allow.

    Where some value is a blank, all cells have been seen, and only their values may be new;
    otherwise a cell may have been empty so far.
    """
    domains = field_domains(game.sheet) or {}
    met: dict[Functor, list[Function]] = {}
    for fluent in seen:
        if fluent.args and all(isinstance(a, Function) and not a.args for a in fluent.args):
            met.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    found: list[Function] = []
    for (name, arity), values in domains.items():
        size = prod(map(len, values))
        if not arity or not 0 < size <= MOST_POSSIBLE:
            continue
        keys = None
        if any(map(is_blank, values[-1])):
            keys = {fluent.args[:-1] for fluent in met.get((name, arity), ())}
        for row in product(*(sorted(domain) for domain in values)):
            args = tuple(map(Function, row))
            if keys is None or args[:-1] in keys:
                found.append(Function(name, args))
    return found


def _first_steps(state: State) -> Iterator[SurveyStep]:
    """Make each first move once, spread evenly if there are many; the other roles do anything."""
    if state.is_terminal:
        return
    legal = [state.legal(role) for role in state.game.roles]
    if not all(legal):
        return
    for index, moves in enumerate(legal):
        if len(moves) == 1:
            continue
        is_quick = max(len(moves), len(state.fluents)) < MOST_CHOICES / 4
        most = FIRST_MOVES if is_quick else 1
        for move in moves[:: -(-len(moves) // most)]:
            joint = tuple(move if i == index else other[0] for i, other in enumerate(legal))
            after = state.game.successor(state.key, joint)
            yield SurveyStep(frozenset(state.fluents), joint, frozenset(after.fluents))


def _walks(initial: State) -> Iterator[SurveyStep]:
    """Play at random; less where there are many moves, which take long to list."""
    source = random.Random(1)
    choices = 0
    for _ in range(WALKS):
        state = initial
        for _ in range(WALK_LENGTH):
            choices += len(state.fluents) // 10
            if state.is_terminal or choices > MOST_CHOICES:
                break
            legal = [state.legal(role) for role in state.game.roles]
            choices += sum(map(len, legal))
            if not all(legal) or choices > MOST_CHOICES:
                break
            joint = tuple(source.choice(moves) for moves in legal)
            after = state.game.successor(state.key, joint)
            yield SurveyStep(frozenset(state.fluents), joint, frozenset(after.fluents))
            state = after


def _tables(terms: Iterable[Function]) -> tuple[FieldTable, ...]:
    """Sort terms by name and arity; those of one name with different shapes are left out."""
    by_functor: dict[Functor, list[Function]] = {}
    for term in terms:
        by_functor.setdefault((term.name, len(term.args)), []).append(term)
    tables = []
    for (name, arity), members in by_functor.items():
        shapes = {shape_of(term) for term in members}
        if len(shapes) > 1:
            tables.append(FieldTable(name, arity, "", (), dict.fromkeys(members, ())))
            continue
        plain = {term: fields_of(term) for term in members}
        width = len(next(iter(plain.values())))
        split = tuple(i for i in range(width) if _is_split({row[i] for row in plain.values()}))
        rows = {term: fields_of(term, split) for term in members} if split else plain
        tables.append(FieldTable(name, arity, shapes.pop(), split, rows))
    return tuple(tables)


def _is_split(values: set[str]) -> bool:
    """Return whether constants name both rows and columns, such as a1 to c3."""
    pairs = {split_name(value) for value in values}
    if len(values) < 4 or len(pairs) < len(values) or any(not second for _, second in pairs):
        return False
    firsts, seconds = {a for a, _ in pairs}, {b for _, b in pairs}
    if len(firsts) < 2 or len(seconds) < 2 or max(map(len, firsts)) > 2:
        return False
    if all(first.isdecimal() for first in firsts):  # 11, 12, 21, 22, and not 10 to 40
        return len(pairs) == len(firsts) * len(seconds) and "0" not in firsts and len(seconds) < 10
    return 3 * len(pairs) >= len(firsts) * len(seconds)
