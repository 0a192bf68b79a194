"""The command line: parse, call, show. Nothing is computed here.

Results go to stdout, everything else to stderr. Exit status: 0 done or yes, 1 no or failed,
2 wrong use, 130 interrupted. Modules of commands import what they call inside the command, so
that `kibitz --help` starts at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial

import typer
from typer.core import TyperGroup
from typer.main import get_command_name

from kibitz.cli.common.deadline import begin_program, note_end
from kibitz.cli.common.inputs import AS_GDL1
from kibitz.cli.programs import bench, doctor, matches, play, reproduce, web
from kibitz.cli.rules import draw, engine, frame, new, rules
from kibitz.cli.solving import (
    catalogue,
    explain,
    hardness,
    puzzles,
    puzzles_table,
    report,
    solve,
    winsets,
)
from kibitz.cli.strategies import encode, learn, strategy, synth
from kibitz.errors import GameNameError, InputError, KibitzError, internal_error

__all__ = ["app", "main"]

_FOR_ALL = ("--ludii", "--option", "--as-gdl1")
_SWITCHES = ("--as-gdl1",)


class _Commands(TyperGroup):
    """Takes the options for all commands after the command as well, unless it has its own."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Put such options in front."""
        place = next((n for n, arg in enumerate(args) if arg in self.commands), len(args))
        front, rest = args[:place], args[place:]
        known = {name for p in self.commands[rest[0]].params for name in p.opts} if rest else set()
        behind: list[str] = []
        while rest:
            arg = rest.pop(0)
            name, equals, _ = arg.partition("=")
            if arg == "--":
                behind += [arg, *rest]
                break
            if name not in _FOR_ALL or name in known:
                behind.append(arg)
            elif equals or name in _SWITCHES:
                front.append(arg)
            elif rest:
                front += [arg, rest.pop(0)]
            else:
                raise typer.BadParameter(f"{name} requires an argument", ctx)
        return super().parse_args(ctx, front + behind)


app = typer.Typer(
    name="kibitz",
    cls=_Commands,
    help="Give it the rules of a board game; it explains how to play it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_MODULES = (
    explain,
    rules,
    new,
    engine,
    draw,
    solve,
    strategy,
    winsets,
    synth,
    learn,
    hardness,
    puzzles,
    puzzles_table,
    encode,
    play,
    matches,
    frame,
    report,
    catalogue,
    bench,
    reproduce,
    web,
    doctor,
)
for _module in _MODULES:
    _module.register(app)


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    ludii: str | None = typer.Option(
        None,
        metavar="DIR|JAR",
        help="For .lud files: your copy of Ludii, its jar or a folder with its definitions in def.",
    ),
    option: list[str] = typer.Option(
        [], metavar="NAME", help='For .lud files: an option, such as "Board Size/3x3"; repeatable.'
    ),
    as_gdl1: bool = typer.Option(
        False,
        "--as-gdl1",
        help="For rules of GDL-II: every role sees all, and random is a player like others.",
    ),
) -> None:
    AS_GDL1.set(as_gdl1)
    if ludii is not None:
        os.environ["KIBITZ_LUDII"] = ludii
    if option:
        os.environ["KIBITZ_LUDII_OPTIONS"] = "\n".join(option)
    if version:
        from kibitz import __version__

        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; every error is one message, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # Names may have letters that the terminal lacks.
            stream.reconfigure(errors="backslashreplace")
    begin_program()
    try:
        _run()
    except SystemExit as leaving:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # It may be closed, or not there.
                stream.flush()
        note_end(leaving.code)
        raise


def _run() -> None:
    try:
        with _no_lost_interrupts():
            (app if os.environ.get("_KIBITZ_COMPLETE") else _without_others(app, sys.argv))()
    except KibitzError as error:
        _fail(error)
    except SystemExit as leaving:
        if isinstance(getattr(leaving.__context__, "__cause__", None), KeyboardInterrupt):
            print(
                "interrupted", file=sys.stderr
            )  # Commands that exit with status 130 have said so.
        raise
    except BrokenPipeError:  # The reader of the output is gone, so exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # Files that cannot be read are InputErrors by now; this is output.
        _fail(KibitzError(f"cannot write the result: {error.strerror or error}"))
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Ctrl-C within native code
            print("interrupted", file=sys.stderr)
            sys.exit(130)
        if os.environ.get("KIBITZ_DEBUG"):
            raise
        _fail(internal_error(error))


def _without_others(app: typer.Typer, words: Sequence[str]) -> typer.Typer:
    """Return the application with parameters only for commands that are named.

    Typer evaluates the types of all parameters, which takes half the time of `kibitz --help`.
    """
    few = copy(app)
    few.registered_commands = []
    for command in app.registered_commands:
        callback = command.callback
        assert callback is not None
        one = copy(command)
        if (command.name or get_command_name(callback.__name__)) not in words:
            one.callback = _documented(callback)
        few.registered_commands.append(one)
    few.registered_groups = []
    for group in app.registered_groups:
        one_group = copy(group)
        if group.typer_instance is not None and group.name not in words:
            one_group.typer_instance = _without_others(group.typer_instance, words)
        few.registered_groups.append(one_group)
    return few


def _documented(callback: Callable[..., object]) -> Callable[[], None]:
    """Return a function with this one's name and documentation, and no parameters."""

    def nothing() -> None: ...

    nothing.__name__, nothing.__doc__ = callback.__name__, callback.__doc__
    return nothing


@contextmanager
def _no_lost_interrupts() -> Iterator[None]:
    """Repeat a Ctrl-C that comes while native code calls back, where it would be ignored."""
    before, main_thread = sys.unraisablehook, threading.get_ident()

    def hook(ignored: sys.UnraisableHookArgs) -> None:
        if isinstance(ignored.exc_value, KeyboardInterrupt):
            if hasattr(signal, "pthread_kill"):
                again = partial(signal.pthread_kill, main_thread, signal.SIGINT)
            else:
                again = partial(signal.raise_signal, signal.SIGINT)
            threading.Timer(0.05, again).start()
        else:
            before(ignored)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _fail(error: KibitzError) -> None:
    print(error, file=sys.stderr)
    sys.exit(2 if isinstance(error, GameNameError | InputError) else 1)
