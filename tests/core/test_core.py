"""The bitcode belongs to the sources, and native code is given only what it can take."""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from kibitz import core
from kibitz.core import Struct, vectors
from kibitz.engine import CompiledGame
from kibitz.engine.compiled import native_machine
from kibitz.games import load_sheet

FOLDER = Path(core.__file__).parent
TOOL = FOLDER.parents[2] / "tools" / "build_core"


def test_the_bitcode_was_made_from_these_sources() -> None:
    assert (FOLDER / "core.hash").read_text().strip() == core.source_hash(), "run tools/build_core"


@pytest.mark.skipif(not importlib.util.find_spec("ziglang"), reason="needs the ziglang wheel")
def test_building_again_gives_the_same_bitcode(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(TOOL), str(tmp_path)], check=True, timeout=120)
    assert (tmp_path / "core.bc").read_bytes() == (FOLDER / "core.bc").read_bytes()


def test_the_bitcode_names_no_processor() -> None:
    assert not {b"x86-64-v4", b"target-cpu"} & set((FOLDER / "core.bc").read_bytes().split(b"\0"))


def test_fields_and_parameters_are_checked() -> None:
    run = Struct("playouts")
    with pytest.raises(AttributeError, match="no field colour"):
        _ = run.colour
    with pytest.raises(
        TypeError, match=r"playouts\.initial is an array of int64, not one of float64"
    ):
        run.initial = np.zeros(3)
    with pytest.raises(TypeError, match=r"playouts\.counts must be contiguous"):
        run.counts = np.zeros(6, dtype=np.int64)[::2]
    with pytest.raises(TypeError, match=r"playouts\.memory must be aligned"):
        run.memory = vectors(2).reshape(-1)[1:9]
    locked = np.zeros(3, dtype=np.int64)
    locked.flags.writeable = False
    run.initial = locked  # which is only read
    with pytest.raises(TypeError, match="writable"):
        run.counts = locked
    game = Struct("game")
    with pytest.raises(TypeError, match="run is a playouts, not a game"):
        core.function("playouts_run", 4)(game, game, 1)


def test_a_struct_keeps_what_it_points_to() -> None:
    run = Struct("playouts", counts=np.arange(3))
    assert run.counts.tolist() == [0, 1, 2]
    run.counts[0] = 7
    assert ctypes.c_int64.from_address(int(run.words[4])).value == 7


@pytest.mark.parametrize("name", ["tictactoe", "roshambo", "nim:2,2", "connect:3,4x4"])
def test_linked_code_plays_as_the_game_does_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, linked = (CompiledGame(load_sheet(name), backend="straight").machine for _ in range(2))
    monkeypatch.setattr(native_machine, "LINKED_AFTER_S", 1e9)
    there = plain.playouts(5)
    there.run(40)
    monkeypatch.setattr(native_machine, "LINKED_AFTER_S", -1.0)
    here = linked.playouts(5)
    here.run(1)  # which links
    assert here._loop.function is not there._loop.function
    here.run(39)
    assert (here.counts == there.counts).all()
    assert (here.memory == there.memory).all()


def test_an_interpreted_game_is_not_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_machine, "LINKED_AFTER_S", -1.0)
    machine = CompiledGame(load_sheet("nim:1,2"), backend="interpreter").machine
    before = machine.loop("playouts_run").function
    machine.playouts(1).run(3)
    assert machine.loop("playouts_run").function is before


def test_code_that_was_linked_before_is_taken_though_nothing_may_be_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr(native_machine, "LINKED_AFTER_S", -1.0)
    play = CompiledGame(load_sheet("nim:2,1,1"), backend="straight").machine.playouts(1)
    loop = play._loop
    before = loop.function
    loop(play._context, 1, may_compile=False)
    assert loop.function is before
    core.function(loop.name, *loop.constants, game=loop.stages.linked_code)
    loop(play._context, 1, may_compile=False)
    assert loop.function is not before


def test_a_function_that_was_compiled_is_given_while_another_is_being_compiled() -> None:
    known, found = core.function("interpret"), list[object]()
    thread = threading.Thread(target=lambda: found.append(core.function("interpret")))
    with core.COMPILING:
        thread.start()
        thread.join(60)
        assert found == [known]
    thread.join()
