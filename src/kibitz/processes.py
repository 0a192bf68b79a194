"""Start processes that end when the process that started them ends, however it ends.

A command that is killed cannot end its children, which work on untrusted rule sheets and may take
hours and all memory. So each child asks Linux for a signal when its parent dies. On other systems a
thread of the child checks whether its parent is still there; programs that are not Python are not
watched there. All processes of Kibitz are started here, except those of ray, which does the same.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

__all__ = ["Program", "fork", "start_program", "start_python"]

Program = subprocess.Popen[bytes]
"""A program that was started."""

_PR_SET_PDEATHSIG = 1
_LOOK_S = 0.5
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has one way to end a process


def fork() -> int:
    """Fork as `os.fork` does; the child is killed when the thread that made it has ended.

    >>> child = fork()
    >>> if child == 0:
    ...     os._exit(7)
    >>> os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    7
    """
    parent = os.getpid()
    child = os.fork()
    if child == 0 and not _end_with(parent):
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    return child


def start_program(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a program as `subprocess.Popen` does; it is killed when its parent has ended.

    >>> start_program([sys.executable, "-c", "raise SystemExit(7)"]).wait()
    7
    """
    ready = partial(_end_with, os.getpid()) if _LIBC else None
    return subprocess.Popen(command, preexec_fn=ready, **options)


def start_python(
    script: Path, arguments: Sequence[str] = (), **options: Any
) -> subprocess.Popen[bytes]:
    """Start Python with a script, as `start_program` does, in less time.

    The child asks itself to be killed when its parent has ended. So this process is not forked,
    which takes the longer the more memory it has: 45 ms at 700 MB.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as script:
    ...     print("import sys; sys.exit(int(sys.argv[1]))", file=script, flush=True)
    ...     start_python(Path(script.name), ["7"]).wait()
    7
    """
    begin = (_ASK if _LIBC else _WATCH) + _RUN
    command = [sys.executable, "-P", "-c", begin, str(os.getpid()), str(script), *arguments]
    return subprocess.Popen(command, **options)


_ASK = f"""
import ctypes, os, sys
parent = int(sys.argv[1])
ctypes.CDLL(None).prctl({_PR_SET_PDEATHSIG}, {_KILL:d})
if os.getppid() != parent:  # It died before the request.
    os.kill(os.getpid(), {_KILL:d})
"""
_WATCH = f"""
import os, sys, threading, time
def watch(parent):
    if sys.platform == "win32":  # There a process keeps the number of a parent that has ended.
        import ctypes
        system = ctypes.windll.kernel32
        handle = system.OpenProcess(0x100000, False, parent)  # to wait for it
        while handle and system.WaitForSingleObject(handle, 500) == 0x102:  # not yet
            pass
    else:
        while os.getppid() == parent:
            time.sleep({_LOOK_S})
    os._exit(1)
threading.Thread(target=watch, args=(int(sys.argv[1]),), daemon=True).start()
"""
_RUN = """
import sys
del sys.argv[:2]
with open(sys.argv[0], encoding="utf-8") as file:
    text = file.read()
exec(compile(text, sys.argv[0], "exec"))
"""


def _end_with(parent: int) -> bool:
    """Ask the system to kill this process when its parent dies; return whether it will."""
    if _LIBC is None:
        return False
    _LIBC.prctl(_PR_SET_PDEATHSIG, _KILL)
    if os.getppid() != parent:  # It died before the request.
        os.kill(os.getpid(), _KILL)
    return True


def _watch(parent: int) -> None:
    """Kill this process when its parent has died and another process has adopted it."""
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os.kill(os.getpid(), _KILL)
