"""Names of skills as people write them: `2`, `random`, `slip:0.1`, `my.strategy@3`."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.engine import Game
from kibitz.errors import InputError
from kibitz.puzzles.skill.rewards import Reward, ThreatReward
from kibitz.puzzles.skill.skills import DepthSkill, OptimalSkill, RandomSkill, Skill, StrategySkill
from kibitz.strategy import read_strategy, shipped_names, shipped_text

__all__ = ["SKILLS", "read_skill"]

SKILLS = "a number of rounds, random, optimal, slip:CHANCE, or a strategy: FILE or FILE@N"
"""What a skill can be written as."""


def read_skill(
    text: str,
    game: Game,
    *,
    reward: Reward | None = None,
    read_text: Callable[[str], str] | None = None,
) -> Skill:
    """Read a skill; `read_text` gives the text of a strategy by its path.

    FILE@N knows the first N rules of a strategy only. Strategies that come with Kibitz go by their
    names.

    >>> import kibitz
    >>> game = kibitz.load("tictactoe")
    >>> read_skill("2", game).name, read_skill("slip:0.1", game).name
    ('depth 2', 'optimal but for 0.1')
    """
    kind, _, rest = text.strip().partition(":")
    if not rest and kind.isascii() and kind.isdecimal() and len(kind) < 5:
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
    path, at, number = text.strip().rpartition("@")
    if not (at and number.isascii() and number.isdecimal() and len(number) < 5):
        path, number = text.strip(), ""
    if read_text and (path.endswith(".strategy") or "/" in path):
        strategy = read_strategy(read_text(path), game, name=path)
        return StrategySkill(strategy, int(number) if number else None)
    if path in shipped_names():
        strategy = read_strategy(shipped_text(path), game, name=path)
        return StrategySkill(strategy, int(number) if number else None)
    raise InputError(f"{text or 'nothing'} is no skill", hint=f"a skill is {SKILLS}")
