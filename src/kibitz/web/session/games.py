"""Show games of the catalogue, open games, and designs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from kibitz.board import picture_of_board, picture_of_caption, to_svg
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, diagnose_start
from kibitz.errors import Diagnostic, InputError, KibitzError, RuleSheetError, Severity
from kibitz.games import catalogue, gdl_from, title_of
from kibitz.gdl import diagnose
from kibitz.rulebook import TEMPLATES, SentencePart, parts_of, sentences_to_add
from kibitz.space import PlayCheck, diagnose_play
from kibitz.web.server.jobs import JobView
from kibitz.web.session.sessions import MOST_RULES, Session, Sessions, prepare_game


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


MOST_FINDINGS = 100
_SHORT = 20_000
"""Up to this many characters are checked in this process."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game of the library."""

    name: str
    parameters: str
    summary: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogueView:
    """The games that can be opened by name."""

    games: tuple[CatalogueEntry, ...]


GALLERY = Path(__file__).parent.parent / "gallery.json"
"""What `tools/write_gallery.py` wrote of the games of the library."""


@dataclass(frozen=True, slots=True)
class GalleryCard:
    """A game of the library: its board, and what is known of it, in words.

    `difficulty` and `time` are those of its lessons, and empty where there is none.
    """

    name: str
    title: str
    summary: str
    value: str
    rules: str
    difficulty: str
    time: str
    also: str
    svg: str


@dataclass(frozen=True, slots=True)
class GalleryView:
    """The games of the start page; `style` has the colours of their boards.

    `about` says what difficulty and time are made of.
    """

    style: str
    about: str
    games: tuple[GalleryCard, ...]


@cache
def gallery_view() -> GalleryView:
    """Show the games of the library.

    >>> gallery_view().games[0].name
    'tictactoe'
    """
    known = json.loads(GALLERY.read_text("utf-8"))
    names = GalleryCard.__match_args__
    cards = tuple(GalleryCard(*(one[name] for name in names)) for one in known["games"])
    return GalleryView(known["style"], known["about"], cards)


def catalogue_view() -> CatalogueView:
    """List the games of the library."""
    return CatalogueView(
        tuple(CatalogueEntry(e.name, e.parameters, e.summary, e.examples) for e in catalogue())
    )


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that is open. `cells` has, for each cell, the fluents that may be shown there."""

    id: str
    name: str
    title: str
    roles: tuple[str, ...]
    names: dict[str, str]
    rules: str
    cells: dict[str, tuple[str, ...]]
    solving: JobView | None


_NAMED = re.compile(
    r'^\s*Name:\s*([^.\n]{1,60})|\(game\s+"([^"]{1,60})"', re.MULTILINE | re.IGNORECASE
)


def _title_of(session: Session) -> str:
    """Name a game as people do: of the library, or as pasted rules call it, else their file."""
    if not session.key.startswith("~"):
        return title_of(session.name)
    named = _NAMED.search(session.text)
    return (named[1] or named[2]).strip() if named else spoken(session.name)


def spoken(name: str) -> str:
    """Return the name of a file as people write it; one that has several words stays as it is.

    >>> spoken("nineBoardTicTacToe"), spoken("laikLee_hex"), spoken("Go in 4D"), spoken("othello")
    ('Nine board tic tac toe', 'Laik lee hex', 'Go in 4D', 'Othello')
    """
    if " " in name:
        return name
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", name).split()
    text = " ".join(word if word.isupper() else word.lower() for word in words)
    return text[:1].upper() + text[1:]


def game_view(session: Session) -> GameView:
    """Describe a game."""
    game, layout = session.game, session.layout
    cells: dict[str, list[str]] = {}
    network = getattr(game, "network", None)
    if network is not None:
        for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
            place = layout.place(fluent)
            if place and place.cell:
                key = f"{place.cell.board}.{place.cell.cell}"
                cells.setdefault(key, []).append(game.write(fluent))
    return GameView(
        session.key,
        session.name,
        _title_of(session),
        tuple(game.roles),
        {role: layout.called(role) for role in game.roles},
        session.text,
        {key: tuple(sorted(fluents)) for key, fluents in cells.items()},
        session.job.view() if session.job else None,
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a rule sheet, with its place; lines and columns count from 1."""

    code: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    hint: str


@dataclass(frozen=True, slots=True)
class CheckView:
    """Findings of the checks in a rule sheet."""

    is_valid: bool
    findings: tuple[Finding, ...]
    left_out: int
    played: str
    """How the game was played to find more, in words; empty if it was not."""


def check_view(sessions: Sessions, text: str, *, play: bool = False) -> CheckView:
    """Check a rule sheet, without making a game of it; a long one, and one to play, in a child.

    >>> from kibitz.web.server.jobs import Jobs
    >>> check_view(Sessions(Jobs(threads=1)), "(role").findings[0].line
    1
    """
    from kibitz.ludii import is_ludii

    if len(text) > MOST_RULES:
        raise InputError(f"a rule sheet has {MOST_RULES:,} characters at most here")
    if play or len(text) > _SHORT or is_ludii(text):
        budget = sessions.allowance.asking if play else None
        return sessions.ask(lambda: _check(text, budget), doing="checking the rules")
    return _check(text)


def _check(text: str, playing: Budget | None = None) -> CheckView:
    diagnostics: tuple[Diagnostic, ...]
    played = PlayCheck()
    try:
        rules = gdl_from(text, name="rules")
        sheet, diagnostics = diagnose(rules, name="rules")
        source = sheet.source
        if playing is not None and _is_valid(diagnostics):
            share = replace(playing, seconds=playing.seconds / 2)
            diagnostics += diagnose_start(sheet, share)
            if _is_valid(diagnostics):
                played = diagnose_play(sheet, share, is_translated=rules is not text)
                diagnostics += played.diagnostics
    except RuleSheetError as error:  # rules in English that are not understood
        source, diagnostics = error.source, error.diagnostics

    def finding(d: Diagnostic) -> Finding:
        line, column = source.position(d.place.start)
        end_line, end_column = source.position(d.place.end)
        return Finding(
            d.code, d.severity.value, d.message, line, column, end_line, end_column, d.hint
        )

    return CheckView(
        _is_valid(diagnostics),
        tuple(map(finding, diagnostics[:MOST_FINDINGS])),
        max(0, len(diagnostics) - MOST_FINDINGS),
        played.text if playing is not None else "",
    )


def _is_valid(diagnostics: tuple[Diagnostic, ...]) -> bool:
    return not any(d.severity is Severity.ERROR for d in diagnostics)
