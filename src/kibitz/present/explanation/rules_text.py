"""Describe the rules of a CompiledGame in sentences, and whether they are the whole rules.

Where the sentences of a rule book are the same game, these are shown. Where they have letters, what
is known of the game comes first, and they come last; sentences without letters that stand beside
them take its place. Where none are found, what is known of the
game is headed by what is missing. In both cases the rule sheet's own comment is quoted.
"""

from __future__ import annotations

import re

from kibitz.engine import CompiledGame
from kibitz.english import RuleBook, rule_book_of, story_of
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet
from kibitz.present.explanation.explanation import IN_PART, IN_SHORT, Description
from kibitz.space import StateSpace
from kibitz.wording import IN_WORDS

_MOST = 2_000
"""Characters of a comment that are quoted."""


def describe_game(
    game: CompiledGame, space: StateSpace | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules of a game in sentences, and those with letters that complete them.

    >>> from kibitz.games import load_sheet
    >>> describe_game(CompiledGame(load_sheet("nim:1,2")))[0][-1]
    'You lose if you cannot move.'
    """
    described, story = describe_rules(game, find_rule_book(game), space)
    return story, tuple(described.appendix)


def find_rule_book(game: CompiledGame) -> RuleBook:
    """Look for sentences that are the whole game; one without rules where that fails."""
    try:
        return rule_book_of(game)
    except KibitzError as error:
        return RuleBook(None, missing=(error.message,))


def describe_rules(
    game: CompiledGame, book: RuleBook, space: StateSpace | None = None
) -> tuple[Description, tuple[str, ...]]:
    """Return the description of a game, and its sentences.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> described, sentences = describe_rules(game, rule_book_of(game))
    >>> described.complete, sentences[-1]
    (True, 'You lose if you cannot move.')
    """
    if book.is_mixed:
        described = Description(book.text, True, book.states, has_letters=True)
        return described, (*book.plain_sentences, IN_PART)
    if book.has_letters:
        lines = _outline(game, space)
        short = [] if _header(game.sheet).startswith(IN_WORDS) else [IN_SHORT]
        return Description(book.text, True, 0, has_letters=True), (*lines, *short)
    if book.is_complete:
        return Description(book.text, True, book.states), tuple(book.text_below_title.splitlines())
    missing = "; ".join(book.missing)
    lines = [f"Not the whole rules: what is missing is {missing}.", *_outline(game, space)]
    return Description("\n".join(lines), False, 0, book.missing), tuple(lines)


def _outline(game: CompiledGame, space: StateSpace | None) -> list[str]:
    """Say what is known of a game, with the whole comment of its rule sheet."""
    lines = list(story_of(game, space))
    comment = _header(game.sheet)
    if re.search(r"[.,:;!?]", comment) and not comment.startswith(IN_WORDS):
        # The whole comment takes the place of its first sentence.
        lines = [line for line in lines if not line.startswith("The rule sheet says")]
        lines.append(f"The rule sheet says of itself: “{comment}”")
    return lines


def _is_drawn(line: str) -> bool:
    """Return whether a line is of a drawing in letters: less than two thirds of it are words."""
    marks = re.sub(r"\s", "", line)
    return 3 * sum(map(str.isalnum, marks)) < 2 * len(marks)


def _header(sheet: RuleSheet) -> str:
    """Return the comment at the start of a rule sheet."""
    words: list[str] = []
    for line in sheet.source.text.splitlines():
        match = re.match(r"\s*[;%]+\s?(.*?)[\s%=*#-]*(?:;{2,})?$", line)
        if match:
            words.append("" if _is_drawn(match[1]) else match[1].strip(" %-=*#"))
        elif line.strip():
            break
    text = " ".join(" ".join(words).split())
    return text if len(text) <= _MOST else text[: _MOST - 1].rstrip() + "…"
