"""Hold a command to the time given with --timeout: by the clock, from its start.

The command goes on in a child. Its stages end in time by themselves where they can, and say what
they have found; whatever still works a little later, native code too, is killed. Where the system
cannot wait for signals, as on macOS and Windows, threads of the process end it instead.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import sys
import threading
import time

import typer

from kibitz.budget import limit_command, stopped
from kibitz.processes import fork
from kibitz.reading import limit_reading

_SHARE, _SLACK_S = 0.05, 0.5
_LOOK_S = 0.25
_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGCHLD")
    if hasattr(signal, name)  # Windows has no SIGCHLD
)
_program: list[float] = []
"""When this process began, where it is the whole program and not part of another."""
_end = mmap.mmap(-1, 1)
"""Shared with the child: 0 until the command has printed everything, then 1 + its status."""


def begin_program() -> None:
    """Record that this process runs one command and may be forked for it.

    What it did before, starting Python above all, took at least its CPU time.
    """
    _program.append(time.monotonic() - time.process_time())


def note_end(status: object) -> None:
    """Record that the command has ended and printed everything; only cleanup follows."""
    _end[0] = 1 + (status if isinstance(status, int) else int(status is not None))


def keep_to_timeout(context: typer.Context, option: typer.CallbackParam, value: float) -> float:
    """Hold the command to a time that was given; leave Kibitz's defaults to its stages."""
    source = context.get_parameter_source(option.name or "")
    if _program and source is not None and source.name == "COMMANDLINE":
        limit_command(value, _program[0])
        end = _program[0] + value + max(_SHARE * value, _SLACK_S)
        if hasattr(signal, "sigtimedwait"):
            _go_on_in_child(value, end)
        else:
            _end_by_threads(value, end)
    return value


def keep_to_memory(value: float) -> float:
    """Hold the reading of files to the memory that a command may use."""
    limit_reading(value * 1e9)
    return value


def _end_by_threads(seconds: float, end: float) -> None:
    """End this process at a time; a thread that needs no Python does so where native code runs."""

    def stop() -> None:
        if not _end[0]:
            print(stopped(seconds), file=sys.stderr, flush=True)
        os._exit(_end[0] - 1 if _end[0] else 1)

    left = max(0.01, end - time.monotonic())
    timer = threading.Timer(left, stop)
    timer.daemon = True
    timer.start()
    nowhere = open(os.devnull, "w")  # noqa: SIM115 - it stays open as long as the process lives
    faulthandler.dump_traceback_later(left + _SLACK_S, exit=True, file=nowhere)


def _go_on_in_child(seconds: float, end: float) -> None:
    """Return in a child; end it at a time, or pass on how it ended."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    child = fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    while time.monotonic() < end:
        found = signal.sigtimedwait(_SIGNALS, min(_LOOK_S, max(0.0, end - time.monotonic())))
        number, status = os.waitpid(child, os.WNOHANG)
        if number:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        # A terminal sends its signals to the child as well.
        if found and found.si_signo != signal.SIGCHLD and found.si_code <= 0:
            os.kill(child, found.si_signo)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if _end[0]:
        os._exit(_end[0] - 1)
    print(stopped(seconds), file=sys.stderr, flush=True)
    os._exit(1)
