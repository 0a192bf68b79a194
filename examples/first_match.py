"""Play one random match of a library game and print how it ended."""

import random

from kibitz.engine import ReferenceGame
from kibitz.games import load

game = ReferenceGame(load("nim:1,2,3"))
state = game.initial()
source = random.Random(7)
while not state.is_terminal:
    joint = [source.choice(state.legal(role)) for role in game.roles]
    print(state, "->", *joint)
    state = state.step(joint)
print(state.goals)
