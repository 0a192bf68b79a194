"""Show game trees with scores as text and pictures, and save them as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kibitz.board import THEME, Label, LineShape, Picture, Rect, Shape, dot_text, text_width, to_svg
from kibitz.engine import Move, State


@dataclass(slots=True, eq=False)
class Node:
    """A state in a tree, the joint move that led to it, and its score for the first role.

    A node without a score is on a branch that was seen but left unexplored. A score may be an
    estimate where the game is too large for more.
    """

    state: State
    joint: tuple[Move, ...] = ()
    score: int | None = None
    children: list[Node] = field(default_factory=list)
    is_estimated: bool = False

    def walk(self) -> Iterator[Node]:
        """Walk this node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def count(self) -> int:
        """Count the nodes that a move leads to and that have a score, as paper 004 does."""
        return sum(1 for node in self.walk() if node.joint and node.score is not None)

    def child(self, joint: tuple[Move, ...]) -> Node:
        """Return the child that a joint move leads to; make it if it is missing."""
        for node in self.children:
            if node.joint == joint:
                return node
        node = Node(self.state.step(joint), joint)
        self.children.append(node)
        return node

    def as_json(self) -> dict[str, object]:
        """Return the tree as plain data."""
        write = self.state.game.write
        result: dict[str, object] = {
            "state": [write(fluent) for fluent in self.state.fluents],
            "move": [write(move) for move in self.joint],
            "score": self.score,
        }
        if self.is_estimated:
            result["estimated"] = True
        if self.children:
            result["children"] = [child.as_json() for child in self.children]
        return result


_STEP_Y = 46.0
_HIGH = 22.0
_SIZE = 11.0
_GAP = 10.0
_MOST_DOTS = 2000
_DOT = {name: THEME[name][0] for name in ("good", "bad", "even", "grey")}


def tree_text(root: Node, *, most: int = 200) -> str:
    """Write a tree with its moves and scores; a branch left unexplored has a question mark.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.minimax.pruned_minimax import minimax_tree
    >>> game = CompiledGame(load_sheet("nim:1,1"))
    >>> print(tree_text(minimax_tree(game, game.initial())))
    0
    ├─ (reduce a 0): 0
    │  └─ (reduce b 0): 0
    └─ (reduce b 0): 0
       └─ (reduce a 0): 0
    """
    lines = [_score(root)]
    for shown, (indent, node) in enumerate(_rows(root, "")):
        if shown == most:
            lines.append(f"… {sum(1 for _ in root.walk()) - most - 1:,} more nodes")
            break
        lines.append(f"{indent}{_move(node)}: {_score(node)}")
    return "\n".join(lines)


def _rows(root: Node, indent: str) -> Iterator[tuple[str, Node]]:
    stack = _below(root, indent)
    while stack:
        own, further, node = stack.pop()
        yield own, node
        stack += _below(node, further)


def _below(node: Node, indent: str) -> list[tuple[str, str, Node]]:
    last = len(node.children) - 1
    rows = [
        (f"{indent}{'└─ ' if i == last else '├─ '}", f"{indent}{'   ' if i == last else '│  '}", c)
        for i, c in enumerate(node.children)
    ]
    return rows[::-1]


def _move(node: Node) -> str:
    """Write the moves that were made, without the noops of roles that wait."""
    write = node.state.game.write
    texts = [write(move) for move in node.joint]
    return " ".join(text for text in texts if text != "noop") or " ".join(texts)


def _score(node: Node) -> str:
    """Write a score; about as much, where it is an estimate."""
    return "?" if node.score is None else f"{'~' * node.is_estimated}{node.score}"


def tree_dot(root: Node) -> str:
    """Write a tree for Graphviz, with its moves and scores; beyond 2000 nodes they are left out.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.minimax.pruned_minimax import minimax_tree
    >>> game = CompiledGame(load_sheet("nim:1,1"))
    >>> tree_dot(minimax_tree(game, game.initial())).count("->")
    4
    """
    lines = ["digraph tree {", '  node [shape=box, fontname="monospace"];']
    nodes = [root]
    for number, node in enumerate(nodes):
        colour = _DOT[_colour(node)]
        lines.append(f'  n{number} [label={dot_text(_score(node))}, color="{colour}"];')
        for child in node.children[: max(0, _MOST_DOTS - len(nodes))]:
            lines.append(f"  n{number} -> n{len(nodes)} [label={dot_text(_move(child))}];")
            nodes.append(child)
    return "\n".join([*lines, "}", ""])


def tree_svg(root: Node) -> str:
    """Draw a tree as SVG; see `tree_picture`."""
    return to_svg(tree_picture(root))


def tree_picture(root: Node, *, most: int = 400) -> Picture:
    """Draw a tree, the root at the top: won for the first role, lost, even, or unexplored.

    Nodes beyond `most`, taken layer by layer, are left out and their parents marked with dots.
    """
    shown: set[int] = set()
    layer = [root]
    while layer and len(shown) + len(layer) <= most:
        shown.update(map(id, layer))
        layer = [child for node in layer for child in node.children]
    place: dict[int, tuple[float, float]] = {}
    edge = 12.0

    def width(node: Node) -> float:
        return text_width(_text(node, shown), _SIZE) + 12

    order = [(root, 0)]
    for node, depth in order:
        order += [(child, depth + 1) for child in node.children if id(child) in shown]
    for node, depth in _leaves_first(root, shown):
        inside = [place[id(child)][0] for child in node.children if id(child) in shown]
        if inside:
            x = (inside[0] + inside[-1]) / 2
        else:
            x = edge + width(node) / 2
            edge += width(node) + _GAP
        place[id(node)] = (x, 16 + depth * _STEP_Y)
    shapes: list[Shape] = []
    right = edge
    for node, _ in order:
        x, y = place[id(node)]
        for child in node.children:
            if id(child) in shown:
                to_x, to_y = place[id(child)]
                shapes.append(LineShape(x, y + _HIGH / 2, to_x, to_y - _HIGH / 2, stroke="soft"))
    for node, _ in order:
        x, y = place[id(node)]
        wide = width(node)
        right = max(right, x + wide / 2 + 12)
        shapes.append(
            Rect(
                x - wide / 2,
                y - _HIGH / 2,
                wide,
                _HIGH,
                fill="paper",
                stroke=_colour(node),
                thick=2.0,
                round=5.0,
            )
        )
        shapes.append(Label(x, y, _text(node, shown), size=_SIZE, fill="ink"))
    low = max(y for _, y in place.values()) + 24
    counts = f"{sum(1 for _ in root.walk()):,} nodes, {root.count():,} of them scored"
    return Picture(right, low, tuple(shapes), title="a game tree", description=counts)


def _leaves_first(root: Node, shown: set[int]) -> Iterator[tuple[Node, int]]:
    stack: list[tuple[Node, int, bool]] = [(root, 0, False)]
    while stack:
        node, depth, is_done = stack.pop()
        if is_done:
            yield node, depth
            continue
        stack.append((node, depth, True))
        stack += [(c, depth + 1, False) for c in reversed(node.children) if id(c) in shown]


def _text(node: Node, shown: set[int]) -> str:
    hidden = " …" if any(id(child) not in shown for child in node.children) else ""
    move = f"{_move(node)}: " if node.joint else ""
    return f"{move}{_score(node)}{hidden}"


def _colour(node: Node) -> str:
    if node.score is None:
        return "grey"
    return "good" if node.score > 50 else "bad" if node.score < 50 else "even"


def save_tree(root: Node, rules: Sequence[str], ending: str) -> str:
    """Write a tree in the format of a file's suffix: .json, .svg, .dot, or .lp for the rules."""
    match ending:
        case ".json":
            return json.dumps(root.as_json())
        case ".svg":
            return tree_svg(root)
        case ".dot":
            return tree_dot(root)
    return "".join(f"{rule}\n" for rule in rules)
