"""A sheet of GDL-II: chance throws a coin, and who calls does not see it."""

COIN = """\
(role random)
(role caller)
(init (step throw))
(side heads) (side tails)
(<= (legal random (throw ?s)) (side ?s) (true (step throw)))
(<= (legal random noop) (true (step call)))
(<= (legal caller noop) (true (step throw)))
(<= (legal caller (call ?s)) (side ?s) (true (step call)))
(<= (next (step call)) (true (step throw)))
(<= (next (step end)) (true (step call)))
(<= (next (lies ?s)) (does random (throw ?s)))
(<= (next (lies ?s)) (true (lies ?s)))
(<= (next (called ?s)) (does caller (call ?s)))
(<= right (true (lies ?s)) (true (called ?s)))
(<= terminal (true (step end)))
(<= (goal caller 100) right)
(<= (goal caller 0) (not right))
(<= (goal random 0) right)
(<= (goal random 100) (not right))
(<= (sees caller (was ?s)) (does caller (call ?s)))
"""
