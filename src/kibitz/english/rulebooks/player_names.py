"""The roles of a game in, what its players are called in sentences out."""

from __future__ import annotations

import re

import kibitz.rulebook as m

__all__ = ["player_names"]

_TAKEN = frozenset(
    {"b", "a", "noop", "pass", "role", "true", "does", "player", "you", "one", "two", "opponent"}
)


def player_names(roles: tuple[str, ...]) -> tuple[str, ...]:
    """Name the players: by their mark or colour where the role is named after it."""
    short = [re.sub(r"(?<=.)[-_]?player$", "", role, flags=re.IGNORECASE) for role in roles]
    names = []
    for number, (name, role) in enumerate(zip(short, roles, strict=True)):
        chosen = name if len(set(short)) == len(roles) else role
        chosen = re.sub(r"\W", "", chosen)
        is_usable = (
            re.fullmatch(r"[A-Za-z]\w*", chosen) and chosen.lower() not in _TAKEN | m.RESERVED
        )
        other = f"Side{number + 1}" if len(roles) > 1 else "Solver"
        names.append(chosen[:1].upper() + chosen[1:] if is_usable else other)
    return tuple(names)
