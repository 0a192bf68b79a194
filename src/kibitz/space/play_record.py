"""Record events in all states of a game, or in many random matches; find rules that never apply.

A small game is listed; of a larger one matches are played in blocks, of one that could not be
grounded one by one. What is recorded is what `play_diagnostics` looks at.

The sheet gets a rule for each of its rules, with the same body and a fluent of its own as head, so
that the next state says which bodies held before the move.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.budget import Budget
from kibitz.core import Struct
from kibitz.engine import (
    Blocks,
    CompiledGame,
    Game,
    Goal,
    Move,
    Role,
    State,
    ground,
    require_compiled,
)
from kibitz.errors import InputError
from kibitz.gdl import Atom, Dependencies, Function, Rule, RuleSheet
from kibitz.rows import pack, unpack
from kibitz.space.exploration import Limits, list_space
from kibitz.space.graph import graph_of, invert, line_to, order_backwards
from kibitz.space.space import StateSpace

MATCHES = 10_000
"""How many random matches are played of a game that is not small."""
_MOST_STATES = 100_000
_LISTING_S = 3.0
_LANES = 2_048
_SAMPLED_LANES = 64
_MOST_SAMPLED = 20_000
_MOST_JOINT_MOVES = 200
LONGEST = 1_000
"""A match that takes more moves is left; it is counted as one that did not end."""

Rows = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.uint8]
Path = tuple[tuple[Move, ...], ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """A state in which something is wrong, the joint moves that lead there, and for which role."""

    state: State
    path: Path | None
    role: Role = ""


@dataclass(slots=True)
class FluentChanges:
    """How often each fluent held before a move, still held after it, and was replaced.

    It is replaced at an argument where a fluent follows that differs from it there and nowhere
    else. So many `moves` were looked at, of `all_moves` that there are.
    """

    moves: int = 0
    all_moves: int = 0
    fluents: tuple[Function, ...] = ()
    held: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    kept: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    replaced: dict[int, npt.NDArray[np.int64]] = field(default_factory=dict)


@dataclass(slots=True)
class PlayRecord:
    """Observations in all states (`is_complete`), or in `matches` random matches.

    `results` are the goals of the ends that were seen. `frozen` is a state in which every move
    leads back to it; from `trapped` states, `frozen_states` of them such, no end can be reached.
    `can_cycle` and these numbers are known only of a game all of whose states were listed.
    """

    game: Game
    is_complete: bool
    states: int = 0
    matches: int = 0
    unended: int = 0
    ends: int = 0
    results: set[tuple[Goal, ...]] = field(default_factory=set)
    stuck: Witness | None = None
    stuck_states: int = 0
    bad_goal: Witness | None = None
    frozen: Witness | None = None
    frozen_states: int = 0
    trapped: int = 0
    can_cycle: bool = False
    choosers: set[Role] = field(default_factory=set)
    changes: FluentChanges = field(default_factory=FluentChanges)
    followed: npt.NDArray[np.bool_] | None = None
    """Which fluents of the network held after some move of the matches."""
    followed_ends: npt.NDArray[np.bool_] | None = None
    """Which would hold after an end, where nothing is moved."""


def list_states(game: CompiledGame, *, most: int = _MOST_STATES) -> StateSpace | None:
    """List the states of a game if they are few, and return None if not."""
    try:
        space = list_space(game, Limits(states=most, seconds=_LISTING_S, bytes=10**9))
    except InputError:  # a state has too many joint moves
        return None
    return space if space.is_complete else None


def record_space(space: StateSpace) -> PlayRecord:
    """Record what happens in all states of a space that was explored completely.

    >>> from kibitz.games import load_sheet
    >>> record = record_space(list_space(CompiledGame(load_sheet("tictactoe")), Limits()))
    >>> record.is_complete, record.states, sorted(record.results)
    (True, 5478, [(0, 100), (50, 50), (100, 0)])
    """
    game, sizes = space.game, np.diff(space.first_edge)
    inner = np.flatnonzero(sizes)
    record = PlayRecord(game, is_complete=True, states=len(space), ends=space.ends)
    goals = np.unique(space.goals[space.terminal], axis=0)
    record.results = {tuple(None if g < 0 else int(g) for g in row) for row in goals}
    stuck = np.flatnonzero((sizes == 0) & ~space.terminal)
    if len(stuck):
        record.stuck_states = len(stuck)
        state, path = line_to(space, int(stuck[0]))
        roles = [role for role in game.roles if not state.legal(role)]
        record.stuck = Witness(state, path, roles[0] if roles else "")
    bad = np.flatnonzero(space.terminal & (space.goals < 0).any(axis=1))
    if len(bad):
        role = game.roles[int(np.argmax(space.goals[bad[0]] < 0))]
        record.bad_goal = Witness(*line_to(space, int(bad[0])), role)
    if len(inner):
        source = np.repeat(np.arange(len(space)), sizes)
        leaves = (space.target != source).astype(np.int8)
        frozen = inner[np.maximum.reduceat(leaves, space.first_edge[inner]) == 0]
        # In a reduced space an edge back to a state may lead to an image of it.
        if len(frozen) and not space.is_reduced:
            record.frozen_states = len(frozen)
            record.frozen = Witness(*line_to(space, int(frozen[0])))
        for number, role in enumerate(game.roles):
            moves = {joint[number]: None for joint in space.joint_moves}
            index = {move: i for i, move in enumerate(moves)}
            made = np.array([index[joint[number]] for joint in space.joint_moves])[space.action]
            starts = space.first_edge[inner]
            if (np.minimum.reduceat(made, starts) != np.maximum.reduceat(made, starts)).any():
                record.choosers.add(role)
        if not space.is_reduced:
            chosen = np.arange(0, space.edges, max(1, space.edges // _MOST_SAMPLED))
            record.changes = _changes(
                game,
                space.states[source[chosen]],
                space.states[space.target[chosen]],
                space.edges,
            )
    _look_at_graph(space, record)
    return record


def _look_at_graph(space: StateSpace, record: PlayRecord) -> None:
    first_back, back = invert(space)
    if not space.is_layered:
        record.can_cycle = len(order_backwards(graph_of(space), first_back, back)) < len(space)
    marks = np.diff(space.first_edge) == 0
    backwards = Struct("graph", first_edge=first_back, target=back, states=len(space))
    while core.function("graph_mark_following")(backwards, marks):
        pass
    record.trapped = int((~marks).sum())


def _clock(seconds: float) -> Callable[[], bool]:
    """Time work by the processor, so that a busy machine sees as much; wait at most four times."""
    cpu, wall = time.process_time() + seconds, time.perf_counter() + 4 * seconds
    return lambda: time.process_time() > cpu or time.perf_counter() > wall


def record_matches(
    game: CompiledGame,
    *,
    seconds: float = 5.0,
    matches: int = MATCHES,
    seed: int = 1,
    ignored: str = "",
) -> PlayRecord:
    """Play random matches in blocks, until there are so many or the time is over.

    Fluents whose name is `ignored` are no part of a state.
    """
    is_late = _clock(seconds)
    record = PlayRecord(game, is_complete=False)
    blocks, source = _MaskedBlocks(game, ignored), np.random.default_rng(seed)
    before: list[Rows] = []
    after: list[Rows] = []
    while record.matches < matches and not is_late():
        lanes = min(_LANES, matches - record.matches)
        rows = np.repeat(blocks.initial(), lanes, axis=0)
        alive = np.arange(lanes)
        joints: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]] = []
        for _ in range(LONGEST):
            if not len(alive):
                break
            alive, rows, legal = _settle(record, blocks, alive, rows, joints)
            if not len(alive) or is_late():
                break
            joint = np.stack([_pick(bits, source) for bits in legal], axis=1).astype(np.int32)
            following = blocks.step(rows, joint)
            record.states += len(rows)
            if sum(map(len, before)) < _MOST_SAMPLED:
                few = alive < _SAMPLED_LANES
                before.append(rows[few])
                after.append(following[few])
            joints.append((alive, joint))
            same = np.flatnonzero((following == rows).all(axis=1))
            if len(same):
                alive, following = _leave_frozen(record, blocks, alive, following, joints, same)
            rows = following
        else:
            record.unended += len(alive)
            record.matches += len(alive)
    if before:
        record.changes = _changes(game, np.concatenate(before), np.concatenate(after))
    count = blocks.layout.fluent_count
    record.followed = unpack(blocks.followed, count).astype(bool)
    record.followed_ends = unpack(blocks.followed_ends, count).astype(bool)
    return record


class _MaskedBlocks(Blocks):
    """Blocks whose steps clear fluents of one name, and keep which fluents ever followed."""

    def __init__(self, game: CompiledGame, ignored: str) -> None:
        super().__init__(game)
        kept = [fluent.name != ignored for fluent in game.network.fluents]
        bits = np.zeros(64 * self.words, dtype=np.uint8)
        bits[: len(kept)] = kept
        self.mask = pack(bits)
        self.followed = np.zeros(self.words, dtype=np.uint64)
        self.followed_ends = np.zeros(self.words, dtype=np.uint64)

    def step(self, states: Rows, joint: npt.NDArray[np.int32]) -> Rows:
        following = super().step(states, joint)
        self.followed |= np.bitwise_or.reduce(following, axis=0)
        return following & self.mask

    def end(self, states: Rows) -> None:
        """Note what would follow states in which play has ended."""
        if len(states):
            nothing = np.zeros((len(states), len(self.game.roles)), dtype=np.int32)
            self.followed_ends |= np.bitwise_or.reduce(super().step(states, nothing), axis=0)


def _settle(
    record: PlayRecord,
    blocks: _MaskedBlocks,
    alive: npt.NDArray[np.int64],
    rows: Rows,
    joints: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]],
) -> tuple[npt.NDArray[np.int64], Rows, list[npt.NDArray[np.bool_]]]:
    """Take matches that ended or are stuck out of the block, and record how.

    Return those that are left, with their states and legal moves.
    """
    terminal, goals, legal = blocks.look(rows)
    record.ends += int(terminal.sum())
    for row in np.unique(goals[terminal], axis=0):
        record.results.add(tuple(None if g < 0 else int(g) for g in row))
    bad = np.flatnonzero(terminal & (goals < 0).any(axis=1))
    roles = record.game.roles
    if len(bad) and record.bad_goal is None:
        role = roles[int(np.argmax(goals[bad[0]] < 0))]
        record.bad_goal = _witness(blocks, rows[bad[0]], alive[bad[0]], joints, role)
    counts = np.stack([bits.sum(axis=1) for bits in legal], axis=1)
    record.choosers |= {roles[i] for i in np.flatnonzero((counts[~terminal] > 1).any(axis=0))}
    stuck = ~terminal & (counts == 0).any(axis=1)
    if stuck.any():
        record.stuck_states += int(stuck.sum())
        first = int(np.argmax(stuck))
        if record.stuck is None:
            role = roles[int(np.argmax(counts[first] == 0))]
            record.stuck = _witness(blocks, rows[first], alive[first], joints, role)
    over = terminal | stuck
    blocks.end(rows[over])
    record.matches += int(over.sum())
    return alive[~over], rows[~over], [bits[~over] for bits in legal]


def _leave_frozen(
    record: PlayRecord,
    blocks: _MaskedBlocks,
    alive: npt.NDArray[np.int64],
    rows: Rows,
    joints: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]],
    same: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], Rows]:
    """Take matches out in whose state no move changes anything."""
    few = np.array([0 < n <= _MOST_JOINT_MOVES for n in blocks.count_joint_moves(rows[same])])
    same = same[few]
    children = blocks.expand(rows[same])
    moved = (children.states != rows[same][children.parents]).any(axis=1)
    changes = np.zeros(len(same), dtype=bool)
    np.logical_or.at(changes, children.parents, moved)
    frozen = same[~changes]
    if len(frozen) and record.frozen is None:
        record.frozen = _witness(blocks, rows[frozen[0]], alive[frozen[0]], joints, "")
    record.frozen_states += len(frozen)
    record.matches += len(frozen)
    kept = np.ones(len(rows), dtype=bool)
    kept[frozen] = False
    return alive[kept], rows[kept]


def _pick(legal: npt.NDArray[np.bool_], source: np.random.Generator) -> npt.NDArray[np.int64]:
    scores = source.random(legal.shape, dtype=np.float32) + 1
    return np.asarray((scores * legal).argmax(axis=1))


def _witness(
    blocks: Blocks,
    row: npt.NDArray[np.uint64],
    lane: np.int64,
    joints: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]],
    role: Role,
) -> Witness:
    moves = blocks.game.network.moves
    path = []
    for alive, joint in joints:
        chosen = joint[int(np.searchsorted(alive, lane))]
        path.append(tuple(moves[i][int(m)] for i, m in enumerate(chosen)))
    return Witness(State(blocks.game, blocks.keys(row[None])[0]), tuple(path), role)


def fluent_bits(game: CompiledGame, rows: Rows) -> tuple[tuple[Function, ...], Bits]:
    """Unpack rows: a column for each fluent of the game, the hidden ones among them."""
    network = game.network
    bits = unpack(rows, len(network.fluents))
    columns: list[Bits] = [bits]
    for hidden in network.hidden:
        others = np.asarray(bits[:, list(hidden.unless)].any(axis=1))
        columns.append((~others).astype(np.uint8)[:, None])
    fluents = (*network.fluents, *(h.fluent for h in network.hidden))
    return fluents, np.concatenate(columns, axis=1)


def _changes(game: CompiledGame, before: Rows, after: Rows, all_moves: int = 0) -> FluentChanges:
    fluents, held = fluent_bits(game, before)
    _, follows = fluent_bits(game, after)
    held, follows = held.astype(bool), follows.astype(bool)
    replaced: dict[int, npt.NDArray[np.int64]] = {}
    for place in range(max((len(f.args) for f in fluents), default=0)):
        keys: dict[tuple[object, ...], list[int]] = {}
        for i, fluent in enumerate(fluents):
            if len(fluent.args) > place:
                rest = (*fluent.args[:place], *fluent.args[place + 1 :])
                keys.setdefault((fluent.name, len(fluent.args), *rest), []).append(i)
        counts = np.zeros(len(fluents), dtype=np.int64)
        for group in keys.values():
            if len(group) > 1:
                later = np.asarray(follows[:, group].any(axis=1))
                counts[group] = (held[:, group] & ~follows[:, group] & later[:, None]).sum(axis=0)
        replaced[place] = counts
    kept = (held & follows).sum(axis=0)
    return FluentChanges(len(before), all_moves, fluents, held.sum(axis=0), kept, replaced)


def record_slowly(
    game: Game, *, seconds: float = 5.0, matches: int = MATCHES, seed: int = 1
) -> PlayRecord:
    """Play random matches of any game one by one, as many as there is time for."""
    is_late = _clock(seconds)
    record = PlayRecord(game, is_complete=False)
    source = random.Random(seed)
    while record.matches < matches and not is_late():
        state = game.initial()
        path: list[tuple[Move, ...]] = []
        for _ in range(LONGEST):
            if state.is_terminal:
                record.ends += 1
                goals = tuple(state.goals.values())
                record.results.add(goals)
                if None in goals and record.bad_goal is None:
                    role = game.roles[goals.index(None)]
                    record.bad_goal = Witness(state, tuple(path), role)
                break
            legal = [state.legal(role) for role in game.roles]
            record.choosers |= {
                r for r, moves in zip(game.roles, legal, strict=True) if len(moves) > 1
            }
            if not all(legal):
                record.stuck_states += 1
                if record.stuck is None:
                    role = game.roles[[bool(moves) for moves in legal].index(False)]
                    record.stuck = Witness(state, tuple(path), role)
                break
            if is_late():
                return record
            path.append(tuple(map(source.choice, legal)))
            state = game.successor(state.key, path[-1])
            record.states += 1
        else:
            record.unended += 1
        record.matches += 1
    return record


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
