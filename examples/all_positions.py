"""Count the positions of a small game, and who has won in those where it is over.

Prints::

    28 positions
    player1 has won in 1
    player2 has won in 1
"""

from collections import Counter

from kibitz.engine import ReferenceGame
from kibitz.games import load_sheet

game = ReferenceGame(load_sheet("nim:1,2,2"))
seen = {game.initial()}
waiting = list(seen)
results: Counter[str] = Counter()
while waiting:
    state = waiting.pop()
    if state.is_terminal:
        results[max(game.roles, key=lambda role: state.goals[role] or 0)] += 1
        continue
    first, second = (state.legal(role) for role in game.roles)
    for joint in ((a, b) for a in first for b in second):
        after = state.step(joint)
        if after not in seen:
            seen.add(after)
            waiting.append(after)
print(f"{len(seen)} positions")
for role in game.roles:
    print(f"{role} has won in {results[role]}")
