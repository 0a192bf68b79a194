"""Monte Carlo tree search for two roles that take turns: many leaves at a time, threads, one tree.

Every batch walks down the tree to a few dozen different leaves. Their successors are found in one
block, each looked at with all its replies, and the leaves that this does not decide share the lanes
of one block of random matches. Walks and results change the tree under a lock; what lies between
does not, so threads work on one tree.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.engine.compiled.native_machine import LeafBlock, MaskProgram
from kibitz.errors import InputError
from kibitz.gdl import read
from kibitz.play.search.leaf_values import (
    CLOSED,
    MIDDLE,
    STUCK,
    Evaluation,
    LeafWorker,
    decisive_moves,
    learned_evaluation,
)
from kibitz.play.search.tree import NEW, PROVEN, TurnTree, Walks
from kibitz.play.search.tree_search import Option, TreeSearch
from kibitz.policy import GatePolicy
from kibitz.prove import best_within, warm_up as warm_up_prover

_LEAVES = 64
_NODES, _JOINT_NODES = 3_000_000, 4_000_000
GUIDED = 10_000
"""How many moves of a random match follow guides, if there are any."""
_SPREAD, _SPREAD_ESTIMATED = 0.4, 0.05
"""How much walks explore where random matches value leaves, and where an evaluation does."""
_NUMBER_S = 3e-5
"""Seconds that compiling takes for each number of the code of guides."""
_ROOM_S = 3e-7
"""Seconds that making room takes for each node, before it was measured."""
_CAUTION = 1.5
"""A batch is given so many times what the median of the last three took."""


class TurnSearch:
    """A search of one game that continues from move to move of a match; threads may share it.

    With `guides`, the first `guided` moves of random matches are those that they allow. With an
    evaluation there are no random matches; a state counts by `share` as the best line below it
    (implicit minimax backups; Lanctot, Winands, Pepels and Sturtevant 2014), else by the mean.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4,5"))
    >>> search = TurnSearch(game, seed=1)
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
        nodes: int = _NODES,
        spread: float | None = None,
        weight: float = 0.5,
        leaves: int = _LEAVES,
        guides: Sequence[GatePolicy] = (),
        guided: int = GUIDED,
        evaluation: Evaluation | None = None,
        share: float = 0.5,
    ) -> None:
        if len(game.roles) != 2:
            raise InputError("this search needs two roles")
        self.game, self.seed = game, seed
        self.leaves, self.nodes, self.guided = leaves, nodes, guided
        self.evaluation, self.share = evaluation, share if evaluation else 0.0
        if spread is None:
            spread = _SPREAD_ESTIMATED if evaluation else _SPREAD
        self.guides = {game.roles.index(guide.role): guide for guide in guides}
        self.programs = {
            role: MaskProgram(guide.code, guide.slots) for role, guide in self.guides.items()
        }
        self._compiling: threading.Thread | None = None
        self._until_compiled = _NUMBER_S * sum(len(guide.code) for guide in guides)
        """Seconds that leaves may still take before guides are compiled."""
        self.joint: TreeSearch | None = None
        """Searches where both roles choose at the same time, if play gets there after all."""
        self._joint_lock = threading.Lock()
        self._lock = threading.Condition()
        self._workers: list[tuple[LeafWorker, Walks]] = []
        self._blocks: list[LeafBlock] = []
        self._made = 0
        self._under_way = 0
        self._is_full = False
        self._room_s = _ROOM_S * nodes
        self._took: deque[float] = deque(maxlen=3)
        """Seconds of the last batches; one of them may have been slow by chance."""
        worker, walks = self._worker()
        self._workers.append((worker, walks))
        self.tree = TurnTree(worker, nodes, spread=spread, share=self.share, weight=weight)
        self.state = game.initial()
        self.root = 0
        self.playouts = 0
        self.states = 0

    def _worker(self) -> tuple[LeafWorker, Walks]:
        """Take memory that no thread uses, or make some."""
        with self._lock:
            if self._workers:
                return self._workers.pop()
            self._made += 1
            number = self._made
        seed = self.seed + 1000 * number
        worker = LeafWorker(
            self.game, seed, self.leaves, programs=self.programs, guided=self.guided,
            evaluation=self.evaluation,
        )  # fmt: skip
        self._blocks.append(worker.block)
        if all("native" in vars(guide) for guide in self.guides.values()):
            self._follow_native_code()
        return worker, Walks(2 * worker.most + 2)

    def _compile_guides(self) -> threading.Thread:
        """Compile what matches follow in a thread of its own, which takes a second or more."""
        self._compiling = threading.Thread(target=self._follow_native_code)
        self._compiling.start()
        return self._compiling

    def _follow_native_code(self) -> None:
        for role, guide in self.guides.items():
            address = guide.native.address("gates")
            for block in self._blocks.copy():
                block.fill_by(role, address)

    def takes_turns(self) -> bool:
        """Return whether both roles never had a choice together in a block of random matches."""
        return self._sample(self.game.initial())[1] == 0

    def length_from(self, state: State) -> float:
        """Return how many moves random matches from a state have on average."""
        return self._sample(state)[0]

    def _sample(self, state: State) -> tuple[float, int]:
        worker, walks = self._worker()
        try:
            return worker.sample(self._row(state))
        finally:
            with self._lock:
                self._workers.append((worker, walks))

    def run(
        self,
        state: State,
        *,
        deadline: float | None = None,
        rounds: int | None = None,
        watch: Callable[[], bool] | None = None,
    ) -> None:
        """Search from a state until a time of `time.monotonic`, or for a number of batches.

        A batch that would not end in time, by how long the last three took, is not begun. Ends
        at once when the state's value is proven. `watch` is called after each batch, can read
        `options` then, and ends the search by returning True. Several threads may search the same
        state at the same time.
        """
        self.look_at(state)
        if self._is_joint():
            with self._joint_lock:
                self.joint = self.joint or TreeSearch(self.game, seed=self.seed)
                self.joint.run(state, deadline=deadline, rounds=rounds, watch=watch)
            return
        worker, walks = self._worker()
        done = 0
        try:
            while not self.tree.is_proven(self.root):
                if rounds is not None and done >= rounds:
                    return
                begin = time.monotonic()
                left = np.inf if deadline is None else deadline - begin
                needed = self._batch_s()
                if left <= needed:
                    if not done and self._took:  # what was slow once may be fast again
                        self._took.popleft()
                    return
                self._batch(worker, walks, left / needed if needed else np.inf, left)
                self._took.append(time.monotonic() - begin)
                done += 1
                if watch is not None and watch():
                    return
        finally:
            with self._lock:
                self._workers.append((worker, walks))

    def _batch_s(self) -> float:
        """Return how long the next batch may take."""
        took = sorted(self._took.copy())
        return _CAUTION * took[(len(took) - 1) // 2] if took else 0.0

    def look_at(self, state: State) -> None:
        """Make a state the root; what is known below it is kept."""
        row = self._row(state)
        with self._lock:
            if self.state.key == state.key and self.tree.states.used:
                return
            if self.tree.states.used >= len(self.tree.nodes):
                while self._under_way:
                    self._lock.wait()
                self._make_room()
            self.state = state
            self.root = self.tree.states.number(row)
            if state.is_terminal:
                goals = [(goal or 0) / 100 for goal in state.goals.values()]
                self.tree.prove(self.root, np.array(goals, np.float32))
            else:
                self.tree.begin_at(self.root, _status_of(state))

    def _row(self, state: State) -> npt.NDArray[np.uint64]:
        row: npt.NDArray[np.uint64] = self.game.rows([state])[0]
        return row

    def _batch(
        self, worker: LeafWorker, walks: Walks, batches: float, left: float = np.inf
    ) -> None:
        """Walk down, value the leaves, and write what was found into the tree.

        So many batches fit into the seconds that are left. A full tree does not grow where these
        are too few for making room.
        """
        with self._lock:
            if self._is_full and left > self._room_s:
                while self._is_full and self._under_way:
                    self._lock.wait()
                if self._is_full:
                    self._make_room()
            root = self.root
            self.tree.descend(root, walks, worker, batches)
            self._under_way += 1
        found, done = walks.context, worker.context
        try:
            if found.made:
                begin = time.thread_time()
                worker.judge(found.open, found.closed)
                self._until_compiled -= time.thread_time() - begin
        finally:
            with self._lock:
                if found.made and not self.tree.grow(root, walks, worker):
                    self._is_full = True
                self._under_way -= 1
                self.playouts += done.matches
                self.states += done.made
                done.matches = done.made = 0
                if self.guides and self._until_compiled < 0 and self._compiling is None:
                    self._compile_guides()
                self._lock.notify_all()

    def _make_room(self) -> None:
        begin = time.monotonic()
        self.root = self.tree.prune(self.root)
        self._room_s = _CAUTION * (time.monotonic() - begin)
        self._is_full = False

    def _is_joint(self) -> bool:
        return bool(self.tree.nodes["status"][self.root] == CLOSED)

    def options(self, role: Role) -> list[Option]:
        """Return what is known about each move of a role at the root, best first.

        Any thread may ask at any time after the first `run` or `look_at`.
        """
        index = self.game.roles.index(role)
        with self._lock:
            tree, root, state = self.tree, self.root, self.state
            if self._is_joint() and self.joint is not None:
                return self.joint.options(role)
            edges = tree.edges[tree.edges_of(root)].copy()
            nodes, here = tree.nodes_of(edges), tree.nodes[root].copy()
        totals, values = nodes["total"][:, index].copy(), nodes["value"][:, index]
        guesses = nodes["guess"] if index == 0 else 1 - nodes["guess"]
        moves = self.game.network.moves[index]
        if not len(edges) or here["turn"] != index:
            total, value = here["total"][index] + MIDDLE, here["value"][index]
            return [_option(move, here, total, value, 0) for move in state.legal(role)]
        totals += MIDDLE if self.evaluation else np.clip(MIDDLE + edges["prior"], 0, 1)
        totals += self.share * (guesses * (nodes["visits"] + 1) - totals)
        found = [
            _option(moves[int(edge["move"])], node, gained, known, 1)
            for edge, node, gained, known in zip(edges, nodes, totals, values, strict=True)
        ]
        return sorted(found, key=lambda option: option.preference, reverse=True)

    def best(self, role: Role) -> Option:
        """Return the move to play."""
        return self.options(role)[0]


def _option(move: Move, node: Any, total: float, value: float, before: int) -> Option:
    """Say what is known about a move to a node that is that many plies away."""
    visits = int(node["visits"])
    if node["status"] == PROVEN:
        return Option(move, visits, float(value), True, int(node["plies"]) + before)
    return Option(move, visits, float(total) / (visits + 1), False, None)


def _status_of(state: State) -> int:
    """Return what the node of a state that is not terminal is before it has edges."""
    choices = [len(state.legal(role)) for role in state.game.roles]
    return STUCK if min(choices) == 0 else CLOSED if min(choices) > 1 else NEW


def make_search(
    game: CompiledGame,
    *,
    seed: int = 1,
    nodes: int | None = None,
    guides: Sequence[GatePolicy] = (),
    learning_s: float = 0.0,
) -> TreeSearch | TurnSearch:
    """Make the search that suits a game; raise InputError if it has no use for guides.

    Without guides, leaves are valued by an evaluation where one is learned in so many seconds, and
    else by random matches that follow decisive moves where that is cheap.

    >>> from kibitz.games import load_sheet
    >>> [type(make_search(CompiledGame(load_sheet(n)))).__name__ for n in ("nim:1,2", "roshambo")]
    ['TurnSearch', 'TreeSearch']
    """
    if len(game.roles) == 2:
        start = game.initial()  # where both choose there, no turns are taken
        is_joint = all(len(start.legal(role)) > 1 for role in game.roles)
        followed = guides or (() if is_joint else decisive_moves(game))
        search = TurnSearch(game, seed=seed, nodes=nodes or _NODES, guides=followed)
        if search.takes_turns():
            learns = learning_s > 0 and not guides
            evaluation = learned_evaluation(game, learning_s) if learns else None
            if evaluation is None:
                return search
            return TurnSearch(game, seed=seed, nodes=nodes or _NODES, evaluation=evaluation)
    if guides:
        raise InputError(
            f"random matches follow rules where two roles take turns, not in {game.sheet.name}"
        )
    return TreeSearch(game, seed=seed, nodes=nodes or _JOINT_NODES)


_TINY_RULES = """
(role a) (role b) (init (control a))
(<= (legal ?r go) (true (control ?r)))
(<= (legal ?r stay) (true (control ?r)))
(<= (legal a noop) (true (control b)))
(<= (legal b noop) (true (control a)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (next over) (does ?r stay))
(<= terminal (true over))
(<= (goal a 100) (true (control a))) (<= (goal a 0) (true (control b)))
(<= (goal b 100) (true (control b))) (<= (goal b 0) (true (control a)))
"""


def warm_up() -> None:
    """Search a tiny game, so that everything is compiled and loaded."""
    game = CompiledGame(read(_TINY_RULES, name="warm-up"))
    TreeSearch(game, nodes=1000).run(game.initial(), rounds=20)
    search = TurnSearch(game, nodes=1000, guides=decisive_moves(game))
    search.run(game.initial(), rounds=20)
    search.tree.prune(search.root)
    learned_evaluation(game, 60)
    warm_up_prover(game)
    best_within(game.initial(), seconds=60, positions=100)
