"""What the page shows of a game in the making: kinds to begin with, its sentences, its board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kibitz.board import picture_of_board, picture_of_caption, to_svg
from kibitz.engine import CompiledGame
from kibitz.errors import InputError, KibitzError, RuleSheetError
from kibitz.rulebook import TEMPLATES, SentencePart, parts_of, sentences_to_add
from kibitz.web.session.sessions import MOST_RULES, Sessions, prepare_game

__all__ = ["DesignView", "TemplatesView", "design_view", "templates_view"]


@dataclass(frozen=True, slots=True)
class TemplateView:
    """A kind of game: its text has `$name`, `$columns` and `$rows` where these go."""

    kind: str
    summary: str
    columns: int
    rows: int
    text: str


@dataclass(frozen=True, slots=True)
class TemplatesView:
    """Kinds of games to begin with, and sentences to add, by the part of a game."""

    templates: tuple[TemplateView, ...]
    sentences: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DesignView:
    """The sentences of rules by their part, and the board as play begins; why there is none."""

    sentences: tuple[SentencePart, ...]
    roles: tuple[str, ...]
    svg: str
    caption: str
    why: str


@cache
def templates_view() -> TemplatesView:
    """List what a designer may begin with.

    >>> templates_view().templates[0].kind
    'line-game'
    """
    kinds = (
        TemplateView(kind, one.summary, one.columns, one.rows, one.text)
        for kind, one in TEMPLATES.items()
    )
    return TemplatesView(
        tuple(kinds), {str(part): some for part, some in sentences_to_add().items()}
    )


def design_view(sessions: Sessions, text: str) -> DesignView:
    """Split rules into sentences and draw their board, in a child.

    >>> from kibitz.web.server.jobs import Jobs
    >>> found = design_view(Sessions(Jobs(threads=1)), "Size: 3 by 3.")
    >>> found.sentences[0].part, found.svg, found.why
    ('board', '', 'it is not said who plays')
    """
    if len(text) > MOST_RULES:
        raise InputError(f"a rule sheet has {MOST_RULES:,} characters at most here")
    return sessions.ask(lambda: _design(sessions, text), doing="drawing the board")


def _design(sessions: Sessions, text: str) -> DesignView:
    sentences = tuple(parts_of(text))
    try:
        sheet, grounding, layout = prepare_game("rules", text, sessions.allowance.asking)
        game = CompiledGame(sheet, grounding=grounding)
        state = game.initial()
        board, caption = picture_of_board(state, layout), picture_of_caption(state, layout)
    except RuleSheetError as error:
        return DesignView(sentences, (), "", "", error.diagnostics[0].message)
    except KibitzError as error:
        return DesignView(sentences, (), "", "", error.message)
    svg, below = to_svg(board) if board else "", to_svg(caption) if caption else ""
    return DesignView(sentences, tuple(game.roles), svg, below, "" if svg or below else "no board")
