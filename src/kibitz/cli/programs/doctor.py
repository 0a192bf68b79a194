"""The command that looks at the installation: doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import print_json
from kibitz.cli.common.options import JsonOption

if TYPE_CHECKING:
    from kibitz.doctor import Dependency, Health


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(doctor)


def doctor(
    as_json: JsonOption = False,
    ludii: Annotated[
        str | None,
        typer.Option(
            "--ludii",
            metavar="DIR|JAR",
            help="Remember your copy of Ludii for sheets that call its definitions; '' forgets.",
        ),
    ] = None,
) -> None:
    """Describe what is installed, which engine is used, where caches are, and what is slow and why.

    The exit status is 1 if something is missing that Kibitz needs.
    """
    from kibitz.doctor import examine

    if ludii is not None:
        from kibitz.ludii import remember

        remember(ludii)
    health = examine()
    if as_json:
        print_json(health.as_json())
    else:
        _print(health)
    if not health.is_well:
        raise typer.Exit(1)


def _print(health: Health) -> None:
    print(f"kibitz {health.kibitz} in {health.folder}")
    print(f"{health.python} on {health.platform}")
    speed = health.engine_states_per_s
    rate = "" if speed is None else f"; {speed / 1e6:,.0f} million states a second, tic-tac-toe"
    print(f"engine      {health.engine}{rate}")
    features = " ".join(health.features) or "no vectors known"
    print(
        f"processor   {health.processor}, {health.usable_cores} of {health.cores} cores, {features}"
    )
    if health.memory_bytes and health.free_memory_bytes:
        free, total = health.free_memory_bytes / 1e9, health.memory_bytes / 1e9
        print(f"memory      {free:.1f} of {total:.1f} GB free")
    access = "" if health.code_cache_writable else ", not writable"
    print(f"code cache  {health.code_cache}: {health.code_cache_files:,} pieces{access}")
    copy = health.ludii or "no copy known: kibitz doctor --ludii DIR|JAR remembers one"
    print(f"ludii       {copy}")
    print("needed")
    for part in health.parts:
        print(_line(part))
    print("optional")
    for part in health.optional:
        print(_line(part))
    print("slow" if health.slow else "nothing here makes it slow")
    for reason in health.slow:
        print(f"  {reason}")


def _line(part: Dependency) -> str:
    if part.is_there:
        return f"  {part.name:<11} {part.version}"
    return f"  {part.name:<11} missing, for {part.purpose}: {part.how}"
