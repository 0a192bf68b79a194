"""Sets of states as decision diagrams, made from the Network of a game alone."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.solve.symbolic.paper_positions import (
        PaperSpace as PaperSpace,
        explore_for_paper as explore_for_paper,
        where_paper_looks as where_paper_looks,
    )
    from kibitz.solve.symbolic.space import SymbolicSpace as SymbolicSpace, reach as reach
    from kibitz.solve.symbolic.state_sets import StateSet as StateSet
    from kibitz.solve.symbolic.values import (
        SymbolicSolution as SymbolicSolution,
        find_stuck_states as find_stuck_states,
        solve_symbolically as solve_symbolically,
    )
    from kibitz.solve.symbolic.winning_regions import (
        Among as Among,
        SymbolicWinningSets as SymbolicWinningSets,
        find_consistent as find_consistent,
        find_winning_sets as find_winning_sets,
    )
    from kibitz.solve.symbolic.work_budget import Progress as Progress, nodes_within as nodes_within

__getattr__ = lazy_exports(__name__)
