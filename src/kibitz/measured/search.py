"""Game in, the best list of rules out that is found in a given time, without solving the game.

Each round takes positions that the best list meets, estimates by tree search what every move is
worth there, fits lists to these estimates, and lets the lists play: what counts is matches against
a panel, which grows as the lists get stronger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import ge

import numpy as np

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.measured.candidates import Candidate, Rule, Terms
from kibitz.measured.fitting import Examples, fit_list, neighbours, plainer, pruned, shortened
from kibitz.measured.pace import Pace, WorkClock
from kibitz.measured.positions import collect_positions, estimate_moves
from kibitz.measured.racing import (
    Opponent,
    Referee,
    hash_of,
    race,
    random_player,
    tree_player,
)
from kibitz.measured.simultaneous import terms_by_gates, values_at_random
from kibitz.policy import Policy
from kibitz.strategy import Strategy

__all__ = ["Found", "SearchOptions", "find_rules", "ladder_of"]

_LADDER = (10, 30, 100, 1000, 10_000)
"""Playouts of the tree searches that join the panel, one after the other."""
_FIRST_TREE = 100
"""Playouts of the first of them, or fewer where matches take long."""
_RACING, _RACE_SHARE = 16, 0.2
"""Lists that begin a race, about, and the share of the time that one opponent may take of it."""
_ONE_RACE_SHARE = 0.25
"""The share of the time that one race may take, so that there is some for another round."""
_TOO_WEAK, _EVEN = 80.0, 50.0
"""Points of 100 from which an opponent leaves the panel, and a stronger one than the last joins."""
_FIRST_MATCHES, _LAST_MATCHES = 64, 1024
_FEWEST_MATCHES = 16
"""The fewest matches of a list against a tree search that are worth their time."""
_NEIGHBOURS, _DRAWN = 12, 6
"""Lists that differ from one in one thing and race: those that fit best, and others by chance."""
_FEW_MATCHES, _STAGE_SHARE = 16, 0.1
"""Matches of each list where they are slow, and the share of the time more may take for all."""
_HEAT_SHARE, _WHOLE_HEAT_SHARE, _SEEDS = 0.15, 0.4, 4
"""The share of the time for lists of one term against random play, the most until each has played,
and how many of them go on.
"""
_STEPS = 10_000
_PRICES = (1e-3, 3e-4, 1e-4)
"""What a condition or preference must be worth, in points from 0 to 1 a move, to be used."""
_UNITS = 8_000_000
"""Work of one round, in playouts of a small game."""
_MATCHES = 256
"""Matches that positions of a round come from."""
_VALUE_SHARE = 0.15
"""The share of the time that the values of one round may take."""
_MOVES, _FEWEST_MOVES, _MOST_MOVES = 4000, 1000, 12_000
_LEAST_PLAYOUTS, _MOST_PLAYOUTS = 30, 1000
"""About how many moves get a value in a round, and how many playouts each."""
_KEPT = 20_000
"""Examples that lists are fitted to, the latest."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How long to look, and for what: `rounds` bounds the work, or `seconds` the time.

    The rules of `start` are used like everything that is made from the rules of the game. `effort`
    is the share of the usual work that goes into a round, and into measuring. Rules look at most
    `ahead` moves ahead.
    """

    most_rules: int = 8
    rounds: int = 4
    seconds: float | None = None
    seed: int = 0
    start: Strategy | None = None
    effort: float = 1.0
    ahead: float = math.inf

    def share(self, number: int, least: int = 1) -> int:
        """Return a number of positions, matches or steps that fits the effort."""
        return max(least, round(self.effort * number))


@dataclass(frozen=True)
class Found:
    """The best list, what judged it, and how many rounds were made."""

    candidate: Candidate
    terms: Terms
    referee: Referee
    panel: tuple[Opponent, ...]
    rounds: int
    was_interrupted: bool


@dataclass(frozen=True)
class _Work:
    """How many moves are looked at in a round, with how many playouts each, of how many matches.

    Without playouts random matches say what moves are worth.
    """

    moves: int
    playouts: int | None
    matches: int


def find_rules(
    game: CompiledGame,
    terms: Terms,
    options: SearchOptions,
    pace: Pace | None,
    *,
    start: Candidate = (),
    report: Callable[[str], None] = lambda _: None,
) -> Found:
    """Look for a list of rules for the roles that terms are for; Ctrl-C ends it with the best.

    Without a pace roles choose at the same time, and lists play against random play alone.
    """
    if pace is None:
        terms = terms_by_gates(terms)
    clock, seconds = WorkClock(), options.seconds
    referee = Referee(game, terms.players, seed=hash_of(options.seed, 1))
    best = start
    ladder = ladder_of(options, pace) if pace and len(game.roles) > 1 else {}
    weak = [one for playouts, one in ladder.items() if playouts <= _FIRST_TREE]
    panel: tuple[Opponent, ...] = (random_player(), *weak[-1:])
    examples = Examples.none(terms)
    work = _work_of(options, pace)
    seeds: list[Candidate] = []
    done, was_interrupted = 0, False

    def is_before(end: float) -> bool:
        return seconds is None or clock.seconds() < min(end, seconds)

    try:
        report("lists of one condition or preference play matches")
        seeds, match_s = _best_single(referee, terms, options, clock)
        while (seconds is not None or done < options.rounds) and (done == 0 or is_before(math.inf)):
            seed = hash_of(options.seed, 2, done)
            report(f"round {done + 1}: looking at positions")
            _add_examples(game, examples, best, referee, panel, work, seed)
            report(f"round {done + 1}: fitting rules to {len(examples):,} positions")
            if not len(examples):
                raise KibitzError(
                    f"in matches of {game.sheet.name} there was no choice to make rules for",
                    hint="kibitz simulate says something about any game",
                )
            recent = examples.latest(_KEPT)
            starts = dict.fromkeys([best or seeds[0], ()])
            tried = [best, *seeds] if done == 0 else [best]
            tried += [
                fit_list(
                    recent,
                    most=options.most_rules,
                    steps=options.share(_STEPS),
                    price=price,
                    seed=hash_of(seed, number, len(first)),
                    start=first,
                )
                for number, price in enumerate(_PRICES)
                for first in starts
            ]
            for number, one in enumerate(dict.fromkeys([best or seeds[0], *tried[-2:]])):
                tried += neighbours(
                    recent,
                    one,
                    most=options.most_rules,
                    count=options.share(_NEIGHBOURS, 4),
                    drawn=options.share(_DRAWN, 2),
                    seed=hash_of(seed, number),
                )
            tried = [one for one in dict.fromkeys(tried) if one]
            report(f"round {done + 1}: {len(tried)} lists play matches")
            end = math.inf if seconds is None else clock.seconds() + _ONE_RACE_SHARE * seconds
            best = race(
                referee,
                tried,
                (*panel, referee.as_opponent(best, done)) if best else panel,
                matches=_first_matches(options, len(tried) * match_s),
                most=options.share(_LAST_MATCHES, 16),
                may_go_on=partial(is_before, end),
            )[0]
            panel = _grown(referee, best, panel, ladder, options.share(_FIRST_MATCHES, 8))
            scores = ", ".join(
                f"{one.name} {referee.points(best, one, 1).mean():.0f}" for one in panel
            )
            done += 1
            report(f"round {done}: {len(best)} rules; points of 100 against {scores}")
    except KeyboardInterrupt:
        was_interrupted = True
        if not done and not seeds:
            raise
        best = best or seeds[0]
    if len(examples):
        best = plainer(examples, _shorter(examples, referee, best, panel, options))
    return Found(best, terms, referee, panel, done, was_interrupted)


def _best_single(
    referee: Referee, terms: Terms, options: SearchOptions, clock: WorkClock
) -> tuple[list[Candidate], float]:
    """Return lists of one condition or preference that do best against random play.

    They need no values of positions, which mislead where tree search plays badly. Return also
    how many seconds a match took.
    """
    singles: list[Candidate] = [(Rule((name,)),) for name in terms.conditions]
    singles += [(Rule((), (name,)),) for name in terms.preferences]
    # There may be no time for all; of each kind some shall play.
    order = np.random.default_rng(hash_of(options.seed, 4)).permutation(len(singles))
    singles = [singles[number] for number in order]
    began = clock.seconds()
    seconds = math.inf if options.seconds is None else options.seconds
    quick = sum(map(referee.is_quick, singles))

    def may_go_on() -> bool:
        has_all = len(referee.records) >= quick
        share = _HEAT_SHARE if has_all else _WHOLE_HEAT_SHARE
        return clock.seconds() < began + share * seconds

    best = race(
        referee,
        singles,
        (random_player(),),
        matches=options.share(_FEW_MATCHES, 8),
        most=options.share(_FIRST_MATCHES, 8),
        may_go_on=may_go_on,
    )
    played = sum(len(record.all) for record in referee.records.values())
    return best[:_SEEDS], (clock.seconds() - began) / played


def _shorter(
    examples: Examples,
    referee: Referee,
    best: Candidate,
    panel: Sequence[Opponent],
    options: SearchOptions,
) -> Candidate:
    """Leave out what changes no move, and what tree search's values do not miss, nor matches."""
    best = pruned(examples, best)
    short = shortened(examples, best, ge)
    if not short or short == best:
        return best
    most = options.share(_FIRST_MATCHES, 8)
    points = [
        sum(referee.points(one, other, min(most, other.most)).mean() for other in panel)
        for one in (best, short)
    ]
    return short if points[1] >= points[0] else best


def _first_matches(options: SearchOptions, seconds: float) -> int:
    """Return how many matches begin a race of lists that together take so long for one each."""
    matches = options.share(_FIRST_MATCHES, 8)
    if options.seconds is not None:
        while matches > _FEW_MATCHES and matches * seconds > _STAGE_SHARE * options.seconds:
            matches //= 2
    return matches


def ladder_of(options: SearchOptions, pace: Pace) -> dict[int, Opponent]:
    """Return tree searches by their playouts, those that there is time to play in each race."""
    found = {}
    for playouts in _LADDER:
        matches = options.share(_LAST_MATCHES, _FEWEST_MATCHES)
        if options.seconds is not None:
            room = _RACE_SHARE * options.seconds / _RACING
            while matches >= _FEWEST_MATCHES and pace.seconds(matches, playouts) > room:
                matches //= 2
        if matches >= _FEWEST_MATCHES:
            found[playouts] = tree_player(playouts, matches)
    return found


def _grown(
    referee: Referee,
    best: Candidate,
    panel: Sequence[Opponent],
    ladder: Mapping[int, Opponent],
    matches: int,
) -> tuple[Opponent, ...]:
    """Return the panel without opponents that are too weak, and perhaps with a stronger one."""
    points = {one.name: referee.points(best, one, min(matches, one.most)).mean() for one in panel}
    left = [one for one in panel if points[one.name] < _TOO_WEAK]
    hardest = panel[-1]
    names = [one.name for one in ladder.values()]
    stronger = list(ladder.values())[
        names.index(hardest.name) + 1 if hardest.name in names else 0 :
    ]
    if stronger and points[hardest.name] >= _EVEN:
        left.append(stronger[0])
    return tuple(left) or (hardest,)


def _work_of(options: SearchOptions, pace: Pace | None) -> _Work:
    """Return what one round looks at: less where a random match takes longer."""
    matches = options.share(_MATCHES, 16)
    if pace is None:
        return _Work(options.share(_MOVES, 200), None, matches)
    playouts = options.effort * _UNITS / pace.work
    if options.seconds is not None:
        playouts = min(playouts, _VALUE_SHARE * options.seconds * pace.playouts)
    each = int(np.clip(playouts / _MOVES, _LEAST_PLAYOUTS, _MOST_PLAYOUTS))
    moves = int(np.clip(playouts / each, _FEWEST_MOVES, _MOST_MOVES))
    return _Work(moves, each, matches)


def _add_examples(
    game: CompiledGame,
    examples: Examples,
    best: Candidate,
    referee: Referee,
    panel: Sequence[Opponent],
    work: _Work,
    seed: int,
) -> None:
    """Add positions that the best list meets; at first those that tree search meets."""
    roles = list(examples.terms.players)
    positions = {}
    # Tree search takes long in puzzles, which random play seldom ends.
    whom = panel[-1] if len(game.roles) > 1 else panel[0]
    for role in roles:
        mine: dict[Role, Policy] = {other: whom.play(other, seed) for other in game.roles}
        if best:
            mine[role] = referee.policies(best)[role]
        positions[role] = collect_positions(
            game,
            role,
            mine,
            matches=min(work.matches, whom.most),
            most_moves=work.moves // len(roles),
            seed=seed,
            astray=0.1 if best else 0.3,
        )
    for role in roles:
        if work.playouts is None:
            choices = values_at_random(game, role, positions[role], seed=seed)
        else:
            choices = estimate_moves(game, role, positions[role], playouts=work.playouts, seed=seed)
        examples.add(choices, role)
