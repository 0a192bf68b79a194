"""The text of a .lud file in, its tokens out, each with its place; bounded in size and nesting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from kibitz.errors import Diagnostic, Note, Place, RuleSheetError, Source
from kibitz.gdl import source_of

__all__ = ["MAX_DEPTH", "Kind", "Token", "is_ludii", "matching", "tokens_of"]

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
