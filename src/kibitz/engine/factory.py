"""Make a Game from a RuleSheet with the fastest engine that can run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from kibitz.budget import Budget, time_left
from kibitz.engine.game import Game
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet

G = TypeVar("G", bound=Game)

_MOST_SECONDS = 45.0


def make_game(
    sheet: RuleSheet,
    *,
    budget: Budget | None = None,
    backend: str = "auto",
    note: Callable[[str], None] | None = None,
) -> Game:
    """Compile a game, or play it ungrounded where it cannot be grounded within the budget.

    Grounding gets three quarters of the time, and 45 seconds at most; `note` is called if that is
    not enough. Ungrounded, a game runs on translated rules, if that does not take too long either.

    >>> from kibitz.games import load_sheet
    >>> type(make_game(load_sheet("tictactoe"))).__name__
    'CompiledGame'
    """
    from kibitz.engine.compiled.game import CompiledGame
    from kibitz.engine.portfolio import fastest_ungrounded

    return compile_or(
        lambda share: CompiledGame(sheet, budget=share, backend=backend),
        lambda: fastest_ungrounded(sheet),
        name=sheet.name,
        budget=budget,
        note=note,
    )


def compile_or(
    compiled: Callable[[Budget], G],
    ungrounded: Callable[[], G],
    *,
    name: str,
    budget: Budget | None = None,
    note: Callable[[str], None] | None = None,
) -> G:
    """Return a compiled game, or an ungrounded one where the budget is too small for grounding.

    >>> from kibitz.engine import ReferenceGame, UngroundedGame
    >>> from kibitz.games import load_sheet
    >>> sheet = load_sheet("nim:1,2")
    >>> game = compile_or(lambda _: ReferenceGame(sheet), lambda: UngroundedGame(sheet), name="nim")
    >>> type(game).__name__
    'ReferenceGame'
    """
    budget = budget or Budget()
    share = replace(budget, seconds=min(_MOST_SECONDS, 0.75 * budget.seconds))
    try:
        return compiled(share)
    except (BudgetExceededError, MemoryError) as error:
        if time_left() <= 0:
            raise
        reason = error.message if isinstance(error, BudgetExceededError) else "memory ran out"
        if note:
            note(f"{reason}; {name} runs ungrounded, which is correct but slower")
        return ungrounded()
