"""A game in, what a learner wants out: explanations, and lessons to print.

=========== ====================================================================
module      holds
=========== ====================================================================
options     how much to spend on it
explanation what is told of a game, as plain values
study       a rule sheet as an Explanation, step by step
worth       who should win, and how, in sentences
showing     rules and examples as they are shown
examples    matches in which every rule is followed
telling     an Explanation as text and as Markdown
page        an Explanation as a page
ordering    the rules of a list in the order in which people tell them
lesson      a list of rules as a Lesson, with exercises that need each rule
handout     a Lesson as a page with a test; deck: as flash cards
style       what the pages share
cache       what took long, kept by content
=========== ====================================================================
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.lessons.deck import lesson_deck
    from kibitz.lessons.explanation import Example, Explanation, Part, Shown, Told
    from kibitz.lessons.handout import lesson_page
    from kibitz.lessons.lesson import Choice, Exercise, Lesson, Step, make_lesson
    from kibitz.lessons.options import StudyOptions
    from kibitz.lessons.page import explanation_page
    from kibitz.lessons.study import Study
    from kibitz.lessons.telling import to_markdown, to_text

__all__ = [
    "Choice",
    "Example",
    "Exercise",
    "Explanation",
    "Lesson",
    "Part",
    "Shown",
    "Step",
    "Study",
    "StudyOptions",
    "Told",
    "explanation_page",
    "lesson_deck",
    "lesson_page",
    "make_lesson",
    "to_markdown",
    "to_text",
]

_WHERE = {
    "Choice": "lesson",
    "Example": "explanation",
    "Exercise": "lesson",
    "Explanation": "explanation",
    "Lesson": "lesson",
    "Part": "explanation",
    "Shown": "explanation",
    "Step": "lesson",
    "Study": "study",
    "StudyOptions": "options",
    "Told": "explanation",
    "explanation_page": "page",
    "lesson_deck": "deck",
    "lesson_page": "handout",
    "make_lesson": "lesson",
    "to_markdown": "telling",
    "to_text": "telling",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first asked for: what is kept is shown without the solver."""
    if name not in _WHERE:
        raise AttributeError(name)
    return getattr(import_module(f"kibitz.lessons.{_WHERE[name]}"), name)
