"""Strategies learned with answer set programming, after paper 004.

=========== =======================================================================
instances   start positions of different sizes
trees       game trees with scores, some branches left unexplored
solvers     clingo asked for successors, and for best matches
minimax     the whole tree, scored
pruned      the tree that best matches leave, scored; rules learned on the way
rules       what a decision teaches, with constants made variables
static      what does not depend on the state
bias        what learned preferences may look like
hypotheses  every weak constraint that a bias allows
features    how often each of them holds in each state
ordering    the smallest choice of them that respects ordered examples
descent     the same by small steps, without proof
preferences weak constraints on the state after a move
examples    ordered examples from a solution or a search
constraints learning, checking and repairing
advice      the moves that a learned program calls best
ilasp       tasks for another learner
=========== =======================================================================
"""
