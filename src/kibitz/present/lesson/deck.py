"""A Lesson in, a deck of flash cards out, in the format that `kibitz puzzles` writes."""

from __future__ import annotations

from kibitz.board import escape
from kibitz.present.lesson.lesson import Lesson
from kibitz.wording import side_name

__all__ = ["lesson_deck"]


def lesson_deck(lesson: Lesson) -> str:
    """Write exercises and rules as a text file that Anki and other flash-card programs import.

    Each line is one card: a name that stays the same from one import to the next, the question,
    the answer, and tags.
    """
    lines = ["#separator:tab", "#html:true", "#guid column:1", "#tags column:4"]
    for step in lesson.steps:
        said = (step.told.sentence, step.told.why, step.told.note)
        question = f"{lesson.title}, {side_name(lesson.role)}: what does rule {step.rule} say?"
        lines.append(
            _card(
                f"{lesson.name}-{step.rule}",
                f"<p>{escape(question)}</p>",
                "".join(f"<p>{escape(line)}</p>" for line in said if line) + step.told.svg,
                f"rule{step.rule}",
            )
        )
    for exercise in lesson.exercises:
        rule = lesson.part.rules[exercise.rule - 1]
        question = f"{side_name(lesson.role)} to move. Which move, and by which rule?"
        answer = f"{exercise.answer}. Rule {exercise.rule}: {rule.sentence}"
        lines.append(
            _card(
                exercise.name,
                f"{exercise.svg}<p>{escape(question)}</p>",
                f"{exercise.answer_svg}<p>{escape(answer[0].upper() + answer[1:])}</p>",
                f"rule{exercise.rule} exercise",
            )
        )
    return "\n".join(lines) + "\n"


def _card(*fields: str) -> str:
    return "\t".join(" ".join(part.split()) for part in fields)
