"""Patterns of words with typed slots in, a parser and a writer for them out.

A pattern is a text such as `the board is a grid of {columns:number} columns and {rows:number}
rows`. `{field:symbol}` is a slot, `{field:symbol+}` a list that ends with *and*, `{field:symbol/}`
one that ends with *or*, `{field:symbol&}` with either, and `{field:symbol*}` none or several with
nothing between, `{_:symbol}` one that is not kept; `[words]` may be left out and are not written;
`go|move` is one of these words; `win^` is written *wins* where the last name is that of a player,
not *you*. Words match whatever their number and case. Commas and colons separate the items of
lists, and count for nothing elsewhere.

The grammar has no recursion, so that the depth of a sentence is that of the table; the parser
remembers what it found at each word, so that its time is bounded by the length of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from kibitz.errors import Place
from kibitz.rulebook.model import YOU

_WORDS = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {word: number for number, word in enumerate(_WORDS)}
NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
NUMBERS |= {
    f"{ten}-{word}": 10 * number + one
    for number, ten in enumerate(_TENS, start=2)
    for one, word in enumerate(_WORDS[1:10], start=1)
}
_IRREGULAR = {
    "men": "man",
    "wolves": "wolf",
    "knives": "knife",
    "mice": "mouse",
    "geese": "goose",
    "dominoes": "domino",
}
_STEMS = {"an": "a", "are": "is", "have": "has", "does": "do", "your": "your", "yours": "yours"}
_KEPT = frozenset({"is", "has", "this", "its", "as", "was", "us", "yours", "pass", "across"})
_SAME = {
    "cell": frozenset(
        {"square", "point", "field", "space", "hole", "spot", "pit", "hexagon", "hex", "node"}
    ),
    "pile": frozenset({"heap"}),
    "counter": frozenset(
        {"stone", "match", "coin", "token", "matchstick", "stick", "bead", "chip", "pebble", "bean"}
    ),
    "cannot": frozenset({"can't"}),
}
"""Words that are read as another one, where a pattern has that one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text, its place, and whether a comma or the like comes before it."""

    text: str
    place: Place
    is_apart: bool = False

    @property
    def stem(self) -> str:
        """The word without its number and case."""
        return stem_of(self.text)


def singular_of(word: str) -> str:
    """Return the singular of a noun in small letters.

    >>> [singular_of(word) for word in ("Foxes", "pieces", "men", "cross", "ponies")]
    ['fox', 'piece', 'man', 'cross', 'pony']
    """
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if re.search(r"(ss|x|ch|sh)es$", low):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith("ss") and len(low) > 2 else low


def plural_of(noun: str) -> str:
    """Return the plural of a noun.

    >>> [plural_of(word) for word in ("fox", "piece", "man", "pony")]
    ['foxes', 'pieces', 'men', 'ponies']
    """
    irregular = {one: many for many, one in _IRREGULAR.items()}
    if noun in irregular:
        return irregular[noun]
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def stem_of(word: str) -> str:
    """Return what is compared of a word.

    >>> stem_of("Columns") == stem_of("column"), stem_of("are") == stem_of("is")
    (True, True)
    """
    low = word.lower()
    return _STEMS.get(low) or (low if low in _KEPT else singular_of(low))


def number_of(word: str) -> int | None:
    """Return the number that a word or its digits stand for.

    >>> number_of("three"), number_of("12"), number_of("many")
    (3, 12, None)
    """
    if word.isascii() and word.isdecimal() and len(word) <= 6:
        return int(word)
    return NUMBERS.get(word.lower())


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    field: str
    symbol: str
    joiner: str


@dataclass(frozen=True, slots=True)
class _Optional:
    items: tuple[Any, ...]


_ITEM = re.compile(r"\{(\w+):(\w+)([+/&*]?)\}([,:;]?)|\[([^]]*)\]|(\S+)")
_JOINERS = {"+": ("and",), "/": ("or",), "&": ("and", "or", "but"), "*": ()}


def _items(template: str) -> tuple[Any, ...]:
    found: list[Any] = []
    for match in _ITEM.finditer(template):
        slot, symbol, joiner, comma, inner, word = match.groups()
        if slot:
            found.append(_Slot(slot, symbol, joiner))
            if comma:
                found.append(_Word(comma, ()))
        elif inner is not None:
            found.append(_Optional(_items(inner)))
        else:
            bare = word.rstrip(",:;^")
            found.append(_Word(word, tuple(stem_of(one) for one in bare.split("|"))))
    return tuple(found)


@dataclass(frozen=True)
class Pattern:
    """One way to make a value: the class or word, what is fixed, and its spellings.

    The first spelling is the one that is written. A further spelling may fix fields of its own.
    """

    symbol: str
    template: str
    make: Any
    fixed: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str | tuple[str, Mapping[str, Any]], ...] = ()

    def spellings(self) -> Iterator[tuple[tuple[Any, ...], Mapping[str, Any]]]:
        """Yield the items of each spelling, and the fields that it fixes."""
        yield _items(self.template), self.fixed
        for other in self.also:
            if isinstance(other, str):
                yield _items(other), self.fixed
            else:
                yield _items(other[0]), {**self.fixed, **other[1]}

    def fits(self, value: Any) -> bool:
        """Return whether this pattern writes a value."""
        if not is_dataclass(self.make):
            return bool(value == self.make)
        if type(value) is not self.make:
            return False
        if any(getattr(value, name) != fixed for name, fixed in self.fixed.items()):
            return False
        slots = {item.field: item.symbol for item in _items(self.template) if type(item) is _Slot}
        known = {one.name for one in fields(self.make)}
        return all(
            (getattr(value, name) is None) == (name not in slots and name not in self.fixed)
            for name in known
            if name not in self.fixed
        )


Builtin = tuple[
    Callable[[list[Token], int], Iterable[tuple[int, Any]]], Callable[[Any], str], str, Any
]
"""How a symbol without patterns is read and written, what it is called, and an example."""

_Found = list[tuple[int, Any]]


class NotSaid(Exception):  # noqa: N818 - never leaves the readers
    """What some words would say is nothing that can be said; raised by what a pattern makes."""


MAX_WORK = 100_000
"""Words and slots that are tried for a sentence; sentences that people write take a fraction."""


@dataclass(slots=True)
class Work:
    """How much may still be tried for the sentences of one text."""

    left: int = 10 * MAX_WORK


class _TooMuchWork(Exception):  # noqa: N818 - never leaves the parser
    """There are too many ways to read a sentence."""


class Grammar:
    """Patterns by the symbol that they make; parses tokens, writes values."""

    def __init__(self, patterns: Iterable[Pattern], builtins: Mapping[str, Builtin]) -> None:
        self.patterns = tuple(patterns)
        self.builtins = builtins
        self._by_symbol: dict[str, list[Pattern]] = {}
        for pattern in self.patterns:
            self._by_symbol.setdefault(pattern.symbol, []).append(pattern)
        self._spelled = {
            symbol: [(one, *spelling) for one in patterns for spelling in one.spellings()]
            for symbol, patterns in self._by_symbol.items()
        }

    def of(self, symbol: str) -> list[Pattern]:
        """Return the patterns of a symbol."""
        return self._by_symbol.get(symbol, [])

    def parse(
        self, tokens: list[Token], symbol: str = "sentence", *, work: Work | None = None
    ) -> tuple[Any, int, list[str]]:
        """Return the value of a whole sentence, or None, how far it was understood, and what
        was expected there; `work` bounds all parses that share it."""
        run = _Parse(self, tokens, work or Work())
        found: list[Any] = []
        with suppress(_TooMuchWork):
            found = [value for end, value in run.symbol(symbol, 0) if end == len(tokens)]
        if found:
            return found[0], len(tokens), []
        expected = sorted(run.expected) if run.furthest < len(tokens) or run.expected else []
        return None, run.furthest, expected

    def write(self, value: Any, symbol: str = "sentence") -> str:
        """Write a value in the words of the first pattern that makes it."""
        return _polished(_Writing(self).symbol(value, symbol))

    def sentence(self, value: Any) -> str:
        """Write a value as a sentence, with a capital and a full stop."""
        return _finished(self.write(value))

    def examples(self, pattern: Pattern) -> list[str]:
        """Write a pattern with examples in its slots: one text for each kind of move and end.

        These are phrases for a pattern that is no sentence.
        """
        items = _items(pattern.template)
        widest = [i.symbol for i in items if type(i) is _Slot and len(self.of(i.symbol)) > 8]
        inner = self.of(widest[0]) if widest else [None]
        texts = [_Writing(self, {one.symbol: one} if one else {}).example(items) for one in inner]
        return [_finished(t) if pattern.symbol == "sentence" else _polished(t) for t in texts]

    def spellings(self, pattern: Pattern) -> list[str]:
        """Write all spellings of a pattern with examples in their slots."""
        return [_polished(_Writing(self).example(items)) for items, _ in pattern.spellings()]


class _Parse:
    def __init__(self, grammar: Grammar, tokens: list[Token], shared: Work) -> None:
        self.grammar, self.tokens, self.shared = grammar, tokens, shared
        self.memo: dict[tuple[str, int], _Found] = {}
        self.furthest, self.expected = 0, set[str]()
        self.work = 0

    def did(self, work: int = 1) -> None:
        self.work += work
        self.shared.left -= work
        if self.work > MAX_WORK or self.shared.left < 0:
            raise _TooMuchWork

    def missed(self, position: int, expected: str) -> None:
        if position > self.furthest:
            self.furthest, self.expected = position, set()
        if position == self.furthest:
            self.expected.add(expected)

    def symbol(self, symbol: str, start: int) -> _Found:
        key = symbol, start
        if key not in self.memo:
            self.memo[key] = list(self._symbol(symbol, start))
        return self.memo[key]

    def _symbol(self, symbol: str, start: int) -> Iterator[tuple[int, Any]]:
        if symbol in self.grammar.builtins:
            read, _, label, _ = self.grammar.builtins[symbol]
            found = list(read(self.tokens, start))
            if not found:
                self.missed(start, label)
            yield from found
            return
        seen: set[tuple[int, Any]] = set()
        for pattern, items, fixed in self.grammar._spelled[symbol]:
            for end, slots in self.items(items, 0, start):
                try:
                    value = _made(pattern.make, {**fixed, **slots})
                except NotSaid:
                    continue
                if (end, value) not in seen:
                    seen.add((end, value))
                    yield end, value

    def items(
        self, items: tuple[Any, ...], index: int, start: int
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        self.did()
        if index == len(items):
            yield start, {}
            return
        item = items[index]
        if isinstance(item, _Word):
            if not item.stems:
                yield from self.items(items, index + 1, start)
            elif start < len(self.tokens) and _matches(item.stems, self.tokens[start].stem):
                yield from self.items(items, index + 1, start + 1)
            else:
                self.missed(start, f"'{item.text.rstrip(',:;^')}'")
        elif isinstance(item, _Optional):
            for end, slots in self.items(item.items, 0, start):
                for last, more in self.items(items, index + 1, end):
                    yield last, {**slots, **more}
            yield from self.items(items, index + 1, start)
        else:
            found = (
                self.several(item.symbol, item.joiner, start)
                if item.joiner
                else self.symbol(item.symbol, start)
            )
            for end, value in found:
                for last, more in self.items(items, index + 1, end):
                    yield last, {item.field: value, **more}

    def several(self, symbol: str, joiner: str, start: int) -> _Found:
        """Return all lists that begin at a word, the longest first."""
        key = symbol + joiner, start
        if key in self.memo:
            return self.memo[key]
        words = _JOINERS[joiner]
        levels: list[list[tuple[int, tuple[Any, ...]]]] = [] if words else [[(start, ())]]
        level: list[tuple[int, tuple[Any, ...]]] = [
            (end, (value,)) for end, value in self.symbol(symbol, start)
        ]
        while level and len(levels) < 150 and len(level) < 500:
            levels.append(level)
            after: dict[tuple[int, tuple[Any, ...]], None] = {}
            for end, values in level:
                if end == len(self.tokens):
                    continue
                if self.tokens[end].stem in words:
                    end += 1
                elif words and not self.tokens[end].is_apart:
                    self.missed(end, f"'{words[0]}'")
                    continue
                for last, value in self.symbol(symbol, end) if end < len(self.tokens) else ():
                    self.did(len(values))
                    after[last, (*values, value)] = None
            level = list(after)
        # Of lists with words between the longest is meant, of others that of the longest phrases.
        self.memo[key] = [one for level in levels[:: -1 if words else 1] for one in level]
        return self.memo[key]


def _matches(wanted: tuple[str, ...], seen: str) -> bool:
    return seen in wanted or any(seen in _SAME.get(one, ()) for one in wanted)


def _made(make: Any, slots: dict[str, Any]) -> Any:
    slots.pop("_", None)
    if not isinstance(make, type):
        return make(**slots) if callable(make) else make
    for one in fields(make):
        slots.setdefault(one.name, None)
    return make(**slots)


@dataclass
class _Writing:
    grammar: Grammar
    preferred: Mapping[str, Pattern] = field(default_factory=dict)
    is_third: bool = False

    def symbol(self, value: Any, symbol: str) -> str:
        if symbol in self.grammar.builtins:
            if symbol in ("who", "owner", "player"):
                self.is_third = value != YOU
            return self.grammar.builtins[symbol][1](value)
        for pattern in self.grammar.of(symbol):
            if pattern.fits(value):
                return self.items(_items(pattern.template), value)
        raise ValueError(f"no pattern of {symbol} writes {value!r}")

    def items(self, items: tuple[Any, ...], value: Any) -> str:
        words: list[str] = []
        is_one = False
        for item, after in zip(items, (*items[1:], None), strict=True):
            if isinstance(item, _Word):
                word = self.word(item)
                if isinstance(after, _Slot) and after.joiner:
                    word = _agreeing(word, len(getattr(value, after.field)))
                words.append(singular_of(word) if is_one and word.endswith("s") else word)
                is_one = False
            elif isinstance(item, _Slot):
                held = getattr(value, item.field)
                if is_one and item.symbol == "kinds":
                    words.append(str(held))
                else:
                    words.append(self.slot(item, held if item.joiner else (held,)))
                is_one = held == 1 and item.symbol in ("number", "size")
        return _joined(words)

    def slot(self, item: _Slot, values: tuple[Any, ...]) -> str:
        texts = [self.symbol(value, item.symbol) for value in values]
        last = " or " if item.joiner == "/" else " and "
        # Phrases that have an "or" or a comma of their own are separated by a comma as well.
        if any(" or " in text or "," in text for text in texts):
            last = "," + last
        return last.join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)

    def example(self, items: tuple[Any, ...]) -> str:
        words: list[str] = []
        for item in items:
            if isinstance(item, _Word):
                words.append(self.word(item))
            elif isinstance(item, _Slot):
                words.append(self.example_of(item))
        return _joined(words)

    def example_of(self, item: _Slot) -> str:
        if item.symbol in self.grammar.builtins:
            example = self.grammar.builtins[item.symbol][3]
            example = _EXAMPLES.get(item.field, example)
            values = example if isinstance(example, tuple) else (example,)
            return self.slot(item, values if item.joiner else values[:1])
        pattern = self.preferred.get(item.symbol) or self.grammar.of(item.symbol)[0]
        return self.example(_items(pattern.template))

    def word(self, item: _Word) -> str:
        if "^" not in item.text:
            return ARTICLE if item.text == "a" else item.text
        bare = item.text.replace("^", "")
        if not self.is_third:
            return bare
        return {"have": "has", "are": "is"}.get(bare, bare + "s")


_EXAMPLES = {"least": 1, "point": "d4"}
"""Examples for fields that stand beside another one of their kind."""


def _joined(words: list[str]) -> str:
    text = " ".join(word for word in words if word)
    return re.sub(r" ('s\b|[,:;])", r"\1", text)


ARTICLE = "a\0"
"""Stands for *a* or *an* until the next word is known."""


def _agreeing(word: str, count: int) -> str:
    """Give a word before a list the number of the list."""
    if word in ("row", "column") and count > 1:
        return plural_of(word)
    return "player:" if word == "players:" and count == 1 else word


def _polished(text: str) -> str:
    text = re.sub(f"{ARTICLE} (?=[aeiou])", "an ", text).replace(ARTICLE, "a")
    text = re.sub(r"\bPlayer(?=\d)", "Player ", text)
    text = re.sub(r"^the cells (\S+) are not part", r"the cell \1 is not part", text)
    return re.sub(r"^there are piles of (\d+) counters", r"there is a pile of \1 counters", text)


def _finished(text: str) -> str:
    text = _polished(text)
    return f"{text[:1].upper()}{text[1:]}."


RESERVED = frozenset(
    re.findall(
        r"\w+",
        """a an the and or of on in to is are be has have not no it its by with from that which
        where you your yours opponent opponents player players turn turns move moves win wins lose
        loses draw if whoever each every all any both one two three game board cell cells square
        squares empty next row column line begins begin at same time own other either pass
        nobody everyone anyone someone they least most exactly twice half than""",
    )
)
"""Words that name no piece and no player."""
