"""Sentences about turns in, rules for who moves next out.

A turn goes on after a move where turns have several moves or two parts, or where a piece that
jumped may jump again; `turn_goes_on` holds then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.translation.problems import RulesProblem

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


def write_turns(t: Translation) -> None:
    """Write whose turn comes next, and count turns where an end asks for that."""
    sheet = t.sheet
    sheet.section("Turns.")
    goes_on = _long_turns(t)
    if t.has_control:
        over = ["(not turn_goes_on)"] if goes_on else []
        for role, after in zip(t.roles, (*t.roles[1:], t.roles[0]), strict=True):
            sheet.rule(f"(next (control {after}))", f"(true (control {role}))", over)
        sheet.rule("(legal ?player noop)", "(role ?player)", "(not (true (control ?player)))")
        if goes_on:
            sheet.rule("(next (control ?player))", "(true (control ?player))", "turn_goes_on")
            sheet.rule("(next (moved ?player))", "(true (control ?player))")
    turns = [
        condition.count
        for end in t.rules.sentences
        if isinstance(end, m.End | m.Most | m.GameEnds | m.Graded)
        for condition in end.conditions
        if isinstance(condition, m.TurnsPlayed)
    ]
    if turns:
        if not 1 <= min(turns) <= max(turns) <= 500:
            raise RulesProblem("ENG004", "at most 500 turns are counted", None)
        sheet.fact("(init (turns 0))")
        sheet.rule(
            "(next (turns ?after))",
            "(true (turns ?before))",
            "(succ ?before ?after)",
            ["(not turn_goes_on)"] if goes_on else [],
        )
        if goes_on:
            sheet.rule("(next (turns ?count))", "(true (turns ?count))", "turn_goes_on")
        t.later(*(f"(succ {n} {n + 1})" for n in range(max(turns))))


def _long_turns(t: Translation) -> bool:
    """Write when the turn goes on after a move; return whether it ever does."""
    sheet = t.sheet
    per_turn = t.single(m.MovesPerTurn)
    again = t.single(m.JumpAgain)
    parts = [rule for rule in t.rules.all(m.MoveRule) if rule.then]
    found = [one for one in (per_turn, again, *parts[:1]) if one is not None]
    if found and not t.has_control:
        raise RulesProblem("ENG005", "this works for players that take turns", found[0])
    if len(found) > 1:
        message = "a turn goes on in one way: with jumps, in two parts, or for some moves"
        raise RulesProblem("ENG005", message, found[1])
    if per_turn is not None:
        count = per_turn.count
        if not 1 <= count <= 10:
            raise RulesProblem("ENG004", "a turn has 1 to 10 moves", per_turn)
        if count == 1:
            return False
        sheet.fact(f"(init (moves_left {count}))")
        sheet.rule("turn_goes_on", "(not (true (moves_left 1)))")
        for left in range(count, 0, -1):
            sheet.rule(f"(next (moves_left {left - 1 or count}))", f"(true (moves_left {left}))")
    if again is not None:
        sheet.rule("turn_goes_on", f"(jumps_to {t.at()})")
    if parts:
        sheet.rule("turn_goes_on", "(begins_part ?number)")
    return bool(found)
