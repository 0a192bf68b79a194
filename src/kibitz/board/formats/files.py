"""Write states, matches and trees to files of every format.

A match is a list of states, the first one without a move and each other with the joint move that
led to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from kibitz.board.drawing.marks import Mark, mark_move
from kibitz.board.drawing.picture import Figure, Picture, in_rows
from kibitz.board.drawing.position import text_board
from kibitz.board.drawing.state_picture import picture_of
from kibitz.board.formats.position_text import layout_json, position_json
from kibitz.board.formats.svg import to_pdf, to_png, to_svg
from kibitz.board.formats.tikz import to_latex
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Layout
from kibitz.engine import Game, Move, State
from kibitz.errors import InputError
from kibitz.pages import fenced_markdown, plain_markdown, write_page

MOST_NODES = 500

_HEAD = ["digraph play {", '  node [shape=box, fontname="monospace"];']


def dot_tree(state: State, depth: int = 2, *, layout: Layout | None = None) -> str:
    """Write the tree of play below a state for Graphviz.

    >>> import kibitz
    >>> dot_tree(kibitz.load("nim:1,1").initial(), 1).count("->")
    2
    """
    layout = layout or layout_of(state.game)
    lines = [*_HEAD]
    nodes = [(state, 0)]
    for number, (here, level) in enumerate(nodes):
        lines.append(f"  n{number} [label={_board(here, layout)}];")
        if level == depth or here.is_terminal:
            continue
        for joint in _joints(here):
            if len(nodes) >= MOST_NODES:
                break
            lines.append(_edge(number, len(nodes), here, joint))
            nodes.append((state.game.successor(here.key, joint), level + 1))
    return "\n".join([*lines, "}", ""])


def dot_lines(
    game: Game, tried: Iterable[Sequence[Sequence[Move]]], *, layout: Layout | None = None
) -> str:
    """Write lines of play that were tried, each a list of joint moves, as one tree.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> one, two = parse_terms("(reduce a 0) noop"), parse_terms("(reduce b 0) noop")
    >>> dot_lines(kibitz.load("nim:1,1"), [[one], [two], []]).count("->")
    2
    """
    layout = layout or layout_of(game)
    start = game.initial()
    lines = [*_HEAD, f"  n0 [label={_board(start, layout)}];"]
    known: dict[tuple[int, tuple[Move, ...]], tuple[int, State]] = {}
    for line in tried:
        number, state = 0, start
        for made in line:
            joint = tuple(made)
            if (number, joint) not in known:
                if len(known) >= MOST_NODES:
                    raise InputError(f"a tree has at most {MOST_NODES} states")
                after = state.step(joint)
                lines.append(_edge(number, len(known) + 1, state, joint))
                lines.append(f"  n{len(known) + 1} [label={_board(after, layout)}];")
                known[number, joint] = len(known) + 1, after
            number, state = known[number, joint]
    return "\n".join([*lines, "}", ""])


def made_by(before: State, joint: Sequence[Move]) -> list[str]:
    """List who made which move, without roles that had no choice, unless no role had one."""
    roles = before.game.roles
    write = before.game.write
    free = [role for role in roles if len(before.legal(role)) > 1] or [
        role for role, move in zip(roles, joint, strict=True) if move.args or move.name != "noop"
    ]
    made = zip(roles, joint, strict=True)
    return [f"{role} {write(move)}" for role, move in made if role in free or not free]


def dot_text(text: str) -> str:
    """Write a text for DOT: in quotes, with lines aligned to the left.

    >>> print(dot_text('say "no"'))
    "say \\"no\\""
    """
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    return '"' + (r"\l".join(lines) + r"\l" if len(lines) > 1 else lines[0]) + '"'


def _board(state: State, layout: Layout) -> str:
    return dot_text(text_board(state, layout) + "\n").removesuffix(r'\l"') + '"'


def _edge(number: int, to: int, before: State, joint: Sequence[Move]) -> str:
    label = dot_text(", ".join(made_by(before, joint)))
    return f"  n{number} -> n{to} [label={label}];"


def _joints(state: State) -> Iterator[tuple[Move, ...]]:
    return product(*(state.legal(role) for role in state.game.roles))


FORMATS = ("svg", "png", "tex", "html", "md", "txt", "json", "dot")


@dataclass(frozen=True, slots=True)
class MatchMoment:
    """A state of a match, and the joint move that led to it; none for the first."""

    state: State
    joint: tuple[Move, ...] = ()


def play_through(game: Game, joints: Iterable[Sequence[Move]]) -> list[MatchMoment]:
    """Play joint moves one after another and return all states reached."""
    moments = [MatchMoment(game.initial())]
    for joint in joints:
        moments.append(MatchMoment(moments[-1].state.step(joint), tuple(joint)))
    return moments


def export(moments: Sequence[MatchMoment], form: str, layout: Layout | None = None) -> str | bytes:
    """Write a match in one of the formats; those that hold one picture get the last state.

    >>> import kibitz
    >>> moments = play_through(kibitz.load("nim:2,3"), [])
    >>> print(export(moments, "txt"), end="")
    a ●● 2
    b ●●● 3
    Player 1 to move
    """
    if form not in FORMATS:
        raise InputError(f"there is no format {form!r}", hint=f"formats: {', '.join(FORMATS)}")
    last = moments[-1]
    layout = layout or layout_of(last.state.game)
    if form == "txt":
        moves = match_text(moments) + "\n\n" if len(moments) > 1 else ""
        return moves + text_board(last.state, layout, marks=_last(layout, last)) + "\n"
    if form == "md":
        return _markdown(moments, layout)
    if form == "html":
        return _html(moments, layout)
    if form == "json":
        return _json(moments, layout)
    if form == "dot":
        return dot_tree(last.state, layout=layout)
    return write_picture(picture_of(last.state, layout, marks=_last(layout, last)), form)


def export_match(
    moments: Sequence[MatchMoment], form: str, layout: Layout | None = None
) -> str | bytes:
    """Write every state of a match in one of the formats; as DOT, a tree of one branch.

    >>> import kibitz
    >>> moments = play_through(kibitz.load("nim:2,3"), [])
    >>> str(export_match(moments, "svg"))[:4]
    '<svg'
    """
    layout = layout or layout_of(moments[-1].state.game)
    if form == "dot":
        joints = [moment.joint for moment in moments[1:]]
        return dot_lines(moments[0].state.game, [joints], layout=layout)
    if form in ("svg", "png", "tex"):
        return write_picture(picture_of_match(moments, layout), form)
    return export(moments, form, layout)


def picture_of_match(moments: Sequence[MatchMoment], layout: Layout | None = None) -> Picture:
    """Draw all states of a match beside one another, with the moves that led to them."""
    layout = layout or layout_of(moments[-1].state.game)
    end = moments[-1].state
    captions = _captions(moments)
    if end.is_terminal:
        captions[-1] += "\n" + _goals(end)
    figures = [
        Figure(picture_of(moment.state, layout, marks=_last(layout, moment)), caption)
        for moment, caption in zip(moments, captions, strict=True)
    ]
    return in_rows(figures, title=layout.game)


def write_picture(picture: Picture, form: str) -> str | bytes:
    """Write a picture as svg, png, pdf or tex."""
    write: dict[str, Callable[[Picture], str | bytes]] = {
        "svg": to_svg,
        "png": to_png,
        "pdf": to_pdf,
        "tex": to_latex,
    }
    return write[form](picture)


def match_text(moments: Sequence[MatchMoment]) -> str:
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
        lines.append(f"{number}. {', '.join(made_by(moments[number - 1].state, moment.joint))}")
    end = moments[-1].state
    if end.is_terminal:
        lines.append(_goals(end))
    return "\n".join(lines)


def _goals(end: State) -> str:
    return ", ".join(f"{role} {'?' if g is None else g}" for role, g in end.goals.items())


def _last(layout: Layout, moment: MatchMoment) -> list[Mark]:
    marks = [mark_move(layout, move, "last") for move in moment.joint]
    return [mark for mark in marks if mark.cells]


def _captions(moments: Sequence[MatchMoment]) -> list[str]:
    return ["Start"] + [
        f"{n}. {', '.join(made_by(moments[n - 1].state, moment.joint))}"
        for n, moment in enumerate(moments)
        if n
    ]


def _html(moments: Sequence[MatchMoment], layout: Layout) -> str:
    pictures = [picture_of(m.state, layout, marks=_last(layout, m)) for m in moments]
    captions = _captions(moments) if len(moments) > 1 else [""]
    figures = zip(map(to_svg, pictures), captions, strict=True)
    return write_page("match", game=layout.game, figures=list(figures))


def _markdown(moments: Sequence[MatchMoment], layout: Layout) -> str:
    parts = [f"# {plain_markdown(layout.game)}"]
    for moment, caption in zip(moments, _captions(moments), strict=True):
        if len(moments) > 1:
            parts.append(plain_markdown(caption))
        board = text_board(moment.state, layout, marks=_last(layout, moment))
        parts.append(fenced_markdown(board))
    return "\n\n".join(parts) + "\n"


def _json(moments: Sequence[MatchMoment], layout: Layout) -> str:
    write = moments[0].state.game.write
    positions = [
        {"joint": [write(move) for move in m.joint], **position_json(m.state, layout)}
        for m in moments
    ]
    return json.dumps({"layout": layout_json(layout), "positions": positions}) + "\n"
