"""Find a form of words for each fluent, move and relation.

A form is found from the name of a thing, how many arguments it has, and what is given at the
start: "square (A, B) holds C" where each square has one content, "B comes right after A" where a
table is a chain, "it is A's turn". Where nothing fits, "the NAME condition holds of
(A, B)" does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.english.verbs import plain_words
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term
from kibitz.rulebook import Form, letter_of

_TURN = {"control", "turn", "tomove", "whoseturn", "active", "currentplayer"}
SQUARES = {"cell", "square", "board", "field", "location", "loc", "position", "contents", "space"}
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
_STATES = {"holds", "has", "owns", "contains", "covers", "reaches", "follows", "beats", "sees"}
_NOUNS = {
    "move", "jump", "step", "path", "line", "row", "column", "pair", "diagonal", "way", "rotation",
    "cell", "square", "position", "place", "neighbour", "neighbor", "piece", "flip", "tower",
    "capture", "range", "region", "wall", "door", "edge", "product", "difference", "distance",
}  # fmt: skip
_TRAITS = {
    "color", "colour", "size", "height", "count", "number", "score", "level", "value", "owner",
    "type", "kind", "direction", "position", "location", "row", "column", "state", "status", "rank",
    "orientation", "heading", "length", "width", "depth", "weight", "price", "cost", "age", "name",
}  # fmt: skip
_LESS = {"lt", "less", "lessthan", "smaller", "smallerthan", "lthan", "before"}
_MORE = {"gt", "greater", "greaterthan", "larger", "largerthan", "bigger", "biggerthan"}
_NEXT_TO = {"adjacent", "adj", "neighbor", "neighbour", "neighbors", "neighbours", "nextto"}
_HAS = {"line", "row", "column", "col", "diagonal", "diag", "path", "piece", "move", "threat"}
_SHORT = {
    "col": "column", "cols": "columns", "diag": "diagonal", "num": "number", "pos": "position",
    "succ": "successor", "succesor": "successor", "dir": "direction", "coord": "coordinate",
    "opp": "opponent", "max": "maximum", "min": "minimum", "prev": "previous", "loc": "location",
    "player": "side", "players": "sides", "puton": "put on", "wins": "win", "loses": "loss",
}  # fmt: skip
_STRUCTURE = frozenset({"and", "or", "if", "for", "not", "may", "chooses", "wins", "loses", "draws",
                        "gets", "does"})  # fmt: skip


def article(words: str) -> str:
    """Return the article before words."""
    return "an" if words[0] in "aeiou" else "a"


def bare_name(name: str) -> str:
    """Return the letters and digits of a name."""
    return re.sub(r"[\W_]", "", name).lower()


def name_words(name: str) -> str:
    """Return the name of a thing as words that no sentence is built of."""
    words = [re.sub(r"\W", "", word) for word in plain_words(name).split()]
    words = [part for word in words for part in _split(word)]
    words = [_SHORT.get(word, word) for word in words if word]
    if (
        not words
        or set(words) & _STRUCTURE
        or not words[0][0].isalpha()
        or any(re.fullmatch(r"[A-Z]\d*", word) for word in words)
    ):
        return joined_name(name)
    return " ".join(words)


_PARTS = (
    "king", "queen", "rook", "bishop", "knight", "pawn", "wolf", "sheep", "fox", "piece",
    "pieces", "stone", "stones", "move", "moves", "jump", "jumps", "capture", "captures", "count",
    "counter", "win", "wins", "won", "loses", "lost", "draw", "white", "black", "red", "blue",
    "green", "yellow", "cell", "cells", "row", "rows", "column", "columns", "line", "lines",
    "board", "boards", "square", "legal", "has", "not", "open", "closed", "clear", "next", "step",
    "score", "goal", "goals", "game", "over", "any", "exists", "no", "for", "by", "on", "in",
    "to", "from", "at", "or", "and", "of", "with", "behind", "before", "after", "same",
    "different", "distinct", "opponent", "occupied", "empty", "blank", "player", "path",
    "location", "direction", "position", "round", "rounds", "last", "first", "second", "third",
    "left", "right", "up", "down", "north", "south", "east", "west", "forward", "can", "may",
    "current", "old", "new", "max", "min", "number", "time", "total", "three", "two", "one",
    "four", "box", "boxes", "wall", "walls", "edge", "light", "lights", "check", "mate",
    "promote", "promotion", "triple", "double", "single", "length", "index", "rank", "file",
    "color", "colour", "type", "owner", "value", "points", "map", "list", "scores", "finished",
)  # fmt: skip


def _split(word: str) -> list[str]:
    """Split a name that is made of known words without a sign between them.

    >>> _split("knightmove"), _split("occupiedbyopponent"), _split("zork")
    (['knight', 'move'], ['occupied', 'by', 'opponent'], ['zork'])
    """
    found: list[list[str] | None] = [[]] + [None] * len(word)
    for end in range(1, len(word) + 1):
        for part in _PARTS:
            before = found[end - len(part)] if word[:end].endswith(part) else None
            best = found[end]
            if before is not None and (best is None or len(before) + 1 < len(best)):
                found[end] = [*before, part]
    parts = found[-1]
    return parts if parts and any(len(part) > 2 for part in parts) else [word]


def joined_name(name: str) -> str:
    """Return a name as one word that no sentence is built of."""
    signs = {"+": "plus", "-": "", "<": "less", ">": "more", "=": "equal", "*": "times"}
    bare = "".join(signs.get(c, c if c.isalnum() else "") for c in name).lower()
    return (
        f"{bare or 'thing'}-ness"
        if bare in _STRUCTURE or not bare
        else f"q{bare}"
        if (not bare[0].isalpha())
        else bare
    )


def bracketed(first: int, last: int) -> str:
    """Return letters in brackets, one alone without them."""
    letters = [letter_of(n) for n in range(first, last)]
    return letters[0] if len(letters) == 1 else f"({', '.join(letters)})"


def default_text(words: str, arity: int, kind: str) -> str:
    """Return a text that any name can have."""
    if kind == "move":
        return f"{_verb(words)} {bracketed(0, arity)}" if arity else _verb(words)
    if not arity:
        return f"the {words} condition holds"
    return f"the {words} condition holds of {bracketed(0, arity)}"


def _verb(words: str) -> str:
    first = words.split()[0].rstrip("0123456789")
    return words if first in (*_VERBS, "do") else f"do {words}"


def _shaped(words: str, arity: int) -> list[str]:
    """Return texts for names whose words are those of a sentence, such as "cell empty"."""
    *first, last = words.split()
    letters = bracketed(0, arity) if arity else ""
    texts: list[str] = []
    if first and first[0] in ("is", "has", "can") and arity:
        rest = " ".join([*first[1:], last])
        one = f"{article(rest)} " if first[0] == "has" and not rest.endswith("s") else ""
        texts.append(f"{letters} {first[0]} {one}{rest}")
    elif is_adjective(last) and first and first[-1] not in _BEFORE:
        thing = " ".join(first)
        verb = "are" if _is_plural(first[-1]) else "is"
        texts.append(f"{thing} {letters} is {last}" if arity else f"the {thing} {verb} {last}")
    elif is_adjective(words) and arity != 1:
        texts.append(f"{letters} is {words}" if arity else f"it is {words}")
    elif last in (*_BEFORE, "by", "to", "with", "from", "of") and len(first) > 1 and arity > 1:
        if is_adjective(first[-1]):
            ends = f"is {first[-1]} {last} {letter_of(arity - 1)}"
            texts.append(f"{' '.join(first[:-1])} {bracketed(0, arity - 1)} {ends}")
    elif last in _STATES and arity > 1:
        thing = " ".join([*first, bracketed(0, arity - 1)])
        texts.append(f"{thing} {last} {letter_of(arity - 1)}")
    elif last in _NOUNS and arity > 1:
        texts.append(f"{letters} is {article(words)} {words}")
    return texts


def fluent_texts(
    name: str, arity: int, rows: list[tuple[Term, ...]], roles: frozenset[str]
) -> list[str]:
    """Return texts for a fluent with these arguments at the start."""
    bare, words = bare_name(name), name_words(name)
    texts = []
    is_one = bool(rows) and len({row[:-1] for row in rows}) == len(rows)
    last = letter_of(max(arity - 1, 0))
    if arity == 1:
        to_do = words.removesuffix(" control").removesuffix(" turn")
        if bare in _TURN and all(str(row[0]) in roles for row in rows):
            texts.append("it is A's turn")
        elif to_do != words and to_do in _VERBS:
            texts.append(f"it is A's turn to {to_do}")
        if is_one and not (rows and str(rows[0][0]) in roles):
            texts.append(_amount(words, rows))
        texts += [*_shaped(words, 1), _of_one(words)]
    elif bare in SQUARES and arity == 3:
        texts += ["square (A, B) holds C", f"{words} (A, B) holds C"]
    elif bare in SQUARES and arity == 2:
        texts += ["square A holds B", f"{words} A holds B"]
    elif arity == 2 and words.rstrip("0123456789") in _BEFORE:
        texts.append(f"A is {words} B")
    shaped = _shaped(words, arity) if arity != 1 else []
    if arity > 1 and is_one:
        is_trait = words.split()[-1] in _TRAITS or all(str(row[0]) in roles for row in rows)
        of = "the {} of" if arity == 2 and is_trait else "{}"
        verb = "are" if _is_plural(words.split()[-1]) else "is"
        one = f"{of.format(words)} {bracketed(0, arity - 1)} {verb} {last}"
        texts += [one, *shaped] if words.split()[-1] in _NOUNS else [*shaped, one]
    else:
        texts += shaped
    return texts


def move_texts(name: str, arity: int, *, has_squares: bool) -> list[str]:
    """Return texts for a move; those with two arguments may name a square."""
    bare, words = bare_name(name), name_words(name)
    square = "square " if has_squares else ""
    verb = _verb(words)
    texts = []
    if arity == 0:
        if bare.rstrip("0123456789") in _IDLE:
            texts += ["pass"] if bare == "pass" else ["do nothing", "wait", "stay idle"]
        texts.append(verb)
    elif bare in _MOTION and arity in (4, 5):
        what = "A " if arity == 5 else ""
        n = arity - 4
        texts.append(
            f"{words} {what}from {square}{bracketed(n, n + 2)} to {square}{bracketed(n + 2, n + 4)}"
        )
    elif bare in _MOTION and arity in (2, 3):
        texts.append(f"{words} A to B" if arity == 2 else f"{words} A from B to C")
    elif arity == 2 and square:
        texts.append(f"{verb} {'a piece on ' * (bare in ('place', 'put'))}square (A, B)")
    return texts


def relation_texts(
    name: str, arity: int, rows: list[tuple[Term, ...]], roles: frozenset[str]
) -> list[str]:
    """Return texts for a relation; its rows if it is a table."""
    bare, words = bare_name(name), name_words(name)
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
        texts.append(f"{bracketed(0, half)} is next to {bracketed(half, arity)}")
    if arity == 2 and bare.startswith("own") and rows and all(str(r[1]) in roles for r in rows):
        texts.append("B owns A")
    if arity < 2 and re.match(r"(is|has|can) \w", words):
        texts.append(f"A {words}" if arity else f"it {words}")
    texts += _shaped(words, arity)
    if arity == 1:
        one = words if words.startswith("any ") else f"{article(words)} {words}"
        texts += [f"A has {one}"] if words.split()[-1] in _HAS else [_of_one(words)]
    if arity > 1 and rows and len({row[:-1] for row in rows}) == len(rows):
        verb = "are" if _is_plural(words.split()[-1]) else "is"
        texts.append(f"the {words} of {bracketed(0, arity - 1)} {verb} {letter_of(arity - 1)}")
    return texts


def _amount(words: str, rows: list[tuple[Term, ...]]) -> str:
    """Say what a name has for a value: "the step is A", "the number of blocks dropped is A"."""
    if not any(map(_is_plural, words.split())):
        return f"the {words} is A"
    is_count = all(str(row[0]).isdecimal() for row in rows)
    return f"the number of {words} is A" if is_count else f"the {words} are A"


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _of_one(words: str) -> str:
    """Say a name of one thing: "A is empty", "A is a number"."""
    last = words.split()[-1]
    if is_adjective(words) or words.split()[0] in _BEFORE:
        return f"A is {words}"
    if _is_plural(last):
        return f"A is one of the {words}"
    return f"A is {article(words)} {words}"


_ADJECTIVES = {
    "empty", "full", "free", "open", "clear", "alive", "dead", "safe", "on", "off", "black",
    "white", "red", "blue", "green", "stuck", "lost", "won", "clean", "dirty", "unused", "over",
    "different", "done", "legal", "gameover",
}  # fmt: skip


_NO_ADJECTIVES = {
    "speed", "seed", "need", "feed", "breed", "table", "cable", "string", "spring", "nothing",
    "anything", "something", "everything", "trial", "dial", "variable", "olive", "archive",
}  # fmt: skip


def is_adjective(words: str) -> bool:
    """Return whether the last word of a name says how something is."""
    last = words.split()[-1].rstrip("0123456789")
    if last in _NO_ADJECTIVES:
        return False
    return last in _ADJECTIVES or bool(
        re.search(r"(..ed|...ing|able|ible|ful|ous|...ive|ial|onal|acent|ical)$", last)
    )


def _is_chain(rows: list[tuple[Term, ...]]) -> bool:
    """Return whether pairs follow one another without a circle, each thing at most once."""
    after = {row[0]: row[1] for row in rows}
    if len(after) < len(rows) or len(set(after.values())) < len(rows):
        return False
    starts = [one for one in after if one not in set(after.values())]
    if len(starts) * 2 > len(rows):
        return False  # pairs that have little to do with one another
    seen = 0
    for one in starts:
        while one in after:
            one, seen = after[one], seen + 1
    return seen == len(rows)


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
