"""Whatever is read has a bound: of its file, of what it grows to, and of memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import kibitz
from kibitz import reading
from kibitz.board import read_override
from kibitz.budget import Budget
from kibitz.conformance import read_traces
from kibitz.errors import BudgetExceededError, InputError, RuleSheetError, Source
from kibitz.games import gdl_from
from kibitz.gdl import diagnose, parse_terms
from kibitz.ludii import gdl_text
from kibitz.prove import read_certificate
from kibitz.strategy.syntax import grammar

LIMIT = resource.RLIMIT_AS


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let readers have a megabyte."""
    monkeypatch.setattr(reading, "_budget", Budget(bytes=1_000_000))
    monkeypatch.setattr(reading, "_inside", 0)  # a thread of an earlier test may be reading


def fill(*_: object, **__: object) -> bytearray:
    return bytearray(4_000_000_000)  # more than the free part of any heap


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not bound memory")
@pytest.mark.usefixtures("small")
def test_a_reader_that_takes_too_much_memory_says_so_and_leaves_no_limit_behind() -> None:
    before = resource.getrlimit(LIMIT)
    with pytest.raises(BudgetExceededError, match=r"reading it needs more than 0\.001 GB") as found:
        reading.bounded("reading it")(fill)()
    assert list(found.value.options) == ["--memory"]
    assert resource.getrlimit(LIMIT) == before
    assert len(bytearray(50_000_000)) == 50_000_000


READERS: dict[str, tuple[str, Callable[[], object]]] = {
    "KIF": ("kibitz.gdl.reader.check", lambda: diagnose("(role a)")),
    "terms": ("kibitz.gdl.reader.read_kif_terms", lambda: parse_terms("a")),
    "English": ("kibitz.rulebook.as_gdl", lambda: gdl_from("Players: Ann.", name="a.txt")),
    "Ludii": ("kibitz.ludii.gdl_text", lambda: gdl_from('(game "a")', name="a.lud")),
    "a strategy": (
        "kibitz.strategy.syntax.grammar._check_nesting",
        lambda: grammar.parse(Source("a", "true => any")),
    ),
    "a certificate": ("kibitz.prove.certificate.json.loads", lambda: read_certificate("{}")),
    "matches": ("kibitz.conformance.json.loads", lambda: read_traces(b"{}", name="a")),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not bound memory")
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", READERS)
def test_every_notation_is_read_within_the_bound(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, read = READERS[kind]
    monkeypatch.setattr(place, fill)
    with pytest.raises(BudgetExceededError, match=r"reading .* needs more than"):
        read()


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not bound memory")
@pytest.mark.usefixtures("small")
def test_files_beside_a_sheet_are_read_within_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.board.toml").write_text("")
    monkeypatch.setattr("tomllib.loads", fill)
    with pytest.raises(BudgetExceededError, match="needs more than"):
        read_override(tmp_path / "a.board.toml")


def test_only_regular_files_of_bounded_size_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert reading.read_bytes(file, most=5) == b"12345"
    with pytest.raises(InputError, match="more than 4 bytes"):
        reading.read_bytes(file, most=4)
    for path in (tmp_path, tmp_path / "none", "a\0b"):
        with pytest.raises(InputError, match="cannot read"):
            reading.read_bytes(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.kif")
    for path in (tmp_path / "pipe.kif", Path("/dev/zero")):
        with pytest.raises(InputError, match="not a file of text or data"):
            kibitz.check(path)


def test_a_stdin_that_is_too_long_is_refused_not_cut() -> None:
    code = (
        "from kibitz import reading; reading.MOST_BYTES = 5; from kibitz.cli import main;"
        "import sys; sys.argv = ['kibitz', 'check', '-']; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], input=b"(role a)", capture_output=True, check=False
    )
    assert b"stdin has more than 5 bytes" in ran.stderr


@given(st.integers(1, 12), st.integers(2, 9))
def test_a_definition_that_grows_ends_with_an_error(parameters: int, depth: int) -> None:
    word = "#1" * (parameters + 1)
    chain = "".join(f'(define "D{i}" ("D{(i + 1) % depth}" "{word}"))' for i in range(depth))
    with pytest.raises(RuleSheetError, match="grows without end"):
        gdl_text(f'{chain}(game "x" ("D0" "ab"))', name="x.lud")
