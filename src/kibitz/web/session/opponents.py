"""Players against you, and estimates of moves in games that are too large to solve."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError
from kibitz.play import (
    Agent,
    DepthAgent,
    EstimatedMove,
    Estimator,
    MatchSoFar,
    StrategyAgent,
    ask_agent,
    make_agent,
    pick_by_edges,
    pick_by_value,
    pick_trap,
    rating_text,
)
from kibitz.puzzles import DepthSkill
from kibitz.solve import RoleValue, Solution
from kibitz.web.session.lines import PlayedLine, joint_number, write_line
from kibitz.web.session.sessions import Session
from kibitz.web.session.strategies import decisions, is_plain, read

OPPONENTS = ("perfect", "trap", "random", "depth", "strategy", "level")
_MOST_LEVEL = 8
"""The last level of `kibitz play` is the perfect player here."""
_MOST_DEPTH = 12
_SEARCH_S = 1.0
_MOST_ESTIMATES = 256


@dataclass(frozen=True, slots=True)
class ReplyView:
    """A joint move by its number, and what it is called. `by` says how it was found."""

    line: str
    number: int
    move: str
    by: str


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level, and how it was rated on which games, random play having 0."""

    level: int
    rated: str


@dataclass(frozen=True, slots=True)
class LevelsView:
    """The levels that an opponent may have."""

    levels: tuple[LevelView, ...]


def levels_view() -> LevelsView:
    """List the levels of opponents.

    >>> levels_view().levels[3]
    LevelView(level=4, rated='1041 ± 111 on connectfour and 878 ± 128 on breakthrough:6x6')
    """
    levels = range(1, _MOST_LEVEL + 1)
    return LevelsView(tuple(LevelView(level, rating_text(f"level:{level}")) for level in levels))


def reply(
    session: Session,
    went: PlayedLine,
    role: Role,
    *,
    opponent: str,
    depth: int = 1,
    level: int = 5,
    strategy: str = "",
    rules: int | None = None,
    seed: int = 0,
) -> ReplyView:
    """Let an opponent play a role in a position; other roles with a choice move at random."""
    state = went.state
    session.game.check_role(role)
    if opponent not in OPPONENTS:
        raise InputError(f"no opponent {opponent}", hint=f"one of {' '.join(OPPONENTS)}")
    if not 1 <= depth <= _MOST_DEPTH:
        raise InputError(f"a player searches 1 to {_MOST_DEPTH} rounds ahead here")
    if not 1 <= level <= _MOST_LEVEL:
        raise InputError(f"there are levels 1 to {_MOST_LEVEL} here")
    if state.is_terminal:
        raise InputError("play has ended here", hint="take a move back")
    source = random.Random(f"{seed} {write_line(went.numbers)}")
    legal = state.legal(role)
    move, by = source.choice(legal), opponent
    trap = None
    solution = session.solution
    is_known = solution is not None and solution.kind == "exact" and opponent != "level"
    if opponent == "trap":  # as perfect where no trap can be found
        if solution and solution.kind == "exact":
            trap = pick_trap(solution, session.state_of(went), role, source=source)
        opponent = "perfect"
    if opponent == "strategy":
        is_known = is_known and is_plain(*read(session, strategy, role))
    if opponent == "random" or len(legal) == 1:
        pass
    elif trap is not None:
        move, by = trap, "trap"
    elif solution and solution.kind == "exact" and is_known:
        chosen = _chosen(session, solution, role, opponent, depth, strategy, rules)
        space, number = solution.space, session.state_of(went)
        picked = pick_by_edges(space, number, role, chosen=chosen, source=source)
        move = picked or source.choice(list(legal))
    elif solution and solution.kind != "exact" and opponent == "perfect":
        move = pick_by_value(solution, session.state_of(went), role, source=source)
    elif opponent == "perfect" and isinstance(session.game, CompiledGame):
        move, by = _searched(session, went, [role], _SEARCH_S)[0][0].move, "search"
    else:
        agent: Agent = DepthAgent(depth, seed=seed)
        if opponent == "perfect":
            agent, by = make_agent("mcts")(seed), "search"
        if opponent == "strategy":
            agent = StrategyAgent(strategy, name="strategy", rules=rules, seed=seed)
        elif opponent == "level":
            # A level draws anew in each position.
            agent, by = make_agent(f"level:{level}")(source.randrange(2**31)), f"level {level}"
        line = MatchSoFar(went.states, went.joints)
        move, remark = session.ask(
            lambda: ask_agent(agent, line, role, seconds=_SEARCH_S), doing="choosing a move"
        )
        by = remark or by
    joint = [move if who == role else source.choice(state.legal(who)) for who in session.game.roles]
    number = joint_number(state, joint)
    return ReplyView(write_line([*went.numbers, number]), number, session.game.write(move), by)


def _chosen(
    session: Session,
    solution: Solution,
    role: Role,
    opponent: str,
    depth: int,
    strategy: str,
    rules: int | None,
) -> Any:
    """Mark the edges that an opponent picks from."""
    index = session.game.roles.index(role)
    if opponent == "perfect":
        return session.perfect_edges(solution)
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
class EstimatedMoveView:
    """A move and its value in a search; one that the search has proved is exact."""

    role: str
    move: str
    worth: RoleValue
    visits: int


@dataclass(frozen=True, slots=True)
class EstimateView:
    """The result of a short search for the moves of a position; later answers include it."""

    game: str
    line: str
    moves: tuple[EstimatedMoveView, ...]
    playouts: int


def estimate_view(
    session: Session, went: PlayedLine, *, seconds: float = _SEARCH_S
) -> EstimateView:
    """Estimate the values of moves by a search of a second, or longer."""
    state, game = went.state, session.game
    if state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    free = [role for role in game.roles if len(state.legal(role)) > 1] or [game.roles[0]]
    found, playouts = _searched(session, went, free, seconds)
    line = write_line(went.numbers)
    values = {(one.role, one.move): one.value for one in found}
    session.remember(session.estimates, line, values, most=_MOST_ESTIMATES)
    shown = (
        EstimatedMoveView(one.role, game.write(one.move), one.value, one.visits) for one in found
    )
    return EstimateView(session.key, line, tuple(shown), playouts)


def _searched(
    session: Session, went: PlayedLine, roles: list[Role], seconds: float
) -> tuple[list[EstimatedMove], int]:
    """Search from a position in a child, which takes the tree with it."""
    game = session.game
    if not isinstance(game, CompiledGame):
        raise InputError("this game cannot be searched")
    return session.ask(
        lambda: Estimator(game).estimate(went.state, roles, seconds=seconds),
        doing="searching",
    )
