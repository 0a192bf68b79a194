"""Solution in, puzzles out: positions of any hardness to start from."""

from kibitz.puzzles.chances import Chances, sample_wins, winning_chances
from kibitz.puzzles.hardness import LEVELS, Hardness, Level, Thresholds, measure, measure_all
from kibitz.puzzles.naming import read_skill
from kibitz.puzzles.positions import Positions, find_positions
from kibitz.puzzles.rewards import CalledReward, Reward, ThreatReward
from kibitz.puzzles.skills import Choice, DepthSkill, OptimalSkill, RandomSkill, Skill

__all__ = [
    "LEVELS",
    "CalledReward",
    "Chances",
    "Choice",
    "DepthSkill",
    "Hardness",
    "Level",
    "OptimalSkill",
    "Positions",
    "RandomSkill",
    "Reward",
    "Skill",
    "ThreatReward",
    "Thresholds",
    "find_positions",
    "measure",
    "measure_all",
    "read_skill",
    "sample_wins",
    "winning_chances",
]
