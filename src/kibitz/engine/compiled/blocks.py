"""Evaluate batches of states for numpy users, from rows of packed bits to arrays.

A state is a row of 64-bit words; its bit i is fluent i of the game's network. The program that
answers questions about one state also answers them for an array of states.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import Network
from kibitz.rows import Bits, Rows, keys_of, pack, row_words, rows_of_keys, unpack

Moves = npt.NDArray[np.int32]


class Children(NamedTuple):
    """Successors, the row of the state each comes from, and the joint move that leads there."""

    states: Rows
    parents: npt.NDArray[np.int64]
    joint: Moves


class Blocks:
    """Asks a compiled game about arrays of states.

    >>> from kibitz.games import load_sheet
    >>> blocks = Blocks(CompiledGame(load_sheet("tictactoe")))
    >>> children = blocks.expand(blocks.initial())
    >>> len(children.states), len(blocks.expand(children.states).states)
    (9, 72)
    """

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        self.layout = game.program.layout
        self.machine = game.machine
        self.words = row_words(self.layout.fluent_count)
        self._memory = self.machine.memory()

    def initial(self) -> Rows:
        """Return an array with the initial state alone."""
        return self.game.rows([self.game.initial()])

    def rows(self, keys: list[int]) -> Rows:
        """Pack the keys of states into rows."""
        return rows_of_keys(keys, self.words)

    def keys(self, states: Rows) -> list[int]:
        """Return the keys of the states in an array."""
        return keys_of(states)

    def terminal(self, states: Rows) -> npt.NDArray[np.bool_]:
        """Return which states are terminal."""
        area = slice(self.layout.terminal, self.layout.terminal + 1)
        parts = [self._read(area, count)[0] for count in self._view(states)]
        return np.concatenate([np.zeros(0, np.uint8), *parts]).astype(bool)

    def legal(self, states: Rows, role: str) -> npt.NDArray[np.bool_]:
        """Return which moves of a role are legal: one row per state, one column per move."""
        index = self.game.roles.index(role)
        start, count = self.layout.legal[index], self.layout.move_counts[index]
        parts = [self._read(slice(start, start + count), n).T for n in self._view(states)]
        return np.concatenate([np.zeros((0, count), np.uint8), *parts]).astype(bool)

    def goals(self, states: Rows) -> npt.NDArray[np.int16]:
        """Return each role's goal value; -1 where the rules give none or more than one."""
        parts = [self._goals(count) for count in self._view(states)]
        return np.concatenate([np.zeros((0, len(self.game.roles)), np.int16), *parts])

    def _goals(self, count: int) -> npt.NDArray[np.int16]:
        values = self.layout.goal_values
        bits = self._read(slice(self.layout.goals, self.layout.goals + len(values)), count)
        goals = np.full((count, len(self.game.roles)), -1, dtype=np.int16)
        found = np.zeros_like(goals)
        for row, (role, value) in zip(bits, values, strict=True):
            found[:, role] += row
            if value is not None:
                goals[row.astype(bool), role] = value
        goals[found != 1] = -1
        return goals

    def look(
        self, states: Rows
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int16], list[npt.NDArray[np.bool_]]]:
        """Return which states are terminal, their goals, and the legal moves of each role."""
        parts = []
        for count in self._view(states):
            end = self._read(slice(self.layout.terminal, self.layout.terminal + 1), count)[0]
            legal = [
                self._read(slice(start, start + moves), count).T.astype(bool)
                for start, moves in zip(self.layout.legal, self.layout.move_counts, strict=True)
            ]
            parts.append((end.astype(bool), self._goals(count), legal))
        return (
            np.concatenate([end for end, _, _ in parts]),
            np.concatenate([goals for _, goals, _ in parts]),
            [np.concatenate(columns) for columns in zip(*(p[2] for p in parts), strict=True)],
        )

    def count_joint_moves(self, states: Rows, *, stop_at_terminal: bool = False) -> list[int]:
        """Count the legal joint moves of each state."""
        ways = [self.legal(states, role).sum(axis=1).tolist() for role in self.game.roles]
        if stop_at_terminal:
            ways.append((~self.terminal(states)).astype(int).tolist())
        return [prod(numbers) for numbers in zip(*ways, strict=True)]

    def expand(self, states: Rows, *, stop_at_terminal: bool = False) -> Children:
        """Make every legal joint move in every state."""
        parts: list[Children] = []
        done = 0
        for count in self._view(states):
            legal = [
                self._read(slice(start, start + moves), count)
                for start, moves in zip(self.layout.legal, self.layout.move_counts, strict=True)
            ]
            alive = np.ones(count, dtype=bool)
            if stop_at_terminal:
                area = slice(self.layout.terminal, self.layout.terminal + 1)
                alive = self._read(area, count)[0] == 0
            parents, joint = _joint_moves(legal, alive)
            rows = states[done : done + count]
            parts.append(Children(self.step(rows[parents], joint), parents + done, joint))
            done += count
        return Children(
            np.concatenate([np.zeros((0, self.words), np.uint64), *(p.states for p in parts)]),
            np.concatenate([np.zeros(0, np.int64), *(p.parents for p in parts)]),
            np.concatenate(
                [np.zeros((0, len(self.game.roles)), np.int32), *(p.joint for p in parts)]
            ),
        )

    def step(self, states: Rows, joint: Moves) -> Rows:
        """Make a legal joint move in each state: one column per role, moves by number."""
        result = []
        done = 0
        area = slice(self.layout.next, self.layout.next + self.layout.fluent_count)
        for count in self._view(states):
            for role, (start, moves) in enumerate(
                zip(self.layout.does, self.layout.move_counts, strict=True)
            ):
                made = np.zeros((moves, count), dtype=np.uint8)
                if moves:
                    made[joint[done : done + count, role], np.arange(count)] = 1
                self._write(slice(start, start + moves), made)
            self.machine.step(self._memory)
            result.append(pack(self._read(area, count).T, self.words))
            done += count
        return np.concatenate([np.zeros((0, self.words), np.uint64), *result])

    def _view(self, states: Rows) -> Iterator[int]:
        """View the states block by block; yield how many of a block's lanes are in use."""
        area = slice(self.layout.fluents, self.layout.fluents + self.layout.fluent_count)
        for start in range(0, len(states), self.machine.lanes):
            block = states[start : start + self.machine.lanes]
            self._write(area, unpack(block, self.layout.fluent_count).T)
            self.machine.view(self._memory)
            yield len(block)

    def _write(self, area: slice, bits: Bits) -> None:
        padded = np.zeros((bits.shape[0], self.machine.lanes), dtype=np.uint8)
        padded[:, : bits.shape[1]] = bits
        self._memory[area] = pack(padded)

    def _read(self, area: slice, count: int) -> Bits:
        return unpack(self._memory[area], count)


def fluent_bits(network: Network, rows: Rows) -> Bits:
    """Return which fluents hold in which states, hidden ones at the end."""
    bits = unpack(rows, len(network.fluents))
    hidden = [1 - bits[:, list(h.unless)].max(axis=1, initial=0)[:, None] for h in network.hidden]
    return np.concatenate([bits, *hidden], axis=1)


def _joint_moves(
    legal: list[Bits], alive: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], Moves]:
    """List all joint moves: the state of each, and one column of moves per role."""
    states = np.flatnonzero(alive)
    columns: list[npt.NDArray[np.int64]] = []
    for bits in legal:
        rows = bits[:, states]
        move, which = np.nonzero(rows)
        order = np.argsort(which, kind="stable")
        move, which = move[order], which[order]
        states = states[which]
        columns = [column[which] for column in columns]
        columns.append(move)
    joint = np.stack(columns, axis=1) if columns else np.zeros((len(states), 0))
    return states, joint.astype(np.int32)
