"""Game in; out the names a strategy may use: its roles, fluents, moves and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import ref

from kibitz.attached import Attached
from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Game, Move, ReferenceGame, Role
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Function,
    Rule,
    RuleSheet,
    Term,
    Variable,
    atoms_of,
)
from kibitz.strategy.tree import AllMoves

Signature = tuple[str, int]
"""The name of a function or relation, and how many arguments it takes."""

_FACTS_BUDGET = Budget(seconds=60)


@dataclass(frozen=True)
class Vocabulary:
    """The names of a game.

    Fluents and moves are None where only their signatures are known; if the vocabulary is open, not
    even all of those.
    """

    sheet: RuleSheet
    roles: tuple[Role, ...]
    fluents: frozenset[Function] | None
    moves: dict[Role, frozenset[Move]] | None
    fluent_signatures: frozenset[Signature]
    move_signatures: frozenset[Signature]
    is_open: bool = False
    compiled: Callable[[], CompiledGame | None] = lambda: None
    """The game, while there is one that is compiled."""
    _facts: dict[Signature, tuple[tuple[Function, ...], ...]] = field(default_factory=dict)
    _all_moves: dict[Role, AllMoves] = field(default_factory=dict)
    _made: list[CompiledGame] = field(default_factory=list)

    @cached_property
    def constants(self) -> frozenset[str]:
        """Every name that is a constant somewhere in the rules."""
        return frozenset(
            term.name
            for rule in self.sheet.rules
            for atom in _atoms(rule)
            for term in _terms(atom.args)
            if isinstance(term, Function) and not term.args
        )

    @cached_property
    def relations(self) -> frozenset[Signature]:
        """The relations that the rules define, without GDL's own."""
        heads = ((r.head.relation, len(r.head.args)) for r in self.sheet.rules)
        return frozenset(s for s in heads if s[0] not in KEYWORD_ARITY)

    @cached_property
    def _needs(self) -> dict[str, set[str]]:
        """For each relation, all that it depends on, directly or indirectly."""
        direct: dict[str, set[str]] = {}
        for rule in self.sheet.rules:
            below = direct.setdefault(rule.head.relation, set())
            below.update(atom.relation for part in rule.body for atom, _ in atoms_of(part))
        closed: dict[str, set[str]] = {}
        for name in direct:
            seen: set[str] = set()
            stack = [name]
            while stack:
                for other in direct.get(stack.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
            closed[name] = seen
        return closed

    def grounded(self) -> CompiledGame:
        """Return the game compiled, made now if it is not: for the names of all its fluents."""
        game = self.compiled()
        if game is None:
            if not self._made:
                self._made.append(CompiledGame(self.sheet))
            game = self._made[0]
        return game

    @cached_property
    def every_fluent(self) -> frozenset[Function]:
        """All fluents that can ever hold, whether or not the game at hand is compiled."""
        if self.fluents is not None:
            return self.fluents
        network = self.grounded().network
        return frozenset((*network.fluents, *(hidden.fluent for hidden in network.hidden)))

    def needs_state(self, relation: str) -> bool:
        """Return whether a relation can hold in one state and not in another."""
        return "true" in self._needs.get(relation, ())

    def needs_moves(self, relation: str) -> bool:
        """Return whether a relation depends on the moves that are made."""
        return "does" in self._needs.get(relation, ())

    def facts(self, signature: Signature) -> tuple[tuple[Function, ...], ...]:
        """Return the arguments for which a relation holds, whatever the state, in their order."""
        if signature not in self._facts:
            sheet = _with_facts(self.sheet, signature)

            def work() -> tuple[tuple[Function, ...], ...]:
                found = ReferenceGame(sheet).initial().fluents
                return tuple(_constants(f.args) for f in found if f.name == _TAG)

            facts = run_within(_FACTS_BUDGET, work, doing=f"the facts of {signature[0]}")
            self._facts[signature] = tuple(sorted(facts, key=_order))
        return self._facts[signature]

    def all_moves(self, role: Role) -> AllMoves:
        """Return the moves of a role in their order; none where only signatures are known."""
        if role not in self._all_moves:
            moves = self.moves[role] if self.moves else frozenset()
            self._all_moves[role] = AllMoves(
                sorted(moves, key=lambda m: (m.name, len(m.args), _order(_constants(m.args))))
            )
        return self._all_moves[role]

    def values(self, name: str, index: int) -> tuple[Function, ...] | None:
        """Return the values of the index-th argument of a fluent, move or fixed relation."""
        found: dict[Function, None] = {}
        known: Iterable[Function] = self.fluents or ()
        for moves in (self.moves or {}).values():
            known = (*known, *moves)
        for term in known:
            if term.name == name and index <= len(term.args):
                value = term.args[index - 1]
                assert isinstance(value, Function)
                found[value] = None
        for relation, arity in self.relations:
            if relation == name and index <= arity and not self.needs_state(name):
                found.update(dict.fromkeys(args[index - 1] for args in self.facts((name, arity))))
        return tuple(sorted(found, key=lambda t: _order((t,)))) or None


_TAG = "kibitz fact"
"""Contains a space, so no rule sheet can use the name."""


def _with_facts(sheet: RuleSheet, signature: Signature) -> RuleSheet:
    """Add a rule that makes every tuple of a relation a fluent of the initial state."""
    name, arity = signature
    variables: tuple[Term, ...] = tuple(Variable(f"x{i}") for i in range(arity))
    head = Atom("init", (Function(_TAG, variables),))
    return replace(sheet, rules=(*sheet.rules, Rule(head, (Atom(name, variables),))))


def _constants(args: tuple[Term, ...]) -> tuple[Function, ...]:
    return tuple(arg for arg in args if isinstance(arg, Function))


def _order(args: tuple[Function, ...]) -> tuple[tuple[int, int, str], ...]:
    """Sort numbers by their size, before all other terms by their text."""
    return tuple(
        (0, int(a.name), "") if a.name.isdecimal() and not a.args else (1, 0, str(a)) for a in args
    )


def _atoms(rule: Rule) -> Iterator[Atom]:
    yield rule.head
    for part in rule.body:
        for atom, _ in atoms_of(part):
            yield atom


def _terms(args: tuple[Term, ...]) -> Iterator[Term]:
    for arg in args:
        yield arg
        if isinstance(arg, Function):
            yield from _terms(arg.args)


_KNOWN: Attached[Game, Vocabulary] = Attached()


def vocabulary_of(game: Game) -> Vocabulary:
    """Return the vocabulary of a game, made once.

    >>> from kibitz.games import load_sheet
    >>> words = vocabulary_of(CompiledGame(load_sheet("crossdot:4,2")))
    >>> sorted(words.fluent_signatures), [str(f[0]) for f in words.facts(("place", 1))]
    ([('box', 2), ('control', 1)], ['1', '2', '3', '4'])
    """
    if game not in _KNOWN:
        _KNOWN[game] = _make(game)
    return _KNOWN[game]


def _make(game: Game) -> Vocabulary:
    if isinstance(game, CompiledGame):
        network = game.network
        fluents = frozenset((*network.fluents, *(h.fluent for h in network.hidden)))
        moves = {r: frozenset(m) for r, m in zip(game.roles, network.moves, strict=True)}
        every_move = frozenset().union(*moves.values())
        return Vocabulary(
            game.sheet,
            game.roles,
            fluents,
            moves,
            _signatures(fluents),
            _signatures(every_move),
            compiled=ref(game),
        )
    heads = [rule.head for rule in game.sheet.rules]
    names = {
        kind: _signatures(h.args[-1] for h in heads if h.relation in relations and h.args)
        for kind, relations in (("fluents", ("init", "next", "base")), ("moves", ("legal",)))
    }
    asked = ("init", "next", "base", "legal")
    is_open = any(isinstance(h.args[-1], Variable) for h in heads if h.relation in asked)
    return Vocabulary(game.sheet, game.roles, None, None, names["fluents"], names["moves"], is_open)


def _signatures(terms: Iterable[Term]) -> frozenset[Signature]:
    return frozenset((t.name, len(t.args)) for t in terms if isinstance(t, Function))
