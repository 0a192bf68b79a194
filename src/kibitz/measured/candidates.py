"""Vocabulary in; out rule lists made of it, as numbers, as text, and as policies of gates.

A candidate is the same for every role it is for: its conditions and preferences have the same
names, and each role has its own texts for them.
"""

from __future__ import annotations

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
from kibitz.strategy import Carrier, Strategy, image_carriers, read_strategy, rule_plan
from kibitz.synth import Feature

__all__ = ["Candidate", "Player", "Rule", "Terms", "make_players"]

MOST_CONDITIONS = 60
_GATES, _POSITIONS = 1 << 20, 50_000
"""How much one condition or preference may add before it is too large to be used."""

Words = npt.NDArray[np.uint64]
Ranks = npt.NDArray[np.int16]


@dataclass(frozen=True, order=True)
class Rule:
    """The conditions that a move must meet, and what is preferred among those that do, by names."""

    needs: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()


Candidate = tuple[Rule, ...]
"""A list of rules; the first that has a move decides."""


class Player:
    """What one role can be asked: masks for conditions, and chains of masks for preferences."""

    def __init__(self, game: CompiledGame, role: Role, vocabulary: Vocabulary) -> None:
        self.game, self.role = game, role
        self.masks = MoveMasks(game, role)
        self.dropped: list[str] = []
        self.texts: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.conditions: dict[str, Mask] = {}
        self.preferences: dict[str, tuple[Mask, ...]] = {}
        legal = self.masks.legal
        seen: set[tuple[Mask, ...]] = {(legal,), ((FALSE,) * len(legal),), ()}
        for feature in vocabulary.conditions:
            chain = self._chain(feature, f"{feature.formula} => any")
            if chain is not None and chain[:1] not in seen:
                seen.add(chain[:1])
                self.conditions[feature.name] = chain[0]
                self._keep(feature)
        for feature in vocabulary.preferences:
            chain = self._chain(feature, f"true => any also {feature.formula}")
            if chain is not None and chain[1:] not in seen and self._is_fair(chain[1:]):
                seen.add(chain[1:])
                self.preferences[feature.name] = chain[1:]
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

    def _chain(self, feature: Feature, text: str) -> tuple[Mask, ...] | None:
        """Return the mask of a rule's moves and those of its preferences, or None if too large."""
        try:
            strategy = read_strategy(f"symmetric none\n{text}", self.game)
            (rule,) = strategy.rules_for(self.role)
            with self.masks.limited(_GATES, _POSITIONS):
                first = self.masks.plan(rule_plan(rule.choices, self.role))
                preferred = [f for one in rule.preferences for f in one.formulas]
                return (first, *map(self.masks.formula, preferred))
        except (NotCompilableError, StrategyError):
            self.dropped.append(feature.name)
            return None

    def mask(self, candidate: Candidate) -> Mask:
        """Return the moves that a list allows."""
        masks = self.masks
        found = []
        for rule in candidate:
            chosen = masks.both(masks.legal, *(self.conditions[name] for name in rule.needs))
            for name in rule.wants:
                chosen = masks.narrowed([chosen, *self.preferences[name]])
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
                    *(mask for name in self.preferences for mask in player.preferences[name]),
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
            length = len(self.players[role].preferences[name])
            here = found[at : at + length, position, choices.moves]
            # A mask of a chain counts only where those before it have the move.
            ranks[:, number] = np.logical_and.accumulate(here, axis=0).sum(axis=0)
            at += length
        return bits, ranks


def make_players(
    game: CompiledGame, roles: Sequence[Role], vocabularies: Mapping[Role, Vocabulary]
) -> list[Player]:
    """Return a player for each role; raise KibitzError where nothing can be asked of a move."""
    players = [Player(game, role, vocabularies[role]) for role in roles]
    if not any(player.conditions or player.preferences for player in players):
        raise KibitzError(
            f"nothing that rules could ask of a move is found in {game.sheet.name}",
            hint="kibitz simulate and kibitz solve --search say something about any game",
        )
    return players
