"""RuleSheet in, Game out: states, legal moves, steps, goals."""

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.engine.reference import ReferenceGame
from kibitz.engine.start import diagnose_start

__all__ = ["Game", "Goal", "Move", "ReferenceGame", "Role", "State", "diagnose_start"]
