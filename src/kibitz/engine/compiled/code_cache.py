"""Where native code is kept from one start of the program to the next."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["code_folder"]


def code_folder() -> Path:
    """Return the folder: in $KIBITZ_CACHE, or where the system keeps such things."""
    base = os.environ.get("KIBITZ_CACHE")
    if base:
        return Path(base) / "code"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kibitz" / "code"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz" / "code"
