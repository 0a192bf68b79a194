"""A solution comes back from its file as it was, and damage is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.engine.compiled import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load
from kibitz.solve import solve
from kibitz.solve.storage import load_solution, store_solution
from kibitz.space import explore
from kibitz.space.storage import FORMAT


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2", "threemensmorris", "hanoi"])
def test_a_solution_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    solution = solve(explore(CompiledGame(load(name))))
    path = tmp_path / "a.solution"
    store_solution(solution, path)
    again = load_solution(path)
    assert (again.value == solution.value).all()
    assert (again.distance == solution.distance).all()
    assert again.values() == solution.values()
    assert again.principal_variation() == solution.principal_variation()
    assert [str(f) for f in again.space.state(1).fluents] == [
        str(f) for f in solution.space.state(1).fluents
    ]
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    store_solution(solve(explore(CompiledGame(load("nim:1,2")))), path)
    data = bytearray(path.read_bytes())
    for place in (0, 40, len(data) - 1):
        damaged = bytearray(data)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(InputError):
            load_solution(path)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError):
        load_solution(path)


def test_a_file_that_is_not_there_or_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_solution(tmp_path / "none")
    (tmp_path / "long").write_bytes(f"{FORMAT} {10**60}\n".encode())
    with pytest.raises(InputError, match="ends too soon"):
        load_solution(tmp_path / "long")
    (tmp_path / "other").write_bytes(b"hello")
    with pytest.raises(InputError, match="not a file of this version"):
        load_solution(tmp_path / "other")


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    solution = solve(explore(CompiledGame(load("nim:1,2"))))
    with pytest.raises(InputError, match="cannot write"):
        store_solution(solution, tmp_path / "no" / "folder")
