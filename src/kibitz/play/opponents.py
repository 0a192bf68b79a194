"""Choose the page's move against a person, from marked edges, a solution or a search.

Also what moves seem to be worth in games that are too large to be solved.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.gdl import require_gdl1
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.search.tree_search import Option
from kibitz.play.search.turn_search import make_search
from kibitz.solve import MaxnSolution, MixedSolution, RoleValue, Solution, role_value
from kibitz.space import StateId, StateSpace, own_moves

_NODES = 200_000


def pick_by_edges(
    space: StateSpace,
    state: StateId,
    role: Role,
    *,
    chosen: npt.NDArray[np.bool_],
    source: random.Random,
) -> Move | None:
    """Draw one of a role's moves along marked edges of a state; None where none is marked.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> marked = space.target == space.target[0]
    >>> str(pick_by_edges(space, 0, "player1", chosen=marked, source=random.Random(1)))
    '(reduce a 0)'
    """
    index = space.game.roles.index(role)
    edges = range(space.first_edge[state], space.first_edge[state + 1])
    allowed = {space.joint_moves[space.action[e]][index] for e in edges if chosen[e]}
    return source.choice(sorted(allowed, key=str)) if allowed else None


def pick_trap(
    solution: Solution, state: StateId, role: Role, *, source: random.Random
) -> Move | None:
    """Draw one of the moves that give nothing away after which most replies are mistakes.

    One who is ahead wins as fast as possible instead. None where the role has no say.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> str(pick_trap(solution, 0, "xplayer", source=random.Random(1)))  # a corner: one reply holds
    '(mark 1 3)'
    """
    space, value = solution.space, solution.values
    index = space.game.roles.index(role)
    if space.turn[state] != index:
        return None

    def edges(of: StateId) -> range:
        return range(space.first_edge[of], space.first_edge[of + 1])

    def risk(edge: int) -> float:
        after = space.target[edge]
        replies = [value[space.target[reply]] != value[after] for reply in edges(after)]
        return sum(replies) / len(replies) if replies and space.turn[after] != index else 0.0

    kept = [edge for edge in edges(state) if value[space.target[edge]] == value[state]]
    ahead = (int(value[state]) - solution.middle) * (1 if index == 0 else -1)
    if ahead > 0:
        far = [solution.distance[space.target[edge]] for edge in kept]
        kept = [edge for edge, plies in zip(kept, far, strict=True) if plies == min(far)]
    risks = [risk(edge) for edge in kept]
    chosen = {
        space.joint_moves[space.action[edge]][index]
        for edge, found in zip(kept, risks, strict=True)
        if found == max(risks)
    }
    return source.choice(sorted(chosen, key=str)) if chosen else None


def pick_by_value(
    solution: MaxnSolution | MixedSolution, state: StateId, role: Role, *, source: random.Random
) -> Move:
    """Choose as best play does: by its mix, or what is surely best for oneself.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_mixed
    >>> from kibitz.space import explore
    >>> solution = solve_mixed(explore(CompiledGame(load_sheet("roshambo"))))
    >>> str(pick_by_value(solution, 0, "player1", source=random.Random(1)))
    'paper'
    """
    index = solution.space.game.roles.index(role)
    turn = int(solution.space.turn[state])
    if turn < 0 and solution.kind == "average":
        shares = solution.mixes(state)[role]
        return source.choices(list(shares), list(shares.values()))[0]
    values = {made.joint[index]: made.known.bounds[role][0] for made in solution.moves(state)}
    best = max(values.values())
    return source.choice([move for move, value in values.items() if value == best])


def ask_agent(agent: Agent, line: MatchSoFar, role: Role, *, seconds: float) -> tuple[Move, str]:
    """Start an agent, ask it for one move, and stop it; return the move and the agent's remark."""
    agent.start(line.state.game, role, time.monotonic())
    move = agent.choose(line, time.monotonic() + seconds)
    agent.stop()
    return move, agent.remark


@dataclass(frozen=True, slots=True)
class EstimatedMove:
    """A move and its value in a search; one that the search has proved is exact."""

    role: Role
    move: Move
    value: RoleValue
    visits: int


class Estimator:
    """Searches a game from one position or another, one at a time; its code is made once."""

    def __init__(self, game: CompiledGame) -> None:
        require_gdl1(game.sheet)
        self.search = make_search(game, seed=1, nodes=_NODES)
        self._lock = threading.Lock()

    def estimate(
        self, state: State, roles: list[Role], *, seconds: float
    ) -> tuple[list[EstimatedMove], int]:
        """Search for some time; give the moves of roles, best first, and how often it played."""
        with self._lock:
            self.search.run(state, rounds=1)
            self.search.run(state, deadline=time.monotonic() + seconds)
            found = [
                EstimatedMove(
                    role,
                    option.move,
                    role_value(
                        round(100 * option.value, 1),
                        option.plies if option.is_proven else None,
                        kind="exact" if option.is_proven else "estimate",
                        own_moves=_own_moves(state, role, option),
                    ),
                    option.visits,
                )
                for role in roles
                for option in self.search.options(role)
            ]
            return found, self.search.playouts


def _own_moves(state: State, role: Role, option: Option) -> int | None:
    """Count the winner's own moves of a move whose outcome is proven."""
    others = [one for one in state.game.roles if one != role]
    if not option.is_proven or option.plies is None or option.value not in (0, 1) or not others:
        return None
    return own_moves(state, role if option.value else others[0], option.plies)
