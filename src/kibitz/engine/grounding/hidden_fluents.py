"""Hide one fluent of each small exact group: it holds exactly when none of the others does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kibitz.engine.grounding.exclusive_groups import Group
from kibitz.engine.grounding.network import FALSE, Builder, Hidden, Literal, Network

__all__ = ["hide"]

_LARGEST = 4
"""Deriving a fluent from more than three others costs more than keeping it."""


def hide(network: Network, groups: Iterable[Group]) -> Network:
    """Rebuild a network with fewer fluents.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> print(ground(load_sheet("tictactoe")).network.hidden[0].fluent)
    (cell 1 1 b)
    """
    hidden = _choose(network, groups)
    if not hidden:
        return network
    kept = [i for i in range(len(network.fluents)) if i not in hidden]
    new_index = {old: new for new, old in enumerate(kept)}
    moves = network.first_gate - network.first_move
    builder = Builder(len(kept) + moves)
    literal: list[Literal] = [FALSE] * (network.first_gate + len(network.gates))
    for old, new in new_index.items():
        literal[1 + old] = 2 * (1 + new)
    for index in range(moves):
        literal[network.first_move + index] = 2 * (1 + len(kept) + index)
    for old, others in hidden.items():
        literal[1 + old] = builder.any(literal[1 + i] for i in others) ^ 1

    def renewed(lit: Literal) -> Literal:
        return literal[lit >> 1] ^ (lit & 1)

    for index, (a, b) in enumerate(network.gates):
        literal[network.first_gate + index] = builder.both(renewed(a), renewed(b))
    return replace(
        network,
        fluents=tuple(network.fluents[i] for i in kept),
        initial=tuple(network.initial[i] for i in kept),
        gates=tuple(builder.gates),
        legal=tuple(tuple(map(renewed, literals)) for literals in network.legal),
        next=tuple(renewed(network.next[i]) for i in kept),
        terminal=renewed(network.terminal),
        goals=tuple(tuple((v, renewed(lit)) for v, lit in values) for values in network.goals),
        hidden=tuple(
            Hidden(network.fluents[old], tuple(new_index[i] for i in others))
            for old, others in hidden.items()
        ),
    )


def _choose(network: Network, groups: Iterable[Group]) -> dict[int, tuple[int, ...]]:
    """Choose, in each exact group that is small, the fluent whose next value is made last.

    Groups may overlap; a fluent that another one is derived from is not hidden itself.
    """
    hidden: dict[int, tuple[int, ...]] = {}
    needed: set[int] = set()
    for group in groups:
        if not group.is_exact or len(group.fluents) > _LARGEST:
            continue
        free = [i for i in group.fluents if i not in needed]
        if free and not hidden.keys() & set(group.fluents):
            chosen = max(free, key=lambda i: network.next[i])
            hidden[chosen] = tuple(i for i in group.fluents if i != chosen)
            needed.update(hidden[chosen])
    return hidden
