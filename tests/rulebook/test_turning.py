"""Pieces that are turned over or pushed, and cells that several players choose at once.

Each game is played at random beside the same game in plain Python: in every state the boards that
one move leads to must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from kibitz.engine import CompiledGame, State
from kibitz.errors import RuleSheetError
from kibitz.gdl import read
from kibitz.rulebook import rulebook_gdl

Board = dict[tuple[int, int], str]
Boards = Callable[[Board, str, str], list[Board]]
PLAYERS = "Players: Black and White. "
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
STRAIGHT = [(x, y) for x, y in WAYS if not x or not y]


def board_of(state: State) -> Board:
    cells = (fluent.args for fluent in state.fluents if fluent.name == "cell")
    return {("_abcdef".index(str(x)), int(str(y))): str(held) for x, y, held in cells}


def after_moves(state: State) -> list[State]:
    """The states after each move of whoever is to move; a pass is no move here."""
    game = state.game
    legal = [state.legal(role) for role in game.roles]
    joints = [[legal[0][0], legal[1][0]]]
    for number, moves in enumerate(legal):
        if len(moves) > 1 or str(legal[1 - number][0]) == "noop":
            joints = [[move, legal[1][0]] if number == 0 else [legal[0][0], move] for move in moves]
    return [state.step(joint) for joint in joints if "pass" not in map(str, joint)]


def assert_played_alike(text: str, boards: Boards, *, matches: int = 6) -> None:
    game = CompiledGame(read(rulebook_gdl(PLAYERS + text)))
    choose = random.Random(1)
    for _ in range(matches):
        state = game.initial()
        for _ in range(14):
            if state.is_terminal:
                break
            mover = next(str(f.args[0]) for f in state.fluents if f.name == "control")
            other = "white" if mover == "black" else "black"
            after = after_moves(state)
            found = sorted(sorted(board_of(one).items()) for one in after)
            wanted = boards(board_of(state), mover, other)
            assert found == sorted(sorted(one.items()) for one in wanted)
            if not after:
                state = state.step([state.legal(role)[0] for role in game.roles])
            else:
                state = choose.choice(after)


def turned(board: Board, at: tuple[int, int], mover: str, other: str) -> list[tuple[int, int]]:
    found = []
    for dx, dy in WAYS:
        run, (x, y) = [], at
        while board.get((x + dx, y + dy)) == other:
            x, y = x + dx, y + dy
            run.append((x, y))
        if board.get((x + dx, y + dy)) == mover:
            found += run
    return found


OTHELLO = (
    "Size: 4 by 4. Black starts with pieces on b3 and c2. White starts with pieces on b2 and c3. "
    "On your turn, place a piece on an empty cell. A placed piece turns over each line of pieces "
    "of your opponent between it and another of yours. "
)
END = "If you cannot move, you pass. If nobody can move, whoever has more pieces wins."


@pytest.mark.parametrize("must", [False, True])
def test_enclosed_lines_are_turned_over(must: bool) -> None:
    def boards(board: Board, mover: str, other: str) -> list[Board]:
        after = []
        for at in (cell for cell, held in board.items() if held == "b"):
            cells = turned(board, at, mover, other)
            if cells or not must:
                after.append({**board, at: mover, **dict.fromkeys(cells, mover)})
        return after

    text = OTHELLO + ("A placed piece must turn over a piece. " if must else "")
    assert_played_alike(text + END, boards)


@pytest.mark.parametrize("off", [False, True])
def test_a_neighbour_is_pushed(off: bool) -> None:
    def boards(board: Board, mover: str, other: str) -> list[Board]:
        after = []
        for (x, y), held in board.items():
            for dx, dy in STRAIGHT if held == mover else ():
                near, far = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if board.get(near) == "b":
                    after.append({**board, (x, y): "b", near: mover})
                elif board.get(near) == other and board.get(far) == "b":
                    after.append({**board, (x, y): "b", near: mover, far: other})
                elif board.get(near) == other and off and far not in board:
                    after.append({**board, (x, y): "b", near: mover})
        return after

    text = (
        "Size: 4 by 4. Black starts with pieces on row 2. White starts with pieces on row 3. On "
        "your turn, move a piece one step straight to an empty cell or push with a piece straight "
        "a piece of your opponent to the empty cell behind it"
    )
    end = ". You lose if you have no piece left. The game is a draw if 20 turns have been played."
    assert_played_alike(text + " or off the board" * off + end, boards)


def test_single_pieces_are_turned_over_next_to_own_ones() -> None:
    def boards(board: Board, mover: str, other: str) -> list[Board]:
        return [
            {**board, (x, y): mover}
            for (x, y), held in board.items()
            if held == other and any(board.get((x + a, y + b)) == mover for a, b in STRAIGHT)
        ]

    assert_played_alike(
        "Size: 3 by 3. Black starts with pieces on row 1. White starts with pieces on row 3 and "
        "row 2. On your turn, turn over a piece of your opponent next to a piece of yours. You "
        "lose if you cannot move. The game is a draw if 9 turns have been played.".replace(
            "row 3 and row 2", "rows 2 and 3"
        ),
        boards,
    )


TOGETHER = (
    PLAYERS + "Size: 2 by 1. All players move at the same time. On your turn, place a piece on an "
    "empty cell. If one turn has been played, whoever has more pieces wins. "
)


def test_a_cell_that_both_choose_stays_empty() -> None:
    text = TOGETHER + "If players choose the same cell, it stays empty."
    game = CompiledGame(read(rulebook_gdl(text)))
    start = game.initial()
    left, right = start.legal("black")
    assert board_of(start.step([left, left])) == {(1, 1): "b", (2, 1): "b"}
    assert board_of(start.step([left, right])) == {(1, 1): "black", (2, 1): "white"}


def test_what_becomes_of_a_cell_that_both_choose_must_be_said() -> None:
    with pytest.raises(RuleSheetError, match="if players choose the same cell"):
        rulebook_gdl(TOGETHER)


def chains(board: Board, cell: tuple[int, int], mover: str, other: str) -> list[Board]:
    """The boards after one to three jumps of a piece, each over another piece, none straight back.

    What is jumped over stays there until the move is over.
    """
    found: list[Board] = []

    def go_on(at: tuple[int, int], over: list[tuple[int, int]]) -> None:
        for x, y in STRAIGHT:
            middle, end = (at[0] + x, at[1] + y), (at[0] + 2 * x, at[1] + 2 * y)
            if board.get(middle) == other and board.get(end) == "b" and over[-1:] != [middle]:
                jumped = [*over, middle]
                gone = dict.fromkeys([cell, *jumped], "b")
                found.append({**board, **gone, end: mover})
                if len(jumped) < 3:
                    go_on(end, jumped)

    go_on(cell, [])
    return found


def test_a_move_may_have_several_jumps() -> None:
    text = (
        "Size: 5 by 5. Black starts with pieces on a1, c1, e1 and c3. White starts with pieces on "
        "b1, b2, d2, d4, b4 and c5. On your turn, jump with a piece straight over a piece of your "
        "opponent to the empty cell behind it, which captures it. A move may have up to three "
        "jumps of the same piece. On your turn, move a piece one step straight to an empty cell. "
        "You lose if you have no piece left. The game is a draw if 12 turns have been played."
    )

    def boards(board: Board, mover: str, other: str) -> list[Board]:
        own = [cell for cell, held in board.items() if held == mover]
        steps = [
            {**board, cell: "b", (cell[0] + x, cell[1] + y): mover}
            for cell in own
            for x, y in STRAIGHT
            if board.get((cell[0] + x, cell[1] + y)) == "b"
        ]
        return steps + [after for cell in own for after in chains(board, cell, mover, other)]

    assert_played_alike(text, boards)


def test_hops_without_captures_are_known_by_where_they_end() -> None:
    text = (
        "The board is a row of 6 cells. Players: White and Black. White starts with a piece on 1. "
        "Black starts with pieces on 2 and 4. On your turn, jump with a piece straight over a "
        "piece to the empty cell behind it. You may make up to two jumps in one move. "
        "You lose if you cannot move."
    )
    state = CompiledGame(read(rulebook_gdl(text))).initial()
    assert sorted(map(str, state.legal("white"))) == ["(hop 1 3)", "(hop 1 5)"]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("A move may have up to nine jumps of the same piece.", "at most 2 to 4 jumps"),
        ("A move may have up to two jumps of the same piece.", "no piece jumps"),
    ],
)
def test_jumps_in_a_move_need_pieces_that_jump(sentence: str, message: str) -> None:
    text = "Size: 3 by 3. Players: White and Black. White starts with a piece on a1. "
    text += f"On your turn, move a piece one step straight. You lose if you cannot move. {sentence}"
    with pytest.raises(RuleSheetError, match=message):
        rulebook_gdl(text)
