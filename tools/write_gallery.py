"""Write what the start page of `kibitz web` shows of each game of the library.

Run it from the checkout with .venv/bin/python tools/write_gallery.py, after tools/write_answers.py:
values, rules and what lessons ask of a learner are those of the answers that come with Kibitz, and
boards are drawn from the rules.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.write_games import played

from kibitz.board import picture_of_board, to_svg
from kibitz.engine import CompiledGame, State
from kibitz.games import Entry, catalogue, load_sheet, title_of
from kibitz.present import EFFORT_NOTE, StudyOptions
from kibitz.present.cached_study import Answer, answer_of
from kibitz.present.explanation.text import heading_of
from kibitz.web import GALLERY

__all__ = ["facts_of", "main"]

_PLIES = 5
_UNSOLVED = "Not solved yet."
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def facts_of(entry: Entry) -> dict[str, str]:
    """Return what the card of an entry says; of a family that is too large, a smaller game is."""
    name = played(entry) if entry.parameters else entry.name
    answer = answer_of(load_sheet(name), StudyOptions())
    difficulty, time = answer.effort if answer is not None else ("", "")
    return {
        "name": name,
        "title": title_of(name),
        "summary": entry.summary,
        "value": _value(answer) if answer is not None else _UNSOLVED,
        "rules": (_rules(answer) if answer is not None else "") or "No rules yet",
        "difficulty": difficulty,
        "time": time,
        "also": ", ".join(entry.also),
    }


def _value(answer: Answer) -> str:
    worth = answer.explanation.worth
    return worth[0].partition(". ")[0].rstrip(".") + "." if worth else _UNSOLVED


def _rules(answer: Answer) -> str:
    """Count the rules for each role: *Five rules for X, four for O*."""
    headings = [heading_of(part) for part in answer.explanation.parts if part.rules]
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
    games: list[dict[str, str]] = []
    style = ""
    for entry in catalogue():
        facts = facts_of(entry)
        game = CompiledGame(load_sheet(facts["name"]))
        board = picture_of_board(position_of(game))
        svg = to_svg(board) if board else ""
        for found in _STYLE.findall(svg):
            style = found
        games.append({**facts, "svg": _STYLE.sub("", svg)})
        print(*facts.values(), sep=" | ", flush=True)
    text = json.dumps(
        {"style": style, "about": EFFORT_NOTE, "games": games}, indent=1, ensure_ascii=False
    )
    GALLERY.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
