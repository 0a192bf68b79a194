"""States and matches in, files out: SVG, PNG, LaTeX, HTML, Markdown, JSON, text, and DOT for trees.

A match is a list of states, the first one without a move and each other with the joint move that
led to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from kibitz.engine import Game, Move, State
from kibitz.errors import InputError
from kibitz.render.drawing import picture_of
from kibitz.render.finding import layout_of
from kibitz.render.layout import Layout
from kibitz.render.marks import Mark, mark_move
from kibitz.render.png import to_png
from kibitz.render.svg import escape, to_svg
from kibitz.render.text import text_board
from kibitz.render.tikz import to_latex
from kibitz.render.views import layout_json, position_json

__all__ = ["FORMATS", "Moment", "dot_tree", "export", "html_page", "match_text", "play_through"]

FORMATS = ("svg", "png", "tex", "html", "md", "txt", "json", "dot")
MOST_NODES = 500

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
    "figure{display:inline-block;margin:0 1rem 1.5rem 0;vertical-align:top}"
    "figcaption{font-size:.9rem;max-width:22rem}"
    "svg{max-width:100%;height:auto}"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of a match, and the joint move that led to it; none for the first."""

    state: State
    joint: tuple[Move, ...] = ()


def play_through(game: Game, joints: Iterable[Sequence[Move]]) -> list[Moment]:
    """Play joint moves one after another and give all states met."""
    moments = [Moment(game.initial())]
    for joint in joints:
        moments.append(Moment(moments[-1].state.step(joint), tuple(joint)))
    return moments


def export(moments: Sequence[Moment], form: str, layout: Layout | None = None) -> str | bytes:
    """Write a match in one of the formats; those that hold one picture get the last state.

    >>> import kibitz
    >>> moments = play_through(kibitz.load("nim:2,3"), [])
    >>> print(export(moments, "txt"), end="")
    a ●● 2
    b ●●● 3
    player1 to move
    """
    if form not in FORMATS:
        raise InputError(f"there is no format {form!r}", hint=f"formats: {', '.join(FORMATS)}")
    last = moments[-1]
    layout = layout or layout_of(last.state.game)
    if form == "txt":
        told = match_text(moments) + "\n\n" if len(moments) > 1 else ""
        return told + text_board(last.state, layout, marks=_last(layout, last)) + "\n"
    if form == "md":
        return _markdown(moments, layout)
    if form == "html":
        return _html(moments, layout)
    if form == "json":
        return _json(moments, layout)
    if form == "dot":
        return dot_tree(last.state, layout=layout)
    picture = picture_of(last.state, layout, marks=_last(layout, last))
    if form == "png":
        return to_png(picture)
    return to_latex(picture) if form == "tex" else to_svg(picture)


def match_text(moments: Sequence[Moment]) -> str:
    """Write a match as numbered moves; a role that has no choice is left out.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> joints = [parse_terms("(reduce a 0) noop"), parse_terms("noop (reduce b 0)")]
    >>> print(match_text(play_through(kibitz.load("nim:1,2"), joints)))
    1. player1 (reduce a 0)
    2. player2 (reduce b 0)
    player1 0, player2 100
    """
    lines = []
    for number, moment in enumerate(moments[1:], start=1):
        lines.append(f"{number}. {', '.join(_made(moments[number - 1].state, moment))}")
    end = moments[-1].state
    if end.is_terminal:
        goals = end.goals.items()
        lines.append(", ".join(f"{role} {'?' if g is None else g}" for role, g in goals))
    return "\n".join(lines)


def html_page(title: str, body: str) -> str:
    """Wrap what is already HTML into a page that needs nothing from elsewhere."""
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def dot_tree(state: State, depth: int = 2, *, layout: Layout | None = None) -> str:
    """Write the tree of play below a state for Graphviz, each node with its board in letters.

    >>> import kibitz
    >>> dot_tree(kibitz.load("nim:1,1").initial(), 1).count("->")
    2
    """
    layout = layout or layout_of(state.game)
    lines = ["digraph play {", '  node [shape=box, fontname="monospace"];']
    nodes = [(state, 0)]
    for number, (here, level) in enumerate(nodes):
        board = "".join(_dot(line) + r"\l" for line in text_board(here, layout).split("\n"))
        lines.append(f'  n{number} [label="{board}"];')
        if level == depth or here.is_terminal:
            continue
        for joint in _joints(here):
            if len(nodes) >= MOST_NODES:
                break
            moment = Moment(state.game.successor(here.key, joint), joint)
            label = _dot(", ".join(_made(here, moment)))
            lines.append(f'  n{number} -> n{len(nodes)} [label="{label}"];')
            nodes.append((moment.state, level + 1))
    return "\n".join([*lines, "}", ""])


def _joints(state: State) -> Iterator[tuple[Move, ...]]:
    return product(*(state.legal(role) for role in state.game.roles))


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _made(before: State, moment: Moment) -> list[str]:
    """Say who moved how, leaving out those who had no choice, unless nobody had."""
    roles = before.game.roles
    write = before.game.write
    free = [role for role in roles if len(before.legal(role)) > 1] or [
        role
        for role, move in zip(roles, moment.joint, strict=True)
        if move.args or move.name != "noop"
    ]
    made = zip(roles, moment.joint, strict=True)
    return [f"{role} {write(move)}" for role, move in made if role in free or not free]


def _last(layout: Layout, moment: Moment) -> list[Mark]:
    marks = [mark_move(layout, move, "last") for move in moment.joint]
    return [mark for mark in marks if mark.cells]


def _captions(moments: Sequence[Moment]) -> list[str]:
    return ["Start"] + [
        f"{n}. {', '.join(_made(moments[n - 1].state, moment))}"
        for n, moment in enumerate(moments)
        if n
    ]


def _html(moments: Sequence[Moment], layout: Layout) -> str:
    figures = [f"<h1>{escape(layout.game)}</h1>"]
    shown = list(zip(moments, _captions(moments), strict=True))
    for moment, caption in shown:
        picture = picture_of(moment.state, layout, marks=_last(layout, moment))
        told = escape(caption) if len(shown) > 1 else ""
        figures.append(f"<figure>{to_svg(picture)}<figcaption>{told}</figcaption></figure>")
    return html_page(layout.game, "\n".join(figures))


def _markdown(moments: Sequence[Moment], layout: Layout) -> str:
    parts = [f"# {_plain(layout.game)}"]
    for moment, caption in zip(moments, _captions(moments), strict=True):
        if len(moments) > 1:
            parts.append(_plain(caption))
        board = text_board(moment.state, layout, marks=_last(layout, moment))
        fence = "```"
        while fence in board:
            fence += "`"
        parts.append(f"{fence}text\n{board}\n{fence}")
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Keep Markdown from reading signs of its own in a text."""
    return "".join("\\" + c if c in "\\`*_[]<>#|&" else c for c in text)


def _json(moments: Sequence[Moment], layout: Layout) -> str:
    write = moments[0].state.game.write
    positions = [
        {"joint": [write(move) for move in m.joint], **position_json(m.state, layout)}
        for m in moments
    ]
    return json.dumps({"layout": layout_json(layout), "positions": positions}) + "\n"
