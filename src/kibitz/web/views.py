"""What the page shows of games and positions: one frozen dataclass for each view."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.engine import Move, Role
from kibitz.errors import Diagnostic, InputError, Severity
from kibitz.games import catalogue
from kibitz.gdl import diagnose
from kibitz.render import CellRef, Layout, Mark, mark_move, svg_board, view_of
from kibitz.web.jobs import JobView
from kibitz.web.lines import Walk, joint_number, write_line
from kibitz.web.sessions import MOST_RULES, Session
from kibitz.web.worth import Worth, alike, moves_worth, state_worth

__all__ = [
    "CatalogueView",
    "CheckView",
    "GameView",
    "HintView",
    "PositionView",
    "TimelineView",
    "WhyView",
    "catalogue_view",
    "check_view",
    "game_view",
    "hint_view",
    "position_view",
    "timeline_view",
    "why_view",
]

MOST_DRAWN_VALUES = 80
"""Beyond so many moves their values are listed and not drawn on the board."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game of the library."""

    name: str
    parameters: str
    summary: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogueView:
    """The games that can be opened by name."""

    games: tuple[CatalogueEntry, ...]


def catalogue_view() -> CatalogueView:
    """List the games of the library."""
    return CatalogueView(
        tuple(CatalogueEntry(e.name, e.parameters, e.summary, e.examples) for e in catalogue())
    )


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that is open. `cells` has, for each cell, the fluents that may be shown there."""

    id: str
    name: str
    roles: tuple[str, ...]
    rules: str
    cells: dict[str, tuple[str, ...]]
    solving: JobView | None


def game_view(session: Session) -> GameView:
    """Describe a game."""
    game, layout = session.game, session.layout
    cells: dict[str, list[str]] = {}
    network = getattr(game, "network", None)
    if network is not None:
        for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
            place = layout.place(fluent)
            if place and place.cell:
                key = f"{place.cell.board}.{place.cell.cell}"
                cells.setdefault(key, []).append(game.write(fluent))
    return GameView(
        session.key,
        session.name,
        tuple(game.roles),
        session.text,
        {key: tuple(sorted(fluents)) for key, fluents in cells.items()},
        session.job.view() if session.job else None,
    )


@dataclass(frozen=True, slots=True)
class MoveView:
    """A legal move of a role: its number among the role's, how it is made, and what it is worth.

    Moves of one `group` mirror one another.
    """

    role: str
    number: int
    text: str
    kind: str
    cells: tuple[str, ...]
    value: str
    worth: Worth | None
    group: int


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position: its board, its fluents and moves. `chooses` are the roles with a choice."""

    game: str
    line: str
    ply: int
    svg: str
    state: tuple[str, ...]
    turns: tuple[str, ...]
    roles: tuple[str, ...]
    chooses: tuple[str, ...]
    counts: tuple[int, ...]
    moves: tuple[MoveView, ...]
    played: tuple[str, ...]
    is_terminal: bool
    goals: dict[str, int | None]
    worth: dict[str, Worth]


def position_view(
    session: Session,
    went: Walk,
    *,
    flip: bool = False,
    values: bool = False,
    worths: bool = True,
) -> PositionView:
    """Describe the position at the end of a line; with `values` they are drawn on its board."""
    game, state = session.game, went.state
    layout = session.flipped if flip else session.layout
    solution = session.solution
    worth: dict[tuple[Role, Move], Worth] = {}
    whole: dict[Role, Worth] = {}
    if solution is not None and worths:
        number = session.state_of(went)
        whole = state_worth(solution, number)
        worth = {} if state.is_terminal else moves_worth(solution, number)
    moves: list[MoveView] = []
    counts: list[int] = []
    for role in game.roles:
        legal = () if state.is_terminal else state.legal(role)
        counts.append(len(legal))
        groups = alike(state, role, session.carriers) if legal else []
        for n, move in enumerate(legal):
            gesture = layout.gesture(move)
            cells = tuple(f"{ref.board}.{ref.cell}" for ref in gesture.cells)
            moves.append(
                MoveView(
                    role,
                    n,
                    game.write(move),
                    gesture.kind,
                    cells,
                    gesture.value,
                    worth.get((role, move)),
                    groups[n],
                )
            )
    marks = _last_marks(session, layout, went)
    drawn = _drawn(layout, worth) if values else {}
    shown = view_of(state, layout)
    return PositionView(
        game=session.key,
        line=write_line(went.numbers),
        ply=len(went.numbers),
        svg=svg_board(state, layout, marks=marks, values=drawn),
        state=shown.state,
        turns=shown.turns,
        roles=tuple(game.roles),
        chooses=tuple(r for r, n in zip(game.roles, counts, strict=True) if n > 1),
        counts=tuple(counts),
        moves=tuple(moves),
        played=tuple(played_texts(session, went)),
        is_terminal=state.is_terminal,
        goals=state.goals,
        worth=whole,
    )


def _last_marks(session: Session, layout: Layout, went: Walk) -> list[Mark]:
    """Mark where the last moves were made; of a whole column, the cells that changed."""
    marks: list[Mark] = []
    if not went.joints:
        return marks
    before = went.states[-2]
    places = map(layout.place, {*before.fluents} ^ {*went.state.fluents})
    changed = {place.cell for place in places if place}
    for role, move in zip(session.game.roles, went.joints[-1], strict=True):
        if len(before.legal(role)) > 1 and layout.gesture(move).kind != "button":
            mark = mark_move(layout, move)
            few = tuple(cell for cell in mark.cells if cell in changed)
            marks.append(replace(mark, cells=few) if few and len(mark.cells) > 2 else mark)
    return marks


def _drawn(layout: Layout, worth: dict[tuple[Role, Move], Worth]) -> dict[Move, str]:
    """Choose the values to draw: of moves that are made at one place, the best."""
    best: dict[tuple[CellRef, ...], tuple[Move, Worth]] = {}
    for (_, move), found in worth.items():
        gesture = layout.gesture(move)
        if gesture.kind == "button":
            continue
        if gesture.cells not in best or found.rank > best[gesture.cells][1].rank:
            best[gesture.cells] = move, found
    if len(best) > MOST_DRAWN_VALUES:
        return {}
    return {move: found.label for move, found in best.values()}


def played_texts(session: Session, went: Walk) -> list[str]:
    """Write the moves of a line, leaving out those of roles that had no choice."""
    write = session.game.write
    texts: list[str] = []
    for state, joint in zip(went.states, went.joints, strict=False):
        pairs = list(zip(session.game.roles, joint, strict=True))
        made = [write(move) for role, move in pairs if len(state.legal(role)) > 1]
        made = made or [write(move) for _, move in pairs if move.args] or [write(joint[0])]
        texts.append(" / ".join(made))
    return texts


@dataclass(frozen=True, slots=True)
class Moment:
    """What the position after so many plies is worth to each role."""

    ply: int
    played: str
    worth: dict[str, Worth]


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The value of a match, from its start to the end of a line."""

    game: str
    moments: tuple[Moment, ...]


def timeline_view(session: Session, went: Walk) -> TimelineView:
    """Tell what every position of a line is worth."""
    solution = session.need_solution()
    texts = ["", *played_texts(session, went)]
    moments: list[Moment] = []
    state = 0
    for ply, text in enumerate(texts):
        if ply:
            joint = went.joints[ply - 1]
            state = next(to for made, to in solution.space.moves(state) if made == joint)
        moments.append(Moment(ply, text, state_worth(solution, state)))
    return TimelineView(session.key, tuple(moments))


@dataclass(frozen=True, slots=True)
class WhyView:
    """What a move gives up: its worth, that of the best, and a line that shows it."""

    game: str
    role: str
    move: str
    is_best: bool
    worth: Worth
    best: Worth
    best_moves: tuple[str, ...]
    refutation: str
    refutation_moves: tuple[str, ...]
    verdict: str


def why_view(session: Session, went: Walk, number: int) -> WhyView:
    """Tell why a joint move is right or wrong, by its number in the position."""
    solution = session.need_solution()
    state = session.state_of(went)
    after = session.walk(write_line([*went.numbers, number]))
    joint = after.joints[-1]
    space, game = solution.space, session.game
    turn = max(0, int(space.turn[state]))
    role = game.roles[turn]
    worths = moves_worth(solution, state)
    worth = worths[role, joint[turn]]
    best = max(worths.values(), key=lambda w: w.rank)
    best_moves = [move for (_, move), w in worths.items() if w.rank == best.rank]
    numbers = [*after.numbers]
    here = after.state
    for played in solution.principal_variation(session.state_of(after)):
        numbers.append(joint_number(here, played))
        here = here.step(played)
    whole = session.walk(write_line(numbers))
    keeps = worth.goal == best.goal
    return WhyView(
        game=session.key,
        role=role,
        move=game.write(joint[turn]),
        is_best=keeps,
        worth=worth,
        best=best,
        best_moves=tuple(map(game.write, best_moves)),
        refutation=write_line(numbers),
        refutation_moves=tuple(played_texts(session, whole)[len(went.numbers) :]),
        verdict=_verdict(worth, best, role),
    )


def _verdict(worth: Worth, best: Worth, role: str) -> str:
    if worth.goal < best.goal:
        told = {"win": "a win", "draw": "a draw", "loss": "less of a loss"}[best.outcome]
        left = {"win": "a smaller win", "draw": "a draw", "loss": "a loss"}[worth.outcome]
        return f"It gives up {told} and leaves {left}: {role} gets {worth.goal}, not {best.goal}."
    if worth.outcome == "win" and (worth.plies or 0) > (best.plies or 0):
        return f"It still wins, in {worth.plies} plies where {best.plies} are enough."
    if worth.outcome == "loss" and (worth.plies or 0) < (best.plies or 0):
        return f"Everything loses; this in {worth.plies} plies, others hold out for {best.plies}."
    return "It is as good as any move."


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint: how many moves are best, then where one begins, then the move."""

    step: int
    text: str
    cells: tuple[str, ...]
    number: int | None


def hint_view(session: Session, went: Walk, step: int) -> HintView:
    """Give away a little at a time: 1 how many moves are best, 2 where, 3 which."""
    solution = session.need_solution()
    state = went.state
    if state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    worths = moves_worth(solution, session.state_of(went))
    best = max(worths.values(), key=lambda w: w.rank)
    moves = [(role, move) for (role, move), w in worths.items() if w.rank == best.rank]
    role, move = moves[0]
    gesture = session.layout.gesture(move)
    cells = tuple(f"{ref.board}.{ref.cell}" for ref in gesture.cells)
    many = f"{len(moves)} of {len(worths)} moves {'are' if len(moves) > 1 else 'is'} best"
    if step <= 1:
        return HintView(1, f"{many}: {best.label}.", (), None)
    if step == 2:
        where = "Look at the marked cell." if cells else f"It is called {move.name}."
        return HintView(2, f"{many}. {where}", cells[:1] if len(cells) < 4 else cells, None)
    number = state.legal(role).index(move)
    return HintView(3, f"Play {session.game.write(move)}.", cells, number)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a rule sheet, with its place; lines and columns count from 1."""

    code: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    hint: str


@dataclass(frozen=True, slots=True)
class CheckView:
    """What the checks find in a rule sheet."""

    is_valid: bool
    findings: tuple[Finding, ...]
    left_out: int


MOST_FINDINGS = 100


def check_view(text: str) -> CheckView:
    """Check a rule sheet, without making a game of it.

    >>> check_view("(role").findings[0].line
    1
    """
    if len(text) > MOST_RULES:
        raise InputError(f"a rule sheet has {MOST_RULES:,} characters at most here")
    sheet, diagnostics = diagnose(text, name="rules")

    def finding(d: Diagnostic) -> Finding:
        line, column = sheet.source.position(d.place.start)
        end_line, end_column = sheet.source.position(d.place.end)
        return Finding(
            d.code, d.severity.value, d.message, line, column, end_line, end_column, d.hint
        )

    return CheckView(
        not any(d.severity is Severity.ERROR for d in diagnostics),
        tuple(map(finding, diagnostics[:MOST_FINDINGS])),
        max(0, len(diagnostics) - MOST_FINDINGS),
    )
