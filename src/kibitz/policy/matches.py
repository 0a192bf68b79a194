"""Play many matches between policies, 512 at a time, and collect their goals.

Each lane of a block plays one match. The random numbers of a round depend only on the seed, the
match and the round: two lists of rules that are tried with the same seed meet the same chance as
long as they play alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, WORDS, Struct, vectors
from kibitz.engine import Blocks, CompiledGame, Move, Role, State, require_compiled
from kibitz.engine.compiled.native_machine import choice_scratch
from kibitz.errors import InputError
from kibitz.policy.move_masks import Mask, MoveMasks
from kibitz.policy.policies import (
    Asked,
    GatePolicy,
    Moves,
    Outside,
    Policy,
    RandomPolicy,
    Rows,
    place_masks,
)
from kibitz.rows import key_of, pack, unpack
from kibitz.threads import ThreadTeam, thread_count

_Z = 1.959964


def share_interval(hits: float, tries: float) -> tuple[float, float]:
    """Return the 95 % interval of a share after Wilson (1927), which is right near 0 and 1 as well.

    >>> [round(bound, 3) for bound in share_interval(8, 10)]
    [0.49, 0.943]
    >>> share_interval(0, 0)
    (0.0, 1.0)
    """
    if not tries:
        return 0.0, 1.0
    z2 = _Z * _Z
    centre = (hits + z2 / 2) / (tries + z2)
    half = _Z / (tries + z2) * math.sqrt(hits * (tries - hits) / tries + z2 / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


LONGEST = 10_000
"""Rounds after which a match is broken off."""

Goals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Results:
    """The goals of matches, one row each and one column for each role, and moves made in all.

    A match that did not end, or gave a role no goal, has NaN. `records` has the joint moves of each
    match, by their numbers, if they were asked for.
    """

    roles: tuple[Role, ...]
    goals: Goals
    moves: int
    records: tuple[npt.NDArray[np.int64], ...] = ()

    def of(self, role: Role) -> Goals:
        """Return the goals of one role."""
        return self.goals[:, self.roles.index(role)]


def match_rows(
    game: CompiledGame, results: Results, start: npt.NDArray[np.uint64] | None = None
) -> list[list[npt.NDArray[np.uint64]]]:
    """Return the packed states of matches that were recorded, each from its start to its end.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> lines = match_rows(game, play_matches(game, {}, 10, record=True))
    >>> len(lines), all(3 <= len(line) <= 4 for line in lines)
    (10, True)
    """
    blocks = Blocks(game)
    first = blocks.initial()[0] if start is None else start
    lines = [[first] for _ in results.records]
    for turn in range(max(map(len, results.records), default=0)):
        on = [i for i, record in enumerate(results.records) if turn < len(record)]
        rows = np.stack([lines[i][-1] for i in on])
        joint = np.stack([results.records[i][turn] for i in on]).astype(np.int32)
        for i, row in zip(on, blocks.step(rows, joint), strict=True):
            lines[i].append(row)
    return lines


def play_matches(
    game: CompiledGame,
    policies: Mapping[Role, Policy],
    n: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    longest: int = LONGEST,
    record: bool = False,
    starts: npt.NDArray[np.uint64] | None = None,
) -> Results:
    """Play a number of matches; roles without a policy play at random.

    `starts` has a packed row for each match, if they do not start at the beginning.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.policy.policies import compile_strategy
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> rules = read_strategy("next wins(me) else true => mark(2,2)", game)
    >>> mine = compile_strategy(rules, "xplayer")
    >>> results = play_matches(game, {"xplayer": mine}, 1000)
    >>> results.goals.shape, float(results.of("xplayer").mean()) > 80
    ((1000, 2), True)
    """
    for role in policies:
        game.check_role(role)
    if starts is not None and len(starts) != n:
        raise InputError(f"{n} matches start in {len(starts)} positions")
    blocks = -(-n // LANES)
    is_native = all(p.is_native for p in policies.values() if isinstance(p, Outside))
    size = max(1, min(thread_count(threads) if is_native else 1, blocks))
    goals = np.full((blocks * LANES, len(game.roles)), np.nan)
    moves = [0] * size
    made = [MatchBlock(game, policies) for _ in range(size)]
    records: list[list[npt.NDArray[np.int64]]] = [[] for _ in range(blocks)]

    def play(number: int) -> None:
        block = made[number]
        for index in range(number, blocks, size):
            used = min(LANES, n - index * LANES)
            start = index * LANES
            recorder = _Recorder(block, used) if record else None
            here = None if starts is None else starts[start : start + LANES]
            goals[start : start + LANES] = block.play(seed, index, used, longest, recorder, here)
            records[index] = recorder.matches() if recorder else []
            moves[number] += block.moves

    with ThreadTeam(size) as team:
        team.each(play)
    return Results(game.roles, goals[:n], sum(moves), tuple(m for part in records for m in part))


def play_both_sides(
    game: CompiledGame,
    one: Mapping[Role, Policy],
    other: Mapping[Role, Policy],
    n: int,
    *,
    seed: int = 1,
    threads: int | None = None,
) -> Goals:
    """Return the goals of one player in n matches against another, half of them in each role.

    Each player has a policy for every role; the first half is played in the first role. Both halves
    have the same seed.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(play_both_sides(game, {}, {}, 100))
    100
    """
    if len(game.roles) != 2:
        raise InputError(f"{game.sheet.name} has {len(game.roles)} roles, not two")
    found = []
    for mine, share in zip(game.roles, (n - n // 2, n // 2), strict=True):
        seats = {
            role: (one if role == mine else other).get(role, RandomPolicy()) for role in game.roles
        }
        found.append(play_matches(game, seats, share, seed=seed, threads=threads).of(mine))
    return np.concatenate(found)


def moves_by_gates(policy: GatePolicy, states: Sequence[State]) -> list[tuple[Move, ...]]:
    """Return the moves that a policy allows in each of some states, in the order of the network.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.policy.policies import compile_strategy
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> corner = compile_strategy(read_strategy("true => mark(1,1)", game), "xplayer")
    >>> [str(move) for move in moves_by_gates(corner, [game.initial()])[0]]
    ['(mark 1 1)', '(mark 1 3)', '(mark 3 1)', '(mark 3 3)']
    """
    game = policy.game
    block = MatchBlock(game, {policy.role: policy})
    rows = game.rows(states)
    moves = game.network.moves[game.roles.index(policy.role)]
    found: list[tuple[Move, ...]] = []
    for start in range(0, len(rows), LANES):
        bits = block.masks_at(rows[start : start + LANES], policy.role)
        found += [tuple(moves[i] for i in np.flatnonzero(row)) for row in bits]
    return found


class MatchBlock:
    """Memory for a block of matches between policies.

    If it is `masked`, all roles have masks, also those that play at random.
    """

    def __init__(
        self, game: CompiledGame, policies: Mapping[Role, Policy], *, masked: bool = False
    ) -> None:
        machine = require_compiled(game).machine
        self.game, self.machine, self.layout = game, machine, machine.program.layout
        self.policies = [policies.get(role, RandomPolicy()) for role in game.roles]
        self.outside = [
            (index, policy)
            for index, policy in enumerate(self.policies)
            if isinstance(policy, Outside)
        ]
        self.masks, slots = machine.mask_slots()
        chosen = [
            index
            for index, policy in enumerate(self.policies)
            if masked or not isinstance(policy, RandomPolicy)
        ]
        own = [policy.slots for policy in self.policies if isinstance(policy, GatePolicy)]
        self.memory = vectors(max([slots, *own]))
        self.over = vectors(1)
        masked_roles, masks = machine.mask_records(
            self.masks, {index: self._code(self.policies[index], index) for index in chosen}
        )
        self.rules = Struct("game")
        self.rules.words[:] = machine.game.words
        self.rules.roles = masked_roles
        self.context = Struct(
            "matches", memory=self.memory, seed=vectors(4), random=vectors(4),
            scratch=choice_scratch(machine), over=self.over, mask_count=len(chosen), masks=masks,
        )  # fmt: skip
        self._matches = core.function("matches_play", machine.bits)
        self._view_all = core.function("matches_view", machine.bits)
        self._advance = core.function("matches_advance", machine.bits)

    def _code(self, policy: Policy, index: int) -> npt.NDArray[np.int32] | None:
        """Return the gates that fill in a mask; None if somebody else does."""
        if not isinstance(policy, GatePolicy):
            return None
        if policy.game is not self.game or policy.role != self.game.roles[index]:
            raise InputError(f"{policy.name} is not for {self.game.roles[index]} of this game")
        return policy.code

    @property
    def moves(self) -> int:
        """How many moves the last matches had."""
        return int(self.context.moves)

    def start(self, source: np.random.Generator) -> None:
        """Take new random numbers, count rounds and moves anew, and forget the moves last made."""
        for start, count in zip(self.layout.does, self.layout.move_counts, strict=True):
            self.memory[start : start + count] = 0
        self.context.seed[:] = source.integers(0, 2**64, size=(4, WORDS), dtype=np.uint64)
        self.context.round = self.context.moves = 0

    def play(
        self,
        seed: int,
        block: int,
        used: int,
        longest: int,
        recorder: _Recorder | None = None,
        rows: npt.NDArray[np.uint64] | None = None,
    ) -> Goals:
        """Play one match in every lane; return the goals of all roles in each."""
        layout = self.layout
        self.start(np.random.default_rng([seed, block]))
        fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
        if layout.fluent_count:
            self.memory[fluents] = self.machine.initial[:, None].view(np.uint64)
            if rows is not None:
                self._enter(rows)
        if self.outside or recorder:
            self._ask(block, used, longest, recorder)
        else:
            self._matches(self.rules, self.context, longest)
        return self._goals()

    def masks_at(
        self, rows: npt.NDArray[np.uint64], role: Role, last: Moves | None = None
    ) -> npt.NDArray[np.bool_]:
        """Return the mask of a role in up to a block of states, a row for each.

        `last` has the joint moves that led to them.
        """
        layout = self.layout
        self._enter(rows)
        enter_moves(self.game, self.memory, last)
        self._view_all(self.rules, self.context)
        index = self.game.roles.index(role)
        start, count = self.masks[index], layout.move_counts[index]
        return lanes_of(self.memory[start : start + count]).T[: len(rows)]

    def _enter(self, rows: npt.NDArray[np.uint64]) -> None:
        """Put a state into each of the first lanes, and the first of them into the others."""
        layout = self.layout
        filled = np.concatenate([rows, np.repeat(rows[:1], LANES - len(rows), axis=0)])
        bits = unpack(filled, layout.fluent_count).T
        self.memory[layout.fluents : layout.fluents + layout.fluent_count] = pack(bits)

    def _ask(self, block: int, used: int, longest: int, recorder: _Recorder | None) -> None:
        """Play round by round, and ask policies outside which moves may be made."""
        past = _Past(self) if any(p.needs_past for _, p in self.outside) else None
        for turn in range(longest):
            self._view_all(self.rules, self.context)
            going_on = ~lanes_of(self.over)[0, :used]
            if not going_on.any():
                break
            rows = self._rows() if self.outside else None
            for index, policy in self.outside:
                assert rows is not None
                legal = self._legal(index)
                choosing = np.flatnonzero(going_on & (legal[:, :used].sum(axis=0) > 1))
                if not len(choosing):
                    continue
                asked = Asked(
                    game=self.game,
                    role=self.game.roles[index],
                    rows=rows[choosing],
                    legal=legal[:, choosing].T.astype(bool),
                    matches=block * LANES + choosing,
                    turn=turn,
                    past=lambda i, lanes=choosing: past.of(lanes[i]) if past else [],  # type: ignore[misc]
                    last=lambda lanes=choosing: self.joint_moves()[lanes],  # type: ignore[misc]
                )
                legal[:, choosing] = policy.moves(asked).T
                start = self.masks[index]
                self.memory[start : start + len(legal)] = pack(legal)
            self._advance(self.rules, self.context)
            if past and rows is not None:
                past.add(rows)
            if recorder:
                recorder.add(going_on)

    def _rows(self) -> npt.NDArray[np.uint64]:
        """Return the states of all lanes as packed rows."""
        layout = self.layout
        fluents = self.memory[layout.fluents : layout.fluents + layout.fluent_count]
        return pack(unpack(fluents, LANES).T)

    def _legal(self, index: int) -> npt.NDArray[np.uint8]:
        """Return which moves of a role are legal, a column for each lane."""
        start, count = self.layout.legal[index], self.layout.move_counts[index]
        return lanes_of(self.memory[start : start + count]).astype(np.uint8)

    def joint_moves(self) -> npt.NDArray[np.int64]:
        """Return the moves last made, a row for each lane; -1 where there was none."""
        made = []
        for start, count in zip(self.layout.does, self.layout.move_counts, strict=True):
            bits = lanes_of(self.memory[start : start + count])
            made.append(np.where(bits.any(axis=0), bits.argmax(axis=0), -1))
        return np.stack(made, axis=1)

    def _goals(self) -> Goals:
        """Return the goals of all roles where play has ended, and NaN where there is none."""
        layout = self.layout
        values = layout.goal_values
        ended = lanes_of(self.memory[layout.terminal : layout.terminal + 1])[0]
        bits = lanes_of(self.memory[layout.goals : layout.goals + len(values)])
        goals = np.full((LANES, len(self.game.roles)), np.nan)
        count = np.zeros((LANES, len(self.game.roles)), dtype=np.int64)
        for here, (role, value) in zip(bits, values, strict=True):
            count[:, role] += here
            goals[here, role] = np.nan if value is None else value
        goals[(count != 1) | ~ended[:, None]] = np.nan
        return goals


class _Recorder:
    """The joint moves of all matches of a block, round by round."""

    def __init__(self, block: MatchBlock, used: int) -> None:
        self.block, self.used = block, used
        self.rounds: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]] = []

    def add(self, going_on: npt.NDArray[np.bool_]) -> None:
        """Add the moves that the block made, in matches that were going on."""
        self.rounds.append((self.block.joint_moves(), going_on))

    def matches(self) -> list[npt.NDArray[np.int64]]:
        """Return the joint moves of each match, a row for each."""
        nothing = np.zeros((0, len(self.block.game.roles)), dtype=np.int64)
        return [
            np.stack(moves)
            if (moves := [j[lane] for j, on in self.rounds if on[lane]])
            else nothing
            for lane in range(self.used)
        ]


class _Past:
    """The states and joint moves of all matches of a block, round by round."""

    def __init__(self, block: MatchBlock) -> None:
        self.block = block
        self.rounds: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]] = []

    def add(self, rows: npt.NDArray[np.uint64]) -> None:
        """Add the states before a round; the moves made are those of the block."""
        self.rounds.append((rows, self.block.joint_moves()))

    def of(self, lane: int) -> list[tuple[State, tuple[Move, ...]]]:
        """Return the past of one match; a round in which it waited left its state as it was."""
        game = self.block.game
        found: list[tuple[State, tuple[Move, ...]]] = []
        for rows, joint in self.rounds:
            state = State(game, key_of(rows[lane]))
            moves = tuple(
                game.network.moves[role][move] for role, move in enumerate(joint[lane].tolist())
            )
            found.append((state, moves))
        return found


def enter_moves(game: CompiledGame, memory: npt.NDArray[np.uint64], last: Moves | None) -> None:
    """Put the moves that were made last into the first lanes of a block; -1 is none."""
    layout = game.program.layout
    for role, (start, count) in enumerate(zip(layout.does, layout.move_counts, strict=True)):
        bits = np.zeros((count, LANES), dtype=np.uint8)
        if last is not None:
            lanes = np.flatnonzero(last[:, role] >= 0)
            bits[last[lanes, role], lanes] = 1
        memory[start : start + count] = pack(bits)


def lanes_of(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return a row of bits for each slot, one for each lane."""
    return unpack(words, LANES).view(np.bool_)


class MaskTable:
    """Asks for some masks of one role in many states at once.

    >>> from kibitz.engine import Blocks, CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> masks = MoveMasks(game, "xplayer")
    >>> found = MaskTable(masks, [masks.legal]).ask(Blocks(game).initial())
    >>> found.shape, int(found.sum())
    ((1, 1, 10), 9)
    """

    def __init__(self, masks: MoveMasks, wanted: Sequence[Mask]) -> None:
        self.game = masks.game
        self.layout = self.game.program.layout
        self.shape = len(wanted), len(masks.legal)
        _, self.start = self.game.machine.mask_slots()
        literals = [literal for mask in wanted for literal in mask]
        targets = np.arange(self.start, self.start + len(literals), dtype=np.int64)
        self.code, slots, self.gates = place_masks(masks, literals, targets, int(targets[-1]) + 1)
        self.memory = vectors(slots)
        self._interpret = core.function("interpret")

    def ask(self, rows: Rows, last: Moves | None = None) -> npt.NDArray[np.bool_]:
        """Return for each mask, each state and each move whether the mask has it.

        `last` has the joint moves that led to the states.
        """
        masks, moves = self.shape
        found = np.zeros((masks, len(rows), moves), dtype=bool)
        fluents = slice(self.layout.fluents, self.layout.fluents + self.layout.fluent_count)
        for first in range(0, len(rows), LANES):
            block = rows[first : first + LANES]
            padded = np.zeros((self.layout.fluent_count, LANES), dtype=np.uint8)
            padded[:, : len(block)] = unpack(block, self.layout.fluent_count).T
            self.memory[fluents] = pack(padded)
            made = None if last is None else last[first : first + LANES]
            enter_moves(self.game, self.memory, made)
            self._interpret(self.memory, self.code)
            here = lanes_of(self.memory[self.start : self.start + masks * moves])
            here = here.reshape(masks, moves, LANES)[:, :, : len(block)]
            found[:, first : first + len(block)] = here.transpose(0, 2, 1)
        return found
