from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import pytest
from typer import Typer
from typer.main import get_command

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
        status = call_main(monkeypatch, args, stdin)
        sys.stdout.flush()
        return Result(status, *capfd.readouterr())

    return call


def kibitz(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, and give what a process of its own would leave."""
    with ExitStack() as stack:
        out, err = (stack.enter_context(TemporaryFile("w+", encoding="utf-8")) for _ in range(2))
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = call_main(patch, args, stdin)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return subprocess.CompletedProcess(args, status, *texts)


_LOADED_ONCE = (  # every child would load them again
    "present.explanation.study",
    "present.lesson.lesson",
    "present.report.builder",
    "puzzles.selection",
    "solve.symbolic.winning_regions",
    "strategy.verification.verdict",
    "synth.synthesis",
)


@cache
def the_command(app: Typer) -> Any:
    """Make the tree of commands once; it takes longer than many a command."""
    for name in _LOADED_ONCE:
        import_module(f"kibitz.{name}")
    return get_command(app)


def call_main(patch: pytest.MonkeyPatch, args: Iterable[object], stdin: str | bytes) -> int:
    """Call what the console script calls, and give the exit status."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    # This process is the tests' own, and must not be forked for a command.
    patch.setattr("kibitz.cli.begin_program", lambda: None)
    patch.setattr("typer.main.get_command", the_command)
    patch.setattr(sys, "argv", ["kibitz", *map(str, args)])
    patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    try:
        main()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    return 0
