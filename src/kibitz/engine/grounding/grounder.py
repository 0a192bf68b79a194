"""Ground a checked RuleSheet into a Network, within a budget, once for each cache.

Only what took long is kept, such as chess, which needs 37 CPU-seconds to be grounded.
"""

from __future__ import annotations

import gc
import hashlib
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from kibitz.budget import Budget, Stopwatch, run_within, time_left
from kibitz.cache import cache_folder, key_of, load, store
from kibitz.engine.grounding.argument_restriction import decouple, factor, restrict
from kibitz.engine.grounding.demand_guards import guard
from kibitz.engine.grounding.exclusive_groups import Group, find_groups, hide
from kibitz.engine.grounding.fixed_fluents import fix, fixed_functors
from kibitz.engine.grounding.gates import UnstratifiedError, build
from kibitz.engine.grounding.gringo import Grounder, GroundRules
from kibitz.engine.grounding.network import Hidden, Network
from kibitz.engine.grounding.variable_elimination import split, unfold_inequalities
from kibitz.errors import BudgetExceededError
from kibitz.gdl import (
    Clause,
    Dependencies,
    Function,
    RuleSheet,
    clauses_of,
    components,
    count_literals,
    on_demand,
    stratification,
    to_kif,
)

_SMALL = 20_000
"""Rules; two variants with fewer are both built."""
_QUICKLY_PROVED = 8_000
"""Gates; in networks with fewer, groups are proved within a fraction of a second."""
_QUICK_S = 2.0
"""Seconds after which a third way to ground is tried."""
_SHORT = 30
_FEW = 2_000
"""Literals of a rule and of a sheet that are always rewritten in a moment."""
_FEW_ROLES = 20


@dataclass(frozen=True, slots=True)
class Grounding:
    """A network, and how it was made."""

    network: Network
    groups: tuple[tuple[tuple[Function, ...], bool], ...]
    rules: int
    gates_before: int
    gates: int
    strata: int
    seconds: float


def ground(
    sheet: RuleSheet,
    budget: Budget | None = None,
    *,
    groups: bool = True,
    group_seconds: float | None = None,
) -> Grounding:
    """Ground a sheet; raise BudgetExceededError where that takes too much.

    Exclusive groups get `group_seconds` to be proved. If that is not given, they get the time that
    small networks need; large networks then have no groups.

    >>> from kibitz.games import load_sheet
    >>> network = ground(load_sheet("tictactoe")).network
    >>> len(network.fluents), len(network.hidden), [len(moves) for moves in network.moves]
    (19, 10, [10, 10])
    """
    budget = budget or Budget()
    budget = replace(budget, seconds=min(budget.seconds, max(0.0, time_left())))
    if _is_short(sheet):
        return _ground(sheet, budget, groups, group_seconds)
    return run_within(
        budget, lambda: _ground(sheet, budget, groups, group_seconds), doing="grounding"
    )


def _is_short(sheet: RuleSheet) -> bool:
    """Return whether rewriting a sheet, and building what clingo makes of it, needs no bounds.

    Rewriting takes up to the third power of a rule's length, and building the square of the number
    of roles.
    """
    counts = list(map(count_literals, sheet.rules))
    roles = sum(rule.head.relation == "role" for rule in sheet.rules)
    return max(counts, default=0) <= _SHORT and sum(counts) <= _FEW and roles <= _FEW_ROLES


@contextmanager
def _without_collection() -> Iterator[None]:
    """Leave out garbage collection: it would look at millions of rules, and none is garbage."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


@_without_collection()
def _ground(
    sheet: RuleSheet, budget: Budget, groups: bool, group_seconds: float | None
) -> Grounding:
    start, watch = time.perf_counter(), Stopwatch()
    written = clauses_of(sheet)
    clauses = restrict(decouple(on_demand(written)))
    variants, is_narrow = _ground_either_way(clauses, lambda: narrowed(written), budget)
    rules = variants[0]
    roles = [str(args[0]) for relation, args in rules.facts if relation == "role"]
    order = [str(rule.head.args[0]) for rule in sheet.rules if rule.head.relation == "role"]
    roles.sort(key=lambda r: (order.index(r) if r in order else len(order), r))
    try:
        left = budget.seconds - watch.seconds()
        networks = [build(variant, roles, time.thread_time() + left) for variant in variants]
    except OverflowError as error:
        raise BudgetExceededError(f"the network of {sheet.name} has {error}") from None
    except TimeoutError:
        raise budget.exceeded("time", f"building the network of {sheet.name}") from None
    except UnstratifiedError:
        raise BudgetExceededError(_unstratified(sheet)) from None
    network = min(networks, key=lambda candidate: len(candidate.gates))
    before = sum(max(1, len(body)) for _, body in rules.rules)
    if group_seconds is None:
        group_seconds = 2.0 if len(network.gates) <= _QUICKLY_PROVED else 0.0
    found = find_groups(network, seconds=group_seconds) if groups and group_seconds else ()
    if is_narrow:
        fixed = fixed_functors(written)
        found += tuple(
            Group((i,), is_exact=True)
            for i, fluent in enumerate(network.fluents)
            if (fluent.name, len(fluent.args)) in fixed and network.initial[i]
        )
    named = tuple((tuple(network.fluents[i] for i in g.fluents), g.is_exact) for g in found)
    network = hide(network, found)
    return Grounding(
        network=network,
        groups=named,
        rules=len(rules.rules),
        gates_before=before,
        gates=network.needed_gates(),
        strata=_strata(clauses),
        seconds=time.perf_counter() - start,
    )


def _strata(clauses: tuple[Clause, ...]) -> int:
    """Count the layers of negation: one more than the most negations on any chain of rules."""
    successors: dict[str, list[str]] = {}
    for clause in clauses:
        below = successors.setdefault(clause.head.relation, [])
        below.extend(atom.relation for atom in (*clause.positive, *clause.negative))
    denied: dict[str, set[str]] = {}
    for clause in clauses:
        names = {atom.relation for atom in clause.negative}
        denied.setdefault(clause.head.relation, set()).update(names)
    height: dict[str, int] = {}
    for group in components(successors):
        inside = set(group)
        top = 1
        for name in group:
            for other in successors.get(name, ()):
                if other not in inside:
                    top = max(top, height.get(other, 1) + (other in denied.get(name, ())))
        height.update(dict.fromkeys(group, top))
    return max(height.values(), default=1)


def narrowed(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Rewrite clauses by all means there are, so that few instances remain.

    >>> from kibitz.games import load_sheet
    >>> len(narrowed(clauses_of(load_sheet("nim:1,2")))) > len(clauses_of(load_sheet("nim:1,2")))
    True
    """
    return guard(split(factor(unfold_inequalities(decouple(fix(clauses)))), project=True))


def _ground_either_way(
    clauses: tuple[Clause, ...], narrow: Callable[[], tuple[Clause, ...]], budget: Budget
) -> tuple[list[GroundRules], bool]:
    """Ground as written and with long bodies split, side by side; return what is useful to build.

    Splitting saves joins of many variables, and costs where a body's other atoms would have cut
    its parts short; which of the two it is shows only when it is tried. Once one is done, the
    other gets as long again. Small results are both built, of large ones only the smaller.

    When both have taken a few seconds, the clauses that `narrow` returns are tried as well. They
    take longer to ground where the others are quick, and are taken if they are done first; whether
    they are is returned, too.
    """
    parts = split(clauses)
    watch = Stopwatch()
    runs = [Grounder(variant, budget) for variant in dict.fromkeys([clauses, parts])]
    third: list[Grounder] = []
    try:
        while (
            not any(run.is_done and run.succeeded for run in runs)
            and watch.seconds() < budget.seconds
        ):
            late = watch.seconds() > _QUICK_S or all(run.is_done for run in runs)
            if late and not third:
                left = replace(budget, seconds=max(1.0, budget.seconds - watch.seconds()))
                third.append(Grounder(narrow(), left))
            if third and third[0].is_done:
                if third[0].succeeded:
                    return [third[0].result()], True
                if all(run.is_done for run in runs):
                    break
            time.sleep(0.002)
        patience = min(budget.seconds, 2 * watch.seconds() + 0.05)
        while not all(run.is_done for run in runs) and watch.seconds() < patience:
            time.sleep(0.002)
        results = [run.result() for run in runs if run.is_done and run.succeeded]
        if not results:
            failed = [run for run in runs if run.is_done]
            if len(failed) < len(runs):
                raise budget.exceeded("time", "grounding")
            return [failed[0].result()], False
        results.sort(key=lambda result: len(result.rules))
        return (results if len(results[-1].rules) < _SMALL else results[:1]), False
    finally:
        for run in (*runs, *third):
            run.stop()


def _unstratified(sheet: RuleSheet) -> str:
    """Describe which rule depends on its own negation once grounded, or that the sheet is valid.

    >>> from kibitz.gdl import parse
    >>> _unstratified(parse("(role a)", name="mine"))
    'the rules of mine are valid, but once Kibitz rewrites them they depend on their own negation'
    """
    for found in stratification(Dependencies.of(sheet)):
        line, _ = sheet.source.position(found.place.start)
        return (
            f"{sheet.name}:{line}: {found.message}, and once grounded for the same values; "
            "GDL forbids this"
        )
    return (
        f"the rules of {sheet.name} are valid, but once Kibitz rewrites them they depend on their "
        "own negation"
    )


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
