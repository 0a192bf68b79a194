"""Parameters of a family in; the facts and rules that depend on them out, as KIF text.

Each function belongs to one family of games or to several that share a board; the rules that do not
depend on parameters are in ``rules/*.kif``.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

_MOST_REMOVED = 6
_WAYS = {"R": ("row",), "C": ("column",), "D": ("rising", "falling")}


def plain() -> str:
    """Add nothing: the rule sheet is complete.

    >>> plain()
    ''
    """
    return ""


def board(rows: int, cols: int) -> str:
    """Lay out a rectangle.

    >>> print(board(2, 3))
    (row 1) (row 2)
    (column 1) (column 2) (column 3)
    (succ 1 2) (succ 2 3)
    """
    return "\n".join(
        [
            _each("(row {})", _to(rows)),
            _each("(column {})", _to(cols)),
            _succ(1, max(rows, cols)),
        ]
    )


def grid(rows: int, cols: int, k: int, lines: str = "RCD") -> str:
    """Lay out a board on which K marks in a line win, along the given kinds of line.

    >>> print(grid(1, 3, 2, "R").partition("(wins_along")[2])
     row)
    (<= (wins ?player)
        (sign ?player ?sign)
        (wins_along ?way)
        (true (cell ?row1 ?col1 ?sign))
        (step ?way ?row1 ?col1 ?row2 ?col2)
        (true (cell ?row2 ?col2 ?sign)))
    """
    ways = [way for letter in lines for way in _WAYS[letter]]
    link = "(step ?way ?row{0} ?col{0} ?row{1} ?col{1})"
    run = _run("(wins_along ?way)", "(true (cell ?row{0} ?col{0} ?sign))", link, k)
    return f"{board(rows, cols)}\n{_each('(wins_along {})', ways)}\n{run}"


def bottom(level: int, k: int, rows: int, cols: int, lines: str = "RCD") -> str:
    """Lay out a grid on which the `level` lowest empty cells of a column can be reached.

    >>> print(bottom(2, k=3, rows=3, cols=3).splitlines()[-1])
    (within_reach 1) (within_reach 2)
    """
    return f"{grid(rows, cols, k, lines)}\n{_each('(within_reach {})', _to(level))}"


def crossdot(m: int, k: int) -> str:
    """Lay out M boxes in a line, K crosses or dots side by side to win.

    >>> print(crossdot(3, 2))
    (place 1) (place 2) (place 3)
    (succ 1 2) (succ 2 3)
    (<= (wins ?player)
        (sign ?player ?sign)
        (true (box ?box1 ?sign))
        (succ ?box1 ?box2)
        (true (box ?box2 ?sign)))
    """
    run = _run("", "(true (box ?box{0} ?sign))", "(succ ?box{0} ?box{1})", k)
    return f"{_each('(place {})', _to(m))}\n{_succ(1, m)}\n{run}"


def nim(heap: tuple[int, ...], misere: bool = False, digits: bool = False) -> str:
    """Set up the heaps, and define who wins when all are empty, and the binary digits if wanted.

    >>> print(nim((1, 2)))
    (init (heap a 1)) (init (heap b 2))
    (succ 0 1) (succ 1 2)
    (<= (wins ?player)
        (role ?player)
        (not left)
        (not (true (control ?player))))
    """
    heaps = " ".join(f"(init (heap {ascii_lowercase[i]} {n}))" for i, n in enumerate(heap))
    last_to_take = "(not (true (control ?player)))"
    winner = "(true (control ?player))" if misere else last_to_take
    rule = f"(<= (wins ?player)\n    (role ?player)\n    (not left)\n    {winner})"
    parity = [_parity(heap)] if digits else []
    return "\n".join([heaps, _succ(0, max(heap)), rule, *parity])


def _parity(heap: tuple[int, ...]) -> str:
    """Derive which binary digits an odd number of heaps has, one heap after the other.

    >>> print(_parity((1, 2)))
    (digit 1 1) (digit 2 2)
    (<= (one ?heap ?place)
        (true (heap ?heap ?size))
        (digit ?size ?place))
    (<= (odd_a ?place)
        (one a ?place))
    (<= (odd ?place)
        (odd_a ?place)
        (not (one b ?place)))
    (<= (odd ?place)
        (one b ?place)
        (not (odd_a ?place)))
    """
    sizes = range(1, max(1, *heap) + 1)
    digits = [(n, 1 << i) for n in sizes for i in range(n.bit_length()) if n >> i & 1]
    rules = [
        " ".join(f"(digit {n} {place})" for n, place in digits),
        "(<= (one ?heap ?place)\n    (true (heap ?heap ?size))\n    (digit ?size ?place))",
    ]
    before = ""
    for i in range(len(heap)):
        one = f"(one {ascii_lowercase[i]} ?place)"
        head = "odd" if i == len(heap) - 1 else f"odd_{ascii_lowercase[i]}"
        pairs = [(before, one), (one, before)] if before else []
        rules += [f"(<= ({head} ?place)\n    {a}\n    (not {b}))" for a, b in pairs]
        rules += [] if before else [f"(<= ({head} ?place)\n    {one})"]
        before = f"({head} ?place)"
    return "\n".join(rules)


def piles(heap: tuple[int, ...], free: bool = False) -> str:
    """Number the piles, and count down from the highest by up to six, or by any number.

    >>> print(piles((1, 2)))
    (init (has 1 1)) (init (has 2 2))
    (before 1 2)
    (minus 1 1 0) (minus 2 1 1) (minus 2 2 0)
    """
    count = len(heap)
    pairs = [(i, j) for i in _to(count) for j in range(i + 1, count + 1)]
    return "\n".join(
        [
            " ".join(f"(init (has {i} {n}))" for i, n in enumerate(heap, 1)),
            " ".join(f"(before {i} {j})" for i, j in pairs or [(1, 2)]),
            " ".join(
                f"(minus {n} {k} {n - k})"
                for n in _to(max(*heap, 1))
                for k in _to(n if free else min(n, _MOST_REMOVED))
            ),
        ]
    )


def marks(rows: int, cols: int, k: int) -> str:
    """Lay out cells, and say which K of them are in a line: along rows, columns and diagonals.

    >>> print(marks(1, 2, 2))
    (cell (c 1 1)) (cell (c 1 2))
    (in_line (c 1 1) (c 1 2))
    (<= (line ?player)
        (in_line ?cell1 ?cell2)
        (true (has ?player ?cell1))
        (true (has ?player ?cell2)))
    """
    cells = [(r, c) for r in _to(rows) for c in _to(cols)]
    lines = [
        " ".join(f"(c {r + i * down} {c + i * right})" for i in range(k))
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for r, c in cells
        if r + (k - 1) * down <= rows and 1 <= c + (k - 1) * right <= cols
    ]
    places = [f"?cell{i}" for i in _to(k)]
    own = "\n".join(f"    (true (has ?player {place}))" for place in places)
    return "\n".join(
        [
            " ".join(f"(cell (c {r} {c}))" for r, c in cells),
            " ".join(f"(in_line {line})" for line in lines),
            f"(<= (line ?player)\n    (in_line {' '.join(places)})\n{own})",
        ]
    )


def kayles(pins: int) -> str:
    """Set up a row of pins.

    >>> print(kayles(3))
    (place 1) (place 2) (place 3)
    (succ 1 2) (succ 2 3)
    """
    return f"{_each('(place {})', _to(pins))}\n{_succ(1, pins)}"


def hanoi(disks: int) -> str:
    """Pile up the disks.

    >>> print(hanoi(2))
    (disk 1) (disk 2)
    (succ 1 2)
    """
    return f"{_each('(disk {})', _to(disks))}\n{_succ(1, disks)}"


def rhombus(size: int) -> str:
    """Lay out the board of hex.

    >>> print(rhombus(2))
    (row 1) (row 2)
    (column 1) (column 2)
    (succ 1 2)
    (last 2)
    """
    return f"{board(size, size)}\n(last {size})"


def race(rows: int, cols: int) -> str:
    """Set up two rows of men on either side.

    >>> print(race(4, 2))
    (starts 1 white) (starts 2 white) (starts 3 black) (starts 4 black)
    (far white 4) (far black 1)
    (column 1) (column 2)
    (succ 1 2) (succ 2 3) (succ 3 4)
    """
    return _armies(["white", "white", *["b"] * (rows - 4), "black", "black"], cols)


def pawns(rows: int, cols: int) -> str:
    """Set up a row of pawns on the second row of either side.

    >>> print(pawns(4, 2).splitlines()[0])
    (starts 1 b) (starts 2 white) (starts 3 black) (starts 4 b)
    """
    return _armies(["b", "white", *["b"] * (rows - 4), "black", "b"], cols)


def _armies(contents: list[str], cols: int) -> str:
    rows = len(contents)
    return "\n".join(
        [
            " ".join(f"(starts {row} {content})" for row, content in enumerate(contents, 1)),
            f"(far white {rows}) (far black 1)",
            _each("(column {})", _to(cols)),
            _succ(1, max(rows, cols)),
        ]
    )


def _run(guard: str, mark: str, link: str, k: int) -> str:
    """Write the rule that K marks, each linked to the next, win."""
    body = ["(sign ?player ?sign)", guard, mark.format(1)]
    for i in range(1, k):
        body += [link.format(i, i + 1), mark.format(i + 1)]
    return "\n    ".join(["(<= (wins ?player)", *filter(None, body)]) + ")"


def _to(last: int) -> range:
    return range(1, last + 1)


def _succ(first: int, last: int) -> str:
    """Count from first to last, at least one step, so that `succ` is never undefined."""
    return " ".join(f"(succ {n} {n + 1})" for n in range(first, max(last, first + 1)))


def _each(fact: str, values: Iterable[object]) -> str:
    return " ".join(fact.format(value) for value in values)
