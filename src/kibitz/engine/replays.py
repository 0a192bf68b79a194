"""Replay joint moves in a game: one step for each state reached, from any engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kibitz.engine.game import Game, Goal, Move, Role, State
from kibitz.errors import IllegalMoveError, InputError, RuleSheetError
from kibitz.gdl import parse_terms


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """State of a match with its end, goals and legal moves by the rules; texts are KIF, sorted."""

    state: tuple[str, ...]
    terminal: bool
    goals: dict[Role, Goal]
    legal: dict[Role, tuple[str, ...]]


class ReplayError(IllegalMoveError):
    """An illegal move in a replay, and the step (from 1) that has it."""

    def __init__(self, step: int, error: IllegalMoveError) -> None:
        super().__init__(error.role, error.move, error.legal)
        self.step = step
        self.message = f"step {step}: {self.message}"


def replay(game: Game, joints: Iterable[Sequence[Move]]) -> Iterator[ReplayStep]:
    """Yield the initial state and the state after each joint move.

    Moves after a terminal state are followed as long as the rules allow them.
    """
    state = game.initial()
    yield step_of(state)
    for number, joint in enumerate(joints, start=1):
        try:
            state = state.step(joint)
        except IllegalMoveError as error:
            raise ReplayError(number, error) from None
        except InputError as error:
            raise InputError(f"step {number}: {error.message}", hint=error.hint) from None
        yield step_of(state)


def step_of(state: State) -> ReplayStep:
    """Write out what the rules say in a state."""
    write = state.game.write
    return ReplayStep(
        tuple(map(write, state.fluents)),
        state.is_terminal,
        state.goals,
        {role: tuple(map(write, state.legal(role))) for role in state.game.roles},
    )


def read_moves(text: str, *, name: str = "moves") -> list[tuple[Move, ...]]:
    """Read joint moves, one a line, each a KIF list of moves in role order; `;` comments.

    >>> [[str(move) for move in joint] for joint in read_moves("((mark 1 1) noop)")]
    [['(mark 1 1)', 'noop']]
    """
    joints = []
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.split(";", 1)[0].rstrip()
        inner = content.lstrip()
        if not inner:
            continue
        if not (inner.startswith("(") and inner.endswith(")")):
            raise InputError(
                f"{name}:{number}: {inner[:60]} is not a joint move",
                hint="write one list of moves a line, in role order: ((mark 1 1) noop)",
            )
        # Without the outer parentheses, and with every column where it was.
        moves = inner[1:-1].rjust(len(content) - 1)
        try:
            joints.append(parse_terms(moves, name=name))
        except RuleSheetError as error:
            found = error.diagnostics[0]
            column = found.place.start + 1
            raise InputError(
                f"{name}:{number}:{column}: {found.message}", hint=found.hint
            ) from None
    return joints
