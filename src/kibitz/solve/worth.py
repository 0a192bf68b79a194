"""Say what a game is worth, if that can be found out quickly."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import CompiledGame, Game, Role
from kibitz.errors import KibitzError
from kibitz.solve.algorithms.retrograde import solve
from kibitz.solve.summary import describe_equal
from kibitz.space import Limits, explore

__all__ = ["Worth", "find_worth"]


@dataclass(frozen=True, slots=True)
class Worth:
    """What best play gives each role, after how many plies, and the first moves that keep it."""

    values: dict[Role, int]
    plies: int | None
    states: int
    mover: Role | None
    best: tuple[str, ...]
    choices: int

    def as_text(self) -> str:
        """Tell it to a person."""
        length = "and need never end" if self.plies is None else f"after {self.plies} moves"
        is_equal = len(set(self.values.values())) == 1 and len(self.values) > 1
        if len(self.values) > 1 and self.plies is None:
            lines = ["With best play nobody wins: play need never end."]
        elif is_equal:
            value = next(iter(self.values.values()))
            equal = describe_equal(value, len(self.values)) if value != 50 else "it ends in a draw"
            lines = [f"With best play {equal}, {length}."]
        else:
            worth = " and ".join(f"{role} gets {value}" for role, value in self.values.items())
            lines = [f"With best play {worth}, {length}."]
        if self.mover:
            lines.append(self._first_moves())
        lines.append(f"This is known from all {self.states:,} states that play can reach.")
        return "\n".join(lines)

    def _first_moves(self) -> str:
        if len(self.best) == self.choices:
            return f"Any first move of {self.mover} keeps that."
        more = f" and {len(self.best) - 9} more" if len(self.best) > 9 else ""
        verb = "keeps" if len(self.best) == 1 else "keep"
        shown = " ".join(self.best[:9])
        count = f"{len(self.best)} of {self.mover}'s {self.choices} first moves"
        return f"{count} {verb} that: {shown}{more}."


def find_worth(game: Game, limits: Limits) -> Worth | str:
    """Solve a game within limits, or say why that was not possible.

    >>> from kibitz.games import load_sheet
    >>> find_worth(CompiledGame(load_sheet("nim:1,2")), Limits(states=1000)).values
    {'player1': 100, 'player2': 0}
    """
    if not isinstance(game, CompiledGame):
        return "Its value is not known: it runs ungrounded, and too slowly to be solved."
    space = explore(game, limits=limits)
    if not space.is_complete:
        return f"Its value is not known: it has more than {len(space):,} states."
    try:
        solution = solve(space)
    except KibitzError as error:
        return f"Its value is not known: {error.message}."
    turn = int(space.turn[0])
    mover = game.roles[turn] if turn >= 0 else None
    best = [game.write(joint[turn]) for joint, _ in solution.best_moves()] if mover else []
    return Worth(
        values=solution.values(),
        plies=solution.plies(),
        states=len(space),
        mover=mover,
        best=tuple(sorted(best)),
        choices=len(space.moves(0)),
    )
