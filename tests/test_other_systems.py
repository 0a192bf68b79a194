"""What Kibitz does on systems without fork, signals and limits, which this one is made to be.

That is as far as it can be tested on Linux: names that Windows or macOS lack are removed before
Kibitz is imported, and commands must then work, end in time, and end what they started.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time

import pytest

WINDOWS = """
import asyncio, multiprocessing.context, os, signal, subprocess, sys, sysconfig, tempfile
import clingo, llvmlite.binding, numpy, typer
sysconfig.get_config_vars()  # are read from a file named by the platform
sys.platform = "win32"
sys.modules["resource"] = None
sys.modules["fcntl"] = None
for name in ("fork", "register_at_fork", "wait4", "getloadavg", "sched_getaffinity", "sysconf"):
    delattr(os, name)
for name in ("SIGKILL", "SIGCHLD", "SIGXCPU", "sigtimedwait", "pthread_sigmask", "pthread_kill"):
    delattr(signal, name)
sys.platform = "linux-like"  # what is imported later must not look for libraries of Windows
"""
MACOS = """
import resource, signal, os
del signal.sigtimedwait, os.sched_getaffinity
def setrlimit(*limits):
    raise ValueError("current limit exceeds maximum limit")
resource.setrlimit = setrlimit
import sys, sysconfig, llvmlite.binding
sysconfig.get_config_vars()
sys.platform = "darwin-like"
"""


def run(system: str, code: str, *, timeout_s: float = 60) -> subprocess.CompletedProcess[str]:
    text = textwrap.dedent(system) + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=timeout_s, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("system", [WINDOWS, MACOS], ids=["windows", "macos"])
def test_commands_work(system: str) -> None:
    done = run(
        system,
        """
        import sys
        from kibitz.cli import main
        sys.argv = ["kibitz", "solve", "nim:1,2", "--timeout", "60"]
        main()
        """,
    )
    assert done.returncode == 0, done.stderr
    assert "player1" in done.stdout


@pytest.mark.parametrize("system", [WINDOWS, MACOS], ids=["windows", "macos"])
def test_a_command_ends_when_its_time_is_over_even_in_native_code(system: str) -> None:
    began = time.monotonic()
    done = run(
        system,
        """
        import sys, time
        from kibitz.cli.common import deadline
        deadline._end_by_threads(0.2, time.monotonic() + 0.2)
        time.sleep(50)
        """,
    )
    assert done.returncode == 1
    assert "stopped after 0.2 s" in done.stderr
    assert time.monotonic() - began < 50


def test_work_without_fork_is_bounded_in_time_and_passes_results_and_errors_on() -> None:
    done = run(
        WINDOWS,
        """
        import time
        from kibitz.budget import Budget, run_watched, run_within
        from kibitz.errors import BudgetExceededError, InputError

        print(run_watched(Budget(seconds=60), lambda report: report("news") or 7, report=print))
        def wrong():
            raise InputError("wrong")
        try:
            run_within(Budget(seconds=60), wrong)
        except InputError as error:
            print(error)
        def long():
            while True:
                time.sleep(0.01)
        try:
            run_within(Budget(seconds=0.2), long, doing="waiting")
        except BudgetExceededError as error:
            print(error.message)
        def check():
            raise RuntimeError("cancelled")
        try:
            run_watched(Budget(seconds=60), lambda _: long(), check=check)
        except RuntimeError as error:
            print(error)
        """,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:5] == [
        "news",
        "7",
        "wrong",
        "waiting needs more than 0.2 s",
        "cancelled",
    ]


def test_a_child_ends_after_its_parent_where_the_system_sends_no_signal() -> None:
    done = run(
        MACOS,
        """
        import os, sys, tempfile
        from pathlib import Path
        from kibitz import processes
        assert processes._LIBC is None
        script = Path(tempfile.mkdtemp()) / "child.py"
        script.write_text("import time\\ntime.sleep(60)")
        print(processes.start_python(script).pid, flush=True)
        os._exit(0)
        """,
    )
    child = int(done.stdout)
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        with open(f"/proc/{child}/stat", encoding="ascii") as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                return
        time.sleep(0.1)
    raise AssertionError("the child is still there")
