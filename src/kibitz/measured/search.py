"""Search for the best rule list of a game in a given time, without solving the game.

Each round takes positions that the best list meets, estimates by tree search what every move is
worth there, fits lists to these estimates, and lets the lists play: what counts is matches, against
ever stronger opponents as long as lists hold their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from operator import ge

import numpy as np

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.measured.candidates import Terms
from kibitz.measured.fitting import Examples, fit_list, neighbours, plainer, pruned, shortened
from kibitz.measured.options import SearchOptions
from kibitz.measured.pace import Pace, WorkClock
from kibitz.measured.panel import Races, ladder_of
from kibitz.measured.players import Candidate, Rule
from kibitz.measured.positions import collect_positions, estimate_moves
from kibitz.measured.racing import (
    Opponent,
    Referee,
    hash_of,
    race,
    random_player,
)
from kibitz.measured.simultaneous import terms_by_gates, values_at_random
from kibitz.policy import Policy

_FIRST_TREE = 100
"""Playouts of the first tree search that lists play against, or fewer where matches take long."""
_NEIGHBOURS, _DRAWN = 24, 8
"""Lists that differ from one in one thing and race: those that fit best, and others by chance."""
_FEW_MATCHES, _FIRST_MATCHES = 16, 64
"""Matches of each list of one term at first and at last."""
_FITS, _FIT_SHARE = 24, 0.05
"""Lists that are fitted in a round, most of them to examples drawn anew from all: fits to the same
examples are alike, and their values do not say which of them plays best. After that share of the
time no other is begun.
"""
_MISSED_MATCHES = 256
"""Matches against each opponent in which nothing is missed that is left out of the best list."""
_KEPT_LISTS = 4
"""The best lists of a race that are in the next one, and whose neighbours are."""
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
    seen: Callable[[Candidate, int], None] = lambda best, rounds: None,
) -> Found:
    """Look for a list of rules for the roles that terms are for; Ctrl-C ends it with the best.

    `seen` gets the best list so far, and after how many rounds.
    Without a pace roles choose at the same time, and lists play against random play alone.
    """
    if pace is None:
        terms = terms_by_gates(terms)
    clock, seconds = WorkClock(), options.seconds
    referee = Referee(game, terms.players, seed=hash_of(options.seed, 1))
    ladder = ladder_of(options, pace) if pace and len(game.roles) > 1 else {}
    weak = [one for playouts, one in ladder.items() if playouts <= _FIRST_TREE]
    first: tuple[Opponent, ...] = (random_player(), *weak[-1:])
    panel = first
    examples = Examples.none(terms)
    work = _work_of(options, pace)
    leaders: list[Candidate] = [start] if start else []
    singles: list[Candidate] = []
    done, was_interrupted = 0, False

    limit = math.inf if seconds is None else seconds

    def is_before(end: float) -> bool:
        return clock.is_before(min(end, limit))

    try:
        report("lists of one condition or preference play matches")
        singles, match_s = best_singles(referee, terms, options, clock, lambda one: seen(one, 0))
        while is_before(math.inf) and (seconds is not None or done < options.rounds):
            seed = hash_of(options.seed, 2, done)
            report(f"round {done + 1}: looking at positions")
            best = leaders[0] if leaders else ()
            _add_examples(game, examples, best, referee, panel, work, seed)
            report(f"round {done + 1}: fitting rules to {len(examples):,} positions")
            if not len(examples):
                raise KibitzError(
                    f"in matches of {game.sheet.name} there was no choice to make rules for",
                    hint="kibitz simulate says something about any game",
                )
            fitted_by = clock.seconds() + _FIT_SHARE * limit
            tried = _proposed(
                examples, leaders or singles, options, seed, partial(is_before, fitted_by)
            )
            if not done:
                tried = list(dict.fromkeys([*leaders, *singles, *tried]))
            report(f"round {done + 1}: {len(tried)} lists play matches")
            races = Races(referee, options, pace, match_s, clock)
            others = (referee.as_opponent(best, done),) if best else ()
            reached = ladder
            if seconds is None:
                most = _FIRST_TREE * 10**done
                reached = {playouts: one for playouts, one in ladder.items() if playouts <= most}
            leaders, panel = races.best_of(tried, first, reached, others)
            leaders = leaders[:_KEPT_LISTS]
            scores = ", ".join(
                f"{one.name} {referee.points(leaders[0], one, 1).mean():.0f}" for one in panel
            )
            done += 1
            seen(leaders[0], done)
            report(f"round {done}: {len(leaders[0])} rules; points of 100 against {scores}")
    except KeyboardInterrupt:
        was_interrupted = True
        if not leaders and not singles:
            raise
    best = (leaders or singles)[0]
    if len(examples):
        best = plainer(examples, _shorter(examples, referee, best, panel, options))
    return Found(best, terms, referee, panel, done, was_interrupted)


def _proposed(
    examples: Examples,
    leaders: Sequence[Candidate],
    options: SearchOptions,
    seed: int,
    may_go_on: Callable[[], bool],
) -> list[Candidate]:
    """Return lists that may be better than some: these, what fits examples, and neighbours.

    The most promising come first.
    """
    recent = examples.latest(_KEPT)
    fitted: list[Candidate] = []
    plan = [(leaders[0], number) for number in range(len(_PRICES))]
    plan += [((), number) for number in range(options.share(_FITS, 3))]
    for first, number in plan:
        if len(fitted) > len(_PRICES) and not may_go_on():
            break
        fitted.append(
            fit_list(
                recent if number < len(_PRICES) else recent.redrawn(hash_of(seed, number)),
                most=options.most_rules,
                steps=options.share(_STEPS),
                price=_PRICES[number % len(_PRICES)],
                seed=hash_of(seed, number, len(first)),
                start=first,
            )
        )
    near = [
        neighbours(
            recent,
            one,
            most=options.most_rules,
            count=options.share(_NEIGHBOURS, 4),
            drawn=options.share(_DRAWN, 2),
            seed=hash_of(seed, number),
        )
        for number, one in enumerate(leaders[:2])
    ]
    tried = [*leaders, *fitted, *(one for ranked in zip_longest(*near) for one in ranked)]
    return [one for one in dict.fromkeys(tried) if one]


def best_singles(
    referee: Referee,
    terms: Terms,
    options: SearchOptions,
    clock: WorkClock,
    seen: Callable[[Candidate], None],
) -> tuple[list[Candidate], float]:
    """Return lists of one condition or preference that do best against random play.

    They need no values of positions, which mislead where tree search plays badly. Return also
    how many seconds a match took.
    """
    singles: list[Candidate] = [(Rule((name,)),) for name in terms.conditions]
    singles += [(Rule((), (name,)),) for name in terms.preferences]
    if not singles:
        name = referee.game.sheet.name
        raise KibitzError(
            f"nothing that rules could ask of moves of all roles is found in {name}",
            hint="rules for one role may be found with --role",
        )
    # There may be no time for all; of each kind some shall play.
    order = np.random.default_rng(hash_of(options.seed, 4)).permutation(len(singles))
    singles = [singles[number] for number in order]
    began = clock.seconds()
    seconds = math.inf if options.seconds is None else options.seconds
    quick = sum(map(referee.is_quick, singles))

    def may_go_on() -> bool:
        has_all = len(referee.records) >= quick
        share = _HEAT_SHARE if has_all else _WHOLE_HEAT_SHARE
        return clock.is_before(began + share * seconds)

    best = race(
        referee,
        singles,
        (random_player(),),
        matches=options.share(_FEW_MATCHES, 8),
        most=options.share(_FIRST_MATCHES, 8),
        may_go_on=may_go_on,
        seen=seen,
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
    most = options.share(_MISSED_MATCHES, 8)
    points = [
        sum(referee.points(one, other, min(most, other.most)).mean() for other in panel)
        for one in (best, short)
    ]
    return short if points[1] >= points[0] else best


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
