"""Arguments and options that several commands have."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common.deadline import keep_to_memory, keep_to_timeout


def complete_game(incomplete: str) -> list[str]:
    """Return the names of the library with a prefix, for completion in shells."""
    from kibitz.games import catalogue

    names = [name for entry in catalogue() for name in entry.examples]
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="A game of the library (tictactoe, nim:1,3,5), a rule sheet's path, or - for stdin.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="auto|ADDRESS",
        help="Work on a ray cluster; auto starts one on this machine.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the result to a file."),
]
PositionOption = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE",
        help="Start from this state instead: its fluents in KIF; - for stdin.",
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="S",
        min=0.1,
        max=1e6,
        help="Seconds that the whole command may take, by the clock; if not given, stages that can "
        "run away may take the default each.",
        callback=keep_to_timeout,
    ),
]
MemoryOption = Annotated[
    float,
    typer.Option(
        "--memory",
        metavar="GB",
        min=0.1,
        max=1e6,
        help="Gigabytes the work may use.",
        callback=keep_to_memory,
    ),
]
MaxStatesOption = Annotated[
    int, typer.Option("--max-states", min=1, help="Give up beyond this many states.")
]
RulesOption = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="A folder to take rule sheets from; games of the library if not given.",
    ),
]


class Engine(StrEnum):
    """Which engine steps the states."""

    COMPILED = "compiled"
    UNGROUNDED = "ungrounded"
    REFERENCE = "reference"


EngineOption = Annotated[Engine, typer.Option("--engine", help="Which engine steps the states.")]


class Backend(StrEnum):
    """Backend that the compiled engine runs on."""

    AUTO = "auto"
    STRAIGHT = "straight"
    INTERPRETER = "interpreter"


BackendOption = Annotated[
    Backend, typer.Option("--backend", help="What the compiled engine runs on; by size if auto.")
]


class Silence(StrEnum):
    """Policy for states where a strategy allows no legal move."""

    ANY = "any"
    STOP = "stop"


SilenceOption = Annotated[
    Silence,
    typer.Option(
        "--silence",
        help="Where a strategy allows no move: any legal move may be made, or play stops.",
    ),
]


class Symmetry(StrEnum):
    """How the images of rules under symmetries apply."""

    ANY = "any"
    FIRST = "first"
    NONE = "none"
