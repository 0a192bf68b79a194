"""Write puzzles as sheets, HTML, CSV, JSON and card decks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kibitz.board import (
    CellRef,
    Figure,
    Mark,
    arrange,
    cell_text,
    escape,
    in_rows,
    layout_of,
    mark_fluent,
    on_paper,
    pages_to_pdf,
    picture_of,
    svg_board,
    to_svg,
)
from kibitz.engine import CompiledGame, Role, State
from kibitz.english import say_move, scene_of
from kibitz.gdl import parse_terms
from kibitz.pages import write_page
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, Refutation, within_text
from kibitz.wording import join_words, win_in_text

if TYPE_CHECKING:
    from kibitz.puzzles.puzzle import Puzzle, PuzzleSet


def question_of(puzzle: Puzzle) -> str:
    """Write the question; the board shows whose turn it is.

    Where a role may choose twice in a row, moves of both players are counted instead of rounds.
    """
    if puzzle.task == "draw":
        return "Save the draw"
    if puzzle.win_in is None:
        return "An even match: play on"
    if puzzle.task == "defend":
        when = within_text(puzzle.win_in, alternates=puzzle.alternates)
        return f"Find the move that does not lose {when}"
    if not puzzle.alternates:
        return f"Win {within_text(puzzle.win_in, alternates=False)}"
    return win_in_text(puzzle.win_in).capitalize()


def answer_of(puzzle: Puzzle) -> str:
    """Write the answer: the right moves, and one line of best play."""
    line = _line_text(puzzle, puzzle.line)
    text = " or ".join(_choices(puzzle, puzzle.first_moves))
    if line:
        text = f"{text}; such as {line}" if len(puzzle.first_moves) > 1 else line
    if not puzzle.slower_moves:
        return text
    wins = "wins" if len(puzzle.slower_moves) == 1 else "win"
    return f"{text}; {join_words(_choices(puzzle, puzzle.slower_moves))} also {wins}, but later"


def refutation_text(puzzle: Puzzle, refutation: Refutation) -> str:
    """Write a wrong move with what shows that it is wrong."""
    return f"{_line_text(puzzle, (refutation.move, *refutation.line))}: {refutation.result}"


def opening_text(puzzle: Puzzle) -> str:
    """Write the moves of the match that led to the position."""
    start = puzzle.state.game.initial()
    return ", ".join(text for _, text in _said(start, puzzle.opening, ""))


def _choices(puzzle: Puzzle, moves: Iterable[str]) -> list[str]:
    """Write moves of the role that is to move in the position."""
    return [text for move in moves for _, text in _said(puzzle.state, [move], puzzle.role)]


def _line_text(puzzle: Puzzle, line: Iterable[str]) -> str:
    """Write a line of play; what others play is in brackets."""
    text = ""
    for role, move in _said(puzzle.state, line, puzzle.role):
        is_own = role == puzzle.role
        text += (f", {move}" if text else move) if is_own else f" (reply: {move})"
    return text


def _said(state: State, line: Iterable[str], first: Role) -> Iterator[tuple[Role, str]]:
    """Yield the role and the words of each move of a line; `first` moves first if it can."""
    game = state.game
    for text in line:
        legal = {role: {game.write(m): m for m in state.legal(role)} for role in game.roles}
        movers = [role for role in game.roles if text in legal[role]]
        if not movers:  # two choose at once, and the line has one of the choices
            yield first, text
            return
        role = min(movers, key=lambda r: (r != first, len(legal[r]) == 1))
        move = legal[role][text]
        yield role, say_move(scene_of(game, role), move) if isinstance(game, CompiledGame) else text
        others = {r: next(iter(moves.values())) for r, moves in legal.items()}
        state = state.step([move if r == role else others[r] for r in game.roles])
        first = ""


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


def html_of(puzzle: Puzzle) -> str:
    """Show a puzzle: its board, the question, and the collapsed answer."""
    caption = f"{question_of(puzzle)} ({puzzle.role}; {puzzle.level.value}, rated {puzzle.rating})"
    return (
        f"<figure>{svg_board(puzzle.state)}<figcaption>{escape(caption)}"
        f"<details><summary>Answer</summary>{escape(answer_of(puzzle))}<br>{answer_board(puzzle)}"
        "</details></figcaption></figure>"
    )


def html_of_set(puzzles: PuzzleSet) -> str:
    """Show puzzles one after another, or why there are none."""
    head = (
        f"<p><b>{escape(puzzles.game)}</b>: {len(puzzles):,} of {puzzles.of_level:,} positions</p>"
    )
    return head + ("".join(map(html_of, puzzles)) or f"<p>{escape(puzzles.why)}</p>")


_ON_A_PAGE = 6


def to_html(puzzles: PuzzleSet) -> str:
    """Write a page to print: the puzzles, and their answers on a separate page."""
    cards = [(svg_board(p.state), _level(p), question_of(p)) for p in puzzles]
    answers = [(answer_board(p), answer_of(p), _facts(p)) for p in puzzles]
    return write_page("puzzles", puzzles=puzzles, cards=cards, answers=answers)


def _level(puzzle: Puzzle) -> str:
    is_even = puzzle.win_in is None and puzzle.task == "win"
    return "even" if is_even else puzzle.level.value


def _facts(puzzle: Puzzle) -> list[tuple[str, str]]:
    facts = [(name, f"{chance:.0%}") for name, chance in puzzle.chances]
    facts += [(one.player, one.text) for one in puzzle.attempts]
    facts += [("not", refutation_text(puzzle, one)) for one in puzzle.refutations]
    if puzzle.played:
        facts.append(("reached by", opening_text(puzzle)))
    if puzzle.themes:
        facts.append(("themes", ", ".join(puzzle.themes)))
    return facts if puzzle.score is None else [*facts, ("expects", f"{puzzle.score:.0%} of a win")]


def to_pdf_sheet(puzzles: PuzzleSet) -> bytes:
    """Draw a PDF to print: some puzzles on each page, and then the answers."""
    questions = _figures(puzzles)
    answers = []
    for number, puzzle in enumerate(puzzles, start=1):
        state, marks = answer_state(puzzle)
        text = f"{number}. {answer_of(puzzle)}" + f"\n{puzzle.claim}" * bool(puzzle.claim)
        answers.append(Figure(picture_of(state, marks=marks), text))
    pages = [
        on_paper(in_rows(figures[start : start + _ON_A_PAGE], title=puzzles.game))
        for figures in (questions, answers)
        for start in range(0, len(figures), _ON_A_PAGE)
    ]
    return pages_to_pdf(pages or [on_paper(in_rows([Figure(None, puzzles.why)]))])


def _figures(puzzles: PuzzleSet) -> list[Figure]:
    return [
        Figure(picture_of(p.state), f"{number}. {question_of(p)}\n{_level(p)}")
        for number, p in enumerate(puzzles, start=1)
    ]


def to_svg_sheet(puzzles: PuzzleSet) -> str:
    """Draw all puzzles in one picture, numbered, without answers."""
    return to_svg(on_paper(in_rows(_figures(puzzles), title=puzzles.game)))
