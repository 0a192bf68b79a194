"""Make a Game from a RuleSheet with the fastest engine that can run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kibitz.budget import Budget, time_left
from kibitz.engine.game import Game
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet

__all__ = ["make_game"]

_MOST_SECONDS = 30.0


def make_game(
    sheet: RuleSheet,
    *,
    budget: Budget | None = None,
    backend: str = "auto",
    note: Callable[[str], None] | None = None,
) -> Game:
    """Compile a game, or play it ungrounded where it cannot be grounded within the budget.

    Grounding gets half of the time, and half a minute at most; `note` is called if that is not
    enough.

    >>> from kibitz.games import load_sheet
    >>> type(make_game(load_sheet("tictactoe"))).__name__
    'CompiledGame'
    """
    from kibitz.engine.compiled.game import CompiledGame
    from kibitz.engine.ungrounded import UngroundedGame

    budget = budget or Budget()
    share = replace(budget, seconds=min(_MOST_SECONDS, budget.seconds / 2))
    try:
        return CompiledGame(sheet, budget=share, backend=backend)
    except (BudgetExceededError, MemoryError) as error:
        if time_left() <= 0:
            raise
        reason = error.message if isinstance(error, BudgetExceededError) else "memory ran out"
        if note:
            note(f"{reason}; {sheet.name} runs ungrounded, which is correct but slower")
        return UngroundedGame(sheet)
