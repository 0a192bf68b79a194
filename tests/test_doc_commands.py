"""Every command shown in the documentation runs, and prints what the page says.

A `console` block is typed line by line, in one folder for each page, and its output compared: times
are taken as equal, and a line "…" stands for any lines. A block of text with a file's name behind
the three marks, such as "text mine.strategy", is that file. A `sh` block shows commands that go on
for long or need something from outside; of those, the options are looked up.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.conftest import run_here, the_command
from tests.test_docs import PAGES, name_of
from tools.type_commands import is_as_shown, type_page
from tools.write_docs import blocks

from kibitz.cli import app

TYPED = {
    name_of(path): page
    for path in PAGES
    if path.name != "README.md"
    if blocks(page := path.read_text("utf-8"), "console")
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if "tutorial" in n else n for n in TYPED],
)
def test_commands_print_what_a_page_says(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = run_here(monkeypatch, capfd)

    def type_here(words: list[str], folder: Path) -> tuple[str, str, int]:
        monkeypatch.chdir(folder)
        done = run(*words)
        monkeypatch.undo()
        return done.out, done.err, done.status

    for typed in type_page(TYPED[name], type_here):
        told = f"$ {typed.command}\n{typed.printed}{typed.errors}"
        assert typed.status in (0, 1), told
        assert not typed.shown or is_as_shown(typed.printed, typed.shown), told


def test_lines_left_out_and_times_are_the_only_freedom() -> None:
    assert is_as_shown("a\nb\ntook 3.1 s\n", "a\n…\ntook 4 s\n")
    assert not is_as_shown("a\nb\n", "a\n")
    assert not is_as_shown("a 3\n", "a 4\n")


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
    command = the_command(app)
    while below := getattr(command, "commands", {}):
        assert words[0] in below, line
        command = below[words.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    for word in words:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in known, f"{line}: {word}"


def test_commands_named_in_the_readme_exist_to_the_last_word() -> None:
    (readme,) = (path for path in PAGES if path.name == "README.md")
    named = re.findall(r"`(?:kibitz|\./run) ([^`]+)`", readme.read_text("utf-8"))
    assert len(named) > 15
    for line in named:
        words = shlex.split(line)
        command = the_command(app)
        while below := getattr(command, "commands", {}):
            assert words, f"{line} is a group of commands: name one of {' '.join(below)}"
            assert words[0] in below, line
            command = below[words.pop(0)]


def test_there_are_pages_with_commands() -> None:
    assert "docs/solving.md" in TYPED
    assert LINES
