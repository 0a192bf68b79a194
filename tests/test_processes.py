from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.effort import quick

from kibitz import processes

ROOT = Path(__file__).resolve().parent.parent
STARTERS = {
    "os": ("fork", "forkpty", "posix_spawn", "posix_spawnp", "popen", "system", "spawn"),
    "subprocess": ("Popen", "run", "call", "check_call", "check_output", "getoutput"),
    "multiprocessing": ("",),
    "concurrent.futures": ("ProcessPoolExecutor",),
}
PAIRS = " ".join(f"(n {number})" for number in range(60))
BOMB = f"""
(role me) (init (at 1)) {PAIRS}
(<= (legal me (go ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))
(<= (next (at ?a)) (does me (go ?a ?b ?c ?d ?e)))
(<= terminal (true (at 60)))
(goal me 100)
"""
"""Rules that are in order and that no grounder comes to an end with."""

needs_proc = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(),
    reason="this system does not list the children of a process",
)


def descendants(parent: int) -> set[int]:
    """Give all processes below one."""
    found: set[int] = set()
    stack = [parent]
    while stack:
        number = stack.pop()
        for path in Path(f"/proc/{number}/task").glob("*/children"):
            try:
                below = {int(word) for word in path.read_text().split()}
            except OSError:  # It has ended.
                continue
            stack += below - found
            found |= below
    return found


def is_working(number: int) -> bool:
    """Say whether a process is there, and not only waits for somebody to ask how it ended."""
    try:
        words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return words[0] not in "ZX"


def killed(command: list[str], *, below: int = 1) -> set[int]:
    """Kill a command once it has so many processes below it; give those that live on."""
    nothing = subprocess.DEVNULL
    parent = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
    seen: set[int] = set()
    try:
        end = time.monotonic() + 3000
        while len(seen) < below and time.monotonic() < end and parent.poll() is None:
            time.sleep(0.02)
            seen = descendants(parent.pid)
        assert len(seen) >= below, f"{command} started {len(seen)} processes"
        parent.kill()
        parent.wait()
        end = time.monotonic() + 300
        while any(map(is_working, seen)) and time.monotonic() < end:
            time.sleep(0.02)
        return {number for number in seen if is_working(number)}
    finally:
        parent.kill()
        parent.wait()
        for number in filter(is_working, seen):
            os.kill(number, signal.SIGKILL)


def calls_of(tree: ast.AST) -> Iterator[str]:
    """Give everything that a module calls or imports from others, with dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (f"{alias.name}." for alias in node.names)


def is_starter(called: str) -> bool:
    module, _, name = called.rpartition(".")
    return any(name.startswith(starter) for starter in STARTERS.get(module, ()))


def may_start(text: str) -> bool:
    """Say whether a module has any of the words; most have none and need not be parsed."""
    return any((name or module) in text for module, names in STARTERS.items() for name in names)


def test_processes_are_started_in_one_module() -> None:
    """So that none is without a parent to end with."""
    found = {
        str(path.relative_to(ROOT)): sorted(calls)
        for path in (ROOT / "src").rglob("*.py")
        if may_start(text := path.read_text("utf-8"))
        if (calls := set(filter(is_starter, calls_of(ast.parse(text)))))
    }
    assert found == {"src/kibitz/processes.py": ["os.fork", "subprocess.Popen"]}


COMMANDS = (
    "check",
    "comply --strategy me=STRATEGY",
    "draw",
    "encode",
    "explain",
    "ground",
    "invariants",
    "learn constraints",
    "learn tree",
    "match --role me=random",
    "minimise STRATEGY",
    "moves STRATEGY",
    "perft --depth 2",
    "puzzles",
    "replay --moves -",
    "replay --moves - --engine reference",
    "report",
    "simulate",
    "solve",
    "solve --symbolic",
    "symmetries",
    "synth",
    "verify STRATEGY",
    "web --port 0",
    "winsets",
)
DIFFERENT = (
    "explain",
    "learn tree",
    "match --role me=random",
    "replay --moves - --engine reference",
    "solve --symbolic",
    "web --port 0",
)
"""They start their processes in different places."""


@needs_proc
@pytest.mark.parametrize("command", quick(COMMANDS, DIFFERENT))
def test_nothing_goes_on_when_a_command_is_killed(tmp_path: Path, command: str) -> None:
    rules, strategy = tmp_path / "bomb.kif", tmp_path / "mine.strategy"
    rules.write_text(BOMB)
    strategy.write_text("go(1, 1, 1, 1, 1).")
    words = command.replace("STRATEGY", str(strategy)).split()
    words.insert(2 if words[0] == "learn" else 1, str(rules))
    below = 1
    if words[0] not in ("match", "web"):
        words += ["--timeout", "3000"]  # More than is waited for: it does not end by itself.
        below = 2  # The command itself is a child then.
    assert killed([sys.executable, "-m", "kibitz", *words], below=below) == set()


@needs_proc
@pytest.mark.parametrize("what", ["engine", "solve"])
def test_nothing_goes_on_when_a_benchmark_is_killed(what: str) -> None:
    run = [sys.executable, "-m", "kibitz", "bench", what, "connectfour"]
    assert killed(run) == set()


WATCHED = """
import os, time
from kibitz import processes
processes._LIBC = {libc}
if processes.fork() == 0:
    time.sleep(300)
time.sleep(300)
"""


@needs_proc
@pytest.mark.parametrize("libc", ["processes._LIBC", "None"], ids=["signal", "thread"])
def test_a_fork_ends_with_its_parent_by_either_means(libc: str) -> None:
    assert killed([sys.executable, "-c", WATCHED.format(libc=libc)]) == set()


LATE = """
import os, time
from kibitz import processes
first = os.getpid()
real = os.fork
def fork():
    number = real()
    if number == 0:
        while os.getppid() == first:  # Its parent dies before it can ask for anything.
            time.sleep(0.01)
    return number
os.fork = fork
if processes.fork() == 0:
    print("lives on", flush=True)
"""


@pytest.mark.skipif(processes._LIBC is None, reason="this system has no such signal")
def test_a_child_ends_whose_parent_has_died_before_it_began() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LATE], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout == ""


@pytest.mark.skipif(processes._LIBC is None, reason="this system has no such signal")
def test_a_script_ends_whose_parent_has_died_before_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"open({str(tmp_path / 'ran')!r}, 'x')")
    assert processes.start_python(script).wait() == 0
    (tmp_path / "ran").unlink()
    monkeypatch.setattr(os, "getpid", lambda: 1)  # a parent that is not the script's
    assert processes.start_python(script).wait() == -signal.SIGKILL
    assert not (tmp_path / "ran").exists()


def test_a_script_imports_nothing_from_the_folder_in_which_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "clingo.py").write_text("raise SystemExit(3)")
    (tmp_path / "script").mkdir()
    script = tmp_path / "script" / "script.py"
    script.write_text("import clingo")
    assert processes.start_python(script, cwd=tmp_path).wait() == 0
