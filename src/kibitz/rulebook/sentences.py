"""The table of all sentences: how each part of a model is spelled.

The reader, the writer, the nearest sentence of an error and the reference in the documentation all
come from this table. Patterns are explained in `grammar.py`; the first spelling is written.
"""

from __future__ import annotations

from kibitz.rulebook.board_sentences import BOARDS, START
from kibitz.rulebook.end_sentences import CONDITIONS, ENDS
from kibitz.rulebook.grammar import Grammar
from kibitz.rulebook.move_sentences import MOVES, PLAY
from kibitz.rulebook.phrases import DIRECTIONS, PIECES, REGIONS
from kibitz.rulebook.slots import BUILTINS

SECTIONS = {
    "Boards": BOARDS,
    "Players, pieces and the start": START,
    "Turns and moves": PLAY,
    "Moves": MOVES,
    "Directions, targets and lines": DIRECTIONS,
    "Cells and pieces": (*REGIONS, *PIECES),
    "Ends and results": ENDS,
    "Conditions": CONDITIONS,
}
"""The patterns, as the reference in the documentation shows them."""

GRAMMAR = Grammar([one for section in SECTIONS.values() for one in section], BUILTINS)
