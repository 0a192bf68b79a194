"""Strategies learned with answer set programming, after paper 004."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.learn.advice import (
        Advice as Advice,
        read_advice as read_advice,
        read_any as read_any,
    )
    from kibitz.learn.constraints import (
        Result as Result,
        check_preferences as check_preferences,
        learn_constraints as learn_constraints,
        learn_from_pool as learn_from_pool,
        solution_from as solution_from,
    )
    from kibitz.learn.minimax.instances import find_instance as find_instance
    from kibitz.learn.minimax.pruned_minimax import (
        Pruned as Pruned,
        minimax_tree as minimax_tree,
        pruned_tree as pruned_tree,
    )
    from kibitz.learn.minimax.trees import (
        Node as Node,
        save_tree as save_tree,
        tree_text as tree_text,
    )
    from kibitz.learn.pool_rules import (
        judge_rules as judge_rules,
        learn_pool_rules as learn_pool_rules,
        pool_tree as pool_tree,
        rule_lines as rule_lines,
    )
    from kibitz.learn.preferences.bias import (
        Bias as Bias,
        automatic_bias as automatic_bias,
        fitting_bias as fitting_bias,
        read_bias as read_bias,
    )
    from kibitz.learn.preferences.examples import (
        ilasp_task as ilasp_task,
        read_hypothesis as read_hypothesis,
        run_ilasp as run_ilasp,
    )
    from kibitz.learn.preferences.pool import make_pool as make_pool
    from kibitz.learn.preferences.preferences import Preferences as Preferences
    from kibitz.learn.rules import Mask as Mask, find_mask as find_mask

__getattr__ = lazy_exports(__name__)
