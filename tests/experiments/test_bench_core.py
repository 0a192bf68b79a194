"""Native loops of two versions are measured in turns, each in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz
from kibitz.experiments.bench import Compared, Failure, compare_cores, core_json, core_table
from kibitz.experiments.bench.core_windows import WINDOWS, run_window

HERE = Path(kibitz.__file__).parents[2]
PARTS = ["gates interpreted: hex:11", "backward sweep: nim", "inserts: nim", "playouts: sim"]


@pytest.mark.parametrize("part", PARTS)
def test_work_is_repeated_until_a_window_is_full(part: str) -> None:
    (name,) = (name for name in WINDOWS if part in name)
    work = WINDOWS[name]()
    done, spent = run_window(work, 0.01)
    assert done > 0
    assert spent >= 0.01


def test_a_version_is_compared_with_itself() -> None:
    (found,) = compare_cores(HERE, only=["straight line: breakthrough"], windows=1, seconds=0.01)
    assert isinstance(found, Compared)
    assert found.before > 0
    assert found.ratio == pytest.approx(found.now / found.before)
    assert f"{found.ratio:.2f}" in core_table([found])
    assert core_json([found])["compared"][0]["name"] == found.name


def test_a_version_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    package = tmp_path / "src" / "kibitz"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (found,) = compare_cores(tmp_path, only=["straight line: breakthrough"], windows=1)
    assert isinstance(found, Failure)
    assert "kibitz" in found.reason
    assert found.reason in core_table([found])
