"""The command that writes games and strategies in other languages: encode."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import compile_game
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.cli.strategies.strategy import read_rules

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, Role
    from kibitz.strategy import Strategy


class Target(StrEnum):
    """The language to write."""

    ASP = "asp"
    TPTP = "tptp"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    app.command()(encode)


def encode(
    game: options.GameArgument,
    strategy: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STRATEGY]...", help="A strategy as in verify, or ROLE=STRATEGY for a role."
        ),
    ] = None,
    to: Annotated[
        Target, typer.Option("--to", help="A program for clingo, or axioms for provers.")
    ] = Target.ASP,
    role: Annotated[
        str | None,
        typer.Option(help="The role that follows a strategy given without one, or that is to win."),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(min=1, help="The longest match that counts (asp); found if not given."),
    ] = None,
    conjecture: Annotated[
        bool, typer.Option("--conjecture", help="Ask to prove that the role can win (tptp).")
    ] = False,
    silence: options.SilenceOption = options.Silence.ANY,
    output: options.OutputOption = None,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Write a game and strategies as an answer set program, or in the Situation Calculus.

    Answer sets of the program are the complete matches in which the strategies are followed.
    """
    from kibitz.strategy import asp_encoding, tptp_encoding

    check_folder(output)
    made = compile_game(game, timeout, memory)
    first = role or made.roles[0]
    made.check_role(first)
    followed = _strategies(made, strategy or [], first)
    if to is Target.ASP:
        text = asp_encoding(made, followed, horizon=horizon, silence=silence)
    else:
        text = tptp_encoding(made, followed, role=first, conjecture=conjecture, silence=silence)
    if output is None:
        print(text, end="")
    else:
        write_file(output, text)


def _strategies(game: CompiledGame, given: list[str], first: Role) -> dict[Role, Strategy]:
    """Read strategies, each for the role it names, or for the one that was asked for."""
    followed: dict[Role, Strategy] = {}
    for item in given:
        name, equals, path = item.partition("=")
        if not (equals and name in game.roles):
            name, path = first, item
        followed[name], _ = read_rules(path, game, name, None)
    return followed
