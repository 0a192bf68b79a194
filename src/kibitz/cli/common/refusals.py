"""Refuse a question that has no answer: print one message and exit with status 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import typer

from kibitz.cli.common.inputs import note, print_json

if TYPE_CHECKING:
    from kibitz.space import Stuck


def refuse(stuck: Stuck, result: dict[str, Any], *, as_json: bool) -> NoReturn:
    """Print that play can get stuck, so that there is no value, and exit with status 1."""
    if as_json:
        print_json(result)
    else:
        print(f"{result['game']}: {result['states']:,} states, {result['moves']:,} moves")
        print(f"  no value: {stuck.text}")
    note("hint: give every role a move there, such as noop, or let play end there")
    raise typer.Exit(1)
