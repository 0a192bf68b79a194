"""Players in; out what all of them can be asked, numbered, so that lists can be fitted.

A candidate is the same for every role it is for: its conditions and preferences have the same
names, and each role has its own texts for them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.measured.players import Asking, Candidate, Player, Ranks
from kibitz.measured.positions import Choices
from kibitz.measured.vocabulary import Vocabulary

MOST_CONDITIONS = 60

Words = npt.NDArray[np.uint64]


class Terms:
    """The conditions and preferences that all of some players can be asked, numbered."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = {player.role: player for player in players}
        first, *others = players
        self.conditions = tuple(
            name for name in first.conditions if all(name in p.conditions for p in others)
        )[:MOST_CONDITIONS]
        self.preferences = tuple(
            name for name in first.preferences if all(name in p.preferences for p in others)
        )

    def used_by(self, candidate: Candidate) -> Terms:
        """Return the terms that a list uses, which are asked for sooner than all are."""
        part = Terms(list(self.players.values()))
        needs = {name for rule in candidate for name in rule.needs}
        wants = {name for rule in candidate for name in rule.wants}
        part.conditions = tuple(name for name in self.conditions if name in needs)
        part.preferences = tuple(name for name in self.preferences if name in wants)
        return part

    @cached_property
    def _asking(self) -> Mapping[Role, Asking]:
        return {
            role: Asking(player, self.conditions, self.preferences)
            for role, player in self.players.items()
        }

    def look(self, choices: Choices, role: Role) -> tuple[Words, Ranks]:
        """Return for each move of some positions the conditions it meets, and how it ranks."""
        count = len(choices.moves)
        bits = np.zeros(count, dtype=np.uint64)
        ranks = np.zeros((count, len(self.preferences)), dtype=np.int16)
        met, ranked = self._asking[role].ask(
            choices.rows, choices.last, choices.position, choices.moves
        )
        for number, here in enumerate(met):
            bits |= here.astype(np.uint64) << np.uint64(number)
        for number, rank in enumerate(ranked):
            ranks[:, number] = rank
        return bits, ranks


def make_players(
    game: CompiledGame,
    roles: Sequence[Role],
    vocabularies: Mapping[Role, Vocabulary],
    *,
    ahead: float = math.inf,
    seconds: float = math.inf,
    look_s: float = math.inf,
) -> list[Player]:
    """Return a player for each role; raise KibitzError where nothing can be asked of a move.

    What is asked looks at most `ahead` moves ahead. All may take so many seconds, and a look at the
    states that follow a position `look_s`.
    """
    players = [
        Player(
            game,
            role,
            vocabularies[role],
            ahead=ahead,
            deadline=time.thread_time() + seconds / len(roles),
            look_s=look_s,
        )
        for role in roles
    ]
    if not any(player.conditions or player.preferences for player in players):
        raise KibitzError(
            f"nothing that rules could ask of a move is found in {game.sheet.name}",
            hint="kibitz simulate and kibitz solve --search say something about any game",
        )
    return players
