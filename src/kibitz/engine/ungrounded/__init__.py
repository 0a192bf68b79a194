"""RuleSheet in, Game out, without grounding: rules compiled to joins over sets of tuples.

=========== ====================================================================
module      holds
=========== ====================================================================
symbols     terms as numbers, so that comparing two terms is comparing numbers
inline      relations that one clause alone asks for, put into it
imply       what the atoms of a body imply, said in it
flat        clauses over numbers, each relation by what it depends on
plan        in which order the literals of a body are met
emit        a planned clause as Python source, made of numbers and our own names
access      how that source reaches the tuples of a relation
compiling   relations in the order in which they need one another, ready to run
stepping    functions from state to state, one for each combination of kinds of moves
keeping     answers that still hold in the states after a state
game        UngroundedGame, which meets the protocol of every engine
visits      how many states a search to some depth meets
=========== ====================================================================
"""

from kibitz.engine.ungrounded.game import UngroundedGame
from kibitz.engine.ungrounded.visits import count_visits

__all__ = ["UngroundedGame", "count_visits"]
