from __future__ import annotations

import numpy as np
import pytest

from kibitz.core import vectors
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.native_machine import (
    STRAIGHT_LIMIT,
    Expander,
    NativeMachine,
    PerftArena,
)
from kibitz.engine.compiled.perft import perft
from kibitz.engine.compiled.program import lay_out
from kibitz.engine.grounding import ground
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read


def machine(name: str, backend: str = "auto") -> NativeMachine:
    return NativeMachine(lay_out(ground(load_sheet(name)).network), backend)


@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_memory_is_aligned_and_empty(count: int) -> None:
    memory = vectors(count)
    assert memory.shape == (count, 8)
    assert memory.ctypes.data % 64 == 0
    assert not memory.any()


def test_small_networks_become_straight_code_and_large_ones_are_interpreted() -> None:
    small = machine("tictactoe")
    assert small.is_straight
    assert small.program.view.gate_count + small.program.step.gate_count <= STRAIGHT_LIMIT
    assert not machine("tictactoe", "interpreter").is_straight
    assert machine("connectfour", "straight").is_straight


def test_a_block_with_some_lanes_in_use_counts_only_those() -> None:
    made = machine("tictactoe")
    arena = PerftArena(made, 3)
    layout = made.program.layout
    fluents = np.zeros((layout.fluent_count, 8), dtype=np.uint64)
    for index, holds in enumerate(made.program.network.initial):
        fluents[index] = np.uint64(2**64 - 1 if holds else 0)
    mask = np.zeros(8, dtype=np.uint64)
    mask[2] = 0b1011
    assert arena.run(fluents, mask, 3, stop_at_terminal=False) == [3, 27, 216, 1512]
    mask[7] = 1 << 63
    assert arena.run(fluents, mask, 3, stop_at_terminal=False) == [4, 36, 288, 2016]


def test_an_arena_that_is_told_to_stop_comes_back_at_once() -> None:
    made = machine("connectfour")
    arena = PerftArena(made, 30)
    arena.stop[0] = 1
    layout = made.program.layout
    fluents = np.zeros((layout.fluent_count, 8), dtype=np.uint64)
    mask = np.full(8, 2**64 - 1, dtype=np.uint64)
    assert sum(arena.run(fluents, mask, 30, stop_at_terminal=False)) == 512


def test_playing_on_goes_on_where_it_was() -> None:
    made = machine("tictactoe")
    at_once, in_parts = made.playouts(3), made.playouts(3)
    at_once.run(50)
    for rounds in (1, 0, 9, 40):
        in_parts.run(rounds)
    assert (at_once.counts == in_parts.counts).all()
    assert (at_once.memory == in_parts.memory).all()


def test_counting_is_interrupted_by_an_error_of_the_one_who_watches() -> None:
    def watch(count: int) -> None:
        if count > 100_000:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        perft(CompiledGame(load_sheet("connectfour")), 40, progress=watch)


@pytest.mark.parametrize(("roles", "fits"), [(16, True), (17, False)])
def test_joint_moves_that_no_word_holds_are_refused(roles: int, fits: bool) -> None:
    names = "".join(f"(role r{i})" for i in range(roles))
    rules = "(init f) (<= (legal ?r go) (role ?r)) (<= terminal (not (true f))) (goal r0 100)"
    machine = CompiledGame(read(names + rules)).machine
    if fits:
        expander = Expander(machine, stop_at_terminal=True)
        assert expander.run(np.ones((1, 1), np.uint64), 0, 1, 512) == 1
    else:
        with pytest.raises(KibitzError, match="17 roles"):
            Expander(machine, stop_at_terminal=True)


def test_many_results_are_not_compiled_to_straight_line_code_though_gates_are_few() -> None:
    facts = "".join(f"(init (lamp {n})) (<= (next (lamp {n})) (true (lamp {n})))" for n in range(9))
    sheet = read(f"(role a) (legal a wait) (goal a 0) (<= terminal (true (lamp 0))) {facts}")
    made = NativeMachine(CompiledGame(sheet).program)
    assert made.is_straight
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kibitz.engine.compiled.native_machine.STRAIGHT_LIMIT", 8)
        other = NativeMachine(made.program)
    assert made.program.view.gate_count + made.program.step.gate_count <= 8
    assert not other.is_straight
