"""Examine what Kibitz runs on: installed packages, the engine, caches, and what makes it slow."""

from __future__ import annotations

import os
import platform
import shutil
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError

__all__ = ["Dependency", "Health", "examine"]

_OPTIONAL = (
    ("ray", "package", "solving on several machines", "install kibitz[cluster]"),
    ("playwright", "package", "tests of the page", "install kibitz[dev]"),
    ("chromium", "program", "tests of the page", "your system's package chromium"),
    ("eprover", "program", "proofs of encoded strategies", "your system's package eprover"),
    ("ILASP", "program", "a second opinion on learned constraints", "see ilasp.com"),
)
_ENOUGH_MEMORY = 4_000_000_000
_TRIAL_S = 0.3


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package or program, whether it is installed, what it is for, and how to get it."""

    name: str
    version: str | None
    purpose: str = ""
    how: str = ""

    @property
    def is_there(self) -> bool:
        """Whether it was found."""
        return self.version is not None


@dataclass(frozen=True)
class Health:
    """Report on an installation; `slow` lists causes of slowness here and remedies, worst first."""

    kibitz: str
    python: str
    platform: str
    folder: str
    parts: tuple[Dependency, ...]
    optional: tuple[Dependency, ...]
    engine: str
    engine_states_per_s: float | None
    processor: str
    features: tuple[str, ...]
    cores: int
    usable_cores: int
    load: float | None
    memory_bytes: int | None
    free_memory_bytes: int | None
    code_cache: str
    code_cache_files: int
    code_cache_writable: bool
    ludii: str | None
    """Where the user's copy of Ludii is, if one is named or remembered."""
    slow: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """Whether everything that Kibitz needs is there."""
        return all(part.is_there for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**asdict(self), "is_well": self.is_well}


def examine(*, trial_s: float = _TRIAL_S) -> Health:
    """Examine everything; random matches of tic-tac-toe for `trial_s` seconds measure the speed.

    >>> health = examine(trial_s=0.05)
    >>> health.is_well, health.engine_states_per_s > 0
    (True, True)
    """
    from kibitz import __version__
    from kibitz.ludii import remembered

    engine, speed = _engine(trial_s)
    total, free = _memory()
    processor, features = _processor()
    cache, files, is_writable = _code_cache()
    found: dict[str, Any] = {
        "kibitz": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "folder": str(Path(__file__).parent),
        "parts": tuple(_needed()),
        "optional": tuple(_optional()),
        "engine": engine,
        "engine_states_per_s": speed,
        "processor": processor,
        "features": features,
        "cores": os.cpu_count() or 1,
        "usable_cores": _usable_cores(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "memory_bytes": total,
        "free_memory_bytes": free,
        "code_cache": str(cache),
        "code_cache_files": files,
        "code_cache_writable": is_writable,
        "ludii": os.environ.get("KIBITZ_LUDII") or remembered(),
    }
    return Health(**found, slow=tuple(_slow(found)))


def _needed() -> list[Dependency]:
    try:
        listed = requires("kibitz") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        listed = []
    names = [line for line in listed if "extra ==" not in line]
    parts = []
    for line in names:
        name = line.replace(";", " ").split()[0]
        for sign in "<>=!~[":
            name = name.partition(sign)[0]
        wanted = line.removeprefix(name).strip()
        parts.append(Dependency(name, _version(name), wanted, f"install {name}"))
    return parts


def _optional() -> list[Dependency]:
    found = []
    for name, kind, purpose, how in _OPTIONAL:
        there = _version(name) if kind == "package" else shutil.which(name)
        found.append(Dependency(name, there, purpose, how))
    return found


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _engine(trial_s: float) -> tuple[str, float | None]:
    """Return which engine a small game gets, and how fast it is."""
    from kibitz.engine import CompiledGame, simulate
    from kibitz.games import load_sheet

    try:
        game = CompiledGame(load_sheet("tictactoe"))
    except (KibitzError, ImportError) as error:
        return f"none: {error}", None
    speed = simulate(game, seconds=trial_s).states_per_second
    return f"native code by llvmlite, {game.machine.lanes} states at a time", speed


def _processor() -> tuple[str, tuple[str, ...]]:
    name = platform.processor() or platform.machine()
    try:
        import llvmlite.binding as llvm
    except ImportError:
        return name, ()
    there = llvm.get_host_cpu_features()
    wanted = ("avx512f", "avx2", "avx", "sse4.2", "neon", "bmi2", "popcnt")
    return llvm.get_host_cpu_name() or name, tuple(f for f in wanted if there.get(f))


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> tuple[int | None, int | None]:
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        return page * os.sysconf("SC_PHYS_PAGES"), page * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None, None


def _code_cache() -> tuple[Path, int, bool]:
    """Return the folder of native code, how many files it has, and whether it can be written."""
    from kibitz.engine import code_folder

    folder = code_folder()
    files = len(list(folder.glob("*.o"))) if folder.is_dir() else 0
    above = folder
    while not above.exists() and above != above.parent:
        above = above.parent
    return folder, files, os.access(above, os.W_OK)


def _slow(found: dict[str, Any]) -> list[str]:
    """List what costs time."""
    slow = []
    if not found["engine"].startswith("native"):
        slow.append("without llvmlite, games are not compiled: install llvmlite")
    if not found["code_cache_writable"]:
        slow.append(
            f"{found['code_cache']} cannot be written, so native code is compiled every time: "
            "set KIBITZ_CACHE to another folder"
        )
    load, usable = found["load"], found["usable_cores"]
    if load is not None and load > usable:
        slow.append(f"the machine is busy: load {load:.1f} on {usable} cores")
    if usable < found["cores"]:
        slow.append(f"this process may use {usable} of {found['cores']} cores")
    features = found["features"]
    if features and not {"avx2", "avx512f", "neon"} & set(features):
        slow.append("the processor has no wide vector instructions: the engine is a third as fast")
    if found["memory_bytes"] and found["memory_bytes"] < _ENOUGH_MEMORY:
        slow.append("less than 4 GB of memory: large games need --spill, or do not fit")
    return slow
