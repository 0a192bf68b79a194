"""A Hypothesis strategy for small games of two players who take turns with a few switches.

A move turns one switch on or off. Some moves are forbidden while another switch is on. Play ends
when a condition on the switches is met or, in some games, after a number of moves; what it is
worth depends on the switches. Without a clock there are cycles.
"""

from __future__ import annotations

from hypothesis import strategies as st

from kibitz.gdl import RuleSheet, parse

__all__ = ["turn_games"]

_FRAME = """
(role white) (role black)
(init (control white))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (true (control black)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (on ?s)) (does ?r (turn_on ?s)))
(<= (next (on ?s)) (true (on ?s)) (not (turned_off ?s)))
(<= (turned_off ?s) (does ?r (turn_off ?s)))
(<= (legal ?r (turn_on ?s)) (true (control ?r)) (switch ?s) (not (true (on ?s)))
    (not (forbidden ?s)))
(<= (goal black 100) (goal white 0))
(<= (goal black 50) (goal white 50))
(<= (goal black 0) (goal white 100))
(forbidden none)
(over none)
"""


@st.composite
def turn_games(draw: st.DrawFn, *, with_cycles: bool | None = None) -> RuleSheet:
    """Make a game."""
    count = draw(st.integers(2, 4))
    switches = [f"s{i}" for i in range(count)]
    lines = [f"(switch {s})" for s in switches]
    lines += [f"(init (on {s}))" for s in switches if draw(st.integers(0, 3)) == 0]
    one = st.sampled_from(switches)
    for blocked, by in draw(st.lists(st.tuples(one, one), max_size=3)):
        lines.append(f"(<= (forbidden {blocked}) (true (on {by})))")
    can_turn_off = draw(st.booleans()) if with_cycles is None else True
    if can_turn_off:
        lines.append("(<= (legal ?r (turn_off ?s)) (true (control ?r)) (true (on ?s)))")
    has_clock = draw(st.booleans()) if with_cycles is None else not with_cycles
    if has_clock or not can_turn_off:
        last = draw(st.integers(2, 4))
        lines.append("(init (clock 0))")
        lines += [f"(succ {i} {i + 1})" for i in range(last)]
        lines.append("(<= (next (clock ?m)) (true (clock ?n)) (succ ?n ?m))")
        lines.append(f"(<= terminal (true (clock {last})))")
    for parts in draw(st.lists(st.lists(one, min_size=1, max_size=2), min_size=1, max_size=2)):
        lines.append(f"(<= terminal {' '.join(f'(true (on {s}))' for s in parts)})")
    wins, draws = draw(one), draw(one)
    lines.append(f"(<= (goal white 100) (true (on {wins})))")
    lines.append(f"(<= (goal white 50) (not (true (on {wins}))) (true (on {draws})))")
    lines.append(f"(<= (goal white 0) (not (true (on {wins}))) (not (true (on {draws}))))")
    # Somebody who cannot move loses nothing by it: there is always something to do.
    lines.append("(<= (legal ?r wait) (true (control ?r)))")
    return parse(_FRAME + "\n".join(dict.fromkeys(lines)), name="switches")
