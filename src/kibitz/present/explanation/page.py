"""Render an Explanation as a page, to be read on a screen, light or dark, or printed."""

from __future__ import annotations

from kibitz.pages import write_page
from kibitz.present.explanation import text
from kibitz.present.explanation.explanation import Explanation


def explanation_page(explanation: Explanation) -> str:
    """Write an explanation as a page that needs nothing from elsewhere.

    >>> "<h1>nim</h1>" in explanation_page(Explanation("nim:1,2", "nim", ()))
    True
    """
    return write_page("explanation", explanation=explanation, text=text, measured=text)
