"""Play one random match of a library game.

Prints::

    (control player1) (heap a 1) (heap b 2)
      player1 plays (reduce b 0)
    (control player2) (heap a 1) (heap b 0)
      player2 plays (reduce a 0)
    (control player1) (heap a 0) (heap b 0)
    {'player1': 0, 'player2': 100}
"""

import random

from kibitz.engine import ReferenceGame
from kibitz.games import load_sheet

game = ReferenceGame(load_sheet("nim:1,2"))
state = game.initial()
source = random.Random(7)
while not state.is_terminal:
    print(state)
    joint = [source.choice(state.legal(role)) for role in game.roles]
    for role, move in zip(game.roles, joint, strict=True):
        if str(move) != "noop":
            print(f"  {role} plays {move}")
    state = state.step(joint)
print(state)
print(state.goals)
