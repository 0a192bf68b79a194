"""Bring the generated parts of docs/ up to date with the program.

Those are the messages shown in docs/diagnostics/GDL*.md, and the reference of sentences in
docs/english.md. Run it from the checkout with .venv/bin/python tools/write_docs.py; a test fails as
long as it would change a file. Pages about commands and packages are made with the site
(docs/conf.py); those about games take longer and are written by tools/write_games.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from kibitz.budget import Budget
from kibitz.cli import app
from kibitz.engine import diagnose_start
from kibitz.errors import Diagnostic, Severity, Source
from kibitz.gdl import diagnose
from kibitz.rulebook import write_reference
from kibitz.space import diagnose_play

try:
    from tools.api_docs import api_index, api_page, packages
except ModuleNotFoundError:  # run as a script, whose own folder is on the path instead
    from api_docs import (  # type: ignore[import-not-found,no-redef]
        api_index,
        api_page,
        packages,
    )

__all__ = [
    "blocks",
    "command_names",
    "command_page",
    "diagnostic_page",
    "english_page",
    "find",
    "main",
    "site_pages",
]

DOCS = Path(__file__).resolve().parent.parent / "docs"

_FIRST_OF_PLAY = "GDL033"
_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Write every generated page."""
    for page in (DOCS / "diagnostics").glob("GDL*.md"):
        page.write_text(diagnostic_page(page.read_text("utf-8"), page.stem), "utf-8")
    english = DOCS / "english.md"
    english.write_text(english_page(english.read_text("utf-8")), "utf-8")


def english_page(text: str) -> str:
    """Put the reference of sentences at the end of their page."""
    before, mark, _ = text.partition(_REFERENCE)
    return f"{before}{mark}\n{write_reference()}"


_REFERENCE = "after *also* are other ways to say it.\n"


def site_pages() -> dict[Path, str]:
    """Write the pages about commands and packages, by their paths."""
    folder = DOCS / "generated"
    pages = {folder / "api" / f"{name}.md": api_page(name) for name in packages()}
    return pages | {
        folder / "api" / "index.md": api_index(),
        folder / "commands.md": command_page(),
    }


def command_names(group_name: str | None = None) -> list[str]:
    """Give the commands, or those of a group of commands, in the order of --help."""
    commands = getattr(get_command(app), "commands")  # noqa: B009 - its type does not have it
    if group_name:
        commands = getattr(commands[group_name], "commands", {})
    return list(commands)


def command_page() -> str:
    """Write the page of all commands from what --help says."""
    parts = [
        "# Commands",
        "Results go to stdout, everything else to stderr. The exit status is 0 for done or yes, "
        "1 for no or failed, 2 for wrong use, and 130 after Ctrl-C. With `--json` a command "
        "prints one line of JSON for programs.",
        "GAME is a game of the [library](../games.md) with its parameters, such as `nim:1,3,5`; "
        "the path of a rule sheet; or `-`, which reads a rule sheet from stdin. Its first words "
        "show whether it is GDL in KIF or in the [rule form](../notations.md), "
        "[English](../english.md), or the language of [Ludii](../ludii.md); the suffix decides "
        "only where they do not.",
        "`--timeout S` is a limit: the whole command ends within S seconds by the clock, whatever "
        "else the machine does. Exploring and searches end a little earlier, with what they have; "
        "whatever still works a twentieth of S, or half a second, later is killed, and the "
        "command says so with exit status 1. If it is not given, grounding and other stages that "
        "can run away on some rules are bounded by the default, each for itself. Only `bench` "
        "gives it to each game or run. `--time` and `--seconds` are efforts: how long one search, "
        "one round of playing or one window of measuring goes on, once the game is ready for it. "
        "They add up, and a `--timeout` cuts them short.",
        "`KIBITZ_DEBUG=1` in the environment shows where a mistake of Kibitz's own was made.",
        _help(),
    ]
    for name in command_names():
        parts += [f"## {name}", _help(name), *(_help(name, below) for below in command_names(name))]
    return "\n\n".join(parts) + "\n"


def _help(*command: str) -> str:
    call = " ".join(["kibitz", *command, "--help"])
    runner = CliRunner(env={"COLUMNS": "90", "TERMINAL_WIDTH": "90", "NO_COLOR": "1"})
    result = runner.invoke(app, [*command, "--help"], prog_name="kibitz", terminal_width=90)
    lines = [line.rstrip() for line in result.stdout.strip().splitlines()]
    return "\n".join([f"```console\n$ {call}", *lines, "```"])


def blocks(page: str, kind: str) -> list[str]:
    """Give the fenced blocks of one kind, in order."""
    return [match["text"] for match in _BLOCK.finditer(page) if match["kind"] == kind]


def find(text: str, code: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Find everything in a rule sheet as `kibitz check game.kif --timeout 1` does.

    The game is played only for codes that come from play: other examples are no whole games.
    """
    sheet, found = diagnose(text, name="game.kif")
    if not any(d.severity is Severity.ERROR for d in found):
        found += diagnose_start(sheet, Budget(seconds=1))
    if code >= _FIRST_OF_PLAY and not any(d.severity is Severity.ERROR for d in found):
        found += diagnose_play(sheet, Budget()).diagnostics
    return sheet.source, found


def diagnostic_page(page: str, code: str) -> str:
    """Put the messages that the page's first example leads to into its first text block."""
    examples = blocks(page, "kif")
    if not examples:
        return page
    source, found = find(examples[0], code)
    messages = "\n\n".join(d.render(source) for d in found if d.code == code)
    shown = blocks(page, "text")[0]
    return page.replace(f"```text\n{shown}```", f"```text\n{messages}\n```", 1)


if __name__ == "__main__":
    main()
