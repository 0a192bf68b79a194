"""RuleSheet in, Game out: states, legal moves, steps, goals.

>>> from kibitz.engine import make_game
>>> from kibitz.games import load
>>> state = make_game(load("nim:2,2")).initial()
>>> [str(move) for move in state.legal("player1")]
['(reduce a 0)', '(reduce a 1)', '(reduce b 0)', '(reduce b 1)']
"""

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.engine.making import make_game
from kibitz.engine.reference import ReferenceGame
from kibitz.engine.start import diagnose_start

__all__ = ["Game", "Goal", "Move", "ReferenceGame", "Role", "State", "diagnose_start", "make_game"]
