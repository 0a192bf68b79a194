"""Find the MatchFacts of a Game: facts about all matches that libraries need before the first one.

Where every state can be listed, the facts are proved. Where there are too many, they are what the
first states and many random matches show, and `is_proved` is False.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.attached import Attached
from kibitz.engine import Blocks, CompiledGame
from kibitz.envs.arrays import arrays_of
from kibitz.envs.batch_matches import BatchMatches
from kibitz.errors import InputError
from kibitz.space import Limits, few_states, list_space, longest_matches

_MATCHES = 512
_MOST_STEPS = 1_000

_FACTS: Attached[CompiledGame, MatchFacts] = Attached()


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """Facts about every match, if `is_proved`, and otherwise about the states and matches examined.

    `takes_turns`: never have two roles a choice at the same time. `goal_sum`: what the goals of all
    roles add up to at every end; None if that varies. `longest`: the most joint moves of a match;
    None if play can go on forever.
    """

    takes_turns: bool
    goal_sum: int | None
    longest: int | None
    is_proved: bool


def match_facts(game: CompiledGame) -> MatchFacts:
    """Find the facts of a game, once.

    >>> from kibitz.games import load_sheet
    >>> match_facts(CompiledGame(load_sheet("tictactoe")))
    MatchFacts(takes_turns=True, goal_sum=100, longest=9, is_proved=True)
    """
    if game not in _FACTS:
        _FACTS[game] = _find(game)
    return _FACTS[game]


def _find(game: CompiledGame) -> MatchFacts:
    try:
        space = list_space(game, Limits(states=few_states(game)))
    except InputError:  # a state has too many joint moves
        return _facts(*_look_at_matches(game), is_proved=False)
    ends, goals, legal = Blocks(game).look(space.states)
    several = sum((moves.sum(axis=1) > 1).astype(np.int8) for moves in legal)
    takes_turns = not bool(np.any(np.asarray(several)[~ends] > 1))
    sums = set(goals[ends].astype(int).sum(axis=1).tolist())
    if space.is_complete:
        return _facts(int(longest_matches(space)[0]), takes_turns, sums, is_proved=True)
    longest, takes_turns_too, more = _look_at_matches(game)
    return _facts(longest, takes_turns and takes_turns_too, sums | more, is_proved=False)


def _facts(longest: int, takes_turns: bool, sums: set[int], *, is_proved: bool) -> MatchFacts:
    total = next(iter(sums)) if len(sums) == 1 else None
    return MatchFacts(takes_turns, total, None if longest < 0 else longest, is_proved)


def _look_at_matches(game: CompiledGame) -> tuple[int, bool, set[int]]:
    """Play random matches: the most moves of one, whether roles take turns, sums of goals."""
    matches = BatchMatches(arrays_of(game, "vector"), _MATCHES, max_steps=_MOST_STEPS, seed=1)
    sums: set[int] = set()
    longest = 0
    takes_turns = True
    ended = 0
    while ended < _MATCHES:
        before = matches.steps + 1
        takes_turns = takes_turns and not matches.has_simultaneous_moves
        matches.step(matches.sample_all())
        over = matches.terminated | matches.truncated
        ended += int(over.sum())
        longest = max(longest, int(before.max()))
        goals = (matches.rewards[matches.terminated] + 1) * 50
        sums |= set(np.rint(goals.sum(axis=1)).astype(int).tolist())
    return longest, takes_turns, sums
