"""A kind of game in, a file of rules in English out, with comments on what to change.

>>> print(write_template("take-away", name="Twelve", columns=12).splitlines()[2])
There is a pile of 12 counters.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template as Text

from kibitz.errors import InputError

_MOST = 26


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of game: what it is, the size it has if none is given, and its sentences."""

    summary: str
    columns: int
    rows: int
    text: str

    @property
    def has_board(self) -> bool:
        """Whether it has columns and rows."""
        return "$rows" in self.text

    @property
    def has_size(self) -> bool:
        """Whether its size can be chosen."""
        return "$columns" in self.text


TEMPLATES: dict[str, Template] = {
    "line-game": Template(
        "Place pieces; so many in a line win.",
        3,
        3,
        """\
# Whoever gets three in a line wins. Try another size, four in a line, or "You lose if".
Name: $name.
Size: $columns by $rows.
Players: X and O. X begins.
On your turn, place a piece on an empty cell.
You win if you have three in a line.
The game is a draw if the board is full.
""",
    ),
    "race": Template(
        "Run to the far row, and capture on the way.",
        4,
        4,
        """\
# Pawns run forward. Let them go sideways too, or "like a knight", or give each side two rows.
Name: $name.
Size: $columns by $rows.
Players: White and Black. White begins.
White starts with pawns on row 1. Black starts with pawns on row $rows.
On your turn, move a pawn one step forward to an empty cell.
On your turn, move a pawn one step diagonally forward to capture a piece of your opponent.
You win if one of your pawns reaches the last row.
You lose if you cannot move.
""",
    ),
    "capture": Template(
        "Jump over pieces to capture them, until one side has none.",
        3,
        4,
        """\
# Men jump over one another. Capturing is compulsory here; leave that sentence out to allow more.
Name: $name.
Size: $columns by $rows.
Players: White and Black. White begins.
White starts with men on row 1. Black starts with men on row $rows.
On your turn, move a man one step straight to an empty cell.
On your turn, jump with a man straight over a piece of your opponent to the empty cell behind it \
and capture it.
You must capture if you can.
You lose if you have no man left.
You lose if you cannot move.
The game is a draw if 20 turns have been played.
""",
    ),
    "take-away": Template(
        "Take counters from a pile; the last one decides.",
        21,
        1,
        """\
# Whoever takes the last counter wins. Add piles (piles of 3, 4 and 5), or change the numbers.
Name: $name.
There is a pile of $columns counters.
Players: First and Second. First begins.
On your turn, take one to three counters from a pile.
You lose if you cannot move.
""",
    ),
    "connection": Template(
        "Join two sides of a board of hexagons.",
        3,
        3,
        """\
# Red joins left and right, Blue top and bottom; one of them always succeeds.
Name: $name.
The board is a rhombus of hexagons with $columns columns and $rows rows.
Players: Red and Blue. Red begins.
On your turn, place a piece on an empty cell.
Red wins if Red connects left and right.
Blue wins if Blue connects top and bottom.
""",
    ),
    "blocking": Template(
        "Fill the board so that the other cannot move.",
        4,
        3,
        """\
# Dominoes lie either way. Give one player the upright ones and the other the flat ones.
Name: $name.
Size: $columns by $rows.
Players: First and Second. First begins.
On your turn, place a domino on two adjacent empty cells.
You lose if you cannot move.
""",
    ),
    "sliding": Template(
        "Slide pieces until three stand in a line.",
        3,
        3,
        """\
# Three pieces each, which slide. Let them step instead, or start in other places.
Name: $name.
Size: $columns by $rows.
Players: White and Black. White begins.
White starts with pieces on row 1. Black starts with pieces on row $rows.
On your turn, slide a piece straight to an empty cell.
You win if you have three in a vertical line.
You lose if you cannot move.
The game is a draw if 20 turns have been played.
""",
    ),
    "puzzle": Template(
        "One player: put out all lamps.",
        3,
        3,
        """\
# Each press switches a lamp and its neighbours. Begin with other lamps, or allow more turns.
Name: $name.
Size: $columns by $rows.
Players: Solver.
There are lamps on every cell.
On your turn, switch the lamp on a cell and on the cells next to it.
You win if nothing is left.
You lose if 9 turns have been played.
""",
    ),
    "simultaneous": Template(
        "Both choose at once; one choice beats another.",
        3,
        1,
        """\
# Rock, paper, scissors. Add a choice, or let a win give points.
Name: $name.
Players: West and East. Both players choose at the same time.
On your turn, choose rock, paper or scissors.
Rock beats scissors. Scissors beats paper. Paper beats rock.
You win if your choice beats your opponent's choice.
The game is a draw if $columns turns have been played.
""",
    ),
}
"""All kinds of games."""


def write_template(
    kind: str, *, name: str = "", columns: int | None = None, rows: int | None = None
) -> str:
    """Write the rules of a kind of game, of some size."""
    if kind not in TEMPLATES:
        raise InputError(f"no template {kind}", hint=f"one of {', '.join(TEMPLATES)}")
    made = TEMPLATES[kind]
    size = {"columns": columns or made.columns, "rows": rows or made.rows}
    if made.has_board and not all(2 <= number <= _MOST for number in size.values()):
        raise InputError(
            f"a board has 2 to {_MOST} columns and rows, not {size['columns']} by {size['rows']}"
        )
    title = " ".join(name.split()) or kind.replace("-", " ").capitalize()
    if not all(letter.isalnum() or letter in " -'" for letter in title):
        raise InputError(f"the name {title!r} has a sign in it", hint="letters, digits and spaces")
    return Text(made.text).substitute(name=title, **size)
