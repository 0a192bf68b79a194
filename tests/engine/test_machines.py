"""Every machine computes what Network.evaluate does, in every lane, whatever memory holds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.engine.suite import BACKENDS
from tests.random_games import games

from kibitz.engine.compiled.native_machine import NativeMachine
from kibitz.engine.compiled.program import Program, lay_out
from kibitz.engine.grounding import ground
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet

GAMES = ("tictactoe", "connectfour", "roshambo", "hanoi", "breakthrough:5x5", "sim")
Words = npt.NDArray[np.uint64]


def run(program: Program, machine: NativeMachine, fluents: Words, does: list[Words]) -> list[Words]:
    """Run both stages on memory full of rubbish, and give all results."""
    layout = program.layout
    memory = machine.memory()
    rubbish = np.random.default_rng(7).integers(0, 2**64, memory.shape, dtype=np.uint64)
    memory[1:] = rubbish[1:]
    width = memory.shape[1]
    memory[layout.fluents : layout.fluents + layout.fluent_count] = fluents[:, :width]
    machine.view(memory)
    found = [
        memory[start : start + count].copy()
        for start, count in zip(layout.legal, layout.move_counts, strict=True)
    ]
    found.append(memory[layout.terminal : layout.terminal + 1].copy())
    found.append(memory[layout.goals : layout.goals + len(layout.goal_values)].copy())
    for start, made in zip(layout.does, does, strict=True):
        memory[start : start + len(made)] = made[:, :width]
    machine.step(memory)
    found.append(memory[layout.next : layout.next + layout.fluent_count].copy())
    return found


def evaluate(program: Program, fluents: Words, does: list[Words]) -> list[list[int]]:
    """Work out the same results with Python's long numbers."""
    network = program.network

    def number(row: Words) -> int:
        return int.from_bytes(row.astype("<u8").tobytes(), "little")

    ones = (1 << 64 * fluents.shape[1]) - 1 if fluents.size else (1 << 512) - 1
    inputs = [number(row) for row in fluents] + [number(row) for part in does for row in part]
    values = network.evaluate(inputs, ones)

    def of(literals: list[int]) -> list[int]:
        return [values[lit >> 1] ^ (ones if lit & 1 else 0) for lit in literals]

    parts = [of(list(literals)) for literals in network.legal]
    parts.append(of([network.terminal]))
    parts.append(of([literal for pairs in network.goals for _, literal in pairs]))
    return [*parts, of(list(network.next))]


def check(program: Program, seed: int) -> None:
    """Fill fluents and moves of 512 lanes at random, legal or not, and compare."""
    source = np.random.default_rng(seed)
    layout = program.layout
    fluents = source.integers(0, 2**64, (layout.fluent_count, 8), dtype=np.uint64)
    does = [source.integers(0, 2**64, (n, 8), dtype=np.uint64) for n in layout.move_counts]
    expected = evaluate(program, fluents, does)
    for backend in BACKENDS:
        machine = NativeMachine(program, backend)
        words = machine.memory().shape[1]
        wide = np.tile(fluents, (1, words // 8))
        found = run(program, machine, wide, [np.tile(part, (1, words // 8)) for part in does])
        for part, numbers in zip(found, expected, strict=True):
            for row, value in zip(part, numbers, strict=True):
                assert row[:8].astype("<u8").tobytes() == value.to_bytes(64, "little"), backend
                assert row[-8:].astype("<u8").tobytes() == value.to_bytes(64, "little"), backend


@pytest.mark.parametrize("name", GAMES)
def test_machines_agree_on_any_contents_of_memory(name: str) -> None:
    check(lay_out(ground(load_sheet(name)).network), seed=1)


@examples(10)
@given(sheet=games(), seed=st.integers(0, 1000))
def test_machines_agree_on_random_games(sheet: RuleSheet, seed: int, cache_aside: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", cache_aside)
        check(lay_out(ground(sheet).network), seed)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_lane_does_not_depend_on_the_others(backend: str) -> None:
    program = lay_out(ground(load_sheet("tictactoe")).network)
    machine = NativeMachine(program, backend)
    layout = program.layout
    source = np.random.default_rng(3)
    words = machine.memory().shape[1]
    fluents = source.integers(0, 2**64, (layout.fluent_count, words), dtype=np.uint64)
    does = [source.integers(0, 2**64, (n, words), dtype=np.uint64) for n in layout.move_counts]
    before = run(program, machine, fluents, does)
    lane = np.zeros(words, dtype=np.uint64)
    lane[words // 2] = 1 << 17
    other = [(part & lane) | (~part & ~lane) for part in (fluents, *does)]
    after = run(program, machine, other[0], other[1:])
    for left, right in zip(before, after, strict=True):
        assert ((left & lane) == (right & lane)).all()
        assert left.size == 0 or (left != right).any()


def test_an_unknown_backend_is_refused_with_those_there_are() -> None:
    program = lay_out(ground(load_sheet("nim:1,2")).network)
    with pytest.raises(InputError, match="no backend gpu\n  hint: choose one of auto straight"):
        NativeMachine(program, "gpu")
