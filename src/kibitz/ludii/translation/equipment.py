"""Read the equipment of a game from its ludemes: players, board, pieces, hands, regions, maps."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.ludii.boards.graph import UnknownBoard
from kibitz.ludii.boards.topology import Topology, Track, build_board, build_mancala, tracks_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.problems import Failed, Unsupported

_MOST_SITES = 400


@dataclass(frozen=True)
class Piece:
    """A kind of piece: its name in the sheet, its owner (0 is nobody), and how it moves."""

    name: str
    owner: int
    moves: Ludeme | None = None
    facing: str | None = None
    is_alone: bool = False
    flips: tuple[int, ...] = ()
    """The two states between which it is turned over."""
    state: int = 0
    value: int = 0

    @property
    def full_name(self) -> str:
        """The name by which rules call it: with the number of its owner, unless it plays alone."""
        return self.name if self.is_alone else f"{self.name}{self.owner}"

    @property
    def term(self) -> str:
        """Its name in GDL, with its state and value unless they are 0."""
        name = "".join(c if c.isalnum() else "_" for c in self.full_name).lower()
        state = f"_{self.state}" if self.state else ""
        return f"{name}{state}_v{self.value}" if self.value else f"{name}{state}"


@dataclass
class Equipment:
    """Equipment of a game: its players, board, pieces, hands, regions, maps and tracks."""

    players: int
    board: Topology
    facing: dict[int, str] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    hands: dict[int, int] = field(default_factory=dict)
    """How many places the hand of each player has."""
    regions: list[tuple[str, int, Ludeme]] = field(default_factory=list)
    """Named regions: name, owner, and the ludeme, a region or a list of them."""
    maps: list[Ludeme] = field(default_factory=list)
    has_counts: bool = False
    """Whether sites hold any number of equal pieces, so that positions say how many."""
    tracks: list[Track] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    """The sites by number, as GDL calls them."""

    @property
    def kinds(self) -> list[Piece]:
        """The pieces without their states, in the order by which rules number them from 1."""
        return [piece for piece in self.pieces if not piece.state and not piece.value]

    def owned(self, player: int) -> list[Piece]:
        """Return the pieces of a player."""
        return [piece for piece in self.pieces if piece.owner == player]

    def named(self, name: str, player: int | None = None) -> list[Piece]:
        """Return the pieces that a name means: with or without its owner's number."""
        exact = [piece for piece in self.pieces if piece.full_name == name]
        loose = [piece for piece in self.pieces if piece.name == name]
        return exact or [piece for piece in loose if player in (None, piece.owner)]


def player_number(ludeme: Ludeme) -> int | None:
    """Return the number of a player written as P1, P2, …; 0 for Neutral and Shared.

    >>> from kibitz.ludii.tokens import parse_ludemes
    >>> player_number(parse_ludemes("P2", name="x"))
    2
    """
    if ludeme.shape != "word":
        return None
    if ludeme.name in ("Neutral", "Shared"):
        return 0
    return int(ludeme.name[1:]) if ludeme.name[:1] == "P" and ludeme.name[1:].isdigit() else None


def read_equipment(game: Ludeme) -> Equipment:
    """Read players and equipment; raise Unsupported for what is not known."""
    players = next(iter(game.calls("players")), None)
    equipment = next(iter(game.calls("equipment")), None)
    if players is None or equipment is None or not players.items:
        raise Unsupported(game, "a game needs players and equipment")
    count, facing = _players(players)
    items = [
        one for item in equipment.items for one in (item.items if item.shape == "list" else [item])
    ]
    board = next((item for item in items if item.name in ("board", "mancalaBoard")), None)
    if board is None:
        first = next((item for item in items if item.name.lower().endswith("board")), equipment)
        raise Unsupported(first)
    try:
        is_mancala = board.name == "mancalaBoard"
        topology = build_mancala(board) if is_mancala else build_board(board)
        tracks = tracks_of(board, topology) if is_mancala else []
    except (UnknownBoard, ZeroDivisionError, OverflowError) as error:
        raise Unsupported(board, str(error)) from None
    except (ValueError, LookupError) as error:
        raise Failed(board, f"{type(error).__name__}: {error}") from error
    if len(topology) > _MOST_SITES:
        raise Unsupported(board, f"more than {_MOST_SITES} sites")
    found = Equipment(count, topology, facing, tracks=tracks)
    found.has_counts = is_mancala
    found.sites = site_names(topology)
    for item in items:
        match item.name:
            case "board" | "mancalaBoard":
                pass
            case "piece":
                found.pieces += _pieces(item, count)
            case "hand":
                size = item.get("size")
                owner = item.items[0] if item.items else item
                number = player_number(owner)
                for player in range(1, count + 1) if owner.name == "Each" else [number]:
                    if player is None:
                        raise Unsupported(item)
                    found.hands[player] = int(size.name) if size else 1
            case "regions":
                found.regions += _regions(item)
            case "map":
                found.maps.append(item)
            case _:
                raise Unsupported(item)
    if is_mancala:
        found.sites += [f"hand{player}" for player in sorted(found.hands)]
    return found


def _players(ludeme: Ludeme) -> tuple[int, dict[int, str]]:
    first = ludeme.items[0]
    if first.shape == "list":
        facing = {
            number: player.items[0].name
            for number, player in enumerate(first.items, start=1)
            if player.items
        }
        return len(first.items), facing
    if not first.name.isdigit() or not 1 <= int(first.name) <= 8:
        raise Unsupported(ludeme)
    return int(first.name), {}


def _pieces(ludeme: Ludeme, players: int) -> list[Piece]:
    name = ludeme.items[0]
    owner = ludeme.items[1] if len(ludeme.items) > 1 else None
    if owner is not None and owner.name != "Each" and player_number(owner) is None:
        owner = None
    rest = ludeme.items[1 if owner is None else 2 :]
    if name.shape != "text":
        raise Unsupported(ludeme)
    owner = owner or Ludeme("word", "Each")
    calls = [item for item in rest if item.shape == "call" and not item.label]
    moves = next((item for item in calls if item.name != "flips"), None)
    turned = next((item for item in calls if item.name == "flips"), None)
    flips = tuple(int(item.name) for item in turned.items) if turned else ()
    facing = next((i.name for i in rest if i.shape == "word" and not i.label), None)
    if owner.name == "Each":
        owners = range(1, players + 1)
        return [Piece(name.name, owner, moves, facing, players == 1, flips) for owner in owners]
    number = player_number(owner)
    if number is None:
        raise Unsupported(owner)
    alone = number == players == 1 or owner.name == "Shared"
    return [Piece(name.name, number, moves, facing, alone, flips)]


def _regions(ludeme: Ludeme) -> list[tuple[str, int, Ludeme]]:
    name, owner = "", 0
    for item in ludeme.items:
        if item.shape == "text":
            name = item.name
        elif (number := player_number(item)) is not None:
            owner = number
        elif item.shape in ("list", "call"):
            return [(name, owner, item)]
        else:
            return [(name, owner, Ludeme("call", "sites", (item,), "", item.place))]
    raise Unsupported(ludeme)


def site_names(board: Topology) -> list[str]:
    """Return what GDL calls the sites of a board: their labels, with numbers where these repeat."""
    names = [label.lower() for label in board.labels]
    return [
        name if names.count(name) == 1 else f"{name}_{index}" for index, name in enumerate(names)
    ]
