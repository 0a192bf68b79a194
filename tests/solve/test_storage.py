"""A solution comes back from its file as it was, and damage is noticed."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.solve.solution_file import load_solution, store_solution
from kibitz.space import explore
from kibitz.space.array_file import FORMAT, read_arrays


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2", "threemensmorris", "hanoi"])
def test_a_solution_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    solution = solve(explore(CompiledGame(load_sheet(name))))
    path = tmp_path / "a.solution"
    store_solution(solution, path)
    again = load_solution(path)
    assert (again.values == solution.values).all()
    assert (again.distance == solution.distance).all()
    assert again.value() == solution.value()
    assert again.line() == solution.line()
    assert [str(f) for f in again.space.state(1).fluents] == [
        str(f) for f in solution.space.state(1).fluents
    ]
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("stored") / "a.solution"
    store_solution(solve(explore(CompiledGame(load_sheet("nim:1,1")))), path)
    return path.read_bytes()


def test_every_byte_that_is_not_what_was_written_is_noticed(stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    path.write_bytes(stored)
    load_solution(path)
    for place in range(len(stored)):
        damaged = bytearray(stored)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"hint: (solve the game again|kibitz solve)"):
            read_arrays(path)


def test_a_file_that_is_longer_or_shorter_is_refused(stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    for length in range(len(stored)):
        path.write_bytes(stored[:length])
        with pytest.raises(InputError):
            read_arrays(path)
    path.write_bytes(stored + b"\0")
    with pytest.raises(InputError, match="its length"):
        load_solution(path)


def test_a_file_of_an_earlier_version_says_to_solve_again(stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "old.solution"
    path.write_bytes(b"kibitz arrays 1 1630\n" + stored.split(b"\n", 1)[1])
    with pytest.raises(InputError, match="another version of Kibitz\n  hint: solve the game again"):
        load_solution(path)


def test_arrays_hold_numbers_only(tmp_path: Path) -> None:
    header = b'{"arrays": [{"name": "a", "dtype": "|O", "shape": [1], "crc32": 0}], "notes": {}}'
    size = f"{FORMAT} {len(header)}".encode()
    first = size + f" {zlib.crc32(size + header):08x}\n".encode()
    (tmp_path / "objects").write_bytes(first + header + bytes(200))
    with pytest.raises(InputError, match="a has no numbers"):
        read_arrays(tmp_path / "objects")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solution = solve(explore(CompiledGame(load_sheet("nim:1,1"))))
    full = open("/dev/full", "wb", buffering=0)  # noqa: SIM115 - closed by what writes to it
    monkeypatch.setattr(Path, "open", lambda _path, _mode: full)
    with pytest.raises(InputError, match=r"cannot write .*: No space left on device"):
        store_solution(solution, tmp_path / "a.solution")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_there_or_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_solution(tmp_path / "none")
    (tmp_path / "long").write_bytes(f"{FORMAT} {10**15} 00000000\n".encode())
    with pytest.raises(InputError, match="ends too soon"):
        load_solution(tmp_path / "long")
    (tmp_path / "other").write_bytes(b"hello")
    with pytest.raises(InputError, match="not a file that Kibitz wrote"):
        load_solution(tmp_path / "other")


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    with pytest.raises(InputError, match="cannot write"):
        store_solution(solution, tmp_path / "no" / "folder")
