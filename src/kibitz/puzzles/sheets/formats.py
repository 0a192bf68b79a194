"""Puzzles in, text for programs out: CSV as on puzzle sites, JSON, decks of flash cards."""

from __future__ import annotations

import csv
import io
import json


from kibitz.board import escape, CellRef, Mark, arrange, cell_text, layout_of, mark_fluent, svg_board
from kibitz.engine import State
from kibitz.gdl import parse_terms
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.sheets.answer_text import answer_of, question_of

__all__ = [
    "answer_board",
    "answer_state",
    "as_json",
    "board_code",
    "to_csv",
    "to_deck",
    "to_json",
]

SITE_COLUMNS = (
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
)
"""The columns of lichess.org's puzzle database, in their order."""


def to_csv(puzzles: PuzzleSet) -> str:
    """Write puzzles as CSV: the columns of puzzle sites, and then more.

    A position is written row by row as chess positions are, where the board is a grid, and always
    by its fluents in the column Position. Columns for what is not measured are empty.
    """
    skills = list(dict.fromkeys(name for puzzle in puzzles for name, _ in puzzle.chances))
    more = ["Game", "Role", "WinIn", "Level", "WinningMoves", "Remoteness", "Score", "SlowerMoves"]
    are_searched = any(puzzle.claim for puzzle in puzzles)
    players = list(dict.fromkeys(one.player for puzzle in puzzles for one in puzzle.attempts))
    chances = [f"Chance {name}" for name in skills]
    chances += [f"{what} {name}" for name in players for what in ("Finds", "Low", "High")]
    if are_searched:
        more += ["Proved", "Refutations"]
    are_played = any(puzzle.played for puzzle in puzzles)
    if are_played:
        more += ["Opening"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*SITE_COLUMNS, *more, *chances, "Position"])
    for puzzle in puzzles:
        known = dict(puzzle.chances)
        tried = {one.player: one for one in puzzle.attempts}
        proved = [puzzle.claim, "; ".join(map(str, puzzle.refutations))]
        writer.writerow(
            [
                puzzle.name,
                board_code(puzzle),
                " ".join(puzzle.line),
                puzzle.rating,
                *["", "", ""],
                _themes(puzzle),
                *["", ""],
                puzzles.game,
                puzzle.role,
                "" if puzzle.win_in is None else puzzle.win_in,
                puzzle.level.value,
                " ".join(puzzle.first_moves),
                "" if puzzle.remoteness is None else puzzle.remoteness,
                "" if puzzle.score is None else f"{puzzle.score:.6f}",
                " ".join(puzzle.slower_moves),
                *(proved if are_searched else ()),
                *([" ".join(puzzle.opening)] if are_played else ()),
                *[f"{known[name]:.6f}" if name in known else "" for name in skills],
                *[
                    f"{number:.6f}" if name in tried else ""
                    for name in players
                    for number in (
                        (tried[name].share, *tried[name].interval) if name in tried else (0, 0, 0)
                    )
                ],
                " ".join(map(str, puzzle.state.fluents)),
            ]
        )
    return out.getvalue()


def to_json(puzzles: PuzzleSet) -> str:
    """Write puzzles as JSON."""
    return json.dumps(as_json(puzzles), indent=1, ensure_ascii=False) + "\n"


def as_json(puzzles: PuzzleSet) -> dict[str, object]:
    """Return puzzles as plain values."""
    return {
        "game": puzzles.game,
        "role": puzzles.role,
        "k1": puzzles.own,
        "k2": puzzles.other,
        "positions": puzzles.positions,
        "of_level": puzzles.of_level,
        "way": puzzles.way,
        **({"matches": puzzles.matches, "seconds": puzzles.seconds} if puzzles.matches else {}),
        "puzzles": [{**p.as_json(), "board": board_code(p)} for p in puzzles],
        **({"why": puzzles.why, "hint": puzzles.hint} if puzzles.why else {}),
    }


def to_deck(puzzles: PuzzleSet) -> str:
    """Write puzzles as a text file that Anki and other flash-card programs import.

    Each line is one card: a name that stays the same from one import to the next, the question
    with the board as a picture, the answer, and tags.
    """
    lines = ["#separator:tab", "#html:true", "#guid column:1", "#tags column:4"]
    for puzzle in puzzles:
        layout = layout_of(puzzle.state.game)
        question = f"{svg_board(puzzle.state, layout)}<p>{escape(question_of(puzzle))}</p>"
        answer = f"{answer_board(puzzle)}<p>{escape(answer_of(puzzle))}</p>"
        fields = [puzzle.name, question, answer, _themes(puzzle)]
        lines.append("\t".join(" ".join(part.split()) for part in fields))
    return "\n".join(lines) + "\n"


def board_code(puzzle: Puzzle) -> str:
    """Write a position row by row, empty cells as numbers, and who is to move.

    Where there is no single grid of cells with a letter each, it is written by its fluents.
    """
    layout = layout_of(puzzle.state.game)
    fluents = puzzle.state.fluents
    if len(layout.boards) == 1 and layout.boards[0].kind in ("grid", "points", "strip", "hex"):
        board = layout.boards[0]
        position = arrange(layout, fluents)
        rows: dict[float, list[tuple[float, str]]] = {}
        for i, cell in enumerate(board.cells):
            text = cell_text(board, position.at(CellRef(0, i))).strip()
            rows.setdefault(cell.y, []).append((cell.x, text))
        if not position.labels and all(len(t) <= 1 for row in rows.values() for _, t in row):
            return f"{'/'.join(_row(sorted(rows[y])) for y in sorted(rows))} {puzzle.role}"
    return " ".join(map(str, fluents))


def _row(cells: list[tuple[float, str]]) -> str:
    written = ""
    empty = 0
    for _, text in cells:
        if text in ("", ".", "·"):
            empty += 1
            continue
        written += (str(empty) if empty else "") + text
        empty = 0
    return written + (str(empty) if empty else "")


def answer_board(puzzle: Puzzle) -> str:
    """Draw the position after the first move of the answer, with what is new marked."""
    state, marks = answer_state(puzzle)
    return svg_board(state, layout_of(state.game), marks=marks)


def answer_state(puzzle: Puzzle) -> tuple[State, list[Mark]]:
    """Return the position after the first move of the answer, and marks on what is new."""
    state = puzzle.state
    layout = layout_of(state.game)
    if not puzzle.line:
        return state, []
    move = parse_terms(puzzle.line[0])[0]
    joint = [move if role == puzzle.role else state.legal(role)[0] for role in state.game.roles]
    after = state.step(joint)
    new = [mark_fluent(layout, f, "last") for f in after.fluents if f not in set(state.fluents)]
    return after, [mark for mark in new if mark.cells]


def _themes(puzzle: Puzzle) -> str:
    themes = [puzzle.level.value]
    if puzzle.task != "win":
        themes.append(puzzle.task)
    elif puzzle.win_in is None:
        themes.append("balanced")
    else:
        themes.append(f"winIn{puzzle.win_in}")
    themes += puzzle.themes
    if len(puzzle.first_moves) == 1:
        themes.append("onlyMove")
    return " ".join(themes)
