"""Synthesise rule lists from a Solution, short enough to remember, proved to play perfectly."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.synth.insight.ideas import HoldsFor as HoldsFor
    from kibitz.synth.insight.insight import (
        Insight as Insight,
        check_choice as check_choice,
        find_insight as find_insight,
        insight_sentences as insight_sentences,
        sizes_sentence as sizes_sentence,
    )
    from kibitz.synth.list_repair import (
        Repair as Repair,
        best_place as best_place,
        repair as repair,
    )
    from kibitz.synth.other_vocabularies import (
        FewerRules as FewerRules,
        fewer_elsewhere as fewer_elsewhere,
    )
    from kibitz.synth.problem.difficulty import (
        expected_goal as expected_goal,
        plot_curve as plot_curve,
        walk_curve as walk_curve,
    )
    from kibitz.synth.problem.features import (
        Feature as Feature,
        capture_features as capture_features,
        features_for as features_for,
    )
    from kibitz.synth.problem.problem import ANY_OF_THEM as ANY_OF_THEM
    from kibitz.synth.problem.situation_bits import Reading as Reading, Vocabulary as Vocabulary
    from kibitz.synth.repair_rules import Edit as Edit, repaired_text as repaired_text
    from kibitz.synth.search.lists import (
        Bench as Bench,
        CandidateRule as CandidateRule,
        features_of as features_of,
        literals_of as literals_of,
        moves_of as moves_of,
    )
    from kibitz.synth.seeds import SeedResult as SeedResult, best_seed as best_seed
    from kibitz.synth.synthesis import (
        Options as Options,
        Prepared as Prepared,
        Synthesis as Synthesis,
        headline as headline,
        lacks_time as lacks_time,
        prepare as prepare,
        sentence as sentence,
        synthesise as synthesise,
        write_list as write_list,
    )

__getattr__ = lazy_exports(__name__)
