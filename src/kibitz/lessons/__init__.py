"""A game in, what a learner wants out: explanations, and lessons to print.

=========== ====================================================================
module      holds
=========== ====================================================================
explanation what is told of a game, as plain values
study       a rule sheet as an Explanation, step by step
worth       who should win, and how, in sentences
showing     rules and examples as they are shown
examples    matches in which every rule is followed
telling     an Explanation as text and as Markdown
page        an Explanation as a page
ordering    the rules of a list in the order in which people tell them
lesson      a list of rules as a Lesson, with exercises that need each rule
lesson_page a Lesson as a page with a test; deck: as flash cards
style       what the pages share
cache       what took long, kept by content
=========== ====================================================================
"""

from kibitz.lessons.deck import lesson_deck
from kibitz.lessons.explanation import Example, Explanation, Part, Shown, Told
from kibitz.lessons.lesson import Choice, Exercise, Lesson, Step, make_lesson
from kibitz.lessons.lesson_page import lesson_page
from kibitz.lessons.page import explanation_page
from kibitz.lessons.study import Study, StudyOptions
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
