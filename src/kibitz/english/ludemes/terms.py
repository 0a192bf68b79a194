"""Rules in; out what a sheet of Ludii calls their board, players, pieces, places and directions."""

from __future__ import annotations

import math
from collections.abc import Iterable

import kibitz.rulebook as m
from kibitz.ludii import build_board, parse_ludemes
from kibitz.rulebook import ANYONE, OPPONENT, YOU

MOVER, NEXT = "Mover", "Next"
Cell = tuple[str, ...]

_SQUARE_WAYS = {
    "in any direction": ["Adjacent"],
    "straight": ["Orthogonal"],
    "diagonally": ["Diagonal"],
    "up": ["N"],
    "down": ["S"],
    "left": ["W"],
    "right": ["E"],
    "sideways": ["W", "E"],
    "forward": ["Forward"],
    "backward": ["Backward"],
    "diagonally forward": ["FL", "FR"],
    "diagonally backward": ["BL", "BR"],
}
_HEXAGON_WAYS = {
    "in any direction": ["Adjacent"],
    "straight": ["Adjacent"],
    "up": ["ESE"],
    "down": ["WNW"],
    "left": ["WSW"],
    "right": ["ENE"],
}
_ROW_WAYS = {
    "in any direction": ["Adjacent"],
    "straight": ["Adjacent"],
    "sideways": ["W", "E"],
    "left": ["W"],
    "right": ["E"],
    "forward": ["Forward"],
}
_POINT_WAYS = {word: ["Adjacent"] for word in ("in any direction", "straight", "along a line")}


_MANY = 4


def _union(parts: Iterable[str]) -> str:
    found = list(parts)
    return found[0] if len(found) == 1 else f"(union {{{' '.join(found)}}})"


class NoLudeme(Exception):  # noqa: N818 - no error: the game is written in another way
    """Carries the sentence that is not written in ludemes."""

    def __init__(self, sentence: m.Sentence) -> None:
        super().__init__(m.write_rulebook(m.Rules((sentence,))))


class Terms:
    """What all parts of a sheet share. Players count from the one who begins."""

    def __init__(self, rules: m.Rules) -> None:
        self.rules = rules
        self.translation = m.Translation(rules)
        board = next((one for one in rules.sentences if isinstance(one, m.BOARDS)), None)
        if self.translation.geometry is None or board is None:
            raise NoLudeme(board or rules.sentences[0])
        self.geometry = self.translation.geometry
        self.board_sentence = board
        self.is_hexagonal = isinstance(board, m.Grid) and board.shape == "hexagon"
        self.count = len(self.translation.roles)
        if self.count > 2:  # after the first result the others play on
            raise NoLudeme(rules.all(m.Players)[0])
        begins = rules.one(m.Begins)
        first = self.translation.role(begins.player) if begins else self.translation.roles[0]
        self.first = self.translation.number(first)
        self.neutral = list(self.translation.neutral)
        if any(isinstance(move, m.Domino) for _, move in self.translation.moves):
            self.neutral.append("domino")
        self.board, self.token = self._board(board)
        self.regions: dict[str, str] = {}
        """The regions that differ from player to player, each with the text of its ludemes."""

    # Players

    def number(self, role: str) -> int:
        """Return the number of a player in the sheet, from 1 on."""
        return (self.translation.number(role) - self.first) % self.count + 1

    def who(self, owner: str, me: str) -> str:
        """Return the word for an owner: Mover, Next or P1; `me` is who is spoken of."""
        if owner == YOU:
            return me
        if owner == OPPONENT:
            return {MOVER: NEXT, NEXT: MOVER, "P1": "P2", "P2": "P1"}[me]
        return f"P{self.number(self.translation.role(owner))}"

    def players(self) -> str:
        """Return the ludeme of the players, with where they look if moves ask for that."""
        words = {
            word
            for _, move in self.translation.moves
            for word in getattr(move, "directions", ())
            if "forward" in word or "backward" in word
        }
        if not words:
            return f"(players {self.count})"
        ahead = ("E", "W") if isinstance(self.board_sentence, m.Row) else ("N", "S")
        facing = [ahead[(self.first + n) % self.count % 2] for n in range(self.count)]
        return f"(players {{{' '.join(f'(player {one})' for one in facing)}}})"

    # Pieces

    def called(self, kind: str) -> str:
        """Return the name of a kind of piece."""
        return "Disc" if kind == "piece" else kind.capitalize()

    def kind_of(self, role: str, kind: str) -> str:
        """Return the kind that is meant: a piece is whatever a player has, if of one kind."""
        own = self.translation.kinds[role]
        return own[0] if kind == "piece" and len(own) == 1 else kind

    def pieces(self) -> list[str]:
        """Return the ludemes of all kinds of pieces."""
        roles, kinds = self.translation.roles, self.translation.kinds
        every = list(dict.fromkeys(kind for own in kinds.values() for kind in own))
        found = [f'(piece "{self.called(kind)}" Neutral)' for kind in self.neutral]
        for kind in every:
            owners = [role for role in roles if kind in kinds[role]]
            words = ["Each"] if owners == list(roles) else [f"P{self.number(r)}" for r in owners]
            found += [f'(piece "{self.called(kind)}" {word})' for word in words]
        return found

    def contents(self) -> dict[str, str]:
        """Return for each piece of the sheet what a cell holds in the game of the sentences."""
        found = {f"{self.called(kind).lower()}0": kind for kind in self.neutral}
        for role, kinds in self.translation.kinds.items():
            number = self.number(role) if self.count > 1 else ""
            for kind in kinds:
                found[f"{self.called(kind).lower()}{number}"] = self.translation.content(role, kind)
        return found

    def piece(self, kind: str, who: str) -> str:
        """Return the piece of a kind that belongs to a player, or to nobody."""
        if kind in self.neutral:
            return f'(id "{self.called(kind)}0")'
        owners = [r for r, own in self.translation.kinds.items() if self.kind_of(r, kind) in own]
        kinds = {self.kind_of(role, kind) for role in owners}
        if len(kinds) != 1:
            raise NoLudeme(self.rules.sentences[0])
        return f'(id "{self.called(kinds.pop())}" {who})'

    def stands(self, piece: m.Whose, site: str) -> str:
        """Return the condition that a piece is on a site."""
        if piece.kind in self.neutral:
            return f"(= (what at:{site}) {self.piece(piece.kind, MOVER)})"
        if piece.owner == ANYONE and piece.kind == "piece":
            return f"(is Occupied {site})"
        if piece.kind == "piece" and piece.owner in (YOU, OPPONENT):
            return f"(is {'Friend' if piece.owner == YOU else 'Enemy'} (who at:{site}))"
        return f"(= (what at:{site}) {self.piece(piece.kind, self.who(piece.owner, MOVER))})"

    def occupied(self, owner: str, kind: str, me: str) -> str:
        """Return the sites on which a player has pieces of a kind."""
        if kind in self.neutral:
            return f'(sites Occupied by:Neutral component:"{self.called(kind)}")'
        who = "All" if owner == ANYONE else self.who(owner, me)
        if kind == "piece" or self.translation.is_plain:
            return f"(sites Occupied by:{who})"
        return f'(sites Occupied by:{who} component:"{self.called(kind)}")'

    # Places

    def _board(self, board: m.Sentence) -> tuple[str, dict[Cell, str]]:
        """Return the ludeme of the board, and how the sheet names each of its cells."""
        cells = self.geometry.cells
        if isinstance(board, m.Grid):
            return self._grid(board)
        token = {cell: str(number) for number, cell in enumerate(cells)}
        if isinstance(board, m.Row):
            return f"(board (rectangle 1 {len(cells)}))", token
        return f"(board {self._circle(token)} use:Vertex)", token

    def _grid(self, board: m.Grid) -> tuple[str, dict[Cell, str]]:
        """Return a board of squares, or a rhombus of hexagons, perhaps with cells left out."""
        if self.is_hexagonal:
            if board.columns != board.rows:
                raise NoLudeme(board)
            shape = f"(hex Diamond {board.rows})"
        elif board.columns == board.rows:
            shape = f"(square {board.rows})"
        else:
            shape = f"(rectangle {board.rows} {board.columns})"
        labels = build_board(parse_ludemes(f"(board {shape})", name="board")).labels
        cell_of = [self._cell(board, label) for label in labels]
        known = set(self.geometry.cells)
        if len(known) == len(cell_of):
            return f"(board {shape})", {
                cell: f'"{label}"' for label, cell in zip(labels, cell_of, strict=True)
            }
        missing = [str(number) for number, cell in enumerate(cell_of) if cell not in known]
        left = [cell for cell in cell_of if cell in known]
        text = f"(board (remove {shape} cells:{{{' '.join(missing)}}}))"
        return text, {cell: str(number) for number, cell in enumerate(left)}

    def _cell(self, board: m.Grid, label: str) -> Cell:
        """Return the cell of a label; on hexagons rows count from the other side."""
        letter, row = label[0].lower(), int(label[1:])
        return letter, str(board.rows + 1 - row if self.is_hexagonal else row)

    def _circle(self, token: dict[Cell, str]) -> str:
        """Return points on a circle, clockwise, with lines between those that are joined."""
        turn = 2 * math.pi / len(token)
        places = [(5 * math.sin(turn * n), 5 * math.cos(turn * n)) for n in range(len(token))]
        points = " ".join(f"{{{x:.3f} {y:.3f}}}" for x, y in places)
        joined = {
            tuple(sorted((int(token[a]), int(token[b]))))
            for steps in self.geometry.steps.values()
            for a, b in steps.items()
        }
        lines = " ".join(f"{{{a} {b}}}" for a, b in sorted(joined))
        return f"(graph vertices:{{{points}}} edges:{{{lines}}})"

    def sites(self, cells: Iterable[Cell]) -> str:
        """Return the region of some cells: the board, a few whole rows or columns, or a list."""
        found = list(dict.fromkeys(cells))
        if len(found) == len(self.geometry.cells):
            return "(sites Board)"
        board = self.board_sentence
        if isinstance(board, m.Grid) and not self.is_hexagonal and not self.rules.all(m.Missing):
            rows = sorted({int(cell[1]) - 1 for cell in found})
            columns = sorted({ord(cell[0]) - ord("a") for cell in found})
            if len(found) == len(rows) * board.columns and len(rows) < _MANY:
                ends = {0: "Bottom", board.rows - 1: "Top"}
                return _union(f"(sites {ends.get(n, f'Row {n}')})" for n in rows)
            if len(found) == len(columns) * board.rows and len(columns) < _MANY:
                ends = {0: "Left", board.columns - 1: "Right"}
                return _union(f"(sites {ends.get(n, f'Column {n}')})" for n in columns)
        return self._listed(found)

    def _listed(self, cells: Iterable[Cell]) -> str:
        return f"(sites {{{' '.join(self.token[cell] for cell in cells)}}})"

    def region(self, region: m.Region, me: str, where: m.Sentence) -> str:
        """Return a region, as a player sees it."""
        roles = self.translation.roles
        each = [self.geometry.region(region, n, where) for n in range(self.count)]
        if all(one == each[0] for one in each):
            return self.sites(each[0])
        if me not in (MOVER, NEXT):
            return self.sites(each[[self.number(role) for role in roles].index(int(me[1:]))])
        texts = [f"P{self.number(role)} {self.sites(each[n])}" for n, role in enumerate(roles)]
        name = self.regions.setdefault(
            "|".join(texts), "Goal" + str(len(self.regions) + 1) * bool(self.regions)
        )
        return f'(sites {me} "{name}")'

    def region_ludemes(self) -> list[str]:
        """Return the regions that differ from player to player."""
        return [
            f'(regions "{name}" {text})'
            for texts, name in self.regions.items()
            for text in texts.split("|")
        ]

    def beside(self, region: str) -> str:
        """Return the sites next to a region."""
        return f"(sites Around {region} {self.straight})"

    @property
    def straight(self) -> str:
        """The direction of neighbours."""
        is_square = self.geometry.is_grid and not self.is_hexagonal
        return "Orthogonal" if is_square else "Adjacent"

    def ways(self, words: tuple[str, ...], where: m.Sentence) -> str:
        """Return the directions that words mean."""
        table = (
            _HEXAGON_WAYS
            if self.is_hexagonal
            else _SQUARE_WAYS
            if self.geometry.is_grid
            else _ROW_WAYS
            if isinstance(self.board_sentence, m.Row)
            else _POINT_WAYS
        )
        if any(word not in table for word in words):
            raise NoLudeme(where)
        found = list(dict.fromkeys(way for word in words for way in table[word]))
        return found[0] if len(found) == 1 else f"(directions {{{' '.join(found)}}})"
