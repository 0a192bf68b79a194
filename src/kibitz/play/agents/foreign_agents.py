"""Agents that others wrote, by name: a Python function, or a command that speaks the protocol.

========================= ====================================================================
MODULE:FUNCTION           a function from a state and a role to a move; or from a seed to an
                          Agent, as a class of agents is
command:PROGRAM …         a program that reads messages of the match protocol, one on each line,
                          and answers each with a line; with `{port}` among its arguments, one
                          that listens there instead, on this machine
========================= ====================================================================

Both run code that the user names, so only commands of the user accept them, never a web page.
"""

from __future__ import annotations

import importlib
import inspect
import os
import queue
import re
import shlex
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kibitz.engine import Game, Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import parse_terms
from kibitz.play.agents.agent import Agent, MatchSoFar, foreign_errors
from kibitz.play.protocol.remote import RemoteAgent
from kibitz.processes import Program, start_program

_COMMAND = "command:"
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_OWN = ("depth", "level", "reply", "tree", "uct")
_HINT = "write a function of a state and a role that returns a move"
_START_S = 60.0
"""How long a program may take until it listens."""


def is_foreign(name: str) -> bool:
    """Return whether a name is that of a function or a command.

    >>> is_foreign("my_agents:play"), is_foreign("command:./player"), is_foreign("level:3")
    (True, True, False)
    """
    if name.startswith(_COMMAND):
        return True
    return bool(_FUNCTION.fullmatch(name)) and name.partition(":")[0] not in _OWN


def foreign_agent(name: str, *, play_s: float = 1.0) -> Callable[[int], Agent]:
    """Return a function from a seed to an agent; raise InputError if there is none of this name.

    >>> foreign_agent("kibitz.play:RandomAgent")(1).name
    'random'
    """
    if name.startswith(_COMMAND):
        words = shlex.split(name.removeprefix(_COMMAND))
        if not words:
            raise InputError(f"{name} names no program", hint="such as 'command:python player.py'")
        kind = ListeningAgent if any("{port}" in word for word in words) else LineAgent
        return lambda seed: kind(words, match=f"kibitz.{os.getpid()}.{seed}", play_s=play_s)
    made = _find(name)
    try:
        needed = [
            one
            for one in inspect.signature(made).parameters.values()
            if one.default is one.empty
            and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        needed = []
    if len(needed) >= 2:
        return lambda _seed: FunctionAgent(made, name)

    def make(seed: int) -> Agent:
        try:
            inspect.signature(made).bind(seed)
        except TypeError:
            raise InputError(f"{name} cannot be called with a seed", hint=_HINT) from None
        except ValueError:  # it has no signature
            pass
        with foreign_errors(name, hint=_HINT):
            agent = made(seed)
        if not isinstance(agent, Agent):
            raise InputError(f"{name} made {type(agent).__name__}, which is no Agent", hint=_HINT)
        agent.is_foreign = True
        return agent

    return make


def _find(name: str) -> Callable[..., Any]:
    """Import a function, with the present folder among the places where modules are."""
    module, _, path = name.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        with foreign_errors(module):
            found: Any = importlib.import_module(module)
    except InputError as error:
        if isinstance(error.__cause__, ModuleNotFoundError):
            raise InputError(
                f"there is no module {error.__cause__.name}",
                hint="name it as in: import MODULE, from this folder",
            ) from None
        raise
    finally:
        sys.path.remove(os.getcwd())
    try:
        for part in path.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise InputError(f"the module {module} has no {path}") from None
    if not callable(found):
        raise InputError(f"{name} is {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    return function


class FunctionAgent(Agent):
    """Asks a function of a state and a role for a move, or for its text."""

    is_foreign = True

    def __init__(self, function: Callable[[State, Role], Move | str], name: str) -> None:
        self.function, self.name = function, name

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return what the function answers."""
        answer = self.function(line.state, self.role)
        if not isinstance(answer, str):
            return answer
        terms = parse_terms(answer, name=f"the answer of {self.name}")
        if len(terms) != 1:
            raise InputError(f"{answer[:80]!r} is not a move")
        return terms[0]


class LineAgent(RemoteAgent):
    """Starts a program for a match, and talks to it by lines of the match protocol."""

    def __init__(self, words: list[str], *, match: str, play_s: float) -> None:
        super().__init__(f"{_COMMAND}{shlex.join(words)}", match, play_s=play_s)
        self.words = words
        self._program: Program | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Start the program, and send the rules."""
        self._program = _started(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self._program,), daemon=True).start()
        super().start(game, role, deadline)

    def stop(self, line: MatchSoFar | None = None) -> None:
        """Send the end of the match, and end the program."""
        super().stop(line)
        _end(self._program)
        self._program = None

    def send(self, message: str, seconds: float) -> str:
        """Write a line, and wait for the answer."""
        program = self._program
        assert program is not None
        assert program.stdin is not None
        while not self._answers.empty():  # answers that came too late
            if self._answers.get() is None:
                raise InputError(f"{self.name} has ended")
        try:
            program.stdin.write(message.encode() + b"\n")
            program.stdin.flush()
            answer = self._answers.get(timeout=max(0.01, seconds))
        except OSError:
            answer = None
        except queue.Empty:
            raise InputError(f"no answer from {self.name} in {seconds:.0f} s") from None
        if answer is None:
            self._answers.put(None)
            raise InputError(f"{self.name} has ended")
        return answer

    def _read(self, program: Program) -> None:
        assert program.stdout is not None
        answers = self._answers
        for raw in program.stdout:
            answers.put(raw.decode("utf-8", "replace").strip())
        answers.put(None)


class ListeningAgent(RemoteAgent):
    """Starts a program that listens on a port of this machine, and plays by the protocol there."""

    def __init__(self, words: list[str], *, match: str, play_s: float) -> None:
        super().__init__("127.0.0.1:0", match, play_s=play_s)
        self.words = words
        self.name = f"{_COMMAND}{shlex.join(words)}"
        self._program: Program | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Start the program, wait until it listens, and send the rules."""
        port = _free_port()
        self.url = f"127.0.0.1:{port}"
        words = [word.replace("{port}", str(port)) for word in self.words]
        self._program = _started(words, stdout=subprocess.DEVNULL)
        until = time.monotonic() + _START_S
        while time.monotonic() < until and self._program.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise InputError(f"{self.name} does not listen on port {port}")
        super().start(game, role, max(deadline, time.monotonic() + 1))

    def stop(self, line: MatchSoFar | None = None) -> None:
        """Send the end of the match, and end the program."""
        super().stop(line)
        _end(self._program)
        self._program = None


def _started(words: list[str], **options: Any) -> Program:
    try:
        return start_program(words, **options)
    except OSError as error:
        raise InputError(f"cannot start {words[0]}: {error.strerror or error}") from None


def _end(program: Program | None) -> None:
    if program is None:
        return
    program.kill()
    program.wait()
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not read by a program that has ended
                stream.close()


def _free_port() -> int:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        port: int = link.getsockname()[1]
        return port
