"""RuleSheet in, RuleSheet out: rules of what stays become rules of what ends (paper 002).

=========== ====================================================================
module      holds
=========== ====================================================================
domains     what each argument can be, and so the kinds of fluents and moves
rules       which rules are frame rules
coverings   general joint moves: generic, direct, pruned
pruning     which of them are proved impossible
unifiers    how a frame rule meets a fluent and a general joint move
unfold      moves that hide behind other relations
knowledge   conditions that no state changes, worked out beforehand
ending      the ways in which a fluent ends, simplified
auxiliary   relations for conditions with inner variables
translation the whole of it
=========== ====================================================================
"""

from kibitz.ground.frame.coverings import Covering
from kibitz.ground.frame.translation import STAYS, Translation, translate

__all__ = ["STAYS", "Covering", "Translation", "translate"]
