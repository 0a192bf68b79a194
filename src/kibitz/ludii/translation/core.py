"""Share the compiler's state: rules, facts, names and substitution.

A ludeme is compiled in a Context: who moves, which sites `(from)`, `(to)`, … are, and at which
stage of a move the board is looked at. Stage 0 is the position, 1 what the move itself makes of it,
2 what its consequences make of that, and so on. A condition becomes a list of alternatives, each a
list of literals; a region becomes alternatives that bind a variable to its sites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    Term,
    Variable,
    variables_of,
)
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.directions import Directions, direction_words, is_relative
from kibitz.ludii.translation.equipment import Equipment, Piece
from kibitz.ludii.translation.problems import Problems, Unsupported
from kibitz.ludii.translation.statics import Statics


def substituted(formula: Formula, names: Mapping[str, Term]) -> Formula:
    """Write terms in the place of variables.

    >>> substituted(Atom("p", (Variable("x"),)), {"x": Function("a1")})
    (p a1)
    """
    return mapped(formula, lambda t: names.get(t.name, t) if isinstance(t, Variable) else t)


def mapped(formula: Formula, change: Callable[[Term], Term]) -> Formula:
    """Change the constants and variables of a formula.

    >>> mapped(Not(Atom("p", (Function("a1"),))), lambda term: Function("b2"))
    (not (p b2))
    """
    match formula:
        case Atom():
            return replace(formula, args=tuple(_term(arg, change) for arg in formula.args))
        case Not():
            return Not(mapped(formula.formula, change))
        case Or():
            return Or(tuple(mapped(part, change) for part in formula.formulas))
        case Distinct():
            return Distinct(_term(formula.left, change), _term(formula.right, change))


def _term(term: Term, change: Callable[[Term], Term]) -> Term:
    if isinstance(term, Variable) or not term.args:
        return change(term)
    return Function(term.name, tuple(_term(arg, change) for arg in term.args))


Body = tuple[Formula, ...]
Bodies = list[Body]
"""Alternatives: [()] holds always, [] never."""

_MOST_ALTERNATIVES = 12
_MOST_PRODUCTS = 3_000
_MOST_RULES = 60_000
_MOST_FACTS = 300_000

F = TypeVar("F", bound=Callable[..., object])


class Registry(dict[str, Callable[..., object]]):
    """Functions by the ludemes they compile."""

    def __call__(self, *kinds: str) -> Callable[[F], F]:
        """Register a function for some ludemes."""

        def register(function: F) -> F:
            self.update(dict.fromkeys(kinds, function))
            return function

        return register


def constant(value: object) -> Function:
    """Make a constant of a name or a number.

    >>> constant(3)
    3
    """
    return Function(str(value))


def joined(*parts: Bodies) -> Bodies:
    """Combine alternatives that must hold together.

    >>> joined([(Atom("p"),)], [(Atom("q"),), ()])
    [(p, q), (p,)]
    """
    found: Bodies = [()]
    for part in parts:
        if len(found) * len(part) > _MOST_PRODUCTS:
            raise OverflowError("too many alternatives")
        found = [(*a, *(f for f in b if f not in a)) for a in found for b in part]
    return found


@dataclass(frozen=True)
class Context:
    """Where a ludeme is compiled: the player to move, the stage of the board, and known sites."""

    mover: int
    stage: int = 0
    sites: dict[str, Term] = field(default_factory=dict)
    player: int | None = None
    facing: str | None = None
    """Where the piece looks, if it does not look where its owner does."""
    imagined: tuple[str, tuple[Term, ...]] | None = None
    """The name of the boards that moves would lead to, and the sites of the move."""
    ending: bool = False
    """Whether the move is over, and the next player known."""
    settled: bool = False
    """Whether the next player already has the turn: the move is one before this position."""

    def at(self, **sites: Term) -> Context:
        """Return the context with more sites known."""
        return replace(self, sites={**self.sites, **sites})

    def moved_on(self) -> Context:
        """Return the context of the next stage."""
        return replace(self, stage=self.stage + 1)

    def variables(self) -> list[Variable]:
        """Return the variables that stand for known sites."""
        terms = [*self.sites.values(), *(self.imagined[1] if self.imagined else ())]
        return [term for term in terms if isinstance(term, Variable)]


@dataclass
class World:
    """Boards that are only imagined: which moves lead to them, from which board, and how."""

    ready: Atom
    before: Context
    stages: set[int] = field(default_factory=set)


def _is_of_empty_site(ludeme: Ludeme) -> bool:
    at = ludeme.get("at")
    sure = ("(to)", "(between)", "(site)", "(last To)")
    return (
        ludeme.kind == "set State"
        and at is not None
        and str(replace(at, label="")) not in sure
        and ludeme.items[-1].name != "0"
    )


class Compiler:
    """Collects rules and facts, and gives them names."""

    def __init__(self, equipment: Equipment, problems: Problems, game: Ludeme) -> None:
        self.equipment, self.problems, self.game = equipment, problems, game
        self.directions = Directions(equipment.board)
        self.statics = Statics(equipment, self.directions)
        self.rules: list[Rule] = []
        self.facts: list[Rule] = []
        self.uses: set[str] = set()
        """What occurs anywhere in the sheet, by the kinds of its ludemes."""
        self.in_hand: dict[tuple[int, str], int] = {}
        """How many of each piece each player has in hand at the start."""
        self.hand_places: dict[tuple[int, int], str] = {}
        """Which piece is in which place of a hand."""
        self.gains: set[int] = set()
        """What can be added to a score at once."""
        self.gain_numbers: dict[object, int] = {}
        """Ludemes that add to a score by their places: which one of a move they are."""
        self.board_at_start: dict[str, str] = {}
        self.scores: dict[int, int] = {}
        """Scores at the start that are not 0."""
        self.cycles: set[tuple[str, int]] = set()
        """Counts of moves or turns of which rules ask for the remainder, and the divisors."""
        self.counted: dict[str, int] = {}
        """Fluents that count moves, and up to which number rules ask for them."""
        self.emitted: set[object] = set()
        """Keys of recursive relations whose rules are there."""
        self.last_stage = 0
        self.has_swap = False
        """Whether players may change places, so that roles are not tied to pieces."""
        self.stages: set[int] = set()
        """Stages in which the board changes."""
        self.variable_stages: set[int] = set()
        """Stages in which variables are set."""
        self.moves_of_pieces: list[Ludeme] = []
        """Moves that the equipment gives to pieces, and rules ask for."""
        self.keeps_states = any(map(_is_of_empty_site, game.walk()))
        """Whether a site that may be empty is given a state."""
        self.remembers: list[tuple[int, Ludeme]] = []
        """What makes players remember something, and at which stage of a move."""
        self.forgets: list[tuple[int, Ludeme]] = []
        """What makes players forget all, and at which stage of a move."""
        self.worlds: dict[str, World] = {}
        """What boards are imagined, by their names."""
        self.needed: set[str] = set()
        """Fluents that rules ask for: last_target, last_origin, last_mover, …"""
        self._names: dict[object, str] = {}
        self._taken: set[str] = set()
        self._fresh = 0

    @property
    def most_score(self) -> int:
        """The highest score that is kept."""
        sites = len(self.equipment.sites)
        most = 3 * sites if "addScore" in self.uses else sites
        return max(most, *self.scores.values(), 1)

    @property
    def most_in_hand(self) -> int:
        """The most pieces of a kind that are ever in a hand."""
        return max(self.in_hand.values(), default=0)

    @property
    def most_pieces(self) -> int:
        """The most pieces that a site can hold where pieces are counted."""
        return sum(int(number) for number in self.board_at_start.values())

    def move_count(self, ludeme: Ludeme, context: Context, when: Bodies) -> None:
        """Move counted pieces from one site to another."""
        raise NotImplementedError

    def in_phase(self, name: str | None, player: int) -> Bodies:
        """Return what says that a player is in a phase."""
        raise NotImplementedError

    def phase_of_move(self, name: str | None, player: int, *, is_over: bool) -> Bodies:
        """Return what says that a player was in a phase when moving, be it before this position."""
        here = self.in_phase(name, player)
        if not is_over or here == [()]:
            return here
        self.needed.add("last_phase")
        return [(self.fluent("last_phase", constant(name)),)]

    # Names

    def name(self, hint: str, key: object) -> str:
        """Give a relation a name of its own; the same key gets the same name."""
        if key not in self._names:
            plain = "".join(c if c.isalnum() else "_" for c in hint).strip("_").lower() or "r"
            name, number = plain, 2
            while name in self._taken or name in _RESERVED:
                name, number = f"{plain}_{number}", number + 1
            self._taken.add(name)
            self._names[key] = name
        return self._names[key]

    def fresh(self, hint: str) -> Variable:
        """Return a variable that occurs nowhere else."""
        self._fresh += 1
        return Variable(f"{hint}{self._fresh}")

    # Rules

    def rule(self, head: Atom, bodies: Iterable[Body]) -> None:
        """Add a rule for each alternative."""
        for body in bodies:
            self.rules.append(Rule(head, body))
        if len(self.rules) > _MOST_RULES:
            raise Unsupported(Ludeme("word", "game"), "too many rules")

    def fact_relation(self, hint: str, rows: Iterable[Sequence[object]]) -> str:
        """Return the relation that holds of these rows and nothing else."""
        found = sorted({tuple(map(str, row)) for row in rows})
        key = ("facts", tuple(found))
        is_new = key not in self._names
        name = self.name(hint, key)
        if len(self.facts) + len(found) > _MOST_FACTS:
            raise OverflowError("too many facts")
        if is_new:
            self.facts += [Rule(Atom(name, tuple(map(constant, row)))) for row in found]
        return name

    def holds(self, hint: str, rows: Iterable[Sequence[object]], *args: Term) -> Bodies:
        """Return what says that terms are in a table; nothing holds of an empty one."""
        found = [tuple(map(str, row)) for row in rows]
        if not found:
            return []
        if all(isinstance(arg, Function) and not arg.args for arg in args):
            return [()] if tuple(str(arg) for arg in args) in found else []
        return [(Atom(self.fact_relation(hint, found), args),)]

    def in_region(self, hint: str, sites: Iterable[int], term: Term) -> Bodies:
        """Return what says that a site is one of some, by their numbers."""
        numbers = sorted(set(sites))
        names = self.equipment.sites
        if len(numbers) == len(names):
            return [()] if isinstance(term, Function) else [(self.site_guard(term),)]
        return self.holds(hint, [(names[number],) for number in numbers], term)

    def site_guard(self, term: Term) -> Atom:
        """Return the literal that says that a term is a site of the board."""
        name = self.fact_relation("site", [(site,) for site in self.equipment.sites])
        return Atom(name, (term,))

    def relation(self, hint: str, bodies: Bodies, context: Context, *extra: Variable) -> Atom:
        """Return an atom that holds when one of the alternatives does.

        Its arguments are the variables of the context that occur, and `extra`.
        """
        inside = {v.name for body in bodies for f in body for v in variables_of(f)}
        outside: list[Variable] = []
        for variable in (*context.variables(), *extra):
            if variable.name in inside and variable not in outside:
                outside.append(variable)
        # The same alternatives with other variables are the same relation.
        renamed = {v.name: Variable(f"x{n}") for n, v in enumerate(outside, start=1)}
        canonical = [tuple(substituted(f, renamed) for f in body) for body in bodies]
        key = (tuple(str(body) for body in _tidied(canonical)), len(outside))
        is_new = key not in self._names
        name = self.name(hint, key)
        if is_new:
            head = Atom(name, tuple(renamed[v.name] for v in outside))
            for body in canonical:
                bound = _bound(body)
                guards = [self.site_guard(v) for v in renamed.values() if v.name not in bound]
                self.rule(head, [(*guards, *body)])
        return Atom(name, tuple(outside))

    def negated(self, hint: str, bodies: Bodies, context: Context) -> Bodies:
        """Return what says that none of the alternatives holds."""
        if not bodies:
            return [()]
        if () in bodies:
            return []
        if len(bodies) == 1 and len(bodies[0]) == 1:
            literal = bodies[0][0]
            known = {v.name for v in context.variables()}
            if all(v.name in known for v in variables_of(literal)):
                if isinstance(literal, Not):
                    return [(literal.formula,)]
                if isinstance(literal, Atom):
                    return [(Not(literal),)]
        return [(Not(self.relation(hint, bodies, context)),)]

    def compact(self, hint: str, bodies: Bodies, context: Context, *extra: Variable) -> Bodies:
        """Give many alternatives a name, so that combining them does not multiply them."""
        if len(bodies) <= _MOST_ALTERNATIVES or () in bodies:
            return bodies
        return [(self.relation(hint, bodies, context, *extra),)]

    # The board

    def put(self, context: Context, site: Term, piece: Term, bodies: Bodies) -> None:
        """Add rules that put a piece on a site in the stage after that of the context."""
        self._change("put", context, (site, piece), bodies)
        if self.keeps_states and context.imagined is None:
            stage = context.stage + 1
            self.variable_stages.add(stage)
            self.rule(Atom(f"@varput {stage} any", (Function("state", (site,)),)), bodies)

    def clear(self, context: Context, site: Term, bodies: Bodies) -> None:
        """Add rules that take what stood on a site in the stage of the context away."""
        self._change("clear", context, (site,), bodies)

    def _change(self, kind: str, context: Context, args: tuple[Term, ...], bodies: Bodies) -> None:
        stage = context.stage + 1
        if context.imagined is None:
            self.stages.add(stage)
            self.rule(Atom(f"@{kind} {stage}", args), bodies)
            return
        name, sites = context.imagined
        self.worlds[name].stages.add(stage)
        self.rule(Atom(f"@{kind} {stage} {name}", (*sites, *args)), bodies)

    def take(self, player: int, piece: Term, bodies: Bodies) -> None:
        """Add rules that take a piece out of a hand."""
        self.needed.add("taken")
        self.rule(Atom("taken", (self.role(player), piece)), bodies)

    def cell(self, context: Context, site: Term, piece: Term) -> Atom:
        """Return the literal that says which piece stands on a site."""
        if context.imagined is not None:
            name, sites = context.imagined
            before = self.worlds[name].before
            if context.stage <= before.stage:
                return self.cell(before, site, piece)
            return Atom(f"@cell {context.stage} {name}", (*sites, site, piece))
        return Atom(f"@cell {context.stage}", (site, piece))

    def hand(self, context: Context, player: int, piece: Term, count: Term) -> Atom:
        """Return the literal that says how many of a piece a player has in hand."""
        return Atom(f"@hand {context.stage}", (self.role(player), piece, count))

    def real(self, context: Context, ludeme: Ludeme) -> None:
        """Refuse what is not known of boards that are only imagined."""
        if context.imagined is not None:
            raise Unsupported(ludeme, "after a move that is only looked at")

    def occupied(self, context: Context, site: Term) -> Atom:
        """Return the literal that says that something stands on a site."""
        piece = self.fresh("p")
        inner = context if site in context.sites.values() else context.at(occupied=site)
        return self.relation("occupied", [(self.cell(context, site, piece),)], inner)

    def empty(self, context: Context, site: Term) -> Bodies:
        """Return what says that nothing stands on a site."""
        return [(Not(self.occupied(context, site)),)]

    def role(self, player: int) -> Function:
        """Return the role of a player."""
        return constant(f"p{player}")

    def in_site(self, number: int) -> Function:
        """Return a site by its number."""
        return constant(self.equipment.sites[number])

    def named(self, piece: Piece) -> Function:
        """Return a piece by what GDL calls it."""
        return constant(piece.term)

    def same(self, a: Term, b: Term) -> Bodies:
        """Return what says that two terms are the same site."""
        if a == b:
            return [()]
        if isinstance(a, Variable) and isinstance(b, Variable):
            rows = [(site, site) for site in self.equipment.sites]
            return [(Atom(self.fact_relation("same", rows), (a, b)),)]
        if isinstance(a, Function) and isinstance(b, Function):
            return []
        known, unknown = (a, b) if isinstance(a, Function) else (b, a)
        return self.holds(f"only_{known}", [(known,)], unknown)

    def names(self, words: Iterable[Ludeme], context: Context) -> list[str]:
        """Return the relations and directions that words mean to the mover."""
        found: list[str] = []
        for word in (word for item in words for word in direction_words(item)):
            facing = context.facing
            if facing is None and is_relative(word):
                facing = self.statics.for_player(context.mover).facing()
            found += self.directions.names(word, facing or "N")
        return found

    def pairs(self, hint: str, names: Iterable[str], a: Term, b: Term) -> Bodies:
        """Return what says that a step in one of some directions leads from one site to another."""
        sites = self.equipment.sites
        rows = [(sites[i], sites[j]) for i, j in self.directions.pairs(names)]
        return self.holds(hint, rows, a, b)

    def piece_in(self, hint: str, pieces: Iterable[Piece], term: Term) -> Bodies:
        """Return what says that a piece is one of some."""
        return self.holds(hint, [(piece.term,) for piece in pieces], term)

    def makes(self, player: int, move: Term) -> Atom:
        """Return the literal that says that the player of some pieces makes a move."""
        return Atom("makes" if self.has_swap else "does", (self.role(player), move))

    def control(self, player: int) -> Atom:
        """Return the literal that says that a player is to move."""
        return Atom("true", (Function("control", (self.role(player),)),))

    def fluent(self, name: str, *args: Term) -> Atom:
        """Return the literal that says that a fluent holds."""
        return Atom("true", (Function(name, args),))


_FIXED = """
not or distinct cell hand control can again result after put cleared makes var
has_move all_passed moved_to moved_from marked to_clear_after taken leaves enters in_hand_after
score_after scores is_scored ends ends_before won_by won_by_block won_before decided outcome
triggered swaps counter_restarts active ranked finishes is_through plays_on two_play_on
drawn rank_taken rank_left just_lost has_turns best_left worst_left not_best_left not_worst_left
second_win second_loss
"""
_RESERVED = frozenset(
    f"{name}{suffix}"
    for name in (*KEYWORD_ARITY, *_FIXED.split())
    for suffix in ("", "_2", "_3", "_4", "_5", "_6", "_7")
)
"""Names that rules have whatever is in the sheet."""


def _bound(body: Body) -> set[str]:
    """Return the variables that positive literals bind."""
    return {v.name for f in body if isinstance(f, Atom) for v in variables_of(f)}


def _tidied(bodies: Bodies) -> Bodies:
    """Number the remaining variables in the order of their occurrence, so that texts compare."""
    found: Bodies = []
    for body in bodies:
        names: dict[str, Variable] = {}
        for formula in body:
            for variable in variables_of(formula):
                if not variable.name.startswith("x"):
                    names.setdefault(variable.name, Variable(f"y{len(names) + 1}"))
        found.append(tuple(substituted(formula, names) for formula in body))
    return found
