"""What the page says of play: its value move by move, why a move is wrong, and hints."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import Move, Role
from kibitz.errors import InputError
from kibitz.solve import AnySolution, MaxnSolution, MixedSolution, Solution
from kibitz.space import StateId
from kibitz.web.session.lines import PlayedLine, joint_number, write_line
from kibitz.web.session.positions import played_texts
from kibitz.web.session.sessions import Session
from kibitz.web.session.values import RoleValue, move_values, number_text, state_values

__all__ = ["HintView", "TimelineView", "WhyView", "hint_view", "timeline_view", "why_view"]

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class PlyValue:
    """What the position after so many plies is worth to each role."""

    ply: int
    played: str
    worth: dict[str, RoleValue]


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The value of a match, from its start to the end of a line."""

    game: str
    moments: tuple[PlyValue, ...]


def timeline_view(session: Session, went: PlayedLine) -> TimelineView:
    """Tell what every position of a line is worth."""
    solution = session.need_solution()
    texts = ["", *played_texts(session, went)]
    moments: list[PlyValue] = []
    state = 0
    for ply, text in enumerate(texts):
        if ply:
            joint = went.joints[ply - 1]
            state = next(to for made, to in solution.space.moves(state) if made == joint)
        moments.append(PlyValue(ply, text, state_values(solution, state)))
    return TimelineView(session.key, tuple(moments))


@dataclass(frozen=True, slots=True)
class WhyView:
    """What a move gives up: its worth, that of the best, and a line that shows it."""

    game: str
    role: str
    move: str
    is_best: bool
    worth: RoleValue
    best: RoleValue
    best_moves: tuple[str, ...]
    refutation: str
    refutation_moves: tuple[str, ...]
    verdict: str


def why_view(session: Session, went: PlayedLine, number: int, role: Role | None = None) -> WhyView:
    """Tell why a move is right or wrong, by the number of a joint move in the position.

    Where several roles choose at once, `role` says whose move is meant.
    """
    solution = session.need_solution()
    state = session.state_of(went)
    after = session.walk(write_line([*went.numbers, number]))
    joint = after.joints[-1]
    game = session.game
    worths = move_values(solution, state)
    if role is None:
        role = next(iter(worths))[0]
    game.check_role(role)
    index = game.roles.index(role)
    mine = {move: worth for (who, move), worth in worths.items() if who == role}
    if joint[index] not in mine:
        raise InputError(f"{role} does not choose here", hint="ask for the role that is to move")
    worth = mine[joint[index]]
    best = max(mine.values(), key=lambda w: w.rank)
    best_moves = [move for move, w in mine.items() if w.rank == best.rank]
    numbers = [*after.numbers]
    here = after.state
    for played in _best_line(solution, session.state_of(after)):
        numbers.append(joint_number(here, played))
        here = here.step(played)
    whole = session.walk(write_line(numbers))
    return WhyView(
        game=session.key,
        role=role,
        move=game.write(joint[index]),
        is_best=worth.goal >= best.goal,
        worth=worth,
        best=best,
        best_moves=tuple(map(game.write, best_moves)),
        refutation=write_line(numbers),
        refutation_moves=tuple(played_texts(session, whole)[len(went.numbers) :]),
        verdict=_verdict(worth, best, role),
    )


def _best_line(solution: AnySolution, state: StateId) -> list[tuple[Move, ...]]:
    """Give one line of best play; of mixed moves the most frequent."""
    if isinstance(solution, Solution):
        return solution.principal_variation(state)
    line: list[tuple[Move, ...]] = []
    while not solution.space.terminal[state] and len(line) < _LONGEST:
        moves = solution.space.moves(state)
        if not moves:
            break
        joint, state = max(moves, key=lambda made: _likeness(solution, state, *made))
        line.append(joint)
    return line


def _likeness(
    solution: MaxnSolution | MixedSolution, state: StateId, joint: tuple[Move, ...], to: StateId
) -> float:
    """Say how likely a joint move is in best play; larger is likelier."""
    turn = int(solution.space.turn[state])
    if turn >= 0:
        role = solution.space.game.roles[turn]
        return float(solution.bounds(to)[role][0])
    if isinstance(solution, MixedSolution):
        ours, theirs = solution.mixes(state)
        return ours.get(joint[0], 0.0) * theirs.get(joint[1], 0.0)
    return 0.0


def _verdict(worth: RoleValue, best: RoleValue, role: str) -> str:
    if worth.share is not None:
        often = f"{worth.share:.0%} of the time" if worth.share else "never"
        brings = f"Against best play it brings {role} {number_text(worth.goal)} on average"
        most = "" if worth.goal >= best.goal else f", where {number_text(best.goal)} is possible"
        return f"{brings}{most}. Whoever mixes best plays it {often}."
    if worth.kind != "exact":
        if worth.goal < best.goal:
            return f"It leaves {role} {worth.label} where {best.label} is sure."
        return "It is as good as any move."
    if worth.goal < best.goal:
        told = {"win": "a win", "draw": _even(best), "loss": "less of a loss"}[best.outcome]
        left = {"win": "a smaller win", "draw": _even(worth), "loss": "a loss"}[worth.outcome]
        return f"It gives up {told} and leaves {left}: {role} gets {worth.goal}, not {best.goal}."
    if worth.outcome == "win" and (worth.plies or 0) > (best.plies or 0):
        return f"It still wins, in {worth.plies} plies where {best.plies} are enough."
    if worth.outcome == "loss" and (worth.plies or 0) < (best.plies or 0):
        return f"Everything loses; this in {worth.plies} plies, others hold out for {best.plies}."
    return "It is as good as any move."


def _even(worth: RoleValue) -> str:
    """Name what is worth the same to both: a draw, or play without an end."""
    if worth.plies is None:
        return "play without an end"
    return "a draw" if worth.label == "D" else "the same for both"


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint: how many moves are best, then where one begins, then the move."""

    step: int
    text: str
    cells: tuple[str, ...]
    number: int | None


def hint_view(session: Session, went: PlayedLine, step: int) -> HintView:
    """Give away a little at a time: 1 how many moves are best, 2 where, 3 which."""
    solution = session.need_solution()
    state = went.state
    if state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    worths = move_values(solution, session.state_of(went))
    role = next(iter(worths))[0]
    mine = {move: worth for (who, move), worth in worths.items() if who == role}
    best = max(mine.values(), key=lambda w: w.rank)
    moves = [move for move, w in mine.items() if w.rank == best.rank]
    move = moves[0]
    gesture = session.layout.gesture(move)
    cells = tuple(f"{ref.board}.{ref.cell}" for ref in gesture.cells)
    many = f"{len(moves)} of {len(mine)} moves {'are' if len(moves) > 1 else 'is'} best"
    if step <= 1:
        return HintView(1, f"{many}: {best.label}.", (), None)
    if step == 2:
        where = "Look at the marked cell." if cells else f"It is called {move.name}."
        return HintView(2, f"{many}. {where}", cells[:1] if len(cells) < 4 else cells, None)
    number = state.legal(role).index(move)
    return HintView(3, f"Play {session.game.write(move)}.", cells, number)
