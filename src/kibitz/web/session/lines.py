"""A position as a line of numbers: `4.0.7` is what was played, move by move.

Each number names a joint move among all that are legal, the first role's move counting most. So a
line is short enough for an address, and opening it shows the same position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.engine import Game, Move, State
from kibitz.errors import InputError

MOST_PLIES = 1000
_MOST_DIGITS = 12


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """The states of a line, and the joint moves between them."""

    numbers: tuple[int, ...]
    states: tuple[State, ...]
    joints: tuple[tuple[Move, ...], ...]

    @property
    def state(self) -> State:
        """The state at the end of the line."""
        return self.states[-1]


def read_line(text: str) -> tuple[int, ...]:
    """Read the numbers of a line.

    >>> read_line("4.0.7"), read_line("")
    ((4, 0, 7), ())
    """
    if not text:
        return ()
    parts = text.split(".")
    if len(parts) > MOST_PLIES:
        raise InputError(f"a line has {MOST_PLIES} moves at most")
    if not all(p.isascii() and p.isdecimal() and len(p) <= _MOST_DIGITS for p in parts):
        raise InputError("a line is numbers with dots between them", hint="such as 4.0.7")
    return tuple(map(int, parts))


def write_line(numbers: Sequence[int]) -> str:
    """Write the numbers of a line.

    >>> write_line([4, 0, 7])
    '4.0.7'
    """
    return ".".join(map(str, numbers))


def follow_line(game: Game, numbers: Sequence[int], *, as_far: bool = False) -> PlayedLine:
    """Follow a line from the initial state; raise InputError where it is not legal.

    With `as_far` it ends before the first move that is not.

    >>> import kibitz
    >>> follow_line(kibitz.load("tictactoe"), [4]).state.is_terminal
    False
    """
    states = [game.initial()]
    joints: list[tuple[Move, ...]] = []
    for ply, number in enumerate(numbers, start=1):
        joint = _joint(states[-1], number)
        if joint is None and as_far:
            numbers = numbers[: ply - 1]
            break
        if joint is None:
            raise InputError(
                f"move {ply} of the line is not legal there", hint="go back to the start"
            )
        joints.append(joint)
        states.append(states[-1].step(joint))
    return PlayedLine(tuple(numbers), tuple(states), tuple(joints))


def joint_number(state: State, joint: Sequence[Move]) -> int:
    """Return the number of a joint move in a state; the inverse of `follow_line`."""
    number = 0
    for role, move in zip(state.game.roles, joint, strict=True):
        legal = state.legal(role)
        number = number * len(legal) + legal.index(move)
    return number


def _joint(state: State, number: int) -> tuple[Move, ...] | None:
    if state.is_terminal:
        return None
    made: list[Move] = []
    for role in reversed(state.game.roles):
        legal = state.legal(role)
        if not legal:
            return None
        number, index = divmod(number, len(legal))
        made.append(legal[index])
    return None if number else tuple(reversed(made))
