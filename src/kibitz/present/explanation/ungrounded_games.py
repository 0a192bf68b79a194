"""A rule sheet that cannot be compiled in, what is found out about its game in time out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kibitz.board import svg_board, text_board
from kibitz.budget import Budget, run_within
from kibitz.engine import UngroundedGame, overview
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet
from kibitz.present.explanation.explanation import Explanation

__all__ = ["describe_ungrounded"]


def describe_ungrounded(
    sheet: RuleSheet,
    known: Explanation,
    error: BudgetExceededError,
    budget: Budget,
    report: Callable[[str], None],
) -> Iterator[Explanation]:
    """Walk what is known of a game as it grows: why it has no value, its board, its play."""
    name, share = sheet.name, replace(budget, seconds=budget.seconds / 6)

    def draw() -> tuple[tuple[str, ...], str, str]:
        game = UngroundedGame(sheet)
        return game.roles, text_board(game.initial()), svg_board(game.initial())

    def look() -> str:
        return overview(UngroundedGame(sheet)).as_text(known.title)

    limits = (
        f"Its value is not known: {error.message}.",
        "Rules are found by matches only where the game is compiled.",
    )
    report("drawing the board")
    try:
        roles, board, svg = run_within(share, draw, doing=f"drawing {name}")
        known = replace(known, limits=limits, roles=roles, board=board, svg=svg)
    except BudgetExceededError as reason:
        known = replace(known, limits=(*limits, f"Its board is not drawn: {reason.message}."))
    yield known
    report("looking at some matches")
    try:
        story = run_within(share, look, doing=f"looking at {name}")
        yield replace(known, story=tuple(story.splitlines()))
    except BudgetExceededError as reason:
        line = f"Its play is not described: {reason.message}."
        yield replace(known, limits=(*known.limits, line))
