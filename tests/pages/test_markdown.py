from __future__ import annotations

import html
import re

from hypothesis import given, strategies as st
from tests.web.test_guard import HOSTILE

from kibitz.board import export_match, play_through
from kibitz.engine import CompiledGame
from kibitz.gdl import read
from kibitz.pages import fenced_markdown, plain_markdown
from kibitz.strategy import export_strategy, read_strategy

TEXTS = st.text(st.sampled_from("<>&`*_[]#|\\ab \n\u2028"), max_size=30)


@given(TEXTS)
def test_a_plain_text_has_no_markup_and_reads_as_it_was(text: str) -> None:
    shown = plain_markdown(text)
    assert "<" not in shown
    assert "\n" not in shown
    assert html.unescape(re.sub(r"\\(.)", r"\1", shown)) == " ".join(text.split())


@given(TEXTS)
def test_fenced_lines_stay_in_their_block(text: str) -> None:
    first, *lines, last = fenced_markdown(text).split("\n")
    if first == "<pre>":
        assert last == "</pre>"
        assert "<" not in "".join(lines)
        assert html.unescape("\n".join(lines)) == text
    else:
        assert "\n".join(lines) == text
        assert last not in text
        assert first == f"{last}text"


def test_names_in_exports_are_not_markup() -> None:
    game = CompiledGame(read(HOSTILE, name="<img/src=x/onerror=alert>"))
    state = game.initial()
    joint = tuple(state.legal(role)[0] for role in game.roles)
    match = export_match(play_through(game, [joint]), "md")
    role = game.roles[0]
    rules = read_strategy("open => any", game, name="<b>")
    for text in (match, export_strategy(rules, "md", role)):
        assert isinstance(text, str)
        assert not re.search(r"<(?!/?pre>)", text)
        assert "&lt;" in text
