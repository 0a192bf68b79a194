"""The documentation builds as a site without a warning, and the files for a forge say the truth."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kibitz

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("builder", "made"),
    [("dummy", ".doctrees/{}.doctree"), pytest.param("html", "{}.html", marks=pytest.mark.slow)],
)
def test_the_site_builds_without_a_warning_and_has_every_page(
    builder: str, made: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", "docs", "-b", builder, "."]
    subprocess.run([*command, str(tmp_path)], cwd=ROOT, check=True)
    for page in (ROOT / "docs").rglob("*.md"):
        assert (tmp_path / made.format(page.relative_to(ROOT).with_suffix(""))).is_file(), page


def test_the_citation_names_the_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [kibitz.__version__]


def test_the_workflow_runs_every_python_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d", c)]
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    matrix = re.search(r"python: \[(.*)\]", text)
    assert matrix is not None
    assert re.findall(r"[\d.]+", matrix[1]) == named
