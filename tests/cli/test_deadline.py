"""--timeout is by the clock and for the whole command, whatever its stages do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from kibitz import budget
from kibitz.budget import Budget, limit_command, run_within, time_left
from kibitz.cli.common import deadline
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import ground
from kibitz.errors import BudgetExceededError, IncompleteError
from kibitz.games import load_sheet
from kibitz.present.report.builder import Wish, _Making
from kibitz.space import explore
from kibitz.synth.problem.problem import make_problem
from kibitz.synth.search.search import ListSearch
from kibitz.synth.synthesis import prepare

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


@pytest.mark.parametrize(
    ("noted", "status", "said"), [(0, 0, ""), (2, 2, ""), (None, 1, NOTICE.replace("0.5", "30"))]
)
def test_a_command_that_has_answered_is_not_called_stopped(
    noted: int | None,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(deadline, "fork", lambda: 1)
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *_: set())
    monkeypatch.setattr(os, "kill", lambda *_: None)
    monkeypatch.setattr(os, "waitpid", lambda *_: (0, 0))
    monkeypatch.setattr(os, "_exit", sys.exit)
    monkeypatch.setattr(deadline, "_end", bytearray(1))
    if noted is not None:
        deadline.note_end(noted)
    with pytest.raises(SystemExit) as left:
        deadline._go_on_in_child(30, time.monotonic() - 1)
    assert (left.value.code, capsys.readouterr().err) == (status, said)


@pytest.mark.usefixtures("unlimited")
def test_exploring_leaves_time_to_say_what_was_found() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    limit_command(6000, time.monotonic() - 5500)
    assert not explore(game).is_complete
    assert time_left() > 0


@pytest.mark.slow
@pytest.mark.usefixtures("unlimited")
def test_a_search_by_rounds_ends_with_the_time_of_the_command() -> None:
    ready = prepare(CompiledGame(load_sheet("nim:1,3,5")))
    search = ListSearch(make_problem(ready.solution, "player1", symmetries=ready.symmetries))
    limit_command(6000, time.monotonic() - 5500)
    assert search.run("rules", rounds=10**9)


@pytest.mark.usefixtures("unlimited")
def test_synthesis_that_lacks_time_does_not_speak_of_the_number_of_states() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    limit_command(6000, time.monotonic() - 5500)
    with pytest.raises(IncompleteError, match="ended at the limit of time") as caught:
        prepare(game)
    assert caught.value.hint == "allow more time with --timeout"


@pytest.mark.usefixtures("unlimited")
def test_a_stage_that_used_up_its_share_names_the_time_that_was_given() -> None:
    limit_command(6000, time.monotonic())
    error = Budget(seconds=2.5).exceeded("time", "grounding")
    assert error.message == "grounding needs more than its share of the 6000 s allowed by --timeout"


@pytest.mark.usefixtures("unlimited")
def test_a_report_whose_time_is_over_says_what_is_missing() -> None:
    sheet = load_sheet("tictactoe")
    game = CompiledGame(sheet)
    making = _Making(sheet, Wish(), lambda _: None)
    limit_command(6000, time.monotonic() - 6001)
    making.ask("symmetries", lambda: pytest.fail("it is asked"))
    making.sample(game)
    assert set(making.found["missing"]) == {"symmetries", "matches"}


@pytest.mark.usefixtures("unlimited")
def test_grounding_has_what_the_command_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(
        "kibitz.engine.grounding.grounder._ground",
        lambda sheet, budget, *_: given.append(budget.seconds),
    )
    limit_command(6000, time.monotonic() - 5900)
    ground(load_sheet("tictactoe"), Budget(seconds=6000))
    assert 0 < given[0] <= 100
