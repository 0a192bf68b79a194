"""Wrap rules as environments of learning libraries: PettingZoo, Gymnasium, OpenSpiel, and batches.

>>> from kibitz.envs import batch
>>> matches = batch("tictactoe", matches=3)
>>> matches.mask.sum(axis=1)
array([9, 9, 9])

Each function takes a game from `kibitz.load`, a name of the library, the path of a rule sheet, or
the text of one.
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.envs.aec_env import pettingzoo as pettingzoo
    from kibitz.envs.arrays import StateArrays as StateArrays
    from kibitz.envs.batch_matches import BatchMatches as BatchMatches, batch as batch
    from kibitz.envs.facts import MatchFacts as MatchFacts, match_facts as match_facts
    from kibitz.envs.gym_env import gymnasium as gymnasium
    from kibitz.envs.gym_vector import gymnasium_vector as gymnasium_vector
    from kibitz.envs.parallel_env import parallel as parallel
    from kibitz.envs.spiel_agent import (
        openspiel_agent as openspiel_agent,
        openspiel_mcts as openspiel_mcts,
    )
    from kibitz.envs.spiel_game import openspiel as openspiel

__getattr__ = lazy_exports(__name__)
