"""A Lesson in, a page out: to be printed, with a self-test on the screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kibitz.pages import write_page
from kibitz.present.explanation import measured_text, text
from kibitz.present.lesson import sentences
from kibitz.present.lesson.effort import EFFORT_NOTE, effort_of
from kibitz.present.lesson.lesson import Exercise, Lesson

__all__ = ["lesson_page"]

_QUESTIONS = 10


def lesson_page(lesson: Lesson) -> str:
    """Write a lesson as a page that needs nothing from elsewhere."""
    numbers = {exercise.name: n for n, exercise in enumerate(lesson.exercises, start=1)}
    questions = list(_questions(lesson))
    return write_page(
        "lesson",
        lesson=lesson,
        effort=effort_of(lesson),
        effort_note=EFFORT_NOTE,
        numbers=numbers,
        questions=questions,
        text=text,
        measured=measured_text,
        sentences=sentences,
    )


def _questions(lesson: Lesson) -> Iterator[tuple[str, Exercise]]:
    """Return the questions of the test: half of the exercises before the lesson, half after it."""
    seen: Counter[int] = Counter()
    asked: Counter[str] = Counter()
    for exercise in lesson.exercises:
        turn = seen[exercise.rule]
        seen[exercise.rule] += 1
        part = "before" if turn % 2 == 0 else "after"
        if asked[part] < _QUESTIONS and turn <= 3:
            asked[part] += 1
            yield part, exercise
