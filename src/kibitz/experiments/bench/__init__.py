"""Measure how fast the engine is on rule sheets, beside code written by hand.

>>> from kibitz.experiments.bench import geometric_mean
>>> round(geometric_mean([2.0, 8.0]), 6)
4.0
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.experiments.bench.core_comparison import (
        Compared as Compared,
        compare_cores as compare_cores,
        core_json as core_json,
        core_table as core_table,
    )
    from kibitz.experiments.bench.env_steps import (
        ENV_GAMES as ENV_GAMES,
        EnvSteps as EnvSteps,
        env_table as env_table,
        measure_envs as measure_envs,
    )
    from kibitz.experiments.bench.figures import (
        Failure as Failure,
        Figures as Figures,
        Size as Size,
        Speed as Speed,
        Yardstick as Yardstick,
        geometric_mean as geometric_mean,
    )
    from kibitz.experiments.bench.others import PEER as PEER, has_peer as has_peer
    from kibitz.experiments.bench.players import (
        LADDER as LADDER,
        measure_players as measure_players,
    )
    from kibitz.experiments.bench.policies import (
        EIGHT_RULES as EIGHT_RULES,
        Following as Following,
        measure_policy as measure_policy,
    )
    from kibitz.experiments.bench.prove_figures import (
        SEARCHED as SEARCHED,
        Searched as Searched,
        measure_proving as measure_proving,
        proving_json as proving_json,
        proving_tables as proving_tables,
    )
    from kibitz.experiments.bench.puzzles import measure_puzzles as measure_puzzles
    from kibitz.experiments.bench.references import (
        SHEETS as SHEETS,
        Reference as Reference,
        reference_of as reference_of,
    )
    from kibitz.experiments.bench.rule_tables import (
        MeasuredGame as MeasuredGame,
        measure_rule_list as measure_rule_list,
        rules_table as rules_table,
    )
    from kibitz.experiments.bench.runs import (
        DEFAULTS as DEFAULTS,
        Measurement as Measurement,
        measure_game as measure_game,
    )
    from kibitz.experiments.bench.solve_figures import (
        GROWTH as GROWTH,
        SOLVED as SOLVED,
        Solved as Solved,
        measure_solving as measure_solving,
    )
    from kibitz.experiments.bench.solve_tables import (
        plot_growth as plot_growth,
        solving_json as solving_json,
        solving_tables as solving_tables,
    )
    from kibitz.experiments.bench.tables import (
        as_json_value as as_json_value,
        as_tables as as_tables,
        describe_machine as describe_machine,
    )

__getattr__ = lazy_exports(__name__)
