"""Names of skills as people write them: `2`, `random`, `optimal`, `slip:0.1`."""

from __future__ import annotations

from kibitz.errors import InputError
from kibitz.puzzles.rewards import Reward, ThreatReward
from kibitz.puzzles.skills import DepthSkill, OptimalSkill, RandomSkill, Skill

__all__ = ["SKILLS", "read_skill"]

SKILLS = "a number of rounds to search, random, optimal, slip:CHANCE"
"""What a skill can be written as."""


def read_skill(text: str, *, reward: Reward | None = None) -> Skill:
    """Read a skill.

    >>> read_skill("2").name, read_skill("slip:0.1").name
    ('depth 2', 'optimal but for 0.1')
    """
    kind, _, rest = text.strip().partition(":")
    if not rest and kind.isdecimal() and len(kind) < 5:
        return DepthSkill(int(kind), reward or ThreatReward())
    if not rest and kind == "random":
        return RandomSkill()
    if not rest and kind == "optimal":
        return OptimalSkill()
    if kind == "slip":
        try:
            return OptimalSkill(float(rest))
        except ValueError:
            pass
    raise InputError(f"{text} is no skill", hint=f"a skill is {SKILLS}")
