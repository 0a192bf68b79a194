"""Games of men that move and capture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.games.by_hand.kinds import (
    Alternating,
    Board,
    blank,
    cells,
    put,
    show_cells,
    won_by,
)


class Race(Alternating[Board]):
    """White moves up from the first rows, black down from the last."""

    roles = ("white", "black")
    steps: tuple[tuple[int, int], ...]
    """Rows ahead and columns aside of each move."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def start(self) -> Board:
        return self.ranks(["white", "white", *["b"] * (self.rows - 4), "black", "black"])

    def ranks(self, contents: list[str]) -> Board:
        return tuple((content,) * self.cols for content in contents)

    def may_enter(self, target: str | None, own: str, aside: int) -> bool:
        return target is not None and target != own

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        own, up = self.roles[turn], 1 - 2 * turn
        at = cells(board)
        return {
            f"(move {r} {c} {r + up * dr} {c + dc})": put(
                board, (r, c, "b"), (r + up * dr, c + dc, own)
            )
            for r, c in at
            if at[r, c] == own
            for dr, dc in self.steps
            if self.may_enter(at.get((r + up * dr, c + dc)), own, dc)
        }

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        men = [content for row in board for content in row]
        if "white" in board[-1] or "black" not in men:
            return won_by(0)
        if "black" in board[0] or "white" not in men:
            return won_by(1)
        return None

    def show(self, board: Board) -> Iterable[str]:
        return show_cells(board)


class Breakthrough(Race):
    steps = ((1, 0), (1, -1), (1, 1))

    def may_enter(self, target: str | None, own: str, aside: int) -> bool:
        return target == "b" or (target not in (None, own) and aside != 0)


class Knightthrough(Race):
    steps = ((1, -2), (1, 2), (2, -1), (2, 1))


class PawnWhopping(Race):
    steps = ((1, 0), (1, -1), (1, 1))

    def start(self) -> Board:
        return self.ranks(["b", "white", *["b"] * (self.rows - 4), "black", "b"])

    def may_enter(self, target: str | None, own: str, aside: int) -> bool:
        return target == "b" if aside == 0 else target not in (None, "b", own)

    def pawn_moves(self, board: Board, turn: int) -> dict[str, Board]:
        own, up, first = (("white", 1, 2), ("black", -1, self.rows - 1))[turn]
        at = cells(board)
        found = super().options(board, turn)
        for c in range(1, self.cols + 1):
            if at[first, c] == own and at[first + up, c] == at[first + 2 * up, c] == "b":
                found[f"(move {first} {c} {first + 2 * up} {c})"] = put(
                    board, (first, c, "b"), (first + 2 * up, c, own)
                )
        return found

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        return self.pawn_moves(board, turn) or {"noop": board}

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        stuck = not self.pawn_moves(board, 0) and not self.pawn_moves(board, 1)
        return super().result(board, turn) or ((50, 50) if stuck else None)


class ThreeMensMorris(Alternating[Board]):
    """How many men are in hand shows on the board: three less those that stand on it."""

    roles = ("xplayer", "oplayer")

    def start(self) -> Board:
        return blank(3, 3)

    def options(self, board: Board, turn: int) -> dict[str, Board]:
        own = "xo"[turn]
        at = cells(board)
        men = [cell for cell in at if at[cell] == own]
        empty = [cell for cell in at if at[cell] == "b"]
        if len(men) < 3:
            return {f"(place {r} {c})": put(board, (r, c, own)) for r, c in empty}
        return {
            f"(move {r} {c} {r2} {c2})": put(board, (r, c, "b"), (r2, c2, own))
            for r, c in men
            for r2, c2 in empty
            if self.are_joined(r, c, r2, c2)
        }

    def are_joined(self, r: int, c: int, r2: int, c2: int) -> bool:
        """Neighbours in a row or column are; diagonally, only the centre and a corner are."""
        apart = abs(r - r2), abs(c - c2)
        return sorted(apart) == [0, 1] or (apart == (1, 1) and (2, 2) in [(r, c), (r2, c2)])

    def result(self, board: Board, turn: int) -> tuple[int, int] | None:
        (a, b, c), (d, e, f), (g, h, i) = board
        lines = [a + b + c, d + e + f, g + h + i, a + d + g, b + e + h, c + f + i]
        lines += [a + e + i, c + e + g]
        return won_by(0) if "xxx" in lines else won_by(1) if "ooo" in lines else None

    def show(self, board: Board) -> Iterable[str]:
        yield from show_cells(board)
        for role, sign in zip(self.roles, "xo", strict=True):
            yield f"(hand {role} {3 - sum(row.count(sign) for row in board)})"


Table = tuple[Board, frozenset[str], int]
"""Tic tac chec: the board, the pawns on their way back, and the turns played, up to six."""


class TicTacChec(Alternating[Table]):
    roles = ("white", "black")
    men = (("wp", "wn", "wb", "wr"), ("bp", "bn", "bb", "br"))
    rook = ((1, 0), (-1, 0), (0, 1), (0, -1))
    bishop = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    knight = ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))

    def start(self) -> Table:
        return blank(4, 4), frozenset(), 0

    def options(self, table: Table, turn: int) -> dict[str, Table]:
        board, returning, played = table
        at = cells(board)
        found = {}
        for man in self.in_hand(board, turn):
            for r, c in at:
                if at[r, c] == "b":
                    after = put(board, (r, c, man))
                    found[f"(enter {man} {r} {c})"] = self.table(after, returning, man, r, played)
        if played < 6:
            return found
        for (r, c), man in at.items():
            if man in self.men[turn]:
                for r2, c2 in self.targets(at, r, c, man, returning):
                    if at[r2, c2] not in self.men[turn]:
                        after = put(board, (r, c, "b"), (r2, c2, man))
                        left = returning - {at[r2, c2]}
                        move = f"(move {r} {c} {r2} {c2})"
                        found[move] = self.table(after, left, man, r2, played)
        return found

    def in_hand(self, board: Board, player: int) -> list[str]:
        return [man for man in self.men[player] if not any(man in row for row in board)]

    def table(
        self, board: Board, returning: frozenset[str], man: str, row: int, played: int
    ) -> Table:
        """Give what is on the table when a man has arrived at a row."""
        if (man, row) in [("wp", 4), ("bp", 1)]:
            returning |= {man}
        if (man, row) in [("wp", 1), ("bp", 4)]:
            returning -= {man}
        return board, returning, min(played + 1, 6)

    def targets(
        self,
        at: dict[tuple[int, int], str],
        r: int,
        c: int,
        man: str,
        returning: frozenset[str],
    ) -> Iterator[tuple[int, int]]:
        """Give the cells that a man reaches, those of own men among them."""
        match man[1]:
            case "p":
                up = (1 if man == "wp" else -1) * (-1 if man in returning else 1)
                if at.get((r + up, c)) == "b":
                    yield r + up, c
                for aside in -1, 1:
                    if at.get((r + up, c + aside), "b") != "b":
                        yield r + up, c + aside
            case "n":
                yield from ((r + dr, c + dc) for dr, dc in self.knight if (r + dr, c + dc) in at)
            case slider:
                for dr, dc in self.rook if slider == "r" else self.bishop:
                    for i in range(1, 4):
                        cell = r + i * dr, c + i * dc
                        if cell not in at:
                            break
                        yield cell
                        if at[cell] != "b":
                            break

    def result(self, table: Table, turn: int) -> tuple[int, int] | None:
        at = cells(table[0])
        for player, men in enumerate(self.men):
            for r, c in at:
                for dr, dc in (0, 1), (1, 0), (1, 1), (1, -1):
                    if all(at.get((r + i * dr, c + i * dc)) in men for i in range(4)):
                        return won_by(player)
        return None

    def show(self, table: Table) -> Iterable[str]:
        board, returning, played = table
        yield from show_cells(board)
        yield from (f"(hand {man})" for player in (0, 1) for man in self.in_hand(board, player))
        yield from (f"(returning {man})" for man in returning)
        yield f"(opening {6 - played})"
