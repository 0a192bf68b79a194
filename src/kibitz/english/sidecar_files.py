"""The path of a rule sheet in; out its game, drawn and described as the files beside it say.

This is the only place where `NAME.board.toml` and `NAME.words.toml` are looked up and used, for all
code that shows boards and sentences.
"""

from __future__ import annotations

from pathlib import Path

from kibitz.board import apply_override, board_file, layout_of, read_override, use_layout
from kibitz.engine import Game
from kibitz.english.lexicon import lexicon_file, read_lexicon
from kibitz.english.scene import use_lexicon


def files_beside(rules: str | Path) -> list[Path]:
    """Return the files beside a rule sheet that change its boards and its words.

    >>> files_beside("tictactoe"), files_beside("-")
    ([], [])
    """
    if not Path(rules).suffix or not Path(rules).is_file():
        return []
    return [path for path in (board_file(rules), lexicon_file(rules)) if path]


def use_files_beside(game: Game, rules: str | Path) -> None:
    """Draw and describe a game as files beside its rules say."""
    for path in files_beside(rules):
        if path.name.endswith(".board.toml"):
            use_layout(game, apply_override(layout_of(game), read_override(path)))
        else:
            use_lexicon(game, read_lexicon(path))
