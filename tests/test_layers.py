"""Each package imports only from those above it; see the layer table in ARCHITECTURE.md."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "kibitz"

ROWS: tuple[tuple[str, ...], ...] = (
    ("attached", "errors", "lazy", "processes", "threads", "wording"),
    ("files",),
    ("budget", "cache", "optional", "pages"),
    ("reading",),
    ("gdl",),
    ("core",),
    ("rows",),
    ("ludii", "rulebook"),
    ("games",),
    ("engine",),
    ("conformance",),
    ("board",),
    ("charts",),
    ("space",),
    ("solve",),
    ("prove",),
    ("strategy",),
    ("policy",),
    ("english",),
    ("synth", "learn", "puzzles"),
    ("play",),
    ("measured",),
    ("present",),
    ("doctor",),
    ("facade",),
    ("envs", "notebook"),
    ("experiments",),
    ("web",),
    ("cli",),
)
ROW_OF = {package: number for number, row in enumerate(ROWS) for package in row}


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def import_statements(text: str) -> list[ast.Import | ast.ImportFrom]:
    """Give the imports of a module, anywhere in it."""
    nodes = ast.walk(ast.parse(text))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imports_of(text: str) -> set[str]:
    """Give the parts of kibitz that a module imports."""
    found: set[str] = set()
    for node in import_statements(text):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, "relative imports hide what is imported"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("kibitz.")}
    return found - {"__version__"}


def breaches(package: str, imported: set[str]) -> set[str]:
    """Give what a package imports from its own row or a row below."""
    return {
        other
        for other in imported - {package}
        if other not in ROW_OF or ROW_OF[other] >= ROW_OF[package]
    }


MODULES = sorted(
    path
    for path in SOURCE.rglob("*.py")
    if path.parent != SOURCE or not path.name.startswith("__")
    if "__pycache__" not in path.parts
)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_module_imports_only_from_rows_above_its_own(path: Path) -> None:
    assert package_of(path) in ROW_OF, "give the package a row in ROWS and in ARCHITECTURE.md"
    assert breaches(package_of(path), imports_of(path.read_text("utf-8"))) == set()


NATIVE = re.compile(
    r"kibitz\.(engine\.compiled\.native_machine|space\.(graph_|compact\.)kernels)\b"
)


def reaching_past(package: str, text: str) -> list[str]:
    """Give what a module imports from modules of other packages, native loops left out."""
    return [
        f"{node.module}.{alias.name}"
        for node in import_statements(text)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kibitz.")
        if node.module.split(".")[1] != package
        for alias in node.names
        if is_module(f"{node.module}.{alias.name}") or is_module(node.module)
        if alias.name not in exported_modules(node.module)
        if not NATIVE.match(f"{node.module}.{alias.name}")
    ]


@cache
def exported_modules(package: str) -> frozenset[str]:
    """Give the modules that a package exports as such."""
    path = SOURCE.parent / package.replace(".", "/") / "__init__.py"
    found = import_statements(path.read_text("utf-8")) if path.exists() else []
    own = [n for n in found if isinstance(n, ast.ImportFrom) and n.module == package]
    return frozenset(alias.name for node in own for alias in node.names)


def is_module(name: str) -> bool:
    """Return whether a name is that of a module inside of a package."""
    return name.count(".") > 1 and (SOURCE.parent / f"{name.replace('.', '/')}.py").exists()


def test_packages_are_imported_by_what_they_export() -> None:
    texts = [(path, path.read_text("utf-8")) for path in MODULES]
    past = [(path.name, name) for path, t in texts for name in reaching_past(package_of(path), t)]
    assert past == []


def test_a_reach_into_another_package_would_be_seen() -> None:
    text = """
from kibitz.engine import Game
from kibitz.engine.game import State
from kibitz.engine.compiled.native_machine import LANES
from kibitz.play import match
"""
    assert reaching_past("play", text) == ["kibitz.engine.game.State"]
    assert reaching_past("cli", text)[-1] == "kibitz.play.match"
    assert reaching_past("engine", text) == ["kibitz.play.match"]


COMPUTING = frozenset({"clingo", "dd", "igraph", "llvmlite", "numpy", "ray", "scipy"})
ARRAYS = frozenset({"action", "arrival", "decider", "first_edge", "joint_moves", "target", "turn"})
"""The arrays of a space, of what is reached in it, and of what is decided there."""
READ_ONLY = {
    "frame.py": {"joint_moves"},  # a count of general joint moves, which it prints
    "reproduce.py": {"joint_moves"},  # the same count, as measured
}


def computations(text: str) -> set[str]:
    """Give what a module has that computes: libraries, native loops, and arrays that it reads."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names} & COMPUTING
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module).split(".")[0]} & COMPUTING
            found |= {alias.name for alias in node.names if NATIVE.match(str(node.module))}
        elif isinstance(node, ast.Attribute):
            found |= {node.attr} & ARRAYS
    return found


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if package_of(path) in ("cli", "web")],
    ids=lambda p: str(p.relative_to(SOURCE)),
)
def test_cli_and_web_compute_nothing(path: Path) -> None:
    allowed = READ_ONLY.get(path.name, set())
    assert computations(path.read_text("utf-8")) - allowed == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import numpy as np", {"numpy"}),
        ("def f():\n    from scipy.sparse import csr_matrix", {"scipy"}),
        ("from kibitz.space.graph_kernels import follow", {"follow"}),
        ("edges = range(space.first_edge[state])", {"first_edge"}),
        ("from kibitz.solve import solve_any\nsolve_any(space).values()", set()),
    ],
)
def test_a_computation_would_be_seen(text: str, found: set[str]) -> None:
    assert computations(text) == found


def test_importing_the_package_imports_none_of_its_parts() -> None:
    code = "import sys, kibitz; print([m for m in sys.modules if m.startswith('kibitz.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_imports_are_seen_wherever_they_stand() -> None:
    text = "import kibitz.engine\ndef f():\n    from kibitz.cli import app\nfrom kibitz import gdl"
    assert imports_of(text) == {"engine", "cli", "gdl"}


@pytest.mark.parametrize(
    ("package", "imported", "wrong"),
    [
        ("gdl", "errors", False),
        ("engine", "gdl", False),
        ("gdl", "engine", True),
        ("errors", "budget", True),
        ("synth", "learn", True),
        ("puzzles", "synth", True),
        ("web", "cli", True),
        ("gdl", "nobody", True),
        ("engine", "engine", False),
    ],
)
def test_a_breach_would_be_seen(package: str, imported: str, wrong: bool) -> None:
    assert bool(breaches(package, {imported})) is wrong


def test_the_layer_table_of_the_architecture_has_the_same_rows() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    listed = [re.findall(r"`(\w+)`", cell) for cell in re.findall(r"^\| (`.*?) \|", page, re.M)]
    assert [tuple(row) for row in listed] == list(ROWS)
