"""Judge a move: what it gives up, and why.

=================== ================================================================================
cause               holds if
=================== ================================================================================
loses at once       the move ends play, and the other role wins
lets them win       after the move the other role can win at once
misses a win        the role can win at once, and does not with this move
double threat       after the move the other role can make one after which every answer lets it win
                    at once, and no one move wins after all answers
unanswered threat   the same, and one move wins after all answers
misses its threat   the role can make such a move itself, and this is none
=================== ================================================================================

Roles take turns, and what is won is a goal of 100. Nothing is said where that is not so, or where
more positions than a few thousand would have to be looked at.

The state is a solved one, or one of a game too large for that, whose moves a search can prove.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from kibitz.board import Layout
from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.prove import Analyser, mover_of, value_of
from kibitz.solve import Listed, RoleValue, move_values
from kibitz.space import StateId
from kibitz.wording import number_text, side_name

_MOST = 4_000
_WON = 100


class _TooManyError(Exception):
    """There are more positions than are looked at."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a move gives something up, and the move of whoever profits that shows it."""

    kind: str
    by: Role
    move: Move


def cause_of(state: State, role: Role, move: Move) -> Cause | None:
    """Find why a move of the role that chooses is not best, or None where that is deeper.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> state = CompiledGame(load_sheet("tictactoe")).initial()
    >>> for text in ("(mark 1 1)", "(mark 2 2)", "(mark 2 1)", "(mark 3 1)", "(mark 3 2)"):
    ...     state = state.play(text)
    >>> found = cause_of(state, "oplayer", state.legal("oplayer")[0])
    >>> found.kind, found.by, str(found.move)
    ('misses a win', 'oplayer', '(mark 1 3)')
    """
    roles = state.game.roles
    if len(roles) != 2 or role not in roles:
        return None
    look = _Look()
    other = next(one for one in roles if one != role)
    try:
        mine = look.steps(state, role)
        then = mine.get(move)
        if then is not None and _is_won(then, other):
            return Cause("loses at once", role, move)
        if then is None or then.is_terminal:
            return None
        wins = [one for one, after in mine.items() if _is_won(after, role)]
        if wins:
            return Cause("misses a win", role, wins[0])
        theirs = look.steps(then, other)
        for reply, after in theirs.items():
            if _is_won(after, other):
                return Cause("lets them win", other, reply)
        for reply, after in theirs.items():
            if kind := look.threat(after, other, role):
                return Cause(kind, other, reply)
        if not look.threat(then, role, other):
            for one, after in mine.items():
                if look.threat(after, role, other):
                    return Cause("misses its threat", role, one)
    except _TooManyError:
        return None
    return None


def cause_text(cause: Cause, words: Callable[[Move], str]) -> str:
    """Put a cause into words; `words` names a move."""
    by, move = side_name(cause.by), words(cause.move)
    return {
        "loses at once": f"It ends play at once, and {by} loses.",
        "lets them win": f"It lets {by} win at once: {move}.",
        "misses a win": f"It misses a win at once: {move}.",
        "double threat": f"It lets {by} make a double threat: {move}.",
        "unanswered threat": f"It lets {by} make a threat that nothing parries: {move}.",
        "misses its threat": f"It misses a threat that nothing parries: {move}.",
    }[cause.kind]


class _Look:
    """Looks at what follows positions, as long as these are few."""

    def __init__(self) -> None:
        self.left = _MOST

    def steps(self, state: State, role: Role) -> dict[Move, State]:
        """Return what each move of a role leads to; nothing where another role has a choice."""
        roles = state.game.roles
        if state.is_terminal or any(len(state.legal(one)) > 1 for one in roles if one != role):
            return {}
        index = roles.index(role)
        joints = list(product(*(state.legal(one) for one in roles)))
        self.left -= len(joints)
        if self.left < 0:
            raise _TooManyError
        return {joint[index]: state.step(joint) for joint in joints}

    def threat(self, state: State, role: Role, other: Role) -> str:
        """Say which threat the role has just made, if every answer lets it win at once."""
        answers = self.steps(state, other)
        if not answers:
            return ""
        common: set[Move] | None = None
        for after in answers.values():
            wins = {m for m, won in self.steps(after, role).items() if _is_won(won, role)}
            if not wins:
                return ""
            common = wins if common is None else common & wins
        return "unanswered threat" if common else "double threat"


def _is_won(state: State, role: Role) -> bool:
    return state.is_terminal and state.goals[role] == _WON


@dataclass(frozen=True, slots=True)
class MoveJudgement:
    """The value of a move and the best moves, with a line of best play after the move.

    `keeps_value` says whether the move keeps the value, None where a search left that open.
    """

    role: Role
    keeps_value: bool | None
    value: RoleValue
    best: RoleValue
    best_moves: tuple[Move, ...]
    line: tuple[tuple[Move, ...], ...]
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: how many moves are best, then where one begins, then the move and its number."""

    step: int
    text: str
    cells: tuple[str, ...]
    number: int | None


def judge_move(
    solution: Listed, state: StateId, joint: tuple[Move, ...], role: Role | None = None
) -> MoveJudgement:
    """Describe why a role's move is optimal or not; by default of the first role that chooses.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> solution = solve_any(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> joint, _ = solution.space.moves(0)[0]
    >>> judge_move(solution, 0, joint).text
    'It gives up a win and leaves a loss: Player 1 gets 0, not 100.'
    """
    game = solution.space.game
    values = move_values(solution, state)
    if role is None:
        role = next(iter(values))[0]
    game.check_role(role)
    move = joint[game.roles.index(role)]
    mine = {made: value for (who, made), value in values.items() if who == role}
    if move not in mine:
        raise InputError(f"{role} does not choose here", hint="ask for the role that is to move")
    best, best_moves = _best_of(mine)
    after = next(to for made, to in solution.space.moves(state) if made == joint)
    return MoveJudgement(
        role,
        mine[move].goal >= best.goal,
        mine[move],
        best,
        tuple(best_moves),
        tuple(solution.line(after)),
        _text(mine[move], best, role),
    )


def judge_by_search(
    analyser: Analyser, state: State, move: Move, *, seconds: float
) -> MoveJudgement:
    """Describe what a move of whoever is to move gives up, as far as a search proves it in time.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.prove import Analyser
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> state, analyser = game.initial(), Analyser(game, memory=10_000_000)
    >>> judge_by_search(analyser, state, state.legal("player1")[0], seconds=60).text
    'It gives up a win and leaves a loss: Player 1 gets 0, not 100.'
    """
    role = mover_of(state)
    if state.is_terminal or move not in state.legal(role):
        raise InputError(f"{role} does not choose this here", hint="ask for the role to move")
    after = state.play(move)
    left = analyser.bounds_of(after, seconds=0.4 * seconds)
    whole = analyser.bounds_of(state, seconds=0.4 * seconds)
    value, best = (value_of(bounds, analyser.whole, role) for bounds in (left, whole))
    (low, high), (least, most) = left[role], whole[role]
    who = side_name(role)
    keeps_value = False if high < least else True if low >= most else None
    found = analyser.keeping(state, seconds=0.1 * seconds) if keeps_value is False else move
    if left == whole == analyser.whole:
        text = f"Not decided in {seconds:g} s: nothing is proved of this move, nor of the position."
    elif keeps_value is None:
        text = (
            f"Not decided in {seconds:g} s: {who} gets {_range(low, high)} after this move, and "
            f"{_range(least, most)} with the best one."
        )
    elif "bounds" in (value.kind, best.kind):
        text = f"It gives something up: {who} gets {_range(low, high)}, not {_range(least, most)}."
        if keeps_value:
            text = f"No move is better: {who} gets {_range(low, high)}."
    elif keeps_value:
        text = {100: "It wins.", 0: "Every move loses."}.get(low, "No move is better.")
    else:
        text = _text(value, best, role)
    return MoveJudgement(
        role,
        keeps_value,
        value,
        best,
        () if found is None or keeps_value is None else (found,),
        analyser.line_from(after, seconds=0.1 * seconds),
        text,
    )


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def hint_at(
    solution: Listed,
    number: StateId,
    step: int,
    *,
    state: State,
    layout: Layout,
    words: Callable[[Move], str] = str,
) -> Hint:
    """Reveal a little at a time: 1 how many moves are best, 2 where, 3 which.

    `words` names a move.

    >>> from kibitz.board import layout_of
    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> solution = solve_any(explore(game))
    >>> hint_at(solution, 0, 1, state=game.initial(), layout=layout_of(game)).text
    '1 of 3 moves is best: it wins in 2 moves.'
    """
    values = move_values(solution, number)
    role = next(iter(values))[0]
    mine = {move: value for (who, move), value in values.items() if who == role}
    best, moves = _best_of(mine)
    are, each = ("are", "each") if len(moves) > 1 else ("is", "it")
    many = f"{len(moves)} of {len(mine)} moves {are} best: {each} {best.text}."
    return _hint(step, many, moves[0], state.legal(role), layout, words)


def hint_by_search(
    analyser: Analyser,
    state: State,
    step: int,
    *,
    seconds: float,
    layout: Layout,
    words: Callable[[Move], str] = str,
) -> Hint | None:
    """Reveal a little of a move that keeps the value, if a search proves one in time.

    >>> from kibitz.board import layout_of
    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.prove import Analyser
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> state, analyser = game.initial(), Analyser(game, memory=10_000_000)
    >>> hint_by_search(analyser, state, 1, seconds=60, layout=layout_of(game)).text
    'A move wins.'
    """
    role = mover_of(state)
    move = analyser.keeping(state, seconds=seconds)
    if move is None:
        return None
    low, _ = analyser.bounds_of(state, seconds=seconds)[role]
    best = {100: "A move wins.", 0: "Every move loses."}.get(low, f"A move gets {low}.")
    return _hint(step, best, move, state.legal(role), layout, words)


def _hint(
    step: int,
    best: str,
    move: Move,
    legal: Sequence[Move],
    layout: Layout,
    words: Callable[[Move], str],
) -> Hint:
    """Say how good the best is, then where one begins, then which."""
    cells = tuple(f"{ref.board}.{ref.cell}" for ref in layout.gesture(move).cells)
    if step <= 1:
        return Hint(1, best, (), None)
    if step == 2:
        shown = cells[:1] if len(cells) < 4 else cells
        where = f"Look at the marked cell{'s' * (len(shown) > 1)}."
        if not cells:
            where = f"It begins with the word “{words(move).strip('(').split()[0]}”."
        return Hint(2, where, shown, None)
    return Hint(3, f"The move is: {words(move)}.", cells, legal.index(move))


def _best_of(values: dict[Move, RoleValue]) -> tuple[RoleValue, list[Move]]:
    best = max(values.values(), key=lambda value: value.rank)
    return best, [move for move, value in values.items() if value.rank == best.rank]


def _text(value: RoleValue, best: RoleValue, role: Role) -> str:
    """Describe what a move gives up, if anything."""
    who = side_name(role)
    if value.share is not None:
        often = f"{value.share:.0%} of the time" if value.share else "never"
        brings = f"Against best play it brings {who} {number_text(value.goal)} on average"
        most = "" if value.goal >= best.goal else f", where {number_text(best.goal)} is possible"
        return f"{brings}{most}. The best mix plays it {often}."
    if value.kind != "exact":
        if value.goal < best.goal:
            return f"It leaves {who} {value.label} where {best.label} is guaranteed."
        return "It is as good as any move."
    if value.goal < best.goal:
        lost = {"win": "a win", "draw": _even(best), "loss": "less of a loss"}[best.outcome]
        left = {"win": "a smaller win", "draw": _even(value), "loss": "a loss"}[value.outcome]
        return f"It gives up {lost} and leaves {left}: {who} gets {value.goal}, not {best.goal}."
    if value.outcome == "win" and _length(value) > _length(best):
        return f"It still {value.text}, where {_length(best)} are enough."
    if value.outcome == "loss" and _length(value) < _length(best):
        return f"Every move loses; this one {value.text}, others hold out for {_length(best)}."
    return "It is as good as any move."


def _length(value: RoleValue) -> int:
    """Return the length of play in the unit of the value's text."""
    return (value.plies if value.own_moves is None else value.own_moves) or 0


def _even(value: RoleValue) -> str:
    """Name a value that is the same for both: a draw, or play without an end."""
    if value.is_draw:
        return "a draw"
    return "play without an end" if value.plies is None else "the same for both"
