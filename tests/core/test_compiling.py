"""Compiled code kept on disk: found again, and ignored where it is not what it should be."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kibitz import core
from kibitz.core import Code, compile_ir
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet

ADD = "add_seven"
MODULE = core.ir_function(f"i64 @{ADD}(i64 %x)", ["%y = add i64 %x, 7"], "ret i64 %y")


def call(code: Code, value: int) -> int:
    import ctypes

    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address(ADD))(value))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    return tmp_path


def test_code_is_kept_in_the_folder_asked_for_and_found_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call(compile_ir(MODULE), 1) == 8
    (kept,) = (path for path in cache.rglob("*") if path.is_file())
    written = kept.stat().st_mtime_ns
    monkeypatch.setattr("kibitz.core._store", pytest.fail)
    assert call(compile_ir(MODULE), 2) == 9
    assert kept.stat().st_mtime_ns == written


def test_code_with_and_without_optimisation_is_kept_apart(cache: Path) -> None:
    compile_ir(MODULE)
    compile_ir(MODULE, optimise=True)
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 2


@pytest.mark.parametrize("harm", ["empty", "rubbish", "cut short", "a byte changed", "a folder"])
def test_a_spoilt_file_is_ignored(cache: Path, harm: str) -> None:
    compile_ir(MODULE)
    (kept,) = (path for path in cache.rglob("*") if path.is_file())
    data = kept.read_bytes()
    match harm:
        case "empty":
            kept.write_bytes(b"")
        case "rubbish":
            kept.write_bytes(b"no code at all" * 100)
        case "cut short":
            kept.write_bytes(data[: len(data) // 2])
        case "a byte changed":
            middle = len(data) // 2
            kept.write_bytes(data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :])
        case "a folder":
            kept.unlink()
            kept.mkdir()
    assert call(compile_ir(MODULE), 3) == 10


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "file" / "cache"))
    assert call(compile_ir(MODULE), 4) == 11


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_no_error(cache: Path) -> None:
    cache.chmod(0o500)
    assert call(compile_ir(MODULE), 5) == 12


def test_no_half_written_files_are_left(cache: Path) -> None:
    CompiledGame(load_sheet("nim:1,2"), backend="straight")
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files
    assert {path.suffix for path in files} == {".o"}


def test_the_folder_of_the_system_is_taken_if_none_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KIBITZ_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    compile_ir(MODULE)
    assert list(tmp_path.rglob("kibitz/code/*.o"))


def test_threads_that_ask_at_the_same_time_get_the_same_code() -> None:
    together = threading.Barrier(4)

    def ask(_: int) -> core.Function:
        together.wait(60)
        return core.function("hash_rows", 3)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert len(set(map(id, found))) == 1
