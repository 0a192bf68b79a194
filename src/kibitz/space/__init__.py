"""Explore a Game into a StateSpace: every reachable state and every move between them."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.space.array_file import (
        Array as Array,
        read_arrays as read_arrays,
        write_arrays as write_arrays,
    )
    from kibitz.space.compact import (
        JOB as JOB,
        CompactSpace as CompactSpace,
        RowExpander as RowExpander,
        StateKeys as StateKeys,
        explore_layers as explore_layers,
        in_shares as in_shares,
    )
    from kibitz.space.exploration import (
        Limits as Limits,
        Progress as Progress,
        Rows as Rows,
        SolverOutlook as SolverOutlook,
        explore as explore,
        images_of as images_of,
        list_space as list_space,
    )
    from kibitz.space.graph import (
        Reach as Reach,
        Stuck as Stuck,
        carrier_to as carrier_to,
        edges_of as edges_of,
        ends_first as ends_first,
        find_stuck as find_stuck,
        graph_of as graph_of,
        invert as invert,
        longest_matches as longest_matches,
        order_backwards as order_backwards,
        path_of as path_of,
        playable_line as playable_line,
        reachable_under as reachable_under,
        require_no_stuck as require_no_stuck,
        stuck_error as stuck_error,
        subspace_from as subspace_from,
        subspace_of as subspace_of,
    )
    from kibitz.space.intake import Column as Column, StateIntake as StateIntake, rows_of as rows_of
    from kibitz.space.play_diagnostics import (
        PlayCheck as PlayCheck,
        broken_text as broken_text,
        diagnose_play as diagnose_play,
        fault_text as fault_text,
        faults_of as faults_of,
    )
    from kibitz.space.space import (
        NOBODY as NOBODY,
        SEVERAL as SEVERAL,
        StateId as StateId,
        StateSpace as StateSpace,
        Stop as Stop,
    )
    from kibitz.space.symmetry import (
        Generators as Generators,
        Symmetries as Symmetries,
        Symmetry as Symmetry,
        cycles_of as cycles_of,
        find_generators as find_generators,
        find_symmetries as find_symmetries,
        list_symmetries as list_symmetries,
        picture_of_symmetry as picture_of_symmetry,
        words_of_symmetry as words_of_symmetry,
    )
    from kibitz.space.turns import (
        choices_of as choices_of,
        choices_on as choices_on,
        few_states as few_states,
        own_moves as own_moves,
        roles_to_move as roles_to_move,
        turn_literals as turn_literals,
        turns_at as turns_at,
    )

__getattr__ = lazy_exports(__name__)
