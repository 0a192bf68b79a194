from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from kibitz.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one line of JSON that was printed."""
        (line,) = self.out.splitlines()
        return json.loads(line)


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Give what runs the command line in this process."""
    return run_here(monkeypatch, capfd)


def run_here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process, as the console script does."""

    def call(*args: object, stdin: str | bytes = "") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        # This process is the tests' own, and must not be forked for a command.
        monkeypatch.setattr("kibitz.cli.begin_program", lambda: None)
        monkeypatch.setattr(sys, "argv", ["kibitz", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = 0
        try:
            main()
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 0
        sys.stdout.flush()
        return Result(status, *capfd.readouterr())

    return call
