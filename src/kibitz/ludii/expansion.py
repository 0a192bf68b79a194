"""Expand a .lud text: its options, definitions and ranges."""

from __future__ import annotations

import itertools
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kibitz.errors import Diagnostic, InputError, Place, RuleSheetError, Source
from kibitz.ludii.tokens import MAX_DEPTH, Ludeme, Token, matching, tokens_of, tree_of
from kibitz.reading import read_bytes, read_text

_MAX_FILES = 5_000
_MAX_BYTES = 200_000

Definition = tuple[Token, ...]
"""What stands for a name: its tokens, in which #1 is the first argument."""


@dataclass(frozen=True)
class Library:
    """Definitions that sheets call by name without defining them."""

    definitions: Mapping[str, Definition] = field(default_factory=dict)

    @staticmethod
    def find(place: str | Path | None = None) -> Library:
        """Read the definitions in a folder or jar.

        Else those in what KIBITZ_LUDII names, else in what is remembered, else none.

        >>> Library.find("no/such/folder")
        Traceback (most recent call last):
        kibitz.errors.InputError: no/such/folder holds no definitions of Ludii
          hint: name the folder that def is in, or Ludii's jar
        """
        named = place or os.environ.get("KIBITZ_LUDII") or remembered()
        return Library() if not named else _read(Path(named).resolve(), str(named))


def _setting() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "kibitz" / "ludii"


def remembered() -> str | None:
    """Return the place of Ludii's definitions that was remembered, if there is one."""
    try:
        return read_text(_setting()).strip() or None
    except InputError:
        return None


def remember(place: str) -> int:
    """Remember a place, if it holds definitions, and return how many; forget it if it is empty."""
    setting = _setting()
    try:
        if not place:
            setting.unlink(missing_ok=True)
            return 0
        count = len(Library.find(place).definitions)
        setting.parent.mkdir(parents=True, exist_ok=True)
        setting.write_text(f"{Path(place).resolve()}\n", "utf-8")
    except OSError as error:
        raise InputError(f"cannot write {setting}: {error.strerror}") from None
    return count


_LAYOUTS = ("def", "res/def", "Common/res/def")
"""Where definitions are in a folder: of their own, in Ludii's resources, in its sources."""


@cache
def _read(place: Path, shown: str) -> Library:
    found: dict[str, Definition] = {}
    texts = _from_jar(place) if place.is_file() else _from_folder(place)
    for name, text in itertools.islice(texts, _MAX_FILES):
        with suppress(RuleSheetError):  # what is missing is reported where it is called
            found |= definitions_in(tokens_of(text, name=name)[1])[0]
    if not found:
        raise InputError(
            f"{shown} holds no definitions of Ludii",
            hint="name the folder that def is in, or Ludii's jar",
        )
    return Library(found)


def _from_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give the definition files in a folder, in the order of their names."""
    roots = [folder] if folder.name == "def" else [folder / layout for layout in _LAYOUTS]
    for root in roots:
        for path in sorted(root.rglob("*.def")):
            with suppress(InputError):
                yield str(path), read_bytes(path, most=_MAX_BYTES)


def _from_jar(jar: Path) -> Iterator[tuple[str, bytes]]:
    """Give the definition files in a jar, none if it is no jar."""
    try:
        with zipfile.ZipFile(jar) as archive:
            for info in sorted(archive.infolist(), key=lambda one: one.filename):
                parts = info.filename.split("/")
                if parts[-1].endswith(".def") and "def" in parts and info.file_size <= _MAX_BYTES:
                    with archive.open(info) as file:
                        yield info.filename, file.read(_MAX_BYTES)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error):
        return


def definitions_in(tokens: list[Token]) -> tuple[dict[str, Definition], list[Token]]:
    """Split tokens into the definitions among them, and the rest.

    >>> tokens = tokens_of('(define "Two" (a #1)) ("Two" 5)', name="x.lud")[1]
    >>> found, rest = definitions_in(tokens)
    >>> [token.text for token in found["Two"]], [token.text for token in rest]
    (['(', 'a', '#1', ')'], ['(', '"Two"', '5', ')'])
    """
    found: dict[str, Definition] = {}
    rest: list[Token] = []
    index = 0
    while index < len(tokens):
        if (
            tokens[index].text == "("
            and index + 2 < len(tokens)
            and tokens[index + 1].text == "define"
            and tokens[index + 2].kind == "text"
        ):
            end = matching(tokens, index)
            found[tokens[index + 2].text[1:-1]] = tuple(tokens[index + 3 : end - 1])
            index = end
        else:
            rest.append(tokens[index])
            index += 1
    return found, rest


_MAX_TOKENS = 500_000


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    values: tuple[tuple[Token, ...], ...]
    stars: int


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a sheet leaves open: what it is called, its tag, and what can be chosen."""

    name: str
    tag: str
    arguments: tuple[str, ...]
    items: tuple[_Item, ...]
    place: Place

    @property
    def choices(self) -> tuple[str, ...]:
        """Arguments of `--option` that choose its items."""
        return tuple(f"{self.name}/{item.name}" for item in self.items)


def choose(source: Source, tokens: Sequence[Token], chosen: Iterable[str]) -> list[Token]:
    """Fill in what is chosen, by names such as "Board/3x3", and what the sheet prefers elsewhere.

    >>> from kibitz.ludii.tokens import tokens_of
    >>> text = '(game <N>) (option "Size" <N> args:{<n>} {(item "a" <1> "") (item "b" <2> "")*})'
    >>> source, tokens = tokens_of(text, name="x.lud")
    >>> [token.text for token in choose(source, tokens, ["Size/a"])]
    ['(', 'game', '1', ')']
    """
    options: list[Option] = []
    rulesets: dict[str, tuple[str, ...]] = {}
    rest: list[Token] = []
    index = 0
    while index < len(tokens):
        first = _first_word(tokens, index)
        if first == "option":
            end = matching(tokens, index)
            options.append(_option(tokens[index:end]))
            index = end
        elif first == "rulesets":
            end = matching(tokens, index)
            rulesets |= _rulesets(tokens[index:end])
            index = end
        elif first == "metadata":
            index = matching(tokens, index)
        else:
            rest.append(tokens[index])
            index += 1
    for option, item in zip(options, _picked(source, options, rulesets, chosen), strict=True):
        if item:
            rest = _filled(source, rest, option, item)
    return rest


def _first_word(tokens: Sequence[Token], index: int) -> str:
    """Return the name of the ludeme that an opening bracket at an index starts."""
    opens = tokens[index].text == "(" and index + 2 < len(tokens)
    return tokens[index + 1].text if opens else ""


def _option(tokens: Sequence[Token]) -> Option:
    """Read `(option "Name" <Tag> args:{<a> <b>} {(item "x" <…> <…> "…")* …})`."""
    index, tag, arguments = 3, "", list[str]()
    items: list[_Item] = []
    while index < len(tokens) - 1:
        token, end = tokens[index], matching(tokens, index)
        if token.text == "<" and end == index + 3:
            tag = tokens[index + 1].text
        elif token.kind == "label":
            arguments = [t.text for t in tokens[index:end] if t.kind == "word"]
        elif token.text == "{":
            items = _items(tokens[index + 1 : end - 1])
        index = end
    name = tokens[2].text[1:-1]
    return Option(name, tag, tuple(arguments), tuple(items), tokens[0].place)


def _items(tokens: Sequence[Token]) -> list[_Item]:
    found: list[_Item] = []
    index = 0
    while index < len(tokens):
        end = matching(tokens, index)
        if tokens[index].text != "(":
            if found and set(tokens[index].text) == {"*"}:
                last = found.pop()
                found.append(_Item(last.name, last.values, len(tokens[index].text)))
            index = end
            continue
        values: list[tuple[Token, ...]] = []
        name, inner = "", index + 1
        while inner < end - 1:
            stop = matching(tokens, inner)
            if tokens[inner].text == "<":
                values.append(tuple(tokens[inner + 1 : stop - 1]))
            elif tokens[inner].kind == "text" and not name:
                name = tokens[inner].text[1:-1]
            inner = stop
        found.append(_Item(name, tuple(values), 0))
        index = end
    return found


def _rulesets(tokens: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """Read `(rulesets {(ruleset "Ruleset/A" {"Board/3x3" …}) …})`."""
    found: dict[str, tuple[str, ...]] = {}
    for index in range(len(tokens) - 2):
        if [t.text for t in tokens[index : index + 2]] == ["(", "ruleset"]:
            texts = [
                token.text[1:-1]
                for token in tokens[index : matching(tokens, index)]
                if token.kind == "text"
            ]
            if texts:
                found[texts[0]] = tuple(texts[1:])
    return found


def _picked(
    source: Source,
    options: Sequence[Option],
    rulesets: dict[str, tuple[str, ...]],
    chosen: Iterable[str],
) -> list[_Item | None]:
    wanted = [one for name in chosen for one in rulesets.get(name, (name,))]
    known = [choice for option in options for choice in option.choices]
    for name in wanted:
        if name not in known:
            listed = ", ".join([*known, *rulesets][:40])
            raise RuleSheetError(
                source,
                [
                    Diagnostic.error(
                        "LUD005",
                        f'no option "{name}"',
                        Place(0, 0),
                        f"options: {listed}" if listed else "this sheet has no options",
                    )
                ],
            )
    picked: list[_Item | None] = []
    for option in options:
        by_name = [
            i for i, name in zip(option.items, option.choices, strict=True) if name in wanted
        ]
        preferred = sorted(option.items, key=lambda item: -item.stars)
        picked.append(next(iter(by_name or preferred), None))
    return picked


def _filled(source: Source, tokens: list[Token], option: Option, item: _Item) -> list[Token]:
    """Replace `<Tag>` and `<Tag:argument>`, also in what was put in."""
    values = dict(zip(option.arguments, item.values, strict=False))
    done: list[Token] = []
    left = tokens[::-1]
    while left:
        token = left.pop()
        if token.text == "<" and token.kind == "open":
            value, used = _value(left, option, item, values)
            if value is not None:
                del left[-used:]
                left.extend(reversed(value))
                if len(left) + len(done) > _MAX_TOKENS:
                    message = "the option grows without end"
                    raise RuleSheetError(
                        source, [Diagnostic.error("LUD005", message, option.place)]
                    )
                continue
        done.append(token)
    return done


def _value(
    left: list[Token], option: Option, item: _Item, values: dict[str, tuple[Token, ...]]
) -> tuple[tuple[Token, ...] | None, int]:
    """Return what a tag stands for whose tokens come next, last first, and how many they are."""
    if len(left) >= 2 and left[-1].text == option.tag and left[-2].text == ">":
        return (item.values[0] if item.values else ()), 2
    if len(left) >= 3 and left[-1].text == option.tag and left[-3].text == ">":
        return values.get(left[-2].text), 3
    return None, 0


_MAX_EXPANDED = 300_000
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
        if (
            work > _MAX_WORK
            or characters > _MAX_CHARACTERS
            or len(left) + len(done) > _MAX_EXPANDED
        ):
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
