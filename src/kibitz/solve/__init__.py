"""Solve every position of a game for best play, as `Values`, by several methods."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.solve.cluster.cluster import solve_on_cluster as solve_on_cluster, spread as spread
    from kibitz.solve.compact import (
        CompactSolution as CompactSolution,
        solve_layers as solve_layers,
    )
    from kibitz.solve.depth_limited import (
        END as END,
        MOST_REWARD as MOST_REWARD,
        best_moves as best_moves,
        in_parts as in_parts,
    )
    from kibitz.solve.equilibria import (
        Mix as Mix,
        Stage as Stage,
        first_stage as first_stage,
        goals_held as goals_held,
        round_stage as round_stage,
    )
    from kibitz.solve.maxn import MaxnSolution as MaxnSolution, solve_maxn as solve_maxn
    from kibitz.solve.methods import (
        Listed as Listed,
        Method as Method,
        hold_solution as hold_solution,
        solve_any as solve_any,
        solve_by as solve_by,
        solve_game as solve_game,
    )
    from kibitz.solve.mixed import MixedSolution as MixedSolution, solve_mixed as solve_mixed
    from kibitz.solve.retrograde import (
        NEVER as NEVER,
        Solution as Solution,
        edge_sources as edge_sources,
        endless_goal as endless_goal,
        guaranteed_goals as guaranteed_goals,
        keeping_edges as keeping_edges,
        progress_edges as progress_edges,
        solve as solve,
        sums_of_goals as sums_of_goals,
    )
    from kibitz.solve.role_values import (
        RoleValue as RoleValue,
        bounds_value as bounds_value,
        move_values as move_values,
        role_value as role_value,
        state_values as state_values,
    )
    from kibitz.solve.solution_file import store_solution as store_solution
    from kibitz.solve.symbolic.encoding import nodes_within as nodes_within
    from kibitz.solve.symbolic.space import reach as reach
    from kibitz.solve.symbolic.values import (
        SymbolicSolution as SymbolicSolution,
        find_stuck_states as find_stuck_states,
        solve_symbolically as solve_symbolically,
    )
    from kibitz.solve.symbolic.winning_regions import (
        find_winning_sets as find_winning_sets,
        where_paper_looks as where_paper_looks,
    )
    from kibitz.solve.values import (
        Choice as Choice,
        Joint as Joint,
        Known as Known,
        Place as Place,
        Values as Values,
    )
    from kibitz.solve.winning_regions import (
        WinningSetKind as WinningSetKind,
        WinningSets as WinningSets,
        winning_sets as winning_sets,
    )
    from kibitz.solve.winning_set_counts import (
        WinningCounts as WinningCounts,
        count_winning_sets as count_winning_sets,
    )

__getattr__ = lazy_exports(__name__)
