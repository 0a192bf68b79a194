"""Trees of play in, DOT for Graphviz out, each node with its board in letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from kibitz.board.drawing.text import text_board
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Layout
from kibitz.engine import Game, Move, State
from kibitz.errors import InputError

__all__ = ["dot_lines", "dot_text", "dot_tree", "made_by"]

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
