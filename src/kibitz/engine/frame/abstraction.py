"""Abstract a game, and prove general joint moves impossible.

Only those kinds of fluents remain whose rules ask for one another, for what never changes, and for
the names of moves; they change exactly as in the game. Moves keep only their names, and a move is
legal if what remains of the conditions of one of its rules holds. So every state of the game has
its image among the states of the small sheet, every joint move of the game is one there, and what
no state there allows together, no state of the game allows together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from kibitz.budget import Budget
from kibitz.engine.frame.argument_domains import Domains, Functor, clause_to_rule, find_domains
from kibitz.engine.frame.literals import GeneralMove, Impossible
from kibitz.engine.grounding import Prover, dynamic_relations, find_groups, ground
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Atom, Clause, Function, RuleSheet, Variable, clauses_of, variables_of

_ROLE = "role"


def abstract(sheet: RuleSheet) -> RuleSheet | None:
    """Leave out the fluents that depend on the board; None if nothing is left.

    >>> from kibitz.games import load_sheet
    >>> small = abstract(load_sheet("breakthrough"))
    >>> print(*(rule for rule in small.rules if rule.head.relation == "legal"), sep="\\n")
    (<= (legal ?player move;4) (true (control ?player)) (role ?player))
    (<= (legal ?player noop;0) (role ?player) (not (true (control ?player))))
    """
    clauses = clauses_of(sheet)
    domains = find_domains(clauses)
    if not domains.is_complete:
        return None
    analysis = _Analysis(clauses, domains)
    if not analysis.kinds:
        return None
    result: list[Clause] = []
    for clause in clauses:
        match clause.head.relation:
            case "legal":
                result += analysis.legal(clause)
            case "init":
                if _kind(clause.head) in analysis.kinds:
                    result.append(clause)
            case "next":
                if _kind(clause.head) in analysis.kinds:
                    moves = [a for a in clause.positive if a.relation == "does"]
                    others = [a for a in clause.positive if a.relation != "does"]
                    positive = (*others, *map(_by_name, moves))
                    result.append(replace(clause, positive=positive))
    needed = analysis.needed(result)
    result += [c for c in clauses if c.head.relation in needed]
    return replace(sheet, rules=tuple(map(clause_to_rule, dict.fromkeys(result))))


def abstract_move(move: GeneralMove) -> GeneralMove:
    """Return the move of the small sheet that stands for a general move."""
    role, functor = move
    return role, (_name(functor), 0)


def concrete_move(move: GeneralMove) -> GeneralMove:
    """Return the general move that a move of the small sheet stands for."""
    role, (name, _) = move
    before, _, arity = name.rpartition(";")
    return role, (before, int(arity))


def _name(functor: Functor) -> str:
    return f"{functor[0]};{functor[1]}"


def _by_name(atom: Atom) -> Atom:
    role, move = atom.args
    assert isinstance(move, Function)
    return Atom("does", (role, Function(_name((move.name, len(move.args))))))


def _kind(atom: Atom) -> Functor | None:
    (fluent,) = atom.args
    return (fluent.name, len(fluent.args)) if isinstance(fluent, Function) else None


class _Analysis:
    """Which kinds of fluents do not depend on the others."""

    def __init__(self, clauses: tuple[Clause, ...], domains: Domains) -> None:
        self.by_head: dict[str, list[Clause]] = {}
        for clause in clauses:
            self.by_head.setdefault(clause.head.relation, []).append(clause)
        self.domains = domains
        self.dynamic = dynamic_relations(clauses)
        self.kinds: set[Functor] = set(domains.fluents())
        if any(_kind(c.head) is None for c in self.by_head.get("next", ())):
            self.kinds = set()
        while True:
            bad = {
                kind
                for clause in self.by_head.get("next", ())
                if (kind := _kind(clause.head)) in self.kinds and not self._is_closed(clause)
            }
            if not bad:
                break
            self.kinds -= {kind for kind in bad if kind is not None}

    def _is_closed(self, clause: Clause) -> bool:
        """Return whether a clause for `next` asks for nothing that is left out."""
        moves = [a for a in clause.positive if a.relation == "does"]
        others = [a for a in clause.positive if a.relation != "does"]
        rest = replace(clause, positive=tuple(others))
        used = {v for a in (rest.head, *others, *rest.negative) for v in variables_of(a)}
        used |= {v for pair in rest.distinct for term in pair for v in variables_of(term)}
        for move in moves:
            role, term = move.args
            if not isinstance(term, Function):
                return False
            inner = list(variables_of(term))
            if not all(isinstance(arg, Variable) for arg in term.args):
                return False
            elsewhere = used | set(variables_of(role))
            elsewhere |= {v for m in moves if m is not move for v in variables_of(m)}
            if len(set(inner)) < len(inner) or elsewhere & set(inner):
                return False
        return all(self.is_left(atom, set()) for atom in (*others, *rest.negative))

    def is_left(self, atom: Atom, seen: set[str]) -> bool:
        """Return whether an atom says the same in the small sheet."""
        if atom.relation == "true":
            return _kind(atom) in self.kinds
        if atom.relation in ("does", "legal"):
            return False
        if atom.relation not in self.dynamic or atom.relation in seen:
            return True
        seen.add(atom.relation)
        return all(
            self.is_left(inner, seen)
            for clause in self.by_head.get(atom.relation, ())
            for inner in (*clause.positive, *clause.negative)
        )

    def legal(self, clause: Clause) -> list[Clause]:
        """Return a clause for `legal` with moves by name and with the conditions that are left."""
        role, move = clause.head.args
        names: Iterable[Functor]
        if isinstance(move, Function):
            names = [(move.name, len(move.args))]
        else:
            names = dict.fromkeys(f for own in self.domains.actions.values() for f in own)
        fluents = [a for a in clause.positive if a.relation == "true" and self.is_left(a, set())]
        bound = set(variables_of(role)) | {v for a in fluents for v in variables_of(a)}
        # What does not concern these fluents would only make the small sheet larger.
        others = [
            a
            for a in clause.positive
            if a.relation != "true" and set(variables_of(a)) <= bound and self.is_left(a, set())
        ]
        negative = tuple(
            a for a in clause.negative if set(variables_of(a)) <= bound and self.is_left(a, set())
        )
        distinct = tuple(
            (a, b) for a, b in clause.distinct if {*variables_of(a), *variables_of(b)} <= bound
        )
        positive = tuple(dict.fromkeys((*fluents, *others, Atom(_ROLE, (role,)))))
        return [
            Clause(Atom("legal", (role, Function(_name(name)))), positive, negative, distinct)
            for name in names
        ]

    def needed(self, clauses: list[Clause]) -> set[str]:
        """Find the relations that clauses ask for, and those ask for, and so on."""
        found: set[str] = set()
        stack = [_ROLE, *(a.relation for c in clauses for a in (*c.positive, *c.negative))]
        while stack:
            relation = stack.pop()
            if relation not in found and relation not in ("true", "does", "legal"):
                found.add(relation)
                for clause in self.by_head.get(relation, ()):
                    stack += [a.relation for a in (*clause.positive, *clause.negative)]
        return found


GROUNDING_S = 5.0
PROVING_S = 1.5


def find_impossible(sheet: RuleSheet, notes: list[str]) -> Impossible:
    """Ground a game and prove which moves no state allows together.

    Where a game cannot be grounded in a few seconds, what is left of it without the board is
    grounded instead, and a note says so.

    >>> from kibitz.games import load_sheet
    >>> impossible = find_impossible(load_sheet("tictactoe"), [])
    >>> mark, noop = ("mark", 2), ("noop", 0)
    >>> impossible((("xplayer", mark), ("oplayer", mark)))
    True
    >>> impossible((("xplayer", mark), ("oplayer", noop)))
    False
    """
    rename: Callable[[GeneralMove], GeneralMove] = lambda move: move  # noqa: E731
    try:
        network = ground(sheet, Budget(GROUNDING_S), groups=False).network
    except BudgetExceededError as error:
        small = abstract(sheet)
        try:
            if small is None:
                raise error
            network = ground(small, Budget(PROVING_S), groups=False).network
        except BudgetExceededError:
            notes.append(f"nothing is proved impossible: {error.message}")
            return lambda _moves: False
        notes.append(f"proofs consider only whose turn it is: {error.message}")
        rename = abstract_move
    groups = find_groups(network, seconds=PROVING_S)
    prover = Prover(network, groups, seconds=PROVING_S)
    known: dict[tuple[GeneralMove, ...], bool] = {}

    def is_impossible(*moves: GeneralMove) -> bool:
        if moves not in known:
            known[moves] = prover.are_impossible(map(rename, moves))
        return known[moves]

    def impossible(moves: tuple[GeneralMove, ...]) -> bool:
        *earlier, last = moves
        if is_impossible(last) or any(is_impossible(move, last) for move in earlier):
            return True
        return len(moves) > 2 and len(moves) == len(network.roles) and is_impossible(*moves)

    return impossible
