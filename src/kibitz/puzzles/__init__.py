"""Solution in, puzzles out: positions of any hardness to start from."""

from kibitz.puzzles.chances import Chances, sample_wins, winning_chances
from kibitz.puzzles.choosing import Wanted, choose_balanced, choose_puzzles
from kibitz.puzzles.hardness import LEVELS, Hardness, Level, Thresholds, measure, measure_all
from kibitz.puzzles.naming import read_skill
from kibitz.puzzles.positions import Positions, find_positions
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet
from kibitz.puzzles.rewards import CalledReward, FormulaReward, Reward, ThreatReward
from kibitz.puzzles.skills import (
    Choice,
    DepthSkill,
    OptimalSkill,
    RandomSkill,
    Skill,
    StrategySkill,
)

__all__ = [
    "LEVELS",
    "CalledReward",
    "Chances",
    "Choice",
    "DepthSkill",
    "FormulaReward",
    "Hardness",
    "Level",
    "OptimalSkill",
    "Positions",
    "Puzzle",
    "PuzzleSet",
    "RandomSkill",
    "Reward",
    "Skill",
    "StrategySkill",
    "ThreatReward",
    "Thresholds",
    "Wanted",
    "choose_balanced",
    "choose_puzzles",
    "find_positions",
    "measure",
    "measure_all",
    "read_skill",
    "sample_wins",
    "winning_chances",
]
