"""The measuring stick: plain tree search with a number of playouts for every move, in blocks.

A new tree for every move, one random playout a visit, the most visited move. It is the search of
the agent `uct`, with up to 512 trees growing at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.core import LANES
from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.policy.matches import MatchBlock
from kibitz.policy.policies import Allowed, Asked, Rows
from kibitz.threads import ThreadTeam, thread_count

__all__ = ["EXPLORATION", "NotInBlocksError", "UctPolicy", "tree_values"]

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

EXPLORATION = 0.9
"""What the bound adds for moves that were tried seldom, with goals from 0 to 1."""
_MOST_NODES = 2_000_000
_EDGES = 4
"""Edges for each node there is room for; most nodes are visited once, and then have none."""
_MAKING = threading.Lock()
"""Native code is made by one thread at a time."""
_LONGEST = 1000
"""Rounds after which a playout counts as a draw."""


class NotInBlocksError(InputError):
    """A game is not for tree search in blocks: several roles choose at a time."""


class UctPolicy:
    """Plays the move that a tree search visits most; for games in which roles move in turn.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.policy.matches import play_matches
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> results = play_matches(game, {"xplayer": UctPolicy(100)}, 100)
    >>> float(results.of("xplayer").mean()) > 90
    True
    """

    needs_past = False
    is_native = True

    def __init__(self, playouts: int, *, seed: int = 1) -> None:
        if playouts < 1:
            raise InputError(f"{playouts} playouts are too few", hint="at least 1, as in uct:100")
        self.playouts, self.seed = playouts, seed
        self.name = f"uct:{playouts}"
        self._own = threading.local()

    def moves(self, asked: Asked) -> Allowed:
        """Return one move for each state."""
        trees: _Trees | None = getattr(self._own, "trees", None)
        if trees is None or trees.game is not asked.game:
            with _MAKING:
                trees = self._own.trees = _Trees(asked.game, self.playouts)
        source = [self.seed, asked.turn, int(asked.matches[0])]
        best, _ = trees.search(asked.rows, source)
        allowed = np.zeros_like(asked.legal)
        allowed[np.arange(len(best)), best] = True
        return allowed


class _Trees:
    """Memory for trees, and the block that their playouts run in."""

    def __init__(self, game: CompiledGame, playouts: int) -> None:
        self.game, self.playouts = game, playouts
        layout = game.program.layout
        self.most = max(1, min(LANES, _MOST_NODES // (playouts + 1)))
        nodes = self.most * (playouts + 2)
        words = max(1, -(-layout.fluent_count // 64))
        self.rows = np.zeros((nodes, words), dtype=np.uint64)
        self.terminal = np.zeros(nodes, dtype=np.uint8)
        self.scores = np.zeros((nodes, len(game.roles)), dtype=np.float32)
        self.first_edge = np.zeros(nodes, dtype=np.int64)
        self.edge_count = np.zeros(nodes, dtype=np.int32)
        self.chooser = np.zeros(nodes, dtype=np.int8)
        self.visits = np.zeros(nodes, dtype=np.int32)
        edges = _EDGES * nodes + self.most * sum(layout.move_counts)
        self.edges = np.zeros((edges, 3), dtype=np.int32)
        self.totals = np.zeros(edges, dtype=np.float32)
        self.logs = np.log(np.maximum(1, np.arange(playouts + 2, dtype=np.float64)))
        values = layout.goal_values
        self.goal_role = np.array([role for role, _ in values], dtype=np.int64)
        self.goal_value = np.array([0.5 if v is None else v / 100 for _, v in values])
        self.block = MatchBlock(game, {}, masked=True)

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers that the search reads."""
        from kibitz.policy.tree_kernels import TreeColumns

        layout, block = self.game.program.layout, self.block
        numbers = np.zeros(TreeColumns.SIZE + 3 * len(self.game.roles), dtype=np.int64)
        for column, value in (
            (TreeColumns.GAME, block.rules.address),
            (TreeColumns.CONTEXT, block.context.address),
            (TreeColumns.VIEW, block.view_address),
            (TreeColumns.ADVANCE, block.advance_address),
            (TreeColumns.FLUENTS, layout.fluents),
            (TreeColumns.FLUENT_COUNT, layout.fluent_count),
            (TreeColumns.TERMINAL, layout.terminal),
            (TreeColumns.GOALS, layout.goals),
            (TreeColumns.ROLES, len(self.game.roles)),
            (TreeColumns.VISITS, self.playouts),
            (TreeColumns.NODES, self.playouts + 2),
            (TreeColumns.LONGEST, _LONGEST),
        ):
            numbers[column] = value
        for role, (legal, mask, count) in enumerate(
            zip(layout.legal, block.masks, layout.move_counts, strict=True)
        ):
            numbers[TreeColumns.SIZE + 3 * role :][:3] = legal, mask, count
        return numbers

    def search(self, rows: Rows, seed: Sequence[int]) -> tuple[Numbers, Scores]:
        """Return for each state the most visited move, and what each role got in the mean."""
        from kibitz.policy.tree_kernels import search_trees

        best = np.zeros(len(rows), dtype=np.int64)
        sums = np.zeros((len(rows), len(self.game.roles)))
        for start in range(0, len(best), self.most):
            here = slice(start, min(start + self.most, len(best)))
            count = here.stop - here.start
            self.rows[: count * (self.playouts + 2) : self.playouts + 2] = rows[here]
            source = np.random.default_rng([*seed, start])
            self.block.start(source)
            random = source.integers(0, 2**64, size=count, dtype=np.uint64)
            answer = search_trees(
                count, EXPLORATION, self.numbers, self.block.memory, self.block.over[0],
                self.goal_role, self.goal_value, self.rows, self.terminal, self.scores,
                self.first_edge, self.edge_count, self.chooser, self.visits, self.edges,
                self.totals, self.logs, random, best[here], sums[here],
            )  # fmt: skip
            if answer < 0:
                raise NotInBlocksError(
                    f"uct:{self.playouts} needs roles that move in turn, and in "
                    f"{self.game.sheet.name} several choose at a time",
                    hint="the agent uct plays such games",
                )
        return best, sums / self.playouts


def tree_values(
    game: CompiledGame, rows: Rows, playouts: int, *, seed: int = 1, threads: int | None = None
) -> Scores:
    """Estimate what each role gets, from 0 to 1, in states that go on: the mean of a tree search.

    >>> from kibitz.engine import Blocks
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> children = Blocks(game).expand(Blocks(game).initial()).states
    >>> values = tree_values(game, children, 1000)
    >>> bool((values[:, 0] > 0.5).all())
    True
    """
    size = max(1, min(thread_count(threads), -(-len(rows) // LANES)))
    values = np.zeros((len(rows), len(game.roles)))
    parts = np.array_split(np.arange(len(rows)), size)
    trees = [_Trees(game, playouts) for _ in parts]

    def search(number: int) -> None:
        here = parts[number]
        values[here] = trees[number].search(rows[here], [seed, number])[1]

    with ThreadTeam(size) as team:
        team.each(search)
    return values
