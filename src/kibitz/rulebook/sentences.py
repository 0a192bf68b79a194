"""The table of all sentences: how each part of a model is spelled.

The reader, the writer, the nearest sentence of an error and the reference in the documentation all
come from this table. Patterns are explained in `grammar.py`; the first spelling is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import (
    RESERVED,
    Builtin,
    Grammar,
    Pattern,
    Token,
    number_of,
    plural_of,
    singular_of,
)
from kibitz.rulebook.model import ANYONE, OPPONENT, YOU, Name
from kibitz.wording import number_word

__all__ = ["GRAMMAR", "SECTIONS"]

_Found = Iterable[tuple[int, Any]]


def _one(tokens: list[Token], start: int) -> Token | None:
    return tokens[start] if start < len(tokens) else None


def _number(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    value = None if token is None else number_of(token.text)
    return [] if value is None else [(start + 1, value)]


def _is_open(token: Token | None) -> bool:
    """Return whether a word can be the name of a piece, a player, a point or a choice."""
    if token is None or token.text.lower() in RESERVED or token.stem in RESERVED:
        return False
    return re.fullmatch(r"[^\W\d_][\w-]*", token.text) is not None


def _kind(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not _is_open(token) or number_of(token.text) is not None:
        return []
    return [(start + 1, Name.at(singular_of(token.text), token.place))]


def _player(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not _is_open(token):
        return []
    return [(start + 1, Name.at(_capital(token.text), token.place))]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _who(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is not None and token.text.lower() == "you":
        return [(start + 1, YOU)]
    return _player(tokens, start)


def _owner(tokens: list[Token], start: int) -> _Found:
    words = [token.text.lower() for token in tokens[start : start + 2]]
    if words in (["your", "opponent"], ["your", "opponents"], ["another", "player"]):
        return [(start + 2, OPPONENT)]
    return _who(tokens, start)


def _whose(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is not None and token.text.lower() == "your":
        return [(start + 1, YOU)]
    after = _one(tokens, start + 1)
    if after is not None and after.text == "'s":
        return [(end + 1, name) for end, name in _player(tokens, start)]
    return []


def _cell(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None:
        return []
    text = token.text.lower()
    if text != "a" and not text.isdecimal() and not _is_open(token):
        return []
    return [(start + 1, Name.at(text, token.place))]


def _letter(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not re.fullmatch(r"[A-Za-z]", token.text):
        return []
    return [(start + 1, Name.at(token.text.lower(), token.place))]


def _word(tokens: list[Token], start: int) -> _Found:
    token = _one(tokens, start)
    if token is None or not _is_open(token):
        return []
    return [(start + 1, Name.at(token.text.lower(), token.place))]


def _title(tokens: list[Token], start: int) -> _Found:
    text = re.sub(r" ('s\b)", r"\1", " ".join(token.text for token in tokens[start:]))
    return [(len(tokens), text)] if text else []


def _whose_text(who: str) -> str:
    return (f"{who}'" if who.endswith("s") else f"{who}'s") if who else "your"


def _owner_text(owner: str) -> str:
    return {YOU: "you", OPPONENT: "your opponent"}.get(owner, owner)


P = Pattern

_BUILTINS: dict[str, Builtin] = {
    "number": (_number, lambda n: number_word(n) if n else "0", "a number", 3),
    "size": (_number, str, "a number", 3),
    "kind": (_kind, str, "a kind of piece", "piece"),
    "kinds": (_kind, plural_of, "a kind of piece", "piece"),
    "player": (_player, str, "the name of a player", ("White", "Black")),
    "who": (_who, lambda who: who or "you", "'you' or the name of a player", YOU),
    "owner": (_owner, _owner_text, "'you', 'your opponent' or the name of a player", YOU),
    "whose": (
        _whose,
        _whose_text,
        "'your' or a player's name with 's",
        YOU,
    ),
    "cell": (_cell, str, "the name of a cell", ("a1", "b1", "c1")),
    "letter": (_letter, str, "the letter of a column", "a"),
    "word": (_word, str, "a word", ("rock", "paper", "scissors")),
    "title": (_title, str, "a name", "Three in a line"),
}

_REGIONS = (
    P(
        "region",
        "the last row",
        m.FarRow,
        also=(
            "your last row",
            "[the] last row",
            "the far row",
            "the farthest row",
            "the opposite row",
            "the far side",
            "the row farthest from you",
        ),
    ),
    P(
        "region",
        "the first row",
        m.HomeRow,
        also=("your first row", "your home row", "the home row"),
    ),
    P("region", "row {numbers:size+}", m.Rows, also=("the row {numbers:size+}",)),
    P("region", "column {letters:letter+}", m.Columns, also=("the column {letters:letter+}",)),
    P("region", "the edge", m.Edge, also=("a edge", "the edge of the board", "the border")),
    P(
        "region",
        "a corner",
        m.Corners,
        also=("the corners", "the four corners", "a corner of the board"),
    ),
    P("region", "every cell", m.Every, also=("all cells", "all the cells", "each cell")),
    P("region", "{names:cell+}", m.Cells, also=("cell {names:cell+}", "the cell {names:cell+}")),
)

_PIECES = (
    P(
        "piece",
        "a {kind:kind} of yours",
        m.Whose,
        {"owner": YOU},
        also=(
            "one of your {kind:kinds}",
            "your {kind:kind}",
            "your own {kind:kind}",
            "a {kind:kind} of your own",
            "a own {kind:kind}",
            "another {kind:kind} of yours",
        ),
    ),
    P(
        "piece",
        "a {kind:kind} of your opponent",
        m.Whose,
        {"owner": OPPONENT},
        also=(
            "a {kind:kind} of your opponent 's",
            "one of your opponent 's {kind:kinds}",
            "your opponent 's {kind:kind}",
            "a opponent 's {kind:kind}",
            "a enemy {kind:kind}",
            "a {kind:kind} of another player",
        ),
    ),
    P("piece", "a {kind:kind}", m.Whose, {"owner": ANYONE}, also=("any {kind:kind}",)),
    P(
        "near",
        "next to {piece:piece}",
        m.Near,
        {"is_near": True},
        also=("that is next to {piece:piece}", "adjacent to {piece:piece}", "beside {piece:piece}"),
    ),
    P(
        "near",
        "that is not next to {piece:piece}",
        m.Near,
        {"is_near": False},
        also=(
            "not next to {piece:piece}",
            "not adjacent to {piece:piece}",
            "that is not adjacent to {piece:piece}",
        ),
    ),
    P("empty", "a empty cell", m.Empty, also=("any empty cell", "a free cell")),
    P(
        "empty",
        "a empty cell on {region:region}",
        m.Empty,
        also=("a empty cell in {region:region}",),
    ),
    P("empty", "a empty cell {near:near}", m.Empty, also=("any empty cell {near:near}",)),
    P(
        "empty",
        "a empty cell on {region:region} {near:near}",
        m.Empty,
        also=("a empty cell in {region:region} {near:near}",),
    ),
)

_DIRECTIONS = (
    P("direction", "diagonally forward", "diagonally forward", also=("forward diagonally",)),
    P("direction", "diagonally backward", "diagonally backward", also=("backward diagonally",)),
    P("direction", "forward", "forward", also=("straight forward", "ahead", "straight ahead")),
    P("direction", "backward", "backward", also=("straight backward", "back")),
    P("direction", "sideways", "sideways", also=("sideway", "to the side")),
    P(
        "direction",
        "straight",
        "straight",
        also=("orthogonally", "horizontally or vertically", "vertically or horizontally"),
    ),
    P("direction", "diagonally", "diagonally"),
    P("direction", "in any direction", "in any direction", also=("in every direction",)),
    P("direction", "up", "up", also=("upward",)),
    P("direction", "down", "down", also=("downward",)),
    P("direction", "left", "left", also=("to the left",)),
    P("direction", "right", "right", also=("to the right",)),
    P("direction", "along a line", "along a line", also=("along the lines",)),
    P("direction", "clockwise", "clockwise"),
    P("direction", "anticlockwise", "anticlockwise", also=("counterclockwise",)),
    P("target", "to a empty cell", "empty", also=("onto a empty cell",)),
    P(
        "target",
        "to a empty cell or onto a piece of your opponent to capture it",
        "either",
        also=(
            "to a cell without a piece of yours",
            "to a empty cell or to capture",
            "to a empty cell or to capture a piece of your opponent",
            "to a cell without a piece of yours and capture what is there",
        ),
    ),
    P(
        "target",
        "onto a piece of your opponent to capture it",
        "capture",
        also=(
            "to capture a piece of your opponent",
            "to capture",
            "to capture a opponent 's piece",
            "onto a opponent 's piece to capture it",
        ),
    ),
    P("ways", "a line", "line", also=("a row", "a straight line", "a row column or diagonal")),
    P(
        "ways",
        "a horizontal or vertical line",
        "straight",
        also=("a row or column", "a column or row"),
    ),
    P("ways", "a horizontal line", "horizontal"),
    P("ways", "a vertical line", "vertical", also=("a column",)),
    P("ways", "a diagonal line", "diagonal", also=("a diagonal", "diagonal")),
    P(
        "sides",
        "left and right",
        "sideways",
        also=(
            "the left side and the right side",
            "the left and the right side",
            "the left and right sides",
        ),
    ),
    P(
        "sides",
        "top and bottom",
        "upright",
        also=(
            "bottom and top",
            "the top side and the bottom side",
            "the top and bottom sides",
            "the top and the bottom side",
        ),
    ),
    P("how", "more", "more", also=("the most", "most")),
    P("how", "fewer", "fewer", also=("the fewest", "less")),
    P("atmost", "exactly", "exactly"),
    P("atmost", "fewer than", "fewer", also=("less than",)),
)

_PUSH = "push with a {kind:kind} {directions:direction/} {other:piece} to the empty cell behind it"
_JUMP = "jump with {kind} {{directions:direction/}} over {{over:piece}} to the empty cell behind it"
_ONE = {"directions": ("straight",)}
_MOVES = (
    P(
        "move",
        "place a {kind:kind} on {cell:empty}",
        m.Put,
        also=(
            "put a {kind:kind} on {cell:empty}",
            "place a {kind:kind} of your own on {cell:empty}",
            "place one of your {kind:kinds} on {cell:empty}",
            "place a {kind:kind} of yours on {cell:empty}",
            "put a {kind:kind} of your own on {cell:empty}",
            ("mark {cell:empty}", {"kind": "piece"}),
            ("take {cell:empty}", {"kind": "piece"}),
            ("colour {cell:empty}", {"kind": "piece"}),
        ),
    ),
    P(
        "move",
        "drop a {kind:kind} into a column",
        m.Drop,
        also=(
            "drop a {kind:kind} in a column",
            "drop one of your {kind:kinds} into a column",
            "drop a {kind:kind} of your own into a column",
        ),
    ),
    P(
        "move",
        "place a domino on two empty cells next to each other",
        m.Domino,
        {"way": "any"},
        also=(
            "place a domino on two adjacent empty cells",
            "put a domino on two empty cells next to each other",
        ),
    ),
    P(
        "move",
        "place a domino on two empty cells side by side",
        m.Domino,
        {"way": "flat"},
        also=(
            "place a domino horizontally on two empty cells",
            "place a horizontal domino on two empty cells",
        ),
    ),
    P(
        "move",
        "place a domino on two empty cells one above the other",
        m.Domino,
        {"way": "upright"},
        also=(
            "place a domino vertically on two empty cells",
            "place a vertical domino on two empty cells",
        ),
    ),
    P(
        "move",
        "move your domino to two cells next to each other, at least one of them new",
        m.LayDomino,
        also=(
            "lay your domino on two cells next to each other, at least one of them new",
            "move your domino to another place",
        ),
    ),
    P(
        "move",
        "move a {kind:kind} off the board from {region:region}",
        m.Leave,
        also=(
            "move one of your {kind:kinds} off the board from {region:region}",
            "move a {kind:kind} from {region:region} off the board",
        ),
    ),
    P(
        "move",
        "move a {kind:kind} like a knight {target:target}",
        m.Step,
        {"directions": ("like a knight",)},
        also=("move one of your {kind:kinds} like a knight {target:target}",),
    ),
    P(
        "move",
        "move a {kind:kind} forward like a knight {target:target}",
        m.Step,
        {"directions": ("forward like a knight",)},
        also=("move one of your {kind:kinds} forward like a knight {target:target}",),
    ),
    P(
        "move",
        "move a {kind:kind} one step {directions:direction/} {target:target}",
        m.Step,
        also=(
            "move one of your {kind:kinds} one step {directions:direction/} {target:target}",
            "move a {kind:kind} of yours one step {directions:direction/} {target:target}",
            "move a {kind:kind} {directions:direction/} {target:target}",
            "step with a {kind:kind} {directions:direction/} {target:target}",
            ("move a {kind:kind} to a empty cell next to it", {**_ONE, "target": "empty"}),
            ("move a {kind:kind} to a adjacent empty cell", {**_ONE, "target": "empty"}),
            (
                "move one of your {kind:kinds} to a empty cell next to it",
                {**_ONE, "target": "empty"},
            ),
            ("move one of your {kind:kinds} to a adjacent empty cell", {**_ONE, "target": "empty"}),
        ),
    ),
    P(
        "move",
        "move a {kind:kind} two steps {directions:direction/} from {region:region} over an empty "
        "cell to a empty cell",
        m.DoubleStep,
        also=(
            "move a {kind:kind} two steps {directions:direction/} from {region:region} over empty "
            "cells",
        ),
    ),
    P(
        "move",
        "slide a {kind:kind} {directions:direction/} over empty cells {target:target}",
        m.Slide,
        also=(
            "slide a {kind:kind} {directions:direction/} {target:target}",
            "slide one of your {kind:kinds} {directions:direction/} {target:target}",
            "move a {kind:kind} any number of steps {directions:direction/} {target:target}",
        ),
    ),
    P(
        "move",
        _JUMP.format(kind="a {kind:kind}"),
        m.Jump,
        {"captures": False},
        also=(_JUMP.format(kind="one of your {kind:kinds}"),),
    ),
    P(
        "move",
        _JUMP.format(kind="a {kind:kind}") + ", which captures it",
        m.Jump,
        {"captures": True},
        also=(
            _JUMP.format(kind="a {kind:kind}") + " and capture it",
            "capture {over:piece} by jumping over it {directions:direction/} with a {kind:kind}",
        ),
    ),
    P(
        "move",
        "remove two {kind:kinds} next to each other",
        m.RemovePair,
        also=("remove two adjacent {kind:kinds}",),
    ),
    P(
        "move",
        "remove a {kind:kind} with everything above it and to its right",
        m.Bite,
        also=(
            "bite a {kind:kind} with everything above it and to its right",
            "bite off a {kind:kind} with everything above it and to its right",
        ),
    ),
    P("move", "remove {piece:piece}", m.Remove, also=("take {piece:piece} off the board",)),
    P(
        "move",
        "switch the {kind:kind} on a cell and on the cells next to it",
        m.Switch,
        {"neighbours": True},
    ),
    P("move", "switch the {kind:kind} on a cell", m.Switch, {"neighbours": False}),
    P(
        "move",
        "swap a {kind:kind} with {other:piece} next to it",
        m.Swap,
        also=("swap one of your {kind:kinds} with {other:piece} next to it",),
    ),
    P(
        "move",
        "turn over a piece of your opponent",
        m.Flip,
        also=("flip a piece of your opponent",),
    ),
    P(
        "move",
        "turn over a piece of your opponent {near:near}",
        m.Flip,
        also=("flip a piece of your opponent {near:near}",),
    ),
    P("move", _PUSH, m.Push, {"off": False}),
    P("move", _PUSH + " or off the board", m.Push, {"off": True}),
    P(
        "move",
        "take any number of counters from a pile",
        m.Take,
        {"least": 1, "most": 0},
        also=(
            "take any number of counters from one pile",
            "take as many counters as you like from one pile",
            "take one or more counters from a pile",
        ),
    ),
    P(
        "move",
        "take {least:number} to {most:number} counters from a pile",
        m.Take,
        also=(
            "take {least:number} to {most:number} counters from one pile",
            "take {least:number} or {most:number} counters from a pile",
            ("take up to {most:number} counters from a pile", {"least": 1}),
        ),
    ),
    P(
        "move",
        "take the same number of counters from every pile",
        m.TakeEach,
        also=(
            "take the same number of counters from both piles",
            "take the same number of counters from each pile",
            "take the same number from both piles",
        ),
    ),
    P(
        "move",
        "sow the seeds of one of your pits",
        m.Sow,
        also=("take all seeds from one of your pits and sow them one by one into the next pits",),
    ),
    P("move", "choose {choices:word/}", m.Choose),
    P("move", "pass", m.Pass, also=("do nothing",)),
    P(
        "situation",
        "you have no piece in hand",
        m.NoneInHand,
        also=("you have placed all your pieces", "your hand is empty"),
    ),
)

_CONDITIONS = (
    P(
        "condition",
        "{owner:owner} have^ {count:number} in {ways:ways}",
        m.Line,
        also=(
            "{owner:owner} have {count:number} pieces in {ways:ways}",
            "{owner:owner} get {count:number} in {ways:ways}",
            "{owner:owner} make {count:number} in {ways:ways}",
            ("{owner:owner} have a line of {count:number}", {"ways": "line"}),
        ),
    ),
    P(
        "condition",
        "there are {count:number} {kind:kinds} in {ways:ways}",
        m.LineThere,
        also=(
            "{count:number} {kind:kinds} are in {ways:ways}",
            ("there is a line of {count:number} {kind:kinds}", {"ways": "line"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ {count:number} cells that add up to {total:size}",
        m.Sum,
        also=(
            "{owner:owner} have {count:number} numbers that add up to {total:size}",
            ("{count:number} cells of yours add up to {total:size}", {"owner": YOU}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ a {kind:kind} on {region:region}",
        m.Stands,
        also=(
            "{owner:owner} have a {kind:kind} in {region:region}",
            ("a {kind:kind} of yours reaches {region:region}", {"owner": YOU}),
            ("one of your {kind:kinds} reaches {region:region}", {"owner": YOU}),
            ("your {kind:kind} reaches {region:region}", {"owner": YOU}),
            ("{owner:owner} reach {region:region}", {"kind": "piece"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} connect^ {sides:sides}",
        m.Connected,
        also=(("your pieces connect {sides:sides}", {"owner": YOU}),),
    ),
    P(
        "condition",
        "{owner:owner} have^ no {kind:kind} left",
        m.NoPiece,
        also=("{owner:owner} have no {kind:kind}", "{owner:owner} have lost all {kind:kinds}"),
    ),
    P("condition", "{owner:owner} have^ {how:atmost} {count:number} {kind:kinds}", m.Count),
    P(
        "condition",
        "{owner:owner} cannot move",
        m.CannotMove,
        also=(
            "{owner:owner} have no move",
            "{owner:owner} can not move",
            "{owner:owner} have no legal move",
            "{owner:owner} are stuck",
        ),
    ),
    P(
        "condition",
        "nobody can move",
        m.NobodyCanMove,
        also=("no player can move", "neither player can move", "both players are stuck"),
    ),
    P(
        "condition",
        "{owner:owner} made the last move",
        m.MovedLast,
        also=("{owner:owner} moved last", "{owner:owner} just moved"),
    ),
    P("condition", "the board is full", m.BoardFull, also=("no cell is empty",)),
    P(
        "condition",
        "nothing is left",
        m.BoardEmpty,
        also=(
            "the board is empty",
            "all piles are empty",
            "no counters are left",
            "nothing remains",
        ),
    ),
    P(
        "condition",
        "{count:number} turns have been played",
        m.TurnsPlayed,
        also=(
            "{count:number} turns are over",
            "{count:number} rounds are over",
            "{count:number} turns have passed",
        ),
    ),
    P(
        "condition",
        "your choice beats your opponent 's choice",
        m.Choice,
        also=("you beat your opponent", "your choice beats your opponent 's"),
    ),
)

_IF = "{conditions:condition+}"
_STUCK = {"player": YOU, "conditions": (m.CannotMove(YOU),)}
_BOARDS = (
    P(
        "sentence",
        "the board is a grid of {columns:size} columns and {rows:size} rows",
        m.Grid,
        {"shape": "square"},
        also=(
            "size: {columns:size} by {rows:size}",
            "the board is {columns:size} by {rows:size}",
            "the board has {columns:size} columns and {rows:size} rows",
            "the board is a grid of {columns:size} by {rows:size} cells",
            "the board is a grid of {columns:size} by {rows:size}",
            "the board has {columns:size} by {rows:size} cells",
        ),
    ),
    P(
        "sentence",
        "the board is a rhombus of hexagons with {columns:size} columns and {rows:size} rows",
        m.Grid,
        {"shape": "hexagon"},
        also=("the board is a rhombus of {columns:size} by {rows:size} hexagons",),
    ),
    P(
        "sentence",
        "the board is a row of {cells:size} cells",
        m.Row,
        also=("there are {cells:size} cells in a row",),
    ),
    P(
        "sentence",
        "the board is a ring of {cells:size} cells",
        m.Ring,
        also=(
            "there are {cells:size} cells in a ring",
            "the board is a circle of {cells:size} cells",
        ),
    ),
    P(
        "sentence",
        "the board has the points {names:cell+}",
        m.Points,
        also=("points: {names:cell+}",),
    ),
    P(
        "sentence",
        "there are piles of {sizes:size+} counters",
        m.Piles,
        also=(
            "the piles have {sizes:size+} counters",
            "piles: {sizes:size+}",
            "there is a pile of {sizes:size+} counters",
        ),
    ),
    P(
        "sentence",
        "the points {points:cell+} are on a line",
        m.Join,
        also=("a line joins {points:cell+}", "line: {points:cell+}"),
    ),
    P(
        "sentence",
        "the cells {cells:cell+} are not part of the board",
        m.Missing,
        also=("the cells {cells:cell+} are missing", "there is no cell {cells:cell+}"),
    ),
)

_START = (
    P(
        "sentence",
        "name: {name:title}",
        m.Title,
        also=("game: {name:title}", "title: {name:title}"),
    ),
    P(
        "sentence",
        "players: {names:player+}",
        m.Players,
        also=(
            "player: {names:player+}",
            "the players are {names:player+}",
            "{names:player+} take turns",
            "the player is {names:player+}",
        ),
    ),
    P(
        "sentence",
        "{player:player} begins",
        m.Begins,
        also=(
            "{player:player} moves first",
            "{player:player} starts",
            "{player:player} goes first",
        ),
    ),
    P(
        "sentence",
        "all players move at the same time",
        m.Simultaneous,
        also=(
            "both players move at the same time",
            "the players move at the same time",
            "the players move simultaneously",
            "both players choose at the same time",
            "the players choose at the same time",
            "all players choose at the same time",
        ),
    ),
    P(
        "sentence",
        "a turn has {count:number} moves",
        m.MovesPerTurn,
        also=("you make {count:number} moves in a turn", "each turn has {count:number} moves"),
    ),
    P(
        "sentence",
        "{kind:kinds} belong to nobody",
        m.Belongs,
        also=(
            "{kind:kinds} belong to no player",
            "{kind:kinds} belong to both players",
            "{kind:kinds} belong to no one",
            "both players use {kind:kinds}",
            "all players use {kind:kinds}",
        ),
    ),
    P(
        "sentence",
        "there are {kind:kinds} on {region:region}",
        m.Start,
        {"player": YOU},
        also=("there is a {kind:kind} on {region:region}", "{kind:kinds} start on {region:region}"),
    ),
    P(
        "sentence",
        "{player:player} starts with {kind:kinds} on {region:region}",
        m.Start,
        also=(
            "{player:player} begins with {kind:kinds} on {region:region}",
            "{player:player} starts with a {kind:kind} on {region:region}",
            "{player:player} has {kind:kinds} on {region:region}",
            "{player:player} has a {kind:kind} on {region:region}",
            "{player:player} 's {kind:kinds} start on {region:region}",
        ),
    ),
    P(
        "sentence",
        "each player has {count:number} pieces in hand",
        m.Hand,
        {"player": YOU},
        also=(
            "every player has {count:number} pieces in hand",
            "each player has {count:number} pieces to place",
            "each player starts with {count:number} pieces in hand",
        ),
    ),
    P("sentence", "{player:player} has {count:number} pieces in hand", m.Hand),
    P(
        "sentence",
        "{player:player} has the pits {cells:cell+} with {seeds:number} seeds each",
        m.Pits,
        also=("{player:player} owns the pits {cells:cell+} with {seeds:number} seeds each",),
    ),
    P(
        "sentence",
        "{player:player} has the store {cell:cell}",
        m.Store,
        also=(
            "{player:player} 's store is {cell:cell}",
            "{player:player} 's store is pit {cell:cell}",
        ),
    ),
    P(
        "sentence",
        "each player starts with {count:number} {noun:kinds} and can hold {most:number}",
        m.Stock,
        also=("every player starts with {count:number} {noun:kinds} and can hold {most:number}",),
    ),
)

_PLAY = (
    P(
        "sentence",
        "on {player:whose} turn, {moves:move/}",
        m.MoveRule,
        also=(
            "on {player:whose} turn you {moves:move/}",
            "on {player:whose} turn you may {moves:move/}",
            "on {player:whose} turn, either {moves:move/}",
            "{player:who} may {moves:move/}",
        ),
    ),
    P(
        "sentence",
        "on {player:whose} turn, if {condition:situation}, {moves:move/}",
        m.MoveRule,
        also=("if {condition:situation}, on {player:whose} turn, {moves:move/}",),
    ),
    P(
        "sentence",
        "you must capture if you can",
        m.MustCapture,
        also=("capturing is compulsory", "if you can capture, you must"),
    ),
    P(
        "sentence",
        "if you cannot move, you pass",
        m.PassIfStuck,
        also=("a player who cannot move passes", "whoever cannot move passes"),
    ),
    P("sentence", "a {kind:kind} that reaches {region:region} becomes a {new:kind}", m.Promotion),
    P(
        "sentence",
        "a move captures each piece of your opponent between the moved piece and another of yours",
        m.Enclose,
        also=(
            "a move captures every piece of your opponent between the moved piece and another "
            "of yours",
        ),
    ),
    P(
        "sentence",
        "a placed piece turns over each line of pieces of your opponent between it and another of "
        "yours",
        m.TurnOver,
        also=(
            "a placed piece turns over all pieces of your opponent in a line between it and "
            "another of yours",
            "a placed piece flips each line of pieces of your opponent between it and another of "
            "yours",
        ),
    ),
    P(
        "sentence",
        "a placed piece must turn over a piece",
        m.MustTurnOver,
        also=("a placed piece must flip a piece", "you must turn over a piece"),
    ),
    P(
        "sentence",
        "if players choose the same cell, it stays empty",
        m.Clash,
        also=(
            "if two players choose the same cell, it stays empty",
            "if both players choose the same cell, it stays empty",
        ),
    ),
    P("sentence", "{choice:word} gives {count:number} {noun:kinds}", m.Gain, {"verb": "gives"}),
    P("sentence", "{choice:word} costs {count:number} {noun:kinds}", m.Gain, {"verb": "costs"}),
    P("sentence", "{choice:word} beats {others:word+}", m.Beats),
    P(
        "sentence",
        "a choice that beats the other gives {count:number} {noun:kinds}",
        m.Score,
        also=("whoever beats the other gets {count:number} {noun:kinds}",),
    ),
)

_ENDS = (
    P(
        "sentence",
        "{player:who} win^ if " + _IF,
        m.End,
        {"result": "wins"},
        also=("if " + _IF + ", {player:who} win^", "{player:who} win^ when " + _IF),
    ),
    P(
        "sentence",
        "{player:who} lose^ if " + _IF,
        m.End,
        {"result": "loses"},
        also=(
            "if " + _IF + ", {player:who} lose^",
            "{player:who} lose^ when " + _IF,
            ("whoever cannot move loses", _STUCK),
            ("a player who cannot move loses", _STUCK),
            ("the player who cannot move loses", _STUCK),
        ),
    ),
    P(
        "sentence",
        "the game is a draw if " + _IF,
        m.End,
        {"result": "draws", "player": YOU},
        also=(
            "if " + _IF + ", the game is a draw",
            "if " + _IF + ", it is a draw",
            "it is a draw if " + _IF,
            "the game is drawn if " + _IF,
        ),
    ),
    P(
        "sentence",
        "if " + _IF + ", whoever has {how:how} {noun:kinds} wins",
        m.Most,
        also=(
            "if " + _IF + ", the game ends and whoever has {how:how} {noun:kinds} wins",
            "the game ends if " + _IF + ", and whoever has {how:how} {noun:kinds} wins",
        ),
    ),
    P("sentence", "if {choices:picks+}, {points:gets+}", m.Payoff),
    P("picks", "{player:player} chooses {choice:word}", m.Picks),
    P("gets", "{player:player} gets {points:size} points", m.Gets),
)

SECTIONS = {
    "Boards": _BOARDS,
    "Players, pieces and the start": _START,
    "Turns and moves": _PLAY,
    "Moves": _MOVES,
    "Directions, targets and lines": _DIRECTIONS,
    "Cells and pieces": (*_REGIONS, *_PIECES),
    "Ends and results": _ENDS,
    "Conditions": _CONDITIONS,
}
"""The patterns, as the reference in the documentation shows them."""

GRAMMAR = Grammar([one for section in SECTIONS.values() for one in section], _BUILTINS)
