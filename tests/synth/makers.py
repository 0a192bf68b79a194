"""A game of making and breaking: fill boxes of a line; the maker wants some side by side."""

from __future__ import annotations

from kibitz.gdl import RuleSheet, parse

__all__ = ["line_sheet"]


def line_sheet(boxes: int, together: int) -> RuleSheet:
    """Write the game; the breaker wins if the line is full without the maker's row."""
    facts = [f"(init (spot {n} free))" for n in range(1, boxes + 1)]
    facts += [f"(follows {n} {n + 1})" for n in range(1, boxes)]
    rows = []
    for first in range(1, boxes - together + 2):
        held = " ".join(f"(true (spot {n} red))" for n in range(first, first + together))
        rows.append(f"(<= made {held})")
    rules = """
    (role maker) (role breaker) (paints maker red) (paints breaker blue)
    (init (turn maker))
    (<= (legal ?r (paint ?n)) (true (turn ?r)) (true (spot ?n free)))
    (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
    (<= (next (turn breaker)) (true (turn maker)))
    (<= (next (turn maker)) (true (turn breaker)))
    (<= (next (spot ?n ?c)) (does ?r (paint ?n)) (paints ?r ?c))
    (<= (next (spot ?n ?c)) (true (spot ?n ?c)) (not (painted ?n)))
    (<= (painted ?n) (does ?r (paint ?n)))
    (<= more (true (spot ?n free)))
    (<= terminal made)
    (<= terminal (not more))
    (<= (goal maker 100) made)
    (<= (goal maker 0) (not made))
    (<= (goal breaker 0) made)
    (<= (goal breaker 100) (not made))
    """
    return parse("\n".join([rules, *rows, *facts]), name="line")
