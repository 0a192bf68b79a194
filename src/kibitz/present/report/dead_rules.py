"""StateSpace in; out the rules that never fire, and what never holds, is legal or is reached.

A copy of the rule sheet gets one fluent for each rule, which comes about when the rule's body
holds. In the network of the copy each is a literal over fluents and moves, and these are evaluated
in all states of the space, and on all of its edges where they depend on moves: many at a time, each
a bit of a long number.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kibitz.budget import Budget
from kibitz.engine import Literal, Network, fluent_bits, ground
from kibitz.gdl import Atom, Dependencies, Function, Rule, RuleSheet, atoms_of, rule_to_kif
from kibitz.present.report.figures import DeadRule, Deadwood
from kibitz.rows import pack_key
from kibitz.rulebook import sentences_above
from kibitz.space import StateSpace

Ids = npt.NDArray[np.int64]

_FIRED = "kibitz fired"
_BLOCK = 1 << 16
_DECLARED = ("role", "base", "input")
_ASKED = ("init", "legal", "next", "goal", "terminal")


def find_deadwood(space: StateSpace, *, seconds: float = 60.0) -> Deadwood:
    """Find what no reachable state needs, within a time; in a partial space, what none can need.

    A rule for `legal` or `next` has to fire where play goes on, one for `goal` where it has ended,
    and any other anywhere.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> sheet = read('''
    ...     (role a) (init (step 1)) (legal a go) (succ 1 2) (succ 2 3) (succ 4 5)
    ...     (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (does a go))
    ...     (<= terminal (true (step 3))) (<= terminal (true (step 9)))
    ...     (<= (goal a 100) (true (step 3))) (<= (goal a 0) (not (true (step 3))))
    ... ''')
    >>> found = find_deadwood(explore(CompiledGame(sheet)))
    >>> [(dead.line, dead.rule) for dead in found.rules]
    [(4, '(<= terminal (true (step 9)))'), (5, '(<= (goal a 0) (not (true (step 3))))')]
    >>> found.goals_never
    {'a': (0,)}
    """
    space.require_all_states("finding rules that are never used")
    end = time.perf_counter() + seconds
    sheet = space.game.sheet
    unused = _unused(sheet)
    asked = [
        number
        for number, rule in enumerate(sheet.rules)
        if rule.body and rule.head.relation not in _DECLARED and number not in unused
    ]
    sleeping, unsettled = _sleeping(space, asked, end)
    dead: dict[int, str] = {}
    by_relation: dict[str, list[int]] = {}
    for number in sorted(unused):
        by_relation.setdefault(sheet.rules[number].head.relation, []).append(number)
    for relation, numbers in by_relation.items():
        many = f", in {len(numbers)} rules" if len(numbers) > 1 else ""
        dead[numbers[0]] = f"nothing depends on {relation}{many}"
    for number in sleeping:
        is_goal = sheet.rules[number].head.relation == "goal"
        dead[number] = "no match ends with it" if is_goal else "it never fires"
    source = sheet.source
    above = sentences_above(source, [rule.place.start for rule in sheet.rules])
    said = above or [""] * len(sheet.rules)
    useful = {text for n, text in enumerate(said) if text and n not in {*sleeping, *unused}}
    rules = tuple(
        DeadRule(
            source.position(sheet.rules[number].place.start)[0],
            " ".join(rule_to_kif(sheet.rules[number]).split()),
            dead[number],
            said[number],
            said[number] in useful,
        )
        for number in sorted(dead)
        if above is None or said[number]  # what the translation added is not the author's
    )
    if not space.is_complete:
        return Deadwood(rules, (), (), {}, {}, unsettled)
    never, always = _fluents(space)
    write = space.game.write
    return Deadwood(
        rules=rules,
        fluents_never=tuple(sorted(map(write, never))),
        fluents_always=tuple(sorted(map(write, always))),
        moves_never=_moves_never(space),
        goals_never=_goals_never(space),
        unsettled=unsettled,
    )


def _unused(sheet: RuleSheet) -> set[int]:
    """Return the rules for relations that nothing asks for."""
    dependencies = Dependencies.of(sheet)
    needed = {*_ASKED, *_DECLARED}
    for relation in _ASKED:
        needed |= dependencies.reachable(relation)
    return {i for i, rule in enumerate(sheet.rules) if rule.head.relation not in needed}


def _sleeping(space: StateSpace, asked: list[int], end: float) -> tuple[set[int], int]:
    """Return the rules whose bodies hold nowhere, and how many were not evaluated in time."""
    sheet = space.game.sheet
    heads = {number: Function(_FIRED, (Function(str(number)),)) for number in asked}
    more = [Rule(Atom("next", (heads[number],)), sheet.rules[number].body) for number in asked]
    copy = replace(sheet, rules=(*sheet.rules, *more))
    budget = Budget(seconds=max(1.0, end - time.perf_counter()))
    network = ground(copy, budget, groups=False).network
    literal = dict(zip(network.fluents, network.next, strict=True))
    left = {number: literal.get(head, 0) for number, head in heads.items()}
    left = {number: found for number, found in left.items() if found != 1}
    by_move = _by_move(sheet)
    known = _known(space)
    goes_on = np.diff(space.first_edge) > 0
    inside = {"legal": goes_on, "next": goes_on, "goal": space.terminal}
    sleeping: set[int] = set()
    unsettled = 0
    for kind in ("", *inside):
        states = np.flatnonzero(inside.get(kind, known))
        mine = {n: found for n, found in left.items() if _kind(sheet.rules[n], inside) == kind}
        plain = {number: found for number, found in mine.items() if number not in by_move}
        moved = {number: found for number, found in mine.items() if number in by_move}
        for wanted, blocks in (
            (plain, _state_blocks(space, network, states)),
            (moved, _edge_blocks(space, network)),
        ):
            is_whole = _look(network, wanted, blocks, end) and space.is_complete
            sleeping |= {number for number, found in wanted.items() if is_whole or found == 0}
            unsettled += sum(not is_whole and found > 1 for found in wanted.values())
    return sleeping, unsettled


def _kind(rule: Rule, kinds: Collection[str]) -> str:
    return rule.head.relation if rule.head.relation in kinds else ""


def _look(
    network: Network,
    wanted: dict[int, Literal],
    blocks: Iterator[tuple[list[int], int]],
    end: float,
) -> bool:
    """Take out of `wanted` what holds somewhere; return whether all blocks were evaluated."""
    for inputs, ones in blocks:
        if not any(literal > 1 for literal in wanted.values()):
            return True
        if time.perf_counter() > end:
            return False
        values = network.evaluate(inputs, ones)
        for number, literal in list(wanted.items()):
            if values[literal >> 1] ^ (ones if literal & 1 else 0):
                del wanted[number]
    return True


def _by_move(sheet: RuleSheet) -> set[int]:
    """Return the rules whose bodies depend on moves."""
    dependencies = Dependencies.of(sheet)
    needs: dict[str, bool] = {"does": True}
    found = set()
    for number, rule in enumerate(sheet.rules):
        for formula in rule.body:
            for atom, _ in atoms_of(formula):
                name = atom.relation
                if name not in needs:
                    needs[name] = "does" in dependencies.reachable(name)
                if needs[name]:
                    found.add(number)
    return found


def _known(space: StateSpace) -> npt.NDArray[np.bool_]:
    """Mark the states that were expanded; those at the rim of a partial space were not."""
    if space.is_complete:
        return np.ones(len(space), dtype=bool)
    return np.asarray(space.terminal | (np.diff(space.first_edge) > 0))


def _bits(space: StateSpace, states: Ids) -> npt.NDArray[np.uint8]:
    """Return one row for each fluent of the game's network, hidden ones at the end."""
    return fluent_bits(space.game.network, space.states[states]).T


def _fluent_inputs(space: StateSpace, network: Network, states: Ids) -> list[int]:
    own = space.game.network
    where = {f: i for i, f in enumerate((*own.fluents, *(h.fluent for h in own.hidden)))}
    bits = _bits(space, states)
    return [pack_key(bits[where[f]]) if f in where else 0 for f in network.fluents]


def _state_blocks(
    space: StateSpace, network: Network, states: Ids
) -> Iterator[tuple[list[int], int]]:
    moves = sum(map(len, network.moves))
    for start in range(0, len(states), _BLOCK):
        block = states[start : start + _BLOCK]
        yield [*_fluent_inputs(space, network, block), *([0] * moves)], (1 << len(block)) - 1


def _edge_blocks(space: StateSpace, network: Network) -> Iterator[tuple[list[int], int]]:
    source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
    places = [{move: i for i, move in enumerate(moves)} for moves in network.moves]
    made = [
        np.array([places[role][joint[role]] for joint in space.joint_moves], dtype=np.int64)
        for role in range(len(places))
    ]
    for start in range(0, space.edges, _BLOCK):
        part = slice(start, min(start + _BLOCK, space.edges))
        size = part.stop - part.start
        inputs = _fluent_inputs(space, network, source[part])
        for numbers, moves in zip(made, network.moves, strict=True):
            one_hot = np.zeros((len(moves), size), dtype=np.uint8)
            one_hot[numbers[space.action[part]], np.arange(size)] = 1
            inputs += map(pack_key, one_hot)
        yield inputs, (1 << size) - 1


def _fluents(space: StateSpace) -> tuple[list[Function], list[Function]]:
    """Return the fluents that never hold, and those that always do."""
    network = space.game.network
    names = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    some = np.zeros(len(names), dtype=bool)
    every = np.ones(len(names), dtype=bool)
    for start in range(0, len(space), _BLOCK):
        bits = _bits(space, np.arange(start, min(start + _BLOCK, len(space))))
        some |= bits.any(axis=1)
        every &= bits.all(axis=1)
    pairs = zip(names, some, every, strict=True)
    found = [(name, bool(s), bool(e)) for name, s, e in pairs]
    return [name for name, s, _ in found if not s], [name for name, _, e in found if e]


def _moves_never(space: StateSpace) -> dict[str, tuple[str, ...]]:
    game = space.game
    used = np.flatnonzero(np.bincount(space.action, minlength=len(space.joint_moves)))
    result = {}
    for index, role in enumerate(game.roles):
        made = {space.joint_moves[number][index] for number in used}
        never = (move for move in game.network.moves[index] if move not in made)
        result[role] = tuple(sorted(map(game.write, never)))
    return result


def _goals_never(space: StateSpace) -> dict[str, tuple[int, ...]]:
    result = {}
    for index, role in enumerate(space.game.roles):
        ends = set(np.unique(space.goals[space.terminal, index]).tolist())
        values = {value for value, _ in space.game.network.goals[index] if value is not None}
        result[role] = tuple(sorted(values - ends))
    return result
