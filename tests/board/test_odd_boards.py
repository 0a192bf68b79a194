"""Boards of rule sheets that are written in their own way, drawn as people would."""

from __future__ import annotations

import kibitz
from kibitz.board import layout_of

TURNS = """
(role red) (role blue) (init (control red))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control blue)) (true (control red))) (<= (next (control red)) (true (control blue)))
"""
RACE = """
(role white) (role black) (init (control white)) (succ 1 2) (succ 2 3) (succ 3 4)
(init (cell 1 1 white)) (init (cell 2 1 empty)) (init (cell 3 1 black))
(init (cell 1 2 empty)) (init (cell 2 2 empty)) (init (cell 3 2 empty))
(init (cell 1 3 empty)) (init (cell 2 3 empty)) (init (cell 3 3 empty))
(init (cell 1 4 empty)) (init (cell 2 4 empty)) (init (cell 3 4 empty))
(<= (legal ?p (run ?x ?y ?x ?z)) (true (control ?p)) (true (cell ?x ?y ?p)) (succ ?y ?z))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?a ?b ?p)) (does ?p (run ?x ?y ?a ?b)))
(<= (next (cell ?x ?y empty)) (does ?p (run ?x ?y ?a ?b)))
(<= (next (cell ?u ?v ?w)) (true (cell ?u ?v ?w)) (does ?p (run ?x ?y ?a ?b))
    (or (distinct ?u ?x) (distinct ?v ?y)) (or (distinct ?u ?a) (distinct ?v ?b)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (home ?p) (true (cell ?x 4 ?p)) (role ?p)) (<= terminal (home ?p))
(<= (goal ?p 100) (home ?p)) (<= (goal ?p 0) (role ?p) (not (home ?p)))
"""


def drawn(text: str) -> list[str]:
    return str(kibitz.draw(kibitz.load(text))).splitlines()


def placing(cells: str, more: str = "") -> str:
    """Write a game of placing on the cells that are empty."""
    return f"""{TURNS}{cells}
    (<= (legal ?p (place ?x ?y)) (true (control ?p)) (true (cell ?x ?y empty)))
    (<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y)))
    (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (does ?p (place ?a ?b))
        (or (distinct ?x ?a) (distinct ?y ?b)))
    (<= open (true (cell ?x ?y empty))) (<= terminal (not open))
    (<= (goal red 100) (true (cell 1 1 red))) (<= (goal red 0) (not (true (cell 1 1 red))))
    (<= (goal blue 0) (true (cell 1 1 red))) (<= (goal blue 100) (not (true (cell 1 1 red))))
    {more}"""


def test_holes_that_are_fluents_lie_in_their_board() -> None:
    holes = {(2, 2), (4, 2), (2, 3), (4, 3)}
    cells = " ".join(
        f"(init (hole {x} {y}))" if (x, y) in holes else f"(init (cell {x} {y} empty))"
        for y in range(1, 5)
        for x in range(1, 6)
    )
    assert drawn(placing(cells, "(<= (next (hole ?x ?y)) (true (hole ?x ?y)))")) == [
        "4 . . . . .",
        "3 . ∘ . ∘ .",
        "2 . ∘ . ∘ .",
        "1 . . . . .",
        "  1 2 3 4 5",
        "Red to move",
    ]


def test_heights_of_cells_are_no_boards_of_their_own() -> None:
    cells = " ".join(f"(init (height {x} {y} 0))" for y in range(1, 5) for x in range(1, 6))
    text = f"""{TURNS}{cells} {" ".join(f"(up {i} {i + 1})" for i in range(10))}
    (<= (legal ?p (build ?x ?y)) (true (control ?p)) (true (height ?x ?y ?h)) (up ?h ?k)
        (not (true (height ?x ?y ?k))))
    (<= (next (height ?x ?y ?k)) (does ?p (build ?x ?y)) (true (height ?x ?y ?h)) (up ?h ?k))
    (<= (next (height ?x ?y ?v)) (true (height ?x ?y ?v)))
    (<= terminal (true (height ?x ?y 3))) (<= (goal ?p 50) (role ?p))
    """
    (board,) = layout_of(kibitz.load(text)).boards
    assert len(board.cells) == 20


def test_sides_that_start_in_one_outer_row_run_up_the_page() -> None:
    expected = ["4 . . .", "3 . . .", "2 . . .", "1 ○ . ●", "  1 2 3", "White to move"]
    assert drawn(RACE) == expected


def test_sides_that_face_one_another_are_drawn_so() -> None:
    facing = RACE.replace("(init (cell 3 1 black))", "(init (cell 3 1 empty))").replace(
        "(init (cell 3 4 empty))", "(init (cell 3 4 black))"
    )
    assert drawn(facing)[0] == "4 . . ●"
    assert drawn(facing)[3] == "1 ○ . ."


POINTS = f"""{TURNS}
(init (cell a red)) (init (cell b NONE)) (init (cell c NONE)) (init (cell d NONE))
(init (cell e blue)) (line a b) (line b c) (line c d) (line d e)
(<= (joined ?x ?y) (line ?x ?y)) (<= (joined ?x ?y) (line ?y ?x))
(<= (legal ?p (move ?x ?y)) (true (control ?p)) (true (cell ?x ?p)) (joined ?x ?y)
    (true (cell ?y NONE)))
(<= (next (cell ?y ?p)) (does ?p (move ?x ?y))) (<= (next (cell ?x NONE)) (does ?p (move ?x ?y)))
(<= (next (cell ?z ?v)) (true (cell ?z ?v)) (does ?p (move ?x ?y)) (distinct ?z ?x)
    (distinct ?z ?y))
(<= terminal (true (cell c ?p)) (role ?p))
(<= (goal ?p 100) (true (cell c ?p))) (<= (goal ?p 0) (role ?p) (not (true (cell c ?p))))
"""


def test_a_point_named_as_the_empty_marker_is_a_point() -> None:
    for blank in ("none", "b", "empty"):
        assert drawn(POINTS.replace("NONE", blank)) == ["a b c d e", "R . . . B", "Red to move"]


def test_places_that_roles_take_are_drawn_as_places() -> None:
    text = f"""{TURNS} (init (owner mill red))
    (village inn) (village mill) (village port) (village farm) (village town)
    (<= (held ?v) (true (owner ?v ?p)))
    (<= (legal ?p (give ?v ?p)) (true (control ?p)) (village ?v) (not (held ?v)))
    (<= (next (owner ?v ?p)) (does ?q (give ?v ?p)))
    (<= (next (owner ?v ?p)) (true (owner ?v ?p)))
    (<= open (village ?v) (not (held ?v))) (<= terminal (not open))
    (<= (goal red 100) (true (owner port red))) (<= (goal red 0) (not (true (owner port red))))
    (<= (goal blue 0) (true (owner port red))) (<= (goal blue 100) (not (true (owner port red))))
    """
    assert drawn(text) == [
        "farm  inn mill port town",
        "   .    .    R    .    .",
        "Red to move",
    ]
