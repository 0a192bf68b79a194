"""Check how a game starts: the diagnostics that need an engine."""

from __future__ import annotations

from kibitz.budget import Budget, run_within
from kibitz.engine.reference import ReferenceGame
from kibitz.errors import BudgetExceededError, Diagnostic, Place
from kibitz.gdl import RuleSheet

__all__ = ["diagnose_start"]


def diagnose_start(sheet: RuleSheet, budget: Budget) -> tuple[Diagnostic, ...]:
    """Report roles that have no legal move in the initial state, unless play has ended there.

    >>> from kibitz.gdl import read
    >>> sheet = read("(role me) (role you) (legal me go) (<= terminal (true over)) (goal me 0)")
    >>> [d.message for d in diagnose_start(sheet, Budget())]
    ['you has no legal move in the initial state']
    """
    try:
        stuck = run_within(budget, lambda: _stuck_roles(sheet), doing="the initial state")
    except BudgetExceededError as error:
        return (Diagnostic.warning("GDL029", error.message, Place(0, 1), error.hint),)
    places = {str(r.head.args[0]): r.place for r in sheet.rules if r.head.relation == "role"}
    return tuple(
        Diagnostic.error(
            "GDL025",
            f"{role} has no legal move in the initial state",
            places.get(role, Place(0, 1)),
            "every role needs a move in every state that is not terminal, such as (legal "
            f"{role} noop)",
        )
        for role in stuck
    )


def _stuck_roles(sheet: RuleSheet) -> list[str]:
    game = ReferenceGame(sheet)
    state = game.initial()
    return [] if state.is_terminal else [role for role in game.roles if not state.legal(role)]
