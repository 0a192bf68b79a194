"""Sentences about players, pieces and the start in, sentences of the table out."""

from __future__ import annotations

from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import EACH, YOU
from kibitz.rulebook.prose.leaves import Piece
from kibitz.rulebook.prose.regions import Part
from kibitz.rulebook.prose.remarks import Remark
from kibitz.rulebook.prose.settlement import Likewise, Measures, Owns
from kibitz.rulebook.prose.tables import same, table

Said = tuple[m.Sentence, ...]


_SOME = Piece("")
"""Pieces of the kind that others have: *and Black has five on the top row*."""


def _intro(**said: Any) -> Said:
    """Put together what an introduction says."""
    found: list[m.Sentence] = []
    if "board" in said:
        found.append(said["board"])
    names = said.get("names")
    if names is not None and len(names) != said.get("count", len(names)):
        raise NotSaid
    if names is not None:
        found.append(m.Players(tuple(names)))
    elif said.get("two"):
        found.append(m.Players(("First", "Second")))
    if "begins" in said:
        found.append(m.Begins(said["begins"]))
    return tuple(found)


def _started(who: str, region: m.Region, piece: Piece = _SOME, count: int | None = None) -> Said:
    """Say where pieces of a player start; a piece that names its player belongs to that one."""
    number = count if count is not None else piece.count
    player = piece.owner if piece.owner not in (None, YOU) else who
    return (m.Start(player or YOU, piece.kind, region, number),)


def _stands(piece: Piece, region: m.Region) -> Said:
    if piece.owner == YOU or (piece.owner is None and isinstance(region, m.HomeRow | m.HomeRows)):
        return _started(EACH, region, piece)
    return _started(piece.owner or YOU, region, piece)


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
        return (Remark(),)
    return (Owns("" if who == EACH else who, piece.count, piece.kind),)


def _owners_piece(player: str, region: m.Region, kind: str = "piece") -> Said:
    return (m.Start(player, kind, region),)


def _measures(columns: int, rows: int) -> Said:
    return (Measures(columns, rows),)


def _two_players(one: str, other: str) -> Said:
    return (m.Players((one, other)),)


def _on_board(board: m.Sentence, **said: Any) -> Said:
    return (board, *_started(**said))


def _hand_on_board(who: str, piece: Piece, board: m.Sentence) -> Said:
    return (board, *_hand(who, piece))


def _two_hands(who: str, one: Piece, other: Piece, board: m.Sentence) -> Said:
    return (board, *_hand(who, one), *_hand(who, other))


def _stands_in_corner(piece: Piece, board: m.Sentence | None = None) -> Said:
    # Which corner it is makes no difference.
    return (*((board,) if board else ()), *_stands(piece, m.Cells(("a1",))))


def _stands_on_board(piece: Piece, region: m.Region, board: m.Sentence) -> Said:
    return (board, *_stands(piece, region))


def _likewise(player: str) -> Said:
    return (Likewise(player),)


def _nobodys(kind: str) -> Said:
    return (m.Belongs(kind),)


def _corner(side: str, hand: str) -> Part:
    return Part(f"{side} {hand}", m.Every())


def _these(cells: m.Region) -> m.Region:
    """Take *the bottom row at a1 and c1* for the cells that are named."""
    if not isinstance(cells, m.Cells):
        raise NotSaid
    return cells


def _some_rows(count: int, side: str) -> Part:
    return Part(side, m.Every(), count)


_REGIONS = (
    *table(
        "region",
        m.FarRow,
        """
        the opposite|far|other side|end|edge [of] [the] [board]
        your opponent 's side|edge|end|starting|home|back|first [row] [of] [the] [board]
        the [last] row on the far side
        """,
    ),
    *table(
        "region",
        m.HomeRow,
        """
        your own first|back|home row
        your own side|row [of] [the] [board]
        the row nearest|closest [to] you|them|it
        the row nearest|closest [to] that|your|the|each player
        [your] [the] nearest row
        your starting row
        your side|edge [of] [the] [board]
        the players 's home|first|back rows
        your [respective] home|first|back rows
        """,
    ),
    *table(
        "region",
        m.HomeRows,
        """
        the {count:number} rows nearest|closest [to] you|them
        the {count:number} rows nearest|closest [to] that|your|the|each player
        your {count:number} home|nearest|back rows
        your nearest {count:number} rows
        your [own] first {count:number} rows
        the first {count:number} rows on your side
        """,
    ),
    *table("region", m.Centre, "the centre|middle [cell] of the board"),
    *table("region", same, "all|the cells of|in|on|along {it:region}"),
    *table("region", _these, "the|your top|bottom|first|last|home|back row at|on {cells:region}"),
    *table("region", Part, "each|every cell of|in|on|along {region:region}", which="each"),
    *table("region", Part, "the centre|middle [cell] of|in {region:region}", which="centre"),
    *table("region", Part, "the {number:ordinal} cell of|in|from {region:region}", which="number"),
    *table(
        "region",
        Part,
        "the dark|black cells [only] of|in {region:region} [on] [your] [side]",
        which="dark",
    ),
    *table(
        "region",
        Part,
        "the light|white cells [only] of|in {region:region} [on] [your] [side]",
        which="light",
    ),
    *table(
        "region",
        _corner,
        """
        [the] {side:vertical} {hand:hand} [corner|cell] [of] [the] [board]
        """,
    ),
    *table(
        "region",
        _some_rows,
        """
        the {count:number} rows at the {side:vertical}
        the {side:vertical} {count:number} rows
        the {count:number} {side:vertical} rows
        """,
    ),
    *table("vertical", "top", "top|upper"),
    *table("vertical", "bottom", "bottom|lower"),
    *table("hand", "left", "left"),
    *table("hand", "right", "right"),
)

_PEOPLE = (
    *table(
        "game",
        None,
        """
        the|this|a game|match
        it
        we
        you
        this
        {_:kind}
        {_:titled}
        """,
    ),
    *table("two", True, "[a|the] two|2 [players|people|children|player]"),
    *table(
        "has_player",
        EACH,
        """
        each|every|both|two [player|side|team]
        [the] [two] players [each]
        you each
        each of the [two] players
        each of you
        """,
    ),
    *table("has_player", same, "{it:name}"),
    *table(
        "says",
        _intro,
        """
        there are {two:two}
        [this|a] game for {two:two}
        for {two:two}
        {_:game} is [a] [game] for {two:two}
        {two:two} play
        {count:count} players {names:player+}
        [a|this] game for {count:count} players {names:player+}
        {_:game} is [a] [game] for {count:count} players {names:player+}
        [the|there] [are] {count:count} players [are] [called|named] {names:player+}
        {count:count} players {names:player+} play
        {count:count} players {names:player+} take turns
        [players] {count:count} {names:player+}
        """,
    ),
    *table(
        "says",
        _two_players,
        """
        one player is|play [called] {one:player} and one is|play {other:player}
        one player is|play [called] {one:player} [and] your opponent {_:called} {other:player}
        one player is|play [called] {one:player} [and] the other [is|play] [called] {other:player}
        """,
    ),
    *table(
        "says",
        _intro,
        """
        {begins:name} move|moves|goes|plays|go|start|begin first
        {begins:name} start|begin [the] [game]
        {begins:name} has|makes the first move
        {begins:name} has the first move after which the players alternate
        start|begin|starting|beginning with {begins:name} [the] [players] [take] [turns]
        {begins:name} to move [first]
        it is {begins:name} 's turn first
        [with] {begins:name} start|starting|begin|beginning|first|opens|open
        """,
    ),
    *table(
        "says",
        (),
        """
        [and] then {_:name}
        followed by {_:name}
        then {_:name} and so on
        """,
    ),
)

_BOARDS = (
    *table(
        "says",
        _intro,
        """
        {board:board} [is] [used]
        [the] board [is|has] {board:board}
        the board consists|made of {board:board}
        the board is made of {board:board}
        the board stands upright and has {board:board}
        [is] [played|play] on {board:board}
        use|take|draw {board:board}
        there is {board:board}
        {_:game} [is] [played|play] [this] on {board:board}
        {_:game} take place on {board:board}
        {_:game} use|need|have {board:board}
        {_:game} is a game for {two:two} [play|played] on|with {board:board}
        a game for {two:two} [play] on {board:board}
        this game for {two:two} is played on {board:board}
        {_:game} is played by {two:two} on {board:board}
        {_:game} is played on {board:board} by {two:two}
        {_:game} is played on {board:board} by {count:count} players {names:player+}
        {_:game} is played by {count:count} players {names:player+} [on] [{board:board}]
        {two:two} play [against] [each] [other] on {board:board}
        {two:two} share|fill {board:board}
        [the] {_:count} players sit [round|around|at] {board:board}
        the {_:kind} is {board:board}
        {two:two} face each other across {board:board}
        {two:two} sit at {board:board}
        {names:player+} play on {board:board}
        {count:count} players {names:player+} play on {board:board}
        on {board:board} {_:any} plays against {_:any}
        {_:any} plays against {_:any} [on] {board:board}
        {_:any} plays against {_:any}
        on {board:board} {_:one_has} {_:any} [and] {_:other_has} {_:any}
        {_:one_has} {_:any} [and] {_:other_has} {_:any}
        """,
    ),
    *table(
        "says",
        _measures,
        """
        [the board is] {columns:number} {_:wide} [and] [by] {rows:number} [cell|row] {_:high}
        """,
    ),
    *table("wide", None, "[cell|column] wide|across"),
    *table("high", None, "high|tall|long|deep"),
    *table("called", None, "[is|play] [called]"),
    *table("one_has", None, "one player controls|plays|is|has"),
    *table("other_has", None, "your opponent [controls|plays|is|has]"),
)

_AT = "on|in|at|along|across"
_LINED = "[placed|positioned|set|lined|standing|located|lying|lie|put] [up]"
_WITH = "has|have|get|own|control|use"
_PIECES = (
    *table(
        "says",
        _started,
        f"""
        {{who:has_player}} {_WITH} {{piece:any}} [is] {_LINED} {_AT} {{region:region}}
        {{who:has_player}} start|begin with {{piece:any}} one {_AT} {{region:region}}
        {{who:has_player}} start|begin with {{piece:any}} {_LINED} {_AT} {{region:region}}
        {{who:has_player}} place|put|set|line [up] {{piece:any}} [up] {_AT} {{region:region}}
        {{who:has_player}} fill|occupy {{region:region}} with {{piece:any}}
        {{who:has_player}} {_WITH} {{piece:any}} fill|occupy|filling|occupying {{region:region}}
        {{who:has_player}} {_WITH} {{piece:any}} {{_:which}} {{_:at}} {{region:region}}
        {{who:has_player}} {_WITH} {{piece:any}} one {_AT} {{region:region}}
        {{who:has_player}} has|have {{count:count}} {_AT} {{region:region}}
        """,
    ),
    *table("which", None, "[one|all] [of] [which|that|each]"),
    *table(
        "says",
        _on_board,
        f"""
        {{who:has_player}} {_WITH} {{piece:any}} {_LINED} {_AT} {{region:region}} of {{board:board}}
        """,
    ),
    *table(
        "says",
        _stands,
        f"""
        {{piece:any}} start|begin|stand|sit|is|lie {_LINED} {_AT} {{region:region}}
        {{piece:any}} start|begin|is by fill|occupy {{region:region}}
        {{piece:any}} fill|occupy {{region:region}}
        place|put|set|lay [up] [only] {{piece:any}} {_AT} {{region:region}}
        there is {{piece:any}} {_AT} {{region:region}}
        """,
    ),
    *table("says", _named_stands, f"{{piece:any}} {_AT} {{region:region}}"),
    *table(
        "says",
        _two_stand,
        """
        {piece:any} {_:at} {region:region} [and] {other:name} 's {_:at} {there:region}
        """,
    ),
    *table("at", None, f"[start|begin|stand|is] {_AT}"),
    *table(
        "says",
        _stands_in_corner,
        """
        {piece:any} is|start|stand|begin [put|placed] in|on a|one corner [of] [the] [board]
        {piece:any} is|start|stand|begin [put|placed] in|on a|one corner of {board:board}
        """,
    ),
    *table(
        "says",
        _stands_on_board,
        f"{{piece:any}} is|start|stand [put|placed] {_AT} {{region:region}} of {{board:board}}",
    ),
    *table(
        "says",
        _owners_piece,
        f"{{player:name}} 's [{{kind:kind}}] [is|start|stand|begin] {_AT} {{region:region}}",
    ),
    *table(
        "says",
        _likewise,
        "{player:name} do the same [on|at|in|from] [the|your] [other|own|opposite] [side|end]",
    ),
    *table(
        "says",
        _hand,
        """
        {who:has_player} has|have|get|use|own|control {piece:any} [to] [place]
        {who:has_player} has|have|get {piece:any} in hand|reserve|supply
        {who:has_player} start|begin with {piece:any}
        {who:has_player} start|begin with {piece:any} in hand
        {who:has_player} start|begin with {piece:any} off the board
        """,
    ),
    *table("says", _hand_on_board, "{who:has_player} has|have {piece:any} each on {board:board}"),
    *table(
        "says", _two_hands, "{who:has_player} has|have {one:any} and {other:any} on {board:board}"
    ),
    *table(
        "says",
        _nobodys,
        """
        both [players] use|play|place|write {kind:kinds}
        """,
    ),
    *table(
        "says",
        (),
        """
        {_:has_player} [each] has|have|use a supply|lot|bunch of {_:kinds}
        {_:name} and {_:name} [each] has|have a supply of {_:kinds}
        {_:name} use|play [with] [the] {_:word} {_:word}
        {_:name} use|play [with] [the] {_:word} ones
        {_:name} use|play [with] {_:any}
        {_:name} at|on the top|bottom [and] [{_:name}] [at|on] [the] [top|bottom]
        """,
    ),
)

STARTS = (*_REGIONS, *_PEOPLE, *_BOARDS, *_PIECES)
