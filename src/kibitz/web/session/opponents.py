"""Who plays against you, and what moves seem to be worth in games that are too large to solve."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from kibitz.engine import CompiledGame, Move, Role
from kibitz.errors import InputError
from kibitz.play import Agent, DepthAgent, MatchSoFar, Option, StrategyAgent, TreeSearch
from kibitz.puzzles import DepthSkill, OptimalSkill
from kibitz.solve import MaxnSolution, MixedSolution, Solution
from kibitz.web.session.lines import PlayedLine, joint_number, write_line
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import decisions, is_plain, read
from kibitz.web.session.values import RoleValue, role_value

__all__ = ["OPPONENTS", "EstimateView", "ReplyView", "estimate_view", "reply"]

OPPONENTS = ("perfect", "random", "depth", "strategy")
_MOST_DEPTH = 12
_SEARCH_S = 1.0
_NODES = 200_000
_MOST_ESTIMATES = 256


@dataclass(frozen=True, slots=True)
class ReplyView:
    """A joint move by its number, and what it is called. `by` says how it was found."""

    line: str
    number: int
    move: str
    by: str


def reply(
    session: Session,
    went: PlayedLine,
    role: Role,
    *,
    opponent: str,
    depth: int = 1,
    strategy: str = "",
    rules: int | None = None,
    seed: int = 0,
) -> ReplyView:
    """Let somebody play a role in a position; other roles with a choice move at random."""
    state = went.state
    session.game.check_role(role)
    if opponent not in OPPONENTS:
        raise InputError(f"no opponent {opponent}", hint=f"one of {' '.join(OPPONENTS)}")
    if not 1 <= depth <= _MOST_DEPTH:
        raise InputError(f"a player searches 1 to {_MOST_DEPTH} rounds ahead here")
    if state.is_terminal:
        raise InputError("play has ended here", hint="take a move back")
    source = random.Random(f"{seed} {write_line(went.numbers)}")
    legal = state.legal(role)
    move, by = source.choice(legal), opponent
    is_known = isinstance(session.solution, Solution)
    if opponent == "strategy":
        is_known = is_known and is_plain(*read(session, strategy, role))
    if opponent == "random" or len(legal) == 1:
        pass
    elif isinstance(session.solution, Solution) and is_known:
        chosen = _chosen(session, session.solution, role, opponent, depth, strategy, rules)
        number = session.state_of(went)
        space = session.solution.space
        index = session.game.roles.index(role)
        edges = range(space.first_edge[number], space.first_edge[number + 1])
        allowed = {space.joint_moves[space.action[e]][index] for e in edges if chosen[e]}
        move = source.choice(sorted(allowed, key=str) or list(legal))
    elif isinstance(session.solution, MaxnSolution | MixedSolution) and opponent == "perfect":
        move = _careful(session, session.solution, session.state_of(went), role, source)
    elif opponent == "perfect":
        move, by = _searched(session, went, [role])[0][0][1].move, "search"
    else:
        agent: Agent = DepthAgent(depth, seed=seed)
        if opponent == "strategy":
            agent = StrategyAgent(strategy, name="strategy", rules=rules, seed=seed)
        move = session.ask(lambda: _agreed(agent, session, went, role), doing="choosing a move")
    joint = [move if who == role else source.choice(state.legal(who)) for who in session.game.roles]
    number = joint_number(state, joint)
    return ReplyView(write_line([*went.numbers, number]), number, session.game.write(move), by)


def _agreed(agent: Agent, session: Session, went: PlayedLine, role: Role) -> Move:
    """Ask an agent for its move."""
    agent.start(session.game, role, time.monotonic())
    move = agent.choose(MatchSoFar(went.states, went.joints), time.monotonic() + _SEARCH_S)
    agent.stop()
    return move


def _careful(
    session: Session,
    solution: MaxnSolution | MixedSolution,
    state: int,
    role: Role,
    source: random.Random,
) -> Move:
    """Choose as best play does: by its mix, or what is surely best for oneself."""
    index = session.game.roles.index(role)
    turn = int(solution.space.turn[state])
    if turn < 0 and isinstance(solution, MixedSolution):
        shares = solution.mixes(state)[index]
        return source.choices(list(shares), list(shares.values()))[0]
    worth = {
        joint[index]: solution.bounds(to)[role][0] for joint, to in solution.space.moves(state)
    }
    best = max(worth.values())
    return source.choice([move for move, value in worth.items() if value == best])


def _chosen(
    session: Session,
    solution: Solution,
    role: Role,
    opponent: str,
    depth: int,
    strategy: str,
    rules: int | None,
) -> Any:
    """Mark the edges that somebody picks from."""
    index = session.game.roles.index(role)
    if opponent == "perfect":
        return session.keep(("perfect",), lambda: OptimalSkill().choose(solution, index).chosen)
    if opponent == "depth":
        return session.keep(
            ("depth", depth, role),
            lambda: session.sweep(
                lambda: DepthSkill(depth).choose(solution, index).chosen, doing="looking ahead"
            ),
        )
    read_text, role = read(session, strategy, role)
    if rules is not None:
        read_text = read_text.first(max(1, rules))
    return decisions(session, read_text, role).moves.chosen


@dataclass(frozen=True, slots=True)
class EstimatedMove:
    """A move and what a search thinks of it; one that the search has proved is exact."""

    role: str
    move: str
    worth: RoleValue
    visits: int


@dataclass(frozen=True, slots=True)
class EstimateView:
    """What a short search says of the moves of a position; later answers have it as well."""

    game: str
    line: str
    moves: tuple[EstimatedMove, ...]
    playouts: int


def estimate_view(session: Session, went: PlayedLine) -> EstimateView:
    """Estimate what moves are worth by a search of a second."""
    state, game = went.state, session.game
    if state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    free = [role for role in game.roles if len(state.legal(role)) > 1] or [game.roles[0]]
    options, playouts = _searched(session, went, free)
    worths = {(role, option.move): _guessed(option) for role, option in options}
    line = write_line(went.numbers)
    session.estimates[line] = worths
    while len(session.estimates) > _MOST_ESTIMATES:
        session.estimates.popitem(last=False)
    shown = (EstimatedMove(r, game.write(o.move), worths[r, o.move], o.visits) for r, o in options)
    return EstimateView(session.key, line, tuple(shown), playouts)


def _searched(
    session: Session, went: PlayedLine, roles: list[Role]
) -> tuple[list[tuple[Role, Option]], int]:
    """Search from a position for a second; native code is made once for each game."""
    if not isinstance(session.game, CompiledGame):
        raise InputError("this game cannot be searched")
    with session.searching:
        if session.search is None:
            session.search = TreeSearch(session.game, seed=1, nodes=_NODES)
        search = session.search
        search.run(went.state, rounds=1)
        search.run(went.state, deadline=time.monotonic() + _SEARCH_S)
        return [
            (role, option) for role in roles for option in search.options(role)
        ], search.playouts


def _guessed(option: Option) -> RoleValue:
    goal = round(100 * option.value, 1)
    if option.is_proven:
        return role_value(goal, option.plies)
    return role_value(goal, None, kind="estimate")
