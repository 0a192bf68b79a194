"""A Lesson in, its sentences out: what a learner gains, and where a rule stands in the list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.present.explanation.explanation import IN_PART, IN_SHORT
from kibitz.present.lesson.lesson import EXERCISES, MATCHES, Lesson, LessonStep
from kibitz.wording import counted, side_name

__all__ = [
    "contents_of_lesson",
    "gain_sentence",
    "intro_sentence",
    "note_sentence",
    "place_sentence",
    "story_lines",
    "task_sentence",
]


_COMMENT = re.compile(
    r"(The rule sheet says) of itself: “(?:[\w:,]+: )?(.*?)"
    r"(?: (?:Roles|Fluents|Moves): .*| \+--.*)?”"
)
"""What a sheet says of itself: its name, then words, then terms or a drawing in letters."""


def contents_of_lesson(lesson: Lesson) -> str:
    """Describe in brief what a lesson has."""
    rules, tasks = counted(len(lesson.steps), "rule"), counted(len(lesson.exercises), "position")
    return f"{lesson.title}, a lesson for {side_name(lesson.role)}, {rules} and {tasks}"


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
    order = "the order of the list" if lesson.part.measured else "the order in which they help most"
    order = f" They come in {order}." if rules > 1 else ""
    if lesson.part.measured:
        return (
            f"In {MATCHES} matches against random play, somebody who moves at random gets "
            f"{mean:.0f} of 100 points on average, and somebody who follows {known} of this lesson "
            f"{last.against_random:.0f}.{order}"
        )
    gets = (
        "on average, and {} at worst"
        if is_alone
        else ("on average against random play, and {} against a good player")
    )
    learned = f"get {last.against_random:.0f}, and never less than {last.guaranteed}"
    if last.guaranteed == 100:
        learned = "always get 100"
    return (
        f"Of 100 points, somebody who moves at random gets {mean:.0f} {gets.format(least)}. "
        f"With {known} of this lesson you {learned}.{order}"
    )


def place_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe where a rule stands in the list."""
    count = len(lesson.part.rules)
    if count == 1:
        return "It is the only rule of the list."
    if step.rule == 1:
        return "It is the first rule of the list: where it applies, it goes before all others."
    if step.rule == count:
        return f"It is rule {count}, the last of the list: follow it where no other rule applies."
    before = "rule 1" if step.rule == 2 else f"any of rules 1 to {step.rule - 1}"
    return f"It is rule {step.rule} of {count}: follow it unless {before} applies."


def gain_sentence(lesson: Lesson, step: LessonStep, *, is_alone: bool = False) -> str:
    """Describe what a player gets who knows the rules up to this one."""
    gets = f"With the rules so far you get {step.against_random:.0f} of 100 on average"
    if lesson.part.measured:
        return f"{gets} in {MATCHES} matches against random play."
    if step.guaranteed == 100:
        return "With the rules so far you always get 100."
    against = "" if is_alone else " against random play"
    if step.guaranteed == lesson.nothing[1]:
        return f"{gets}{against}, but may still end with {step.guaranteed}."
    return f"{gets}{against}, and never less than {step.guaranteed}."


def task_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe the positions of a step."""
    if not all(one.is_needed for one in step.exercises):
        return "In these positions it decides. Where do you move?"
    if lesson.part.measured:
        return (
            "In these positions of matches it decides, and the list without it allows other moves. "
            "Where do you move?"
        )
    return "These positions need it. Where do you move?"


def note_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Say if few positions need a rule, or none; nothing where a step has as many as others."""
    needed = sum(one.is_needed for one in step.exercises)
    if needed >= EXERCISES:
        return ""
    verb = "needs" if needed == 1 else "need"
    if lesson.part.measured:
        if needed:
            return f"In the matches were only {counted(needed, 'position')} that {verb} this rule."
        return "In the matches was no position that needs this rule alone."
    if needed:
        return f"Only {counted(needed, 'kind')} of position {verb} this rule."
    return "No position needs this rule alone: without it the others give nothing away."
