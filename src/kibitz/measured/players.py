"""Vocabulary in; out a player: what a role can be asked about its moves, and policies of lists.

Conditions and preferences are gates where these are few enough; where they are not, the states that
follow are made and looked at. A list that needs no such look becomes gates as a whole.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.attached import Attached
from kibitz.engine import FALSE, CompiledGame, Role
from kibitz.errors import KibitzError, StrategyError
from kibitz.measured.positions import Choices, collect_positions, unvalued
from kibitz.measured.vocabulary import MOST_ALIKE, Vocabulary
from kibitz.policy import (
    Allowed,
    Asked,
    GatePolicy,
    Mask,
    MaskTable,
    MoveMasks,
    NotCompilableError,
    look,
    looks_to,
    moves_ahead,
    place_policy,
)
from kibitz.strategy import (
    Carrier,
    Formula,
    Leaf,
    Next,
    Preference,
    Strategy,
    StrategyRule,
    counted_by,
    disjunction,
    image_carriers,
    leaves,
    negation,
    plan_formulas,
    read_strategy,
    rule_plan,
)
from kibitz.synth import Feature

_MOST_GATES = 1 << 24
_SHARED_GATES = _MOST_GATES * 3 // 4
"""How many gates conditions and preferences may take together; lists are made of the rest."""
_GATES, _POSITIONS, _PARTS = 1 << 21, 50_000, 3_000_000
"""How much one condition or preference may add before it is too large to be used."""
_LOOKING = re.compile(r"\b(?:next|can|taken|chances|steps|pairs|things|progress|foremost)\b")
_MOST_STATES = 2_000
"""How many states may follow one position, on average, that are looked at for one answer."""

_TRIED = 64
"""Positions with which a look is timed."""
_HIGHEST = np.iinfo(np.int16).max

_READ: Attached[CompiledGame, dict[str, Strategy]] = Attached()

Rows = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
Ranks = npt.NDArray[np.int16]
Moves = npt.NDArray[np.int64]


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
            ranks = self._fixed_ranks(masks)
            if ranks is not None:
                return masks.foremost(ranks, mask)
            return masks.narrowed([mask, *self.masks])
        return masks.highest(self.masks, mask)

    def _fixed_ranks(self, masks: MoveMasks) -> list[int] | None:
        """Return how moves rank in a chain that ranks them alike in all states; None in others."""
        if not all(
            here in (FALSE, may)
            for link in self.masks
            for here, may in zip(link, masks.legal, strict=True)
        ):
            return None
        links = np.array(self.masks) != FALSE
        return [int(rank) for rank in np.logical_and.accumulate(links, axis=0).sum(axis=0)]

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
    """Evaluator for one role: masks for conditions, and rankings for preferences.

    What looks more than `ahead` moves ahead is left out. What is too large, or not made at the
    deadline, is looked at in the states that follow; if these are too many as well, or one look
    takes longer than `look_s`, it is left out, too.
    """

    def __init__(
        self,
        game: CompiledGame,
        role: Role,
        vocabulary: Vocabulary,
        *,
        ahead: float = math.inf,
        deadline: float = math.inf,
        look_s: float = math.inf,
    ) -> None:
        self.game, self.role = game, role
        self.ahead, self.deadline, self.look_s = ahead, deadline, look_s
        self.masks = MoveMasks(game, role, most_gates=_MOST_GATES)
        self.places = vocabulary.places
        self.dropped: list[str] = []
        self._too_far: dict[frozenset[type[Leaf]], int] = {}
        self._too_slow = math.inf if look_s else 1
        """How many moves ahead a look takes longer than it may."""
        self._counted: dict[tuple[Formula, ...], Ranking] = {}
        self.texts: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.conditions: dict[str, Mask | Formula] = {}
        self.preferences: dict[str, Ranking | Preference] = {}
        legal = self.masks.legal
        conditions: set[Mask | Formula] = {legal, (FALSE,) * len(legal)}
        # What looks less far ahead is made first, so that it is there where time is short.
        conditions_by, preferences_by = map(
            _by_reach, (vocabulary.conditions, vocabulary.preferences)
        )
        for reach in sorted({*conditions_by, *preferences_by}):
            if reach and self._is_late():
                self.dropped += [
                    feature.name
                    for features in (preferences_by, conditions_by)
                    for feature in features.get(reach, ())
                ]
                continue
            self._prefer(preferences_by.get(reach, ()))
            for feature in conditions_by.get(reach, ()):
                mask = self._condition(feature)
                if mask is not None and mask not in conditions:
                    conditions.add(mask)
                    self.conditions[feature.name] = mask
                    self._keep(feature)

    def _is_late(self) -> bool:
        """Return whether the time is over, and looks ahead take too long as well."""
        return time.thread_time() > self.deadline and self._too_slow <= 1

    def _prefer(self, features: Sequence[Feature]) -> None:
        """Make rankings of some preferences, but none twice."""
        for feature in features:
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
        if len(self.game.network.moves[self.masks.index]) > MOST_ALIKE:
            return []
        try:
            return image_carriers(self.game)
        except KibitzError:
            return []

    def _keep(self, feature: Feature) -> None:
        self.texts[feature.name], self.words[feature.name] = feature.formula, feature.words

    def _rule(self, text: str) -> StrategyRule:
        """Read a rule, once for the players of all roles."""
        known = _READ.setdefault(self.game, {})
        if text not in known:
            known[text] = read_strategy(f"symmetric none\n{text}", self.game)
        (rule,) = known[text].rules_for(self.role)
        return rule

    def _condition(self, feature: Feature) -> Mask | Formula | None:
        """Return the moves that meet a condition, or what says so; None if it is too large."""
        try:
            rule = self._rule(f"{feature.formula} => any")
            plan = rule_plan(rule.choices, self.role)
            formula = disjunction(plan_formulas(plan))
            if moves_ahead(formula) > self.ahead:
                return None
            with self._limited([formula]):
                return self.masks.plan(plan)
        except NotCompilableError:
            if self._may_look(formula):
                return formula
        except StrategyError:
            pass
        self.dropped.append(feature.name)
        return None

    @contextmanager
    def _limited(self, formulas: Sequence[Formula]) -> Iterator[None]:
        """Bound what one condition or preference takes.

        Where one had too many gates, no other is tried that looks as many moves ahead, for the same
        kind of thing, such as a win, or for more.
        """
        ahead = max(map(moves_ahead, formulas), default=0)
        kinds = frozenset(type(leaf) for formula in formulas for leaf in leaves(formula))
        if any(ahead >= far and kinds >= asked for asked, far in self._too_far.items()):
            raise NotCompilableError(f"what looks {ahead} moves ahead is too large here")
        before = self.masks.gates.store.count
        most = min(_GATES, max(0, _SHARED_GATES - before))
        try:
            deadline = self.deadline if ahead else math.inf
            with self.masks.limited(most, _POSITIONS, _PARTS, deadline):
                yield
        except NotCompilableError:
            if ahead and self.masks.gates.store.count - before > most // 2:
                self._too_far[kinds] = min(ahead, self._too_far.get(kinds, ahead))
            raise

    def _may_look(self, asked: Formula | Preference) -> bool:
        """Return whether few enough states follow a position as far as something looks ahead."""
        formulas = _formulas_of(asked)
        try:
            ahead = max([1, *map(looks_to, formulas)])
        except NotCompilableError:
            return False
        moves = len(self._seen.moves) / max(1, len(self._seen))
        if ahead >= self._too_slow or moves**ahead > _MOST_STATES:
            return False
        return self.look_s == math.inf or self._looks_quickly(asked, formulas, ahead)

    def _looks_quickly(
        self, asked: Formula | Preference, formulas: Sequence[Formula], ahead: int
    ) -> bool:
        """Return whether a look at a position takes no longer than it may, tried with a few.

        Where making the states that follow takes too long already, nothing else is tried that needs
        as many.
        """
        rows = self._seen.rows[:: max(1, len(self._seen) // _TRIED)][:_TRIED]
        began, asking = time.thread_time(), 0.0
        for _, found in look(self.game, self.role, rows, formulas):
            made = time.thread_time()
            if isinstance(asked, Preference):
                found.rank(asked)
            else:
                found.valid(asked)
            asking += time.thread_time() - made
        spent, may = time.thread_time() - began, self.look_s * len(rows)
        if spent - asking > may:
            self._too_slow = ahead
        return spent <= may

    @cached_property
    def _seen(self) -> Choices:
        """Some positions of random matches."""
        positions = collect_positions(
            self.game, self.role, {}, matches=16, most_moves=_MOST_STATES, seed=1, astray=0.0
        )
        return unvalued(self.game, self.role, positions)

    def _ranking(self, feature: Feature) -> Ranking | Preference | None:
        """Return how a preference ranks moves; None if it is too large or ranks all alike."""
        try:
            (preference,) = self._rule(f"true => any also {feature.formula}").preferences
            counted = counted_by(preference)
            if max(map(moves_ahead, counted or preference.formulas), default=0) > self.ahead:
                return None
            with self._limited(counted or preference.formulas):
                if counted is not None:
                    return self._counting(counted)
                chain = tuple(map(self.masks.formula, preference.formulas))
        except NotCompilableError:
            if self._may_look(preference):
                return preference
            self.dropped.append(feature.name)
            return None
        except StrategyError:
            self.dropped.append(feature.name)
            return None
        telling = tuple(mask for mask in chain if mask != self.masks.legal)
        return Ranking(telling, is_chain=True) if telling and self._is_fair(telling) else None

    def _counting(self, parts: tuple[Formula, ...]) -> Ranking | None:
        """Return how moves rank by a number of formulas; None if it is the same for all.

        Where it was counted how many do not hold, the order is turned round.
        """
        opposite = tuple(map(_denied, parts))
        if opposite in self._counted:
            found = self._counted[opposite]
            turned = tuple(tuple(bit ^ 1 for bit in mask) for mask in found.masks)
            return Ranking(turned, is_chain=False)
        number = self.masks.number(parts)
        if number is None:
            raise NotCompilableError("it depends on replies how many there are")
        if not number:
            return None
        self._counted[parts] = Ranking(number, is_chain=False)
        return self._counted[parts]

    def by_gates(self, candidate: Candidate) -> bool:
        """Return whether nothing that a list asks needs a look at the states that follow."""
        return all(
            all(isinstance(self.conditions[name], tuple) for name in rule.needs)
            and all(isinstance(self.preferences[name], Ranking) for name in rule.wants)
            for rule in candidate
        )

    def mask(self, candidate: Candidate) -> Mask:
        """Return the moves that a list allows, all of which is gates."""
        masks = self.masks
        found = []
        for rule in candidate:
            needs = [self.conditions[name] for name in rule.needs]
            chosen = masks.both(masks.legal, *(need for need in needs if isinstance(need, tuple)))
            for name in rule.wants:
                ranking = self.preferences[name]
                assert isinstance(ranking, Ranking)
                chosen = ranking.among(masks, chosen)
            found.append(chosen)
        return masks.first(found) if found else masks.legal

    def policy(self, candidate: Candidate) -> GatePolicy | ListPolicy:
        """Return a policy that follows a list."""
        if self.by_gates(candidate):
            with suppress(NotCompilableError):  # there is no room for more gates
                return place_policy(self.masks, self.mask(candidate), name="rules")
        return ListPolicy(self, candidate)

    def text(self, candidate: Candidate) -> str:
        """Write a list in the strategy language."""
        return list_text(candidate, self.texts, self.places)

    def strategy(self, candidate: Candidate, name: str = "rules") -> Strategy:
        """Read a list as a strategy."""
        return read_strategy(self.text(candidate), self.game, name=name)


def _formulas_of(asked: Formula | Preference) -> tuple[Formula, ...]:
    """Return what is asked of a move; a preference that counts has thousands of steps."""
    if not isinstance(asked, Preference):
        return (asked,)
    return counted_by(asked) or asked.formulas


def _by_reach(features: Sequence[Feature]) -> dict[int, list[Feature]]:
    """Return features by how many words of theirs look at moves and what they lead to."""
    found: dict[int, list[Feature]] = {}
    for feature in features:
        found.setdefault(len(_LOOKING.findall(feature.formula)), []).append(feature)
    return found


def _denied(formula: Formula) -> Formula:
    """Return that a formula about the next state does not hold there."""
    return Next(negation(formula.formula)) if isinstance(formula, Next) else negation(formula)


def list_text(
    candidate: Candidate, texts: Mapping[str, str], places: Mapping[str, tuple[str, ...]]
) -> str:
    """Write a list in the strategy language, given how conditions and preferences are written.

    Each rule means its images by itself. A rule for some moves reads better than one that asks for
    them, so a condition in `places` is written as its moves.

    >>> texts = {"safe": "next next not wins(opponent)"}
    >>> places = {"at edge": ("drop(1)", "drop(7)")}
    >>> print(list_text((Rule(("safe", "at edge")), Rule(("safe",))), texts, places), end="")
    symmetric none
    next next not wins(opponent) => {drop(1), drop(7)}
    next next not wins(opponent) => any
    """
    lines = ["symmetric none\n"]
    for rule in candidate:
        listed = [name for name in rule.needs if name in places][:1]
        moves = f"{{{', '.join(places[listed[0]])}}}" if listed else "any"
        asked = " & ".join(texts[name] for name in rule.needs if name not in listed)
        wants = "".join(f" also {texts[name]}" for name in rule.wants)
        lines.append(f"{asked or 'true'} => {moves}{wants}\n")
    return "".join(lines)


class Asking:
    """Asks a player for some conditions and preferences in many states at once."""

    def __init__(self, player: Player, needs: Sequence[str], wants: Sequence[str]) -> None:
        self.player = player
        self.needs, self.wants = tuple(needs), tuple(wants)
        self.formulas: dict[str, Formula] = {}
        self.looked: dict[str, Preference] = {}
        masks: list[Mask] = []
        self._met: dict[str, int] = {}
        self._ranked: dict[str, slice] = {}
        for name in self.needs:
            mask = player.conditions[name]
            if isinstance(mask, tuple):
                self._met[name] = len(masks)
                masks.append(mask)
            else:
                self.formulas[name] = mask
        for name in self.wants:
            ranking = player.preferences[name]
            if isinstance(ranking, Ranking):
                self._ranked[name] = slice(len(masks), len(masks) + len(ranking.masks))
                masks += ranking.masks
            else:
                self.looked[name] = ranking
        self._table = MaskTable(player.masks, masks) if masks else None

    def ask(
        self, rows: Rows, last: Moves | None, source: Moves, moves: Moves
    ) -> tuple[list[Bools], list[Ranks]]:
        """Return which moves meet the conditions, and how they rank, a row of each for each name.

        `moves` are all legal moves of the states, one state after the other, and `source` says of
        which state each is. `last` has the joint moves that led to the states.
        """
        found = self._table.ask(rows, last) if self._table else np.zeros((0, 0, 0), dtype=bool)
        met = {name: np.ones(len(moves), dtype=bool) for name in self.formulas}
        ranks = {name: np.full(len(moves), _HIGHEST, dtype=np.int16) for name in self.looked}
        self._look(rows, source * len(self.player.masks.legal) + moves, met, ranks)
        for name, at in self._met.items():
            met[name] = found[at, source, moves]
        for name, place in self._ranked.items():
            ranking = self.player.preferences[name]
            assert isinstance(ranking, Ranking)
            ranks[name] = ranking.ranks(found[place, source, moves])
        return [met[name] for name in self.needs], [ranks[name] for name in self.wants]

    def _look(
        self, rows: Rows, keys: Moves, met: dict[str, Bools], ranks: dict[str, Ranks]
    ) -> None:
        """Write what is found in the states that follow; `keys` number the moves of all states.

        Where others choose as well, a move counts by the worst that it leads to.
        """
        player = self.player
        terms = [*self.formulas.values(), *self.looked.values()]
        asked = [formula for term in terms for formula in _formulas_of(term)]
        width = len(player.masks.legal)
        for part, ahead in look(player.game, player.role, rows, asked) if asked else ():
            at = np.searchsorted(keys, (part.start + ahead.source) * width + ahead.moves)
            for name, formula in self.formulas.items():
                np.logical_and.at(met[name], at, ahead.valid(formula))
            for name, preference in self.looked.items():
                np.minimum.at(ranks[name], at, ahead.rank(preference).astype(np.int16))


@dataclass(eq=False)
class ListPolicy:
    """A list of rules, part of which looks at the states that follow."""

    player: Player
    candidate: Candidate
    name: str = "rules"
    needs_past: bool = False
    is_native: bool = False
    asking: Asking = field(init=False)

    def __post_init__(self) -> None:
        needs = dict.fromkeys(name for rule in self.candidate for name in rule.needs)
        wants = dict.fromkeys(name for rule in self.candidate for name in rule.wants)
        self.asking = Asking(self.player, list(needs), list(wants))

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that the list allows; all legal ones where it has none."""
        source, moves = np.nonzero(asked.legal)
        met, ranks = self.asking.ask(asked.rows, asked.last(), source, moves)
        need = dict(zip(self.asking.needs, met, strict=True))
        want = dict(zip(self.asking.wants, ranks, strict=True))
        allowed = np.zeros_like(asked.legal)
        waiting = np.ones(len(asked.rows), dtype=bool)
        for rule in self.candidate:
            chosen = waiting[source]
            for name in rule.needs:
                chosen &= need[name]
            for name in rule.wants:
                best = np.full(len(waiting), -1, dtype=np.int64)
                np.maximum.at(best, source[chosen], want[name][chosen])
                chosen &= want[name] == best[source]
            allowed[source[chosen], moves[chosen]] = True
            waiting[source[chosen]] = False
        allowed[waiting] = asked.legal[waiting]
        return allowed
