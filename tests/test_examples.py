"""Each example prints what its docstring says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.py"))


def promised(path: Path) -> str:
    """Give the indented text behind "Prints::" in a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return dedent(docstring.partition("Prints::\n\n")[2]).strip()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_prints_what_it_says(path: Path) -> None:
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, encoding="utf-8")
    assert done.stderr == ""
    assert done.stdout.strip() == promised(path) != ""


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
