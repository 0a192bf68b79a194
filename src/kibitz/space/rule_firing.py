"""A rule sheet in; out which of its rules apply in no state: a probe fluent follows each rule.

The sheet gets a rule for each of its rules, with the same body and a fluent of its own as head, so
that the next state says which bodies held before the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kibitz.budget import Budget
from kibitz.engine import Blocks, CompiledGame, ground, require_compiled
from kibitz.gdl import Atom, Dependencies, Function, Rule, RuleSheet
from kibitz.rows import pack, unpack
from kibitz.space.play_record import PlayRecord, fluent_bits
from kibitz.space.space import StateSpace

__all__ = ["PROBE", "probed_game", "unfired_in", "unfired_on"]

PROBE = "kibitz probe"
_CHUNK = 4_096


def probed_game(sheet: RuleSheet, budget: Budget) -> CompiledGame:
    """Compile the game with a fluent for each rule; raise BudgetExceededError where that is long.

    Fluents are not left out because of others, so that any state can be asked about.
    """
    probes = [
        Rule(Atom("next", (Function(PROBE, (Function(str(number)),)),)), sheet.rules[number].body)
        for number in _numbers(sheet)
    ]
    probed = replace(sheet, rules=(*sheet.rules, *probes))
    return CompiledGame(sheet, grounding=ground(probed, budget, groups=False))


def unfired_in(record: PlayRecord) -> list[int]:
    """Return the rules that never applied in recorded matches of a probed game."""
    game = require_compiled(record.game)
    assert record.followed is not None
    assert record.followed_ends is not None
    left = set(_numbers(game.sheet)) - _rules_of(game, record.followed)
    return sorted(left - (_rules_of(game, record.followed_ends) - _rules_about_moves(game.sheet)))


def unfired_on(space: StateSpace, probed: CompiledGame) -> list[int]:
    """Return the rules that apply in no state of a whole space, whatever is moved there.

    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> sheet = read("(role a) (init p) (legal a go) (<= (next q) (true p)) (<= terminal (true q))"
    ...     " (goal a 0) (<= (next r) (true p) (true q))")
    >>> unfired_on(explore(CompiledGame(sheet)), probed_game(sheet, Budget()))
    [6]
    """
    game, blocks = space.game, Blocks(probed)
    wanted = set(_numbers(game.sheet))
    network = probed.network
    index = [{move: i for i, move in enumerate(moves)} for moves in network.moves]
    joints = np.array(
        [[index[r][move] for r, move in enumerate(joint)] for joint in space.joint_moves],
        dtype=np.int32,
    ).reshape(len(space.joint_moves), len(game.roles))
    source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
    left = set(wanted)
    for start in range(0, space.edges, _CHUNK):
        if not left:
            break
        edges = slice(start, start + _CHUNK)
        rows = _rows(probed, blocks, *fluent_bits(game, space.states[source[edges]]))
        left -= _fired(probed, blocks, rows, joints[space.action[edges]])
    # At an end nothing is moved, so that only rules count that do not ask for moves.
    unmoved = left - _rules_about_moves(game.sheet)
    ends = np.flatnonzero(np.diff(space.first_edge) == 0)
    for start in range(0, len(ends), _CHUNK):
        if not unmoved & left:
            break
        states = space.states[ends[start : start + _CHUNK]]
        rows = _rows(probed, blocks, *fluent_bits(game, states))
        nothing = np.zeros((len(rows), len(game.roles)), dtype=np.int32)
        left -= _fired(probed, blocks, rows, nothing) & unmoved
    return sorted(left)


def _rules_about_moves(sheet: RuleSheet) -> set[int]:
    dependencies = Dependencies.of(sheet)
    moving = {"does"}
    while more := {e.head for e in dependencies.edges if e.atom.relation in moving} - moving:
        moving |= more
    asking = {id(e.rule) for e in dependencies.edges if e.atom.relation in moving}
    return {number for number, rule in enumerate(sheet.rules) if id(rule) in asking}


def _fired(
    probed: CompiledGame,
    blocks: Blocks,
    rows: npt.NDArray[np.uint64],
    joint: npt.NDArray[np.int32],
) -> set[int]:
    following = np.bitwise_or.reduce(blocks.step(rows, joint), axis=0, keepdims=True)
    held = unpack(following[0], len(probed.network.fluents))
    return _rules_of(probed, held.astype(bool))


def _rows(
    probed: CompiledGame, blocks: Blocks, fluents: Iterable[Function], bits: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint64]:
    """Write states of the game as states of the probed one."""
    place = {fluent: i for i, fluent in enumerate(probed.network.fluents)}
    unpacked = np.zeros((len(bits), 64 * blocks.words), dtype=np.uint8)
    for column, fluent in enumerate(fluents):
        if fluent in place:
            unpacked[:, place[fluent]] = bits[:, column]
    return pack(unpacked)


def _numbers(sheet: RuleSheet) -> list[int]:
    """Return the numbers of the rules with a body."""
    return [number for number, rule in enumerate(sheet.rules) if rule.body]


def _rules_of(probed: CompiledGame, held: npt.NDArray[np.bool_]) -> set[int]:
    """Return the rules whose fluents are among those that held."""
    return {
        int(str(fluent.args[0]))
        for fluent, is_true in zip(probed.network.fluents, held, strict=True)
        if is_true and fluent.name == PROBE
    }
