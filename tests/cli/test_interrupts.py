"""Ctrl-C in the middle of long commands: exit status 130, one notice, and no half file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

STOPPABLE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""Whoever runs the tests may have them ignore Ctrl-C."""

KIBITZ = [sys.executable, "-c", f"{STOPPABLE}from kibitz.cli import main; main()"]

LOST = """
import ctypes, time
import kibitz.cli

def back():
    signal.raise_signal(signal.SIGINT)

def work():
    ctypes.CFUNCTYPE(None)(back)()
    time.sleep(500)

kibitz.cli.app = work
kibitz.cli.main()
"""


def stop(folder: Path, when: str, *command: str) -> tuple[int, str, str, list[str]]:
    """Press Ctrl-C once something is shown; give status, stdout, notices, and the files left."""
    terminal, theirs = pty.openpty()
    running = subprocess.Popen(
        [*KIBITZ, *command],
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
    )
    os.close(theirs)
    shown = b""
    while when.encode() not in shown:
        shown += os.read(terminal, 1000)
    os.killpg(running.pid, signal.SIGINT)
    after = b""
    try:
        while some := os.read(terminal, 1000):
            after += some
    except OSError:  # nobody holds the other end any more
        pass
    out = running.communicate(timeout=600)[0].decode()
    os.close(terminal)
    told = re.sub(r"\x1b\[[0-9?;]*[A-Za-z]", "\n", after.decode()).replace("\r", "\n")
    left = sorted(path.name for path in folder.iterdir() if path.name != "cache")
    return running.returncode, out, told, left


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "command", "files"),
    [
        ("looking for rules", ["explain", "mnk:3,3,3", "-o", "a.html"], ["a.html"]),
        ("reading", ["explain", "tictactoe", "-o", "a.html"], []),
        ("looking for rules", ["teach", "tictactoe", "-o", "a.html", "--deck", "d.txt"], []),
        ("rules for", ["report", "tictactoe", "-o", "a.html"], ["a.html"]),
        (" matches", ["report", "breakthrough:6x6", "-o", "a.html"], ["a.html"]),
        ("steps", ["synth", "tictactoe", "--role", "xplayer", "-o", "a.strategy"], ["a.strategy"]),
        ("guessing", ["learn", "constraints", "tictactoe", "-o", "a.lp"], []),
        ("paper 000", ["reproduce", "all", "--quick", "-o", "a.html"], ["a.html"]),
        ("tictactoe", ["reproduce", "frame", "tictactoe", "--seconds", "9"], []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_ctrl_c_tells_once_and_leaves_whole_files(
    tmp_path: Path, when: str, command: list[str], files: list[str]
) -> None:
    status, _, told, left = stop(tmp_path, when, *command)
    assert status == 130, told
    assert len(re.findall("^interrupted", told, re.M)) == 1, told
    assert set(left) <= set(files)
    for name in left:
        if name.endswith(".html"):
            assert (tmp_path / name).read_text("utf-8").rstrip().endswith("</html>")


@pytest.mark.slow
def test_ctrl_c_of_a_curve_draws_what_was_found(tmp_path: Path) -> None:
    curve = ["synth", "mnk:3,4,3", "--role", "xplayer", "--pareto", "--time", "60"]
    status, out, told, left = stop(tmp_path, "2 rules:", *curve, "-o", "a.svg")
    assert status == 130, told
    assert told.count("interrupted") == 1
    assert "these lists were found" in told
    assert [line.partition(" rules: ")[0] for line in out.splitlines()][:3] == ["0", "1", "2"]
    assert left == ["a.svg"]
    assert (tmp_path / "a.svg").read_text("utf-8").rstrip().endswith("</svg>")


def test_ctrl_c_is_not_lost_in_a_callback_of_native_code() -> None:
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STOPPABLE + LOST], capture_output=True, text=True, timeout=600
    )
    assert time.monotonic() - begin < 300
    assert "KeyboardInterrupt" in done.stderr  # of the time.sleep, not of the callback
    assert "ignored" not in done.stderr
