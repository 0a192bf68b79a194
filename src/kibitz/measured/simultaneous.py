"""A game whose roles choose at the same time in; out the best list found against random play.

Plain tree search knows no such games. What a move is worth is the mean of random matches after it,
whatever the others choose, each of their moves with the same chance; and what counts is matches
against others who move at random.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role
from kibitz.measured.candidates import Candidate, Terms
from kibitz.measured.fitting import Examples, fit_list, neighbours, plainer, pruned
from kibitz.measured.pace import WorkClock
from kibitz.measured.players import Ranking
from kibitz.measured.positions import LONGEST, Choices, Positions, collect_positions
from kibitz.measured.racing import Referee, hash_of, race, random_player
from kibitz.measured.search import Found, SearchOptions
from kibitz.policy import play_matches

__all__ = ["find_against_random", "values_at_random"]

_MATCHES, _MOVES = 256, 2000
"""Matches that positions of a round come from, and about how many moves of theirs get a value."""
_PLAYOUTS, _FEWEST, _MOST = 200_000, 4, 64
"""About how many random matches give the moves of a role their values, and after each move."""
_STEPS, _PRICES, _NEIGHBOURS = 10_000, (1e-2, 3e-3, 1e-3), 24
_FIRST_MATCHES, _LAST_MATCHES = 256, 4096


def find_against_random(
    game: CompiledGame,
    terms: Terms,
    options: SearchOptions,
    *,
    start: Candidate = (),
    report: Callable[[str], None] = lambda _: None,
) -> Found:
    """Look for a list of rules for the roles that terms are for; Ctrl-C ends it with the best."""
    clock, seconds = WorkClock(), options.seconds
    referee = Referee(game, terms.players, seed=hash_of(options.seed, 1))
    panel = (random_player(),)
    best, done, was_interrupted = start, 0, False
    examples = Examples.none(_by_gates(terms))

    def may_go_on() -> bool:
        return seconds is None or clock.seconds() < seconds

    try:
        while (seconds is not None or done < options.rounds) and (done == 0 or may_go_on()):
            seed = hash_of(options.seed, 2, done)
            report(f"round {done + 1}: looking at positions")
            for role in terms.players:
                positions = collect_positions(
                    game,
                    role,
                    {role: referee.policies(best)[role]} if best else {},
                    matches=options.share(_MATCHES, 16),
                    most_moves=options.share(_MOVES, 200),
                    seed=seed,
                )
                examples.add(values_at_random(game, role, positions, seed=seed), role)
            report(f"round {done + 1}: fitting rules to {len(examples):,} positions")
            tried: list[Candidate] = [
                best,
                *(
                    fit_list(
                        examples,
                        most=options.most_rules,
                        steps=options.share(_STEPS),
                        price=price,
                        seed=hash_of(seed, number),
                        start=best,
                    )
                    for number, price in enumerate(_PRICES)
                ),
            ]
            for one in dict.fromkeys([best, tried[-1]]):
                tried += neighbours(
                    examples, one, options.most_rules, options.share(_NEIGHBOURS, 8)
                )
            report(f"round {done + 1}: {len(set(tried))} lists play matches")
            best = race(
                referee,
                tried,
                panel,
                matches=options.share(_FIRST_MATCHES, 64),
                most=options.share(_LAST_MATCHES, 256),
                may_go_on=may_go_on,
            )[0]
            done += 1
    except KeyboardInterrupt:
        was_interrupted = True
        if not done:
            raise
    best = plainer(examples, pruned(examples, best))
    return Found(best, terms, referee, panel, done, was_interrupted)


def _by_gates(terms: Terms) -> Terms:
    """Return what is asked by gates: a look at the states that follow is for one role's moves."""
    players = list(terms.players.values())
    part = Terms(players)
    part.conditions = tuple(
        name
        for name in terms.conditions
        if all(isinstance(p.conditions[name], tuple) for p in players)
    )
    part.preferences = tuple(
        name
        for name in terms.preferences
        if all(isinstance(p.preferences[name], Ranking) for p in players)
    )
    return part


def values_at_random(game: CompiledGame, role: Role, positions: Positions, *, seed: int) -> Choices:
    """Return what each legal move of a role is worth where all that follows is random.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("roshambo"))
    >>> start = Positions.alone(game, Blocks(game).initial())
    >>> values_at_random(game, "player1", start, seed=1).values.tolist()
    [0.5, 0.5, 0.5]
    """
    index = game.roles.index(role)
    children = Blocks(game).expand(positions.rows)
    joints = len(children.states)
    times = int(np.clip(_PLAYOUTS / joints, _FEWEST, _MOST))
    starts = np.repeat(children.states, times, axis=0)
    goals = play_matches(game, {}, len(starts), seed=seed, longest=LONGEST, starts=starts).of(role)
    means = np.where(np.isnan(goals), 50.0, goals).reshape(joints, times).mean(axis=1) / 100
    pairs = np.stack([children.parents.astype(np.int64), children.joint[:, index]], axis=1)
    kept, place, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    values = np.bincount(place.ravel(), weights=means) / count
    first = np.searchsorted(kept[:, 0], np.arange(len(positions) + 1))
    return Choices(
        index, positions.rows, positions.last, first, kept[:, 1], values,
        positions.met.astype(np.float64),
    )  # fmt: skip
