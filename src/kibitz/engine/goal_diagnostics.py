"""A terminal state that gives a role no usable goal in; out what its rules say instead."""

from __future__ import annotations

from kibitz.engine.game import Role, State
from kibitz.engine.reference import ReferenceGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function, RuleSheet

__all__ = ["goal_error"]


def goal_error(state: State, role: Role) -> KibitzError:
    """Describe what is wrong with the goal of a role in a state in which it is None.

    >>> from kibitz.gdl import parse
    >>> text = "(role a) (init (w 150)) (legal a go) terminal (<= (goal a ?v) (true (w ?v)))"
    >>> print(goal_error(ReferenceGame(parse(text, name="g")).initial(), "a").message)
    a terminal state of g gives a the goal 150 (line 1), which is not a whole number from 0 to 100
    """
    sheet = state.game.sheet
    found = ReferenceGame(sheet).goal_terms(state.fluents, role)
    start = f"a terminal state of {sheet.name} gives {role}"
    hint = f"it is {' '.join(map(str, state.fluents))}"[:300]
    if not found:
        return KibitzError(f"{start} no goal", hint=hint)
    values = " and ".join(f"{value}{_lines(sheet, role, value)}" for value in found[:3])
    if len(found) > 1:
        return KibitzError(f"{start} more than one goal: {values}", hint=hint)
    return KibitzError(
        f"{start} the goal {values}, which is not a whole number from 0 to 100", hint=hint
    )


def _lines(sheet: RuleSheet, role: Role, value: Function) -> str:
    """Name the lines of the rules that can give a role a goal."""
    lines = []
    for rule in sheet.rules:
        if rule.head.relation == "goal" and len(rule.head.args) == 2:
            who, what = rule.head.args
            if (not isinstance(who, Function) or str(who) == role) and (
                not isinstance(what, Function) or what == value
            ):
                lines.append(str(sheet.source.position(rule.place.start)[0]))
    if not lines or not sheet.source.text:
        return ""
    return f" (line {lines[0]})" if len(lines) == 1 else f" (lines {', '.join(lines[:5])})"
