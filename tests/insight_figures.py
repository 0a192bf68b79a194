"""Games in, a table out: the rules that insight finds for them, for which sizes, and its time.

Run it with python -m tests.insight_figures from the checkout: it writes the table into
docs/insight.md. Games that the library does not have are written by the sheets of the tests, under
names of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.strategy.dominoes import domino_sheet
from tests.strategy.heaps import heap_sheet, row_sheet
from tests.synth.test_counters import coins, one_piece, race, sticks
from tests.synth.test_mirror_sizes import crosses, kings

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import find_insight, insight_sentences

__all__ = ["GAMES", "main"]

_PAGE = Path(__file__).parent.parent / "docs" / "insight.md"
_BEGIN, _END = "<!-- figures -->\n", "<!-- end of figures -->\n"

_ROOK = [step for k in range(1, 8) for step in ((k, 0), (0, k))]

GAMES: dict[str, Callable[[], RuleSheet]] = {
    "take 1 to 3 from 21": lambda: heap_sheet((21,), (1, 2, 3)),
    "take 1 to 5 from 40": lambda: heap_sheet((40,), (1, 2, 3, 4, 5)),
    "take 1, 3 or 4 from 20": lambda: heap_sheet((20,), (1, 3, 4)),
    "take 2 or 3 from 5 and 6": lambda: heap_sheet((5, 6), (2, 3)),
    "nim 3, 4, 5": lambda: load_sheet("nim:3,4,5"),
    "nim 1, 3, 5, 7": lambda: load_sheet("nim:1,3,5,7"),
    "misère nim 1, 3, 5, 7": lambda: load_sheet("nim:1,3,5,7,misere"),
    "Wythoff's game, 20 by 20": lambda: heap_sheet((20, 20), both=True),
    "race to 50, 1 to 10 each, also past it": lambda: race(50, 10),
    "sticks in no order, 1 or 2 of 7": lambda: sticks(7),
    "a rook that goes down or left, 8 by 7": lambda: one_piece(_ROOK, 8, 7),
    "a king that goes down or left, 8 by 7": lambda: one_piece([(1, 0), (0, 1), (1, 1)], 8, 7),
    "two coins in each of two rows, moved together": lambda: coins([(1, 4), (2, 6)]),
    "cram, 2 by 4": lambda: domino_sheet(2, 4),
    "cram, 4 by 4": lambda: domino_sheet(4, 4),
    "cram, 3 by 4": lambda: domino_sheet(3, 4),
    "kings that do not touch, 5 by 3": lambda: kings(5, 3),
    "crosses none beside another, 9 boxes": lambda: crosses(9),
    "Kayles, 10 pins": lambda: load_sheet("kayles:10"),
    "Dawson's Kayles, 10 pins": lambda: row_sheet(10, (2,)),
    "chomp, 2 by 6": lambda: load_sheet("chomp:2x6"),
    "chomp, 4 by 4": lambda: load_sheet("chomp:4x4"),
    "crossdot, 5 boxes, 2 side by side": lambda: load_sheet("crossdot:5,2"),
    "crossdot, 7 boxes, 2 side by side": lambda: load_sheet("crossdot:7,2"),
    "crossdot, 7 boxes, 3 side by side": lambda: load_sheet("crossdot:7,3"),
    "crossdot, 8 boxes, 4 side by side": lambda: load_sheet("crossdot:8,4"),
    "crossdot, 9 boxes, 3 side by side": lambda: load_sheet("crossdot:9,3"),
}


def main() -> None:
    """Find the rules, and write the table."""
    lines = ["| game | rules | hold for | CPU-s |", "|---|---|---|---|"]
    for name, sheet in GAMES.items():
        begin = time.process_time()
        rules, sizes = row_of(sheet())
        lines.append(f"| {name} | {rules} | {sizes} | {time.process_time() - begin:.1f} |")
        print(lines[-1], flush=True)
    page = _PAGE.read_text()
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    _PAGE.write_text("".join([before, _BEGIN, "\n".join(lines), "\n", _END, after]))


def row_of(sheet: RuleSheet) -> tuple[str, str]:
    """Return the rules for a role that wins, or else for the first that holds a draw."""
    solution = solve(explore(CompiledGame(sheet)))
    values = solution.value()
    role = max(values, key=lambda role: values[role])
    found = find_insight(solution, role)
    if found is None:
        return "none found", ""
    said = " ".join(insight_sentences(found))
    how = "proved" if found.holds_for.proved else "checked"
    return f"{role}: {said}", f"{how}: {found.holds_for.as_json()['sizes']}"


if __name__ == "__main__":
    main()
