"""Small games as strangers write them, each with numbers, turns or boards in a way of its own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

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


def shares(start: int, share: str, *, misere: bool = False) -> RuleSheet:
    """Write a heap of which at most half, or a proper divisor, is taken."""
    facts = [
        f"(leaves {n} {k} {n - k})"
        for n in range(2, start + 1)
        for k in range(1, n)
        if (2 * k <= n if share == "half" else n % k == 0)
    ]
    rules = f"""
    (init (heap {start}))
    (<= (legal ?p (take ?k)) (true (control ?p)) (true (heap ?n)) (leaves ?n ?k ?m))
    (<= (next (heap ?m)) (does ?p (take ?k)) (true (heap ?n)) (leaves ?n ?k ?m))
    """
    return turns(rules + " ".join(facts), misere=misere)


def two_fruits() -> RuleSheet:
    """Write two heaps in fluents of their own, with other moves for each."""
    facts = [f"(before {n} {n + 1})" for n in range(7)]
    rules = """
    (init (apples 7)) (init (carrots 4))
    (<= (minus ?n 1 ?m) (before ?m ?n))
    (<= (minus ?n 2 ?l) (before ?m ?n) (before ?l ?m))
    (<= (minus ?n 3 ?k) (before ?m ?n) (before ?l ?m) (before ?k ?l))
    (few 1) (few 2)
    (<= (legal ?p (apple ?k)) (true (control ?p)) (true (apples ?n)) (minus ?n ?k ?m))
    (<= (legal ?p (carrot ?k)) (true (control ?p)) (true (carrots ?n)) (few ?k) (minus ?n ?k ?m))
    (<= (next (apples ?m)) (does ?p (apple ?k)) (true (apples ?n)) (minus ?n ?k ?m))
    (<= (next (apples ?n)) (does ?p (carrot ?k)) (true (apples ?n)))
    (<= (next (carrots ?m)) (does ?p (carrot ?k)) (true (carrots ?n)) (minus ?n ?k ?m))
    (<= (next (carrots ?n)) (does ?p (apple ?k)) (true (carrots ?n)))
    """
    return turns(rules + " ".join(facts))


def stairs() -> RuleSheet:
    """Write coins on three steps, any number of which go down by one."""
    steps = {"step1": 2, "step2": 1, "step3": 1}
    most = sum(steps.values())
    facts = [f"(sum {a} {b} {a + b})" for a in range(most + 1) for b in range(1, most + 1 - a)]
    facts += [f"(init (on {step} {count}))" for step, count in steps.items()]
    rules = """
    (below step1 step2) (below step2 step3)
    (<= (legal ?p (drop ?s ?k)) (true (control ?p)) (true (on ?s ?n)) (sum ?m ?k ?n))
    (<= (next (on ?s ?m)) (does ?p (drop ?s ?k)) (true (on ?s ?n)) (sum ?m ?k ?n))
    (<= (next (on ?t ?m)) (does ?p (drop ?s ?k)) (below ?t ?s) (true (on ?t ?n)) (sum ?n ?k ?m))
    (<= (next (on ?t ?n)) (true (on ?t ?n)) (does ?p (drop ?s ?k)) (distinct ?s ?t)
        (not (below ?t ?s)))
    """
    return turns(rules + " ".join(facts))


def coins_in_a_line() -> RuleSheet:
    """Write four coins on a strip, which go left and jump over none."""
    facts = [f"(lt {a} {b})" for b in range(1, 9) for a in range(1, b)]
    places = zip("abcd", (2, 3, 5, 8), strict=True)
    facts += [f"(init (coin {coin} {place}))" for coin, place in places]
    rules = """
    (left_of a b) (left_of b c) (left_of c d)
    (<= (barred ?c ?y) (left_of ?d ?c) (true (coin ?d ?y)))
    (<= (barred ?c ?y) (left_of ?d ?c) (true (coin ?d ?z)) (lt ?y ?z))
    (<= (legal ?p (slide ?c ?y)) (true (control ?p)) (true (coin ?c ?x)) (lt ?y ?x)
        (not (barred ?c ?y)))
    (<= (next (coin ?c ?y)) (does ?p (slide ?c ?y)))
    (<= (slid ?c) (does ?p (slide ?c ?y)))
    (<= (next (coin ?c ?x)) (true (coin ?c ?x)) (not (slid ?c)))
    """
    return turns(rules + " ".join(facts))


def growing_limit(start: int) -> RuleSheet:
    """Write counters of which at most twice as many are taken as were taken before."""
    facts = [f"(less {n} {k} {n - k})" for n in range(1, start + 1) for k in range(1, n + 1)]
    facts += [f"(upto {k} {n})" for n in range(1, start + 1) for k in range(1, n + 1)]
    facts += [f"(twice {k} {min(2 * k, start)})" for k in range(1, start + 1)]
    rules = f"""
    (init (counters {start})) (init (limit {start - 1}))
    (<= (legal ?p (take ?k)) (true (control ?p)) (true (counters ?n)) (true (limit ?l))
        (upto ?k ?l) (less ?n ?k ?m))
    (<= (next (counters ?m)) (does ?p (take ?k)) (true (counters ?n)) (less ?n ?k ?m))
    (<= (next (limit ?l)) (does ?p (take ?k)) (twice ?k ?l))
    """
    return turns(rules + " ".join(facts))


def coins_from_both_ends() -> RuleSheet:
    """Write a row of six coins, of which one at an end is taken; more money wins."""
    values = (3, 5, 2, 4, 6, 1)
    most = sum(values)
    facts = [f"(after {n} {n + 1})" for n in range(7)]
    facts += [f"(value {n} {v})" for n, v in enumerate(values, start=1)]
    facts += [f"(add {a} {v} {a + v})" for a in range(most) for v in values if a + v <= most]
    facts += [f"(more {a} {b})" for a in range(most + 1) for b in range(a)]
    rules = """
    (role ada) (role ben) (init (control ada))
    (init (low 1)) (init (high 6)) (init (money ada 0)) (init (money ben 0))
    (<= (next (control ada)) (true (control ben))) (<= (next (control ben)) (true (control ada)))
    (<= terminal (true (low ?l)) (true (high ?h)) (after ?h ?l))
    (<= (legal ?p left) (true (control ?p)) (not terminal))
    (<= (legal ?p right) (true (control ?p)) (not terminal))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (low ?m)) (does ?p left) (true (low ?l)) (after ?l ?m))
    (<= (next (low ?l)) (does ?p right) (true (low ?l)))
    (<= (next (high ?m)) (does ?p right) (true (high ?h)) (after ?m ?h))
    (<= (next (high ?h)) (does ?p left) (true (high ?h)))
    (<= (gain ?p ?v) (does ?p left) (true (low ?l)) (value ?l ?v))
    (<= (gain ?p ?v) (does ?p right) (true (high ?h)) (value ?h ?v))
    (<= (next (money ?p ?t)) (gain ?p ?v) (true (money ?p ?s)) (add ?s ?v ?t))
    (<= (next (money ?p ?s)) (true (money ?p ?s)) (does ?p noop))
    (<= (ahead ?p) (true (money ?p ?a)) (true (money ?q ?b)) (distinct ?p ?q) (more ?a ?b))
    (<= (goal ?p 100) (ahead ?p))
    (<= (goal ?p 0) (role ?p) (ahead ?q) (distinct ?p ?q))
    (<= (goal ?p 50) (role ?p) (not (ahead ada)) (not (ahead ben)))
    """
    return parse(rules + " ".join(facts), name="coins")


def turned_coins(count: int, most: int) -> RuleSheet:
    """Write coins of which up to so many are turned, the one furthest right from heads to tails."""
    facts = [f"(init (coin {n} heads))" for n in range(1, count + 1)]
    for size in range(1, most + 1):
        for coins in combinations(range(1, count + 1), size):
            move = f"(turn {' '.join(map(str, coins))})"
            facts.append(
                f"(<= (legal ?p {move}) (true (control ?p)) (true (coin {coins[-1]} heads)))"
            )
            facts += [f"(turns {move} {coin})" for coin in coins]
    rules = """
    (<= (turned ?i) (does ?p ?m) (turns ?m ?i))
    (<= (next (coin ?i tails)) (true (coin ?i heads)) (turned ?i))
    (<= (next (coin ?i heads)) (true (coin ?i tails)) (turned ?i))
    (<= (next (coin ?i ?side)) (true (coin ?i ?side)) (not (turned ?i)))
    """
    return turns(rules + " ".join(facts))


def stones_off_diagonals(rows: int, columns: int) -> RuleSheet:
    """Write stones that are put on free cells, of which none touch at a corner."""
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    facts = [f"(init (free {r} {c}))" for r, c in cells]
    facts += [
        f"(corner {r} {c} {u} {v})"
        for r, c in cells
        for u, v in cells
        if abs(r - u) == 1 == abs(c - v)
    ]
    rules = """
    (<= (legal ?p (put ?x ?y)) (true (control ?p)) (true (free ?x ?y)))
    (<= (gone ?x ?y) (does ?p (put ?x ?y)))
    (<= (gone ?x ?y) (does ?p (put ?u ?v)) (corner ?u ?v ?x ?y))
    (<= (next (free ?x ?y)) (true (free ?x ?y)) (not (gone ?x ?y)))
    """
    return turns(rules + " ".join(facts))
