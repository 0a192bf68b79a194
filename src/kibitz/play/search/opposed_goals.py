"""Goal slots of two roles in; out which go together where one role's gain is the other's loss."""

from __future__ import annotations

from typing import Any

__all__ = ["max_goal", "opposed_total", "partners_of"]


def max_goal(slots: Any, role: int) -> int:
    """Return the highest goal of a role."""
    return max((value or 0 for r, value in slots if r == role), default=0)


def opposed_total(slots: Any) -> int:
    """Return what the goals of two roles add up to where one's gain is the other's loss."""
    return max_goal(slots, 0) + min((value or 0 for r, value in slots if r == 1), default=0)


def partners_of(slots: Any) -> list[int]:
    """Return, for each goal slot of the first role, the slot of the second that goes with it."""
    place = {pair: number for number, pair in enumerate(slots)}
    total = opposed_total(slots)
    return [
        place.get((1, total - value), -1) if role == 0 and value is not None else -1
        for role, value in slots
    ]
