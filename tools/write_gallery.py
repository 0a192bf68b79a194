"""Write what the start page of `kibitz web` shows of each game of the library, from docs/games.

Run it from the checkout with .venv/bin/python tools/write_gallery.py, after tools/write_games.py:
values and numbers of rules are those of the pages, which Kibitz worked out, and boards are drawn
from the rules.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.write_games import FOLDER, played, stamp

from kibitz.board import picture_of_board, to_svg
from kibitz.engine import CompiledGame, State
from kibitz.games import Entry, catalogue, load_sheet
from kibitz.web import GALLERY

__all__ = ["facts_of", "main"]

_HEADING = re.compile(r"^## (.* rules? for .*)$", re.MULTILINE)
_VALUE = re.compile(r"^(With best play .*?\.|A search proves that .*?\.)(?= |$)", re.MULTILINE)
_PLIES = 5
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def facts_of(entry: Entry) -> dict[str, Any]:
    """Return what is known of the game that an entry's page is about.

    Of a game without parameters that is too large, nothing is: its page is about a smaller one.
    """
    is_itself = bool(entry.parameters) or played(entry) == entry.name
    name = played(entry) if is_itself else entry.name
    page = (FOLDER / f"{entry.name}.md").read_text("utf-8")
    # A list so long that its number is not a word is nothing to learn.
    headings = [text for text in _HEADING.findall(page) if not re.match(r"\d", text)]
    value = _VALUE.search(page)
    return {
        "name": name,
        "title": name[:1].upper() + name[1:].replace(":", " "),
        "summary": entry.summary,
        "value": value[1] if value and is_itself else "",
        "rules": _joined(headings) if is_itself else "",
        "stamp": stamp(entry),
    }


def _joined(headings: list[str]) -> str:
    """Join headings: *Five rules for xplayer, four for oplayer*."""
    first, *others = headings or [""]
    shorter = (re.sub(r" rules? for ", " for ", text, count=1) for text in others)
    return ", ".join([first, *(text[:1].lower() + text[1:] for text in shorter)])


def position_of(game: CompiledGame) -> State:
    """Return a position to draw: some moves into a match, or the start of a puzzle."""
    state, source = game.initial(), Random(1)
    if len(game.roles) == 1:
        return state
    for _ in range(_PLIES):
        after = state.step([source.choice(state.legal(role)) for role in game.roles])
        if after.is_terminal:
            break
        state = after
    return state


def main() -> None:
    """Write the file."""
    games, style = [], ""
    for entry in catalogue():
        facts = facts_of(entry)
        game = CompiledGame(load_sheet(facts["name"]))
        board = picture_of_board(position_of(game))
        svg = to_svg(board) if board else ""
        for found in _STYLE.findall(svg):
            style = found
        games.append({**facts, "svg": _STYLE.sub("", svg)})
        print(facts["name"], facts["value"], facts["rules"], flush=True)
    text = json.dumps({"style": style, "games": games}, indent=1, ensure_ascii=False)
    GALLERY.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
