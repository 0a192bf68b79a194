"""--timeout is by the clock and for the whole command, whatever its stages do."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from kibitz import budget
from kibitz.budget import Budget, limit_command, run_within
from kibitz.errors import BudgetExceededError

SLEEPING = """
import signal, sys, time
import kibitz.gdl
from kibitz.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)

def never(*args, **options):
    print("asleep", flush=True)
    time.sleep(3600)

kibitz.gdl.diagnose = never
sys.argv = ["kibitz", "ground", "tictactoe", "--timeout", sys.argv[1]]
main()
"""
NOTICE = (
    "stopped after 0.5 s, the time allowed by --timeout\n  hint: allow more time with --timeout\n"
)

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "sigtimedwait"), reason="this system cannot wait for signals"
)


@pytest.fixture
def unlimited() -> Iterator[None]:
    yield
    budget._limit.clear()


def test_a_stage_that_looks_at_no_clock_is_ended() -> None:
    command = [sys.executable, "-c", SLEEPING, "0.5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (1, NOTICE)


def test_an_interrupt_reaches_the_command() -> None:
    command = [sys.executable, "-c", SLEEPING, "3000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "asleep\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=600)
    assert (running.returncode, errors) == (130, "interrupted\n")


def test_the_exit_status_is_that_of_the_command() -> None:
    command = [sys.executable, "-m", "kibitz", "ground", "no/such.kif", "--timeout", "600"]
    assert subprocess.run(command, capture_output=True).returncode == 2


@pytest.mark.usefixtures("unlimited")
def test_a_later_stage_has_what_earlier_ones_have_left() -> None:
    limit_command(60, time.monotonic() - 59.8)
    with pytest.raises(BudgetExceededError, match="stopped after 60 s, the time allowed by --tim"):
        run_within(Budget(seconds=3600), lambda: time.sleep(3600), doing="sleeping")
