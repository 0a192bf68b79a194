"""RuleSheet in, Game out, without grounding: rules compiled to joins over sets of tuples.

=========== ====================================================================
module      holds
=========== ====================================================================
symbols     terms as numbers, so that comparing two terms is comparing numbers
flat        clauses over numbers, each relation by what it depends on
plan        in which order the literals of a body are met
emit        a planned clause as Python source, made of numbers and our own names
compiling   relations in the order in which they need one another, ready to run
game        UngroundedGame, which meets the protocol of every engine
visits      how many states a search to some depth meets
=========== ====================================================================
"""

from kibitz.engine.ungrounded.game import UngroundedGame
from kibitz.engine.ungrounded.visits import count_visits

__all__ = ["UngroundedGame", "count_visits"]
