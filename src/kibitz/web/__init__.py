"""The page: play, see, build, verify and practise any game in the browser.

======== ======================================================================
module   holds
======== ======================================================================
sessions games that visitors opened, by their content, each solved at most once
lines    a position as a line of numbers, short enough for an address
jobs     long work with progress, cancel and result
worth    what the moves of a position are worth, and which of them are alike
views    what the page shows, one frozen dataclass for each view
strategies, puzzling  the same for strategies and for puzzles
guard    who may ask: hosts, origins, sizes; one shape of errors
app      the routes
static   the page itself: one HTML file, one style sheet, plain modules
======== ======================================================================
"""

from kibitz.web.app import make_app

__all__ = ["make_app"]
