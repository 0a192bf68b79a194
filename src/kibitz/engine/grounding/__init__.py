"""Ground a RuleSheet into a Network, the propositional game.

The clauses are rewritten (terms built on demand, moves separated from what they do not change, long
bodies split), grounded by clingo in a child process, and built into gates.
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.engine.grounding.argument_restriction import (
        dynamic_relations as dynamic_relations,
        restrict as restrict,
    )
    from kibitz.engine.grounding.exclusive_groups import find_groups as find_groups
    from kibitz.engine.grounding.gringo import ground_clauses as ground_clauses
    from kibitz.engine.grounding.grounder import (
        Grounding as Grounding,
        ground as ground,
        ground_once as ground_once,
    )
    from kibitz.engine.grounding.invariants import Prover as Prover
    from kibitz.engine.grounding.network import (
        FALSE as FALSE,
        TRUE as TRUE,
        Literal as Literal,
        Network as Network,
        bits_of as bits_of,
        negate as negate,
    )
    from kibitz.engine.grounding.variable_elimination import resolve as resolve

__getattr__ = lazy_exports(__name__)
