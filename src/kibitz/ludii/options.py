"""Tokens with options and rulesets in, tokens with the chosen ones filled in out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.errors import Diagnostic, Place, RuleSheetError, Source
from kibitz.ludii.tokens import Token, matching

__all__ = ["Option", "choose"]

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
        """What `--option` takes for it."""
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
