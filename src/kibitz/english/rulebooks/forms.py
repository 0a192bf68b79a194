"""The clauses of a rule sheet in, a form of words for each fluent, move and relation out.

A form is found from the name of a thing, how many arguments it has, and what is given at the
start: "square (A, B) holds C" where each square has one content, "B comes right after A" where a
table is a chain, "it is A's turn". Where nothing fits, "NAME is true of (A, B)" does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.english.verbs import plain_words
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term
from kibitz.rulebook import Form, letter_of

__all__ = ["Forms", "Key", "forms_of"]

Key = tuple[str, str, int]
"""A kind (fluent, move, relation), a name of the rule sheet, and the number of arguments."""

_TURN = {"control", "turn", "tomove", "whoseturn", "active", "currentplayer"}
_SQUARE = {"cell", "square", "board", "field", "location", "loc", "position", "contents", "space"}
_MOTION = {"move", "jump", "slide", "go", "step", "hop", "walk", "travel", "capture"}
_IDLE = {"noop", "pass", "wait", "skip", "nothing"}
_VERBS = _MOTION | {
    "mark", "place", "put", "drop", "take", "remove", "press", "push", "pull", "choose", "bid",
    "pick", "lay", "bite", "reduce", "swap", "rotate", "turn", "flip", "play", "fire", "shoot",
    "attack", "defend", "colour", "color", "paint", "give", "offer", "accept", "reject", "decline",
    "build", "block", "stack", "unstack", "grab", "toggle", "switch", "sow", "add", "write", "fill",
    "clean", "clear", "break", "open", "close", "set", "insert", "select", "send", "throw", "claim",
    "promote", "exchange", "hit", "bet", "fold", "call", "allocate", "guess", "stay", "connect",
}  # fmt: skip
_BEFORE = {"on", "at", "in", "under", "above", "below", "near", "behind", "inside", "over"}
_LESS = {"lt", "less", "lessthan", "smaller", "smallerthan", "lthan", "before"}
_MORE = {"gt", "greater", "greaterthan", "larger", "largerthan", "bigger", "biggerthan"}
_NEXT_TO = {"adjacent", "adj", "neighbor", "neighbour", "neighbors", "neighbours", "nextto"}
_HAS = {"line", "row", "column", "col", "diagonal", "diag", "path", "piece", "move", "threat"}
_SHORT = {
    "col": "column", "cols": "columns", "diag": "diagonal", "num": "number", "pos": "position",
    "succ": "successor", "succesor": "successor", "dir": "direction", "coord": "coordinate",
    "opp": "opponent", "max": "maximum", "min": "minimum", "prev": "previous", "loc": "location",
    "player": "side", "players": "sides", "puton": "put on",
}  # fmt: skip
_STRUCTURE = frozenset({"and", "or", "if", "for", "not", "may", "chooses", "wins", "loses", "draws",
                        "gets", "does"})  # fmt: skip


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

    def keep_names(self) -> bool:
        """Return whether all things that must keep their names do."""
        return all(form.name == key[1] for key, form in self.by_key.items() if key[0] in self.kept)

    def add(self, key: Key, texts: Iterable[str]) -> None:
        """Give a thing the first form whose name nothing else has."""
        taken = {form.name for form in self.by_key.values()} | set(KEYWORD_ARITY)
        for text in texts:
            form = Form.of(text)
            if form is not None and form.name not in taken and form.arity == key[2]:
                self.by_key[key] = form
                return
        for number in range(2, 1_000):
            form = Form.of(_default(f"{_joined(key[1])}{number}", key[2], key[0]))
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
        kind == "fluent" and arity == 3 and _bare(name) in _SQUARE for kind, name, arity in things
    )
    owned = _owned(clauses)
    order = {"fluent": 0, "move": 1, "relation": 2}
    whole = _kinds_with_variables(clauses)
    forms.kept = frozenset(whole)
    for key in sorted(things, key=lambda key: order[key[0]]):
        kind, name, arity = key
        rows = given.get(key, [])
        if kind in whole:  # a variable may stand for it, so it keeps its name
            letters = f" {_letters(0, arity)}" if arity else ""
            forms.add(key, [f"do {name}{letters}" if kind == "move" else f"{name}{letters} is so"])
            continue
        if kind == "fluent":
            texts = _fluent_texts(name, arity, rows, frozenset(roles))
        elif kind == "move":
            texts = _move_texts(name, arity, has_squares=has_squares)
        else:
            texts = _relation_texts(name, arity, rows if key not in derived else [])
            if key in owned:
                texts.insert(0, f"A has {_article(_words(name))} {_words(name)}")
        forms.add(key, [*texts, _default(_words(name), arity, kind)])
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
    return {key for key in found if not _is_adjective(_words(key[1]))}


def _article(words: str) -> str:
    return "an" if words[0] in "aeiou" else "a"


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _words(name: str) -> str:
    """Return the name of a thing as words that no sentence is built of."""
    words = [re.sub(r"\W", "", word) for word in plain_words(name).split()]
    words = [_SHORT.get(word, word) for word in words if word]
    if (
        not words
        or set(words) & _STRUCTURE
        or not words[0][0].isalpha()
        or any(re.fullmatch(r"[A-Z]\d*", word) for word in words)
    ):
        return _joined(name)
    return " ".join(words)


def _joined(name: str) -> str:
    signs = {"+": "plus", "-": "", "<": "less", ">": "more", "=": "equal", "*": "times"}
    bare = "".join(signs.get(c, c if c.isalnum() else "") for c in name).lower()
    return (
        f"{bare or 'thing'}-ness"
        if bare in _STRUCTURE or not bare
        else f"q{bare}"
        if (not bare[0].isalpha())
        else bare
    )


def _letters(first: int, last: int) -> str:
    """Return letters in brackets, one alone without them."""
    letters = [letter_of(n) for n in range(first, last)]
    return letters[0] if len(letters) == 1 else f"({', '.join(letters)})"


def _default(words: str, arity: int, kind: str) -> str:
    if kind == "move":
        verb = words if words.split()[0] in _VERBS else f"do {words}"
        return f"{verb} {_letters(0, arity)}" if arity else verb
    if not arity:
        return f"it is {words}" if _is_adjective(words) else f"the {words} condition holds"
    if arity > 1 and _is_adjective(words):
        return f"{_letters(0, arity)} is {words}"
    return f"{words} is true of {_letters(0, arity)}"


def _fluent_texts(
    name: str, arity: int, rows: list[tuple[Term, ...]], roles: frozenset[str]
) -> list[str]:
    bare, words = _bare(name), _words(name)
    texts = []
    is_one = bool(rows) and len({row[:-1] for row in rows}) == len(rows)
    last = letter_of(max(arity - 1, 0))
    if arity == 1:
        if bare in _TURN and all(str(row[0]) in roles for row in rows):
            texts.append("it is A's turn")
        if is_one and not (rows and str(rows[0][0]) in roles):
            texts.append(f"the {words} is A")
        texts += [_of_one(words)]
    elif bare in _SQUARE and arity == 3:
        texts += ["square (A, B) holds C", f"{words} (A, B) holds C"]
    elif bare in _SQUARE and arity == 2:
        texts += ["square A holds B", f"{words} A holds B"]
    elif arity == 2 and words in _BEFORE:
        texts.append(f"A is {words} B")
    if arity > 1 and is_one:
        texts.append(f"{words} {_letters(0, arity - 1)} is {last}")
    return texts


def _move_texts(name: str, arity: int, *, has_squares: bool) -> list[str]:
    bare, words = _bare(name), _words(name)
    square = "square " if has_squares else ""
    verb = words if words.split()[0] in _VERBS else f"do {words}"
    texts = []
    if arity == 0:
        if bare in _IDLE:
            texts += ["do nothing"] if bare != "pass" else ["pass"]
        texts.append(verb)
    elif bare in _MOTION and arity in (4, 5):
        what = "A " if arity == 5 else ""
        n = arity - 4
        texts.append(
            f"{words} {what}from {square}{_letters(n, n + 2)} to {square}{_letters(n + 2, n + 4)}"
        )
    elif bare in _MOTION and arity in (2, 3):
        what = "A " if arity == 3 else ""
        texts.append(f"{words} {what}from {letter_of(arity - 2)} to {letter_of(arity - 1)}")
    elif arity == 2 and square:
        texts.append(f"{verb} square (A, B)")
    return texts


def _relation_texts(name: str, arity: int, rows: list[tuple[Term, ...]]) -> list[str]:
    bare, words = _bare(name), _words(name)
    texts = []
    if arity == 2 and (name == "<" or bare in _LESS):
        texts.append("A is less than B")
    if arity == 2 and (name == ">" or bare in _MORE):
        texts.append("A is greater than B")
    if arity == 2 and len(rows) > 1 and _is_chain(rows):
        texts += ["B comes right after A", f"B comes right after A in {words}"]
    if arity == 3 and (name == "+" or bare in ("plus", "add", "sum")):
        texts.append("A plus B is C")
    if bare in _NEXT_TO and arity in (2, 4):
        half = arity // 2
        texts.append(f"{_letters(0, half)} is next to {_letters(half, arity)}")
    if arity == 1:
        texts += [f"A has a {words}"] if words.split()[-1] in _HAS else [_of_one(words)]
    if arity > 1 and rows and len({row[:-1] for row in rows}) == len(rows):
        texts.append(f"the {words} of {_letters(0, arity - 1)} is {letter_of(arity - 1)}")
    return texts


def _of_one(words: str) -> str:
    """Say a name of one thing: "A is empty", "A is a number"."""
    last = words.split()[-1]
    if _is_adjective(words):
        return f"A is {words}"
    if last.endswith("s") and not last.endswith("ss"):
        return f"A has {words}"
    return f"A is {_article(words)} {words}"


_ADJECTIVES = {
    "empty", "full", "free", "open", "clear", "alive", "dead", "safe", "on", "off", "black",
    "white", "red", "blue", "green", "stuck", "lost", "won", "clean", "dirty", "unused", "over",
    "different", "done", "legal", "gameover",
}  # fmt: skip


def _is_adjective(words: str) -> bool:
    last = words.split()[-1]
    return last in _ADJECTIVES or bool(
        re.search(r"(..ed|...ing|able|ible|ful|ous|...ive|ial|onal|acent|ical)$", last)
    )


def _is_chain(rows: list[tuple[Term, ...]]) -> bool:
    """Return whether pairs follow one another without a circle, each thing at most once."""
    after = {row[0]: row[1] for row in rows}
    if len(after) < len(rows) or len(set(after.values())) < len(rows):
        return False
    starts = [one for one in after if one not in set(after.values())]
    seen = 0
    for one in starts:
        while one in after:
            one, seen = after[one], seen + 1
    return seen == len(rows)
