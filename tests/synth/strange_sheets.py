"""Small games as strangers write them, each with numbers, turns or boards in a way of its own."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.gdl import RuleSheet, parse

_TURNS = """
(role ada) (role ben) (init (control ada))
(<= (next (control ada)) (true (control ben))) (<= (next (control ben)) (true (control ada)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= canmove (true (control ?p)) (legal ?p ?m) (distinct ?m noop))
(<= terminal (not canmove))
"""
_LAST_WINS = """
(<= (goal ?p 100) (role ?p) (not (true (control ?p)))) (<= (goal ?p 0) (true (control ?p)))
"""
_LAST_LOSES = """
(<= (goal ?p 0) (role ?p) (not (true (control ?p)))) (<= (goal ?p 100) (true (control ?p)))
"""


def turns(text: str, *, misere: bool = False) -> RuleSheet:
    """Add turns, and that whoever cannot move loses, or wins."""
    return parse(_TURNS + text + (_LAST_LOSES if misere else _LAST_WINS), name="strange")


def peano(count: int) -> RuleSheet:
    """Write beans of which one or two are eaten, as (s (s z))."""
    beans = "z"
    for _ in range(count):
        beans = f"(s {beans})"
    return turns(f"""
    (init (beans {beans}))
    (<= (legal ?p eat1) (true (control ?p)) (true (beans (s ?x))))
    (<= (legal ?p eat2) (true (control ?p)) (true (beans (s (s ?x)))))
    (<= (next (beans ?x)) (does ?p eat1) (true (beans (s ?x))))
    (<= (next (beans ?x)) (does ?p eat2) (true (beans (s (s ?x)))))
    """)


def lettered_rook(*, misere: bool = False) -> RuleSheet:
    """Write a rook that goes left or down, by an order of files and ranks and no successor."""
    files, ranks = "abcde", "1234"
    orders = [
        f"({name} {line[i]} {line[j]})"
        for name, line in (("before", files), ("under", ranks))
        for j in range(len(line))
        for i in range(j)
    ]
    rules = """
    (init (rook e 3))
    (<= (legal ?p (move ?x ?y ?z ?y)) (true (control ?p)) (true (rook ?x ?y)) (before ?z ?x))
    (<= (legal ?p (move ?x ?y ?x ?z)) (true (control ?p)) (true (rook ?x ?y)) (under ?z ?y))
    (<= (next (rook ?u ?v)) (does ?p (move ?x ?y ?u ?v)))
    """
    return turns(rules + " ".join(orders), misere=misere)


def bounded_piles(piles: Iterable[int], most: int, *, misere: bool = False) -> RuleSheet:
    """Write piles from each of which a few may be taken."""
    started = list(piles)
    facts = [
        f"(sub {n} {k} {n - k})"
        for n in range(1, max(started) + 1)
        for k in range(1, min(n, most) + 1)
    ]
    facts += [f"(init (pile {'abc'[n]} {size}))" for n, size in enumerate(started)]
    rules = """
    (<= (legal ?p (take ?h ?k)) (true (control ?p)) (true (pile ?h ?n)) (sub ?n ?k ?m))
    (<= (next (pile ?h ?m)) (does ?p (take ?h ?k)) (true (pile ?h ?n)) (sub ?n ?k ?m))
    (<= (touched ?h) (does ?p (take ?h ?k)))
    (<= (next (pile ?h ?n)) (true (pile ?h ?n)) (not (touched ?h)))
    """
    return turns(rules + " ".join(facts), misere=misere)


def marching_men() -> RuleSheet:
    """Write three rows with a man of each side, which march towards one another."""
    facts = [f"(lt {a} {b})" for b in range(1, 6) for a in range(1, b)]
    starts = [("r1", 1, 4), ("r2", 2, 5), ("r3", 1, 3)]
    facts += [f"(init (man ada {r} {a})) (init (man ben {r} {b}))" for r, a, b in starts]
    rules = """
    (<= (legal ada (march ?r ?y)) (true (control ada))
        (true (man ada ?r ?x)) (true (man ben ?r ?z)) (lt ?x ?y) (lt ?y ?z))
    (<= (legal ben (march ?r ?y)) (true (control ben))
        (true (man ben ?r ?x)) (true (man ada ?r ?z)) (lt ?y ?x) (lt ?z ?y))
    (<= (next (man ?p ?r ?y)) (does ?p (march ?r ?y)))
    (<= (shifted ?p ?r) (does ?p (march ?r ?y)))
    (<= (next (man ?p ?r ?y)) (true (man ?p ?r ?y)) (not (shifted ?p ?r)))
    """
    return turns(rules + " ".join(facts))


def ring_of_pins(count: int) -> RuleSheet:
    """Write Kayles on a circle: one pin or two neighbours are bowled over."""
    names = [f"p{n}" for n in range(count)]
    facts = [f"(clockwise {names[n - 1]} {names[n]})" for n in range(count)]
    facts += [f"(init (up {name}))" for name in names]
    rules = """
    (<= (legal ?p (bowl ?x)) (true (control ?p)) (true (up ?x)))
    (<= (legal ?p (both ?x ?y)) (true (control ?p)) (clockwise ?x ?y) (true (up ?x)) (true (up ?y)))
    (<= (hit ?x) (does ?p (bowl ?x)))
    (<= (hit ?x) (does ?p (both ?x ?y))) (<= (hit ?y) (does ?p (both ?x ?y)))
    (<= (next (up ?x)) (true (up ?x)) (not (hit ?x)))
    """
    return turns(rules + " ".join(facts))


def own_colours(rows: int, columns: int, *, may_touch: bool) -> RuleSheet:
    """Write a board that is painted in one's own colour: never beside it, or beside it alone."""
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    facts = [f"(init (cell {r} {c} white))" for r, c in cells]
    facts += [
        f"(nb {r} {c} {u} {v})" for r, c in cells for u, v in cells if abs(r - u) + abs(c - v) == 1
    ]
    rules = f"""
    (other ada ben) (other ben ada)
    (<= (bad ?p ?x ?y) (true (cell ?u ?v {"?q" if may_touch else "?p"})) (nb ?x ?y ?u ?v)
        {"(other ?p ?q)" if may_touch else "(role ?p)"})
    (<= (legal ?p (paint ?x ?y)) (true (control ?p)) (true (cell ?x ?y white)) (not (bad ?p ?x ?y)))
    (<= (next (cell ?x ?y ?p)) (does ?p (paint ?x ?y)))
    (<= (painted ?x ?y) (does ?p (paint ?x ?y)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (painted ?x ?y)))
    """
    return turns(rules + " ".join(facts))


def two_colours(count: int) -> RuleSheet:
    """Write a path whose points anyone paints red or blue, neighbours never alike."""
    facts = [f"(edge v{n} v{n + 1})" for n in range(1, count)]
    facts += [f"(init (colour_of v{n} none))" for n in range(1, count + 1)]
    rules = """
    (colour red) (colour blue)
    (<= (linked ?a ?b) (edge ?a ?b)) (<= (linked ?a ?b) (edge ?b ?a))
    (<= (clash ?v ?c) (linked ?v ?u) (true (colour_of ?u ?c)) (colour ?c))
    (<= (legal ?p (paint ?v ?c)) (true (control ?p)) (true (colour_of ?v none)) (colour ?c)
        (not (clash ?v ?c)))
    (<= (painted ?v) (does ?p (paint ?v ?c)))
    (<= (next (colour_of ?v ?c)) (does ?p (paint ?v ?c)))
    (<= (next (colour_of ?v ?c)) (true (colour_of ?v ?c)) (not (painted ?v)))
    """
    return turns(rules + " ".join(facts))


def three_crosses(count: int) -> RuleSheet:
    """Write a row of boxes in which both make crosses, and three side by side win."""
    facts = [f"(right b{n} b{n + 1})" for n in range(1, count)]
    facts += [f"(init (box b{n} blank))" for n in range(1, count + 1)]
    rules = """
    (<= (legal ?p (mark ?b)) (true (control ?p)) (true (box ?b blank)))
    (<= (marked ?b) (does ?p (mark ?b)))
    (<= (next (box ?b x)) (marked ?b)) (<= (next (box ?b x)) (true (box ?b x)))
    (<= (next (box ?b blank)) (true (box ?b blank)) (not (marked ?b)))
    (<= terminal (true (box ?a x)) (right ?a ?b) (true (box ?b x)) (right ?b ?c) (true (box ?c x)))
    """
    return turns(rules + " ".join(facts))
