"""Puzzles in, questions and answers in words out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.engine import CompiledGame, Role, State
from kibitz.english import say_move, scene_of
from kibitz.puzzles.puzzle import Puzzle, Refutation, within_text
from kibitz.wording import join_words, win_in_text

__all__ = ["answer_of", "opening_text", "question_of", "refutation_text"]


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
