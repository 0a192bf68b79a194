"""Find a short list of rules for a game too large to solve, with its measured strength."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.measured.options import (
        AT_THE_BOARD as AT_THE_BOARD,
        SearchOptions as SearchOptions,
    )
    from kibitz.measured.rules import (
        MeasuredRules as MeasuredRules,
        find_measured_rules as find_measured_rules,
    )
    from kibitz.measured.strength import (
        Accuracy as Accuracy,
        RuleWorth as RuleWorth,
        Strength as Strength,
    )
    from kibitz.measured.vocabulary import vocabulary_for as vocabulary_for

__getattr__ = lazy_exports(__name__)
