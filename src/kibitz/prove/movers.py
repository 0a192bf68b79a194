"""State in, the role that moves out: the same for the search, its oracle and the checker."""

from __future__ import annotations

from kibitz.engine import Role, State
from kibitz.errors import KibitzError

__all__ = ["mover_of"]


def mover_of(state: State) -> Role:
    """Return the one role that has a choice; the first role where none has.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> mover_of(make_game(load_sheet("nim:1,2")).initial().play("(reduce a 0)"))
    'player2'
    """
    roles = state.game.roles
    several = [role for role in roles if len(state.legal(role)) > 1]
    if len(several) > 1:
        raise KibitzError(
            f"in {state.game.sheet.name} roles choose at the same time, and search takes turns only"
        )
    return several[0] if several else roles[0]
