"""The measuring stick: plain tree search with a number of playouts for every move, in blocks.

A new tree for every move, one random playout a visit, the most visited move. It is the search of
the agent `uct`, with up to 512 trees growing at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, Struct
from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.policy.matches import MatchBlock
from kibitz.policy.policies import Allowed, Asked, Rows
from kibitz.rows import row_words
from kibitz.threads import ThreadTeam, thread_count

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

EXPLORATION = 0.9
"""What the bound adds for moves that were tried seldom, with goals from 0 to 1."""
_MOST_NODES = 2_000_000
_EDGES = 4
"""Edges for each node there is room for; most nodes are visited once, and then have none."""
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
        words = row_words(layout.fluent_count)
        values = layout.goal_values
        roles = len(game.roles)
        edges = _EDGES * nodes + self.most * sum(layout.move_counts)
        self.block = MatchBlock(game, {}, masked=True)
        self.rows = np.zeros((nodes, words), dtype=np.uint64)
        self.context = Struct(
            "trees", matches=self.block.context, legal=np.array(layout.legal, dtype=np.int64),
            words=words, playouts=playouts, nodes=playouts + 2, longest=_LONGEST,
            exploration=EXPLORATION,
            goal_role=np.array([role for role, _ in values] or [0], dtype=np.int64),
            goal_value=np.array([0.5 if v is None else v / 100 for _, v in values] or [0.5]),
            logs=np.log(np.maximum(1, np.arange(playouts + 2, dtype=np.float64))),
            rows=self.rows, terminal=np.zeros(nodes, dtype=np.uint8),
            scores=np.zeros((nodes, roles)), first_edge=np.zeros(nodes, dtype=np.int64),
            edge_count=np.zeros(nodes, dtype=np.int32), chooser=np.zeros(nodes, dtype=np.int8),
            visits=np.zeros(nodes, dtype=np.int32), edges=core.room("tree_edge", edges),
            edge_room=edges, tree=core.room("tree", self.most),
            path=np.zeros((self.most, core.constant("TREE_DEPTH"), 2), dtype=np.int64),
            loading=np.zeros(self.most, dtype=np.int64), lane_scores=np.zeros(roles),
        )  # fmt: skip
        self._search = core.function("trees_search", game.machine.bits)

    def search(self, rows: Rows, seed: Sequence[int]) -> tuple[Numbers, Scores]:
        """Return for each state the most visited move, and what each role got in the mean."""
        best = np.zeros(len(rows), dtype=np.int64)
        sums = np.zeros((len(rows), len(self.game.roles)))
        for start in range(0, len(best), self.most):
            here = slice(start, min(start + self.most, len(best)))
            count = here.stop - here.start
            self.rows[: count * (self.playouts + 2) : self.playouts + 2] = rows[here]
            source = np.random.default_rng([*seed, start])
            self.block.start(source)
            random = source.integers(0, 2**64, size=count, dtype=np.uint64)
            run = self.context
            run.random, run.best, run.sums = random, best[here], sums[here]
            answer = self._search(self.block.rules, run, count)
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
