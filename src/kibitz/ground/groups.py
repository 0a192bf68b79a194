"""Find groups of fluents of which at most one, or exactly one, holds in every reachable state.

Candidates are fluents that differ in one argument only, such as what a cell holds. A guess is
never used: random play refutes most wrong ones, and the others must be proved by induction. They
hold initially, and no legal joint move leads from a state in which all remaining candidates hold
to one where one of them fails; clingo looks for such a step, what it shows is dropped, and so on
until there is none (Flanagan and Leino 2001 call this Houdini).
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass

import clingo

from kibitz.ground.network import Literal, Network

__all__ = ["Group", "find_groups"]


@dataclass(frozen=True, slots=True)
class Group:
    """Fluents, by index, of which at most one holds; exactly one if `is_exact`."""

    fluents: tuple[int, ...]
    is_exact: bool


def find_groups(network: Network, *, seconds: float = 2.0, seed: int = 1) -> tuple[Group, ...]:
    """Find the groups that can be proved in the time given; none if it does not suffice.

    >>> from kibitz.games import load
    >>> from kibitz.ground import ground
    >>> network = ground(load("tictactoe"), groups=False).network
    >>> [len(group.fluents) for group in find_groups(network) if group.is_exact]
    [3, 3, 3, 3, 3, 3, 3, 3, 3, 2]
    """
    deadline = time.monotonic() + seconds
    candidates = _refute(network, _candidates(network), seed, time.monotonic() + seconds / 2)
    proved = _prove(network, candidates, deadline)
    exact = {group.fluents for group in proved if group.is_exact}
    return tuple(g for g in proved if g.is_exact or g.fluents not in exact)


def _candidates(network: Network) -> list[Group]:
    """Group fluents by everything but one argument, if at most one holds initially."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, fluent in enumerate(network.fluents):
        for place in range(len(fluent.args)):
            rest = (*fluent.args[:place], *fluent.args[place + 1 :])
            found.setdefault((fluent.name, len(fluent.args), place, rest), []).append(index)
    groups: dict[Group, None] = {}
    for members in found.values():
        holding = sum(network.initial[i] for i in members)
        if len(members) > 1 and holding <= 1:
            if holding == 1:
                groups[Group(tuple(members), True)] = None
            groups[Group(tuple(members), False)] = None
    return list(groups)


def _refute(network: Network, groups: list[Group], seed: int, deadline: float) -> list[Group]:
    """Drop candidates that fail in random play, many matches at a time."""
    lanes = 256
    ones = (1 << lanes) - 1
    source = random.Random(seed)
    initial = [ones if holds else 0 for holds in network.initial]
    state = initial
    no_moves = [0] * (network.first_gate - network.first_move)
    for _ in range(100):
        if time.monotonic() > deadline or not groups:
            break
        values = network.evaluate([*state, *no_moves], ones)
        made: list[int] = []
        stuck = _literal(values, network.terminal, ones)
        for literals in network.legal:
            picked = _pick([_literal(values, lit, ones) for lit in literals], source, ones)
            made += picked
            stuck |= ones & ~_union(picked)
        values = network.evaluate([*state, *made], ones)
        after = [_literal(values, lit, ones) for lit in network.next]
        groups = [group for group in groups if not _fails(group, after, ones & ~stuck)]
        state = [(n & ~stuck) | (i & stuck) for n, i in zip(after, initial, strict=True)]
    return groups


def _literal(values: list[int], literal: Literal, ones: int) -> int:
    return values[literal >> 1] ^ (ones if literal & 1 else 0)


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def _pick(legal: list[int], source: random.Random, ones: int) -> list[int]:
    """Choose one legal move in each lane, at random if not evenly."""
    picked = [0] * len(legal)
    left = ones
    order = list(range(len(legal)))
    source.shuffle(order)
    for chance in (True, False):
        for index in order:
            here = legal[index] & left
            if here and chance:
                here &= source.getrandbits(ones.bit_length()) & source.getrandbits(
                    ones.bit_length()
                )
            picked[index] |= here
            left &= ~here
    return picked


def _fails(group: Group, values: list[int], lanes: int) -> bool:
    one = two = 0
    for index in group.fluents:
        two |= one & values[index]
        one |= values[index]
    return bool((two | (~one if group.is_exact else 0)) & lanes)


def _prove(network: Network, groups: list[Group], deadline: float) -> list[Group]:
    """Keep the largest set of candidates that one step preserves."""
    if not groups:
        return []
    induction = _Induction(network, groups)
    while groups:
        broken = induction.broken(groups, deadline)
        if broken is None:
            return []
        if not broken:
            break
        groups = [group for group in groups if group not in broken]
    return groups


class _Induction:
    """One step of the game from any state, as a logic program."""

    def __init__(self, network: Network, groups: list[Group]) -> None:
        self.control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
        with self.control.backend() as backend:
            atoms: list[int] = [
                backend.add_atom() for _ in range(network.first_gate + len(network.gates))
            ]

            def lit(literal: Literal) -> int:
                return -atoms[literal >> 1] if literal & 1 else atoms[literal >> 1]

            def define(*body: int) -> int:
                head: int = backend.add_atom()
                backend.add_rule([head], body)
                return head

            backend.add_rule(atoms[1 : network.first_gate], choice=True)
            for index, (a, b) in enumerate(network.gates):
                backend.add_rule([atoms[network.first_gate + index]], [lit(a), lit(b)])
            node = network.first_move
            for literals in network.legal:
                moves = [atoms[node + i] for i in range(len(literals))]
                node += len(literals)
                for move, legal in zip(moves, literals, strict=True):
                    backend.add_rule([], [move, -lit(legal)])
                backend.add_weight_rule([], 2, [(move, 1) for move in moves])
                backend.add_rule([], [-move for move in moves])
            self.assumed: dict[Group, int] = {}
            self.failed: dict[Group, int] = {}
            bad = backend.add_atom()
            for group in groups:
                assumed = self.assumed[group] = backend.add_atom()
                backend.add_rule([assumed], choice=True)
                now = [atoms[1 + i] for i in group.fluents]
                after = [define(lit(network.next[i])) for i in group.fluents]
                failed = self.failed[group] = backend.add_atom()
                two_now = backend.add_atom()
                backend.add_weight_rule([two_now], 2, [(atom, 1) for atom in now])
                backend.add_rule([], [assumed, two_now])
                backend.add_weight_rule([failed], 2, [(atom, 1) for atom in after])
                if group.is_exact:
                    backend.add_rule([], [assumed, *(-atom for atom in now)])
                    backend.add_rule([failed], [-atom for atom in after])
                backend.add_rule([bad], [assumed, failed])
            backend.add_rule([], [-bad])

    def broken(self, groups: list[Group], deadline: float) -> set[Group] | None:
        """Give groups that some step breaks, none if there are none, None if time is up."""
        kept = set(groups)
        assumptions = [atom if g in kept else -atom for g, atom in self.assumed.items()]
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        with self.control.solve(assumptions=assumptions, yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(left):
                handle.cancel()
                return None
            model = handle.model()
            if model is None:
                return set()
            return {g for g in groups if model.is_true(self.failed[g])}
