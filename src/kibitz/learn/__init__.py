"""Strategies learned with answer set programming, after paper 004.

========== =================================================================
instances  start positions of different sizes
trees      game trees with scores, some branches left unexplored
solvers    clingo asked for successors, and for best matches
minimax    the whole tree, scored
pruned     the tree that best matches leave, scored; rules learned on the way
rules      what a decision teaches, with constants made variables
========== =================================================================
"""
