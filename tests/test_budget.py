from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kibitz import budget as budgets
from kibitz.budget import Budget, Stopwatch, run_watched, run_within
from kibitz.errors import (
    BudgetExceededError,
    IllegalMoveError,
    KibitzError,
    RuleSheetError,
)
from kibitz.gdl import read


def children() -> list[int]:
    """Give the children of this process that are there, zombies included."""
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    if not path.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(word) for word in path.read_text().split()]


@contextmanager
def started(script: str) -> Iterator[subprocess.Popen[str]]:
    """Run a script in a session of its own, as a terminal would, and leave nothing behind."""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        try:
            yield parent
        finally:
            with suppress(ProcessLookupError):
                os.killpg(parent.pid, signal.SIGKILL)


def never() -> None:
    while True:
        time.sleep(0.01)


def too_much() -> int:
    return len(bytearray(10**12))


def illegal() -> None:
    raise IllegalMoveError("me", "jump", ["wait"])


def broken() -> None:
    raise ZeroDivisionError("by zero")


def test_the_result_comes_back_as_it_is() -> None:
    assert run_within(Budget(), lambda: {"a": (1, 2), "b": None}) == {"a": (1, 2), "b": None}


def test_a_large_result_comes_back_whole() -> None:
    assert len(run_within(Budget(), lambda: b"x" * 5_000_000)) == 5_000_000


def test_the_work_is_done_in_another_process() -> None:
    seen: list[int] = []

    def work() -> int:
        seen.append(1)
        return os.getpid()

    assert run_within(Budget(), work) != os.getpid()
    assert seen == []


def test_running_out_of_time_says_so() -> None:
    with pytest.raises(BudgetExceededError) as raised:
        run_within(Budget(seconds=0.1), never, doing="waiting")
    assert raised.value.message == "waiting needs more than 0.1 s"
    assert raised.value.hint == "allow more time with --timeout"


def test_running_out_of_memory_says_so() -> None:
    with pytest.raises(BudgetExceededError) as raised:
        run_within(Budget(bytes=500_000_000), too_much, doing="hoarding")
    assert raised.value.message == "hoarding needs more than 0.5 GB"
    assert raised.value.hint == "allow more memory with --memory"


def test_memory_that_the_parent_holds_is_not_charged_to_the_child() -> None:
    with mmap.mmap(-1, 600_000_000):
        assert run_within(Budget(bytes=500_000_000), lambda: len(bytes(200_000_000))) == 200_000_000


def test_a_child_that_dies_without_a_word_is_an_error() -> None:
    with pytest.raises(BudgetExceededError):
        run_within(Budget(), lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_errors_come_back_with_their_type_and_content() -> None:
    with pytest.raises(IllegalMoveError) as raised:
        run_within(Budget(), illegal)
    assert (raised.value.role, raised.value.move, raised.value.legal) == ("me", "jump", ("wait",))
    with pytest.raises(RuleSheetError) as sheet_error:
        run_within(Budget(), lambda: read("(role ?x)"))
    assert sheet_error.value.diagnostics


def test_a_mistake_of_our_own_comes_back_as_an_internal_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("KIBITZ_DEBUG", raising=False)
    with pytest.raises(KibitzError, match="internal error: ZeroDivisionError: by zero"):
        run_within(Budget(), broken)


def test_a_result_that_cannot_be_sent_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("KIBITZ_DEBUG", raising=False)
    with pytest.raises(KibitzError, match="internal error"):
        run_within(Budget(), lambda: lambda: 1)


def test_no_process_is_left_behind() -> None:
    before = children()
    run_within(Budget(), lambda: 1)
    for budget, work in ((Budget(seconds=0.1), never), (Budget(), illegal)):
        with pytest.raises(KibitzError):
            run_within(budget, work)
    assert children() == before


def test_bounds_above_those_of_this_process_are_no_error() -> None:
    script = (
        "import resource\n"
        "from kibitz.budget import Budget, run_within\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (500, 500))\n"
        "print(run_within(Budget(seconds=9999), lambda: 42))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("42\n", "")


SLEEPER = """
import os, sys, time
from kibitz import budget as budgets
from kibitz.budget import Budget, Stopwatch, run_watched, run_within

def work():
    print(os.getpid(), flush=True)
    time.sleep(600)

try:
    run_within(Budget(seconds=500), work)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_the_child_and_then_the_parent() -> None:
    with started(SLEEPER) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)  # It reaches the parent and the child.
        rest, _ = parent.communicate(timeout=300)
        assert rest == "interrupted\n"
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def test_news_arrive_in_order_before_the_result() -> None:
    seen: list[str] = []

    def work(tell: Callable[[str], None]) -> int:
        for number in range(1000):
            tell(f"{number}" * 50)
        return 7

    assert run_watched(Budget(), work, report=seen.append) == 7
    assert seen == [f"{number}" * 50 for number in range(1000)]


def test_a_check_that_raises_ends_the_child_at_once() -> None:
    before = children()
    begin = time.monotonic()

    def check() -> None:
        if time.monotonic() > begin + 0.2:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        run_watched(Budget(seconds=900), lambda _report: never(), check=check)
    assert time.monotonic() < begin + 300
    assert children() == before


STOPPED = """
import os, sys, time
from kibitz.budget import Budget, is_over, run_within

def work():
    print("ready", flush=True)
    while not is_over(time.monotonic() + 1):
        time.sleep(0.01)
    return "the best so far"

print(run_within(Budget(seconds=500), work, grace_s=200), flush=True)
"""


@pytest.mark.parametrize("reaches_both", [True, False])
def test_work_that_may_finish_tells_what_it_has(reaches_both: bool) -> None:
    with started(STOPPED) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        if reaches_both:
            os.killpg(parent.pid, signal.SIGINT)
        else:
            parent.send_signal(signal.SIGINT)
        assert parent.communicate(timeout=300)[0] == "the best so far\n"


def test_a_child_that_cannot_even_say_that_it_failed_is_not_taken_for_its_parent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def send(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("kibitz.budget._send", send)
    with pytest.raises(BudgetExceededError, match="needs more than 4 GB"):
        run_within(Budget(seconds=60), lambda: 1)
    with (tmp_path / "came by").open("a") as file:
        file.write("once\n")
    assert (tmp_path / "came by").read_text() == "once\n"


def test_time_in_which_work_waited_for_a_processor_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sleep(seconds: float) -> str:
        time.sleep(seconds)
        return "done"

    with pytest.raises(BudgetExceededError, match=r"0\.2 s"):
        run_within(Budget(seconds=0.2), lambda: sleep(300))
    monkeypatch.setattr(budgets, "_MOST_WAITING", 1.0)
    monkeypatch.setattr(budgets, "_waited", lambda _process: {1: 1e9})
    assert run_within(Budget(seconds=0.2), lambda: sleep(0.6)) == "done"


def test_half_of_the_time_always_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "_waited", lambda _process: {1: 1e9})
    with pytest.raises(BudgetExceededError):
        run_within(Budget(seconds=0.1), never)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not say")
def test_a_stopwatch_counts_what_a_process_and_its_children_waited() -> None:
    """Twice as many busy processes as cores, so that each waits for about half of the time."""
    watch = Stopwatch()
    script = "import time\nend = time.monotonic() + 0.5\nwhile time.monotonic() < end: pass"
    busy = [
        subprocess.Popen([sys.executable, "-c", script]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    while any(process.poll() is None for process in busy):
        counted, passed = watch.seconds(), time.monotonic() - watch.begin
        time.sleep(0.05)
    assert 0 < counted < 0.9 * passed
