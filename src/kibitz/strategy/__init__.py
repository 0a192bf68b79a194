"""Parse a Strategy, evaluate it on a StateSpace as a MoveSet, and verify that for a Verdict."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.strategy import tree as tree
    from kibitz.strategy.encodings.asp import asp_encoding as asp_encoding
    from kibitz.strategy.encodings.tptp import tptp_encoding as tptp_encoding
    from kibitz.strategy.evaluation.board_symmetries import (
        SYMMETRIES as SYMMETRIES,
        exchanges as exchanges,
        named_symmetries as named_symmetries,
        near_last_move as near_last_move,
        symmetry_words as symmetry_words,
        unchanged as unchanged,
    )
    from kibitz.strategy.evaluation.columns import (
        ASKER as ASKER,
        Bools as Bools,
        Columns as Columns,
        Numbers as Numbers,
        asking_sheet as asking_sheet,
        columns_of as columns_of,
        derived_game as derived_game,
        fluent_columns as fluent_columns,
    )
    from kibitz.strategy.evaluation.literal_rules import (
        Decider as Decider,
        are_literal as are_literal,
    )
    from kibitz.strategy.evaluation.move_set import MoveSet as MoveSet, group_moves as group_moves
    from kibitz.strategy.evaluation.one_state import (
        StateMoves as StateMoves,
        moves_at as moves_at,
        moves_in as moves_in,
    )
    from kibitz.strategy.evaluation.paths import (
        Paths as Paths,
        World as World,
        is_settled as is_settled,
    )
    from kibitz.strategy.evaluation.rule_images import (
        Carrier as Carrier,
        carriers_of as carriers_of,
        image_carriers as image_carriers,
        images as images,
        rule_plan as rule_plan,
        symmetries_of as symmetries_of,
    )
    from kibitz.strategy.evaluation.validity import (
        Evaluator as Evaluator,
    )
    from kibitz.strategy.pictures import (
        Literals as Literals,
        drawn as drawn,
        export_strategy as export_strategy,
        literals_of as literals_of,
        rule_text as rule_text,
    )
    from kibitz.strategy.places import (
        neighbouring_pairs as neighbouring_pairs,
        owned_things as owned_things,
        something_is_taken as something_is_taken,
        taken as taken,
        things_of as things_of,
    )
    from kibitz.strategy.shipped import shipped_names as shipped_names, shipped_text as shipped_text
    from kibitz.strategy.standings import (
        scores_of as scores_of,
        standing_preference as standing_preference,
    )
    from kibitz.strategy.strategy import (
        Decisions as Decisions,
        Strategy as Strategy,
        StrategyRule as StrategyRule,
        read_strategy as read_strategy,
        rule_list as rule_list,
    )
    from kibitz.strategy.syntax.formulas import LANGUAGE as LANGUAGE
    from kibitz.strategy.syntax.number_reader import (
        number_arguments as number_arguments,
        number_values as number_values,
        numbers_of_values as numbers_of_values,
    )
    from kibitz.strategy.syntax.numbers import (
        Number as Number,
        compared_values as compared_values,
        group_places as group_places,
        number_column as number_column,
        number_gates as number_gates,
        number_in as number_in,
        number_literal as number_literal,
    )
    from kibitz.strategy.syntax.printer import (
        write_formula as write_formula,
        write_number as write_number,
        write_preference as write_preference,
        write_rule as write_rule,
        write_term as write_term,
    )
    from kibitz.strategy.syntax.vocabulary import vocabulary_of as vocabulary_of
    from kibitz.strategy.tree import (
        COMPARE as COMPARE,
        FALSE as FALSE,
        AllMoves as AllMoves,
        Also as Also,
        And as And,
        AtLeast as AtLeast,
        Before as Before,
        Can as Can,
        Const as Const,
        Derived as Derived,
        Does as Does,
        Either as Either,
        Else as Else,
        Formula as Formula,
        GoalIs as GoalIs,
        Holds as Holds,
        Initial as Initial,
        Leaf as Leaf,
        Legal as Legal,
        Made as Made,
        Next as Next,
        Not as Not,
        NumberIs as NumberIs,
        Or as Or,
        Plan as Plan,
        Preference as Preference,
        Previous as Previous,
        Renaming as Renaming,
        Simple as Simple,
        Terminal as Terminal,
        Turn as Turn,
        Unchanged as Unchanged,
        Wins as Wins,
        at_least as at_least,
        by_identity as by_identity,
        children as children,
        conjunction as conjunction,
        counted_by as counted_by,
        counted_in as counted_in,
        disjunction as disjunction,
        is_about_moves as is_about_moves,
        is_timeless as is_timeless,
        keys_in_any_order as keys_in_any_order,
        leaves as leaves,
        negation as negation,
        next_depth as next_depth,
        plan_formulas as plan_formulas,
    )
    from kibitz.strategy.verification.comparison import (
        Difference as Difference,
        Minimised as Minimised,
        RuleMatch as RuleMatch,
        compare as compare,
        match_rule as match_rule,
        minimise as minimise,
        suggest_rule as suggest_rule,
    )
    from kibitz.strategy.verification.compliance import (
        Compliance as Compliance,
        Line as Line,
        comply as comply,
        complying as complying,
        holds_everywhere as holds_everywhere,
    )
    from kibitz.strategy.verification.reference import verify_by_reference as verify_by_reference
    from kibitz.strategy.verification.verdict import (
        CLAIMS as CLAIMS,
        Counterexample as Counterexample,
        Verdict as Verdict,
        verify as verify,
    )
    from kibitz.strategy.ways import (
        PLACE_KINDS as PLACE_KINDS,
        chances_of as chances_of,
        foremost_of as foremost_of,
        goal_steps as goal_steps,
        kinds_of_places as kinds_of_places,
        open_ways as open_ways,
        progress_of as progress_of,
        things_at as things_at,
        ways_to_win as ways_to_win,
    )

__getattr__ = lazy_exports(__name__)
