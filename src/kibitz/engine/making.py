"""Make a Game of a RuleSheet with the fastest engine that can take it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kibitz.budget import Budget
from kibitz.engine.game import Game
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet

__all__ = ["make_game"]


def make_game(
    sheet: RuleSheet,
    *,
    budget: Budget | None = None,
    backend: str = "auto",
    note: Callable[[str], None] | None = None,
) -> Game:
    """Compile a game, or play it ungrounded where it cannot be grounded within the budget.

    Grounding gets half of the time; `note` is told when it does not suffice.

    >>> from kibitz.games import load
    >>> type(make_game(load("tictactoe"))).__name__
    'CompiledGame'
    """
    from kibitz.engine.compiled import CompiledGame
    from kibitz.engine.reference import ReferenceGame

    budget = budget or Budget()
    try:
        return CompiledGame(
            sheet, budget=replace(budget, seconds=budget.seconds / 2), backend=backend
        )
    except BudgetExceededError as error:
        if note:
            note(f"{error.message}; {sheet.name} runs ungrounded, which is right but slower")
        return ReferenceGame(sheet)
