"""Determine the roles that have the turn from the legal moves of all roles.

All code of Kibitz that judges moves by strategies uses this definition:

- It is the turn of each role that has more than one legal move.
- Where no role has, it is the turn of those whose only move is a *choice*: in some reachable state
    it is one of several legal moves of a role. Other moves, such as `noop`, are waiting.
- Where all wait, it is every role's turn.
- Where play has ended, or a role has no legal move, it is no role's turn.

Where play alternates, some fluents say whose turn it is: with certain values of them the others
have one move at most, and with all other values the role itself has. Then gates need be right for
what those values have in common only.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import product

import numpy as np

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Game, Literal, Move, Network, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.space.exploration import Limits, list_space
from kibitz.space.space import StateSpace

MOST_STATES = 100_000
"""How many states of a compiled game are searched for choices, and how many of other games."""
_GATES = 5_000
"""Gates up to which that many are searched. In larger games a state takes longer and has more
moves: they are fewer by the square, but not fewer than of other games.
"""
MOST_SLOW_STATES = 1_000
_MATCHES = 20
_LONGEST = 500

_CHOICES: Attached[Game, frozenset[Move]] = Attached()


def roles_to_move(
    legal: Mapping[Role, Sequence[Move]], choices: Collection[Move]
) -> tuple[Role, ...]:
    """Return the roles that have the turn in a state that is not terminal.

    >>> from kibitz.gdl import parse_terms
    >>> noop, mark = parse_terms("noop (mark 1)")
    >>> roles_to_move({"x": (noop,), "o": (mark,)}, {mark})
    ('o',)
    """
    if not all(legal.values()):
        return ()
    several = tuple(role for role, moves in legal.items() if len(moves) > 1)
    return several or (
        tuple(role for role, (move,) in legal.items() if move in choices) or tuple(legal)
    )


def turns_at(state: State) -> tuple[Role, ...]:
    """Return the roles that have the turn in a state.

    >>> from kibitz.games import load_sheet
    >>> turns_at(CompiledGame(load_sheet("tictactoe")).initial())
    ('xplayer',)
    """
    if state.is_terminal:
        return ()
    legal = {role: state.legal(role) for role in state.game.roles}
    is_forced = len(legal) > 1 and all(len(moves) == 1 for moves in legal.values())
    return roles_to_move(legal, choices_of(state.game) if is_forced else ())


def choices_on(space: StateSpace) -> frozenset[Move]:
    """Return the moves that are one of several legal moves of a role somewhere in a space.

    >>> from kibitz.games import load_sheet
    >>> space = list_space(CompiledGame(load_sheet("nim:1")), Limits())
    >>> choices_on(space)
    frozenset()
    """
    found: set[Move] = set()
    sizes = np.diff(space.first_edge)
    source = np.repeat(np.arange(len(space)), sizes)
    inner = np.flatnonzero(sizes)
    for index in range(len(space.game.roles)):
        moves = list(dict.fromkeys(joint[index] for joint in space.joint_moves))
        number = {move: i for i, move in enumerate(moves)}
        by_action = np.array([number[joint[index]] for joint in space.joint_moves], dtype=np.int32)
        made = by_action[space.action]
        if not len(made):
            continue
        starts = space.first_edge[inner]
        several = np.zeros(len(space), dtype=bool)
        several[inner] = np.minimum.reduceat(made, starts) != np.maximum.reduceat(made, starts)
        chosen = {moves[i] for i in np.unique(made[several[source]])}
        found |= space.symmetries.move_orbit(index, chosen) if space.symmetries else chosen
    return frozenset(found)


def choices_of(game: Game) -> frozenset[Move]:
    """Return the moves of a game that are one of several somewhere, found once.

    Where a game has too many states, only those found in the first states and in some random
    matches count.
    """
    if game not in _CHOICES:
        if isinstance(game, CompiledGame):
            try:
                space = list_space(game, Limits(states=few_states(game)))
                found, is_whole = choices_on(space), space.is_complete
            except InputError:  # a state has too many joint moves
                found, is_whole = frozenset[Move](), False
        else:
            found, is_whole = _first_choices(game)
        _CHOICES[game] = found if is_whole else found | _choices_in_matches(game)
    return _CHOICES[game]


def few_states(game: CompiledGame) -> int:
    """Return how many states are listed to find out something about all matches of a game.

    >>> from kibitz.games import load_sheet
    >>> few_states(CompiledGame(load_sheet("tictactoe")))
    100000
    """
    gates = max(_GATES, len(game.network.gates))
    return max(MOST_SLOW_STATES, MOST_STATES * _GATES**2 // gates**2)


def _several(state: State) -> set[Move]:
    legal = [state.legal(role) for role in state.game.roles]
    if state.is_terminal or not all(legal):
        return set()
    return {move for moves in legal if len(moves) > 1 for move in moves}


def _first_choices(game: Game) -> tuple[frozenset[Move], bool]:
    """Go through the nearest states; return also whether these are all."""
    found: set[Move] = set()
    seen = {game.initial()}
    queue = deque(seen)
    while queue:
        state = queue.popleft()
        found |= _several(state)
        if state.is_terminal:
            continue
        for joint in product(*(state.legal(role) for role in game.roles)):
            after = game.successor(state.key, joint)
            if after not in seen:
                if len(seen) == MOST_SLOW_STATES:
                    return frozenset(found), False
                seen.add(after)
                queue.append(after)
    return frozenset(found), True


def _choices_in_matches(game: Game) -> frozenset[Move]:
    source = random.Random(1)
    found: set[Move] = set()
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            found |= _several(state)
            state = game.successor(state.key, tuple(map(source.choice, legal)))
    return frozenset(found)


_LARGEST_ROW = 8
_MOST_INPUTS = 12
"""How many fluents a row has, and how many inputs are tried in all combinations."""


def turn_literals(network: Network, role: int) -> dict[int, bool]:
    """Return values of fluents that hold wherever a role has several moves; perhaps none.

    Given these, each of the other roles has one move at most.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> network = CompiledGame(load_sheet("tictactoe")).network
    >>> for role in (0, 1):
    ...     found = turn_literals(network, role)
    ...     print([(str(network.fluents[i]), value) for i, value in found.items()])
    [('(control xplayer)', True)]
    [('(control xplayer)', False)]
    """
    groups = [_whole(hidden.unless) for hidden in network.hidden]
    groups += [[{i: i == one for i in row} for one in row] for row in _exact_rows(network)]
    groups += [[{i: True}, {i: False}] for i in range(len(network.fluents))]
    cases = [case for group in groups for case in group]
    choosing = _choosing_in(network, cases, role)
    numbers = iter(range(len(cases)))
    found = []
    for group in groups:
        chosen = [case for case in group if choosing >> next(numbers) & 1]
        shared = set.intersection(*(set(case.items()) for case in chosen)) if chosen else set()
        if shared:
            found.append(dict(sorted(shared)))
    others = [who for who in range(len(network.roles)) if who != role]
    several = [_choosing_in(network, found, who) for who in others]
    for number, case in enumerate(found):
        if not any(mask >> number & 1 for mask in several):
            return case
    return {}


_ALTERNATION: Attached[Game, tuple[Function, bool] | None] = Attached()


def own_moves(state: State, role: Role, plies: int) -> int | None:
    """Return how many of the next plies are a role's turns; None unless two provably alternate.

    >>> from kibitz.games import load_sheet
    >>> start = CompiledGame(load_sheet("nim:1,2")).initial()
    >>> own_moves(start, "player1", 3), own_moves(start, "player2", 3)
    (2, 1)
    """
    game = state.game
    if game not in _ALTERNATION:
        _ALTERNATION[game] = _alternation(game) if isinstance(game, CompiledGame) else None
    found = _ALTERNATION[game]
    if found is None:
        return None
    fluent, value = found
    begins = game.roles[(fluent in state.fluents) != value] == role
    return (plies + begins) // 2


def _alternation(game: CompiledGame) -> tuple[Function, bool] | None:
    """Return a fluent that changes with each move, and its value at the first role's turns."""
    network = game.network
    if len(game.roles) != 2:
        return None
    first, second = (turn_literals(network, role) for role in (0, 1))
    for index, value in first.items():
        if second.get(index) == (not value) and network.next[index] == 3 + 2 * index:
            return network.fluents[index], value
    return None


def _whole(unless: Sequence[int]) -> list[dict[int, bool]]:
    """List the values of fluents of which at most one holds."""
    return [{i: i == one for i in unless} for one in (*unless, -1)]


def _exact_rows(network: Network) -> list[tuple[int, ...]]:
    """Find fluents of one argument of which exactly one holds, in all states.

    They have one name, or each is about a role, as where a turn has several parts. That is proved
    by induction where their next values depend on few inputs.
    """
    rows: dict[str, list[int]] = {}
    of_roles: list[int] = []
    for index, fluent in enumerate(network.fluents):
        if len(fluent.args) == 1:
            rows.setdefault(fluent.name, []).append(index)
            if str(fluent.args[0]) in network.roles:
                of_roles.append(index)
    if of_roles not in rows.values():
        rows[""] = of_roles
    return [
        tuple(row)
        for row in rows.values()
        if 2 <= len(row) <= _LARGEST_ROW
        and sum(network.initial[i] for i in row) == 1
        and _is_kept(network, row)
    ]


def _is_kept(network: Network, row: list[int]) -> bool:
    """Return whether exactly one of a row holds next wherever exactly one holds, in all cases."""
    cone: set[int] = set()
    stack = [network.next[i] >> 1 for i in row]
    inputs = {1 + i for i in row}
    while stack:
        node = stack.pop()
        if 0 < node < network.first_gate:
            inputs.add(node)
            if len(inputs) > _MOST_INPUTS:
                return False
        elif node and node not in cone:
            cone.add(node)
            stack += [literal >> 1 for literal in network.gates[node - network.first_gate]]
    ones = (1 << (1 << len(inputs))) - 1
    values = {0: 0}
    for place, node in enumerate(sorted(inputs)):
        period = (1 << (1 << place)) - 1 << (1 << place)
        values[node] = sum(period << at for at in range(0, 1 << len(inputs), 2 << place))

    def value(literal: Literal) -> int:
        return values[literal >> 1] ^ (ones if literal & 1 else 0)

    for node in sorted(cone):
        a, b = network.gates[node - network.first_gate]
        values[node] = value(a) & value(b)
    before = _exactly_one([values[1 + i] for i in row])
    return not before & ~_exactly_one([value(network.next[i]) for i in row])


def _exactly_one(masks: Sequence[int]) -> int:
    one = two = 0
    for mask in masks:
        two |= one & mask
        one |= mask
    return one & ~two


def _choosing_in(network: Network, cases: list[dict[int, bool]], role: int) -> int:
    """Return in which cases a role may have several moves: a bit for each."""
    ones = (1 << len(cases)) - 1
    may = [0, *[ones] * (2 * network.first_gate - 1)]
    """By literals, in which cases they may be true."""
    for number, case in enumerate(cases):
        for fluent, value in case.items():
            may[2 * (1 + fluent) + value] &= ~(1 << number)
    for a, b in network.gates:
        may += (may[a] & may[b], may[a ^ 1] | may[b ^ 1])
    one = two = 0
    for literal in network.legal[role]:
        two |= one & may[literal]
        one |= may[literal]
    return two
