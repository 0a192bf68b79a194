"""Every command shown in the documentation runs, and prints what the page says.

A `console` block is typed line by line, in one folder for each page, and its output compared: times
are taken as equal, and a line "…" stands for any lines. A block of text with a file's name behind
the three marks, such as "text mine.strategy", is that file. A `sh` block shows commands that go on
for long or need something from outside; of those, the options are looked up.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.test_docs import DOCS, PAGES, name_of
from tools.write_docs import blocks
from typer.main import get_command

from kibitz.cli import app

KIBITZ = [sys.executable, "-m", "kibitz"]
_FILE = re.compile(r"^```\w+ (?P<name>[\w.-]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_TIME = re.compile(r"\d+(?:[.,]\d+)* (?:s|ms|µs|min)\b")


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Give the commands of a block, each with the lines shown below it."""
    found = []
    for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, *output = part.splitlines()
        found.append((command, output))
    return found


def is_as_shown(printed: list[str], shown: list[str]) -> bool:
    """Tell whether what was printed is what is shown, but for times and lines left out."""
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(_TIME.sub("# s", line).rstrip()) + r"\n"
        for line in shown
    ]
    text = "".join(_TIME.sub("# s", line).rstrip() + "\n" for line in printed)
    return re.fullmatch("".join(parts), text) is not None


def test_lines_left_out_and_times_are_the_only_freedom() -> None:
    assert is_as_shown(["a", "b", "took 3.1 s"], ["a", "…", "took 4 s"])
    assert not is_as_shown(["a", "b"], ["a"])
    assert not is_as_shown(["a 3"], ["a 4"])


def typed_on(path: Path) -> list[tuple[str, list[str]]]:
    """Give all commands of a page's console blocks."""
    return [c for block in blocks(path.read_text("utf-8"), "console") for c in commands(block)]


TYPED = {
    name_of(path): (path, shown)
    for path in PAGES
    if path.name not in ("commands.md", "README.md") and (shown := typed_on(path))
}


@pytest.mark.parametrize("name", TYPED)
def test_commands_print_what_a_page_says(name: str, tmp_path: Path) -> None:
    path, shown = TYPED[name]
    for file in _FILE.finditer(path.read_text("utf-8")):
        (tmp_path / file["name"]).write_text(file["text"], "utf-8")
    for command, output in shown:
        words = shlex.split(command)
        assert words[0] == "kibitz", f"{command}: only kibitz is run; show other things as sh"
        done = subprocess.run(
            [*KIBITZ, *words[1:]], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode in (0, 1), f"$ {command}\n{done.stderr}"
        printed = done.stdout.splitlines()
        shown_in_full = not output or is_as_shown(printed, output)
        assert shown_in_full, f"$ {command}\n{done.stdout}{done.stderr}"


LINES = [
    (name_of(path), line)
    for path in PAGES
    for block in blocks(path.read_text("utf-8"), "sh")
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("kibitz ")
]


@pytest.mark.parametrize(("name", "line"), LINES, ids=[f"{n}: {line}" for n, line in LINES])
def test_options_that_are_shown_exist(name: str, line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    command = get_command(app)
    while below := getattr(command, "commands", {}):
        assert words[0] in below, line
        command = below[words.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    for word in words:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in known, f"{line}: {word}"


def test_there_are_pages_with_commands() -> None:
    assert DOCS / "solving.md" in [path for path, _ in TYPED.values()]
    assert LINES
