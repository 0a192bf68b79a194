"""Tokenize and parse the text of a .lud file, each part with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kibitz.errors import Diagnostic, Note, Place, RuleSheetError, Source
from kibitz.gdl import source_of

MAX_DEPTH = 200
"""The deepest nesting that is read. Sheets that people write stay below 30."""

Kind = Literal["open", "close", "label", "text", "word"]


class Token(NamedTuple):
    """A bracket, a label such as `if:`, a text in quotes, or a word; with its place."""

    kind: Kind
    text: str
    place: Place


_TOKEN = re.compile(
    r"""
      (?P<comment> //[^\n]* )
    | (?P<text> "(?: [^"\\] | \\+"? )*+" )
    | (?P<operator> (?<=\() [<>]=? (?=[\s"(]) )
    | (?P<open> [({<] )
    | (?P<close> [)}>] )
    | (?P<label> [A-Za-z]\w*: (?=[^\s:]|\s*[^\s:]) )
    | (?P<stars> (?<=\)) \*+ )
    | (?P<word> [^\s(){}<>"]+? (?= [\s(){}<>"] | // | \Z ) )
    | (?P<bad> \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "{": "}", "<": ">"}


def is_ludii(text: str) -> bool:
    r"""Return whether a text begins as sheets of Ludii do.

    >>> is_ludii('// mine\n(game "One" (players 1))'), is_ludii("(role white)")
    (True, False)
    """
    return bool(re.match(r"\s*(//[^\n]*\n\s*)*\((game|define|metadata)\s", text))


def tokens_of(text: str | bytes, *, name: str) -> tuple[Source, list[Token]]:
    """Split a text into tokens, with every bracket closed by its own kind.

    Raise RuleSheetError at the first place that cannot be read.

    >>> [token.text for token in tokens_of('(place "Disc" count:3) // start', name="x.lud")[1]]
    ['(', 'place', '"Disc"', 'count', '3', ')']
    """
    source = source_of(text, name=name)
    found: list[Token] = []
    opened: list[Token] = []
    for match in _TOKEN.finditer(source.text):
        kind, word, place = str(match.lastgroup), match.group(), Place(*match.span())
        if kind == "comment":
            continue
        if kind == "bad":
            raise _error(source, "LUD001", "this quotation mark is never closed", place)
        if kind == "label":
            word = word[:-1]
        elif kind in ("operator", "stars"):
            kind = "word"
        token = Token(kind, word, place)  # type: ignore[arg-type]
        if kind == "open":
            if len(opened) >= MAX_DEPTH:
                note = Note("the outermost one opens here", opened[0].place)
                message = f"nested more than {MAX_DEPTH} deep"
                raise _error(source, "LUD003", message, place, note)
            opened.append(token)
        elif kind == "close":
            if not opened:
                raise _error(source, "LUD002", f"{word} closes nothing", place)
            if word != _CLOSING[opened[-1].text]:
                note = Note("this is what it would close", opened[-1].place)
                raise _error(source, "LUD002", f"{word} closes another bracket", place, note)
            opened.pop()
        found.append(token)
    if opened:
        message = f"{opened[-1].text} is never closed"
        raise _error(source, "LUD002", message, opened[-1].place)
    return source, found


def matching(tokens: Sequence[Token], start: int) -> int:
    """Return the index after the item that starts at an index: a token, or a whole bracket.

    >>> matching(tokens_of("(a {b} c) d", name="x.lud")[1], 0)
    7
    """
    depth = 0
    for index in range(start, len(tokens)):
        kind = tokens[index].kind
        depth += (kind == "open") - (kind == "close")
        if depth == 0 and kind != "label":
            return index + 1
    return len(tokens)


def _error(source: Source, code: str, message: str, place: Place, *notes: Note) -> RuleSheetError:
    hint = "count the brackets before this place" if code != "LUD001" else "add the second one"
    return RuleSheetError(source, [Diagnostic.error(code, message, place, hint, notes)])


Shape = Literal["call", "list", "text", "word"]


@dataclass(frozen=True, slots=True)
class Ludeme:
    """A part of a sheet: `(name …)`, `{…}`, `"text"` or a word, perhaps with a label before it."""

    shape: Shape
    name: str
    items: tuple[Ludeme, ...] = ()
    label: str = ""
    place: Place = field(default=Place(0, 0), compare=False)

    def __str__(self) -> str:
        label = f"{self.label}:" if self.label else ""
        match self.shape:
            case "call":
                return f"{label}({' '.join([self.name, *map(str, self.items)])})"
            case "list":
                return f"{label}{{{' '.join(map(str, self.items))}}}"
            case "text":
                return f'{label}"{self.name}"'
            case _:
                return label + self.name

    @property
    def kind(self) -> str:
        """The name of a call with the word that says which kind of it is meant: `move Step`.

        >>> parse_ludemes("(is Line 3)", name="x.lud").kind
        'is Line'
        """
        first = self.items[0] if self.items else None
        if first and first.shape == "word" and not first.label and first.name[:1].isupper():
            return f"{self.name} {first.name}"
        return self.name

    def get(self, label: str) -> Ludeme | None:
        """Return the item that has a label."""
        return next((item for item in self.items if item.label == label), None)

    def unlabelled(self) -> tuple[Ludeme, ...]:
        """Return the items that have no label."""
        return tuple(item for item in self.items if not item.label)

    def calls(self, *names: str) -> list[Ludeme]:
        """Return the items without a label that are calls of one of these names."""
        return [i for i in self.items if i.shape == "call" and not i.label and i.name in names]

    def walk(self) -> Iterator[Ludeme]:
        """Walk this ludeme and everything inside it."""
        yield self
        for item in self.items:
            yield from item.walk()


def parse_ludemes(text: str | bytes, *, name: str) -> Ludeme:
    """Read a text that is one ludeme, as it is: nothing is expanded.

    >>> parse_ludemes("(game {1 2})", name="x.lud").items[0].items[1].name
    '2'
    """
    source, tokens = tokens_of(text, name=name)
    return tree_of(source, tokens)


def tree_of(source: Source, tokens: Iterable[Token]) -> Ludeme:
    """Make the tree of the first ludeme in a list of tokens whose brackets are balanced."""
    # One entry for each open bracket: its shape, label and place, and its items so far.
    stack: list[tuple[Token | None, str, list[Ludeme]]] = [(None, "", [])]
    label = ""
    for token in tokens:
        if token.kind == "label":
            label = token.text
            continue
        if token.kind == "open":
            if token.text == "<":
                raise _ludeme_error(source, "an option that is not defined", token.place)
            stack.append((token, label, []))
        elif token.kind == "close":
            opened, outer_label, items = stack.pop()
            assert opened is not None
            place = Place(opened.place.start, max(token.place.end, opened.place.start + 1))
            stack[-1][2].append(_closed(source, opened, items, outer_label, place))
        elif token.kind == "text":
            stack[-1][2].append(Ludeme("text", token.text[1:-1], (), label, token.place))
        else:
            stack[-1][2].append(Ludeme("word", token.text, (), label, token.place))
        label = ""
    found = stack[0][2]
    if not found:
        raise _ludeme_error(source, "no ludeme", Place(0, 0))
    return found[0]


def _closed(source: Source, opened: Token, items: list[Ludeme], label: str, place: Place) -> Ludeme:
    if opened.text == "{":
        return Ludeme("list", "", tuple(items), label, place)
    if not items:
        raise _ludeme_error(source, "nothing inside the brackets", place)
    first = items[0]
    if first.shape == "call" and len(items) == 1:
        return Ludeme("call", first.name, first.items, label or first.label, first.place)
    if first.shape == "text":
        hint = "--ludii says where Ludii's own definitions are"
        raise _ludeme_error(source, f'no definition of "{first.name}"', first.place, hint)
    if first.shape != "word" or first.label:
        raise _ludeme_error(source, "a ludeme starts with its name", place)
    return Ludeme("call", first.name, tuple(items[1:]), label, place)


def _ludeme_error(source: Source, message: str, place: Place, hint: str = "") -> RuleSheetError:
    return RuleSheetError(source, [Diagnostic.error("LUD004", message, place, hint)])
