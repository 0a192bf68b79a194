"""Positions, matches, strategies and tried lines as files to download."""

from __future__ import annotations

import json
import re

from fastapi import Response

from kibitz.board import MatchMoment, dot_lines, export, export_match, match_text, play_through
from kibitz.engine import Role
from kibitz.strategy import Strategy, export_strategy
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.positions import played_texts
from kibitz.web.session.sessions import Session

_TYPES = {"svg": "image/svg+xml", "png": "image/png", "json": "application/json"}


def position_file(session: Session, went: PlayedLine, form: str, what: str) -> Response:
    """Write a position, or the match that led to it."""
    moments = play_through(session.game, went.joints)
    if what == "match":
        return _file(session, export_match(moments, form, session.layout), form, what)
    last = [MatchMoment(moments[-1].state, moments[-1].joint)]
    return _file(session, export(last, form, session.layout), form, what)


def strategy_file(session: Session, strategy: Strategy, role: Role, form: str) -> Response:
    """Write a strategy."""
    found = export_strategy(strategy, form, role, layout=session.layout)
    return _file(session, found, form, "strategy")


def lines_file(session: Session, tried: list[PlayedLine], form: str) -> Response:
    """Write lines that were tried."""
    if form == "dot":
        found = dot_lines(session.game, [went.joints for went in tried], layout=session.layout)
    elif form == "json":
        lines = [{"line": write_line(w.numbers), "moves": played_texts(session, w)} for w in tried]
        found = json.dumps({"game": session.key, "lines": lines}) + "\n"
    else:
        matches = [match_text(play_through(session.game, went.joints)) for went in tried]
        found = "\n\n".join(matches) + "\n"
    return _file(session, found, form, "lines")


def _file(session: Session, content: str | bytes, form: str, what: str) -> Response:
    """Answer with something to be saved, never to be shown as a page of this server."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", session.name).strip("-")[:60] or "game"
    return Response(
        content,
        media_type=_TYPES.get(form, "text/plain; charset=utf-8"),
        headers={"content-disposition": f'attachment; filename="{name}-{what}.{form}"'},
    )
