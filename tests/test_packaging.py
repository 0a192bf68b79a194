"""The wheel and the sdist have all that is needed, and work outside the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import entry_points, metadata
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz

from kibitz import __version__

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DATA = sorted(
    str(path.relative_to(ROOT / "src"))
    for path in (ROOT / "src" / "kibitz").rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc")
)
BUILD = "import hatchling.build as b, sys; b.build_sdist(sys.argv[1]); b.build_wheel(sys.argv[1])"
COMMANDS = (
    ["--version"],
    ["solve", "tictactoe", "--json"],
    ["verify", "tictactoe", "tictactoe-five", "--role", "xplayer"],
    ["draw", "connectfour"],
    ["report", "nim:1,2", "--time", "0.5", "-n", "0"],
    ["reproduce", "all", "001", "--json"],
    ["doctor"],
)


def test_the_metadata_is_whole() -> None:
    found = metadata("kibitz")
    assert found["Version"] == __version__
    assert found["Requires-Python"] == ">=3.11"
    assert (ROOT / PROJECT["readme"]).is_file()
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    assert {"cluster", "dev"} <= set(PROJECT["optional-dependencies"])
    (script,) = entry_points(group="console_scripts", name="kibitz")
    assert script.value == "kibitz.cli:main"


def test_there_are_data_files_of_every_kind() -> None:
    for part in (
        "games/rules/nim.kif",
        "strategy/library/",
        "web/static/index.html",
        "base.html.j2",
        "py.typed",
        "games/answers/nim.json.gz",
        "core/core.bc",
        "core/core.h",
    ):
        assert any(part in name for name in DATA), part


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both, by the build backend alone, in an environment of its own."""
    folder = tmp_path_factory.mktemp("dist")
    python = environment(folder / "build")
    run(python, "-m", "pip", "install", "--quiet", "hatchling")
    run(python, "-c", BUILD, folder, cwd=ROOT)
    return folder


def environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def run(*command: object, cwd: Path | None = None) -> str:
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "KIBITZ"))}
    plain["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=plain, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_the_wheel_has_every_module_and_data_file(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    modules = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.py")}
    assert names >= modules | set(DATA)
    assert not [name for name in names if name.endswith((".nbi", ".nbc", ".pyc"))]


@pytest.mark.slow
def test_the_sdist_has_all_that_a_checkout_needs(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        "run",
        "test",
        "Containerfile",
        "tools/install",
        "constraints.txt",
        "README.md",
        "docs/index.md",
    }
    wanted |= {"tests/test_packaging.py", "LICENSE", "pyproject.toml", "src/kibitz/py.typed"}
    assert names >= wanted


@pytest.mark.slow
def test_the_wheel_works_in_an_environment_and_a_folder_of_its_own(
    built: Path, tmp_path: Path
) -> None:
    (wheel,) = built.glob("*.whl")
    python = environment(tmp_path / "env")
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    where = run(python, "-c", "import kibitz; print(kibitz.__file__)", cwd=tmp_path)
    assert str(tmp_path) in where
    for command in COMMANDS:
        assert run(python.parent / "kibitz", *command, cwd=tmp_path)
    assert run(python, "-m", "kibitz", "--version", cwd=tmp_path) == f"{__version__}\n"
    page = "from kibitz.web.server.app import make_app; print(len(make_app().routes))"
    assert int(run(python, "-c", page, cwd=tmp_path)) > 5


def test_the_container_file_names_what_is_there_and_a_command_that_is() -> None:
    lines = (ROOT / "Containerfile").read_text("utf-8").splitlines()
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert copied
    assert all((ROOT / name).exists() for name in copied)
    assert {PROJECT["readme"], *PROJECT["license-files"]} <= set(copied)
    (command,) = (json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD"))
    options = {word for word in command if word.startswith("--")}
    help_text = kibitz("web", "--help").stdout
    assert command[:2] == ["kibitz", "web"]
    assert all(option in help_text for option in options)
    (version,) = re.findall(r"FROM .*/python:3\.(\d+)", "\n".join(lines))
    assert f"Programming Language :: Python :: 3.{version}" in PROJECT["classifiers"]
