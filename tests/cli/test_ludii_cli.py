"""Commands on .lud files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BRIDGES = str(EXAMPLES / "two_bridges.lud")
LINE = str(EXAMPLES / "short_line.lud")


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Options of one command are not those of the next."""
    for name in ("KIBITZ_LUDII", "KIBITZ_LUDII_OPTIONS"):
        monkeypatch.setenv(name, "")
    yield
    for name in ("KIBITZ_LUDII", "KIBITZ_LUDII_OPTIONS"):
        os.environ[name] = ""


def test_a_sheet_is_shown_as_written_or_in_gdl(run: Run) -> None:
    assert run("show", BRIDGES).out == Path(BRIDGES).read_text("utf-8")
    shown = run("show", BRIDGES, "--form", "kif")
    assert shown.status == 0
    assert shown.out.startswith("; The rules in words:\n; Two players take turns")
    assert "\n(role p1)\n" in shown.out


def test_options_come_before_the_command(run: Run) -> None:
    whole = run("show", LINE, "--form", "kif").out
    small = run("--option", "Board/2x3", "show", LINE, "--form", "kif").out
    assert "(site c3)" in whole
    assert "(site c3)" not in small
    wrong = run("--option", "Board/9x9", "check", LINE, "--json")
    assert wrong.status == 1
    assert [d["code"] for d in wrong.json["diagnostics"]] == ["LUD005"]


@pytest.mark.parametrize("words", [("--option", "Board/2x3"), ("--option=Board/2x3",)])
def test_options_come_after_the_command_as_well(run: Run, words: tuple[str, ...]) -> None:
    small = run("--option", "Board/2x3", "show", LINE, "--form", "kif").out
    os.environ["KIBITZ_LUDII_OPTIONS"] = ""
    assert run("show", LINE, *words, "--form", "kif").out == small
    assert "requires an argument" in run("show", LINE, "--option").err
    assert run("show", "--", LINE, "--option").status == 2


def test_what_is_not_supported_is_checked_like_any_other_error(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "own.lud"
    path.write_text(Path(BRIDGES).read_text("utf-8").replace("is Connected", "is Raining"))
    found = run("check", path, "--json")
    assert found.status == 1
    assert [(d["code"], d["line"]) for d in found.json["diagnostics"]] == [("LUD010", 12)]
    assert run("check", path).out.startswith(
        f"{path}:12:18: LUD010: unsupported ludeme (is Raining …)"
    )
    solved = run("solve", path)
    assert (solved.status, solved.out) == (1, "")
    assert "unsupported ludeme" in solved.err


def test_a_folder_is_surveyed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.lud").write_bytes(Path(BRIDGES).read_bytes())
    (tmp_path / "bad.lud").write_text("(game")
    found = run("check", tmp_path, "--json")
    assert found.status == 1
    assert (found.json["files"], found.json["ok"]) == (2, 1)
    assert [one["ok"] for one in found.json["games"]] == [False, True]
    assert (
        run("check", tmp_path)
        .out.splitlines()[0]
        .endswith("bad.lud: 1 error, no warnings; not played")
    )
    (tmp_path / "empty").mkdir()
    assert run("check", tmp_path / "empty").status == 2


def test_traces_are_compared(run: Run, tmp_path: Path) -> None:
    legal = [f"{c}{r}>{c}{r} (Add Stone1 to {c}{r})" for c in "ABC" for r in "123"]
    step = {"mover": 1, "board": {}, "legal": legal, "chosen": legal[0]}
    trace = {"steps": [step], "final": {"A1": "Stone1"}, "over": False}
    path = tmp_path / "traces.json"
    path.write_text(json.dumps({"traces": [trace]}))
    found = run("conform", BRIDGES, path, "--json")
    assert (found.status, found.json) == (
        0,
        {"agree": True, "traces": 1, "steps": 1, "first_difference": None},
    )
    path.write_text(json.dumps({"traces": [{**trace, "over": True, "utility": [1, -1]}]}))
    found = run("conform", BRIDGES, path, "--json")
    assert found.status == 1
    assert found.json["first_difference"]["what"] == "end"
    assert "differs after 1 steps" in run("conform", BRIDGES, path).out
    path.write_text("{}")
    assert run("conform", BRIDGES, path).status == 2


def test_a_folder_of_definitions_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "def").mkdir()
    (tmp_path / "def" / "Far.def").write_text('(define "AnyEmptySite" (to (sites Empty)))')
    path = tmp_path / "own.lud"
    path.write_text(Path(LINE).read_text("utf-8").replace("(define", "(ignored"))
    assert run("check", path).status == 1
    assert run("--ludii", tmp_path, "check", path).status == 0
    assert run("--ludii", tmp_path / "def" / "none", "check", path).status == 2
