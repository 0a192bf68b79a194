"""Boards, players and how the game starts, as people write it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Builtin, NotSaid, Pattern, number_of
from kibitz.rulebook.model import EACH, YOU
from kibitz.rulebook.prose.leaves import NUMBER, Piece, leaf
from kibitz.rulebook.prose.settlement import Likewise, Owns
from kibitz.rulebook.prose.regions import Part

__all__ = ["START_SENTENCES", "board_leaf"]

P = Pattern
Said = tuple[m.Sentence, ...]

_N = NUMBER
_CELLS = r"(?:cell|board|grid|chessboard|lattice|pattern|place)"
_BOARD = re.compile(
    rf"(?:a |an |the |one |your )?(?:square |rectangular |small |plain |normal |standard |chess |go |tic-tac-toe )*"
    rf"(?:(?:dark|black|light) cell (?:only )?of (?:a |the )?)?(?:{_CELLS} |row of cell )?(?:of |with |which has |that has |is |size |measuring )*(?:a )?"
    rf"({_N}) (?:cell )?by ({_N})(?: {_CELLS})*(?: of {_CELLS})?(?: in size)? "
)
_ROWS = re.compile(
    rf"(?:a |the )?(?:square |rectangular )?(?:{_CELLS} )?(?:of |with |has |which has |that has )*(?:a )?"
    rf"({_N}) (row|column)(?: and| by)? ({_N}) (row|column)(?: of {_CELLS})? "
)
_ROWS_OF = re.compile(
    rf"(?:a |the )?(?:{_CELLS} )?(?:of |with |has )*({_N}) row (?:of|with) ({_N}) {_CELLS}(?: each)? "
)
_ROW = re.compile(
    rf"(?:a |one |the )?(?:empty |straight |long )?(?:row|line|strip|track|path) (?:of|with) ({_N}) {_CELLS}(?: in a (?:row|line))? |"
    rf"({_N}) {_CELLS} (?:arranged |placed |laid out |lying )?(?:side-by-side )?in (?:a|one) (?:straight )?(?:row|line) |"
    rf"(?:a )?{_CELLS} (?:of|with) ({_N}) {_CELLS} in (?:a|one) (?:row|line) "
)
_RING = re.compile(
    rf"(?:a |one )?(?:ring|circle) (?:of|with) ({_N}) {_CELLS} |({_N}) {_CELLS} (?:arranged |placed )?in a (?:ring|circle) "
)
_HEX = re.compile(
    rf"(?:a |the )?(?:diamond-shaped |diamond |hexagonal |rhombus-shaped |rhombus |rhombic )?(?:{_CELLS} )?(?:of |with )?({_N}) by ({_N}) "
    rf"(?:hexagonal )?(?:{_CELLS} )?(?:of hexagonal cell )?"
)
_WHOLE = re.compile(
    r"(?:a |the )?(?:(?:dark|black|light) cell (?:only )?of (?:a |the )?)?(?:usual |normal |standard |8 by 8 )?chessboard "
)
_NINE = re.compile(
    r"(?:a |the )?(?:usual |normal |standard )?tic-?\s?tac-?\s?toe (?:board|grid)(?: with nine cell| of nine cell)? "
)


_ADDED = re.compile(
    r"(?:(?:which|that) (?:is|start|begin) )?(?:all )?empty (?:at-start )?$"
    r"|and (?:a |some |a bunch of |a supply of |plenty of |enough )?[a-z]+ (?:each cover two cell )?$"
)


def board_leaf(is_hexagonal: bool) -> Builtin:
    """Return how boards are read; hexagons are known from other words of the text."""

    def read(text: str) -> m.Sentence | None:
        text = _ADDED.sub("", text)
        if is_hexagonal and (found := _HEX.fullmatch(text)):
            return m.Grid(_n(found[1]), _n(found[2]), "hexagon")
        if found := _BOARD.fullmatch(text):
            return m.Grid(_n(found[1]), _n(found[2]), "square")
        if (found := _ROWS.fullmatch(text)) and found[2] != found[4]:
            rows, columns = (found[1], found[3]) if found[2] == "row" else (found[3], found[1])
            return m.Grid(_n(columns), _n(rows), "square")
        if found := _ROWS_OF.fullmatch(text):
            return m.Grid(_n(found[2]), _n(found[1]), "square")
        if found := _ROW.fullmatch(text):
            return m.Row(_n(found[1] or found[2] or found[3]))
        if found := _RING.fullmatch(text):
            return m.Ring(_n(found[1] or found[2]))
        if _WHOLE.fullmatch(text):
            return m.Grid(8, 8, "square")
        return m.Grid(3, 3, "square") if _NINE.fullmatch(text) else None

    return leaf("a board", read)


def _n(word: str) -> int:
    return number_of(word) or 0


def _intro(**said: Any) -> Said:
    """Put together what an introduction says."""
    found: list[m.Sentence] = []
    if "board" in said:
        found.append(said["board"])
    names = said.get("names")
    if names is not None:
        found.append(m.Players(tuple(names)))
    elif said.get("two"):
        found.append(m.Players(("First", "Second")))
    if "begins" in said:
        found.append(m.Begins(said["begins"]))
    return tuple(found)


def _started(who: str, count: int | None, piece: Piece, region: m.Region) -> Said:
    number = count if count is not None else piece.count
    player = piece.owner if piece.owner not in (None, YOU) else who
    return (m.Start(player or YOU, piece.kind, region, number if number != 1 else None),)


def _has(who: str, piece: Piece, region: m.Region) -> Said:
    return _started(who, None, piece, region)


def _stands(piece: Piece, region: m.Region) -> Said:
    if piece.owner == YOU:
        return _started(EACH, None, piece, region)
    return _started(piece.owner or YOU, None, piece, region)


def _named_stands(piece: Piece, region: m.Region) -> Said:
    """Read *the black pawns on row 7*; other pieces would belong to who was spoken of before."""
    if piece.owner in (None, YOU):
        raise NotSaid
    return _stands(piece, region)


def _two_stand(piece: Piece, region: m.Region, other: str, there: m.Region) -> Said:
    if piece.owner in (None, YOU):
        raise NotSaid
    return (*_stands(piece, region), m.Start(other, piece.kind, there, piece.count))


def _hand(who: str, piece: Piece) -> Said:
    if piece.count is None:
        piece = replace(piece, count=1)
    return (Owns("" if who == EACH else who, piece.count, piece.kind),)


def _piles(sizes: tuple[int, ...]) -> Said:
    return (m.Piles(tuple(sizes)),)


def _equal_piles(count: int, size: int) -> Said:
    return (m.Piles((size,) * count),)


def _counted_piles(count: int, sizes: tuple[int, ...]) -> Said:
    if count != len(sizes):
        raise NotSaid
    return _piles(sizes)


_GAME = ("the game", "this game", "it", "the match", "a game", "{title:any}", "we", "you", "this")
_ON = (
    "is played on {board:board}", "{_:two} {_:word} [round|around|at|on|with|in] {board:board}", "[the] {_:count} players {_:word} [round|around|at|on|with|in] {board:board}",
    "{_:game} is a game for {two:two} on {board:board}", "{_:game} is a game for {two:two} with {board:board}", "the {_:kind} is {board:board}",
    "{_:game} is played on {board:board}", "{_:game} take place on {board:board}",
    "{_:game} play on {board:board}", "{_:game} play this on {board:board}", "play on {board:board}", "on {board:board}",
    "the board is {board:board}", "the board has {board:board}", "the board consists of {board:board}", "board {board:board}",
    "played on {board:board}", "use {board:board}", "{_:game} use {board:board}", "take {board:board}",
    "{_:game} need {board:board}", "there is {board:board}", "{board:board} is used", "{board:board}",
    "draw {board:board}", "the board is made of {board:board}", "{_:game} have {board:board}", "the board stands upright and has {board:board}",
)  # fmt: skip
_START_VERBS = "start|begin|stand|sit|are|placed|positioned|set|lie|occupy|fill|go|goes"
_PUT = "[is] [placed|positioned|set|lined|standing|filling|located|lie|put] [up]"
_PLACED = (f"{_PUT} on|in|at|along|across", "fill", "occupy", "[is] [placed] to")
_PLAYS = ("plays", "moves", "goes", "starts", "begins", "is")

_REGIONS = {
    m.FarRow: """
        the opposite|far|other edge
        your opponent 's side|edge|end|starting|home [row] [of] [the] [board]
        the other|opposite|far side|end|edge of the board
        the [last] row on the far side
        """,
    m.HomeRow: """
        your own first|back|home row
        your own side|row [of] [the] [board]
        the row nearest|closest [to] you|them|it
        the row nearest|closest [to] that|your|the|each player
        your starting|nearest row
        the nearest row
        your side|edge [of] [the] [board]
        """,
    m.HomeRows: """
        the {count:number} rows nearest|closest [to] you|them
        the {count:number} rows nearest|closest [to] that|your|the|each player
        your {count:number} home|nearest|back rows
        your nearest {count:number} rows
        your own first {count:number} rows
        """,
    m.Centre: """
        the centre|middle [cell] of the board
        """,
}

START_SENTENCES = (
    *(
        P("region", line.strip(), make)
        for make, lines in _REGIONS.items()
        for line in lines.strip().splitlines()
    ),
    *(P("game", words, None) for words in _GAME if "{" not in words),
    P("game", "{_:kind}", None),
    *(P("says", words, _intro) for words in _ON),
    P(
        "two",
        "two players",
        True,
        also=(
            "2 players",
            "a two players",
            "the two players",
            "two",
            "two people",
            "two children",
            "2 people",
        ),
    ),
    P(
        "says",
        "{_:game} is a game for {two:two}",
        _intro,
        also=(
            "there are {two:two}",
            "a game for {two:two}",
            "for {two:two}",
            "{_:game} is for {two:two}",
            "this game for {two:two}",
            "{two:two} play",
            "it is for {two:two}",
            "this is a game for {two:two}",
        ),
    ),
    P(
        "says",
        "{_:game} is played by {two:two} on {board:board}",
        _intro,
        also=(
            "{two:two} play on {board:board}",
            "{two:two} share {board:board}",
            "{_:game} is played on {board:board} by {two:two}",
            "{two:two} play against each other on {board:board}",
            "{two:two} face each other across {board:board}",
            "{two:two} sit at {board:board}",
            "a game for {two:two} on {board:board}",
            "a game for {two:two} play on {board:board}",
            "this game for {two:two} is played on {board:board}",
            "{_:game} is a game for {two:two} play on {board:board}",
        ),
    ),
    P(
        "says",
        "{_:count} players {names:player+} play on {board:board}",
        _intro,
        also=("players {names:player+} play on {board:board}",)[:0],
    ),
    P("says", "{names:player+} play on {board:board}", _intro),
    P(
        "says",
        "{_:count} players {names:player+}",
        _intro,
        also=(
            "the {_:count} players are {names:player+}",
            "the {_:count} players are called {names:player+}",
            "{_:count} players called {names:player+}",
            "{_:count} players named {names:player+}",
            "there are {_:count} players {names:player+}",
            "there are {_:count} players called {names:player+}",
            "{_:count} players {names:player+} play",
            "{_:count} players {names:player+} take turns",
        ),
    ),
    P(
        "says",
        "one player is|play {one:player} and your opponent is|play {other:player}",
        lambda one, other: _intro(names=(one, other)),
        also=(
            "one player is|play {one:player} your opponent is|play {other:player}",
            "one player is|play {one:player} and one is|play {other:player}",
            "one player is|play {one:player} the other is|play {other:player}",
            "one player is|play {one:player} and the other is|play {other:player}",
        ),
    ),
    P(
        "says",
        "{begins:name} moves|goes|plays|go|start|begin first",
        _intro,
        also=(
            "{begins:name} starts|begins",
            "{begins:name} has the first move",
            "{begins:name} makes the first move",
            "start with {begins:name}",
            "{begins:name} starts|begins the game",
            "{begins:name} to move first",
            "it is {begins:name} 's turn first",
            "{begins:name} to move",
        ),
    ),
    P(
        "says",
        "{who:has_player} has|have|gets|get|owns|controls {piece:any} on|in|at {region:region}",
        _has,
        also=tuple(
            f"{{who:has_player}} {verb} {{piece:any}} {where} {{region:region}}"
            for verb in (
                "has|have|own|control|use",
                "start|begin with",
                "place|put|set|line up",
                "fill",
            )
            for where in _PLACED
        ),
    ),
    P("says", "{who:has_player} fill|occupy {region:region} with {piece:any}", _has),
    P(
        "says",
        "{who:has_player} has|have|own|control {piece:any} [one|all] [which|that|each] [start|begin|stand|is] on|in|at {region:region}",
        _has,
    ),
    P(
        "has_player",
        "each player",
        EACH,
        also=(
            "every player",
            "both players",
            "each side",
            "the players",
            "players",
            "each",
            "each team",
            "you each",
            "each of the [two] players",
            "two players",
            "the two players",
            "each of you",
            "the players each",
        ),
    ),
    P("has_player", "{name:name}", lambda name: name),
    P(
        "says",
        "{piece:any} start|begin|stand|sit|is|are|lie on|in|at {region:region}",
        _stands,
        also=(
            f"{{piece:any}} start|begin|is {_PUT} on|in|at|along|across {{region:region}}",
            "{piece:any} fill|occupy {region:region}",
            "place|put|set {piece:any} on|in|at {region:region}",
            "there is {piece:any} on|in|at {region:region}",
            "{piece:any} is put on|in|at {region:region}",
            "at-start {piece:any} is on|in|at {region:region}",
        ),
    ),
    P(
        "says",
        "{piece:any} start|begin|stand|is on|in|at {region:region} [and] {other:name} 's [start|begin|stand|is] [on|in|at] {there:region}",
        _two_stand,
        also=(
            "{piece:any} start|begin|stand|is on|in|at {region:region} [and] {other:name} 's {kind:kinds} [start|begin|stand|is] on|in|at {there:region}",
        )[:0],
    ),
    P(
        "says",
        "[players] {_:count} {names:player+}",
        _intro,
        also=("players {_:count} {names:player+}",),
    ),
    P(
        "says",
        "[with] {begins:name} start|starting|begin|beginning|first|opens|open",
        _intro,
        also=(
            "{begins:name} has the first move [after] [which] [the] [players] [alternate]",
            "start|begin with {begins:name} [the] [players] [take] [turns]",
        ),
    ),
    P(
        "says",
        "one player is [called] {one:player} [and] your opponent [is] [called] {other:player}",
        lambda one, other: _intro(names=(one, other)),
        also=("one player is [called] {one:player} [and] the other [is] [called] {other:player}",),
    ),
    P(
        "region",
        "the {side:vertical} {hand:hand} corner|cell [of] [the] [board]",
        lambda side, hand: Part(f"{side} {hand}", m.Every()),
        also=("{side:vertical} {hand:hand} [corner]",),
    ),
    *(
        P("vertical", word, word, also=((f"upper",) if word == "top" else ("lower",)))
        for word in ("top", "bottom")
    ),
    *(P("hand", word, word) for word in ("left", "right")),
    P(
        "region",
        "the {count:number} rows at the {side:vertical}",
        lambda count, side: Part(side, m.Every(), count),
        also=("the {side:vertical} {count:number} rows", "the {count:number} {side:vertical} rows"),
    ),
    P(
        "says",
        "then {_:name}",
        lambda: (),
        also=("followed by {_:name}", "and then {_:name}", "then {_:name} and so on"),
    ),
    P(
        "says",
        "there are {_:count} piles of {_:kinds} one of|with {one:size} and one of|with {other:size}",
        lambda one, other: _piles((one, other)),
    ),
    P(
        "says",
        "on {board:board} one player controls|plays|is|has {_:any} [and] your opponent [controls|plays|is|has] {_:any}",
        _intro,
        also=(
            "one player controls|plays|is|has {_:any} [and] your opponent [controls|plays|is|has] {_:any}",
            "on {board:board} {_:any} plays against {_:any}",
            "{_:any} plays against {_:any} on {board:board}",
            "{_:any} plays against {_:any}",
        ),
    ),
    P(
        "says",
        "{piece:any} is|start|stand|begin [put|placed] in|on a|one corner [of] [the] [board]",
        lambda piece: _stands(piece, m.Cells(("a1",))),
    ),
    P(
        "says",
        "{piece:any} is|start|stand|begin [put|placed] in|on a|one corner of {board:board}",
        lambda piece, board: (board, *_stands(piece, m.Cells(("a1",)))),
    ),
    P(
        "says",
        "{piece:any} is|start|stand|begin [put|placed] on|in|at {region:region} of {board:board}",
        lambda piece, region, board: (board, *_stands(piece, region)),
    ),
    P(
        "says",
        "{_:name} use|uses|play|plays|is|has [with] [the] {_:word} {_:word}",
        lambda: (),
        also=("{_:name} use|uses|play|plays [with] [the] {_:word} ones",),
    ),
    P(
        "says",
        "{who:has_player} has|have {count:count} on|in|at {region:region}",
        lambda who, count, region: _started(who, count, Piece("piece"), region),
    ),
    P(
        "says",
        "{who:has_player} has|have {piece:any} each on {board:board}",
        lambda who, piece, board: (board, *_hand(who, piece)),
    ),
    P(
        "region",
        "the players 's home|first|back rows",
        m.HomeRow,
        also=("your home|first|back rows", "your respective home|first|back rows"),
    ),
    P(
        "says",
        "one pile {size:size} {_:kinds} [two] [players]",
        lambda size: _piles((size,)),
        also=("{_:two} start with one pile of {size:size} {_:kinds}",),
    ),
    P(
        "says",
        "{player:name} do|does the same [on|at|in|from] [the|your] [other|own|opposite] [side|end]",
        lambda player: (Likewise(player),),
    ),
    P(
        "says",
        "{player:name} 's [{_:kind}] [is|start|stand|begin] on|in|at {region:region}",
        lambda player, region: (m.Start(player, "piece", region),),
    ),
    P("region", "each|every|all|the cells of|in|on|along {region:region}", lambda region: region),
    P("region", "the centre|middle [cell] of|in {region:region}", Part, {"which": "centre"}),
    P("region", "the {number:ordinal} cell of|in|from {region:region}", Part, {"which": "number"}),
    P(
        "region",
        "the dark|black cells [only] of|in {region:region} [on] [your] [side]",
        Part,
        {"which": "dark"},
    ),
    P(
        "region",
        "the light|white cells [only] of|in {region:region} [on] [your] [side]",
        Part,
        {"which": "light"},
    ),
    P("region", "the first {count:number} rows on your side", m.HomeRows),
    P("says", "{piece:any} on|in|at {region:region}", _named_stands),
    P("says", "set|put|place|lay [up] [only] {piece:any} on|in|at {region:region}", _stands),
    P(
        "says",
        "{who:has_player} has|have|own|control {piece:any} [lined|placed|set] [up] on|in|at {region:region} of {board:board}",
        lambda board, **said: (board, *_has(**said)),
    ),
    P(
        "says",
        "{_:name} at|on the top|bottom [and] [{_:name}] [at|on] [the] [top|bottom]",
        lambda: (),
    ),
    P(
        "says",
        "{who:has_player} has|have {one:any} and {other:any} on {board:board}",
        lambda who, one, other, board: (board, *_hand(who, one), *_hand(who, other)),
    ),
    P(
        "says",
        "{who:has_player} has|have|get|gets|use {piece:any}",
        _hand,
        also=("{who:has_player} start|begin with {piece:any}",),
    ),
    P(
        "says",
        "{who:has_player} [each] has|have|use a supply|lot|number|bunch of {_:kinds}",
        lambda who: (),
        also=("{_:player+} each has|have a supply of {_:kinds}",)[:0],
    ),
    P(
        "says",
        "{one:name} and {other:name} [each] has|have a supply of {_:kinds}",
        lambda one, other: (),
    ),
    P("says", "{who:name} use|uses|play|plays [with] {piece:any}", lambda who, piece: ()),
    P(
        "says",
        "{who:has_player} has|have|get|gets {piece:any} [in hand|reserve|supply]",
        _hand,
        also=(
            "{who:has_player} start|begin with {piece:any} in hand",
            "{who:has_player} has {piece:any} to place",
            "{who:has_player} start|begin with {piece:any} off the board",
        ),
    ),
    P(
        "says",
        "there are|is {count:count} piles of|with|contain {sizes:size+} {_:kinds}",
        _counted_piles,
        also=(
            "there are|is {count:count} piles of|with|contain {_:kinds} with {sizes:size+} {_:kinds}",
            "there are|is {count:count} piles of {_:kinds} {sizes:size+}",
            "{count:count} piles of|with|contain {sizes:size+} {_:kinds}",
        ),
    ),
    P(
        "says",
        "there are|is {count:count} piles of|with|contain {size:size} {_:kinds} [each]",
        _equal_piles,
    ),
    P(
        "says",
        "there is a pile of|with {size:size} {_:kinds}",
        lambda size: _piles((size,)),
        also=(
            "there are|is {size:size} {_:kinds} on the table",
            "put|lay|place {size:size} {_:kinds} on the table",
            "put|lay|place {size:size} {_:kinds} in a pile",
            "put|lay|place {size:size} {_:kinds} in one pile",
            "start|begin with {size:size} {_:kinds}",
            "there is one pile of {size:size} {_:kinds}",
            "the game start|begin with {size:size} {_:kinds}",
            "the game start|begin with one|a pile of {size:size} {_:kinds}",
            "start|begin with a|one pile of {size:size} {_:kinds}",
            "there are {size:size} {_:kinds}",
            "a pile of {size:size} {_:kinds}",
            "you have {size:size} {_:kinds}",
        ),
    ),
    P(
        "says",
        "put|lay|place {size:size} {noun:kinds} [side-by-side] in a row",
        lambda size, noun: (m.Row(size), m.Start(YOU, noun, m.Every())),
        also=(
            "there are {size:size} {noun:kinds} [side-by-side] in a row",
            "there is a row of {size:size} {noun:kinds}",
        ),
    ),
    P(
        "says",
        "both players use {kind:kinds}",
        lambda kind: (m.Belongs(kind),),
        also=(
            "both players play|place|write {kind:kinds}",
            "both play {kind:kinds}",
            "both use {kind:kinds}",
        ),
    ),
)
