"""Translate rule sheets in the language of Ludii into RuleSheets in GDL.

>>> from kibitz.ludii import parse_ludemes
>>> print(parse_ludemes("(square 3 diagonals:Solid)", name="board.lud"))
(square 3 diagonals:Solid)
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.ludii.boards.topology import Topology as Topology, build_board as build_board
    from kibitz.ludii.expansion import (
        Library as Library,
        expand as expand,
        remember as remember,
        remembered as remembered,
    )
    from kibitz.ludii.reader import gdl_text as gdl_text, read_ludii as read_ludii
    from kibitz.ludii.tokens import (
        Ludeme as Ludeme,
        is_ludii as is_ludii,
        parse_ludemes as parse_ludemes,
    )
    from kibitz.ludii.translation.equipment import site_names as site_names

__getattr__ = lazy_exports(__name__)
