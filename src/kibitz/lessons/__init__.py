"""A game in, what a learner wants out: explanations, and lessons to print.

=========== ====================================================================
module      holds
=========== ====================================================================
explanation what is told of a game, as plain values
study       a rule sheet as an Explanation, step by step
examples    matches in which every rule is followed
telling     an Explanation as text and as Markdown
page        an Explanation as a page
style       what the pages share
cache       what took long, kept by content
=========== ====================================================================
"""

from kibitz.lessons.explanation import Example, Explanation, Part, Shown, Told
from kibitz.lessons.page import explanation_page
from kibitz.lessons.study import Study, StudyOptions
from kibitz.lessons.telling import to_markdown, to_text

__all__ = [
    "Example",
    "Explanation",
    "Part",
    "Shown",
    "Study",
    "StudyOptions",
    "Told",
    "explanation_page",
    "to_markdown",
    "to_text",
]
