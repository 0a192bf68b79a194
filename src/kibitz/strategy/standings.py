"""Game and role in; out how the strategy language asks what it would get if play ended now.

Rules often say what goals are in every state, by the score so far or by what is left on the board.
What a goal asks of numbers in fluents, such as scores, is asked for by itself, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy.places import random_steps
from kibitz.strategy.syntax.number_reader import numbers_of_values
from kibitz.strategy.ways import goal_inputs

Whose = Literal["me", "opponent", "nobody"]

_FEWEST_GOALS, _MOST_GOALS = 2, 101
_FEWEST_NUMBERS, _MOST_SCORES = 3, 4
"""The fewest numbers that a score has, and the most scores that a goal asks for."""

_KNOWN: Attached[CompiledGame, dict[Role, set[int]]] = Attached()

_SCORES: Attached[CompiledGame, dict[Function, Role | None]] = Attached()


def scores_of(game: CompiledGame, role: Role) -> dict[Whose, tuple[Function, ...]]:
    """Return the numbers that goals ask for, one of which holds in every state, as patterns.

    They are one's own where the pattern names the role, or only its goal asks for them.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.gdl import read
    >>> text = '''(role me) (init (score 0)) (add 0 1) (add 1 2) (add 2 3)
    ... (<= (legal me go) (role me)) (<= (legal me stay) (role me))
    ... (<= (next (score ?m)) (does me go) (true (score ?n)) (add ?n ?m))
    ... (<= (next (score ?n)) (does me stay) (true (score ?n)))
    ... (<= (goal me 100) (true (score 3))) (<= (goal me 0) (not (true (score 3))))
    ... (<= terminal (true (score 3)))'''
    >>> game = CompiledGame(read(text))
    >>> {whose: list(map(str, found)) for whose, found in scores_of(game, "me").items()}
    {'me': ['(score _)']}
    """
    if game not in _SCORES:
        _SCORES[game] = _find_scores(game)
    found: dict[Whose, tuple[Function, ...]] = {}
    for pattern, owner in _SCORES[game].items():
        whose: Whose = "me" if owner == role else "opponent" if owner else "nobody"
        found[whose] = (*found.get(whose, ()), pattern)
    return found


def _owner_of(pattern: Function, asking: Sequence[Role], roles: Sequence[Role]) -> Role | None:
    """Return whose score a number is."""
    named = [role for role in roles if Function(role) in pattern.args]
    return named[0] if len(named) == 1 else asking[0] if len(asking) == 1 else None


def _find_scores(game: CompiledGame) -> dict[Function, Role | None]:
    asked = {role: goal_inputs(game, role) for role in game.roles}
    hidden = (one.fluent for one in game.network.hidden)
    families: dict[Function, list[Function]] = {}
    for fluent in (*game.network.fluents, *hidden):
        for index in range(len(fluent.args)):
            args = (*fluent.args[:index], Function("_"), *fluent.args[index + 1 :])
            families.setdefault(Function(fluent.name, args), []).append(fluent)
    kept = {
        pattern: frozenset(members)
        for pattern, members in families.items()
        if len(members) >= _FEWEST_NUMBERS
        and any(not inputs.isdisjoint(members) for inputs in asked.values())
    }
    seen: dict[Function, set[Function]] = {pattern: set() for pattern in kept}
    for _, _, state in random_steps(game):
        held = frozenset(state.fluents)
        for pattern in list(seen):
            here = kept[pattern] & held
            if len(here) == 1:
                seen[pattern] |= here
            else:
                del seen[pattern]
    found: dict[Function, Role | None] = {}
    for pattern, met in seen.items():
        at = pattern.args.index(Function("_"))
        values = [cast(Function, fluent.args[at]) for fluent in kept[pattern]]
        if len(met) >= _FEWEST_NUMBERS and numbers_of_values(values, game.sheet) is not None:
            asking = [role for role in game.roles if not asked[role].isdisjoint(kept[pattern])]
            found[pattern] = _owner_of(pattern, asking, game.roles)
    if len(found) > _MOST_SCORES:
        return {}
    return dict(sorted(found.items(), key=lambda pair: str(pair[0])))


def standing_preference(game: CompiledGame, role: Role, who: str, *, word: str) -> str | None:
    """Write the preference for most, or fewest, points of a role, as `who`, if play ended.

    None where random matches that go on always have the same goal for it.

    >>> from kibitz.games import load_sheet
    >>> standing_preference(CompiledGame(load_sheet("tictactoe")), "xplayer", "me", word="most")
    """
    known = _KNOWN.setdefault(game, {})
    if not known:
        known.update({one: set() for one in game.roles})
        for state, _, _ in random_steps(game):
            for one, goal in state.goals.items():
                known[one] |= set() if goal is None else {goal}
    if not _FEWEST_GOALS <= len(known[role]) <= _MOST_GOALS:
        return None
    pairs = game.network.goals[game.roles.index(role)]
    _, *higher = sorted({value for value, _ in pairs if value is not None})
    return f"{word} of ({', '.join(f'next goal({who}) >= {value}' for value in higher)})"
