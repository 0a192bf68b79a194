"""Sheets of Ludii and traces of their play, kept beside the checkout and not in it."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import pytest
from tests.foreign import FOREIGN

__all__ = ["LUDII", "index", "keys", "needs_ludii", "trace_of"]

LUDII = FOREIGN / "ludii"

needs_ludii = pytest.mark.skipif(
    not LUDII.is_dir(), reason="no folder shared/games/ludii beside the checkout"
)


@cache
def index() -> dict[str, Any]:
    """Give what is known of each game, by its key."""
    path = LUDII / "index.json"
    return {one["key"]: one for one in json.loads(path.read_text("utf-8"))} if path.exists() else {}


def keys() -> list[str]:
    """Give the keys of all games, none where there is no folder."""
    return sorted(index())


def trace_of(key: str) -> Any:
    """Give the content of a trace file."""
    return json.loads(gzip.decompress((LUDII / "traces" / f"{key}.json.gz").read_bytes()))
