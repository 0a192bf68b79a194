"""What the page shows of puzzles: positions without their answers, and who plays against you."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.engine import Role
from kibitz.errors import InputError
from kibitz.play import Line, SearchAgent
from kibitz.puzzles import (
    DepthSkill,
    Level,
    OptimalSkill,
    Positions,
    Wanted,
    choose_puzzles,
    read_skill,
)
from kibitz.solve import winning_sets
from kibitz.strategy.images import symmetries_of
from kibitz.web.jobs import Report
from kibitz.web.lines import Walk, joint_number, write_line
from kibitz.web.sessions import Session
from kibitz.web.strategies import decisions, read

__all__ = ["OPPONENTS", "PuzzleView", "PuzzlesView", "ReplyView", "make_puzzles", "reply"]

OPPONENTS = ("perfect", "random", "depth", "strategy")
_MOST_DEPTH = 12
_SEARCH_S = 1.0


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """A puzzle as it is asked: a line leads to its position; the answer is not here."""

    id: str
    line: str
    role: str
    win_in: int
    level: str
    rating: int
    chances: dict[str, float]
    text: str


@dataclass(frozen=True, slots=True)
class PuzzlesView:
    """Puzzles from easy to hard."""

    game: str
    role: str
    puzzles: tuple[PuzzleView, ...]
    positions: int
    of_level: int
    counts: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class PuzzleWish:
    """Which puzzles are wanted."""

    role: str
    win_in: int
    level: str | None
    k1: str
    k2: str
    count: int
    unique: bool
    seed: int


def make_puzzles(session: Session, wish: PuzzleWish, report: Report) -> PuzzlesView:
    """Find puzzles; the work of a job."""
    solution = session.need_solution()
    session.game.check_role(wish.role)
    index = session.game.roles.index(wish.role)
    report("looking for won positions")
    space = solution.space
    won = winning_sets(space, wish.role, set="paper")
    sets = {wish.win_in: won.ids(wish.win_in).astype(np.int64)}
    positions = Positions(solution, index, "paper", "reachable", len(space), won.counts, sets)
    report("measuring how hard they are")
    own, other = (read_skill(text, session.game) for text in (wish.k1, wish.k2))
    wanted = Wanted(
        wish.count,
        Level(wish.level) if wish.level else None,
        wish.unique,
        symmetries_of(session.game) if session.carriers else None,
        wish.seed,
    )
    found = choose_puzzles(positions, wish.win_in, own=own, other=other, wanted=wanted)
    report("writing them down")
    made = []
    ids = {space.state(int(n)).key: int(n) for n in positions.won_in(wish.win_in)}
    for puzzle in found:
        line = write_line(session.line_to(ids[puzzle.state.key]))
        moves = wish.win_in + 1
        made.append(
            PuzzleView(
                puzzle.name,
                line,
                puzzle.role,
                wish.win_in,
                puzzle.level.value,
                puzzle.rating,
                dict(puzzle.chances),
                f"{puzzle.role} wins in {moves} move{'s' * (moves > 1)}",
            )
        )
    return PuzzlesView(
        session.key,
        wish.role,
        tuple(made),
        found.positions,
        found.of_level,
        positions.counts,
        found.why,
    )


@dataclass(frozen=True, slots=True)
class ReplyView:
    """A joint move by its number, and what it is called. `by` says how it was found."""

    line: str
    number: int
    move: str
    by: str


def reply(
    session: Session,
    went: Walk,
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
    if state.is_terminal:
        raise InputError("play has ended here", hint="take a move back")
    source = random.Random(f"{seed} {write_line(went.numbers)}")
    move, by = None, opponent
    legal = state.legal(role)
    if opponent == "random" or len(legal) == 1:
        move = source.choice(legal)
    elif session.solution is None and opponent == "perfect":
        agent = SearchAgent(seed)
        now = time.monotonic()
        agent.start(session.game, role, now)
        move = agent.choose(Line(went.states, went.joints), time.monotonic() + _SEARCH_S)
        agent.stop()
        by = "search"
    else:
        chosen = _chosen(session, role, opponent, depth, strategy, rules)
        number = session.state_of(went)
        space = session.need_solution().space
        index = session.game.roles.index(role)
        edges = range(space.first_edge[number], space.first_edge[number + 1])
        allowed = sorted({space.joint_moves[space.action[e]][index] for e in edges if chosen[e]},
                         key=str)  # fmt: skip
        move = source.choice(allowed or list(legal))
    joint = [move if who == role else source.choice(state.legal(who)) for who in session.game.roles]
    number = joint_number(state, joint)
    return ReplyView(write_line([*went.numbers, number]), number, session.game.write(move), by)


def _chosen(
    session: Session, role: Role, opponent: str, depth: int, strategy: str, rules: int | None
) -> Any:
    """Mark the edges that somebody picks from."""
    solution = session.need_solution()
    index = session.game.roles.index(role)
    match opponent:
        case "perfect":
            return session.keep(("perfect",), lambda: OptimalSkill().choose(solution, index).chosen)
        case "depth":
            if not 1 <= depth <= _MOST_DEPTH:
                raise InputError(f"a player searches 1 to {_MOST_DEPTH} rounds ahead here")
            return session.keep(
                ("depth", depth, role), lambda: DepthSkill(depth).choose(solution, index).chosen
            )
        case "strategy":
            read_text, role = read(session, strategy, role)
            if rules is not None:
                read_text = read_text.first(max(1, rules))
            return decisions(session, read_text, role).moves.chosen
    raise InputError(f"no opponent {opponent}", hint=f"one of {' '.join(OPPONENTS)}")
