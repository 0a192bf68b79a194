"""Game in, StateSpace out: every reachable state and every move between them."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.space.alternation import own_moves as own_moves, turn_literals as turn_literals
    from kibitz.space.compact.exploration import (
        CompactSpace as CompactSpace,
        explore_layers as explore_layers,
    )
    from kibitz.space.compact.row_expander import JOB as JOB, RowExpander as RowExpander
    from kibitz.space.compact.state_keys import StateKeys as StateKeys, in_shares as in_shares
    from kibitz.space.exploration.array_file import (
        Array as Array,
        read_arrays as read_arrays,
        write_arrays as write_arrays,
    )
    from kibitz.space.exploration.exploration import (
        Limits as Limits,
        Progress as Progress,
        Rows as Rows,
        explore as explore,
        images_of as images_of,
        list_space as list_space,
    )
    from kibitz.space.exploration.growing_arrays import Column as Column
    from kibitz.space.exploration.solver_outlook import SolverOutlook as SolverOutlook
    from kibitz.space.exploration.state_intake import StateIntake as StateIntake, rows_of as rows_of
    from kibitz.space.graph import (
        ends_first as ends_first,
        graph_of as graph_of,
        invert as invert,
        longest_matches as longest_matches,
        order_backwards as order_backwards,
        subspace_from as subspace_from,
        subspace_of as subspace_of,
    )
    from kibitz.space.lifted_lines import carrier_to as carrier_to, playable_line as playable_line
    from kibitz.space.play_diagnostics import (
        PlayCheck as PlayCheck,
        broken_text as broken_text,
        diagnose_play as diagnose_play,
        fault_text as fault_text,
        faults_of as faults_of,
    )
    from kibitz.space.reachability import (
        Reach as Reach,
        edges_of as edges_of,
        path_of as path_of,
        reachable_under as reachable_under,
    )
    from kibitz.space.space import (
        NOBODY as NOBODY,
        SEVERAL as SEVERAL,
        StateId as StateId,
        StateSpace as StateSpace,
        Stop as Stop,
    )
    from kibitz.space.stuck_states import (
        Stuck as Stuck,
        find_stuck as find_stuck,
        require_no_stuck as require_no_stuck,
        stuck_error as stuck_error,
    )
    from kibitz.space.symmetry import (
        Generators as Generators,
        Symmetries as Symmetries,
        Symmetry as Symmetry,
        find_generators as find_generators,
        find_symmetries as find_symmetries,
        list_symmetries as list_symmetries,
    )
    from kibitz.space.symmetry_text import (
        cycles_of as cycles_of,
        picture_of_symmetry as picture_of_symmetry,
        words_of_symmetry as words_of_symmetry,
    )
    from kibitz.space.turns import (
        choices_of as choices_of,
        choices_on as choices_on,
        few_states as few_states,
        roles_to_move as roles_to_move,
        turns_at as turns_at,
    )

__getattr__ = lazy_exports(__name__)
