"""A Lesson in, its sentences out: what a learner gains, and where a rule stands in the list."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.present.explanation.explanation import IN_PART, IN_SHORT
from kibitz.present.lesson.lesson import MATCHES, Lesson, LessonStep
from kibitz.wording import counted

__all__ = ["gain_sentence", "intro_sentence", "place_sentence", "story_lines", "task_sentence"]


def story_lines(story: Iterable[str]) -> tuple[str, ...]:
    """Return the rules in words without what refers to the end of an explanation."""
    return tuple(line for line in story if line not in (IN_SHORT, IN_PART))


def intro_sentence(lesson: Lesson) -> str:
    """Describe what a player gains by the lesson, and in which order its rules come."""
    mean, least = lesson.nothing
    last = lesson.steps[-1]
    knows = f"A player who knows the {counted(len(lesson.steps), 'rule')} of this lesson gets"
    if lesson.part.measured:
        return (
            f"A player who moves at random gets {mean:.0f} of 100 on average in {MATCHES} matches "
            f"against random play. {knows} {last.against_random:.0f}. They come in the order of "
            "the list."
        )
    return (
        f"A player who moves at random gets {mean:.0f} of 100 on average against random play, and "
        f"{least} against a good player. {knows} {last.against_random:.0f} and never less than "
        f"{last.guaranteed}. They come in the order in which learning them gains most."
    )


def place_sentence(step: LessonStep) -> str:
    """Describe where a rule stands in the list."""
    if step.rule == 1:
        return "It is the first rule of the list: where it applies, it goes before all others."
    return f"It is rule {step.rule} of the list: the rules with smaller numbers go before it."


def gain_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe what a player gets who knows the rules up to this one."""
    gets = f"With what you know now you get {step.against_random:.0f} on average"
    if lesson.part.measured:
        return f"{gets} in {MATCHES} matches against random play."
    return f"{gets} against random play, and {step.guaranteed} guaranteed."


def task_sentence(lesson: Lesson) -> str:
    """Describe the positions of a step."""
    if lesson.part.measured:
        return (
            "In these positions of matches it decides, and the list without it allows other moves. "
            "Where do you move?"
        )
    return "These positions need it. Where do you move?"
