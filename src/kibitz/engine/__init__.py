"""Make a Game from a RuleSheet: states, legal moves, steps, goals.

>>> from kibitz.engine import make_game
>>> from kibitz.games import load_sheet
>>> state = make_game(load_sheet("nim:2,2")).initial()
>>> [str(move) for move in state.legal("player1")]
['(reduce a 0)', '(reduce a 1)', '(reduce b 0)', '(reduce b 1)']
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.core import code_folder as code_folder
    from kibitz.engine.compiled.blocks import Blocks as Blocks, fluent_bits as fluent_bits
    from kibitz.engine.compiled.game import (
        CompiledGame as CompiledGame,
        require_compiled as require_compiled,
    )
    from kibitz.engine.compiled.perft import perft as perft
    from kibitz.engine.compiled.simulation import (
        Simulation as Simulation,
        simulate as simulate,
    )
    from kibitz.engine.diagnostics import (
        OutOfReach as OutOfReach,
        diagnose_start as diagnose_start,
        goal_error as goal_error,
        out_of_reach as out_of_reach,
        unmade_fluents as unmade_fluents,
    )
    from kibitz.engine.factory import compile_or as compile_or, make_game as make_game
    from kibitz.engine.frame.literals import Covering as Covering
    from kibitz.engine.frame.translation import translate as translate
    from kibitz.engine.game import (
        Game as Game,
        Goal as Goal,
        Move as Move,
        Role as Role,
        State as State,
        paint_with as paint_with,
    )
    from kibitz.engine.game_overview import overview as overview
    from kibitz.engine.grounding.argument_restriction import (
        decouple as decouple,
        dynamic_relations as dynamic_relations,
        restrict as restrict,
    )
    from kibitz.engine.grounding.exclusive_groups import (
        Group as Group,
        prove_groups as prove_groups,
    )
    from kibitz.engine.grounding.gringo import (
        GroundRules as GroundRules,
        ground_clauses as ground_clauses,
    )
    from kibitz.engine.grounding.grounder import Grounding as Grounding, ground as ground
    from kibitz.engine.grounding.invariant_check import check_claims as check_claims
    from kibitz.engine.grounding.invariants import (
        Status as Status,
        find_invariants as find_invariants,
    )
    from kibitz.engine.grounding.network import (
        FALSE as FALSE,
        TRUE as TRUE,
        Builder as Builder,
        Hidden as Hidden,
        Literal as Literal,
        Network as Network,
        bits_of as bits_of,
        negate as negate,
    )
    from kibitz.engine.portfolio import (
        compare_speeds as compare_speeds,
        depth_within as depth_within,
        faster_way as faster_way,
        fastest_ungrounded as fastest_ungrounded,
        time_visits as time_visits,
    )
    from kibitz.engine.reference import ReferenceGame as ReferenceGame
    from kibitz.engine.replays import (
        ReplayStep as ReplayStep,
        read_moves as read_moves,
        replay as replay,
    )
    from kibitz.engine.ungrounded.game import UngroundedGame as UngroundedGame

__getattr__ = lazy_exports(__name__)
