from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.engine import code_folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what tests find out apart from what the user has found out, but compile nothing anew."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("KIBITZ_CACHE", str(code_folder().parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "kibitz"
