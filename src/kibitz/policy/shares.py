"""How often something happened in; out between which bounds its chance lies."""

from __future__ import annotations

import math

__all__ = ["share_interval"]

_Z = 1.959964


def share_interval(hits: float, tries: float) -> tuple[float, float]:
    """Return the 95 % interval of a share after Wilson (1927), which is right near 0 and 1 as well.

    >>> [round(bound, 3) for bound in share_interval(8, 10)]
    [0.49, 0.943]
    >>> share_interval(0, 0)
    (0.0, 1.0)
    """
    if not tries:
        return 0.0, 1.0
    z2 = _Z * _Z
    centre = (hits + z2 / 2) / (tries + z2)
    half = _Z / (tries + z2) * math.sqrt(hits * (tries - hits) / tries + z2 / 4)
    return max(0.0, centre - half), min(1.0, centre + half)
