"""A Lesson in, its sentences out: what a learner gains, and where a rule stands in the list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.present.explanation.explanation import IN_PART, IN_SHORT
from kibitz.present.lesson.lesson import MATCHES, Lesson, LessonStep

__all__ = ["gain_sentence", "intro_sentence", "place_sentence", "story_lines", "task_sentence"]


_COMMENT = re.compile(
    r"(The rule sheet says) of itself: “(?:[\w:,]+: )?(.*?)"
    r"(?: (?:Roles|Fluents|Moves): .*| \+--.*)?”"
)
"""What a sheet says of itself: its name, then words, then terms or a drawing in letters."""


def story_lines(story: Iterable[str]) -> tuple[str, ...]:
    """Return the rules in words without what is for those who read rule sheets.

    >>> story_lines(["A game.", "The rule sheet says of itself: “hex: Join sides. Roles: a, b.”"])
    ('A game.', 'The rule sheet says: “Join sides.”')
    """
    return tuple(
        _COMMENT.sub(r"\1: “\2”", line) for line in story if line not in (IN_SHORT, IN_PART)
    )


def intro_sentence(lesson: Lesson, *, is_alone: bool = False) -> str:
    """Describe what a player gains by the lesson, and in which order its rules come."""
    mean, least = lesson.nothing
    last = lesson.steps[-1]
    rules = len(lesson.steps)
    known = "the rule" if rules == 1 else f"the {rules} rules"
    knows = f"A player who knows {known} of this lesson gets"
    order = "the order of the list" if lesson.part.measured else "the order in which they gain most"
    order = f" They come in {order}." if rules > 1 else ""
    if lesson.part.measured:
        return (
            f"A player who moves at random gets {mean:.0f} of 100 on average in {MATCHES} matches "
            f"against random play. {knows} {last.against_random:.0f}.{order}"
        )
    gets = f"{mean:.0f} of 100 on average against random play, and {least} against a good player"
    if is_alone:
        gets = f"{mean:.0f} of 100 on average, and {least} at worst"
    return (
        f"A player who moves at random gets {gets}. {knows} {last.against_random:.0f} and never "
        f"less than {last.guaranteed}.{order}"
    )


def place_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe where a rule stands in the list."""
    if len(lesson.part.rules) == 1:
        return "It is the only rule of the list."
    if step.rule == 1:
        return "It is the first rule of the list: where it applies, it goes before all others."
    return f"It is rule {step.rule} of the list: the rules with smaller numbers go before it."


def gain_sentence(lesson: Lesson, step: LessonStep, *, is_alone: bool = False) -> str:
    """Describe what a player gets who knows the rules up to this one."""
    gets = f"With what you know now you get {step.against_random:.0f} on average"
    if lesson.part.measured:
        return f"{gets} in {MATCHES} matches against random play."
    against = "" if is_alone else " against random play"
    return f"{gets}{against}, and {step.guaranteed} guaranteed."


def task_sentence(lesson: Lesson) -> str:
    """Describe the positions of a step."""
    if lesson.part.measured:
        return (
            "In these positions of matches it decides, and the list without it allows other moves. "
            "Where do you move?"
        )
    return "These positions need it. Where do you move?"
