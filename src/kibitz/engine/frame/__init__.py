"""Translate the frame rules of a RuleSheet into rules of what ends (paper 002)."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.engine.frame.abstraction import abstract as abstract, concrete_move as concrete_move
    from kibitz.engine.frame.literals import Covering as Covering
    from kibitz.engine.frame.translation import (
        STAYS as STAYS,
        Translation as Translation,
        translate as translate,
    )

__getattr__ = lazy_exports(__name__)
