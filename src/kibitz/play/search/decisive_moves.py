"""A game in; out who wins at once or prevents it in random matches: gates, where they are cheap.

Decisive and anti-decisive moves (Teytaud and Teytaud 2010) are found by looking two moves ahead in
every position of every match. As gates this costs little where few moves can win.
"""

from __future__ import annotations

from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.policy import GatePolicy, compile_strategy
from kibitz.strategy import read_strategy

__all__ = ["decisive_moves"]

_RULES = "next wins(me) else next next not wins(opponent)"
_LARGEST_NETWORK = 20_000
_MOST_MADE = 1 << 18
_MOST_TIMES = 12
"""Gates for each gate of the game that may be needed: more make matches too slow."""


def decisive_moves(game: CompiledGame) -> tuple[GatePolicy, ...]:
    """Return a policy for each of two roles: win at once, else let the other not win at once.

    None where the gates are too many, or where looking ahead makes no difference.

    >>> from kibitz.games import load_sheet
    >>> [guide.role for guide in decisive_moves(CompiledGame(load_sheet("connect:3,4x4")))]
    ['xplayer', 'oplayer']
    """
    kept = vars(game)
    if "_decisive_moves" not in kept:
        kept["_decisive_moves"] = _compile(game)
    found: tuple[GatePolicy, ...] = kept["_decisive_moves"]
    return found


def _compile(game: CompiledGame) -> tuple[GatePolicy, ...]:
    size = len(game.network.gates)
    if len(game.roles) != 2 or size > _LARGEST_NETWORK:
        return ()
    try:
        rules = read_strategy(_RULES, game)
        guides = tuple(compile_strategy(rules, role, most_gates=_MOST_MADE) for role in game.roles)
    except KibitzError:
        return ()
    return guides if max(guide.gates for guide in guides) <= _MOST_TIMES * size else ()
