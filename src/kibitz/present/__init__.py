"""RuleSheet in; out Explanation, Lesson or Report, and pages of them."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.present.cached_study import (
        explain_cached as explain_cached,
        explanation_at_hand as explanation_at_hand,
        lessons_at_hand as lessons_at_hand,
        teach_cached as teach_cached,
    )
    from kibitz.present.catalogue import (
        CatalogueEntry as CatalogueEntry,
        Source as Source,
        study_games as study_games,
        write_index as write_index,
    )
    from kibitz.present.explanation.explanation import (
        Example as Example,
        Explanation as Explanation,
        MoveText as MoveText,
        RoleAdvice as RoleAdvice,
        RuleText as RuleText,
        StudyOptions as StudyOptions,
    )
    from kibitz.present.explanation.page import explanation_page as explanation_page
    from kibitz.present.explanation.rule_pictures import draw_followed as draw_followed
    from kibitz.present.explanation.rules_text import describe_game as describe_game
    from kibitz.present.explanation.study import Study as Study
    from kibitz.present.explanation.text import (
        accuracy_sentence as accuracy_sentence,
        contents_of as contents_of,
        measured_heading as measured_heading,
        measured_lines as measured_lines,
        strength_rows as strength_rows,
        terms_in as terms_in,
        terms_of as terms_of,
        to_markdown as to_markdown,
        to_text as to_text,
        yardstick_sentences as yardstick_sentences,
    )
    from kibitz.present.explanation.value_sentences import (
        no_rules as no_rules,
        value_sentences as value_sentences,
    )
    from kibitz.present.lesson.lesson import (
        AnswerChoice as AnswerChoice,
        Exercise as Exercise,
        Lesson as Lesson,
        LessonStep as LessonStep,
        contents_of_lesson as contents_of_lesson,
        gain_sentence as gain_sentence,
        intro_sentence as intro_sentence,
        make_lesson as make_lesson,
        note_sentence as note_sentence,
        place_sentence as place_sentence,
        story_lines as story_lines,
        task_sentence as task_sentence,
    )
    from kibitz.present.lesson.page import (
        EFFORT_NOTE as EFFORT_NOTE,
        Effort as Effort,
        effort_of as effort_of,
        effort_text as effort_text,
        lesson_deck as lesson_deck,
        lesson_page as lesson_page,
    )
    from kibitz.present.move_judgement import (
        Cause as Cause,
        Hint as Hint,
        MoveJudgement as MoveJudgement,
        cause_of as cause_of,
        cause_text as cause_text,
        hint_at as hint_at,
        hint_by_search as hint_by_search,
        judge_by_search as judge_by_search,
        judge_move as judge_move,
    )
    from kibitz.present.report.builder import Wish as Wish, make_report as make_report
    from kibitz.present.report.fairness import (
        Fairness as Fairness,
        SkillRow as SkillRow,
        fairness_of as fairness_of,
    )
    from kibitz.present.report.figures import Opening as Opening, Report as Report
    from kibitz.present.report.page import report_page as report_page
    from kibitz.present.report.text import (
        as_text as as_text,
        compare_text as compare_text,
        report_rows as report_rows,
    )

__getattr__ = lazy_exports(__name__)
