"""The page: play, see, build, verify and practise any game in the browser.

=========== ======================================================================
module      holds
=========== ======================================================================
lines       a position as a line of numbers, short enough for an address
worth       what positions and moves are worth, and which moves are alike
jobs        long work with progress, cancel and result
children    work in child processes, bounded and ended at once
sessions    games that visitors opened, by their content, each solved at most once
games       what is shown of games and of findings in their rules
positions   boards and moves
judging     values through a match, why a move is wrong, hints
answering   who plays against you, and estimates for games that are not solved
strategies  rules beside a position and what the checker says; firing: one rule
rulework    rules written by pointing, suggested, compared, completed
puzzling    puzzles without their answers
files       all of it as files to download
guard       who may ask: hosts, origins, sizes; one shape of errors
requests    what may be asked; routes: how it is answered
reference   the interface for people
app         all of these put together
static      the page itself: one HTML file, one style sheet, plain modules
=========== ======================================================================
"""

from kibitz.web.app import make_app

__all__ = ["make_app"]
