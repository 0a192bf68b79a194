"""Draw the pictures of docs/concepts.md anew, from the program.

Run it from the checkout with .venv/bin/python tools/write_pictures.py; a test fails as long as it
would change a picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.board import layout_of, mark_move, svg_board, svg_stencil
from kibitz.engine import Move, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.puzzles import Level, Wanted, choose_puzzles, find_positions, read_skill
from kibitz.solve import move_values, solve
from kibitz.space import StateId, explore
from kibitz.strategy import read_strategy, shipped_text

__all__ = ["main", "pictures"]

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "concepts"
SIZE = 190


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pictures():
        (FOLDER / f"{name}.svg").write_text(text, "utf-8")


def pictures() -> Iterator[tuple[str, str]]:
    """Give the pictures, each with its name."""
    game = CompiledGame(load_sheet("tictactoe"))
    (rule,) = parse_terms("(mark 1 2)")
    literals = [(term, True) for term in parse_terms("(cell 1 1 x) (cell 2 2 o)")]
    yield "rule", svg_stencil(game, literals, [rule], size=SIZE)
    layout = layout_of(game)
    for number, (cells, image) in enumerate(
        [
            ("(cell 1 3 x) (cell 2 2 o)", "(mark 1 2)"),
            ("(cell 1 1 x) (cell 2 2 o)", "(mark 2 1)"),
            ("(cell 3 3 x) (cell 2 2 o)", "(mark 3 2)"),
        ],
        start=1,
    ):
        held = [(term, True) for term in parse_terms(cells)]
        yield f"image-{number}", svg_stencil(game, held, list(parse_terms(image)), size=SIZE)
    corner = _after(game, "(mark 1 1)")
    yield "values", svg_board(corner, layout, size=SIZE, values=_values(game, corner))
    five = read_strategy(shipped_text("tictactoe-five"), game)
    for name, moves in (
        ("strategy-one", ["(mark 2 2)", "(mark 1 1)"]),
        ("strategy-several", ["(mark 2 2)", "(mark 1 2)"]),
    ):
        state = _after(game, *moves)
        marks = [mark_move(layout, move, "move") for move in five.moves(state, "xplayer")]
        yield name, svg_board(state, layout, size=SIZE, marks=marks)
    two = read_strategy("true => mark(2,2)\ntrue => mark(1,1)", game)
    state = _after(game, "(mark 1 1)", "(mark 2 2)", "(mark 1 2)")
    chosen = two.moves(state, "oplayer")
    values = {m: text for m, text in _values(game, state).items() if m in chosen}
    yield "counterexample", svg_board(state, layout, size=SIZE, values=values)
    connect = CompiledGame(load_sheet("connect:3,4x4"))
    positions = find_positions(connect, "xplayer", rounds=[2])
    own, other = read_skill("1", connect), read_skill("3", connect)
    for level in (Level.EASY, Level.HARD):
        wanted = Wanted(1, level)
        (puzzle,) = choose_puzzles(positions, 2, own=own, other=other, wanted=wanted)
        yield f"puzzle-{level.value}", svg_board(puzzle.state, size=SIZE)


def _after(game: CompiledGame, *moves: str) -> State:
    state = game.initial()
    for number, move in enumerate(moves):
        state = state.step([move, "noop"] if number % 2 == 0 else ["noop", move])
    return state


def _values(game: CompiledGame, state: State) -> dict[Move, str]:
    """Tell what every move of a state is worth to who makes it, and how long the game goes on."""
    solution = solve(explore(game, starts=[state]))
    worth = move_values(solution, StateId(0))
    return {move: w.label for (_, move), w in worth.items() if str(move) != "noop"}


if __name__ == "__main__":
    main()
