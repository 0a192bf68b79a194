"""A network in; out what is known of the state when a role chooses: whose turn it is, as literals.

Where play alternates, some fluents say whose turn it is: with certain values of them the others
have one move at most, and with all other values the role itself has. Then gates need be right for
those values only.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import Literal, Network

__all__ = ["turn_literals"]


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
    groups += [[{i: True}, {i: False}] for i in range(len(network.fluents))]
    cases = [case for group in groups for case in group]
    choosing = [_several(network, cases, who) for who in range(len(network.roles))]
    others = 0
    for who, mask in enumerate(choosing):
        others |= 0 if who == role else mask
    first = 0
    for group in groups:
        numbers = range(first, first + len(group))
        first += len(group)
        chosen = [n for n in numbers if choosing[role] >> n & 1]
        if len(chosen) == 1 and not others >> chosen[0] & 1:
            return cases[chosen[0]]
    return {}


def _whole(unless: Sequence[int]) -> list[dict[int, bool]]:
    """List the values of fluents of which at most one holds."""
    return [{i: i == one for i in unless} for one in (*unless, -1)]


def _several(network: Network, cases: list[dict[int, bool]], role: int) -> int:
    """Return in which cases a role may have several moves: a bit for each."""
    ones = (1 << len(cases)) - 1
    may = [[ones, 0]] + [[ones, ones] for _ in range(network.first_gate - 1)]
    for number, case in enumerate(cases):
        for fluent, value in case.items():
            may[1 + fluent][not value] &= ~(1 << number)
    # may[node] has the cases in which it may be false, and those in which it may be true.

    def true(literal: Literal) -> int:
        return may[literal >> 1][1 ^ (literal & 1)]

    for a, b in network.gates:
        may.append([true(a ^ 1) | true(b ^ 1), true(a) & true(b)])
    one = two = 0
    for literal in network.legal[role]:
        two |= one & true(literal)
        one |= true(literal)
    return two
