"""The whole game tree by clingo, scored from its leaves up (paper 004, algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.engine import Game, State
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.learn.minimax.clingo_queries import Successors
from kibitz.learn.minimax.trees import Node

__all__ = ["first_goal", "minimax_tree", "mover"]


def minimax_tree(
    game: Game,
    state: State,
    *,
    root: Node | None = None,
    max_nodes: int = 2_000_000,
    progress: Callable[[int], None] | None = None,
) -> Node:
    """Expand every node by one call of clingo for each state, and score the tree.

    A caller that passes the root has the partial tree when this is interrupted.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> tree = minimax_tree(game, game.initial())
    >>> tree.count(), tree.score
    (11, 100)
    """
    successors = Successors(game)
    root = root or Node(state)
    order = [root]
    try:
        _expand(order, successors, max_nodes, progress)
    finally:
        for node in reversed(order):
            node.score = _score(node)
    return root


def _expand(
    order: list[Node],
    successors: Successors,
    max_nodes: int,
    progress: Callable[[int], None] | None,
) -> None:
    game = successors.game
    for node in order:  # grows while it is walked
        if node.state.is_terminal:
            continue
        for choice in successors.of(node.state):
            after = game.state(choice.fluents)
            node.children.append(Node(after, choice.joint))
        order += node.children
        if len(order) > max_nodes:
            raise BudgetExceededError(
                f"the tree of {game.sheet.name} has more than {max_nodes:,} nodes",
                hint="prune it with --method pruned, or take a smaller --instance",
                options=["--method", "--instance"],
            )
        if progress and len(order) % 1000 < len(node.children):
            progress(len(order))


def _score(node: Node) -> int | None:
    """Score a node by its children; None where some of them were not expanded."""
    if not node.children:
        return first_goal(node.state) if node.state.is_terminal else None
    scores = [child.score for child in node.children if child.score is not None]
    if len(scores) < len(node.children):
        return None
    return max(scores) if mover(node.state) == 0 else min(scores)


def mover(state: State) -> int:
    """Return the role that chooses, by number; the first where no role has a choice."""
    choosers = [i for i, role in enumerate(state.game.roles) if len(state.legal(role)) > 1]
    if len(choosers) > 1:
        raise KibitzError(f"in {state.game.sheet.name} roles choose at the same time")
    return choosers[0] if choosers else 0


def first_goal(state: State) -> int:
    """Return the first role's goal in a terminal state."""
    goal = state.goals[state.game.roles[0]]
    if goal is None:
        raise KibitzError(f"a terminal state of {state.game.sheet.name} has no single goal")
    return goal
