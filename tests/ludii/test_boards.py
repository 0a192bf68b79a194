"""Boards have the sites, neighbours, directions and regions that the language gives them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ludii.traces import LUDII, keys, needs_ludii, trace_of

from kibitz.ludii import Topology, build_board, parse_ludemes
from kibitz.ludii.boards.operations import build_graph


def board(text: str) -> Topology:
    return build_board(parse_ludemes(text, name="board.lud"))


@pytest.mark.parametrize(
    ("text", "sites", "joined"),
    [
        ("(board (square 3))", 9, 12),
        ("(board (rectangle 2 4))", 8, 10),
        ("(board (square 3) use:Vertex)", 9, 12),
        ("(board (square 3 diagonals:Alternating) use:Vertex)", 9, 16),
        ("(board (square 3 diagonals:Solid) use:Vertex)", 13, 28),
        ("(board (hex 3))", 19, 42),
        ("(board (hex Diamond 3))", 9, 16),
        ("(board (hex Triangle 3))", 6, 9),
        ("(board (tri 4) use:Vertex)", 10, 18),
        ("(board (tri Limping 2) use:Vertex)", 12, 24),
        ("(board (tri Star 2) use:Vertex)", 37, 84),
        ("(board (hex Star 1))", 13, 24),
        ("(board (tri Diamond 3) use:Vertex)", 9, 16),
        ("(board (hex Diamond 2 3))", 10, 19),
        ("(board (tri Rectangle 2 3) use:Vertex)", 5, 7),
        ("(board (square Diamond 2))", 5, 4),
        ("(board (tiling T3464 1) use:Vertex)", 18, 30),
        ("(board (quadhex 1))", 6, 6),
        ("(board (wedge 3) use:Vertex)", 7, 10),
        ("(board (concentric Square rings:3) use:Vertex)", 24, 32),
        ("(board (concentric {1 8}) use:Vertex)", 9, 16),
        ("(board (concentric {5}) use:Vertex)", 5, 5),
        ("(board (merge (square 3) (shift 2 0 (square 3))) use:Vertex)", 15, 22),
        ("(board (remove (square 3) cells:{4}))", 8, 8),
        ("(board (remove (square 3) vertices:{4}) use:Vertex)", 8, 8),
        ("(board (add (square 2) edges:{{0 3}}) use:Vertex)", 4, 5),
        ("(board (splitCrossings (regular Star 5)) use:Vertex)", 10, 15),
        ("(board (graph vertices:{{0 0} {1 0} {0 1}} edges:{{0 1} {1 2}}) use:Vertex)", 3, 2),
    ],
)
def test_a_board_has_so_many_sites_and_edges(text: str, sites: int, joined: int) -> None:
    found = board(text)
    assert len(found) == sites
    assert sum(map(len, found.relations["Orthogonal"])) == 2 * joined
    assert len(set(found.labels)) == sites


def test_radials_go_straight_on_to_the_end_of_the_board() -> None:
    found = board("(board (square 4))")
    at = found.labels.index
    assert found.radials["NE"][at("A1")] == ((at("B2"), at("C3"), at("D4")),)
    assert found.radials["W"][at("A1")] == ((),) or not found.radials["W"][at("A1")]


def test_lines_of_a_round_board_go_through_its_centre_and_around() -> None:
    found = board("(board (concentric {1 8}) use:Vertex)")
    top = found.labels.index("B3")
    assert [len(line) for line in found.radials["In"][top]] == [1]
    assert [len(line) for line in found.radials["S"][top]] == [2]
    assert [len(line) for line in found.radials["CW"][top]] == [7]


def test_sides_corners_and_centre_of_a_hexagon() -> None:
    found = board("(board (hex 3))")
    assert [found.labels[site] for site in found.regions["Centre"]] == ["C3"]
    assert len(found.regions["Corners"]) == 6
    assert [found.labels[site] for site in found.sides["S"]] == ["A1", "B1", "C1"]


@pytest.mark.parametrize(
    "text",
    [
        "(board (torus 3))",
        "(board (tiling T488 3))",
        "(board (quadhex 50))",
        "(board (square 0))",
        "(board (square 999))",
        "(board (square 3) use:Edge)",
        "(board)",
        "(board (shift 1 1))",
        "(board (merge {}))",
        "(board (scale (square 2)))",
        "(board (graph vertices:{{0 0}} edges:{{0 7}}) use:Vertex)",
    ],
)
def test_a_board_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        board(text)


def differences(found: Topology, known: Any) -> list[str]:
    """Name what differs between a board and the topology in a trace file."""
    relations = {n: [list(sites) for sites in found.relations[n]] for n in found.relations}
    steps = {
        name: [
            -1 if not sites else sites[0] if len(sites) == 1 else sorted(sites) for sites in column
        ]
        for name, column in found.steps.items()
    }
    pairs = {
        "labels": (list(found.labels), known["labels"]),
        "phase": (list(found.phases), known["phase"]),
        "rowcol": (list(map(list, zip(found.rows, found.columns, strict=True))), known["rowcol"]),
        "sides": ({n: list(s) for n, s in found.sides.items()}, known["preset"]["sides"]),
        "steps": (
            steps,
            {
                n: [sorted(s) if isinstance(s, list) else s for s in c]
                for n, c in known["steps"].items()
            },
        ),
    }
    for name in ("orthogonal", "diagonal", "adjacent"):
        pairs[name] = (relations[name.capitalize()], [sorted(set(one)) for one in known[name]])
    for name in ("corners", "top", "left", "bottom", "right", "perimeter", "outer", "centre"):
        pairs[name] = (list(found.regions[name.capitalize()]), known["preset"][name])
    return [name for name, (ours, theirs) in pairs.items() if ours != theirs]


@needs_ludii
def test_boards_agree_with_topologies_of_ludii() -> None:
    agree = 0
    for key in keys():
        tree = parse_ludemes((LUDII / "expanded" / f"{key}.lud").read_bytes(), name=key)
        ludeme = next((one for one in tree.walk() if one.name.endswith(("board", "Board"))), None)
        try:
            agree += ludeme is not None and not differences(
                build_board(ludeme), trace_of(key)["topology"]
            )
        except ValueError:
            continue
    assert agree >= 236, f"{agree} of {len(keys())} boards"


@pytest.mark.parametrize("scale", ["1e308", "1e200", "1e999", "nan", "-2e6", "(/ 1e6 1e-300)"])
def test_numbers_without_a_place_on_a_board_are_refused(scale: str) -> None:
    for text in (f"(scale {scale} (square 3))", f"(shift 0 {scale} (square 3))"):
        with pytest.raises(OverflowError, match=r"-1,000,000 to 1,000,000|away"):
            build_graph(parse_ludemes(text, name="x"), on_cells=False)
    with pytest.raises(OverflowError, match="more than 1,000,000 away"):
        build_graph(parse_ludemes("(scale 1e5 (scale 1e5 (square 3)))", name="x"), on_cells=False)
