"""Vocabulary in; out rule lists made of it, as numbers, as text, and as policies of gates.

A candidate is the same for every role it is for: its conditions and preferences have the same
names, and each role has its own texts for them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.engine import FALSE, CompiledGame, Role
from kibitz.errors import KibitzError, StrategyError
from kibitz.measured.positions import Choices
from kibitz.measured.vocabulary import Vocabulary
from kibitz.policy import GatePolicy, Mask, MaskTable, MoveMasks, NotCompilableError, place_policy
from kibitz.strategy import (
    Carrier,
    Strategy,
    StrategyRule,
    counted_by,
    image_carriers,
    read_strategy,
    rule_plan,
)
from kibitz.synth import Feature

__all__ = ["Candidate", "Player", "Rule", "Terms", "make_players"]

MOST_CONDITIONS = 60
_MOST_GATES = 1 << 24
_GATES, _POSITIONS, _PARTS = 1 << 20, 50_000, 3_000_000
"""How much one condition or preference may add before it is too large to be used."""

Words = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Ranking:
    """How moves rank by a preference: a number of each by its bits, the highest first, or a chain.

    In a chain of masks, a move ranks by how many of the first ones have it.
    """

    masks: tuple[Mask, ...]
    is_chain: bool

    def among(self, masks: MoveMasks, mask: Mask) -> Mask:
        """Return the moves of a mask that rank highest."""
        if self.is_chain:
            return masks.narrowed([mask, *self.masks])
        return masks.highest(self.masks, mask)

    def ranks(self, found: npt.NDArray[np.bool_]) -> Ranks:
        """Return the ranks of moves, of which each mask has some: a row for each mask."""
        if self.is_chain:
            return np.asarray(np.logical_and.accumulate(found, axis=0).sum(axis=0), np.int16)
        powers = 2 ** np.arange(len(found))[::-1]
        return np.asarray(powers @ found, dtype=np.int16)


@dataclass(frozen=True, order=True)
class Rule:
    """The conditions that a move must meet, and what is preferred among those that do, by names."""

    needs: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()


Candidate = tuple[Rule, ...]
"""A list of rules; the first that has a move decides."""


class Player:
    """What one role can be asked: masks for conditions, and rankings for preferences.

    What is too large, or not made at the deadline, is left out.
    """

    def __init__(
        self,
        game: CompiledGame,
        role: Role,
        vocabulary: Vocabulary,
        *,
        deadline: float = math.inf,
    ) -> None:
        self.game, self.role, self.deadline = game, role, deadline
        self.masks = MoveMasks(game, role, most_gates=_MOST_GATES)
        self.dropped: list[str] = []
        self.texts: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.conditions: dict[str, Mask] = {}
        self.preferences: dict[str, Ranking] = {}
        legal = self.masks.legal
        conditions: set[Mask] = {legal, (FALSE,) * len(legal)}
        for feature in vocabulary.conditions:
            mask = self._condition(feature)
            if mask is not None and mask not in conditions:
                conditions.add(mask)
                self.conditions[feature.name] = mask
                self._keep(feature)
        for feature in vocabulary.preferences:
            ranking = self._ranking(feature)
            if ranking is not None and ranking not in self.preferences.values():
                self.preferences[feature.name] = ranking
                self._keep(feature)

    def _is_fair(self, chain: tuple[Mask, ...]) -> bool:
        """Return whether masks that are the same in all states are alike for symmetric moves."""
        number = {move: i for i, move in enumerate(self.game.network.moves[self.masks.index])}
        legal = self.masks.legal
        for mask in chain:
            if all(here in (FALSE, may) for here, may in zip(mask, legal, strict=True)):
                for carrier in self._carriers:
                    for move, image in carrier.moves[self.role].items():
                        if (mask[number[move]] == FALSE) != (mask[number[image]] == FALSE):
                            return False
        return True

    @cached_property
    def _carriers(self) -> list[Carrier]:
        """The symmetries of the game, or what generates them; none if they are not found."""
        try:
            return image_carriers(self.game)
        except KibitzError:
            return []

    def _keep(self, feature: Feature) -> None:
        self.texts[feature.name], self.words[feature.name] = feature.formula, feature.words

    def _rule(self, text: str) -> StrategyRule:
        (rule,) = read_strategy(f"symmetric none\n{text}", self.game).rules_for(self.role)
        return rule

    def _condition(self, feature: Feature) -> Mask | None:
        """Return the moves that meet a condition, or None if it is too large."""
        try:
            rule = self._rule(f"{feature.formula} => any")
            with self.masks.limited(_GATES, _POSITIONS, _PARTS, self.deadline):
                return self.masks.plan(rule_plan(rule.choices, self.role))
        except (NotCompilableError, StrategyError):
            self.dropped.append(feature.name)
            return None

    def _ranking(self, feature: Feature) -> Ranking | None:
        """Return how a preference ranks moves; None if it is too large or ranks all alike."""
        try:
            (preference,) = self._rule(f"true => any also {feature.formula}").preferences
            with self.masks.limited(_GATES, _POSITIONS, _PARTS, self.deadline):
                counted = counted_by(preference)
                number = self.masks.number(counted) if counted is not None else None
                if number is not None:
                    return Ranking(number, is_chain=False) if number else None
                chain = tuple(map(self.masks.formula, preference.formulas))
        except (NotCompilableError, StrategyError):
            self.dropped.append(feature.name)
            return None
        telling = tuple(mask for mask in chain if mask != self.masks.legal)
        return Ranking(telling, is_chain=True) if telling and self._is_fair(telling) else None

    def mask(self, candidate: Candidate) -> Mask:
        """Return the moves that a list allows."""
        masks = self.masks
        found = []
        for rule in candidate:
            chosen = masks.both(masks.legal, *(self.conditions[name] for name in rule.needs))
            for name in rule.wants:
                chosen = self.preferences[name].among(masks, chosen)
            found.append(chosen)
        return masks.first(found) if found else masks.legal

    def policy(self, candidate: Candidate) -> GatePolicy:
        """Return a policy that follows a list."""
        return place_policy(self.masks, self.mask(candidate), name="rules")

    def text(self, candidate: Candidate) -> str:
        """Write a list in the strategy language; each rule means its images by itself."""
        lines = ["symmetric none\n"]
        for rule in candidate:
            condition = " & ".join(self.texts[name] for name in rule.needs) or "true"
            wants = "".join(f" also {self.texts[name]}" for name in rule.wants)
            lines.append(f"{condition} => any{wants}\n")
        return "".join(lines)

    def strategy(self, candidate: Candidate, name: str = "rules") -> Strategy:
        """Read a list as a strategy."""
        return read_strategy(self.text(candidate), self.game, name=name)


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

    @cached_property
    def _tables(self) -> Mapping[Role, MaskTable]:
        return {
            role: MaskTable(
                player.masks,
                [
                    *(player.conditions[name] for name in self.conditions),
                    *(m for name in self.preferences for m in player.preferences[name].masks),
                ],
            )
            for role, player in self.players.items()
        }

    def look(self, choices: Choices, role: Role) -> tuple[Words, Ranks]:
        """Return for each move of some positions the conditions it meets, and how it ranks."""
        count = len(choices.moves)
        bits = np.zeros(count, dtype=np.uint64)
        ranks = np.zeros((count, len(self.preferences)), dtype=np.int16)
        if not self.conditions and not self.preferences:
            return bits, ranks
        found = self._tables[role].ask(choices.rows)
        position = choices.position
        for number in range(len(self.conditions)):
            bits |= found[number, position, choices.moves].astype(np.uint64) << np.uint64(number)
        at = len(self.conditions)
        for number, name in enumerate(self.preferences):
            ranking = self.players[role].preferences[name]
            length = len(ranking.masks)
            here = found[at : at + length, position, choices.moves]
            ranks[:, number] = ranking.ranks(here)
            at += length
        return bits, ranks


def make_players(
    game: CompiledGame,
    roles: Sequence[Role],
    vocabularies: Mapping[Role, Vocabulary],
    *,
    seconds: float = math.inf,
) -> list[Player]:
    """Return a player for each role; raise KibitzError where nothing can be asked of a move."""
    players = [
        Player(
            game,
            role,
            vocabularies[role],
            deadline=time.monotonic() + seconds / len(roles),
        )
        for role in roles
    ]
    if not any(player.conditions or player.preferences for player in players):
        raise KibitzError(
            f"nothing that rules could ask of a move is found in {game.sheet.name}",
            hint="kibitz simulate and kibitz solve --search say something about any game",
        )
    return players
