"""Ways to win: open lines, how many steps are lacking, regions of goals, and moves towards them.

A way is a set of fluents that together give the role its highest goal, unless something that must
not be stands against it: the alternatives that the rules of the goal leave when all else in them is
unfolded. Where there are too many, as for the paths across a board, steps are counted by a circuit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from kibitz.attached import Attached
from kibitz.board import Board, layout_of
from kibitz.engine import CompiledGame, Literal, Network, Role, bits_of
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.strategy.places import owned_things
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.tree import Does, Formula, Holds, Not, conjunction, disjunction

_MOST_WAYS = 1000
_MOST_JOINED = 10 * _MOST_WAYS
_MOST_WORK = 200 * _MOST_WAYS
"""The most alternatives that are compared in all."""
_LONGEST = 8
"""The most fluents of a way; what needs more is not a line that people see."""

Way = frozenset[Function]
_Cube = frozenset[Literal]

_KNOWN: Attached[CompiledGame, dict[Role, tuple[Way, ...]]] = Attached()
_OPEN: Attached[CompiledGame, dict[tuple[Role, int], tuple[Formula, ...]]] = Attached()


def ways_to_win(game: CompiledGame, role: Role) -> tuple[Way, ...]:
    """Return the ways to win by things that the role itself owns; none if there are too many.

    >>> from kibitz.games import load_sheet
    >>> len(ways_to_win(CompiledGame(load_sheet("tictactoe")), "xplayer"))
    8
    """
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        owned = {thing for things in owned_things(game, role).values() for thing in things}
        cubes: list[_Cube] = []
        for value, literal in game.network.goals[game.roles.index(role)]:
            if value == 100:
                found = _Unfolding(game.network).of(literal)
                if found is None:  # What must not be may be said in too many ways.
                    found = _Unfolding(game.network, asks_absence=False).of(literal)
                cubes += found or []
        fluents = game.network.fluents
        ways = {
            frozenset(fluents[(literal >> 1) - 1] for literal in cube if not literal & 1)
            for cube in cubes
        }
        fitting = all(way and len(way) <= _LONGEST and way <= owned for way in ways)
        known[role] = tuple(sorted(ways, key=lambda way: sorted(map(str, way)))) if fitting else ()
    return known[role]


def open_ways(game: CompiledGame, role: Role, missing: int) -> tuple[Formula, ...]:
    """Return a formula for each way to win that lacks so many things and is still open.

    It is open where the places of what it lacks hold nothing of any role.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(open_ways(game, "xplayer", 1))
    8
    """
    known = _OPEN.setdefault(game, {})
    if (role, missing) not in known:
        taken = things_at(game)
        known[role, missing] = tuple(
            disjunction(
                conjunction(
                    [
                        *map(Holds, sorted(way - set(lacking), key=str)),
                        *(Not(Holds(thing)) for lacked in lacking for thing in taken[lacked]),
                    ]
                )
                for lacking in combinations(sorted(way, key=str), missing)
            )
            for way in ways_to_win(game, role)
            if len(way) > missing
        )
    return known[role, missing]


def chances_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how much a role has of its ways to win that are open, a thing once for each of them.

    A way is open where nothing else stands in its places. None if no way needs several things.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> state = game.initial().play("(mark 2 2)")
    >>> number_in(chances_of(game, "xplayer"), state.fluents)
    4
    """
    taken = things_at(game)
    place: dict[Function, int] = {}
    table: list[int] = []
    for way in ways_to_win(game, role):
        for thing in sorted(way, key=str) if len(way) > 1 else ():
            others = [x for lacked in way - {thing} for x in taken[lacked] if x != lacked]
            table.append(2 * place.setdefault(thing, len(place)))
            table += [2 * place.setdefault(x, len(place)) + 1 for x in sorted(others, key=str)]
            table.append(-1)
    return Number("cases", tuple(place.items()), table=tuple(table)) if table else None


def things_at(game: CompiledGame) -> dict[Function, list[Function]]:
    """Return for each thing that a role owns all that can be in its place, itself too."""
    at: dict[tuple[object, ...], list[Function]] = {}
    where: dict[Function, tuple[object, ...]] = {}
    for role in game.roles:
        for (name, arity, k), things in owned_things(game, role).items():
            for thing in things:
                where[thing] = (name, arity, k, thing.args[:k], thing.args[k + 1 :])
                at.setdefault(where[thing], []).append(thing)
    return {thing: at[key] for thing, key in where.items()}


class _Unfolding:
    """Unfolds literals of a network into alternatives of inputs, or of those that must hold."""

    def __init__(self, network: Network, *, asks_absence: bool = True) -> None:
        self.network, self.asks_absence = network, asks_absence

    def of(self, literal: Literal) -> list[_Cube] | None:
        """Return the alternatives of a literal, or None if there are too many."""
        first, gates = self.network.first_gate, self.network.gates
        known: dict[Literal, list[_Cube]] = {0: [], 1: [frozenset()]}
        stack = [literal]
        work = 0
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top >> 1 < first:
                asked = self.asks_absence or not top & 1
                known[top] = [frozenset([top] if asked else [])]
                continue
            flip = top & 1
            parts = [part ^ flip for part in gates[(top >> 1) - first]]
            waiting = [part for part in parts if part not in known]
            if waiting:
                stack += waiting
                continue
            one, other = (known[part] for part in parts)
            if flip:
                found = [*one, *other]
            elif len(one) * len(other) > _MOST_JOINED:
                return None
            else:
                found = [a | b for a in one for b in other if not any(x ^ 1 in b for x in a)]
            work += len(found)
            known[top] = _smallest(found)
            if len(known[top]) > _MOST_WAYS or work > _MOST_WORK:
                return None
        return known[literal]


def _smallest(cubes: list[_Cube]) -> list[_Cube]:
    """Return the alternatives that no other one includes, or one more than may be used."""
    kept: list[_Cube] = []
    for cube in sorted(set(cubes), key=lambda cube: (len(cube), sorted(cube))):
        if not any(other <= cube for other in kept):
            kept.append(cube)
            if len(kept) > _MOST_WAYS:
                break
    return kept


_MOST_STEPS = 15
"""What needs more, or cannot be had any more, counts as so many."""
_MOST_NODES = 20_000

_STEPS: Attached[CompiledGame, dict[Role, Number | None]] = Attached()


def goal_steps(game: CompiledGame, role: Role) -> Number | None:
    """Return how many things of its own a role lacks at least; None if that says nothing.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("hex:4"))
    >>> number_in(goal_steps(game, "red"), game.initial().fluents)
    4
    """
    known = _STEPS.setdefault(game, {})
    if role not in known:
        known[role] = _steps(game, role)
    return known[role]


def goal_region(game: CompiledGame, role: Role) -> set[int]:
    """Return the fluents of the cheapest ways to the goal, by their numbers; none if that is much.

    Ways that need nothing, but that others lack something, do not count.

    >>> from kibitz.games import load_sheet
    >>> len(goal_region(CompiledGame(load_sheet("breakthrough:5x4")), "white"))
    4
    """
    found = _goal_circuit(game, role)
    if found is None:
        return set()
    asked, made = found
    prices = made.prices()
    alternatives = dict.fromkeys(asked)
    stack = list(asked)
    while stack:
        top = stack.pop()
        if top & 1:
            stack += [part for part in made.nodes[top] if part not in alternatives]
            alternatives |= dict.fromkeys(made.nodes[top])
    ends = [one for one in alternatives if not (one & 1 and made.nodes[one]) and prices[one]]
    cheapest = min((prices[one] for one in ends), default=0)
    stack = [one for one in ends if prices[one] == cheapest < math.inf]
    reached = set(stack)
    while stack:
        top = stack.pop()
        parts = [part for part in made.nodes[top] if prices[part]]
        if top & 1:
            parts = [part for part in parts if prices[part] == prices[top]]
        stack += [part for part in parts if part not in reached]
        reached.update(parts)
    return {(one >> 1) - 1 for one in reached if not made.nodes[one]}


def _steps(game: CompiledGame, role: Role) -> Number | None:
    network = game.network
    owned = {thing for things in owned_things(game, role).values() for thing in things}
    index = {fluent: i for i, fluent in enumerate(network.fluents)}
    places = {index[thing]: others for thing, others in things_at(game).items() if thing in index}
    circuit = _goal_circuit(game, role)
    if circuit is None:
        return None
    asked, made = circuit
    leaves = {input_: n for n, input_ in enumerate(made.leaves)}
    if not leaves or not all(network.fluents[i] in owned for i in leaves):
        return None
    things = []
    for input_, n in leaves.items():
        own = network.fluents[input_]
        things.append((own, 2 * n))
        things += [(other, 2 * n + 1) for other in places[input_] if other != own]
    return Number(
        "steps",
        things=tuple(things),
        constant=_MOST_STEPS,
        table=made.table(asked, leaves),
    )


def goal_inputs(game: CompiledGame, role: Role) -> set[Function]:
    """Return the fluents that any goals of a role ask for; none if that is much.

    >>> from kibitz.games import load_sheet
    >>> len(goal_inputs(CompiledGame(load_sheet("tictactoe")), "xplayer"))
    18
    """
    network = game.network
    made = _Circuit(network.first_gate, network.gates)
    for _, literal in network.goals[game.roles.index(role)]:
        made.add(literal)
        if len(made.nodes) > _MOST_NODES:
            return set()
    return {network.fluents[number] for number in made.leaves}


def _goal_circuit(game: CompiledGame, role: Role) -> tuple[list[Literal], _Circuit] | None:
    """Return the literals of a role's goal of 100, and what they ask for; None if that is much."""
    network = game.network
    asked = [literal for value, literal in network.goals[game.roles.index(role)] if value == 100]
    made = _Circuit(network.first_gate, network.gates)
    for literal in asked:
        made.add(literal)
        if len(made.nodes) > _MOST_NODES:
            return None
    return asked, made


class _Circuit:
    """Nodes of a network as alternatives and sums of what must hold."""

    def __init__(self, first: int, gates: Sequence[tuple[Literal, Literal]]) -> None:
        self.first, self.gates = first, gates
        self.leaves: dict[int, None] = {}
        self.nodes: dict[Literal, tuple[int, ...]] = {}

    def add(self, literal: Literal) -> None:
        """Add what a literal depends on, parts before what is made of them."""
        stack = [literal]
        while stack:
            top = stack[-1]
            if top in self.nodes or len(self.nodes) > _MOST_NODES:
                stack.pop()
                continue
            node = top >> 1
            if node < self.first:
                self.nodes[top] = ()
                if not top & 1 and node:
                    self.leaves[node - 1] = None
                stack.pop()
                continue
            parts = [part ^ (top & 1) for part in self.gates[node - self.first]]
            waiting = [part for part in parts if part not in self.nodes]
            if waiting:
                stack += waiting
            else:
                self.nodes[top] = tuple(parts)
                stack.pop()

    def prices(self) -> dict[Literal, float]:
        """Return how many things that must hold each literal needs at least."""
        found: dict[Literal, float] = {}
        for literal, parts in self.nodes.items():
            if parts:
                one, other = (found[part] for part in parts)
                found[literal] = min(one, other) if literal & 1 else one + other
            elif literal >> 1 == 0:
                found[literal] = 0 if literal & 1 else math.inf
            else:
                found[literal] = 1 - (literal & 1)
        return found

    def table(self, roots: list[Literal], leaves: dict[int, int]) -> tuple[int, ...]:
        """Write it as one step after another: alternatives (1) or a sum (0) of two places.

        Places are the leaves, then 0, then what cannot be, and then the steps.
        """
        count = len(leaves)
        free, never = count, count + 1
        place: dict[Literal, int] = {}
        steps: dict[tuple[int, int, int], int] = {}

        def joined(kind: int, a: int, b: int) -> int:
            a, b = min(a, b), max(a, b)
            if a == b and kind:
                return a
            if kind:  # the cheaper one
                if free in (a, b):
                    return free
                if never in (a, b):
                    return b if a == never else a
            else:
                if never in (a, b):
                    return never
                if free in (a, b):
                    return b if a == free else a
            return steps.setdefault((kind, a, b), count + 2 + len(steps))

        for literal, parts in self.nodes.items():
            node = literal >> 1
            if parts:
                place[literal] = joined(literal & 1, *(place[part] for part in parts))
            elif node == 0:
                place[literal] = free if literal & 1 else never
            else:
                place[literal] = free if literal & 1 else leaves[node - 1]
        root = never
        for literal in roots:
            root = joined(1, root, place[literal])
        return (root, *(x for step in steps for x in step))


_MOST_BITS = 1 << 32
"""The most gates times moves that are looked at."""
_AT_ONCE = 512
"""Moves that are looked at together."""
_MOST_LITERALS = 2_000_000
"""The most literals in what moves ask for."""
_FEWEST_MOVES = 2
"""The fewest moves that the farthest place is away: where all are near, nothing is said."""

_Edges = set[tuple[int, Function, Function]]
"""Moves by their numbers, the things that they take away, and what they bring."""

_Way = tuple[tuple[tuple[Function, int], ...], tuple[Function, ...]]
"""Things with how far they are on their way, and the moves that bring one farther."""

_GOAL_WAYS: Attached[CompiledGame, dict[Role, _Way]] = Attached()


def progress_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how far all things of a role are on the way to its goal, added up; None if none is.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:5x4"))
    >>> number_in(progress_of(game, "white"), game.initial().fluents)
    4
    """
    things, _ = _way_of(game, role)
    return Number("sum", things) if things else None


def foremost_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how far the thing of a role that is farthest on its way is; None if none is.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:5x4"))
    >>> number_in(foremost_of(game, "white"), game.initial().fluents)
    1
    """
    things, _ = _way_of(game, role)
    return Number("largest", things) if things else None


def moves_nearer(game: CompiledGame, role: Role) -> tuple[Function, ...]:
    """Return the moves of a role that bring a thing nearer to its goal.

    >>> from kibitz.games import load_sheet
    >>> len(moves_nearer(CompiledGame(load_sheet("breakthrough:5x4")), "white"))
    40
    """
    return _way_of(game, role)[1]


def _way_of(game: CompiledGame, role: Role) -> _Way:
    known = _GOAL_WAYS.setdefault(game, {})
    if role not in known:
        known[role] = _find(game, role)
    return known[role]


def _find(game: CompiledGame, role: Role) -> _Way:
    network = game.network
    region = {network.fluents[number] for number in goal_region(game, role)}
    owned = {
        one: [fluent for things in owned_things(game, one).values() for fluent in things]
        for one in game.roles
    }
    region &= set(owned[role])
    edges = _carrying_moves(network, network.roles.index(role), owned, role) if region else set()
    away = _moves_away(region, edges)
    farthest = max(away.values(), default=0)
    if farthest < _FEWEST_MOVES:
        return (), ()
    found = [(fluent, farthest - far) for fluent, far in away.items() if far < farthest]
    moves = network.moves[network.roles.index(role)]
    nearer = {
        move for move, start, end in edges if away.get(start, farthest) > away.get(end, farthest)
    }
    return (
        tuple(sorted(found, key=lambda pair: str(pair[0]))),
        tuple(moves[number] for number in sorted(nearer)),
    )


def _moves_away(region: set[Function], edges: _Edges) -> dict[Function, int]:
    """Return how many moves things are away from a region, of those from which it is reached."""
    before: dict[Function, list[Function]] = {}
    for _, start, end in edges:
        before.setdefault(end, []).append(start)
    away = dict.fromkeys(region, 0)
    reached = list(region)
    for here in reached:
        for start in before.get(here, ()):
            if start not in away:
                away[start] = away[here] + 1
                reached.append(start)
    return away


def _carrying_moves(
    network: Network, who: int, owned: Mapping[Role, list[Function]], role: Role
) -> _Edges:
    """Return what moves of a role carry from where to where; nothing if there is much to look at.

    A move is looked at in all states at once that have no things but those it asks for: a node may
    be 1, or may be 0, or both.
    """
    if len(network.gates) * len(network.moves[who]) > _MOST_BITS:
        return set()
    asked = _asked_for(network, network.legal[who])
    index = {fluent: i for i, fluent in enumerate(network.fluents)}
    unless = {hidden.fluent: hidden.unless for hidden in network.hidden}
    every = {index[fluent] for things in owned.values() for fluent in things if fluent in index}
    edges: _Edges = set()
    for start in range(0, len(asked), _AT_ONCE):
        part = dict(list(asked.items())[start : start + _AT_ONCE])
        moves = _Moves(network, who, part, every)
        leaving: dict[int, list[Function]] = {}
        arriving: dict[int, list[Function]] = {}
        for fluent in owned[role]:
            if fluent in index:
                before, gone, there = moves.shown(index[fluent])
            else:
                before, gone, there = moves.hidden(unless[fluent])
            for bit in bits_of(before & gone & moves.legal):
                leaving.setdefault(bit, []).append(fluent)
            for bit in bits_of(~before & there & moves.legal):
                arriving.setdefault(bit, []).append(fluent)
        numbers = list(part)
        edges |= {
            (numbers[bit], a, b)
            for bit, starts in leaving.items()
            for a in starts
            for b in arriving.get(bit, ())
        }
    return edges


class _Moves:
    """Possible truth values of every node under some moves of a role, as bitsets over these moves.

    `asked` are the inputs that each move needs, `things` those that do not hold where they are not
    needed. Roles that can wait do.
    """

    def __init__(
        self,
        network: Network,
        who: int,
        asked: Mapping[int, frozenset[Literal]],
        things: set[int],
    ) -> None:
        self.network, self.ones = network, (1 << len(asked)) - 1
        ones = self.ones
        self.needed, self.denied = [0] * len(network.fluents), [0] * len(network.fluents)
        for bit, literals in enumerate(asked.values()):
            for literal in literals:
                (self.denied if literal & 1 else self.needed)[(literal >> 1) - 1] |= 1 << bit
        self.may_be = [[ones], [0]]
        """By what a node may be: for which moves."""
        for i, needed in enumerate(self.needed):
            self._add(ones ^ needed, needed if i in things else ones ^ self.denied[i])
        for index, moves in enumerate(network.moves):
            waiting = [n for n, move in enumerate(moves) if not move.args]
            for n in range(len(moves)):
                made = ones if waiting == [n] else 0
                if index == who:
                    made = sum(1 << bit for bit, move in enumerate(asked) if move == n)
                elif len(waiting) != 1:
                    self._add(ones, ones)
                    continue
                self._add(ones ^ made, made)
        for a, b in network.gates:
            self._add(self.may(a, 0) | self.may(b, 0), self.may(a, 1) & self.may(b, 1))
        self.legal = 0
        for bit, move in enumerate(asked):
            self.legal |= self.may(network.legal[who][move], 1) & 1 << bit

    def _add(self, may_be_0: int, may_be_1: int) -> None:
        self.may_be[0].append(may_be_0)
        self.may_be[1].append(may_be_1)

    def may(self, literal: Literal, value: int) -> int:
        """Return for which moves a literal may have a value."""
        return self.may_be[value ^ (literal & 1)][literal >> 1]

    def shown(self, number: int) -> tuple[int, int, int]:
        """Return for which moves a fluent is needed, does not hold afterwards, and does."""
        after = self.network.next[number]
        ones = self.ones
        return self.needed[number], ones ^ self.may(after, 1), ones ^ self.may(after, 0)

    def hidden(self, unless: tuple[int, ...]) -> tuple[int, int, int]:
        """Return the same of a fluent that holds exactly when none of some others does."""
        before, gone, there = self.ones, 0, self.ones
        for number in unless:
            _, other_gone, other_there = self.shown(number)
            before &= self.denied[number]
            gone |= other_there
            there &= other_gone
        return before, gone, there


def _asked_for(network: Network, literals: Sequence[Literal]) -> dict[int, frozenset[Literal]]:
    """Return the inputs that must hold, or not, wherever a literal does, of those that ever do.

    Nothing where there is too much to look at.
    """
    first = network.first_gate
    known: dict[Literal, frozenset[Literal] | None] = {0: None, 1: frozenset()}
    work = 0
    for literal in literals:
        stack = [literal]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top >> 1 < first:
                known[top] = frozenset([top])
                continue
            is_either = top & 1
            parts = [part ^ is_either for part in network.gates[(top >> 1) - first]]
            waiting = [part for part in parts if part not in known]
            if waiting:
                stack += waiting
                continue
            one, other = (known[part] for part in parts)
            if one is None or other is None:
                known[top] = (other if one is None else one) if is_either else None
            else:
                known[top] = one & other if is_either else one | other
            work += len(known[top] or ())
            if work > _MOST_LITERALS:
                return {}
    found = {number: known[literal] for number, literal in enumerate(literals)}
    return {number: needs for number, needs in found.items() if needs is not None}


_MOST_MOVES = 2000
"""The most moves of a role whose places are looked at."""
_SMALLEST = 3
"""The fewest rows and columns of a board whose edge is not all of it."""

PLACE_KINDS: dict[str, str] = {
    "corner": "to a corner",
    "edge": "to the edge",
    "beside_corner": "beside a corner",
    "beside_edge": "next to the edge",
    "nearer": "nearer to the goal",
}
"""Kinds of places by their names, and where a move goes in words."""

_IS_OF: dict[str, Callable[[int, int], bool]] = {
    "corner": lambda across, down: across == down == 0,
    "edge": lambda across, down: min(across, down) == 0,
    "beside_corner": lambda across, down: max(across, down) == 1,
    "beside_edge": lambda across, down: min(across, down) == 1,
}
"""Whether a cell is of a kind, by its steps to the nearest side, across and down."""

_KINDS: Attached[CompiledGame, dict[Role, dict[str, tuple[Function, ...]]]] = Attached()


def goes_to(game: CompiledGame, role: Role, kind: str) -> Formula:
    """Return the formula that a move of a role goes to a place of a kind; false if none does.

    >>> from kibitz.games import load_sheet
    >>> len(goes_to(CompiledGame(load_sheet("mnk:5,5,4")), "xplayer", "beside_corner").parts)
    12
    """
    return disjunction(Does(role, move) for move in kinds_of_places(game, role).get(kind, ()))


def kinds_of_places(game: CompiledGame, role: Role) -> dict[str, tuple[Function, ...]]:
    """Return the kinds of places to which some moves of a role go and others do not."""
    known = _KINDS.setdefault(game, {})
    if role not in known:
        known[role] = _kinds(game, role)
    return known[role]


def _kinds(game: CompiledGame, role: Role) -> dict[str, tuple[Function, ...]]:
    moves = game.network.moves[game.roles.index(role)]
    if len(moves) > _MOST_MOVES:
        return {}
    found = _kinds_on_board(game, moves)
    nearer = moves_nearer(game, role)
    if 0 < len(nearer) < sum(bool(move.args) for move in moves):
        found["nearer"] = nearer
    return found


def _kinds_on_board(
    game: CompiledGame, moves: Sequence[Function]
) -> dict[str, tuple[Function, ...]]:
    try:
        layout = layout_of(game)
    except KibitzError:
        return {}
    steps = [_steps_to_sides(board) for board in layout.boards]
    found: dict[str, list[Function]] = {kind: [] for kind in _IS_OF}
    placed = 0
    for move in moves:
        gesture = layout.gesture(move)
        if not gesture.cells or (gesture.kind != "drag" and len(gesture.cells) > 1):
            continue
        end = gesture.cells[-1]
        if end.cell in steps[end.board]:
            placed += 1
            for kind, is_of in _IS_OF.items():
                if is_of(*steps[end.board][end.cell]):
                    found[kind].append(move)
    return {kind: tuple(there) for kind, there in found.items() if 0 < len(there) < placed}


def _steps_to_sides(board: Board) -> dict[int, tuple[int, int]]:
    """Return how far each cell is from the nearest side, across and down, in steps."""
    columns = sorted({round(cell.x, 2) for cell in board.cells})
    rows = sorted({round(cell.y, 2) for cell in board.cells})
    if board.kind != "grid" or min(len(rows), len(columns)) < _SMALLEST:
        return {}

    def steps(at: float, line: list[float]) -> int:
        place = line.index(round(at, 2))
        return min(place, len(line) - 1 - place)

    return {
        number: (steps(cell.x, columns), steps(cell.y, rows))
        for number, cell in enumerate(board.cells)
    }
