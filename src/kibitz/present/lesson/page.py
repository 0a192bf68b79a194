"""Print a lesson as a page or a deck of cards, with the effort that it takes.

Both are counts of the lesson itself; no learner was timed. Difficulty has a point for every twenty
words of the rules to remember, and one for each halving of the chance that a move at random is
right in the positions of the lesson. Time is that of reading the lesson and of its positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import log2

from kibitz.board import escape
from kibitz.pages import write_page
from kibitz.present.explanation import text
from kibitz.present.lesson import lesson as sentences
from kibitz.present.lesson.lesson import Exercise, Lesson, note_sentence
from kibitz.wording import counted, side_name

_WORDS_A_POINT = 20
_WORDS_A_MINUTE = 150
_POSITIONS_A_MINUTE = 3
_LEVELS = ((3.5, "easy"), (6.0, "moderate"), (9.0, "hard"), (float("inf"), "very hard"))
"""Words for difficulty, each for up to so many points."""
EFFORT_NOTE = (
    "Counted, not measured on people. Difficulty: the words of the rules to remember, a point for "
    f"{_WORDS_A_POINT}, and how rarely a move at random is right in the positions of the lesson, "
    "a point for each halving; "
    + ", ".join(f"{word} up to {most:g}" for most, word in _LEVELS[:-1])
    + f". Time: reading the lesson at {_WORDS_A_MINUTE} words a minute, and "
    f"{60 // _POSITIONS_A_MINUTE} seconds for each position."
)


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort in counts: words of the rules and of the whole lesson, positions, and right moves."""

    rule_words: int
    all_words: int
    positions: int
    right: float
    """How often a move at random is right in them, on average; 1 where there are none."""

    @property
    def points(self) -> float:
        """How hard it is, as a number."""
        return self.rule_words / _WORDS_A_POINT - log2(self.right)

    @property
    def difficulty(self) -> str:
        """How hard it is, in a word.

        >>> Effort(40, 300, 20, 0.25).difficulty
        'moderate'
        """
        return next(word for most, word in _LEVELS if self.points <= most)

    @property
    def minutes(self) -> int:
        """How long it takes, at least a minute.

        >>> Effort(40, 300, 20, 0.25).minutes
        9
        """
        whole = self.all_words / _WORDS_A_MINUTE + self.positions / _POSITIONS_A_MINUTE
        return max(1, round(whole))

    @property
    def sentence(self) -> str:
        """Describe both, with what they are made of.

        >>> Effort(20, 150, 0, 1).sentence
        'Easy, about 1 minute: 20 words of rules to remember.'
        """
        said = f"{self.difficulty.capitalize()}, about {counted(self.minutes, 'minute')}: "
        said += f"{counted(self.rule_words, 'word')} of rules to remember"
        if not self.positions:
            return f"{said}."
        return (
            f"{said}, and {counted(self.positions, 'position')}, in which a move at random is "
            f"right in {100 * self.right:.0f} of 100."
        )


def effort_of(lesson: Lesson) -> Effort:
    """Count what a lesson asks of a learner."""
    rules = _words(step.told.sentence for step in lesson.steps)
    notes = (note_sentence(lesson, step) for step in lesson.steps)
    others = _words(chain(lesson.story, lesson.worth, notes))
    asked = [exercise.choices for exercise in lesson.exercises if exercise.choices]
    right = [sum(choice.is_good for choice in choices) / len(choices) for choices in asked]
    # Where no move is right there is nothing to find.
    share = sum(right) / len(right) if sum(right) else 1.0
    return Effort(rules, rules + others, len(asked), share)


def effort_text(efforts: Iterable[Effort]) -> tuple[str, str]:
    """Describe how hard a game is and how long it takes, for any of its roles; or nothing.

    >>> effort_text([Effort(40, 300, 20, 0.25), Effort(10, 100, 10, 0.5)])
    ('Easy to moderate', '4 to 9 minutes')
    """
    ordered = sorted(efforts, key=lambda effort: effort.points)
    if not ordered:
        return "", ""
    levels = dict.fromkeys((ordered[0].difficulty, ordered[-1].difficulty))
    minutes = sorted({effort.minutes for effort in ordered})
    ends = dict.fromkeys((minutes[0], minutes[-1]))
    unit = "minute" if minutes[-1] == 1 else "minutes"
    return " to ".join(levels).capitalize(), f"{' to '.join(map(str, ends))} {unit}"


def _words(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)


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
        measured=text,
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
