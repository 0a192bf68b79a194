"""Phrases within a sentence in, what they say out: pieces, directions, distances, cells, counts.

Each is a regular expression over the stems of words; commas count for nothing. What a phrase says
is found in the words that matched, so no word of it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NUMBERS, RESERVED, Builtin, Token, number_of, stem_of
from kibitz.rulebook.model import OPPONENT, YOU, Whose
from kibitz.rulebook.prose.tables import word_set

_LONGEST = 22
"""Words of a phrase."""

NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_NUMBER = NUMBER
_NO_NOUN = "|".join(sorted(RESERVED | {"enemy", "friendly", "if"}))
_NOUN = rf"(?!(?:{_NO_NOUN}) )[a-z][a-z-]*"
_FOE = (
    rf"(?:(?:a |the |any |one of the )?enemy(?: {_NOUN})?"
    rf"|(?:one of |any of )?your opponent 's {_NOUN}"
    rf"|(?:a|the|any) {_NOUN} of your opponent)"
)
_OWN = (
    rf"(?:(?:a|any|one) (?:of )?)?(?:your|your own|friendly|own)(?: own)? {_NOUN}"
    rf"|a {_NOUN} of yours"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Pieces of a kind; whose they are, if that is said, and how many: all, or who knows."""

    kind: str
    owner: str | None = None
    count: int | None = None
    is_all: bool = False
    is_many: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """Directions, each by its word."""

    words: tuple[str, ...]
    is_more: bool = False
    """Whether it begins with *or*, after other directions."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How many steps, at least and at most; 0 for any number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Target:
    """A cell to go to or to place something on: what it holds, and where it is."""

    holds: str | None = None
    way: tuple[str, ...] = ()
    near: m.Near | None = None
    is_behind: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """From how few to how many counters; 0 for all."""

    least: int
    most: int


_DIRECTIONS = (
    (r"diagonally (?:forward|ahead)|(?:forward|ahead) diagonally", "diagonally forward"),
    (r"diagonally back(?:ward)?|back(?:ward)? diagonally", "diagonally backward"),
    (
        r"(?:straight )?(?:forward|ahead|onward)"
        r"|toward (?:your opponent(?: 's side)?|the far side)",
        "forward",
    ),
    (r"(?:straight )?back(?:ward)?", "backward"),
    (r"sideway|to (?:the|either) side", "sideways"),
    (r"(?:to the )?left", "left"),
    (r"(?:to the )?right", "right"),
    (r"up(?:ward)?", "up"),
    (r"down(?:ward)?", "down"),
    (r"straight|orthogonally|along (?:a|the) row or (?:a |the )?column", "straight"),
    (r"horizontally|horizontal|across", "horizontal"),
    (r"vertically|vertical", "vertical"),
    (r"diagonally|diagonal|along (?:a|the) diagonal", "diagonally"),
    (
        r"in (?:any|every|all|one) (?:of the )?(?:four |4 )(?:main |compass |straight )?direction",
        "straight",
    ),
    (
        r"in (?:any|every|all) (?:of the )?(?:eight |8 )?direction|any direction"
        r"|along (?:a|the) row column or diagonal",
        "any",
    ),
    (
        r"(?:and )?(?:including|include|even|also) (?:the )?diagonal(?:ly)?"
        r"|(?:the )?diagonal (?:included|include|allowed|too)",
        "any",
    ),
    (r"(?:but )?(?:not|never|no)(?: the)? diagonal(?:ly)?", "straight"),
    (r"clockwise", "clockwise"),
    (r"anticlockwise|counterclockwise", "anticlockwise"),
    (r"along (?:a|the) line", "along a line"),
)
_ANY_WAY = "|".join(one for one, _ in _DIRECTIONS)
_WAY = re.compile(rf"(?:(?:either |and |or |but |in a )?(?:{_ANY_WAY})(?: only)? )+")

_EMPTY_IF = (
    r"(?:but |and )?(?:only )?(?:if|where|which|that) "
    r"(?:it |that cell |the cell |this cell |the target cell )?"
    r"(?:is|be|must be) empty(?: and has not been removed)?"
)
_RELATIVE = (
    r"(?:next|adjacent) to it|beside it|around it",
    rf"(?:just |immediately )?(?:behind|beyond)(?: (?:it|that {_NOUN}|them))?",
    r"in front(?: of it)?|ahead(?: of it)?",
    _EMPTY_IF,
    r"(?:(?:that|which) is )?empty or (?:(?:is )?occupied by|hold|contain|has|with) "
    rf"{_FOE}(?: on it)?",
    rf"(?:(?:that|which) is )?(?:occupied by|hold|contain|with) {_FOE}(?: on it)?",
    r"(?:(?:that|which) (?:is )?)?(?:not (?:occupied by|hold|contain)"
    rf"|cannot (?:hold|contain|has)|without) (?:{_OWN})",
    rf"or (?:onto|on|one with|one hold|capture|to capture) {_FOE}(?: to capture it)?",
)
_TO = re.compile(
    r"(?:to|onto|on|into|in|at) "
    r"(?:(?:a|the|any|one|another|some|your|this|that)(?: of the)?(?: other)? )?"
    r"(?:empty |adjacent |orthogonally |diagonally |horizontally |vertically |or |any |"
    r"next (?!empty)|(?:four |eight |4 |8 )|straight |lowest )*"
    rf"cell (?:(?:{'|'.join(_RELATIVE)}) )*"
)
_ONTO = re.compile(rf"(?:to|onto|on) (?:{_FOE}|its cell|it|them)(?: to capture it)? ")


def leaves(names: tuple[str, ...]) -> dict[str, Builtin]:
    """Return how phrases are read in a text with these players."""
    return {
        "way": leaf("a direction", _way),
        "distance": leaf("a distance", _distance),
        "to": leaf("a cell", _to),
        "amount": leaf("a number", _amount),
        "any": _piece_leaf(names),
        "foe": leaf("a piece of your opponent", lambda text: _foe(text, names)),
        "foes": leaf("all pieces of your opponent", lambda text: _foes(text, names)),
        "titled": (_titled, str, "a name", ""),
        "count": leaf("a number", _count),
        "name": leaf("the name of a player", lambda text: _name(text, names)),
    }


def leaf(label: str, read: Callable[[str], Any]) -> Builtin:
    """Return how a phrase is read, from what says whether some stems are one, and which."""

    def found(tokens: list[Token], start: int) -> Iterator[tuple[int, Any]]:
        text = ""
        for end in range(start, min(start + _LONGEST, len(tokens))):
            text += f"{tokens[end].stem} "
            value = read(text)
            if value is not None:
                yield end + 1, value

    return found, str, label, ""


def _piece_leaf(names: tuple[str, ...]) -> Builtin:
    """Return how pieces are read; *the king* is one, *the kings* are some."""
    found, write, label, example = leaf("a piece", lambda text: _piece(text, names))

    def counted(tokens: list[Token], start: int) -> Iterator[tuple[int, Any]]:
        for end, piece in found(tokens, start):
            nouns = [token.text.lower() for token in tokens[start:end]]
            noun = next((one for one in reversed(nouns) if stem_of(one) == piece.kind), "")
            is_one = noun == piece.kind and noun not in _SAME_PLURAL
            is_one = is_one or (nouns[0] in ("a", "an") and len(nouns) > 1)
            if is_one and piece.count is None and tokens[start].stem not in _SEVERAL:
                piece = replace(piece, count=1)
            if tokens[start].stem == "both":
                piece = replace(piece, count=2)
            elif tokens[start].stem in _ALL:
                piece = replace(piece, is_all=True)
            elif noun != piece.kind and noun and nouns[0] not in ("one", "any", "a", "an"):
                piece = replace(piece, is_many=piece.count is None)
            yield end, piece

    return counted, write, label, example


_SEVERAL = word_set("each every any all both")
_ALL = word_set("each every all")
_SAME_PLURAL = word_set("sheep fish deer piece")


def _way(text: str) -> Way | None:
    if not _WAY.fullmatch(text):
        return None
    words: list[str] = []
    rest = text
    while rest and rest != "only ":
        rest = re.sub(r"^(?:either |and |or |but |in a |only )", "", rest)
        longest = max(
            (
                (match.end(), word)
                for pattern, word in _DIRECTIONS
                if (match := re.match(rf"(?:{pattern}) ", rest))
            ),
            default=(0, ""),
        )
        if not longest[0]:
            return None
        rest = rest[longest[0] :]
        words.append(longest[1])
    return Way(tuple(words), text.startswith(("or ", "and ")))


_FAR = re.compile(
    r"(?:any number of|as many|one or more) (?:empty )?(?:cell|step|place) "
    r"(?:as you (?:like|want|wish|please) )?"
    r"|any distance |as far as (?:you|it) (?:like|want|wish|please) "
)


def _distance(text: str) -> Distance | None:
    match = re.fullmatch(
        rf"(?:exactly )?(a|{_NUMBER}|one or two|1 or 2) (?:cell|step|place)"
        "(?: at a time| away| each time)? ",
        text,
    )
    if match:
        if " or " in match[1]:
            return Distance(1, 2)
        number = number_of(match[1]) or 1
        return Distance(number, number)
    return Distance(1, 0) if _FAR.fullmatch(text) else None


def _to(text: str) -> Target | None:
    if _ONTO.fullmatch(text):
        return Target("enemy")
    if not _TO.fullmatch(text):
        return None
    has_foe = re.search(r"enemy|opponent", text)
    is_free = re.search(r"\bempty\b", text)
    holds = (
        "either"
        if (has_foe and is_free) or re.search(r"without|not (?:occupied|hold|contain)|cannot", text)
        else "enemy"
        if has_foe
        else "empty"
        if is_free
        else None
    )
    near = re.search(r"\b(?:adjacent|next|beside|around)\b", text)
    way: tuple[str, ...] = ()
    if near:
        diagonal = re.search(r"\bdiagonally\b", text)
        straight = re.search(r"\b(?:orthogonally|horizontally|vertically)\b", text)
        is_any = re.search(r"\b(?:eight|8)\b", text) or (diagonal and straight)
        way = ("any",) if is_any else ("diagonally",) if diagonal else ("straight",)
    elif re.search(r"\b(?:in front|ahead)\b", text):
        way = ("forward",)
    is_behind = re.search(r"\b(?:behind|beyond)\b", text) is not None
    return Target(holds, way, None, is_behind)


_ANY_AMOUNT = re.compile(
    r"any (?:positive )?number(?: of)? |as many(?: \w+)? as you (?:like|want|wish|please) "
    r"|one or more |at least one "
)


def _amount(text: str) -> Amount | None:
    if _ANY_AMOUNT.fullmatch(text):
        return Amount(1, 0)
    up = re.fullmatch(rf"(?:up to|at most|no more than|a maximum of) ({_NUMBER}) ", text)
    if up:
        return Amount(1, number_of(up[1]) or 1)
    between = re.fullmatch(
        rf"(?=between |.* to )(?:between |from )?({_NUMBER}) (?:\w+ )?(?:and|to) ({_NUMBER}) ", text
    )
    if between:
        return Amount(number_of(between[1]) or 1, number_of(between[2]) or 1)
    listed = re.fullmatch(
        rf"(?:either |exactly )?({_NUMBER}(?: {_NUMBER})*)(?: or ({_NUMBER}))? ", text
    )
    if not listed:
        return None
    numbers = [number_of(word) or 0 for word in f"{listed[1]} {listed[2] or ''}".split()]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    return Amount(numbers[0], numbers[-1])


def _titled(tokens: list[Token], start: int) -> Iterator[tuple[int, Any]]:
    """Read the name of a game: some words with capitals, as *Fox and Hounds*."""
    for end in range(start + 1, min(start + 6, len(tokens)) + 1):
        word = tokens[end - 1].text
        if word[0].isupper() and stem_of(word) not in RESERVED:
            yield end, True
        elif word.lower() not in ("and", "of", "the", "in", "for", "with"):
            return


def _count(text: str) -> int | None:
    match = re.fullmatch(rf"(?:(?:a set of|all) )?({_NUMBER}) ", text)
    return number_of(match[1]) if match else None


NO_PIECE = word_set("""
    cell pile game draw turn move capture jump take place put win lose reach go step slide
    get has line start begin remove pass round direction board then cannot never may must
    will this that which who whoever it them him if when where while once at-start do did
    not so but also only first last second third play hold win lose is was be been same
    other others way player child opponent enemy nothing none choice option colour side edge
    row column
    """)
_PIECE = re.compile(
    r"(?:(?:a|the|any|one|each|every|your|all|both|all your|all the|one of your|one of the"
    r"|another|either|another of your|the same) )?"
    rf"(?:({_NUMBER}) )?(own |friendly |of your )?({_NOUN})((?: of yours| of your own)?) "
)


_ORDINALS = ("first", "second", "third")


def _name(text: str, names: tuple[str, ...]) -> str | None:
    counted = re.fullmatch(
        r"(?:the )?(?:(first|second|third) player|player (one|two|three|[123])) ", text
    )
    if counted and names:
        at = _ORDINALS.index(counted[1]) if counted[1] else (number_of(counted[2]) or 1) - 1
        return names[at] if at < len(names) else None
    match = re.fullmatch(r"(?:the |a )?(?:player )?([\w-]+)(?: player| 's player| 's side)? ", text)
    return _known(match[1], names) if match else None


def _known(word: str, names: tuple[str, ...]) -> str | None:
    """Return the player that a word names, whatever its number and case."""
    return next((name for name in names if stem_of(name) == stem_of(word)), None)


def _piece(text: str, names: tuple[str, ...]) -> Piece | None:
    owned = re.fullmatch(
        rf"(?:(?:a|the|all|each|every|one of the|one of) )?(?:({_NUMBER}) )?"
        rf"([\w-]+) (?:'s )?({_NOUN}) ",
        text,
    )
    if owned and owned[3] not in NO_PIECE and (name := _known(owned[2], names)):
        return Piece(owned[3], name, number_of(owned[1] or ""))
    several = re.fullmatch(rf"(?:the )?([\w-]+) 's ({_NUMBER}) ({_NOUN}) ", text)
    if several and several[3] not in NO_PIECE and (name := _known(several[1], names)):
        return Piece(several[3], name, number_of(several[2]))
    match = _PIECE.fullmatch(text)
    if match is None or match[3] in NO_PIECE or number_of(match[3]) is not None:
        return None
    if name := _known(match[3], names):
        return Piece("piece", name, number_of(match[1] or ""))
    mine = YOU if "your" in text or match[2] else None
    return Piece(match[3], mine, number_of(match[1] or ""))


def _foe(text: str, names: tuple[str, ...]) -> Whose | None:
    """Read one piece of the opponent, whichever it is; `_foes` reads all of them."""
    if text.startswith(("all ", "each ", "every ")):
        return None
    named = re.fullmatch(r"(?:(?:a|the|any|one of the) )?([\w-]+) ", text)
    if named and _known(named[1], names):
        return Whose(OPPONENT, "piece")
    if not re.fullmatch(rf"{_FOE} ", text):
        return None
    word = re.sub(r"\bof your opponent $", "", text).split()[-1]
    return Whose(OPPONENT, "piece" if word == "enemy" else word)


def _foes(text: str, names: tuple[str, ...]) -> Whose | None:
    """Read all that an opponent has of a kind: *the enemy king*, *all of Black's pieces*."""
    found = re.fullmatch(r"(?:all |every )?(?:of )?(the |all |your opponent 's )?(.*)", text)
    if found is None or not (found[1] or text.startswith(("all ", "every "))):
        return None
    return _foe(re.sub("^(?:all|every) (?:of )?", "", text), names)
