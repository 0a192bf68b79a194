"""A RuleSheet in, its Grounding out: from the user's cache folder if it was made before.

Only what took long is kept, such as chess, which needs 37 CPU-seconds to be grounded.
"""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass
from typing import Any, cast

from kibitz.budget import Budget
from kibitz.cache import cache_folder, key_of, load, store
from kibitz.engine.grounding.grounder import Grounding, ground
from kibitz.engine.grounding.network import Hidden, Network
from kibitz.gdl import Function, RuleSheet, to_kif

__all__ = ["ground_once"]

LONG_S = 2.0
"""A grounding is kept that took so many seconds."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A Grounding in lists, numbers and texts; a term is its name, or a list of name and terms."""

    roles: list[str]
    fluents: list[Any]
    moves: list[list[Any]]
    initial: list[bool]
    gates: bytes
    legal: list[list[int]]
    next: list[int]
    terminal: int
    goals: list[list[tuple[int | None, int]]]
    hidden: list[tuple[Any, list[int]]]
    groups: list[tuple[list[Any], bool]]
    counts: list[int]
    seconds: float


def ground_once(sheet: RuleSheet, budget: Budget | None = None) -> Grounding:
    """Ground a sheet, or return what was kept of it; raise BudgetExceededError as `ground` does.

    >>> from kibitz.games import load_sheet
    >>> len(ground_once(load_sheet("tictactoe")).network.moves[0])
    10
    """
    name = f"grounding-{hashlib.sha256(to_kif(sheet).encode()).hexdigest()}"
    if any(cache_folder().glob(f"{name}*")):  # a key takes longer to make
        kept = load(_key(name), _Written)
        if kept:
            return _read(kept)
    grounding = ground(sheet, budget)
    if grounding.seconds >= LONG_S:
        store(_key(name), _write(grounding))
    return grounding


def _key(name: str) -> str:
    """Return a key that begins with a name."""
    return f"{name}-{key_of([])}"


def _write(grounding: Grounding) -> _Written:
    network = grounding.network
    return _Written(
        roles=list(network.roles),
        fluents=[_term(fluent) for fluent in network.fluents],
        moves=[[_term(move) for move in moves] for moves in network.moves],
        initial=list(network.initial),
        gates=array("q", (literal for gate in network.gates for literal in gate)).tobytes(),
        legal=[list(literals) for literals in network.legal],
        next=list(network.next),
        terminal=network.terminal,
        goals=[list(goals) for goals in network.goals],
        hidden=[(_term(one.fluent), list(one.unless)) for one in network.hidden],
        groups=[([_term(one) for one in group], exact) for group, exact in grounding.groups],
        counts=[grounding.rules, grounding.gates_before, grounding.gates, grounding.strata],
        seconds=grounding.seconds,
    )


def _read(written: _Written) -> Grounding:
    literals = array("q", written.gates)
    network = Network(
        roles=tuple(written.roles),
        fluents=tuple(map(_function, written.fluents)),
        moves=tuple(tuple(map(_function, moves)) for moves in written.moves),
        initial=tuple(written.initial),
        gates=tuple(zip(literals[::2], literals[1::2], strict=True)),
        legal=tuple(map(tuple, written.legal)),
        next=tuple(written.next),
        terminal=written.terminal,
        goals=tuple(map(tuple, written.goals)),
        hidden=tuple(Hidden(_function(one), tuple(unless)) for one, unless in written.hidden),
    )
    groups = tuple((tuple(map(_function, group)), exact) for group, exact in written.groups)
    rules, gates_before, gates, strata = written.counts
    return Grounding(network, groups, rules, gates_before, gates, strata, written.seconds)


def _term(term: Any) -> Any:
    function = cast(Function, term)
    return [function.name, *map(_term, function.args)] if function.args else function.name


def _function(written: Any) -> Function:
    if isinstance(written, str):
        return Function(written)
    return Function(written[0], tuple(map(_function, written[1:])))
