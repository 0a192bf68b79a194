"""Games and strategies a second time, in plain Python: what Kibitz says is compared with this.

A Graph has all states that the reference engine finds, with text for fluents and moves. Values,
verdicts and matches follow from it by the shortest code that is right; nothing here shares code
with what it checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from kibitz.engine import ReferenceGame

__all__ = [
    "Difference",
    "Graph",
    "Judgement",
    "Node",
    "Refused",
    "explore_plainly",
    "judge",
    "matches",
    "same",
]

Joint = tuple[str, ...]
Fluents = frozenset[str]
Chosen = Mapping[int, frozenset[str]]
"""The moves of a strategy in each state."""


class Difference(Exception):  # noqa: N818
    """Two sides that must agree do not."""


def same(what: str, found: object, expected: object) -> None:
    """Raise Difference unless both are equal."""
    if found != expected:
        raise Difference(f"{what}:\n  found    {found}\n  expected {expected}")


class Refused(Exception):  # noqa: N818
    """A comparison does not apply to this game; no difference was looked for."""


@dataclass(frozen=True)
class Node:
    """A state: what holds, who may do what, and where joint moves lead."""

    fluents: Fluents
    legal: dict[str, tuple[str, ...]]
    is_terminal: bool
    goals: dict[str, int | None]
    next: dict[Joint, int]

    @property
    def is_stuck(self) -> bool:
        return not self.next and not self.is_terminal


@dataclass(frozen=True)
class Graph:
    """All states, the initial one first, in the order of their distance from it."""

    roles: tuple[str, ...]
    nodes: tuple[Node, ...]
    layer: tuple[int, ...]

    @cached_property
    def number(self) -> dict[Fluents, int]:
        return {node.fluents: i for i, node in enumerate(self.nodes)}

    @cached_property
    def edges(self) -> int:
        return sum(len(node.next) for node in self.nodes)

    @cached_property
    def turns(self) -> dict[str, frozenset[int]]:
        """Give the states in which it is each role's turn, as the page on strategies says."""
        picked = {
            move
            for node in self.nodes
            if node.next
            for moves in node.legal.values()
            if len(moves) > 1
            for move in moves
        }
        found: dict[str, set[int]] = {role: set() for role in self.roles}
        for i, node in enumerate(self.nodes):
            if node.next:
                having = [role for role in self.roles if len(node.legal[role]) > 1]
                having = having or [r for r in self.roles if node.legal[r][0] in picked]
                for role in having or self.roles:
                    found[role].add(i)
        return {role: frozenset(states) for role, states in found.items()}

    def choosers(self, i: int) -> list[int]:
        """Give the roles that have more than one legal move where play goes on."""
        node = self.nodes[i]
        return [r for r, role in enumerate(self.roles) if node.next and len(node.legal[role]) > 1]

    @cached_property
    def takes_turns(self) -> bool:
        return all(len(self.choosers(i)) < 2 for i in range(len(self.nodes)))

    @cached_property
    def sums(self) -> set[int] | None:
        """Give the sums of goals at the end, None if one is missing."""
        ends = [list(node.goals.values()) for node in self.nodes if node.is_terminal]
        if any(goal is None for goals in ends for goal in goals):
            return None
        return {sum(goal or 0 for goal in goals) for goals in ends}

    @cached_property
    def order(self) -> list[int] | None:
        """Give the states with all that can follow before them; None if there are cycles."""
        left = {i: len(set(node.next.values())) for i, node in enumerate(self.nodes)}
        back: dict[int, set[int]] = {i: set() for i in left}
        for i, node in enumerate(self.nodes):
            for to in node.next.values():
                back[to].add(i)
        found = [i for i, count in left.items() if not count]
        for i in found:
            for before in back[i]:
                left[before] -= 1
                if not left[before]:
                    found.append(before)
        return found if len(found) == len(self.nodes) else None

    @property
    def total(self) -> int:
        """Give what both goals add up to; 100 for one role."""
        if len(self.roles) == 1 or not self.sums:
            return 100
        return min(self.sums)

    def solved(self, keep: Callable[[int, Joint], bool] = lambda _i, _j: True) -> list[list[int]]:
        """Give the first role's values if play is cut off at the middle after 0, 1, 2, … plies.

        Only moves that are to be kept are made. What can be forced, can be within as many plies as
        there are states.
        """
        middle = self.total // 2
        first = self.roles[0]
        after = [[to for j, to in n.next.items() if keep(i, j)] for i, n in enumerate(self.nodes)]
        rows = [[n.goals[first] or 0 if n.is_terminal else middle for n in self.nodes]]
        for _ in range(len(self.nodes) + 1):
            last = rows[-1]
            rows.append([
                (max if 0 in self.choosers(i) or len(self.roles) == 1 else min)(last[t] for t in to)
                if to else last[i]
                for i, to in enumerate(after)
            ])  # fmt: skip
        return rows

    @cached_property
    def values(self) -> list[int]:
        """Give what states are worth to the first role."""
        return self.solved()[-1]

    @cached_property
    def distances(self) -> list[int | None]:
        """Give the plies to the end under best play, None where it never comes.

        Whoever is ahead hurries and whoever is behind holds out; a draw is held as long as can be.
        """
        rows, middle = self.solved(), self.total // 2
        found: list[int | None] = [
            next(k for k, row in enumerate(rows) if row[i] == value)
            for i, value in enumerate(self.values)
        ]
        held = {i for i, value in enumerate(self.values) if value == middle}
        inner = {i for i in held if not self.nodes[i].is_terminal}
        longest = dict.fromkeys(held - inner, 0)
        while True:  # settle what must end, from the end backwards
            new = {}
            for i in inner - set(longest):
                kept = [to for to in self.nodes[i].next.values() if self.values[to] == middle]
                if kept and all(to in longest for to in kept):
                    new[i] = 1 + max(longest[to] for to in kept)
            if not new:
                break
            longest |= new
        for i in held:
            found[i] = longest.get(i)
        return found

    def reach(self, keep: Callable[[int, Joint], bool], start: int = 0) -> list[int]:
        """Give the states that are reached by the moves that are to be kept."""
        found = [start]
        for i in found:
            for joint, to in self.nodes[i].next.items():
                if keep(i, joint) and to not in found:
                    found.append(to)
        return found

    def circles(self, states: Iterable[int], keep: Callable[[int, Joint], bool]) -> bool:
        """Return whether play can stay among some states for ever, making moves all the time."""
        left = set(states)
        while True:
            going = {
                i for i in left if any(to in left and keep(i, j) for j, to in self.next(i))
            }  # fmt: skip
            if going == left:
                return bool(left)
            left = going

    def next(self, i: int) -> list[tuple[Joint, int]]:
        return list(self.nodes[i].next.items())


def explore_plainly(game: ReferenceGame, *, nodes: int = 150, edges: int = 700) -> Graph:
    """Find all states of a game, or refuse where there are too many."""
    start = game.initial()
    states = [start]
    layers = [0]
    number = {start.key: 0}
    found: list[Node] = []
    count = 0
    for i, state in enumerate(states):
        legal = {role: state.legal(role) for role in game.roles}
        after: dict[Joint, int] = {}
        if not state.is_terminal:
            for joint in product(*legal.values()):
                count += 1
                to = game.successor(state.key, joint)
                if to.key not in number:
                    number[to.key] = len(states)
                    states.append(to)
                    layers.append(layers[i] + 1)
                after[tuple(map(str, joint))] = number[to.key]
                if len(states) > nodes or count > edges:
                    raise Refused("too many states or moves")
        found.append(
            Node(
                frozenset(map(str, state.fluents)),
                {role: tuple(map(str, moves)) for role, moves in legal.items()},
                state.is_terminal,
                dict(state.goals),
                after,
            )
        )
    return Graph(game.roles, tuple(found), tuple(layers))


@dataclass(frozen=True)
class Judgement:
    """What a strategy is and guarantees, by definition; names as in `kibitz.strategy.Verdict`."""

    perfect: bool | None
    valid: bool
    complete: bool
    deterministic: bool
    weakly_optimal: bool | None
    strongly_optimal: bool | None
    makes_progress: bool | None
    guarantees: dict[str, int]
    states_checked: int
    bad_states: int


def judge(graph: Graph, role: str, chosen: Chosen, *, is_solved: bool) -> Judgement:
    """Judge a strategy; without values, nothing is said of optimal moves."""
    me = graph.roles.index(role)
    mine = graph.turns[role]
    half = graph.total // 2 if is_solved else 50
    middle = graph.total - half if is_solved and me == 1 else half
    value = graph.values if is_solved else [0] * len(graph.nodes)

    def is_optimal(i: int, joint: Joint) -> bool:
        return value[graph.nodes[i].next[joint]] == value[i]

    def strong(i: int, joint: Joint) -> bool:
        return i not in mine or not chosen[i] or joint[me] in chosen[i]

    def weak(i: int, joint: Joint) -> bool:
        if i not in mine:
            return True
        return joint[me] in chosen[i] if chosen[i] else is_optimal(i, joint)

    reached = graph.reach(strong)
    bad = [
        i
        for i in reached
        if i in mine and any(strong(i, j) and not is_optimal(i, j) for j, _ in graph.next(i))
    ]
    carefully = graph.reach(weak)
    errs = any(
        i in mine and joint[me] in chosen[i] and not is_optimal(i, joint)
        for i in carefully
        for joint, _ in graph.next(i)
    )

    def worst(start: int) -> int:
        after = graph.reach(strong, start)
        ends = [graph.nodes[i].goals[role] for i in after if graph.nodes[i].is_terminal]
        goals = [goal if goal is not None else -1 for goal in ends]
        is_stuck = any(graph.nodes[i].is_stuck for i in after)
        if is_stuck or not goals or graph.circles(after, strong):
            goals.append(middle)
        return min(goals)

    mine_of = [v if me == 0 else graph.total - v for v in value]
    sure = {role: worst(0)}
    if is_solved and len(graph.roles) == 2:
        first = graph.solved(strong)[-1][0]
        sure[graph.roles[1 - me]] = first if me == 1 else graph.total - first
    ahead = [i for i in reached if mine_of[i] > middle]
    return Judgement(
        perfect=all(worst(i) >= mine_of[i] for i in reached) if is_solved else None,
        valid=any(chosen[i] for i in mine),
        complete=all(chosen[i] for i in mine),
        deterministic=all(len(chosen[i]) < 2 for i in mine),
        weakly_optimal=not errs if is_solved else None,
        strongly_optimal=not bad if is_solved else None,
        makes_progress=not graph.circles(ahead, strong) if is_solved else None,
        guarantees={name: sure[name] for name in graph.roles if name in sure},
        states_checked=len(reached),
        bad_states=len(bad) if is_solved else 0,
    )


Follow = Callable[[int, Sequence[tuple[int, Joint]]], frozenset[str]]
"""What a strategy allows in a state after a history."""


def matches(
    graph: Graph, follow: Mapping[str, Follow], *, silence: str = "any", most: int = 2000
) -> set[tuple[Joint, ...]]:
    """Give all complete matches in which roles follow strategies.

    Where a strategy is silent, any move may be made, or with `silence="stop"` none. Matches that
    get stuck are not complete.
    """
    found: set[tuple[Joint, ...]] = set()
    steps = 0

    def walk(i: int, history: tuple[tuple[int, Joint], ...]) -> None:
        nonlocal steps
        steps += 1
        if steps > 10 * most:
            raise Refused("too many matches")
        node = graph.nodes[i]
        if node.is_terminal:
            found.add(tuple(joint for _, joint in history))
            return
        allowed = {}
        for role, choose in follow.items():
            if i in graph.turns[role]:
                moves = choose(i, history)
                if moves or silence == "stop":
                    allowed[graph.roles.index(role)] = moves
        for joint, to in node.next.items():
            if all(joint[r] in moves for r, moves in allowed.items()):
                walk(to, (*history, (i, joint)))

    if graph.order is None:
        raise Refused("matches need not end")
    walk(0, ())
    return found
