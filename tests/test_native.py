"""Native code of loops comes with Kibitz, and is taken only for the loops that it was made of."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core import serialize

from kibitz import native as module
from kibitz.native import FOLDER, archive_name, entry_name, native

STEP = 2


def step(number: int) -> int:
    return number + STEP


def add_steps(numbers: Any) -> int:
    """Add up numbers, each with a step."""
    total = 0
    for number in numbers:
        total += stepped(number)
    return total


stepped: Any = njit(step)
NUMBERS = np.arange(5)


def test_a_loop_is_named_by_what_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    name = entry_name(add_steps, "signature")
    assert name == entry_name(add_steps, "signature")
    assert name != entry_name(add_steps, "other signature")
    assert name.startswith(f"{__name__}.add_steps-")
    code = add_steps.__code__
    words = code.replace(co_consts=("Other words.", *code.co_consts[1:]))
    assert name == entry_name(FunctionType(words, globals()), "signature")
    monkeypatch.setattr(sys.modules[__name__], "STEP", 3)
    assert name != entry_name(add_steps, "signature")


def test_shipped_code_is_used_only_while_the_loop_is_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    compiled: Any = native(add_steps)
    assert compiled(NUMBERS) == 20
    (signature,) = compiled.overloads
    pickled: Any = serialize
    data = pickled.dumps(compiled._cache._impl.reduce(compiled.overloads[signature]))
    archive = zipfile.ZipFile(io.BytesIO(), "w")
    archive.writestr(entry_name(add_steps, signature), data)
    monkeypatch.setattr(module, "_archive", lambda: archive)
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "empty"))

    shipped: Any = native(add_steps)
    assert shipped(NUMBERS) == 20
    assert (shipped.stats.cache_hits, shipped.stats.cache_misses) == ({signature: 1}, {})
    monkeypatch.setattr(sys.modules[__name__], "STEP", 3)
    monkeypatch.setattr(sys.modules[__name__], "stepped", njit(step))
    changed: Any = native(add_steps)
    assert changed(NUMBERS) == 25
    assert not changed.stats.cache_hits


def test_a_processor_that_lacks_something_gets_no_shipped_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    features = dict.fromkeys(module._FEATURES, True)
    monkeypatch.setattr("kibitz.native.binding.get_host_cpu_features", lambda: features)
    monkeypatch.setattr(module, "archive_name", lambda: "none.zip")
    assert module._archive.__wrapped__() is None
    monkeypatch.undo()
    features["avx2"] = False
    monkeypatch.setattr("kibitz.native.binding.get_host_cpu_features", lambda: features)
    assert module._archive.__wrapped__() is None


@pytest.mark.slow
@pytest.mark.skipif(not (FOLDER / archive_name()).exists(), reason="no code for this system")
@pytest.mark.skipif(module._archive() is None, reason="no code for this processor")
@pytest.mark.parametrize("game", ["mnk:3,2,2", "nim:1,2,3", "roshambo"])
def test_a_first_answer_compiles_no_loop(game: str, tmp_path: Path) -> None:
    caches = {name: str(tmp_path / name) for name in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    subprocess.run(
        [sys.executable, "-m", "kibitz", "explain", game, "--no-cache"],
        env={**os.environ, **caches},
        check=True,
        capture_output=True,
    )
    made = sorted(path.name for path in tmp_path.rglob("*.nbc"))
    assert made == [], "run tools/write_native_code.py"
