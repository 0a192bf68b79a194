"""Show a position: its board, its moves and their values."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kibitz.board import (
    CellRef,
    Layout,
    Mark,
    Style,
    decisive_cells,
    mark_move,
    picture_of_board,
    picture_of_caption,
    to_svg,
    view_of,
)
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.english import say_move, scene_of
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.prove import Analysis
from kibitz.solve import RoleValue, move_values, state_values
from kibitz.strategy import group_moves
from kibitz.web.server.jobs import MEMORY, Job
from kibitz.web.session.lines import PlayedLine, write_line
from kibitz.web.session.opponents import estimate_view
from kibitz.web.session.sessions import Session
from kibitz.wording import counted, end_text, result_text, side_name, side_names

_SHOW_S = 0.2
"""How often a page hears how far the search has come, if nothing else is new."""
_MOST_KEPT = 64
_DEEPER_S = (3, 7, 15, 30)
"""When open moves are estimated anew, in seconds since it began; each time a second longer."""


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move, its value as far as it is proved, and in words; and how much was searched for it."""

    role: str
    number: int
    move: str
    worth: RoleValue
    is_proved: bool
    text: str
    positions: int


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """Values proved so far for a position and its moves; `text` states that of the position.

    `note` says why more search would decide nothing, where that is so. `playouts` are the matches
    behind the estimates of open moves, once those were deepened.
    """

    game: str
    line: str
    role: str
    text: str
    worth: RoleValue
    moves: tuple[AnalysedMove, ...]
    proved: int
    positions: int
    seconds: float
    is_complete: bool
    note: str
    playouts: int


def analysis_job(session: Session, went: PlayedLine) -> Callable[[Job], AnalysisView]:
    """Return the work of a job that proves the moves of a position, until all are or time is up."""
    if went.state.is_terminal:
        raise InputError("play has ended here", hint="go back a move")
    if session.solution is not None:
        raise InputError(f"{session.name} is solved", hint="the position has the values")

    def work(job: Job) -> AnalysisView:
        with session.analysing():
            analyser = session.analyser
        steps = analyser.analyse(went.state, seconds=session.allowance.analysis.seconds)
        shown, begun = 0.0, time.monotonic()
        seen: tuple[object, ...] = ()
        view: AnalysisView | None = None
        deeper, playouts = list(_DEEPER_S), 0
        while True:
            with session.analysing():
                known = next(steps, None)
            if known is None:
                assert view is not None
                job.show(view)
                return view
            if deeper and time.monotonic() > begun + deeper[0]:
                del deeper[0]
                longer = float(1 + len(_DEEPER_S) - len(deeper))
                if write_line(went.numbers) in session.estimates:
                    with suppress(BudgetExceededError):  # others are at work
                        playouts = estimate_view(session, went, seconds=longer).playouts
                        seen = ()  # to be shown
            view = _view(session, went, known, playouts)
            bounds = tuple(one.bounds for one in known.moves)
            if bounds != seen:
                session.remember(session.analyses, view.line, _kept(known), most=_MOST_KEPT)
            if bounds != seen or time.monotonic() > shown + _SHOW_S:
                shown, seen = time.monotonic(), bounds
                job.show(view)
            job.check()
            MEMORY.check()

    return work


def values_of(session: Session, went: PlayedLine) -> dict[tuple[Role, Move], RoleValue]:
    """Return what is known of the moves of a position: proved, or else estimated, or bounds."""
    line = write_line(went.numbers)
    found = dict(session.estimates.get(line, {}))
    for key, value in session.analyses.get(line, {}).items():
        known = found.get(key)
        if known is not None and (value.kind == "bounds" or known.plies is not None):
            continue  # an estimate says more than bounds, and a proof of a short search has plies
        found[key] = value
    return found


def _kept(known: Analysis) -> dict[tuple[Role, Move], RoleValue]:
    return {(known.mover, one.move): known.move_value(one) for one in known.moves}


def _view(session: Session, went: PlayedLine, known: Analysis, playouts: int) -> AnalysisView:
    write, legal = session.game.write, went.state.legal(known.mover)
    moves = []
    for one in known.moves:
        value = known.move_value(one)
        searched = f"{value.text}, {counted(one.positions, 'position')} searched"
        moves.append(
            AnalysedMove(
                known.mover,
                legal.index(one.move),
                write(one.move),
                value,
                one.is_proved,
                value.text if one.is_proved else searched,
                one.positions,
            )
        )
    return AnalysisView(
        game=session.key,
        line=write_line(went.numbers),
        role=known.mover,
        text=_text(known),
        worth=known.value,
        moves=tuple(moves),
        proved=known.proved,
        positions=known.positions,
        seconds=round(known.seconds, 1),
        is_complete=known.is_complete,
        note=known.why_open,
        playouts=playouts,
    )


def _text(known: Analysis) -> str:
    """Say what is proved of the position."""
    if all(low == high for low, high in known.bounds.values()):
        goals = {role: low for role, (low, _) in known.bounds.items()}
        result = result_text(goals, side_names(list(goals)))
        return f"Proved: with best play {result}."
    if known.bounds == known.whole:
        return "The value is not decided yet."
    return f"Proved so far: {side_name(known.mover)} gets {known.value.text}."


_MOST_WORDS = 300
_MOST_GATES = 30_000
"""Moves in one position, and gates of a game, up to which moves are put into words."""
MOST_DRAWN_VALUES = 80
"""The values of more moves than this are listed and not drawn on the board."""
MOST_ARROWS = 24
"""Where more moves go from place to place, one arrow is drawn for each piece."""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A legal move of a role: its number among the role's, how it is made, and its value.

    `words` says it in English; it is the text where there are no words that name it alone.

    Moves of one `group` mirror one another.
    """

    role: str
    number: int
    text: str
    words: str
    kind: str
    cells: tuple[str, ...]
    value: str
    worth: RoleValue | None
    group: int


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position: its board, its fluents and moves. `chooses` are the roles with a choice.

    `svg` has the boards, and `caption` what stands beside them; either may be empty. `result` says
    what the goals mean where play has ended, and `decides` names the cells that make the win.
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
    played_words: tuple[str, ...]
    is_terminal: bool
    goals: dict[str, int | None]
    result: str
    decides: tuple[str, ...]
    worth: dict[str, RoleValue]


def position_view(
    session: Session,
    went: PlayedLine,
    *,
    flip: bool = False,
    values: bool = False,
    worths: bool = True,
    last: bool = True,
) -> PositionView:
    """Describe the position at the end of a line; with `values` they are drawn on its board.

    With `last` the last move is marked there.
    """
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
        words = move_words(session, role, legal)
        for n, move in enumerate(legal):
            gesture = layout.gesture(move)
            cells = tuple(f"{ref.board}.{ref.cell}" for ref in gesture.cells)
            moves.append(
                MoveView(
                    role,
                    n,
                    game.write(move),
                    words[n],
                    gesture.kind,
                    cells,
                    gesture.value,
                    worth.get((role, move)),
                    groups[n],
                )
            )
    marks = _last_marks(session, layout, went) if last else []
    marks += _value_marks(layout, worth) if values else []
    shown = view_of(state, layout)
    boards = picture_of_board(state, layout, marks=marks)
    caption = picture_of_caption(state, layout, turns=not state.is_terminal)
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
        played_words=tuple(played_texts(session, went, in_words=True)),
        is_terminal=state.is_terminal,
        goals=state.goals,
        result=end_text(state.goals, side_names(game.roles)) if state.is_terminal else "",
        decides=tuple(f"{ref.board}.{ref.cell}" for ref in decisive_cells(state, layout)),
        worth=whole,
    )


def _last_marks(session: Session, layout: Layout, went: PlayedLine) -> list[Mark]:
    """Mark where the last moves were made."""
    marks: list[Mark] = []
    if not went.joints:
        return marks
    before = went.states[-2]
    for role, move in zip(session.game.roles, went.joints[-1], strict=True):
        if len(before.legal(role)) > 1 and layout.gesture(move).kind != "button":
            marks.append(mark_made(layout, move, before, went.state))
    return marks


def mark_made(layout: Layout, move: Move, before: State, after: State) -> Mark:
    """Mark where a move was made; of a whole column, the cells that changed."""
    mark = mark_move(layout, move)
    places = map(layout.place, {*before.fluents} ^ {*after.fluents})
    changed = {place.cell for place in places if place}
    few = tuple(cell for cell in mark.cells if cell in changed)
    return replace(mark, cells=few) if few and len(mark.cells) > 2 else mark


def _value_marks(layout: Layout, worth: dict[tuple[Role, Move], RoleValue]) -> list[Mark]:
    """Mark moves by their values: of those that are made at one place, the best.

    Of many arrows only the best of each piece is drawn, for others would cover one another. Where
    several choose at once, only the first one's moves are marked.
    """
    first = next(iter(worth), ("",))[0]
    made = [
        (layout.gesture(move), move, found)
        for (role, move), found in worth.items()
        if role == first
    ]
    are_many = sum(gesture.kind == "drag" for gesture, _, _ in made) > MOST_ARROWS
    best: dict[tuple[CellRef, ...], tuple[Move, RoleValue]] = {}
    for gesture, move, found in made:
        if gesture.kind == "button":
            continue
        where = gesture.cells[:1] if are_many and gesture.kind == "drag" else gesture.cells
        if where not in best or found.rank > best[where][1].rank:
            best[where] = move, found
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


def played_texts(session: Session, went: PlayedLine, *, in_words: bool = False) -> list[str]:
    """Write the moves of a line, leaving out those of roles that had no choice."""

    def write(state: State, role: Role, move: Move) -> str:
        if not in_words:
            return session.game.write(move)
        legal = state.legal(role)
        return move_words(session, role, legal)[legal.index(move)]

    texts: list[str] = []
    for state, joint in zip(went.states, went.joints, strict=False):
        pairs = list(zip(session.game.roles, joint, strict=True))
        made = [write(state, role, move) for role, move in pairs if len(state.legal(role)) > 1]
        made = made or [write(state, role, move) for role, move in pairs if move.args]
        texts.append(" / ".join(made or [write(state, *pairs[0])]))
    return texts


def _bare(term: str) -> str:
    """Return a term without the parentheses around it."""
    return term[1:-1] if term.startswith("(") and term.endswith(")") else term


def move_words(session: Session, role: Role, legal: Sequence[Move]) -> list[str]:
    """Write legal moves of a role in English, or as terms where no words name one alone.

    Such a term is without the parentheses around it. In large games only what goes from cell to
    cell is in words.
    """
    game = session.game
    texts = [_bare(game.write(move)) for move in legal]
    if not 0 < len(legal) <= _MOST_WORDS:
        return texts
    if not isinstance(game, CompiledGame) or len(game.network.gates) > _MOST_GATES:
        found = [_from_to(session, move, text) for move, text in zip(legal, texts, strict=True)]
    else:
        words = session.words
        for move in legal:
            if (role, move) not in words:
                try:
                    word, term = say_move(scene_of(game, role), move), game.write(move)
                    words[role, move] = _bare(term) if word == f"play {term}" else word
                except KibitzError:
                    words[role, move] = _bare(game.write(move))
        found = [words[role, move] for move in legal]
    seen = Counter(found)
    return [
        text if seen[word] > 1 or "«" in word else word
        for word, text in zip(found, texts, strict=True)
    ]


def _from_to(session: Session, move: Move, text: str) -> str:
    """Write a move of a piece by the cells between which it goes, and any other as its text."""
    gesture = session.layout.gesture(move)
    if gesture.kind != "drag":
        return text
    ends = [session.layout.boards[ref.board].cells[ref.cell] for ref in gesture.cells]
    verb = text.partition(" ")[0]
    return f"{verb} from {', '.join(ends[0].key)} to {', '.join(ends[-1].key)}"
