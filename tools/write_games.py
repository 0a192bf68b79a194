"""Write one page for each game of the library into docs/games, by what Kibitz finds out itself.

Run it from the checkout with .venv/bin/python tools/write_games.py [NAME ...]; without names it
writes the pages whose rules have changed since, and with --all every page. What is explained there
are the answers that come with Kibitz: run tools/write_answers.py first. It takes minutes.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from random import Random
from textwrap import indent
from time import monotonic

from kibitz.board import text_board
from kibitz.engine import Move, Role, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.english import say_move, scene_of
from kibitz.games import Entry, catalogue, load_sheet, rule_text
from kibitz.pages import fenced_markdown, plain_markdown
from kibitz.present import Explanation, Study, StudyOptions
from kibitz.present.cached_study import answer_of
from kibitz.present.explanation.text import heading_of, measured_lines
from kibitz.present.lesson.lesson import story_lines
from kibitz.present.report import Report, Wish, make_report
from kibitz.present.report.text import cell_text, comparison, how_long, percent
from kibitz.wording import side_name

__all__ = ["FOLDER", "index_page", "is_current", "main", "pages", "played"]

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "games"

_SMALLER = {
    "connectfour": "connect:3,4x4",
    "connect": "connect:3,4x4",
    "breakthrough": "breakthrough:4x3",
    "knightthrough": "knightthrough:5x4",
    "pawnwhopping": "pawnwhopping:5x3",
}
"""Games that are too large to be solved here, and a smaller one that is not."""
_MOST_STATES = 500_000
_LARGE = {"sim": 3_000_000}
"""Games that are worth the time to be solved for their page."""
_MOST_RULES = 12
_SEARCH_SECONDS = 120.0


def main(arguments: list[str]) -> None:
    """Write pages, and the list of them."""
    FOLDER.mkdir(exist_ok=True)
    named = [argument for argument in arguments if not argument.startswith("-")]
    for entry in catalogue():
        wanted = entry.name in named if named else "--all" in arguments or not is_current(entry)
        if wanted:
            print(entry.name, flush=True)
            write(entry)
    (FOLDER / "index.md").write_text(index_page(), "utf-8")


def played(entry: Entry) -> str:
    """Give the game that a page solves: the family's usual one, or a smaller one."""
    return _SMALLER.get(entry.name, entry.name)


def stamp(entry: Entry) -> str:
    """Give what a page rests on: the texts of the rules."""
    texts = rule_text(entry.name) + rule_text(played(entry))
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def is_current(entry: Entry) -> bool:
    """Tell whether there is a page, made from the rules as they are."""
    page = FOLDER / f"{entry.name}.md"
    picture = FOLDER / f"{entry.name}.svg"
    return picture.is_file() and page.is_file() and stamp(entry) in page.read_text("utf-8")


def write(entry: Entry) -> None:
    """Find out all about a game, and write its page and its picture."""
    name = played(entry)
    told = _told(name)
    look = told if name == entry.name else _told(entry.name)
    most = _LARGE.get(name, _MOST_STATES) if told.states is not None else 1
    report = make_report(
        load_sheet(name), Wish(rule_seconds=0, positions=1, seconds=40, max_states=most)
    )
    (FOLDER / f"{entry.name}.svg").write_text(look.svg, "utf-8")
    (FOLDER / f"{entry.name}.md").write_text(page(entry, look, told, report), "utf-8")


def _told(name: str) -> Explanation:
    """Return what `kibitz explain` shows: the answer that comes with Kibitz, or what is found now.

    Without an answer a game is not solved, and no rules are looked for.
    """
    sheet = load_sheet(name)
    answer = answer_of(sheet, StudyOptions())
    if answer is not None:
        return answer.explanation
    study = Study(sheet, StudyOptions(max_states=10, measured=False))
    study.run()
    return study.known


def page(entry: Entry, look: Explanation, told: Explanation, report: Report) -> str:
    """Write the page of a game."""
    parameters = f" Parameters: `{entry.name}:{entry.parameters}`." if entry.parameters else ""
    parts = [
        f"# {entry.name}",
        f"{plain_markdown(entry.summary)}{parameters}",
        f"![The board at the start]({entry.name}.svg)",
        "## The rules",
        _story(look),
    ]
    smaller = played(entry)
    if smaller != entry.name:
        parts += _advice(look)
        parts += [
            f"## A smaller one: {smaller}",
            f"`{entry.name}` has too many positions to be solved in a moment; this one has not.",
            *([_story(told)] if smaller.partition(":")[0] != entry.name else []),
            fenced_markdown(told.board),
        ]
    parts += ["## What it is worth", _worth(told, report), _table(report)]
    parts += _advice(told)
    parts += _puzzle(report) or (_win_in_two(entry.name) if told.states is None else [])
    parts += [
        "## Try it",
        f"```sh\nkibitz explain {smaller}\nkibitz report {smaller}\n"
        f"kibitz play {smaller}\nkibitz web {entry.name} --open\n```",
        f"*This page was written by Kibitz itself, from the rules alone* (`{stamp(entry)}`). "
        "[All games](index.md)",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _story(told: Explanation) -> str:
    return plain_markdown(" ".join(story_lines(told.story)))


def _advice(told: Explanation) -> list[str]:
    """Write the rules for each role, and how they are proved or what was measured."""
    parts = []
    for part in told.parts:
        parts.append(f"## {plain_markdown(heading_of(part))}")
        parts.append(plain_markdown(" ".join(filter(None, [part.worth, part.note]))))
        for number, rule in enumerate(part.rules[:_MOST_RULES], start=1):
            parts.append(f"{number}. {plain_markdown(rule.sentence)}")
            if rule.stencil:
                parts.append(indent(fenced_markdown(rule.stencil), "   "))
        if len(part.rules) > _MOST_RULES:
            parts.append(f"and {len(part.rules) - _MOST_RULES} more.")
        if part.measured:
            parts.append(fenced_markdown("\n".join(measured_lines(part.measured))))
            parts.append(f"`{part.command}` looks for such rules again.")
        elif part.rules:
            parts.append(plain_markdown(f"{part.bound} {part.sure}".strip()))
    return parts


def _worth(told: Explanation, report: Report) -> str:
    lines = [*told.worth, *told.limits]
    if not lines and report.why_unsolved:
        lines = [f"It is not solved: {report.why_unsolved}."]
    return plain_markdown(" ".join(lines))


def _table(report: Report) -> str:
    figures = comparison(report)
    rows = []
    if report.is_complete:
        rows.append(("positions", f"{report.states:,}"))
    rows += [(f"length, {name} play", how_long(found)) for name, found in report.lengths.items()]
    for key, title in (
        ("branching", "choices at a move, random play"),
        ("drawn_states", "positions that are drawn"),
        ("drawn_random", "random matches that are drawn"),
        ("advantage_random", "first mover’s edge, random players"),
        ("advantage_slips", "first mover’s edge, players who slip in one move of ten"),
        ("decisions", "decisions that matter in a random match"),
        ("symmetries", "symmetries"),
    ):
        if figures[key] is not None:
            rows.append((title, cell_text(key, figures[key])))
    lines = [f"| {name} | {plain_markdown(value)} |" for name, value in rows]
    return "\n".join(["| | |", "|---|---|", *lines])


def _puzzle(report: Report) -> list[str]:
    if not report.hardest:
        return []
    hard = report.hardest[0]
    goal = "wins" if hard.chances else "gives nothing away"
    told = ", ".join(f"{name} in {percent(chance)}" for name, chance in hard.chances.items())
    wins = f" Players who look ahead win it seldom: {told}." if told else ""
    moves = " or ".join(f"`{move}`" for move in hard.good)
    return [
        "## A puzzle",
        f"{side_name(hard.role)} is to move. Which of {hard.moves} moves {goal}?",
        fenced_markdown(hard.board),
        f"<details><summary>Answer</summary>\n\n{moves}.{wins}\n\n</details>",
    ]


def _win_in_two(name: str) -> list[str]:
    """Show a position of random play in which one move alone wins with the next, by trying all."""
    game = CompiledGame(load_sheet(name))
    if len(game.roles) != 2:
        return []
    chance = Random(0)
    end = monotonic() + _SEARCH_SECONDS
    while monotonic() < end:
        state = game.initial()
        while not state.is_terminal and monotonic() < end:
            free = [role for role in game.roles if len(state.legal(role)) > 1]
            if len(free) == 1 and not _winners(state, free[0]):
                good = [move for move in state.legal(free[0]) if _forces(state, free[0], move)]
                if len(good) == 1:
                    return _shown(game, state, free[0], good[0])
            state = state.step([chance.choice(state.legal(role)) for role in game.roles])
    return []


def _shown(game: CompiledGame, state: State, role: Role, move: Move) -> list[str]:
    scene = scene_of(game, role)
    return [
        "## A position to try",
        f"{scene.named(role)} is to move and wins with the move after this one, whatever the "
        "opponent plays; only one move does it. All replies were tried.",
        fenced_markdown(text_board(state)),
        f"<details><summary>Answer</summary>{plain_markdown(say_move(scene, move))}</details>",
    ]


def _after(state: State, role: Role, move: Move) -> State:
    """Make a role's move, where the other has no choice."""
    return state.step([move if r == role else state.legal(r)[0] for r in state.game.roles])


def _winners(state: State, role: Role) -> bool:
    """Tell whether a role can win at once."""
    if state.is_terminal or len(state.legal(role)) < 2:
        return False
    after = (_after(state, role, move) for move in state.legal(role))
    return any(each.is_terminal and each.goals[role] == 100 for each in after)


def _forces(state: State, role: Role, move: Move) -> bool:
    """Tell whether a role can win with its next move after this one, whatever comes between."""
    after = _after(state, role, move)
    (other,) = (r for r in state.game.roles if r != role)
    if after.is_terminal or len(after.legal(other)) < 2:
        return False
    return all(_winners(_after(after, other, reply), role) for reply in after.legal(other))


def index_page() -> str:
    """List the pages."""
    rows = [
        f"| [{entry.name}]({entry.name}.md) | {plain_markdown(entry.summary)} |"
        for entry in catalogue()
    ]
    return "\n".join(
        [
            "# A page for every game",
            "",
            "Board, rules, worth, strategy and a puzzle for each game of the "
            "[library](../games.md), written by Kibitz itself with `tools/write_games.py`.",
            "",
            "| game | |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def pages() -> list[str]:
    """Give the names of the pages that there should be."""
    return [entry.name for entry in catalogue()]


if __name__ == "__main__":
    main(sys.argv[1:])
