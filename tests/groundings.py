"""Ground a rule sheet once for all tests of a run, though each test asks for it anew.

Most tests start from a small game, and grounding it starts two processes: together that took a
third of a run. What comes back is read from a file each time, so that tests share no object.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path

from kibitz.budget import Budget
from kibitz.engine.grounding import grounder
from kibitz.gdl import RuleSheet

__all__ = ["ground_anew", "share_groundings"]

_AMPLE = Budget(seconds=10, bytes=500_000_000)
"""Less than this, and a test is about the budget."""
_LARGE = 2_000_000
"""Bytes; larger networks are not kept."""

_Ground = Callable[[RuleSheet, Budget, bool, float | None], grounder.Grounding]

ground_anew: _Ground = grounder._ground
"""Grounds in any case."""


def share_groundings(folder: Path) -> None:
    """Let this process, and those forked from it, keep what they ground in a folder."""
    setattr(grounder, "_ground", _shared(ground_anew, folder))  # noqa: B010 - for mypy


def _shared(ground: _Ground, folder: Path) -> _Ground:
    def shared(
        sheet: RuleSheet, budget: Budget, groups: bool, group_seconds: float | None
    ) -> grounder.Grounding:
        if budget.seconds < _AMPLE.seconds or budget.bytes < _AMPLE.bytes:
            return ground(sheet, budget, groups, group_seconds)
        asked = repr((sheet.source, sheet.rules, groups, group_seconds))
        path = folder / hashlib.sha256(asked.encode()).hexdigest()
        try:
            found: grounder.Grounding = pickle.loads(path.read_bytes())
        except FileNotFoundError:
            found = ground(sheet, budget, groups, group_seconds)
            data = pickle.dumps(found)
            if len(data) < _LARGE:
                path.with_suffix(f".{os.getpid()}").write_bytes(data)
                path.with_suffix(f".{os.getpid()}").rename(path)
        return found

    return shared
