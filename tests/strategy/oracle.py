"""Definitions 4 and 8 of paper 001, as they are printed: path by path, on a plain graph.

Slow on purpose. Nothing here shares code with `kibitz.strategy` but the classes of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kibitz.engine import Move, ReferenceGame, Role
from kibitz.gdl import Function, RuleSheet, read
from kibitz.space import StateSpace
from kibitz.strategy.tree import (
    Also,
    And,
    AtLeast,
    Can,
    Const,
    Derived,
    Does,
    Either,
    Else,
    Formula,
    GoalIs,
    Holds,
    Initial,
    Legal,
    Next,
    Not,
    Or,
    Plan,
    Previous,
    Simple,
    Terminal,
    Turn,
    Wins,
)

__all__ = ["Path", "allowed", "depth", "paths_from", "satisfies"]

Joint = tuple[Move, ...]


@dataclass(frozen=True)
class Path:
    """States and the joint moves between them, one state more than moves."""

    states: tuple[int, ...]
    joints: tuple[Joint, ...]

    def then(self, joint: Joint, state: int) -> Path:
        return Path((*self.states, state), (*self.joints, joint))


def depth(formula: Formula) -> int:
    match formula:
        case Not(inner) | Previous(inner):
            return depth(inner)
        case Next(inner):
            return 1 + depth(inner)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return max(map(depth, parts), default=0)
        case _:
            return 0


@cache
def derives(sheet: RuleSheet, atom: Function, fluents: frozenset[Function]) -> bool:
    """Return whether a relation of a rule sheet holds, by a role that may say so just then."""
    rules = " ".join(map(str, sheet.rules))
    asking = f"{rules} (role oracle) (legal oracle no) (<= (legal oracle oracle_yes) {atom})"
    state = ReferenceGame(read(asking, name="asking")).state(fluents)
    return "oracle_yes" in map(str, state.legal("oracle"))


def satisfies(space: StateSpace, path: Path, at: int, formula: Formula) -> bool:
    """Return whether a path satisfies a formula at its at-th state."""
    number = path.states[at]
    state = space.state(number)
    ends = at == len(path.states) - 1
    roles = space.game.roles
    match formula:
        case Const(value):
            return value
        case Holds(fluent):
            return fluent in state.fluents
        case Derived(atom, renaming):
            fluents = set(state.fluents)
            if renaming:
                back = {image: fluent for fluent, image in renaming.fluents.items()}
                fluents = {back.get(fluent, fluent) for fluent in fluents}
            return derives(space.game.sheet, atom, frozenset(fluents))
        case Does(role, move):
            return ends or path.joints[at][roles.index(role)] == move
        case Legal(role, move):
            return not state.is_terminal and move in state.legal(role)
        case Initial():
            return state == space.game.initial()
        case Terminal():
            return state.is_terminal
        case Wins(role):
            return state.is_terminal and state.goals[role] == 100
        case GoalIs(role, comparison, bound):
            goal = state.goals[role]
            if goal is None:
                return False
            return {
                "=": goal == bound,
                "!=": goal != bound,
                "<": goal < bound,
                ">": goal > bound,
                "<=": goal <= bound,
                ">=": goal >= bound,
            }[comparison]
        case Turn(role):
            return number in to_move(space, role)
        case Not(inner):
            return not satisfies(space, path, at, inner)
        case And(parts):
            return all(satisfies(space, path, at, part) for part in parts)
        case Or(parts):
            return any(satisfies(space, path, at, part) for part in parts)
        case AtLeast(count, parts):
            return sum(satisfies(space, path, at, part) for part in parts) >= count
        case Next(inner):
            return ends or satisfies(space, path, at + 1, inner)
        case Previous(inner):
            return at == 0 or satisfies(space, path, at - 1, inner)
        case Can(role, inner):
            return bool(allowed(space, Simple(inner), role, Path((number,), ())))
        case _:
            raise TypeError(formula)


def paths_from(space: StateSpace, start: Path, moves: int) -> list[Path]:
    """Give all paths that begin as one does and have up to so many moves more."""
    found = [start]
    if moves:
        for joint, target in space.moves(start.states[-1]):
            found += paths_from(space, start.then(joint, target), moves - 1)
    return found


def to_move(space: StateSpace, role: Role) -> set[int]:
    """Give the states in which it is a role's turn."""
    index = space.game.roles.index(role)
    choices = [
        [len({joint[r] for joint, _ in space.moves(s)}) for r in range(len(space.game.roles))]
        for s in range(len(space))
    ]
    usual = {
        joint[r]
        for r in range(len(space.game.roles))
        for s in range(len(space))
        if choices[s][r] > 1
        for joint, _ in space.moves(s)
    }
    found = set()
    for s in range(len(space)):
        moves = space.moves(s)
        if not moves:
            continue
        if max(choices[s]) > 1:
            is_mine = choices[s][index] > 1
        else:
            (joint, _) = moves[0]
            active = [move in usual for move in joint]
            is_mine = active[index] or not any(active)
        if is_mine:
            found.add(s)
    return found


def allowed(space: StateSpace, plan: Plan, role: Role, history: Path) -> set[Move]:
    """Give the moves that a plan allows a role at the end of a history (definition 8)."""
    index = space.game.roles.index(role)
    match plan:
        case Simple(formula):
            found: dict[Move, bool] = {}
            for joint, target in space.moves(history.states[-1]):
                at = len(history.states) - 1
                paths = paths_from(space, history.then(joint, target), depth(formula))
                valid = all(satisfies(space, path, at, formula) for path in paths)
                found[joint[index]] = found.get(joint[index], True) and valid
            return {move for move, valid in found.items() if valid}
        case Either(parts):
            return set().union(*(allowed(space, part, role, history) for part in parts))
        case Else(parts):
            sets = [allowed(space, part, role, history) for part in parts]
            return {
                move for k, moves in enumerate(sets) for move in moves if not set().union(*sets[:k])
            }
        case Also(parts):
            sets = [allowed(space, part, role, history) for part in parts]
            common = [set.intersection(*sets[: k + 1]) for k in range(len(sets))]
            return {
                move
                for k, moves in enumerate(common)
                for move in moves
                if k == len(sets) - 1 or not common[k + 1]
            }
