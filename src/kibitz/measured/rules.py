"""Find MeasuredRules: a few rules for a game too large to solve, with their measured strength.

Nothing here is proved: every number comes from matches, with its interval, its opponent and how
many matches there were.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from kibitz.budget import Budget, time_left, time_to_work
from kibitz.engine import CompiledGame, Role
from kibitz.english import scene_of, sentences
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import require_gdl1
from kibitz.measured.candidates import Terms, make_players
from kibitz.measured.fitting import Examples
from kibitz.measured.options import SearchOptions
from kibitz.measured.pace import Pace, WorkClock, pace_of
from kibitz.measured.players import Candidate, Rule
from kibitz.measured.positions import collect_positions, unvalued
from kibitz.measured.racing import Opponent, Referee, hash_of, random_player, tree_player
from kibitz.measured.search import Found, best_singles, find_rules
from kibitz.measured.simultaneous import choose_together
from kibitz.measured.strength import (
    FEWEST,
    LIST,
    Accuracy,
    RuleWorth,
    Strength,
    measure_accuracy,
    measure_rules,
    measure_strength,
    rate_all,
    strength_of,
)
from kibitz.measured.vocabulary import Vocabulary, given_rules, reach_of, vocabulary_for
from kibitz.play import Rating
from kibitz.policy import NotInBlocksError, RandomPolicy
from kibitz.strategy import Strategy, rule_text, symmetries_of
from kibitz.wording import side_name

Report = Callable[[str], None]

_PLAYED = ((None, 2000), (100, 1000), (1000, 400), (10_000, 100))
"""Opponents that a list is measured against, by their playouts, and in how many matches."""
_PLAYED_WITHOUT = ((100, 400), (1000, 200))
_JUDGED, _SEARCHED, _JUDGED_S = 200, 2_000_000, 5.0
"""Positions whose moves are judged, and how much is searched for each."""
_SEARCH_SHARE, _READING_SHARE = 0.7, 0.25
"""The share of the time that goes into finding rules, and of it into what they can ask for; the
rest is for measuring them.
"""
_SLOW = 5.0
"""From how much work of a playout on, in those of a small game, a round takes minutes."""
_LOOKS = 100_000
"""How many looks at a position a search must have time for."""
_WATCHED, _LOOKED = 64, 50_000
"""Matches in which it is seen which rules decide, and the moves of their positions."""
_QUICK_MATCHES, _QUICK_WATCHED, _QUICK_SHARE = 128, 16, 0.05
"""Matches of each better list that is shown while others are looked for, and a share of the time
that they may take.
"""
_FIRST_READING_S, _FIRST_S = 4.0, 20.0
"""For how long terms are made for a first list, and of what the race for it takes a share."""
_MEASURED_S = 1.0
"""How long is measured at least."""
_MOST_WORK = 20_000
"""The most work of a tree search for one move that is measured against, if no time is given."""
_RANDOM, _LIGHT_PLAYOUTS = random_player(), 100


@dataclass(frozen=True)
class MeasuredRules:
    """A list of rules for some roles, and what was measured of it."""

    game: CompiledGame = field(repr=False)
    roles: tuple[Role, ...]
    strategies: Mapping[Role, Strategy] = field(repr=False)
    strength: Mapping[str, Strength]
    per_rule: tuple[RuleWorth, ...]
    ratings: tuple[Rating, ...]
    accuracy: Accuracy | None
    rounds: int
    seed: int
    seconds: float
    was_interrupted: bool = False
    given_s: float | None = None
    """For how long rules were looked for and measured; None if in rounds."""
    by_chance: Strength | None = None
    """What moves at random get in the place of the rules, against random play or alone."""
    watched: str = f"uct:{_LIGHT_PLAYOUTS}"
    """Against whom each rule's share of the moves was counted."""
    time_ended: bool = False
    """Whether time ended the search: with more, or on a quicker machine, another list may come."""

    @property
    def text(self) -> str:
        """The list in the strategy language, for the first of its roles."""
        return self.strategies[self.roles[0]].text

    @cached_property
    def sentences(self) -> list[str]:
        """The rules in words, for the first of the roles, and for others where they differ."""
        first, *others = self.roles
        whole = sentences(self.strategies[first], first)
        found = list(whole)
        for role in others:
            name = side_name(scene_of(self.game, role).named(role))
            for number, other in enumerate(sentences(self.strategies[role], role)):
                if other != whole[number]:
                    found[number] += f" As {name}: {other[0].lower()}{other[1:]}"
        return found

    @property
    def elo(self) -> float | None:
        """The rating of the list, if it played against others; random play has 0."""
        return next((rating.elo for rating in self.ratings if rating.name == LIST), None)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "game": self.game.sheet.name,
            "roles": list(self.roles),
            "players": len(self.game.roles),
            "rules": len(self.per_rule),
            "strategy": self.text,
            "strategies": {role: found.text for role, found in self.strategies.items()},
            "strength": {name: found.as_json() for name, found in self.strength.items()},
            "by_chance": None if self.by_chance is None else self.by_chance.as_json(),
            "elo": None if self.elo is None else round(self.elo, 1),
            "ratings": [rating.as_json() for rating in self.ratings],
            "accuracy": None if self.accuracy is None else self.accuracy.as_json(),
            "per_rule": [
                {"rule": rule_text(rule), "words": words, **worth.as_json()}
                for rule, words, worth in zip(
                    self.strategies[self.roles[0]].rules_for(self.roles[0]),
                    self.sentences,
                    self.per_rule,
                    strict=True,
                )
            ],
            "watched": self.watched,
            "proved": False,
            "rounds": self.rounds,
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "interrupted": self.was_interrupted,
            "time_ended": self.time_ended,
        }


def find_measured_rules(
    game: CompiledGame,
    role: Role | None = None,
    options: SearchOptions | None = None,
    *,
    report: Report = lambda _: None,
    seen: Callable[[MeasuredRules], None] | None = None,
) -> MeasuredRules:
    """Look for a list of rules for a role, or one for all roles, and measure it.

    `seen` gets each better list that is found on the way, measured in a few matches.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> found = find_measured_rules(game, options=SearchOptions(rounds=1, effort=0.1))
    >>> found.strength["random"].score > 80
    True
    """
    require_gdl1(game.sheet)
    options = options or SearchOptions()
    clock = WorkClock()
    _check(game, role, options)
    roles = (role,) if role is not None else game.roles
    pace = _pace_of(game)
    if options.seconds is None and pace and pace.work > _SLOW:
        options = replace(options, seconds=options.slow_s)
    given_s = options.seconds
    patience = look_s = math.inf
    if options.seconds is not None:
        patience = options.seconds * _READING_SHARE
        with suppress(KibitzError):  # Without them there is less to ask.
            symmetries_of(game, budget=Budget(patience))
    report("looking for what rules can ask of a move")
    vocabularies = {one: vocabulary_for(game, one) for one in roles}
    start: Candidate = ()
    ahead = options.ahead
    if options.start is not None:
        for one in roles:
            ahead = max(ahead, reach_of(options.start, one))
            given, named = given_rules(options.start, one)
            vocabularies[one] = given.joined(vocabularies[one])
            start = tuple(Rule((name,), tuple(wants)) for name, wants in named)
    if seen is not None:
        with suppress(KibitzError):  # Others may be found below.
            _show_first(game, roles, vocabularies, options, clock, seen)
    if pace is None:
        look_s = 0.0  # What a move leads to depends on those of others.
    elif options.seconds is not None:
        # A look that takes longer than the tree search it is measured against is too slow.
        look_s = min(1000 / pace.playouts, options.seconds / _LOOKS)
    terms = Terms(
        make_players(game, roles, vocabularies, ahead=ahead, seconds=patience, look_s=look_s)
    )
    measuring = _Measuring(game, roles, terms, options, given_s, clock)
    if options.seconds is not None:
        left = options.seconds * _SEARCH_SHARE - clock.seconds()
        options = replace(options, seconds=max(left, 0.1))

    def show(best: Candidate, rounds: int) -> None:
        if seen is not None:
            measuring.show(best, rounds, seen)

    found = find_rules(game, terms, options, pace, start=start, report=report, seen=show)
    return measuring.measured(found, pace, report)


def _show_first(
    game: CompiledGame,
    roles: tuple[Role, ...],
    vocabularies: Mapping[Role, Vocabulary],
    options: SearchOptions,
    clock: WorkClock,
    seen: Callable[[MeasuredRules], None],
) -> None:
    """Show a list of one rule that does not look beyond its move, which is found soon."""
    players = make_players(game, roles, vocabularies, ahead=1, seconds=_FIRST_READING_S, look_s=0)
    options = replace(options, seconds=min(_FIRST_S, options.seconds or math.inf))
    terms = Terms(players)
    measuring = _Measuring(game, roles, terms, options, options.seconds, clock)
    referee = Referee(game, terms.players, seed=hash_of(options.seed, 1))
    best_singles(referee, terms, options, clock, lambda best: measuring.show(best, 0, seen))


@dataclass
class _Measuring:
    """Evaluation of a list by matches that the search does not use."""

    game: CompiledGame
    roles: tuple[Role, ...]
    terms: Terms
    options: SearchOptions
    given_s: float | None
    clock: WorkClock
    shown: Candidate = ()

    def __post_init__(self) -> None:
        self.seed = hash_of(self.options.seed, 3)
        self.referee = Referee(self.game, self.terms.players, seed=self.seed)

    def show(self, best: Candidate, rounds: int, seen: Callable[[MeasuredRules], None]) -> None:
        """Measure a list in a few matches, and show it if it does better than moves at random."""
        if best == self.shown:
            return
        self.shown = best
        given = self.options.seconds
        seconds = math.inf if given is None else _QUICK_SHARE * given
        best, (shares,) = self._deciding(best, [_RANDOM], _QUICK_WATCHED)
        weakest, matches = _opponents(self.game, self.options, _PLAYED[:1], None, seconds)[0]
        matches = min(matches, _QUICK_MATCHES)
        strength = measure_strength(self.referee, best, [(weakest, matches)], seconds=seconds)
        by_chance = strength_of(self.referee.points((), weakest, matches))
        if best and strength[weakest.name].low > by_chance.score:
            per_rule = tuple(RuleWorth(share, {}) for share in shares)
            seen(self._list(best, strength, by_chance, per_rule, weakest, rounds, time_ended=True))

    def measured(self, found: Found, pace: Pace | None, report: Report) -> MeasuredRules:
        """Measure the list that was found against all opponents, and without each rule."""
        game, options, clock = self.game, self.options, self.clock
        referee, roles = self.referee, self.roles
        seconds = math.inf
        if options.seconds is not None:
            left = min(options.seconds - clock.seconds(), time_left() / 2)
            seconds = max(_MEASURED_S, left)
        time_ended = options.seconds is not None or time_to_work() <= 0
        opposing = [_RANDOM]
        is_watched = pace and len(roles) * pace.seconds(_WATCHED, _LIGHT_PLAYOUTS) < seconds / 8
        if is_watched and len(game.roles) > 1:
            opposing.append(tree_player(_LIGHT_PLAYOUTS))
        best, shares = self._deciding(found.candidate, opposing, _WATCHED)
        if not best and options.start is None:
            raise KibitzError(
                f"no rules were found for {game.sheet.name} that decide a move",
                hint="more --time finds others",
            )
        opponents = _opponents(game, options, _PLAYED, pace, seconds / 2)
        weakest, matches = opponents[0]
        referee.points(best, weakest, min(matches, _QUICK_MATCHES))  # Fewer would say little.
        strength = measure_strength(referee, best, opponents, seconds=seconds / 2, report=report)
        by_chance = strength_of(referee.points((), weakest, matches))
        if options.start is None:
            _check_gain(game, strength[weakest.name], by_chance)
        per_rule = measure_rules(
            referee,
            best,
            shares[-1],
            _opponents(game, options, _PLAYED_WITHOUT, pace, seconds / 4 / max(1, len(best))),
            seconds=seconds / 4,
            report=report,
        )
        deadline = clock.seconds() + seconds / 4
        accuracy = None
        if clock.is_before(deadline):
            accuracy = measure_accuracy(
                game,
                referee.policies(best),
                positions=options.share(_JUDGED, 4),
                searched=_SEARCHED,
                seconds=_JUDGED_S,
                seed=self.seed,
                may_go_on=lambda: clock.is_before(deadline),
                report=report,
            )
        made = self._list(
            best, strength, by_chance, tuple(per_rule), opposing[-1], found.rounds,
            time_ended=time_ended,
        )  # fmt: skip
        return replace(
            made,
            ratings=tuple(rate_all(referee, best)) if len(game.roles) > 1 else (),
            accuracy=accuracy,
            was_interrupted=found.was_interrupted,
        )

    def _deciding(
        self, best: Candidate, opposing: Sequence[Opponent], matches: int
    ) -> tuple[Candidate, list[list[float]]]:
        """Leave out rules that decide nothing, which changes no other rule's share of the moves.

        Return also the shares in matches against each opponent.
        """
        shares = [
            _shares(
                self.game, self.terms, best, self.referee, one,
                self.options.share(matches, 8), self.options, self.seed,
            )
            for one in opposing
        ]  # fmt: skip
        used = [n for n, share in enumerate(zip(*shares, strict=True)) if any(share)]
        return tuple(best[n] for n in used), [[share[n] for n in used] for share in shares]

    def _list(
        self,
        best: Candidate,
        strength: Mapping[str, Strength],
        by_chance: Strength,
        per_rule: tuple[RuleWorth, ...],
        watched: Opponent,
        rounds: int,
        *,
        time_ended: bool,
    ) -> MeasuredRules:
        players = self.terms.players
        return MeasuredRules(
            game=self.game,
            roles=self.roles,
            strategies={one: player.strategy(best) for one, player in players.items()},
            strength=strength,
            per_rule=per_rule,
            ratings=(),
            accuracy=None,
            rounds=rounds,
            seed=self.options.seed,
            seconds=self.clock.seconds(),
            given_s=self.given_s,
            by_chance=by_chance,
            watched=watched.name,
            time_ended=time_ended,
        )


def _pace_of(game: CompiledGame) -> Pace | None:
    """Return how fast tree search is; None where several roles choose at a time."""
    if choose_together(game):
        return None
    try:
        return pace_of(game)
    except NotInBlocksError:
        return None


def _check(game: CompiledGame, role: Role | None, options: SearchOptions) -> None:
    """Raise where rules cannot be measured."""
    if role is not None:
        game.check_role(role)
    if options.most_rules < 1:
        raise InputError("a list of no rules is any move", hint="allow at least one rule")


def _check_gain(game: CompiledGame, found: Strength, by_chance: Strength) -> None:
    """Raise where a list gets no more than moves at random get in its place."""
    if found.low > by_chance.score:
        return
    if len(game.roles) == 1:
        hint = "kibitz play and its hints follow a plan, where one is found"
    else:
        hint = "more --time finds others"
    if found.high < by_chance.score:
        message = f"the best rules that were found for {game.sheet.name} lose to random play"
    else:
        message = f"no rules were found for {game.sheet.name} that do better than moves at random"
    raise KibitzError(message, hint=hint)


def _opponents(
    game: CompiledGame,
    options: SearchOptions,
    playouts: Sequence[tuple[int | None, int]],
    pace: Pace | None,
    seconds: float,
) -> list[tuple[Opponent, int]]:
    """Return opponents and how many matches to play with each; nobody else plays a puzzle.

    Without a pace no tree search plays. Those are left out that would take too long for a few
    matches: longer than the time there is, or, where the work is bounded and not the time, more
    work.
    """
    if len(game.roles) == 1:
        alone = Opponent("alone", lambda role, seed: RandomPolicy())
        return [(alone, options.share(playouts[0][1], FEWEST))]
    if pace is None:
        return [(_RANDOM, options.share(_PLAYED[0][1], FEWEST))]
    return [
        (_RANDOM if n is None else tree_player(n), options.share(matches, FEWEST))
        for n, matches in playouts
        if n is None
        or (
            pace.seconds(FEWEST, n) < seconds
            if seconds < math.inf
            else n * pace.work <= _MOST_WORK * options.effort
        )
    ]


def _shares(
    game: CompiledGame,
    terms: Terms,
    best: Candidate,
    referee: Referee,
    opponent: Opponent,
    matches: int,
    options: SearchOptions,
    seed: int,
) -> list[float]:
    """Return which share of the moves each rule decides, in matches against an opponent."""
    examples = Examples.none(terms.used_by(best))
    for role in terms.players:
        seats = {one: opponent.play(one, seed) for one in game.roles}
        seats[role] = referee.policies(best)[role]
        positions = collect_positions(
            game,
            role,
            seats,
            matches=matches,
            most_moves=options.share(_LOOKED, 500),
            seed=seed,
            astray=0.0,
        )
        examples.add(unvalued(game, role, positions), role)
    _, decider = examples.score(best)
    total = examples.weights.sum()
    return [
        float(100 * examples.weights[decider == number].sum() / total)
        for number in range(len(best))
    ]
