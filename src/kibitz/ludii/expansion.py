"""The text of a .lud file in, its tree out: options, definitions and ranges filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kibitz.errors import Diagnostic, Place, RuleSheetError, Source
from kibitz.ludii.library import Definition, Library, definitions_in
from kibitz.ludii.ludemes import Ludeme, tree_of
from kibitz.ludii.options import choose
from kibitz.ludii.tokens import MAX_DEPTH, Token, matching, tokens_of

__all__ = ["expand"]

_MAX_TOKENS = 300_000
_MAX_WORK = 2_000_000
_MAX_RANGE = 1_000
_MAX_CHARACTERS = 20_000_000
"""In all that definitions bring in; sheets of Ludii have a thousandth of that."""
_PARAMETER = re.compile(r"#(\d{1,2})")
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})")


def expand(
    text: str | bytes,
    *,
    name: str = "game.lud",
    options: Iterable[str] = (),
    library: Library | None = None,
) -> tuple[Source, Ludeme]:
    """Read a sheet and fill in its options, definitions and ranges; places are those of the text.

    What a definition of the library brings in has the place of the call.

    >>> text = '(define "Grid" (square #1)) (game "Two" (board ("Grid" 3)) {1..4})'
    >>> print(expand(text)[1])
    (game "Two" (board (square 3)) {1 2 3 4})
    """
    source, tokens = tokens_of(text, name=name)
    local, rest = definitions_in(choose(source, tokens, options))
    shared = library.definitions if library else {}
    done = _expanded(source, rest, local, shared)
    start = next((i for i in range(len(done) - 1) if _starts_game(done, i)), None)
    if start is None:
        raise _error(source, "no (game …) in the text", Place(0, 0))
    return source, tree_of(source, _with_ranges(source, done[start : matching(done, start)]))


def _starts_game(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index].text == "(" and tokens[index + 1].text == "game"


def _expanded(
    source: Source,
    tokens: Sequence[Token],
    local: Mapping[str, Definition],
    shared: Mapping[str, Definition],
) -> list[Token]:
    """Replace calls of definitions until none is left; what comes out of one is read again."""
    done: list[Token] = []
    left = list(reversed(tokens))
    work = depth = characters = 0
    while left:
        token = left.pop()
        bracketed = token.text == "(" and token.kind == "open"
        first = left[-1] if bracketed and left else token
        if first.kind != "text" or (done and done[-1].text == "game"):
            depth += (token.kind == "open") - (token.kind == "close")
            if depth > MAX_DEPTH:
                raise _error(source, f"nested more than {MAX_DEPTH} deep", token.place)
            done.append(token)
            continue
        called = first.text[1:-1]
        body = local.get(called)
        if body is None and called in shared:
            body = tuple(t._replace(place=token.place) for t in shared[called])
        if body is None:
            done.append(token)
            depth += bracketed
            continue
        arguments: list[tuple[Token, ...]] = []
        if bracketed:
            left.pop()
            arguments = _arguments(left)
        endless = _error(source, f'the definition "{called}" grows without end', token.place)
        try:
            put = list(_substituted(body, arguments, _MAX_CHARACTERS - characters))
        except OverflowError:
            raise endless from None
        characters += sum(len(t.text) for t in put)
        left.extend(reversed(put))
        work += 100 + len(put) + sum(map(len, arguments))
        if work > _MAX_WORK or characters > _MAX_CHARACTERS or len(left) + len(done) > _MAX_TOKENS:
            raise endless
    return done


def _arguments(left: list[Token]) -> list[tuple[Token, ...]]:
    """Take the arguments of a call, and its closing bracket, from tokens in reverse order."""
    found: list[tuple[Token, ...]] = []
    while left and left[-1].kind != "close":
        item = [left.pop()]
        depth = int(item[0].kind == "open")
        while left and (depth or item[-1].kind == "label"):
            item.append(left.pop())
            depth += (item[-1].kind == "open") - (item[-1].kind == "close")
        found.append(tuple(item))
    if left:
        left.pop()
    return [() if len(item) == 1 and item[0].text == "~" else item for item in found]


def _substituted(
    body: Definition, arguments: Sequence[tuple[Token, ...]], room: int
) -> Iterator[Token]:
    """Put arguments in the places of #1, #2, …; one that is missing leaves nothing behind.

    Raise OverflowError where words have more characters than there is room for.
    """

    def joined(match: re.Match[str]) -> str:
        nonlocal room
        words = [t.text.strip('"') for t in _argument(arguments, int(match[1]))]
        room -= sum(map(len, words))
        if room < 0:
            raise OverflowError
        return "".join(words)

    for index, token in enumerate(body):
        if "#" not in token.text:
            # A label whose value is missing goes with it.
            following = body[index + 1] if index + 1 < len(body) else None
            missing = (
                token.kind == "label"
                and following is not None
                and (whole := _PARAMETER.fullmatch(following.text))
                and not _argument(arguments, int(whole[1]))
            )
            if not missing:
                yield token
        elif whole := _PARAMETER.fullmatch(token.text):
            yield from _argument(arguments, int(whole[1]))
        elif token.kind in ("text", "word"):
            yield token._replace(text=_PARAMETER.sub(joined, token.text))
        else:
            yield token


def _argument(arguments: Sequence[tuple[Token, ...]], number: int) -> tuple[Token, ...]:
    return arguments[number - 1] if 1 <= number <= len(arguments) else ()


def _with_ranges(source: Source, tokens: Sequence[Token]) -> Iterator[Token]:
    total = 0
    for token in tokens:
        match = _RANGE.fullmatch(token.text) if token.kind == "word" else None
        if not match:
            yield token
            continue
        first, last = int(match[1]), int(match[2])
        step = 1 if first <= last else -1
        total += abs(last - first) + 1
        if total > _MAX_RANGE * 10 or abs(last - first) > _MAX_RANGE:
            raise _error(source, f"a range of more than {_MAX_RANGE:,} numbers", token.place)
        for number in range(first, last + step, step):
            yield token._replace(text=str(number))


def _error(source: Source, message: str, place: Place) -> RuleSheetError:
    return RuleSheetError(source, [Diagnostic.error("LUD004", message, place)])
