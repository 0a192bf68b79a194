"""From rules to proven advice, verb by verb, each taking what another gave.

Prints::

    5478 states, worth {'xplayer': 50, 'oplayer': 50}
    oplayer may answer (mark 1 1) (mark 1 3) (mark 3 1) (mark 3 3)
    tictactoe-five is perfect: True
    xplayer wins by a diagonal: {'xplayer': 100, 'oplayer': 0}
"""

import kibitz

game = kibitz.load("tictactoe")
space = kibitz.explore(game)
solved = kibitz.solve(space)
print(f"{len(space)} states, worth {solved.value()}")

state = game.initial().play("(mark 2 2)")
print("oplayer may answer", *solved.best_moves(state))

verdict = kibitz.verify(game, "tictactoe-five", role="xplayer")
print("tictactoe-five is perfect:", verdict.perfect)

for move in ("(mark 1 2)", "(mark 1 1)", "(mark 3 2)", "(mark 3 3)"):
    state = state.play(move)
print("xplayer wins by a diagonal:", state.goals)
