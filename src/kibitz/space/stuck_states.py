"""StateSpace in, Stuck out: states that are not terminal in which a role has no legal move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.engine import Move, Role, State
from kibitz.errors import StuckError
from kibitz.space.lifted_lines import playable_line
from kibitz.space.space import StateId, StateSpace

__all__ = ["Stuck", "find_stuck", "line_to", "require_no_stuck", "stuck_error"]

Line = tuple[tuple[Move, ...], ...]

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Stuck:
    """How many states are stuck, and the nearest one: who has no move there, and the path to it.

    `path` is None where play does not start at the initial state. `role` is empty where every role
    has a move by the rules, and moves were removed from the space.
    """

    states: int
    role: Role | None
    state: State
    path: Line | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        write = self.state.game.write
        path = self.path and [[write(move) for move in joint] for joint in self.path]
        return {
            "states": self.states,
            "role": self.role,
            "example": {"path": path, "state": [write(fluent) for fluent in self.state.fluents]},
        }

    @property
    def text(self) -> str:
        """Describe it in one sentence, without the full stop."""
        name, write = self.state.game.sheet.name, self.state.game.write
        if self.path == ():
            return (
                f"{name} is stuck at the start: {self.role} has no legal move, and the state is "
                "not terminal"
            )
        many = "1 state" if self.states == 1 else f"{self.states:,} states"
        if self.path is None:
            where = "in " + " ".join(map(write, self.state.fluents))
        else:
            joints = ["/".join(map(write, joint)) for joint in self.path]
            more = f" and {len(joints) - _SHOWN} more" if len(joints) > _SHOWN else ""
            where = "after " + ", ".join(joints[:_SHOWN]) + more
        return (
            f"play in {name} can get stuck: in {many} a role has no legal move, and play has not "
            f"ended; {where}, {self.role or 'a role'} has none"
        )


def find_stuck(space: StateSpace) -> Stuck | None:
    """Find the stuck states of a space that was explored completely; None if there are none.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> rules = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)"
    >>> find_stuck(explore(CompiledGame(read(rules, name="short")))).text
    'play in short can get stuck: in 1 state a role has no legal move, and play has not ended; \
after go, a has none'
    """
    if not space.is_complete:
        return None
    kept = vars(space)
    if "_stuck" not in kept:
        kept["_stuck"] = _find(space)
    found: Stuck | None = kept["_stuck"]
    return found


def require_no_stuck(space: StateSpace) -> None:
    """Raise StuckError where play can get stuck, for then states have no value."""
    found = find_stuck(space)
    if found is not None:
        raise stuck_error(found)


def stuck_error(found: Stuck) -> StuckError:
    """Make the error that says that play can get stuck."""
    return StuckError(found.text, states=found.states)


def _find(space: StateSpace) -> Stuck | None:
    ids = np.flatnonzero((space.first_edge[:-1] == space.first_edge[1:]) & ~space.terminal)
    if not len(ids):
        return None
    state, path = line_to(space, int(ids[0]))
    role = next((role for role in space.game.roles if not state.legal(role)), None)
    return Stuck(len(ids), role, state, path)


def line_to(
    space: StateSpace, target: StateId
) -> tuple[State, tuple[tuple[Move, ...], ...] | None]:
    """Return a state as play comes to it, and a shortest line that leads there.

    The line is None where play does not start at the initial state; in a reduced space the state is
    an image of the one that the number stands for.
    """
    edges: list[int] = []
    number = target
    # States are numbered by their distance, so the first edge to one leads from a nearer one.
    while number:
        into = np.flatnonzero(space.target == number)[:1]
        source = (
            int(np.searchsorted(space.first_edge, into[0], side="right")) - 1 if len(into) else 0
        )
        if not len(into) or source >= number:
            break
        edges.append(int(into[0]))
        number = source
    if number or space.state(0) != space.game.initial():
        return space.state(target), None
    state = space.state(0)
    path = tuple(playable_line(space, edges[::-1]))
    for joint in path:
        state = space.game.successor(state.key, joint)
    return state, path
