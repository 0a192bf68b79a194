"""Step thousands of matches of a Game at once, as numpy arrays (BatchMatches).

States stay in the form that the engine works on: a word has one bit of 64 matches. What is legal,
who is to move and which matches ended are found on such words, and only what callers ask for is
unpacked into arrays. The arrays are filled again by each step, never replaced, and begin where JAX
wants them to, so PyTorch and JAX can share their memory: `torch.from_dlpack(matches.mask)`.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, State, goal_error
from kibitz.envs.arrays import Observation, StateArrays, arrays_of, playable, reward
from kibitz.errors import IllegalMoveError, InputError
from kibitz.facade import AnyGame
from kibitz.rows import pack, pack_key, unpack
from kibitz.space import choices_of

Words = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
Actions = npt.NDArray[np.int64]

_MOST_MATCHES = 1 << 20
_ALIGNED_BYTES = 64


def batch(
    game: AnyGame,
    *,
    matches: int = 4096,
    max_steps: int | None = None,
    observation: Observation = "auto",
    seed: int | None = None,
) -> BatchMatches:
    """Start many matches of a game, which are stepped at once.

    >>> matches = batch("tictactoe", matches=1000, seed=1)
    >>> for _ in range(5):
    ...     matches.step(matches.sample())
    >>> bool(matches.terminated.any()), matches.observe().shape
    (True, (1000, 5, 3, 3))
    """
    if not 1 <= matches <= _MOST_MATCHES:
        raise InputError(f"matches must be from 1 to {_MOST_MATCHES:,}, not {matches}")
    arrays = playable(arrays_of(game, observation))
    return BatchMatches(arrays, matches, max_steps=max_steps, seed=seed)


class BatchMatches:
    """Matches that are stepped at once; one that ends starts again in the same step.

    ============== ================= ========================================================
    mask           (matches, moves)  which actions are legal for the role to move
    turn           (matches,)        the role to move, by its number; the first of several
    rewards        (matches, roles)  what the last step gave: 0, or at an end -1 to 1
    terminated     (matches,)        whether the last step ended the match by the rules
    truncated      (matches,)        whether it ended for `max_steps`, or a role without moves
    steps          (matches,)        steps since the start of the match
    ============== ================= ========================================================
    """

    def __init__(
        self,
        arrays: StateArrays,
        matches: int,
        *,
        max_steps: int | None = None,
        seed: int | None = None,
    ) -> None:
        self.arrays, self.game = arrays, arrays.game
        self.matches, self.max_steps = matches, max_steps
        self.roles = self.game.roles
        self.random = np.random.default_rng(seed)
        roles, actions = len(self.roles), len(arrays.actions)
        self.mask = _shareable((matches, actions), np.bool_)
        self.turn = _shareable((matches,), np.int8)
        self.rewards = _shareable((matches, roles), np.float32)
        self.terminated = _shareable((matches,), np.bool_)
        self.truncated = _shareable((matches,), np.bool_)
        self.steps = _shareable((matches,), np.int32)
        self._observation = _shareable((matches, *arrays.shape), np.int8)

        machine, layout = self.game.machine, self.game.program.layout
        self._machine, self._layout = machine, layout
        self._blocks = -(-matches // machine.lanes)
        self._memory: Words = machine.memories(self._blocks)
        holds = np.array(self.game.network.initial, dtype=bool)
        full = np.uint64(0xFFFFFFFFFFFFFFFF)
        self._initial = np.where(holds, full, np.uint64(0))[None, :, None]
        self._is_used = self._pack(np.ones(matches, dtype=bool))
        choices = choices_of(self.game)
        self._is_choice = [
            np.array([move in choices for move in moves], dtype=bool)
            for moves in self.game.network.moves
        ]
        self.reset(seed=seed)

    def reset(self, *, seed: int | None = None) -> None:
        """Start all matches again; a seed also starts the random numbers of `sample` again."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self._fluents[:] = self._initial
        self._view(range(self._blocks))
        self.steps[:] = 0
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False
        self._find_turns()

    def restart(self, where: Bools) -> None:
        """Start some matches again."""
        self._start_again(where)
        self._find_turns()

    def step(self, actions: npt.ArrayLike, *, where: Bools | None = None) -> None:
        """Make a move in every match, or only `where` there is True.

        `actions` has the action of the role to move for each match; the others make their only
        move. Where roles choose at the same time, give one column for each role; what stands there
        for a role that is not to move is not read. Raise IllegalMoveError, and step no match, where
        an action is not legal.
        """
        layout = self._layout
        active = self._is_used if where is None else self._pack(where) & self._is_used
        self._write_moves(np.asarray(actions), active)
        for memory in self._memory:
            self._machine.step(memory)
        after = self._memory[:, layout.next : layout.next + layout.fluent_count]
        if where is None:
            self._fluents[:] = after
        else:
            chosen = active[:, None]
            self._fluents[:] = (after & chosen) | (self._fluents & ~chosen)
        self._view(range(self._blocks))
        moved = self._unpack(active[:, None])[:, 0]
        self.steps += moved
        self._finish(active, moved)
        self._find_turns()

    def sample(self) -> Actions:
        """Return a random legal action of the role to move for each match."""
        return self._sample(self.mask)

    def sample_all(self) -> Actions:
        """Return a random legal action of every role for each match, one column for each."""
        masks = [self.legal(role) for role in range(len(self.roles))]
        return np.stack([self._sample(mask) for mask in masks], axis=1)

    @property
    def has_simultaneous_moves(self) -> bool:
        """Whether several roles have a choice at this moment in some match."""
        return bool(self._several.any())

    def is_to_move(self, role: int) -> Bools:
        """Return in which matches a role, given by its number, is to move."""
        return self._unpack((self._to_move[role] | self._first_to_move[role])[:, None])[:, 0]

    def legal(self, role: int) -> Bools:
        """Return which actions are legal for a role, a row for each match."""
        found = np.zeros((self.matches, len(self.arrays.actions)), dtype=np.bool_)
        found[:, self.arrays.action_of_move[role]] = self._unpack(self._legal[role])
        return found

    def observe(self) -> npt.NDArray[np.int8]:
        """Return the states as arrays of zeros and ones, in memory that is used again."""
        hidden = [
            ~np.bitwise_or.reduce(self._fluents[:, list(one.unless)], axis=1, keepdims=True)
            for one in self.game.network.hidden
        ]
        never = np.zeros_like(self._fluents[:, :1])
        rows = np.concatenate([self._fluents, *hidden, never], axis=1)[:, self.arrays.source]
        self._observation.reshape(self.matches, -1)[:] = self._unpack(rows)
        return self._observation

    def state(self, match: int) -> State:
        """Return the present state of a match, to look at it or draw it."""
        bits = self._unpack(self._fluents)[match]
        return State(self.game, pack_key(bits))

    def set_states(self, states: npt.NDArray[np.uint64]) -> None:
        """Continue all matches from given states: packed rows, as in `kibitz.engine.Blocks`."""
        if states.shape != (self.matches, Blocks(self.game).words):
            raise InputError(f"there are {self.matches} matches, and states of {states.shape}")
        self._fluents[:] = self._pack_rows(unpack(states, self._layout.fluent_count))
        self._view(range(self._blocks))
        self._find_turns()

    @property
    def _fluents(self) -> Words:
        first = self._layout.fluents
        return self._memory[:, first : first + self._layout.fluent_count]

    @property
    def _legal(self) -> list[Words]:
        pairs = zip(self._layout.legal, self._layout.move_counts, strict=True)
        return [self._memory[:, first : first + count] for first, count in pairs]

    def _sample(self, mask: Bools) -> Actions:
        flat = np.flatnonzero(mask)
        counts = np.bincount(flat // mask.shape[1], minlength=self.matches)
        first = np.cumsum(counts) - counts
        picked = first + (self.random.random(self.matches) * counts).astype(np.int64)
        return cast(Actions, flat[picked] % mask.shape[1])

    def _view(self, blocks: range | list[int]) -> None:
        for number in blocks:
            self._machine.view(self._memory[number])

    def _write_moves(self, actions: npt.NDArray[Any], active: Words) -> None:
        """Write the moves of all roles; those whose action is not read make their only move."""
        roles = len(self.roles)
        if actions.shape == (self.matches, roles):
            choosers = self._to_move
            chosen = [self._one_hot(column) for column in actions.T]
        elif actions.shape == (self.matches,):
            if self._several.any():
                raise InputError(
                    f"roles of {self.game.sheet.name} move at the same time",
                    hint=f"give one column of actions for each role: {' '.join(self.roles)}",
                )
            choosers = self._first_to_move
            chosen = [self._one_hot(actions)] * roles
        else:
            raise InputError(
                f"actions of {self.matches} matches of {self.game.sheet.name} have the shape "
                f"{actions.shape}",
                hint="give one action for each match, or one column for each role",
            )
        for role, (reads, legal) in enumerate(zip(choosers, self._legal, strict=True)):
            made = chosen[role][:, self.arrays.action_of_move[role]] & legal
            wrong = active & reads & ~np.bitwise_or.reduce(made, axis=1)
            if wrong.any():
                self._refuse(role, actions if actions.ndim == 1 else actions[:, role], wrong)
            does = self._layout.does[role]
            self._memory[:, does : does + legal.shape[1]] = (made & reads[:, None]) | (
                legal & ~reads[:, None]
            )

    def _refuse(self, role: int, actions: npt.NDArray[Any], wrong: Words) -> None:
        match = int(np.flatnonzero(self._unpack(wrong[:, None])[:, 0])[0])
        state, name = self.state(match), self.roles[role]
        write = self.game.write
        made = write(self.arrays.move(int(actions[match])))
        raise IllegalMoveError(name, made, [write(move) for move in state.legal(name)])

    def _finish(self, active: Words, moved: Bools) -> None:
        """Give rewards where matches ended, and start them again."""
        layout = self._layout
        self.rewards[:] = 0
        ended = self._memory[:, layout.terminal] & active
        stuck = np.zeros_like(ended)
        for legal in self._legal:
            stuck |= ~np.bitwise_or.reduce(legal, axis=1)
        self.terminated[:] = self._unpack(ended[:, None])[:, 0]
        self.truncated[:] = self._unpack((stuck & active & ~ended)[:, None])[:, 0]
        if self.max_steps is not None:
            self.truncated |= moved & (self.steps >= self.max_steps) & ~self.terminated
        if self.terminated.any():
            self._give_rewards()
        self._start_again(self.terminated | self.truncated)

    def _start_again(self, over: Bools) -> None:
        again = self._pack(over) | ~self._is_used
        self.steps[over] = 0
        blocks = np.flatnonzero(again.any(axis=1))
        self._fluents[:] = (self._initial & again[:, None]) | (self._fluents & ~again[:, None])
        self._view([int(block) for block in blocks])

    def _give_rewards(self) -> None:
        values = self._layout.goal_values
        first = self._layout.goals
        bits = self._unpack(self._memory[:, first : first + len(values)])
        found = np.zeros(self.rewards.shape, dtype=np.int16)
        for column, (role, value) in enumerate(values):
            holds = bits[:, column] & self.terminated
            found[:, role] += holds if value is not None else 2 * holds
            if value is not None:
                self.rewards[holds, role] = reward(value)
        wrong = np.argwhere(self.terminated[:, None] & (found != 1))
        if len(wrong):
            match, role = (int(number) for number in wrong[0])
            raise goal_error(self.state(match), self.roles[role])

    def _find_turns(self) -> None:
        """Find who is to move, as `kibitz.space.turns` defines it, and fill turn and mask."""
        several, chooses = [], []
        for legal, is_choice in zip(self._legal, self._is_choice, strict=True):
            seen = np.bitwise_or.accumulate(legal, axis=1)
            several.append(np.bitwise_or.reduce(legal[:, 1:] & seen[:, :-1], axis=1))
            chooses.append(np.bitwise_or.reduce(legal[:, is_choice], axis=1))
        forced = ~np.bitwise_or.reduce(several)
        all_wait = forced & ~np.bitwise_or.reduce(chooses)
        self._to_move = [
            more | (forced & chosen) for more, chosen in zip(several, chooses, strict=True)
        ]
        self._several = _more_than_one(several) & self._is_used
        self._first_to_move = []
        taken = np.zeros_like(forced)
        rows = np.zeros((self._blocks, len(self.arrays.actions), forced.shape[1]), dtype=np.uint64)
        self.turn[:] = 0
        for role, (to_move, legal) in enumerate(zip(self._to_move, self._legal, strict=True)):
            mine = (to_move | all_wait) & ~taken
            taken |= mine
            self._first_to_move.append(mine)
            rows[:, self.arrays.action_of_move[role]] |= legal & mine[:, None]
            if role:
                self.turn += np.int8(role) * self._unpack(mine[:, None])[:, 0]
        self.mask[:] = self._unpack(rows)

    def _one_hot(self, actions: npt.NDArray[Any]) -> Words:
        """Return for each action the matches that take it."""
        padded = np.full(self._blocks * self._machine.lanes, -1, dtype=np.int64)
        padded[: self.matches] = actions
        numbers = np.arange(len(self.arrays.actions))[None, :, None]
        is_taken = padded.reshape(self._blocks, 1, -1) == numbers
        return pack(is_taken)

    def _pack(self, flags: Bools) -> Words:
        return self._pack_rows(flags[:, None].astype(np.uint8))[:, 0]

    def _pack_rows(self, bits: npt.NDArray[np.uint8]) -> Words:
        """Return a word for each 64 matches, from a row for each match."""
        padded = np.zeros((self._blocks * self._machine.lanes, bits.shape[1]), dtype=np.uint8)
        padded[: self.matches] = bits
        lanes = padded.reshape(self._blocks, self._machine.lanes, -1).transpose(0, 2, 1)
        return pack(lanes)

    def _unpack(self, rows: Words) -> Bools:
        """Return a row for each match, from words of 64 matches each."""
        bits = unpack(rows, 64 * rows.shape[-1])
        wide = bits.transpose(0, 2, 1).reshape(-1, rows.shape[1])
        return cast(Bools, wide[: self.matches].view(np.bool_))


def _shareable(shape: tuple[int, ...], kind: type[Any]) -> npt.NDArray[Any]:
    """Make an array of zeros that begins at a multiple of 64 bytes; JAX copies any other."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    raw = np.zeros(size + _ALIGNED_BYTES, dtype=np.uint8)
    first = -raw.ctypes.data % _ALIGNED_BYTES
    shared: npt.NDArray[Any] = raw[first : first + size].view(kind).reshape(shape)
    return shared


def _more_than_one(flags: list[Words]) -> Words:
    """Return where more than one of the flags is set."""
    seen = np.zeros_like(flags[0])
    twice = np.zeros_like(flags[0])
    for flag in flags:
        twice |= seen & flag
        seen |= flag
    return twice
