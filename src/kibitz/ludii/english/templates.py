"""Write ludemes in English and parse them back, both by one table of phrases.

A phrase has a pattern in Ludii's own notation and a text, such as

    Phrase("condition", "(is Empty $a)", "{a:site} is empty")

`$a` stands for any ludeme and `$*a` for all that follow; `{a:site}` is where its words go, and of
which kind they are; `{a:move1|; or }` joins several. Parts in square brackets, which pattern and
text have in the same order, may be missing. A kind with a 1 behind it is one of simple phrases:
compound ones stand in round brackets there. What no phrase fits is quoted as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from kibitz.errors import RuleSheetError
from kibitz.ludii.tokens import Ludeme, parse_ludemes

_SLOT = re.compile(r"\{(\w+):(\w+?)(?:\|([^}]*))?\}")
_DIGITS = re.compile(r"\d+(?!\w)")
_QUOTED = re.compile(r"“([^”]*)”")
_OPTIONAL = re.compile(r"\s?\[([^\]]*)\]")
_THEN = ", and then "
_MOST_STEPS = 200_000
_TEXTS = {
    "name": re.compile(r"[a-z]+(-[a-z]+)*\d?(?!\w)"),
    "label": re.compile(r"[a-z]{1,2}\d+(?!\w)"),
}
"""Names of pieces and of sites; words are joined by hyphens."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FLAT = ("and", "or", "union", "intersection", "priority", "seq", "+", "directions")

_SHORT = ("hop", "step", "slide", "leap")
"""Moves that may be written without *move*."""

_TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""Comparisons with their sides exchanged; a number comes last."""

Bindings = dict[str, tuple[Ludeme, ...]]


@dataclass(frozen=True)
class Phrase:
    """How ludemes of one form are put into words; a compound one stands in brackets in others."""

    category: str
    pattern: str
    text: str
    compound: bool = False

    def variants(self) -> Iterator[Phrase]:
        """Yield the phrase with and without its optional parts, the longest first."""
        count = len(_OPTIONAL.findall(self.pattern))
        for kept in product((True, False), repeat=count):
            pattern, text = (_kept(one, kept) for one in (self.pattern, self.text))
            yield replace(self, pattern=pattern, text=text)

    @cached_property
    def ludeme(self) -> Ludeme:
        """The pattern as a tree."""
        return plain(parse_ludemes(self.pattern, name="pattern"))

    @cached_property
    def pieces(self) -> tuple[str | tuple[str, str, str], ...]:
        """The text: literal parts, and slots as name, kind and separator."""
        found: list[str | tuple[str, str, str]] = []
        at = 0
        for slot in _SLOT.finditer(self.text):
            if slot.start() > at:
                found.append(self.text[at : slot.start()])
            found.append((slot[1], slot[2], slot[3] or ""))
            at = slot.end()
        if at < len(self.text):
            found.append(self.text[at:])
        return tuple(found)


def phrases(
    category: str, texts: Mapping[str, str], *, compound: bool = False
) -> tuple[Phrase, ...]:
    """Return the phrases of one category, from patterns with their texts."""
    return tuple(Phrase(category, pattern, text, compound) for pattern, text in texts.items())


def _kept(text: str, kept: tuple[bool, ...]) -> str:
    parts = iter(kept)
    return _OPTIONAL.sub(lambda m: f" {m[1]}" * next(parts), text).strip()


def plain(ludeme: Ludeme) -> Ludeme:
    """Return a ludeme in the form in which they are compared: lists opened, names in small letters.

    >>> str(plain(parse_ludemes('(or {(id "King") (pass)})', name="x")))
    '(or (id "king") (pass))'
    """
    labelled = sorted((i for i in ludeme.items if i.label), key=lambda item: item.label)
    items = tuple(map(plain, (*ludeme.unlabelled(), *labelled)))
    if ludeme.shape == "call" and ludeme.name in _SHORT:
        kind = Ludeme("word", ludeme.name.capitalize())
        return Ludeme("call", "move", (kind, *items), ludeme.label)
    if ludeme.shape == "call" and ludeme.name in _FLAT and len(items) == 1:
        items = items[0].items if items[0].shape == "list" else items
    if ludeme.kind in ("result Mover", "result Next") and items[1].name == "Draw":
        items = (Ludeme("word", "All"), items[1])
    if (
        ludeme.name == "directions"
        and len(items) == 1
        and items[0].shape == "word"
        and items[0].name.isalpha()
    ):
        return replace(items[0], label=ludeme.label)
    name = ludeme.name.lower() if ludeme.shape == "text" else ludeme.name
    if name in _TURNED and len(items) == 2 and items[0].name.isdigit():
        name, items = _TURNED[name], items[::-1]
    return Ludeme(ludeme.shape, name, items, ludeme.label)


class Grammar:
    """Phrases in both directions."""

    def __init__(self, phrases: Iterable[Phrase], words: Mapping[str, Mapping[str, str]]) -> None:
        self._phrases: dict[str, list[Phrase]] = {}
        for phrase in phrases:
            self._phrases.setdefault(phrase.category, []).extend(phrase.variants())
        self._phrases["number"] += self._phrases["region"]  # sites are compared as numbers are
        self._words = words

    def write(self, ludeme: Ludeme, category: str) -> str:
        """Put a ludeme into words that can be read in one way; quote what has no words."""
        text, _ = self._write(plain(ludeme), category)
        return text if self.read(text, category) == {plain(ludeme)} else _quoted(plain(ludeme))

    def read(self, text: str, category: str) -> set[Ludeme]:
        """Return all ludemes that a text can mean."""
        reading = _Reading(self._phrases, self._words, text)
        try:
            return {plain(one) for one, end in reading.all(category, 0) if end == len(text)}
        except RecursionError:
            return set()

    def _write(self, ludeme: Ludeme, category: str) -> tuple[str, int]:
        """Return words, and how much of them is quoted."""
        kind = category.rstrip("1")
        bare = replace(ludeme, label="")
        if (word := self._word(bare, kind)) is not None:
            return word, 0
        if kind == "move" and (then := ludeme.calls("then")):
            rest = replace(bare, items=tuple(i for i in bare.items if i.name != "then"))
            made, following = self._write(rest, "move1"), self._write(then[0].items[0], "effect1")
            text = f"{made[0]}{_THEN}{following[0]}"
            return (f"({text})" if kind != category else text), made[1] + following[1]
        best: tuple[str, int] | None = None
        for phrase in self._phrases.get(kind, ()):
            bindings: Bindings = {}
            if not _matches(phrase.ludeme, bare, bindings):
                continue
            text, quoted = "", 0
            for piece in phrase.pieces:
                if isinstance(piece, str):
                    text += piece
                    continue
                name, inner, separator = piece
                written = [self._write(one, inner) for one in bindings[name]]
                text += separator.join(words for words, _ in written)
                quoted += sum(count for _, count in written)
            if phrase.compound and category.endswith("1"):
                text = f"({text})"
            if best is None or quoted < best[1]:
                best = text, quoted
            if not quoted:
                break
        return best or (_quoted(bare), len(str(bare)))

    def _word(self, ludeme: Ludeme, kind: str) -> str | None:
        if ludeme.shape == "text" and kind in _TEXTS:
            name = ludeme.name.replace(" ", "-")
            return name if _TEXTS[kind].fullmatch(name) and "-" not in ludeme.name else None
        if ludeme.shape != "word":
            return None
        if kind == "number" and ludeme.name.isdigit():
            return _NUMBERS[int(ludeme.name)] if len(ludeme.name) < 2 else ludeme.name
        return self._words.get(kind, {}).get(ludeme.name)


def _quoted(ludeme: Ludeme) -> str:
    return f"“{replace(ludeme, label='')}”"


def _matches(pattern: Ludeme, ludeme: Ludeme, found: Bindings) -> bool:
    """Match a ludeme, and bind what the slots of the pattern stand for."""
    if pattern.label != ludeme.label:
        return False
    if pattern.shape == "word" and pattern.name.startswith("$"):
        name = pattern.name[1:]
        return found.setdefault(name, (replace(ludeme, label=""),))[0] == replace(ludeme, label="")
    if (pattern.shape, pattern.name) != (ludeme.shape, ludeme.name):
        return False
    mine, theirs = list(pattern.unlabelled()), list(ludeme.unlabelled())
    if mine and mine[-1].name.startswith("$*"):
        fixed = len(mine) - 1
        if len(theirs) < fixed + 2:
            return False
        found[mine[-1].name[2:]] = tuple(theirs[fixed:])
        mine, theirs = mine[:-1], theirs[:fixed]
    labelled = {item.label: item for item in ludeme.items if item.label}
    wanted = [item for item in pattern.items if item.label]
    if len(mine) != len(theirs) or {item.label for item in wanted} != labelled.keys():
        return False
    pairs = [*zip(mine, theirs, strict=True), *((item, labelled[item.label]) for item in wanted)]
    return all(_matches(left, right, found) for left, right in pairs)


class _Reading:
    """All readings of one text, each part looked at once."""

    def __init__(
        self,
        phrases: Mapping[str, list[Phrase]],
        words: Mapping[str, Mapping[str, str]],
        text: str,
    ) -> None:
        self._phrases, self._words, self._text = phrases, words, text
        self._known: dict[tuple[str, int], list[tuple[Ludeme, int]]] = {}
        self._steps = 0

    def all(self, category: str, at: int) -> list[tuple[Ludeme, int]]:
        """Return what can be read of a kind at a place, and where it ends."""
        key = (category, at)
        if key not in self._known:
            self._known[key] = []  # a phrase that starts with its own kind reads nothing
            self._known[key] = list(dict.fromkeys(self._all(category, at)))
        return self._known[key]

    def _all(self, category: str, at: int) -> Iterator[tuple[Ludeme, int]]:
        kind = category.rstrip("1")
        text = self._text
        quoted = None if kind in _TEXTS else _QUOTED.match(text, at)
        if quoted:
            try:
                yield parse_ludemes(quoted[1], name="quoted"), quoted.end()
            except RuleSheetError:
                return
        if kind != category and text.startswith("(", at):
            for one, end in self.all(kind, at + 1):
                if text.startswith(")", end):
                    yield one, end + 1
        if category == "move":
            for one, end in self.all("move1", at):
                if text.startswith(_THEN, end):
                    for following, last in self.all("effect1", end + len(_THEN)):
                        then = Ludeme("call", "then", (following,))
                        yield replace(one, items=(*one.items, then)), last
        yield from self._word(kind, at)
        for phrase in self._phrases.get(kind, ()):
            if not (phrase.compound and kind != category):
                for bindings, end in self._pieces(phrase.pieces, at, {}):
                    yield _filled(phrase.ludeme, bindings), end

    def _word(self, kind: str, at: int) -> Iterator[tuple[Ludeme, int]]:
        text = self._text
        for name, word in self._words.get(kind, {}).items():
            end = at + len(word)
            if text.startswith(word, at) and not text[end : end + 1].isalnum():
                yield Ludeme("word", name), end
        if kind == "number":
            for value, word in enumerate(_NUMBERS):
                end = at + len(word)
                if text.startswith(word, at) and not text[end : end + 1].isalnum():
                    yield Ludeme("word", str(value)), end
            if digits := _DIGITS.match(text, at):
                yield Ludeme("word", digits[0]), digits.end()
        if kind in _TEXTS and (found := _TEXTS[kind].match(text, at)):
            yield Ludeme("text", found[0].replace("-", " ")), found.end()

    def _pieces(
        self, pieces: tuple[str | tuple[str, str, str], ...], at: int, found: Bindings
    ) -> Iterator[tuple[Bindings, int]]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return
        if not pieces:
            yield found, at
            return
        first, rest = pieces[0], pieces[1:]
        if isinstance(first, str):
            if self._text.startswith(first, at):
                yield from self._pieces(rest, at + len(first), found)
            return
        name, kind, separator = first
        for one, end in self.all(kind, at):
            if not separator:
                yield from self._pieces(rest, end, {**found, name: (one,)})
                continue
            for more, last in self._more(kind, separator, end):
                yield from self._pieces(rest, last, {**found, name: (one, *more)})

    def _more(self, kind: str, separator: str, at: int) -> Iterator[tuple[tuple[Ludeme, ...], int]]:
        """Yield one and more further parts of a list."""
        if not self._text.startswith(separator, at):
            return
        for one, end in self.all(kind, at + len(separator)):
            yield (one,), end
            for more, last in self._more(kind, separator, end):
                yield (one, *more), last


def _filled(pattern: Ludeme, bindings: Bindings) -> Ludeme:
    """Write what was read in the place of the slots of a pattern."""
    items: list[Ludeme] = []
    for item in pattern.items:
        if item.shape == "word" and item.name.startswith("$"):
            name = item.name.lstrip("$*")
            items += (replace(one, label=item.label) for one in bindings[name])
        else:
            items.append(_filled(item, bindings))
    return replace(pattern, items=tuple(items))
