"""Write docs/catalogue.md: what Kibitz finds out about every game of the library, in one table.

Run it from the checkout with .venv/bin/python tools/write_catalogue.py FOLDER [NAME ...]. What is
found out is kept in the folder, as by `kibitz catalogue library -o FOLDER`, so that a run that was
stopped goes on; with names, only these are studied, and the rest is taken from the folder.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from kibitz.budget import Budget
from kibitz.games import catalogue, load_sheet
from kibitz.present import CatalogueEntry, Source, study_games, write_index

__all__ = ["main", "page"]

_PAGE = Path(__file__).resolve().parent.parent / "docs" / "catalogue.md"
_BUDGET = Budget(seconds=120, bytes=4 << 30)
_INTRODUCTION = """\
# Catalogue

What Kibitz finds out about the games of its library, and about variants of them, within two minutes
for each game. `tools/write_catalogue.py` writes this page; `kibitz catalogue library -o DIR` makes
pages to browse, with boards, explanations, reports and hard positions, and does the same for a
folder of rule sheets.

- **Value**: with best play, from all positions or by a search that proves it; or what is known of
  random play where no value is.
- **Positions**: all that there are; where symmetric ones are counted once, the
  [explanation](explaining.md) says so.
- **Length**: of random matches. **First to move**: the first player's chance to win in
  random play less that of the others.
- **Rules**: the length of the list for each player who can gain by one. *proved shortest*: no
  shorter list of its kind exists. *at least n*: that many are needed, which is proved. *proved for
  every size*: the same list plays games of this kind of any size. *measured*: found by matches,
  nothing proved.
- **Hardest position**: how many of the moves keep the value there.
"""


def main(arguments: Sequence[str]) -> None:
    """Study games, and write the page."""
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    library = [name for entry in catalogue() for name in entry.examples]
    sources = [Source(name, partial(load_sheet, name)) for name in arguments[1:] or library]
    for entry, files in study_games(sources, folder, budget=_BUDGET):
        print(entry.game, entry.why_not, flush=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    kept = [msgspec.json.decode(p.read_bytes(), type=CatalogueEntry) for p in folder.glob("*.json")]
    known = {entry.game: entry for entry in kept}
    found = [known[name] for name in library if name in known]
    (folder / "index.html").write_text(write_index(found), "utf-8")
    _PAGE.write_text(page(found), "utf-8")


def page(entries: Sequence[CatalogueEntry]) -> str:
    """Write the page.

    >>> "nothing is known" in page([CatalogueEntry("x", "", why_not="nothing is known")])
    True
    """
    lines = [
        "| game | value | positions | length | first to move | rules | hardest position |",
        "|---|---|--:|---|---|---|---|",
        *(_row(entry) for entry in entries if not entry.why_not),
    ]
    left_out = [f"- `{entry.game}`: {entry.why_not}" for entry in entries if entry.why_not]
    return "\n".join([_INTRODUCTION, *lines, "", *left_out]).rstrip() + "\n"


def _row(entry: CatalogueEntry) -> str:
    family = entry.game.partition(":")[0]
    name = f"[{entry.game}](games/{family}.md)" if family in _families() else entry.game
    cells = [
        name,
        entry.value,
        "" if entry.states is None else f"{entry.states:,}",
        entry.length.removesuffix(", in random play"),
        entry.fairness.removeprefix("first to move: ").removesuffix(" in random play"),
        "; ".join(entry.rules),
        entry.puzzle,
    ]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _families() -> set[str]:
    return {entry.name for entry in catalogue()}


if __name__ == "__main__":
    main(sys.argv[1:])
