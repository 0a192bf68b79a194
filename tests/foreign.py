"""Rule sheets that others wrote, kept beside the checkout and not in it."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["FOREIGN", "needs_foreign"]

ROOT = Path(__file__).resolve().parent.parent
FOREIGN = ROOT.parent / "shared" / "games"

needs_foreign = pytest.mark.skipif(
    not FOREIGN.is_dir(),
    reason="no folder shared/games with foreign rule sheets beside the checkout",
)
