"""Select puzzles from a Solution: positions of any hardness to start from."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.puzzles.positions import (
        Positions as Positions,
        find_positions as find_positions,
        orbit_leaders as orbit_leaders,
        positions_of as positions_of,
    )
    from kibitz.puzzles.proved.attempts import (
        Attempt as Attempt,
        PlayedOut as PlayedOut,
        Solver as Solver,
        play_out as play_out,
        read_player as read_player,
        read_solver as read_solver,
    )
    from kibitz.puzzles.proved.openings import (
        OPENING as OPENING,
        PROVABLE as PROVABLE,
        search_balanced as search_balanced,
        search_drawn as search_drawn,
    )
    from kibitz.puzzles.proved.puzzle_search import search_puzzles as search_puzzles
    from kibitz.puzzles.proved.tasks import Task as Task
    from kibitz.puzzles.proved.themes import THEMES as THEMES, check_theme as check_theme
    from kibitz.puzzles.puzzle import (
        Puzzle as Puzzle,
        PuzzleSet as PuzzleSet,
        Refutation as Refutation,
    )
    from kibitz.puzzles.selection import (
        Wanted as Wanted,
        choose_balanced as choose_balanced,
        choose_puzzles as choose_puzzles,
    )
    from kibitz.puzzles.sheets import (
        answer_of as answer_of,
        as_json as as_json,
        opening_text as opening_text,
        question_of as question_of,
        refutation_text as refutation_text,
        to_csv as to_csv,
        to_deck as to_deck,
        to_html as to_html,
        to_json as to_json,
        to_pdf_sheet as to_pdf_sheet,
        to_svg_sheet as to_svg_sheet,
    )
    from kibitz.puzzles.skill.hardness import (
        LEVELS as LEVELS,
        Chances as Chances,
        Hardness as Hardness,
        Level as Level,
        PaperSampling as PaperSampling,
        Thresholds as Thresholds,
        measure as measure,
        measure_all as measure_all,
        sample_wins as sample_wins,
        sampled_states as sampled_states,
        winning_chances as winning_chances,
    )
    from kibitz.puzzles.skill.skills import (
        CalledReward as CalledReward,
        DepthSkill as DepthSkill,
        FormulaReward as FormulaReward,
        MoveChances as MoveChances,
        OptimalSkill as OptimalSkill,
        RandomSkill as RandomSkill,
        Reward as Reward,
        Skill as Skill,
        StrategySkill as StrategySkill,
        ThreatReward as ThreatReward,
        choose_all as choose_all,
        plays_alike as plays_alike,
        read_skill as read_skill,
    )
    from kibitz.puzzles.threat_conditions import (
        Threat as Threat,
        find_threats as find_threats,
        winning_conditions as winning_conditions,
    )
    from kibitz.puzzles.variant_table import (
        RESERVE as RESERVE,
        Classes as Classes,
        Variant as Variant,
        expand_names as expand_names,
        load_loops as load_loops,
        measure_variant as measure_variant,
    )

__getattr__ = lazy_exports(__name__)
