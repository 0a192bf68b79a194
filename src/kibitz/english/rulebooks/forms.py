"""The clauses of a rule sheet in, a form of words for each fluent, move and relation out.

A form is found from the name of a thing, how many arguments it has, and what is given at the
start: "square (A, B) holds C" where each square has one content, "B comes right after A" where a
table is a chain, "it is A's turn". Where nothing fits, "the NAME condition holds of
(A, B)" does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.english.rulebooks.form_texts import (
    SQUARES,
    article,
    bare_name,
    bracketed,
    default_text,
    fluent_texts,
    is_adjective,
    joined_name,
    move_texts,
    name_words,
    relation_texts,
)
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term
from kibitz.rulebook import Form

__all__ = ["Forms", "Key", "forms_of"]

Key = tuple[str, str, int]
"""A kind (fluent, move, relation), a name of the rule sheet, and the number of arguments."""


@dataclass(slots=True)
class Forms:
    """The form of each thing of a rule sheet; no two have the same words."""

    by_key: dict[Key, Form] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    """Kinds whose things keep their names, as variables stand for them."""

    def of(self, kind: str, name: str, arity: int) -> Form:
        """Return the form of a fluent, move or relation."""
        return self.by_key[kind, name, arity]

    def texts(self, kind: str) -> list[str]:
        """Return the texts of one kind, as they are declared."""
        return [form.text for (k, _, _), form in self.by_key.items() if k == kind]

    def name_of(self, text: str) -> str:
        """Return the name that a rule sheet has for what has this text; nothing if none has it."""
        return next((name for (_, name, _), form in self.by_key.items() if form.text == text), "")

    def keep_names(self) -> bool:
        """Return whether all things that must keep their names do."""
        return all(form.name == key[1] for key, form in self.by_key.items() if key[0] in self.kept)

    def add(self, key: Key, texts: Iterable[str]) -> None:
        """Give a thing the first form whose name nothing else has."""
        taken = {form.name for form in self.by_key.values()} | set(KEYWORD_ARITY)
        for text in texts:
            if text == "the game is over":  # that is what GDL calls terminal
                continue
            form = Form.of(text)
            if form is not None and form.name not in taken and form.arity == key[2]:
                self.by_key[key] = form
                return
        for number in range(2, 1_000):
            form = Form.of(default_text(f"{joined_name(key[1])}{number}", key[2], key[0]))
            if form is not None and form.name not in taken:
                self.by_key[key] = form
                return


def forms_of(clauses: Sequence[Clause], roles: Iterable[str]) -> Forms:
    """Find a form for everything that clauses speak of.

    >>> from kibitz.gdl import clauses_of, parse
    >>> sheet = parse("(role a) (init (cell 1 1 b)) (legal a (mark 1 1)) (succ 1 2) (succ 2 3)")
    >>> [form.text for form in forms_of(clauses_of(sheet), ["a"]).by_key.values()]
    ['square (A, B) holds C', 'mark square (A, B)', 'B comes right after A']
    """
    things = _things(clauses)
    given: dict[Key, list[tuple[Term, ...]]] = {}
    for clause in clauses:
        head = clause.head
        if not clause.positive or head.relation == "init":
            if head.relation == "init" and isinstance(head.args[0], Function):
                fluent = head.args[0]
                given.setdefault(("fluent", fluent.name, len(fluent.args)), []).append(fluent.args)
            elif head.relation not in KEYWORD_ARITY:
                given.setdefault(("relation", head.relation, len(head.args)), []).append(head.args)
    forms = Forms()
    derived = {("relation", c.head.relation, len(c.head.args)) for c in clauses if c.positive}
    has_squares = any(
        kind == "fluent" and arity == 3 and bare_name(name) in SQUARES
        for kind, name, arity in things
    )
    known = frozenset(roles)
    owned = _owned(clauses)
    order = {"fluent": 0, "move": 1, "relation": 2}
    whole = _kinds_with_variables(clauses)
    forms.kept = frozenset(whole)
    for key in sorted(things, key=lambda key: order[key[0]]):
        kind, name, arity = key
        rows = given.get(key, [])
        if kind in whole:  # a variable may stand for it, so it keeps its name
            letters = f" {bracketed(0, arity)}" if arity else ""
            forms.add(key, [f"do {name}{letters}" if kind == "move" else f"{name}{letters} is so"])
            continue
        if kind == "fluent":
            texts = fluent_texts(name, arity, rows, known)
        elif kind == "move":
            texts = move_texts(name, arity, has_squares=has_squares)
        else:
            texts = relation_texts(name, arity, rows if key not in derived else [], known)
            if key in owned:
                texts.append(f"A has {article(name_words(name))} {name_words(name)}")
                texts.reverse()
        forms.add(key, [*texts, default_text(name_words(name), arity, kind)])
    return forms


_KINDS = {
    "true": "fluent", "init": "fluent", "next": "fluent", "does": "move", "legal": "move",
}  # fmt: skip


def _things(clauses: Sequence[Clause]) -> list[Key]:
    """List fluents, moves and relations in the order in which they come."""
    found: dict[Key, None] = {}

    def add(atom: Atom) -> None:
        kind = _KINDS.get(atom.relation)
        if kind is not None:
            term = atom.args[-1]
            if isinstance(term, Function):
                found.setdefault((kind, term.name, len(term.args)))
        elif atom.relation not in KEYWORD_ARITY:
            found.setdefault(("relation", atom.relation, len(atom.args)))

    for clause in clauses:
        for atom in (clause.head, *clause.positive, *clause.negative):
            add(atom)
    return list(found)


def _kinds_with_variables(clauses: Sequence[Clause]) -> set[str]:
    """Return whether variables stand for whole moves, or whole fluents."""
    found = set()
    for clause in clauses:
        for atom in (clause.head, *clause.positive, *clause.negative):
            if atom.relation in _KINDS and not isinstance(atom.args[-1], Function):
                found.add(_KINDS[atom.relation])
    return found


def _owned(clauses: Sequence[Clause]) -> set[Key]:
    """Return relations that follow for one player or content, such as a line of white."""
    found: set[Key] = set()
    for clause in clauses:
        if len(clause.head.args) == 1 and clause.head.relation not in KEYWORD_ARITY:
            one = clause.head.args[0]
            for atom in clause.positive:
                held = atom.args[0] if atom.relation == "true" else None
                if atom == Atom("role", (one,)) or (
                    isinstance(held, Function) and len(held.args) > 2 and held.args[-1] == one
                ):
                    found.add(("relation", clause.head.relation, 1))
    return {key for key in found if not is_adjective(name_words(key[1]))}
