"""Agents that think: tree search, perfect play from a solution, and both at once."""

from __future__ import annotations

import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kibitz.budget import available_bytes
from kibitz.engine import CompiledGame, Game, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.agents.plain_agents import HINT, advise, draw, is_drawn
from kibitz.play.search.plan_search import Planner
from kibitz.play.search.tree_search import Option, TreeSearch
from kibitz.play.search.turn_search import TurnSearch, make_search
from kibitz.play.search.uct import UctAgent
from kibitz.policy import GatePolicy
from kibitz.prove import best_within
from kibitz.solve import Listed, solve_game
from kibitz.space import Limits, SolverOutlook
from kibitz.threads import thread_count

_MARGIN_S = 0.1
"""The most time of a move that is reserved for sending the answer."""
_PUBLISH_S = 0.05
"""How often the best move so far is published."""
_LONGEST_PONDER_S = 3600.0
_FEWEST_NODES = 10_000
_LEARNING, _LONGEST_LEARNING_S = 0.5, 10.0
"""The share of the start that may go into learning to estimate states, and the most of it."""
_PROVING, _PROVING_NEAR = 0.15, 0.5
"""The share of the time of a move that goes into proving the position, and that near the end."""
_NEAR = 18.0
"""Near the end random matches have at most this many moves on average."""
_MOST_PROVED = 50_000_000
_PROVING_BYTES = 400_000_000
_LEAST_START_S = 1.0
"""A shorter start leaves no time to get ready for proving."""
_SYMMETRIES, _LONGEST_SYMMETRIES_S = 1 / 8, 2.0
"""The share of the start in which proving looks for symmetries; four times as much by the clock."""
_BEYOND = "_beyond_states"
"""Where a game keeps a number of states that it clearly has more of."""


class SearchAgent(Agent):
    """Searches one tree in all threads where two roles take turns, else a tree in every thread.

    The trees are kept from move to move. Games without compiled code are searched by plain UCT.
    """

    name = "mcts"

    def __init__(
        self, seed: int = 1, *, threads: int | None = None, rounds: int | None = None
    ) -> None:
        self.seed, self.rounds = seed, rounds
        self.source = random.Random(seed)
        self.threads = 1 if rounds else thread_count(threads)
        self.searches: list[TreeSearch | TurnSearch] = []
        self.plain: UctAgent | None = None
        self.guides: tuple[GatePolicy, ...] = ()
        """What random matches follow."""

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Make the trees, and search from the initial state until the deadline."""
        self.prepare(game, role, deadline)
        if self.searches:
            self.think(MatchSoFar((game.initial(),)), deadline)

    def prepare(self, game: Game, role: Role, deadline: float) -> None:
        """Make the trees, and learn to estimate states if there is time for it."""
        super().start(game, role, deadline)
        self.searches, self.plain = [], None
        if not isinstance(game, CompiledGame):
            self.plain = UctAgent(self.seed)
            self.plain.start(game, role, deadline)
            return
        seconds = min(_LEARNING * (deadline - time.monotonic()), _LONGEST_LEARNING_S)
        self.searches = self._make_searches(game, 0.0 if self.rounds else seconds)

    def _make_searches(
        self, game: CompiledGame, learning_s: float
    ) -> list[TreeSearch | TurnSearch]:
        """Return what each thread searches; all trees together take at most half of the memory."""
        make = partial(make_search, game, seed=self.seed, guides=self.guides, learning_s=learning_s)
        first = make()
        trees = 1 if isinstance(first, TurnSearch) else self.threads
        most = available_bytes() // 2 * first.nodes // first.tree.nbytes
        nodes = min(first.nodes, max(_FEWEST_NODES, most // trees))
        if nodes < first.nodes:
            first = make(nodes=nodes)
        if isinstance(first, TurnSearch):
            return [first] * self.threads
        others = range(self.seed + 1, self.seed + self.threads)
        return [first, *(TreeSearch(game, seed=seed, nodes=nodes) for seed in others)]

    def think(
        self,
        line: MatchSoFar,
        deadline: float,
        *,
        threads: int | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Search the present state in each requested thread.

        The best move so far is published now and then. The search ends when `is_over` returns True.
        """
        deadline = _before(deadline)
        searches = self.searches[: threads or self.threads]
        publish_at = 0.0

        def publish() -> bool:
            nonlocal publish_at
            if time.monotonic() >= publish_at:
                self._publish_best(line)
                publish_at = time.monotonic() + _PUBLISH_S
            return is_over()

        def run(search: TreeSearch | TurnSearch, watch: Callable[[], bool]) -> None:
            search.run(line.state, deadline=deadline, rounds=self.rounds, watch=watch)

        self.glance(line)
        helpers = [threading.Thread(target=run, args=(search, is_over)) for search in searches[1:]]
        for helper in helpers:
            helper.start()
        run(searches[0], publish)
        for helper in helpers:
            helper.join()

    def glance(self, line: MatchSoFar) -> None:
        """Publish what the trees know of the present state, after one batch if that is nothing."""
        trees = dict.fromkeys(self.searches)
        for search in trees:
            search.look_at(line.state)
        known = [option.visits for search in trees for option in search.options(self.role)]
        if trees and not any(known):
            self.searches[0].run(line.state, rounds=1)
        self._publish_best(line)

    def _publish_best(self, line: MatchSoFar) -> None:
        legal = line.state.legal(self.role)
        found = [search.options(self.role) for search in dict.fromkeys(self.searches)]
        if len(legal) > 1 and any(found):
            self.publish(line, self.settle(_together(found, legal)))

    def ponder(self, line: MatchSoFar, is_over: Callable[[], bool]) -> None:
        """Grow the trees while the others think."""
        if self.searches and not self.rounds:
            self.think(line, time.monotonic() + _LONGEST_PONDER_S, is_over=is_over)

    def best_so_far(self, line: MatchSoFar) -> Move | None:
        """Return the best move found so far for the present state of a line."""
        return self.plain.best_so_far(line) if self.plain else super().best_so_far(line)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return the move that looks best after a search until shortly before the deadline.

        Where roles choose at the same time, the move is drawn with the frequencies of the search.
        """
        return self.settle(self.consider(line, deadline))

    def settle(self, options: list[Option]) -> Move:
        """Return the best of some options, or draw one where moves are mixed."""
        mix = {option.move: option.share for option in options if option.share is not None}
        return draw(mix, self.source) if mix else options[0].move

    def consider(
        self, line: MatchSoFar, deadline: float, *, threads: int | None = None
    ) -> list[Option]:
        """Search, and return what is known about each move, best first."""
        legal = line.state.legal(self.role)
        if self.plain:
            return [Option(self.plain.choose(line, _before(deadline)), 1, 0.5, False, None)]
        if len(legal) == 1:
            return [Option(legal[0], 1, 0.5, False, None)]
        self.think(line, deadline, threads=threads)
        trees = dict.fromkeys(self.searches)
        return _together([search.options(self.role) for search in trees], legal)

    def stop(self, line: MatchSoFar | None = None) -> None:
        """Forget the trees."""
        self.searches, self.plain = [], None


def _before(deadline: float) -> float:
    """Return when to stop thinking: a tenth of the remaining time is for the answer."""
    left = deadline - time.monotonic()
    return deadline - min(_MARGIN_S, max(0.0, left / 10))


def _together(found: list[list[Option]], legal: tuple[Move, ...]) -> list[Option]:
    """Combine the results of several searches."""
    by_move: dict[Move, list[Option]] = defaultdict(list)
    for options in found:
        for option in options:
            by_move[option.move].append(option)
    merged = []
    for move in legal:
        options = by_move[move]
        proven = next((option for option in options if option.is_proven), None)
        visits = sum(option.visits for option in options)
        total = sum(option.visits * option.value for option in options)
        value = total / visits if visits else 0.5
        shares = [option.share for option in options if option.share is not None]
        share = sum(shares) / len(found) if shares else None
        if proven and share is None:
            merged.append(proven)
        else:
            merged.append(Option(move, visits, value, False, None, share))
    return sorted(merged, key=lambda option: option.preference, reverse=True)


class OptimalAgent(Agent):
    """Solves the game at the start and then plays perfectly: the fastest win, the slowest loss."""

    name = "optimal"

    def __init__(self, seed: int = 1, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits(bytes=8_000_000_000, hint=HINT)
        self.source = random.Random(seed)
        self.solution: Listed | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Solve the game; raise KibitzError where it cannot be solved in time."""
        same = self.solution is not None and self.solution.space.game is game
        super().start(game, role, deadline)
        if not same:
            limits = replace(self.limits, seconds=deadline - time.monotonic())
            self.solution = solve_game(game, limits=limits)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the best moves."""
        assert self.solution is not None
        return draw(advise(self.solution, line, self.role), self.source)


class AutoAgent(SearchAgent):
    """Solves the game in the background, and plays perfectly once that is done.

    It gives up solving where there are clearly more states than it may find. Until it is done, and
    in games that cannot be solved, it searches; in puzzles of one role, for a plan that it then
    follows. In a position that is drawn with best play it plays the move that the search prefers
    among those that hold the draw. Before each search it tries to prove the position with a part of
    the time, half of it near the end, and makes a move that keeps what was proved.
    """

    name = "auto"

    def __init__(
        self, seed: int = 1, *, limits: Limits | None = None, threads: int | None = None
    ) -> None:
        super().__init__(seed, threads=threads)
        self.limits = limits or Limits(states=200_000_000, bytes=6_000_000_000)
        self.solution: Listed | None = None
        self.planner: Planner | None = None
        self._solver: threading.Thread | None = None
        self._cancel = threading.Event()
        self._proves = False

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Start to solve, and search meanwhile; return early when the game is solved."""
        if self.solution is None or self.solution.space.game is not game:
            self._begin_to_solve(game, deadline)
        self.planner = None
        if self.solution is None and isinstance(game, CompiledGame) and len(game.roles) == 1:
            self.planner = Planner(game, seed=self.seed)
            self.planner.search(game.initial(), _before(deadline))
        self.prepare(game, role, time.monotonic() if self.solution or self.planner else deadline)
        left = deadline - time.monotonic()
        is_searched = self.solution is None and self.planner is None and len(self.searches) > 0
        self._proves = is_searched and len(game.roles) == 2 and left >= _LEAST_START_S
        if self._proves:  # makes what it needs before the clock runs
            best_within(
                game.initial(),
                seconds=_PROVING * left,
                positions=_MOST_PROVED,
                memory=_PROVING_BYTES,
                symmetries_s=min(_LONGEST_SYMMETRIES_S, left * _SYMMETRIES),
            )
        if is_searched:
            self.think(MatchSoFar((game.initial(),)), deadline)

    def _begin_to_solve(self, game: Game, deadline: float) -> None:
        """Start the solver, unless it is known to have no hope, and give it a moment."""
        self.solution, self._solver = None, None
        if vars(game).get(_BEYOND, 0) >= self.limits.states:
            return
        self._cancel = threading.Event()
        self._solver = threading.Thread(target=self._solve, args=(game, self._cancel), daemon=True)
        self._solver.start()
        self._solver.join(min(2.0, max(0.0, (deadline - time.monotonic()) / 2)))

    def ponder(self, line: MatchSoFar, is_over: Callable[[], bool]) -> None:
        """Grow the trees while the others think, unless the game is solved or planned."""
        if self.solution is None and self.planner is None and self.searches:
            deadline = time.monotonic() + _LONGEST_PONDER_S
            self.think(line, deadline, threads=1 if self._is_solving() else None, is_over=is_over)

    def best_so_far(self, line: MatchSoFar) -> Move | None:
        """Return the best move found so far for the present state of a line."""
        plan = self.planner.plan if self.planner else None
        planned = plan.moves.get(line.state.key) if plan else None
        return planned or super().best_so_far(line)

    def _is_solving(self) -> bool:
        return self._solver is not None and self._solver.is_alive()

    def _solve(self, game: Game, cancel: threading.Event) -> None:
        outlook = SolverOutlook()

        def watch(found: int, expanded: int) -> None:
            outlook.note(found, expanded)
            if outlook.is_beyond(self.limits.states):
                vars(game)[_BEYOND] = self.limits.states
                raise KibitzError("the solver has no hope")
            if cancel.is_set():
                raise KibitzError("the solver is not needed")

        try:
            limits = replace(self.limits, bytes=min(self.limits.bytes, available_bytes() // 2))
            solution = solve_game(game, limits=limits, progress=watch)
        except (KibitzError, MemoryError):
            return
        if not cancel.is_set():
            self.solution = solution

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return the best move, or the one that looks best while the game is not solved."""
        if self.solution is None and self.planner:
            if self.best_so_far(line) is None:
                self.glance(line)
            self.planner.search(line.state, _before(deadline))
            if self.planner.plan and line.state.key in self.planner.plan.moves:
                return self.planner.plan.moves[line.state.key]
        if self.solution is None:
            proved = self._proved_move(line, deadline)
            if proved is not None:
                return proved
            options = self.consider(line, deadline, threads=1 if self._is_solving() else None)
            if self.solution is None:
                return self.settle(options)
        advice = advise(self.solution, line, self.role)
        if len(advice) > 1 and self.searches and is_drawn(self.solution, line):
            options = self.consider(line, min(deadline, time.monotonic() + 0.3))
            return next(option.move for option in options if option.move in advice)
        return draw(advice, self.source)

    def _proved_move(self, line: MatchSoFar, deadline: float) -> Move | None:
        """Return a move that keeps a win or a draw, if a part of the time proves it."""
        if not self._proves or len(line.state.legal(self.role)) < 2:
            return None
        self.glance(line)
        share = _PROVING_NEAR if self._is_near_the_end(line.state) else _PROVING
        seconds = share * (_before(deadline) - time.monotonic())
        found = best_within(line.state, seconds=seconds, positions=_MOST_PROVED)
        return found.best[0] if found and found.mover == self.role and found.best else None

    def _is_near_the_end(self, state: State) -> bool:
        """Return whether random matches from a state are short."""
        search = self.searches[0] if self.searches else None
        return isinstance(search, TurnSearch) and search.length_from(state) <= _NEAR

    def stop(self, line: MatchSoFar | None = None) -> None:
        """Stop the solver, and forget the trees; a finished solution is kept for the next match."""
        self._cancel.set()
        self.planner = None
        super().stop(line)
