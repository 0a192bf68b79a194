"""Rules and games in, plain English out, made of phrases that can be read back."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.english.games.description import story_of as story_of
    from kibitz.english.lexicon import (
        Lexicon as Lexicon,
        lexicon_file as lexicon_file,
        read_lexicon as read_lexicon,
    )
    from kibitz.english.ludemes.sheet import (
        LudiiSheet as LudiiSheet,
        ludii_sheet_of as ludii_sheet_of,
        write_ludii as write_ludii,
    )
    from kibitz.english.rulebooks.recognition import (
        RuleBook as RuleBook,
        rule_book_of as rule_book_of,
    )
    from kibitz.english.rules.comparison_phrases import has_plain_words as has_plain_words
    from kibitz.english.rules.lifted_rules import (
        instances_of as instances_of,
        pictured as pictured,
        read_instances as read_instances,
        say_rule as say_rule,
        sentences as sentences,
    )
    from kibitz.english.rules.phrases import (
        PlainRule as PlainRule,
        Sentence as Sentence,
    )
    from kibitz.english.rules.sentence_reader import read_back as read_back
    from kibitz.english.rules.sentence_writer import (
        meaning as meaning,
        plain_rule as plain_rule,
        say as say,
        say_move as say_move,
    )
    from kibitz.english.scene import (
        Scene as Scene,
        names_of as names_of,
        scene_of as scene_of,
        use_lexicon as use_lexicon,
    )
    from kibitz.english.sidecar_files import (
        files_beside as files_beside,
        use_files_beside as use_files_beside,
    )
    from kibitz.english.worked_terms import WorkedTerms as WorkedTerms, work_out as work_out

__getattr__ = lazy_exports(__name__)
