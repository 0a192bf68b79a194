"""Prove whose turn it is from the network: values of fluents that hold when a role chooses.

Where play alternates, some fluents say whose turn it is: with certain values of them the others
have one move at most, and with all other values the role itself has. Then gates need be right for
what those values have in common only.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Game, Literal, Network, Role, State
from kibitz.gdl import Function

__all__ = ["own_moves", "turn_literals"]

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
    choosing = _several(network, cases, role)
    numbers = iter(range(len(cases)))
    found = []
    for group in groups:
        chosen = [case for case in group if choosing >> next(numbers) & 1]
        shared = set.intersection(*(set(case.items()) for case in chosen)) if chosen else set()
        if shared:
            found.append(dict(sorted(shared)))
    others = [who for who in range(len(network.roles)) if who != role]
    several = [_several(network, found, who) for who in others]
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


def _several(network: Network, cases: list[dict[int, bool]], role: int) -> int:
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
