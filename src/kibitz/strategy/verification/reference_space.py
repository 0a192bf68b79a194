"""Every state of a small game by the reference engine, with its turn and its value."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from kibitz.engine import Move, ReferenceGame, Role, State
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import Function, RuleSheet
from kibitz.strategy.evaluation.derived_relations import ASKER, asking_sheet
from kibitz.strategy.evaluation.rule_images import Carrier

__all__ = ["Joint", "Key", "ReferenceSpace", "ReferenceState"]

Joint = tuple[Move, ...]
Key = frozenset[Function]


@dataclass(frozen=True)
class ReferenceState:
    """All that the rules say about one state."""

    terminal: bool
    goals: dict[Role, int | None]
    legal: dict[Role, tuple[Move, ...]]
    asked: frozenset[Function]
    next: dict[Joint, Key]


class ReferenceSpace:
    """All states with what the rules say about them, and which of the asked relations hold."""

    def __init__(self, sheet: RuleSheet, asked: list[Function], most_states: int) -> None:
        self.sheet = sheet
        self.game = ReferenceGame(sheet)
        self.nodes = self._explore(asked, most_states)
        self.initial = next(iter(self.nodes))
        self.turns = self._to_move()

    def _explore(self, asked: list[Function], most: int) -> dict[Key, ReferenceState]:
        game = self.game
        asking = ReferenceGame(asking_sheet(self.sheet, asked)) if asked else None
        first = game.initial()
        nodes: dict[Key, ReferenceState] = {}
        queue: deque[State] = deque([first])
        seen = {frozenset(first.fluents)}
        while queue:
            state = queue.popleft()
            key = frozenset(state.fluents)
            legal = {role: state.legal(role) for role in game.roles}
            after: dict[Joint, Key] = {}
            if not state.is_terminal:
                for joint in product(*(legal[role] for role in game.roles)):
                    successor = game.successor(state.key, joint)
                    after[joint] = frozenset(successor.fluents)
                    if after[joint] not in seen:
                        seen.add(after[joint])
                        queue.append(successor)
            if len(seen) > most:
                raise BudgetExceededError(
                    f"{self.sheet.name} has more than {most:,} states",
                    hint="the reference engine is for small games",
                )
            holding = asking.state(key).legal(ASKER) if asking else ()
            nodes[key] = ReferenceState(
                state.is_terminal, dict(state.goals), legal, frozenset(holding), after
            )
        return nodes

    def check_symmetries(self, carriers: Sequence[Carrier]) -> None:
        """Check that each symmetry maps the start, every state and every move correctly."""
        for carrier in carriers:

            def image(key: Key, carrier: Carrier = carrier) -> Key:
                return frozenset(carrier.fluents[fluent] for fluent in key)

            for key, node in self.nodes.items():
                other = self.nodes.get(image(key))
                fits = (
                    other is not None
                    and (node.terminal, node.goals) == (other.terminal, other.goals)
                    and other.next
                    == {
                        tuple(
                            carrier.moves[role][move]
                            for role, move in zip(self.game.roles, joint, strict=True)
                        ): image(after)
                        for joint, after in node.next.items()
                    }
                )
                if not fits:
                    raise KibitzError(f"a symmetry of {self.sheet.name} does not hold")
            if image(self.initial) != self.initial:
                raise KibitzError(f"a symmetry of {self.sheet.name} moves the initial state")

    def _to_move(self) -> dict[Role, set[Key]]:
        """Return the states in which it is each role's turn."""
        chosen = {
            move
            for node in self.nodes.values()
            if node.next
            for moves in node.legal.values()
            if len(moves) > 1
            for move in moves
        }
        turns: dict[Role, set[Key]] = {role: set() for role in self.game.roles}
        for key, node in self.nodes.items():
            if not node.next:
                continue
            active = [role for role in self.game.roles if len(node.legal[role]) > 1] or [
                role for role in self.game.roles if node.legal[role][0] in chosen
            ]
            for role in active or self.game.roles:
                turns[role].add(key)
        return turns

    def values(self, role: Role) -> tuple[dict[Key, int], int, int]:
        """Return the values of states for a role: the goals that can be forced, or else the middle.

        The middle and the sum of goals come after them.
        """
        if len(self.game.roles) > 2:
            raise KibitzError("the reference check is for one role or two")
        ends = {key: node.goals for key, node in self.nodes.items() if node.terminal}
        sums = {sum(goal or 0 for goal in goals.values()) for goals in ends.values()}
        if len(self.game.roles) == 2 and len(sums) > 1:
            raise KibitzError(f"the goals of {self.sheet.name} do not add up to one number")
        total = max(sums, default=100) if len(self.game.roles) == 2 else 100
        middle = total - total // 2 if self.game.roles.index(role) else total // 2
        goal_of = {key: goals[role] or 0 for key, goals in ends.items()}
        value = dict.fromkeys(self.nodes, middle)
        for bound in sorted({g for g in goal_of.values() if g > middle}):
            best = {key for key, goal in goal_of.items() if goal >= bound}
            for key in self._forced(best, role, mine=True):
                value[key] = bound
        for bound in sorted({g for g in goal_of.values() if g < middle}, reverse=True):
            for key in self._forced(
                {k for k, g in goal_of.items() if g <= bound}, role, mine=False
            ):
                value[key] = bound
        return value, middle, total

    def plies(self, role: Role, value: dict[Key, int], middle: int) -> dict[Key, int]:
        """Return how soon the role that is ahead can force the value of a state, if one is."""
        found = {key: 0 for key, node in self.nodes.items() if node.terminal}
        open_ = {key for key, here in value.items() if here != middle} - found.keys()
        for plies in range(1, len(self.nodes)):
            new = set()
            for key in open_:
                keeping = [to for to in self.nodes[key].next.values() if value[to] == value[key]]
                picks = (key in self.turns[role]) is (value[key] > middle)
                if (any if picks else all)(to in found for to in keeping):
                    new.add(key)
            if not new:
                break
            found |= dict.fromkeys(new, plies)
            open_ -= new
        return found

    def _forced(self, target: set[Key], role: Role, *, mine: bool) -> set[Key]:
        """Return the states from which a role, or else its opponent, can force play into others."""
        found = set(target)
        while True:
            new = set()
            for key, node in self.nodes.items():
                if key in found or not node.next:
                    continue
                into = [after in found for after in node.next.values()]
                picks = (key in self.turns[role]) is mine
                if any(into) if picks else all(into):
                    new.add(key)
            if not new:
                return found
            found |= new
