"""Type the commands of pages again, and put what they print below them.

Run it as .venv/bin/python tools/type_commands.py PAGE.md …. Output in which a line "…" stands for
others is left alone where it still fits. tests/test_doc_commands.py compares without writing.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

__all__ = ["Run", "Typed", "is_as_shown", "main", "run_apart", "type_page"]

_BLOCK = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<words>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_FILE = re.compile(r"^```\w+ (?P<name>[\w.-]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_TIME = re.compile(r"\d+(?:[.,]\d+)* (?:s|ms|µs|min)\b")

Run = Callable[[list[str], Path], tuple[str, str, int]]


class Typed(NamedTuple):
    """A command of a page with the output that is shown, and what came of it."""

    command: str
    shown: str
    printed: str
    errors: str
    status: int


def main() -> None:
    """Bring the output shown on the pages that are given up to date."""
    for path in map(Path, sys.argv[1:]):
        page = path.read_text("utf-8")
        for typed in type_page(page):
            if typed.status not in (0, 1):
                raise SystemExit(f"{path}: {typed.command}\n{typed.errors}")
            if typed.shown and not is_as_shown(typed.printed, typed.shown):
                page = page.replace(
                    f"$ {typed.command}\n{typed.shown}", f"$ {typed.command}\n{typed.printed}"
                )
        path.write_text(page, "utf-8")


def run_apart(words: list[str], folder: Path) -> tuple[str, str, int]:
    """Run kibitz in a process of its own; give stdout, stderr and the exit status."""
    call = [sys.executable, "-m", "kibitz", *words]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    return done.stdout, done.stderr, done.returncode


def type_page(page: str, run: Run = run_apart) -> Iterator[Typed]:
    """Type the commands of a page in a folder that has the page's files."""
    with TemporaryDirectory() as folder:
        for file in _FILE.finditer(page):
            (Path(folder) / file["name"]).write_text(file["text"], "utf-8")
        for block in _BLOCK.finditer(page):
            for part in _COMMAND.finditer(block["text"]):
                words = shlex.split(part["words"].replace("\\\n", " "))
                if words[0] not in ("kibitz", "./run"):
                    raise ValueError(f"{part['words']}: only kibitz is run; show others as sh")
                yield Typed(part["words"], part["output"], *run(words[1:], Path(folder)))


def is_as_shown(printed: str, shown: str) -> bool:
    """Tell whether what was printed is what is shown, but for times and lines left out.

    >>> is_as_shown("a\\nb\\ntook 3.1 s\\n", "a\\n…\\ntook 4 s\\n"), is_as_shown("a 3\\n", "a 4\\n")
    (True, False)
    """
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + r"\n" for line in _lines(shown)
    ]
    text = "".join(line + "\n" for line in _lines(printed))
    return re.fullmatch("".join(parts), text) is not None


def _lines(text: str) -> list[str]:
    return [_TIME.sub("# s", line).rstrip() for line in text.splitlines()]


if __name__ == "__main__":
    main()
