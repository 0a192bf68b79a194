"""Monte Carlo tree search on the compiled engine: blocks of playouts, proofs, a persistent tree.

Every round walks down the tree a few times, expands the states it arrives at together in one
block, and plays random matches from each of their successors, 64 lanes per state. So a successor
has a value before it is ever chosen, which replaces the first visit of a plain search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from kibitz.core import WORDS
from kibitz.engine import Blocks, CompiledGame, Move, Role, State
from kibitz.engine.compiled.native_machine import Expander
from kibitz.errors import BudgetExceededError
from kibitz.play.search.tree import NOBODY, PROVEN, SEVERAL, Tree, Walks
from kibitz.rows import Rows

_WALKS = 16
_MOST_CHILDREN = 96
"""States with more successors are judged only by matches from themselves."""
_MOST_ROWS = 1 << 24
"""Successors that are found at a time; more would take gigabytes."""
_MIDDLE = 0.5
_PLAYING = 0.7
"""The share of the time that random matches should take."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Option:
    """Search statistics of a move: its visit count, and its value.

    Where others choose at the same time, `share` is how often to play it.
    """

    move: Move
    visits: int
    value: float
    is_proven: bool
    plies: int | None
    share: float | None = None

    @property
    def preference(self) -> tuple[float, float, float]:
        """Orders moves: fast proven wins, then by the lower bound of their value, then slow losses.

        Moves that are mixed are ordered by their shares.
        """
        if self.share is not None:
            return (1, self.share, self.value)
        if self.is_proven and self.value >= 1:
            return (2, -float(self.plies or 0), 0)
        if self.is_proven and self.value <= 0:
            return (0, float(self.plies or 0), 0)
        doubt = 0.0 if self.is_proven else 1 / (1 + self.visits) ** 0.5
        return (1, self.value - doubt, self.value)


class TreeSearch:
    """A search of one game that continues from move to move of a match.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4,5"))
    >>> search = TreeSearch(game, seed=1)
    >>> search.run(game.initial(), rounds=200)
    >>> best = search.best("player1")
    >>> str(best.move), best.is_proven, best.value
    ('(reduce b 0)', True, 1.0)
    """

    def __init__(
        self,
        game: CompiledGame,
        *,
        seed: int = 1,
        nodes: int = 4_000_000,
        spread: float = 0.4,
    ) -> None:
        self.game, self.spread, self.nodes, self.seed = game, spread, nodes, seed
        self.machine = game.machine
        layout = game.program.layout
        self.expander = Expander(self.machine, stop_at_terminal=True)
        self.rollouts = self.machine.rollouts(seed)
        self.blocks = Blocks(game)
        self.goals = np.zeros((len(layout.goal_values), len(game.roles)), np.float32)
        for slot, (role, value) in enumerate(layout.goal_values):
            self.goals[slot, role] = (value or 0) / 100
        self.values = layout.goal_values
        self.tree = self._new_tree()
        self.root = 0
        self.playouts = 0
        self.states = 0
        self._mean_length = 8.0
        self._repeat = 4.0
        self._played_s = 0.0
        self._walks = Walks(_WALKS)

    def _new_tree(self) -> Tree:
        return Tree(
            len(self.game.roles),
            self.expander.row_words,
            self.machine.bits,
            nodes=self.nodes,
            edges=2 * self.nodes,
            spread=self.spread,
            seed=self.seed,
        )

    def run(
        self,
        state: State,
        *,
        deadline: float | None = None,
        rounds: int | None = None,
        watch: Callable[[], bool] | None = None,
    ) -> None:
        """Search from a state until a time of `time.monotonic`, or for a number of rounds.

        Ends at once when the state's value is proven. `watch` is called after each round, can read
        `options` then, and ends the search by returning True.
        """
        self.look_at(state)
        done = 0
        while not self.tree.is_proven(self.root):
            begin = time.monotonic()
            if (rounds is not None and done >= rounds) or (deadline and begin >= deadline):
                return
            self._played_s = 0.0
            self.round()
            done += 1
            if deadline is not None:
                self.balance(self._played_s / (time.monotonic() - begin))
            if watch is not None and watch():
                return

    def balance(self, share: float) -> None:
        """Start more matches where the tree takes more time than they do."""
        step = 1.1 if share < _PLAYING else 1 / 1.1
        self._repeat = min(max(self._repeat * step, 4.0), 200.0)

    def look_at(self, state: State) -> None:
        """Make a state the root; what is known below it is kept while there is room."""
        if self.tree.states.used > self.nodes // 2:
            self.tree = self._new_tree()
        self.root = self.tree.states.number(self.game.rows([state])[0])

    def round(self) -> None:
        """Walk down the tree a few times, and expand the leaves."""
        tree, walks = self.tree, self._walks
        ends = walks.leaves[: tree.descend(self.root, walks)]
        results = tree.value[ends]
        fresh = ends[tree.nodes["status"][ends] != PROVEN].tolist()
        if fresh:
            for node, result in self.judge(list(dict.fromkeys(fresh))).items():
                results[ends == node] = result
        tree.back_up(self.root, walks, results)

    def judge(self, nodes: list[int]) -> dict[int, Floats]:
        """Expand nodes, and return the results of random matches for each."""
        rows = np.ascontiguousarray(self.tree.states.rows[nodes])
        room = self.room(rows)
        if room > _MOST_ROWS:
            raise BudgetExceededError(
                f"positions of {self.game.sheet.name} have {room:,} joint moves together, too many "
                "to be searched",
                hint="random play has no such limit",
            )
        found = self.expander.run(rows, 0, len(rows), room)
        order = np.argsort(self.expander.parents[:found], kind="stable")
        parents = self.expander.parents[:found][order]
        children, words = self.expander.rows[order], self.expander.moves[order]
        bounds = np.searchsorted(parents, np.arange(len(nodes) + 1))
        bits = np.unpackbits(self.expander.flags.view(np.uint8), axis=1, bitorder="little")
        bits = bits[:, : len(nodes)]
        judged: dict[int, Floats] = {}
        to_play: list[Rows] = []
        for i, node in enumerate(nodes):
            here = slice(int(bounds[i]), int(bounds[i + 1]))
            if bits[0, i]:
                value = bits[1 : 1 + len(self.values), i].astype(np.float32) @ self.goals
                self.tree.prove(node, value)
                judged[node] = value
            elif here.start == here.stop:  # Play is stuck: only an estimate, nothing is proven.
                judged[node] = np.full(len(self.game.roles), _MIDDLE, np.float32)
            elif here.stop - here.start > _MOST_CHILDREN or not self.tree.has_room(
                here.stop - here.start
            ):
                to_play.append(rows[i : i + 1])
            else:
                to_play.append(children[here])
        if not to_play:
            return judged
        means = iter(self.play(np.concatenate(to_play)))
        for i, node in enumerate(nodes):
            if node in judged:
                continue
            here = slice(int(bounds[i]), int(bounds[i + 1]))
            count = here.stop - here.start
            chooses = np.flatnonzero(bits[1 + len(self.values) :, i])
            turn = NOBODY if not len(chooses) else int(chooses[0])
            if len(chooses) > 1:
                turn = SEVERAL
            fits = self.tree.has_room(count)
            each = count <= _MOST_CHILDREN and fits
            priors = np.stack([next(means) for _ in range(count if each else 1)])
            if fits:
                self.tree.grow(node, turn, children[here], words[here])
                self.tree.prior[self.tree.edges_of(node)] = priors
            judged[node] = _worth(priors, turn)
        return judged

    def room(self, rows: Rows) -> int:
        """Return a bound on the number of successors of all states together."""
        most = prod(self.game.program.layout.move_counts)
        if most * len(rows) <= 1 << 16:
            return most * len(rows)
        return sum(self.blocks.count_joint_moves(rows, stop_at_terminal=True))

    def play(self, rows: Rows) -> Floats:
        """Return the mean result of random matches from each state, one row per state."""
        begin = time.monotonic()
        rounds = round(self._repeat * self._mean_length)
        parts = []
        for start in range(0, len(rows), WORDS):
            counts = self.rollouts.run(rows[start : start + WORDS], rounds).astype(np.float32)
            over = counts[1]
            begun = np.maximum(over + counts[2], 1)
            middle = _MIDDLE * (begun - over) / begun
            parts.append((counts[3:].T @ self.goals) / begun[:, None] + middle[:, None])
            moves, ended = float(counts[0].sum()), float(begun.sum())
            self.playouts += int(ended)
            self.states += int(moves)
            self._mean_length += 0.05 * (max(1.0, moves / ended) - self._mean_length)
        self._played_s += time.monotonic() - begin
        return np.concatenate(parts)

    def options(self, role: Role) -> list[Option]:
        """Return what is known about each move of a role at the root, best first."""
        tree, index = self.tree, self.game.roles.index(role)
        edges = tree.edges_of(self.root)
        low = (1 << self.machine.bits) - 1
        numbers = [int(w) >> self.machine.bits * index & low for w in tree.word[edges]]
        shares = tree.shares(self.root, index)
        result = []
        for number in dict.fromkeys(numbers):
            mine = [edges.start + i for i, n in enumerate(numbers) if n == number]
            visits = int(tree.edges["taken"][mine].sum())
            total = float(tree.total[mine, index].sum() + tree.prior[mine, index].sum())
            value = total / (visits + len(mine))
            children = tree.edges["child"][mine]
            is_proven = all(map(tree.is_proven, children))
            if is_proven:  # Others may answer a simultaneous move with the worst for this role.
                value = float(tree.value[children, index].min())
            plies = int(tree.nodes["plies"][children].max()) + 1 if is_proven else None
            move = self.game.network.moves[index][number]
            share = None if shares is None else float(shares[tree.slot[mine[0], index]])
            result.append(Option(move, visits, value, is_proven, plies, share))
        return sorted(result, key=lambda option: option.preference, reverse=True)

    def best(self, role: Role) -> Option:
        """Return the move to play."""
        return self.options(role)[0]


def _worth(priors: Floats, turn: int) -> Floats:
    """Judge a state by its successors: half by their mean, half by the chooser's best."""
    mean = priors.mean(axis=0)
    if turn < 0:
        return np.asarray(mean)
    return np.asarray((mean + priors[priors[:, turn].argmax()]) / 2)
