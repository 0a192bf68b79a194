"""How cells, pieces, directions and lines are spelled in sentences."""

from __future__ import annotations

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Pattern
from kibitz.rulebook.model import ANYONE, OPPONENT, YOU

P = Pattern

REGIONS = (
    P(
        "region",
        "the last row",
        m.FarRow,
        also=(
            "your last row",
            "[the] last row",
            "the far row",
            "the farthest row",
            "the opposite row",
            "the opponent 's back row",
            "your opponent 's back row",
            "the far side",
            "the far end",
            "the other side",
            "the other end",
            "the opposite side",
            "the opposite end",
            "the opponent 's home row",
            "your opponent 's home row",
            "your opponent 's first row",
            "the row farthest from you",
        ),
    ),
    P(
        "region",
        "the first row",
        m.HomeRow,
        also=("your first row", "your home row", "the home row", "your back row", "the back row"),
    ),
    P(
        "region",
        "the {number:ordinal} row",
        m.NthRow,
        also=("your {number:ordinal} row",),
    ),
    *(
        P("region", f"the {side} {line}", m.Side, {"side": side}, also=(f"the {side} {other}",))
        for side, line, other in (
            ("top", "row", "edge"),
            ("bottom", "row", "edge"),
            ("left", "column", "edge"),
            ("right", "column", "edge"),
        )
    ),
    P(
        "region",
        "the centre",
        m.Centre,
        also=("the center", "the middle", "the middle cell", "the central cell", "the centre cell"),
    ),
    P(
        "region",
        "the first {count:number} rows",
        m.HomeRows,
        also=("your first {count:number} rows", "the nearest {count:number} rows"),
    ),
    P("region", "row {numbers:size+}", m.Rows, also=("the row {numbers:size+}",)),
    P("region", "column {letters:letter+}", m.Columns, also=("the column {letters:letter+}",)),
    P("region", "the edge", m.Edge, also=("a edge", "the edge of the board", "the border")),
    P(
        "region",
        "a corner",
        m.Corners,
        also=("the corners", "the four corners", "a corner of the board"),
    ),
    P(
        "region",
        "your opponent 's starting cells",
        m.TheirStart,
        also=(
            "the starting cells of your opponent",
            "the cells where your opponent started",
            "your opponent 's start",
            "your opponent 's home",
        ),
    ),
    P("region", "every cell", m.Every, also=("all cells", "all the cells", "each cell")),
    P("region", "{names:cell+}", m.Cells, also=("cell {names:cell+}", "the cell {names:cell+}")),
)

PIECES = (
    P(
        "piece",
        "a {kind:kind} of yours",
        m.Whose,
        {"owner": YOU},
        also=(
            "one of your {kind:kinds}",
            "your {kind:kind}",
            "your own {kind:kind}",
            "a {kind:kind} of your own",
            "a own {kind:kind}",
            "another {kind:kind} of yours",
        ),
    ),
    P(
        "piece",
        "a {kind:kind} of your opponent",
        m.Whose,
        {"owner": OPPONENT},
        also=(
            "a {kind:kind} of your opponent 's",
            "one of your opponent 's {kind:kinds}",
            "your opponent 's {kind:kind}",
            "a opponent 's {kind:kind}",
            "a enemy {kind:kind}",
            "a {kind:kind} of another player",
            "a opposing {kind:kind}",
        ),
    ),
    P(
        "piece",
        "a {kind:kind}",
        m.Whose,
        {"owner": ANYONE},
        also=("any {kind:kind}", "one {kind:kind}", "another {kind:kind}"),
    ),
    P(
        "near",
        "next to {piece:piece}",
        m.Near,
        {"is_near": True},
        also=("that is next to {piece:piece}", "adjacent to {piece:piece}", "beside {piece:piece}"),
    ),
    P(
        "near",
        "that is not next to {piece:piece}",
        m.Near,
        {"is_near": False},
        also=(
            "not next to {piece:piece}",
            "not adjacent to {piece:piece}",
            "that is not adjacent to {piece:piece}",
        ),
    ),
    P("empty", "a empty cell", m.Empty, also=("any empty cell", "a free cell", "any free cell")),
    P(
        "empty",
        "a empty cell on {region:region}",
        m.Empty,
        also=("a empty cell in {region:region}",),
    ),
    P("empty", "a empty cell {near:near}", m.Empty, also=("any empty cell {near:near}",)),
    P(
        "empty",
        "a empty cell on {region:region} {near:near}",
        m.Empty,
        also=("a empty cell in {region:region} {near:near}",),
    ),
)

DIRECTIONS = (
    P("direction", "diagonally forward", "diagonally forward", also=("forward diagonally",)),
    P("direction", "diagonally backward", "diagonally backward", also=("backward diagonally",)),
    P("direction", "forward", "forward", also=("straight forward", "ahead", "straight ahead")),
    P("direction", "backward", "backward", also=("straight backward", "back")),
    P("direction", "sideways", "sideways", also=("sideway", "to the side")),
    P(
        "direction",
        "straight",
        "straight",
        also=("orthogonally", "horizontally or vertically", "vertically or horizontally"),
    ),
    P(
        "direction",
        "diagonally",
        "diagonally",
        also=("diagonally in any direction", "in any diagonal direction"),
    ),
    P("direction", "in any direction", "in any direction", also=("in every direction",)),
    P("direction", "up", "up", also=("upward",)),
    P("direction", "down", "down", also=("downward",)),
    P("direction", "left", "left", also=("to the left",)),
    P("direction", "right", "right", also=("to the right",)),
    P("direction", "along a line", "along a line", also=("along the lines",)),
    P("direction", "clockwise", "clockwise"),
    P("direction", "anticlockwise", "anticlockwise", also=("counterclockwise",)),
    P("target", "to a empty cell", "empty", also=("onto a empty cell",)),
    P(
        "target",
        "to a empty cell or onto a piece of your opponent to capture it",
        "either",
        also=(
            "to a cell without a piece of yours",
            "to a empty cell or to capture",
            "or to capture",
            "to a empty cell or to capture a piece of your opponent",
            "to a cell without a piece of yours and capture what is there",
        ),
    ),
    P(
        "target",
        "onto a piece of your opponent to capture it",
        "capture",
        also=(
            "to capture a piece of your opponent",
            "to capture",
            "to capture a opponent 's piece",
            "onto a opponent 's piece to capture it",
        ),
    ),
    P("ways", "a line", "line", also=("a row", "a straight line", "a row column or diagonal")),
    P(
        "ways",
        "a horizontal or vertical line",
        "straight",
        also=("a row or column", "a column or row"),
    ),
    P("ways", "a horizontal line", "horizontal"),
    P("ways", "a vertical line", "vertical", also=("a column",)),
    P("ways", "a diagonal line", "diagonal", also=("a diagonal", "diagonal")),
    P(
        "sides",
        "left and right",
        "sideways",
        also=(
            "the left side and the right side",
            "the left and the right side",
            "the left and right sides",
            "left to right",
            "left with right",
            "the left and right edges",
        ),
    ),
    P(
        "sides",
        "top and bottom",
        "upright",
        also=(
            "bottom and top",
            "the top side and the bottom side",
            "the top and bottom sides",
            "the top and the bottom side",
            "top to bottom",
            "top with bottom",
            "the top and bottom edges",
        ),
    ),
    P("how", "more", "more", also=("the most", "most")),
    P("how", "fewer", "fewer", also=("the fewest", "less")),
    P("atmost", "exactly", "exactly"),
    P("atmost", "at least", "least"),
    P("atmost", "fewer than", "fewer", also=("less than",)),
)
