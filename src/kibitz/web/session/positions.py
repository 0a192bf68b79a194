"""What the page shows of a position: its board, its moves, and their values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.board import (
    CellRef,
    Layout,
    Mark,
    Style,
    mark_move,
    picture_of_board,
    picture_of_caption,
    to_svg,
    view_of,
)
from kibitz.engine import Move, Role
from kibitz.solve import RoleValue, move_values, state_values
from kibitz.strategy import group_moves
from kibitz.web.session.analyses import values_of
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.sessions import Session
from kibitz.wording import end_text

__all__ = ["PositionView", "played_texts", "position_view"]

MOST_DRAWN_VALUES = 80
"""The values of more moves than this are listed and not drawn on the board."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A legal move of a role: its number among the role's, how it is made, and its value.

    Moves of one `group` mirror one another.
    """

    role: str
    number: int
    text: str
    kind: str
    cells: tuple[str, ...]
    value: str
    worth: RoleValue | None
    group: int


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position: its board, its fluents and moves. `chooses` are the roles with a choice.

    `svg` has the boards, and `caption` what stands beside them; either may be empty. `result` says
    what the goals mean where play has ended.
    """

    game: str
    line: str
    ply: int
    svg: str
    caption: str
    state: tuple[str, ...]
    turns: tuple[str, ...]
    roles: tuple[str, ...]
    chooses: tuple[str, ...]
    counts: tuple[int, ...]
    moves: tuple[MoveView, ...]
    played: tuple[str, ...]
    is_terminal: bool
    goals: dict[str, int | None]
    result: str
    worth: dict[str, RoleValue]


def position_view(
    session: Session,
    went: PlayedLine,
    *,
    flip: bool = False,
    values: bool = False,
    worths: bool = True,
) -> PositionView:
    """Describe the position at the end of a line; with `values` they are drawn on its board."""
    game, state = session.game, went.state
    layout = session.flipped if flip else session.layout
    solution = session.solution
    worth: dict[tuple[Role, Move], RoleValue] = {}
    whole: dict[Role, RoleValue] = {}
    if solution is not None and worths:
        number = session.state_of(went)
        whole = state_values(solution, number)
        worth = {} if state.is_terminal else move_values(solution, number)
    elif worths:
        worth = values_of(session, went)
    moves: list[MoveView] = []
    counts: list[int] = []
    for role in game.roles:
        legal = () if state.is_terminal else state.legal(role)
        counts.append(len(legal))
        groups = group_moves(state, role, session.carriers) if legal else []
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
    marks += _value_marks(layout, worth) if values else []
    shown = view_of(state, layout)
    boards = picture_of_board(state, layout, marks=marks)
    caption = picture_of_caption(state, layout)
    return PositionView(
        game=session.key,
        line=write_line(went.numbers),
        ply=len(went.numbers),
        svg=to_svg(boards) if boards else "",
        caption=to_svg(caption) if caption else "",
        state=shown.state,
        turns=shown.turns,
        roles=tuple(game.roles),
        chooses=tuple(r for r, n in zip(game.roles, counts, strict=True) if n > 1),
        counts=tuple(counts),
        moves=tuple(moves),
        played=tuple(played_texts(session, went)),
        is_terminal=state.is_terminal,
        goals=state.goals,
        result=end_text(state.goals) if state.is_terminal else "",
        worth=whole,
    )


def _last_marks(session: Session, layout: Layout, went: PlayedLine) -> list[Mark]:
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


def _value_marks(layout: Layout, worth: dict[tuple[Role, Move], RoleValue]) -> list[Mark]:
    """Mark moves by their values: of those that are made at one place, the best.

    Where several choose at once, only the first one's moves are marked.
    """
    best: dict[tuple[CellRef, ...], tuple[Move, RoleValue]] = {}
    first = next(iter(worth), ("",))[0]
    for (role, move), found in worth.items():
        gesture = layout.gesture(move)
        if gesture.kind == "button" or role != first:
            continue
        if gesture.cells not in best or found.rank > best[gesture.cells][1].rank:
            best[gesture.cells] = move, found
    if len(best) > MOST_DRAWN_VALUES:
        return []
    most = max((found.goal for _, found in best.values()), default=0)
    return [
        mark_move(layout, move, _style(found, most), text=found.label)
        for move, found in best.values()
    ]


def _style(worth: RoleValue, most: float) -> Style:
    """Choose a colour: by the outcome, or by whether a move is best; what is open has its own."""
    if worth.kind in ("estimate", "bounds"):
        return "move"
    if worth.kind != "exact":
        return "good" if worth.goal >= most else "bad"
    styles: dict[str, Style] = {"win": "good", "draw": "even", "loss": "bad"}
    return styles[worth.outcome]


def played_texts(session: Session, went: PlayedLine) -> list[str]:
    """Write the moves of a line, leaving out those of roles that had no choice."""
    write = session.game.write
    texts: list[str] = []
    for state, joint in zip(went.states, went.joints, strict=False):
        pairs = list(zip(session.game.roles, joint, strict=True))
        made = [write(move) for role, move in pairs if len(state.legal(role)) > 1]
        made = made or [write(move) for _, move in pairs if move.args] or [write(joint[0])]
        texts.append(" / ".join(made))
    return texts
