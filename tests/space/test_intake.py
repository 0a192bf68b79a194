"""Threads, marks of layers and spilling change how a space is explored, and never the space."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.effort import examples
from tests.random_games import games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse_terms
from kibitz.solve import solve
from kibitz.solve.solution_file import load_solution, store_solution
from kibitz.space import Limits, StateSpace, explore, find_symmetries, intake
from kibitz.space.intake import Column, find_mark
from kibitz.threads import ThreadTeam

ARRAYS = ("states", "first_edge", "target", "action", "turn", "terminal", "goals")


def assert_equal(one: StateSpace, other: StateSpace) -> None:
    for name in ARRAYS:
        first, second = getattr(one, name), getattr(other, name)
        assert first.dtype == second.dtype
        assert np.array_equal(first, second), name
    assert one.joint_moves == other.joint_moves
    assert one.layers == other.layers
    assert one.is_layered == other.is_layered
    assert one.is_complete == other.is_complete


@pytest.fixture
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads take turns, and marks be looked for, in small games too."""
    monkeypatch.setattr(intake, "_SHARE", 512)
    monkeypatch.setattr(intake, "_MARK_FROM", 4)


GAMES = ["tictactoe", "threemensmorris", "connect:3,4x4", "eightpuzzle", "nim:1,3,5,7", "roshambo"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("small_shares")
def test_states_have_the_same_numbers_however_many_threads(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    one = explore(game, threads=1)
    for threads in (2, 3, 4):
        assert_equal(explore(game, threads=threads), one)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_depends_on_marks_of_layers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet(name))
    monkeypatch.setattr(intake, "_MARK_FROM", 2**60)
    without = explore(game)
    monkeypatch.setattr(intake, "_MARK_FROM", 2)
    assert_equal(explore(game), without)


@given(games())
@examples(10)
def test_random_games_are_explored_alike_with_threads_and_marks(
    sheet: RuleSheet,
) -> None:
    game = CompiledGame(sheet)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "_MARK_FROM", 2**60)
        plain = explore(game, threads=1)
        patch.setattr(intake, "_MARK_FROM", 1)
        assert_equal(explore(game, threads=2), plain)


@pytest.mark.usefixtures("small_shares")
def test_a_share_that_runs_out_of_room_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    whole = explore(game, threads=1)
    monkeypatch.setattr(intake, "_SHARE", 2048)
    monkeypatch.setattr(intake, "_SHARE_ROWS", 1500)
    assert_equal(explore(game, threads=2), whole)


@pytest.mark.usefixtures("small_shares")
def test_symmetric_states_become_one_with_threads_too() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    found = find_symmetries(game)
    one = explore(game, symmetries=found, threads=1)
    assert_equal(explore(game, symmetries=found, threads=2), one)
    assert len(one) < 41_750


def rows(*numbers: int) -> Any:
    return np.array([[number] for number in numbers], dtype=np.uint64)


def test_a_mark_is_a_number_of_fluents_or_a_counter() -> None:
    placed = parse_terms("(cell 1) (cell 2) (cell 3) (control x)")
    layers = [rows(0b0000), rows(0b1001, 0b1010, 0b1100), rows(0b0011, 0b0101, 0b0110)]
    mark = find_mark(placed, layers)
    assert mark
    assert mark.counted.tolist() == [0b0111]
    counter = parse_terms("(light a) (light b) (step 1) (step 2)")
    layers = [rows(0b0000), rows(0b0100, 0b0110), rows(0b1000, 0b1001, 0b1011)]
    mark = find_mark(counter, layers)
    assert mark
    assert mark.fixed.tolist() == [0b1100]
    assert mark.of(layers[1][0]) != mark.of(layers[2][0])


def test_layers_that_have_nothing_of_their_own_have_no_mark() -> None:
    lights = parse_terms("(light a) (light b)")
    assert find_mark(lights, [rows(0b00), rows(0b01, 0b10), rows(0b11, 0b00)]) is None
    assert find_mark(lights, [rows(0b01), rows(0b10, 0b01)]) is None


@pytest.mark.parametrize(
    ("name", "bytes_"), [("connect:3,4x4", 400_000), ("eightpuzzle", 5_000_000)]
)
def test_a_space_that_spilled_is_the_one_in_memory(name: str, bytes_: int, tmp_path: Path) -> None:
    game = CompiledGame(load_sheet(name))
    inside = explore(game)
    limits = Limits(bytes=bytes_)
    assert not explore(game, limits=limits).is_complete
    spilled = explore(game, limits=limits, spill=tmp_path)
    assert_equal(spilled, inside)
    assert all(is_mapped(getattr(spilled, array)) for array in ARRAYS)
    assert not any(is_mapped(getattr(inside, array)) for array in ARRAYS)
    assert not list(tmp_path.iterdir())  # files without names vanish by themselves
    one, other = solve(inside), solve(spilled)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.distance, other.distance)
    store_solution(other, tmp_path / "stored")
    assert_equal(load_solution(tmp_path / "stored").space, inside)


def is_mapped(array: Any) -> bool:
    while array is not None and not isinstance(array, mmap.mmap):
        array = getattr(array, "base", None) if not isinstance(array, memoryview) else array.obj
    return array is not None


def test_tables_for_looking_up_states_stay_in_memory(tmp_path: Path) -> None:
    space = explore(
        CompiledGame(load_sheet("eightpuzzle")), limits=Limits(bytes=1_000_000), spill=tmp_path
    )
    assert not space.is_complete


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    column = Column(np.uint8)
    column.resize(3)
    with pytest.raises(Exception, match=r"cannot spill to .*nowhere"):
        column.move_to(tmp_path / "nowhere")


def test_what_fails_in_a_thread_fails_for_the_caller() -> None:
    def task(number: int) -> int:
        if number == 1:
            raise ValueError("second")
        return number

    with ThreadTeam(2) as team:
        with pytest.raises(ValueError, match="second"):
            team.each(task)
        assert team.each(lambda number: number) == [0, 1]
