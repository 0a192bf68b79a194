"""A solved state and a move in, what the move gives up out, in words; and hints at the best."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.board import Layout
from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.solve import AnySolution, RoleValue, best_line, move_values
from kibitz.space import StateId
from kibitz.wording import number_text

__all__ = ["Hint", "MoveJudgement", "hint_at", "judge_move"]


@dataclass(frozen=True, slots=True)
class MoveJudgement:
    """The value of a move and the best moves, with a line of best play after the move."""

    role: Role
    value: RoleValue
    best: RoleValue
    best_moves: tuple[Move, ...]
    line: tuple[tuple[Move, ...], ...]
    text: str

    @property
    def is_best(self) -> bool:
        """Whether the move keeps the value."""
        return self.value.goal >= self.best.goal


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: how many moves are best, then where one begins, then the move and its number."""

    step: int
    text: str
    cells: tuple[str, ...]
    number: int | None


def judge_move(
    solution: AnySolution, state: StateId, joint: tuple[Move, ...], role: Role | None = None
) -> MoveJudgement:
    """Describe why a role's move is optimal or not; by default of the first role that chooses.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> solution = solve_any(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> joint, _ = solution.space.moves(0)[0]
    >>> judge_move(solution, 0, joint).text
    'It gives up a win and leaves a loss: player1 gets 0, not 100.'
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
        mine[move],
        best,
        tuple(best_moves),
        tuple(best_line(solution, after)),
        _text(mine[move], best, role),
    )


def hint_at(
    solution: AnySolution, number: StateId, step: int, *, state: State, layout: Layout
) -> Hint:
    """Reveal a little at a time: 1 how many moves are best, 2 where, 3 which.

    >>> from kibitz.board import layout_of
    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> solution = solve_any(explore(game))
    >>> hint_at(solution, 0, 1, state=game.initial(), layout=layout_of(game)).text
    '1 of 3 moves is best: W3.'
    """
    values = move_values(solution, number)
    role = next(iter(values))[0]
    mine = {move: value for (who, move), value in values.items() if who == role}
    best, moves = _best_of(mine)
    move = moves[0]
    cells = tuple(f"{ref.board}.{ref.cell}" for ref in layout.gesture(move).cells)
    many = f"{len(moves)} of {len(mine)} moves {'are' if len(moves) > 1 else 'is'} best"
    if step <= 1:
        return Hint(1, f"{many}: {best.label}.", (), None)
    if step == 2:
        where = "Look at the marked cell." if cells else f"It is called {move.name}."
        return Hint(2, f"{many}. {where}", cells[:1] if len(cells) < 4 else cells, None)
    return Hint(3, f"Play {state.game.write(move)}.", cells, state.legal(role).index(move))


def _best_of(values: dict[Move, RoleValue]) -> tuple[RoleValue, list[Move]]:
    best = max(values.values(), key=lambda value: value.rank)
    return best, [move for move, value in values.items() if value.rank == best.rank]


def _text(value: RoleValue, best: RoleValue, role: Role) -> str:
    """Describe what a move gives up, if anything."""
    if value.share is not None:
        often = f"{value.share:.0%} of the time" if value.share else "never"
        brings = f"Against best play it brings {role} {number_text(value.goal)} on average"
        most = "" if value.goal >= best.goal else f", where {number_text(best.goal)} is possible"
        return f"{brings}{most}. The best mix plays it {often}."
    if value.kind != "exact":
        if value.goal < best.goal:
            return f"It leaves {role} {value.label} where {best.label} is guaranteed."
        return "It is as good as any move."
    if value.goal < best.goal:
        lost = {"win": "a win", "draw": _even(best), "loss": "less of a loss"}[best.outcome]
        left = {"win": "a smaller win", "draw": _even(value), "loss": "a loss"}[value.outcome]
        return f"It gives up {lost} and leaves {left}: {role} gets {value.goal}, not {best.goal}."
    if value.outcome == "win" and (value.plies or 0) > (best.plies or 0):
        return f"It still {value.text}, where {best.plies} are enough."
    if value.outcome == "loss" and (value.plies or 0) < (best.plies or 0):
        return f"Every move loses; this one {value.text}, others hold out for {best.plies}."
    return "It is as good as any move."


def _even(value: RoleValue) -> str:
    """Name a value that is the same for both: a draw, or play without an end."""
    if value.plies is None:
        return "play without an end"
    return "a draw" if value.is_draw else "the same for both"
