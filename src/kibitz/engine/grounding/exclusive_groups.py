"""Find and prove groups of exclusive fluents, and hide one of each small exact group.

Candidates are fluents that differ in one argument only, such as what a cell holds. A guess is
never used: random play refutes most wrong ones, and the others must be proved by induction: they
hold initially, and no legal joint move leads from a state in which all remaining candidates hold
to one where one of them fails. Clingo looks for such a step, the candidates it refutes are dropped,
and so on until there is none (Flanagan and Leino 2001 call this Houdini).
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import clingo

from kibitz.engine.grounding.network import FALSE, Builder, Hidden, Literal, Network
from kibitz.gdl import Term

LANES = 256
"""How many random matches are played side by side."""
_LOOK_S = 0.05
"""How often the time of a running proof is checked."""


@dataclass(frozen=True, slots=True)
class Group:
    """Fluents, by index, of which at most one holds; exactly one if `is_exact`."""

    fluents: tuple[int, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class GroupFindings:
    """The result for every candidate."""

    proved: tuple[Group, ...]
    open: tuple[Group, ...]
    refuted: tuple[Group, ...]


def find_groups(network: Network, *, seconds: float = 2.0, seed: int = 1) -> tuple[Group, ...]:
    """Find the groups that can be proved in the time given; none if it is too short.

    Seconds are CPU time, so a busy machine finds the same.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> network = ground(load_sheet("tictactoe"), groups=False).network
    >>> [len(group.fluents) for group in find_groups(network) if group.is_exact]
    [3, 3, 3, 3, 3, 3, 3, 3, 3, 2]
    """
    candidates = [group for group in _candidates(network) if len(group.fluents) > 1]
    proved = _examine(network, candidates, seconds, seed).proved
    exact = {group.fluents for group in proved if group.is_exact}
    return tuple(g for g in proved if g.is_exact or g.fluents not in exact)


def examine_groups(network: Network, *, seconds: float = 2.0, seed: int = 1) -> GroupFindings:
    """Return which candidates are proved, which play refutes, and which are neither.

    Every row is a candidate, with at most one and with exactly one fluent that holds, so claims
    about all rows of a kind can be looked up here.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> findings = examine_groups(ground(load_sheet("tictactoe"), groups=False).network)
    >>> len(findings.proved), len(findings.open), len(findings.refuted)
    (20, 0, 36)
    """
    return _examine(network, _candidates(network), seconds, seed)


def prove_groups(
    network: Network, rows: Iterable[tuple[int, ...]], *, seconds: float = 2.0
) -> frozenset[Group]:
    """Return what is proved of sets of fluents, and of all rows: at most or exactly one holds.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> network = ground(load_sheet("marks:2,2,2"), groups=False).network
    >>> cell = [i for i, fluent in enumerate(network.fluents) if "(c 1 1)" in str(fluent)]
    >>> sorted(str(network.fluents[i]) for i in cell)
    ['(free (c 1 1))', '(has a (c 1 1))', '(has b (c 1 1))']
    >>> Group(tuple(cell), True) in prove_groups(network, [tuple(cell)])
    True
    """
    wanted = [Group(row, is_exact) for row in rows for is_exact in (True, False)]
    candidates = list(dict.fromkeys([*wanted, *_candidates(network)]))
    return frozenset(wanted) & frozenset(_examine(network, candidates, seconds, 1).proved)


def rows_of(network: Network) -> dict[tuple[str, int, int], list[tuple[int, ...]]]:
    """Return the fluents that differ in one argument only, by name, arity and argument index.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> rows = rows_of(ground(load_sheet("tictactoe"), groups=False).network)
    >>> {key: len(found) for key, found in rows.items()}
    {('cell', 3, 0): 9, ('cell', 3, 1): 9, ('cell', 3, 2): 9, ('control', 1, 0): 1}
    """
    found: dict[tuple[str, int, int], dict[tuple[Term, ...], list[int]]] = {}
    for index, fluent in enumerate(network.fluents):
        for place in range(len(fluent.args)):
            rest = (*fluent.args[:place], *fluent.args[place + 1 :])
            rows = found.setdefault((fluent.name, len(fluent.args), place), {})
            rows.setdefault(rest, []).append(index)
    return {key: list(map(tuple, rows.values())) for key, rows in found.items()}


def _candidates(network: Network) -> list[Group]:
    """Claim for every row that exactly one of its fluents holds, and that at most one does."""
    found = [(row[0], key[2], row) for key, rows in rows_of(network).items() for row in rows]
    rows = dict.fromkeys(row for _, _, row in sorted(found))
    return [Group(row, is_exact) for row in rows for is_exact in ((True, False)[: len(row)])]


def _examine(network: Network, candidates: list[Group], seconds: float, seed: int) -> GroupFindings:
    deadline = time.process_time() + seconds
    initial = [int(holds) for holds in network.initial]
    standing = [group for group in candidates if not _fails(group, initial, 1)]
    standing = _refute(network, standing, seed, time.process_time() + seconds / 2)
    proved = _prove(network, standing, deadline)
    is_standing, is_proved = set(standing), set(proved)
    return GroupFindings(
        tuple(proved),
        tuple(group for group in standing if group not in is_proved),
        tuple(group for group in candidates if group not in is_standing),
    )


def _refute(network: Network, groups: list[Group], seed: int, deadline: float) -> list[Group]:
    """Drop candidates that fail in random play, many matches at a time."""
    for moment in random_play(network, seed=seed):
        if time.process_time() > deadline or not groups:
            break
        groups = [group for group in groups if not _fails(group, moment.after, moment.moved)]
    return groups


@dataclass(frozen=True, slots=True)
class RandomStep:
    """One step of many random matches at a time; bit k of every number belongs to the k-th.

    `values` are those of all nodes before the moves, `after` those of the fluents after them, and
    `moved` marks the matches in which moves were made.
    """

    state: list[int]
    values: list[int]
    after: list[int]
    moved: int


def random_play(network: Network, *, seed: int, rounds: int = 100) -> Iterator[RandomStep]:
    """Play many random matches side by side; those that end start again."""
    ones = (1 << LANES) - 1
    source = random.Random(seed)
    initial = [ones if holds else 0 for holds in network.initial]
    state = initial
    no_moves = [0] * (network.first_gate - network.first_move)
    for _ in range(rounds):
        values = network.evaluate([*state, *no_moves], ones)
        made: list[int] = []
        stuck = _literal(values, network.terminal, ones)
        for literals in network.legal:
            picked = _pick([_literal(values, lit, ones) for lit in literals], source, ones)
            made += picked
            stuck |= ones & ~_union(picked)
        moved = network.evaluate([*state, *made], ones)
        after = [_literal(moved, lit, ones) for lit in network.next]
        yield RandomStep(state, values, after, ones & ~stuck)
        state = [(n & ~stuck) | (i & stuck) for n, i in zip(after, initial, strict=True)]


def _literal(values: list[int], literal: Literal, ones: int) -> int:
    return values[literal >> 1] ^ (ones if literal & 1 else 0)


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def _pick(legal: list[int], source: random.Random, ones: int) -> list[int]:
    """Choose one legal move in each lane at random, not necessarily uniformly."""
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
    """Keep candidates that are proved: all that can be, or some simple ones if time is short.

    Groups of fluents with one argument, such as whose turn it is, are few and mostly depend on
    little else. They are tried separately first, and kept if the time is too short for all.
    """
    simple = [g for g in groups if len(network.fluents[g.fluents[0]].args) == 1]
    if simple and len(simple) < len(groups):
        half = time.process_time() + (deadline - time.process_time()) / 2
        simple = _preserved(network, simple, half) or []
    else:
        simple = []
    everything = _preserved(network, groups, deadline)
    return simple if everything is None else everything


def _preserved(network: Network, groups: list[Group], deadline: float) -> list[Group] | None:
    """Keep the largest set of candidates that one step preserves; None if time is up."""
    if not groups:
        return []
    induction = _Induction(network, groups)
    while groups:
        broken = induction.broken(groups, deadline)
        if broken is None:
            return None
        if not broken:
            break
        groups = [group for group in groups if group not in broken]
    return groups


def _cone(network: Network, groups: list[Group]) -> tuple[set[int], set[int]]:
    """Return the nodes that groups depend on in one step, and the roles whose moves are among them.

    With one move of a role come all its moves, and what makes them legal.
    """
    roles: set[int] = set()
    first = [network.first_move]
    for moves in network.moves:
        first.append(first[-1] + len(moves))
    found: set[int] = set()
    stack = [network.next[i] >> 1 for group in groups for i in group.fluents]
    while stack:
        node = stack.pop()
        if node in found:
            continue
        found.add(node)
        if node >= network.first_gate:
            stack.extend(literal >> 1 for literal in network.gates[node - network.first_gate])
        elif node >= network.first_move:
            role = bisect_right(first, node) - 1
            if role not in roles:
                roles.add(role)
                stack.extend(literal >> 1 for literal in network.legal[role])
                stack.extend(range(first[role], first[role + 1]))
    return found, roles


class _Induction:
    """One step of the game from any state, as a logic program of what some groups depend on."""

    def __init__(self, network: Network, groups: list[Group]) -> None:
        self.control = clingo.Control(["--warn=none"], logger=lambda _code, _message: None)
        nodes, roles = _cone(network, groups)
        nodes.update(1 + i for group in groups for i in group.fluents)
        with self.control.backend() as backend:
            numbers = {node: backend.add_atom() for node in sorted(nodes | {0})}

            def lit(literal: Literal) -> int:
                atom: int = numbers[literal >> 1]
                return -atom if literal & 1 else atom

            def define(*body: int) -> int:
                head: int = backend.add_atom()
                backend.add_rule([head], body)
                return head

            inputs = [a for node, a in numbers.items() if 0 < node < network.first_gate]
            backend.add_rule(inputs, choice=True)
            for node, atom in numbers.items():
                if node >= network.first_gate:
                    a, b = network.gates[node - network.first_gate]
                    backend.add_rule([atom], [lit(a), lit(b)])
            start = network.first_move
            for role, literals in enumerate(network.legal):
                if role in roles:
                    moves = [numbers[start + i] for i in range(len(literals))]
                    for move, legal in zip(moves, literals, strict=True):
                        backend.add_rule([], [move, -lit(legal)])
                    backend.add_weight_rule([], 2, [(move, 1) for move in moves])
                    backend.add_rule([], [-move for move in moves])
                start += len(literals)
            self.assumed: dict[Group, int] = {}
            self.failed: dict[Group, int] = {}
            bad = backend.add_atom()
            for group in groups:
                assumed = self.assumed[group] = backend.add_atom()
                backend.add_rule([assumed], choice=True)
                now = [numbers[1 + i] for i in group.fluents]
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
        """Return groups that some step breaks, none if there are none, None if time is up."""
        kept = set(groups)
        assumptions = [atom if g in kept else -atom for g, atom in self.assumed.items()]
        if time.process_time() > deadline:
            return None
        with self.control.solve(assumptions=assumptions, yield_=True, async_=True) as handle:
            handle.resume()
            while not handle.wait(_LOOK_S):
                if time.process_time() > deadline:
                    handle.cancel()
                    return None
            model = handle.model()
            if model is None:
                return set()
            return {g for g in groups if model.is_true(self.failed[g])}


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
