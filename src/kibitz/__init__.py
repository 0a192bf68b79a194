"""Kibitz: rules of a board game in; a short, proven way to play it perfectly out.

>>> import kibitz
>>> state = kibitz.load("tictactoe").initial()
>>> state.legal("xplayer")[0]
(mark 1 1)
>>> state = state.step(["(mark 1 1)", "noop"])
>>> state.is_terminal, state.goals
(False, {'xplayer': 50, 'oplayer': 50})
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.engine import Game

__all__ = ["__version__", "load"]

__version__ = "0.1.0"


def load(name: str) -> Game:
    """Load a game of the library by name, or a rule sheet by the path of its file.

    >>> load("nim:1,2").roles
    ('player1', 'player2')
    """
    from pathlib import Path

    from kibitz.board import draw_in_notebooks
    from kibitz.engine import make_game
    from kibitz.english import use_files_beside
    from kibitz.games import load_sheet
    from kibitz.gdl import read

    path = Path(name)
    if path.suffix in (".kif", ".gdl", ".rules", ".lp"):
        game = make_game(read(path.read_bytes(), name=name))
    else:
        game = make_game(load_sheet(name))
    draw_in_notebooks()
    use_files_beside(game, path)
    return game
