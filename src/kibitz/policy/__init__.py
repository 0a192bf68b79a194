"""Compile the plans of strategies to gates, and play matches with them in blocks of 512."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.policy.lookahead import (
        Ahead as Ahead,
        LookaheadPolicy as LookaheadPolicy,
        look as look,
        looks_to as looks_to,
        moves_ahead as moves_ahead,
    )
    from kibitz.policy.matches import (
        MaskTable as MaskTable,
        MatchBlock as MatchBlock,
        Results as Results,
        match_rows as match_rows,
        moves_by_gates as moves_by_gates,
        play_both_sides as play_both_sides,
        play_matches as play_matches,
        share_interval as share_interval,
    )
    from kibitz.policy.move_masks import Mask as Mask, MoveMasks as MoveMasks
    from kibitz.policy.policies import (
        Allowed as Allowed,
        Asked as Asked,
        EvaluatedPolicy as EvaluatedPolicy,
        GatePolicy as GatePolicy,
        Outside as Outside,
        Policy as Policy,
        RandomPolicy as RandomPolicy,
        compile_strategy as compile_strategy,
        place_policy as place_policy,
        policy_for as policy_for,
    )
    from kibitz.policy.uct import (
        EXPLORATION as EXPLORATION,
        NotInBlocksError as NotInBlocksError,
        UctPolicy as UctPolicy,
        tree_values as tree_values,
    )
    from kibitz.policy.unrolled_game import NotCompilableError as NotCompilableError

__getattr__ = lazy_exports(__name__)
