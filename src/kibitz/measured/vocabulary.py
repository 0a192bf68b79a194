"""Build the vocabulary of a game: conditions and preferences of rules of thumb about moves.

Everything is made from the rules alone. A condition is a formula of the strategy language, which a
move meets or not; a preference is what may follow `also`, and ranks moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

from kibitz.engine import CompiledGame, Role
from kibitz.english import has_plain_words, scene_of
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import Function
from kibitz.policy import moves_ahead
from kibitz.strategy import (
    PLACE_KINDS,
    Carrier,
    Number,
    Strategy,
    chances_of,
    counted_by,
    disjunction,
    foremost_of,
    goal_steps,
    image_carriers,
    kinds_of_places,
    named_symmetries,
    neighbouring_pairs,
    number_values,
    plan_formulas,
    progress_of,
    rule_plan,
    scores_of,
    standing_preference,
    things_of,
    ways_to_win,
    write_formula,
    write_preference,
    write_term,
)
from kibitz.synth import Feature, capture_features, features_for

_MOST_ORBITS = 12
"""The most kinds of similar moves for which there are conditions."""
MOST_ALIKE = 200
"""The most moves whose symmetries are looked for: more fall into more kinds, after a long time."""
_MOST_LISTED = 4
"""The most moves that a person can remember as places of one kind."""
_MOST_MISSING = 3
"""The most things that a way to win may lack to be counted."""
_FEWEST_VALUES = 3
"""The fewest values of an argument of which some are larger than others in a way that matters."""


_SIZE = {"most": "largest", "least": "smallest"}
_TAKING = (
    Feature("not taken(opponent)", "it takes nothing", "takes nothing"),
    Feature("next taken(me)", "every reply takes something of yours", "given away"),
    Feature(
        "next (taken(me) implies next can(me, taken(opponent)))",
        "whatever the opponent takes afterwards can be taken back",
        "protected",
    ),
)

_NUMBERS: Mapping[str, tuple[Callable[[CompiledGame, Role], Number | None], str]] = {
    "progress": (progress_of, "moves of all things on the way to their goal"),
    "foremost": (foremost_of, "moves of the foremost thing on the way to its goal"),
    "things": (things_of, "things"),
    "pairs": (neighbouring_pairs, "neighbouring pairs of things"),
    "steps": (goal_steps, "things left to get"),
    "chances": (chances_of, "things in open ways to win, each once for each way"),
}
"""Numbers of what a side has, and what they count."""

_COMPARED = {
    "things": {
        ">": "you have more than the opponent afterwards",
        "=": "you have as many as the opponent afterwards",
        "<": "you have fewer than the opponent afterwards",
    },
    "steps": {"<": "you need fewer further things to win than the opponent afterwards"},
    "foremost": {">": "your foremost thing is nearer its goal than the opponent's afterwards"},
}
"""Comparisons of such numbers of both sides, in words."""


@dataclass(frozen=True)
class Vocabulary:
    """Conditions and preferences, each once; and the moves of conditions that ask for one of some.

    Moves are written in the strategy language.
    """

    conditions: tuple[Feature, ...]
    preferences: tuple[Feature, ...]
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def joined(self, other: Vocabulary) -> Vocabulary:
        """Return both together, these first."""
        return Vocabulary(
            self.conditions + other.conditions,
            self.preferences + other.preferences,
            {**self.places, **other.places},
        )


def vocabulary_for(game: CompiledGame, role: Role) -> Vocabulary:
    """Return what rules for a role may be made of.

    >>> from kibitz.games import load_sheet
    >>> found = vocabulary_for(CompiledGame(load_sheet("connectfour")), "xplayer")
    >>> "win" in [feature.name for feature in found.conditions]
    True
    >>> "middle drop.1" in [feature.formula for feature in found.preferences]
    True
    """
    captures = capture_features(game, role)
    conditions = [*features_for(len(game.roles)), *captures, *(_TAKING if captures else ())]
    places = _places(game, role)
    # What takes longest to make comes last: where there is no time it is left out.
    conditions += [
        *_sides(game),
        *_kinds(game, role),
        *_mirrors(game),
        *_answers(game),
        *places,
        *_deeper(game),
    ]
    preferences = [*_numbers(game, role), *_scores(game, role), *_things(game, role)]
    preferences += _replies(game)
    preferences += _ways(game, role)
    moves = {feature.name: tuple(listed) for feature, listed in places.items()}
    return Vocabulary(tuple(conditions), tuple(preferences), moves)


def given_rules(strategy: Strategy, role: Role) -> tuple[Vocabulary, list[tuple[str, list[str]]]]:
    """Return what the rules of somebody's list ask of a move and prefer, and these by name.

    Each rule becomes one condition, of its move too, and its preferences.
    """
    if not strategy.is_list:
        raise InputError(f"{strategy.name} is not a rule list", hint="write rules, one a line")
    conditions, preferences, rules = [], [], []
    for number, (rule, plan) in enumerate(
        zip(strategy.rules_for(role), strategy.parts(role), strict=True), start=1
    ):
        if rule.preferences:
            plan = rule_plan(rule.choices, role)
        formula = write_formula(disjunction(plan_formulas(plan)))
        name = f"rule {number} of {strategy.name}"
        conditions.append(Feature(f"({formula})", f"rule {number} allows it", name))
        wants = []
        for place, preference in enumerate(rule.preferences):
            wants.append(f"preference {place + 1} of {name}")
            preferences.append(Feature(write_preference(preference), "it is preferred", wants[-1]))
        rules.append((name, wants))
    return Vocabulary(tuple(conditions), tuple(preferences)), rules


def reach_of(strategy: Strategy, role: Role) -> int:
    """Return how many moves ahead somebody's list looks.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> reach_of(read_strategy("next next not wins(opponent) => any", game), "xplayer")
    2
    """
    asked = [
        formula
        for rule in strategy.rules_for(role)
        for formula in (
            *plan_formulas(rule_plan(rule.choices, role)),
            *(one for wish in rule.preferences for one in counted_by(wish) or wish.formulas),
        )
    ]
    return max(map(moves_ahead, asked), default=0)


def _deeper(game: CompiledGame) -> list[Feature]:
    """Make conditions about wins that take three moves of a role, whatever the other replies."""
    if len(game.roles) != 2:
        return []

    def soon(who: str, moves: int) -> str:
        """Write that a move wins at once, or forces a win within so many."""
        if moves == 1:
            return f"next wins({who})"
        later = f"next can({who}, {soon(who, moves - 1)})"
        return f"next (wins({who}) | not terminal & {later})"

    return [
        Feature(
            f"next (not terminal & next can(me, {soon('me', 2)}))",
            "it forces a win within three moves",
            "force",
        ),
        Feature(
            f"next not can(opponent, {soon('opponent', 3)})",
            "the opponent cannot force a win within three moves afterwards",
            "no force",
        ),
    ]


def _answers(game: CompiledGame) -> list[Feature]:
    """Make conditions of moves at, or beside, the place of the opponent's last move."""
    if len(game.roles) != 2:
        return []
    return [
        Feature("answers(opponent, 0)", "it is where the opponent moved last", "same place"),
        Feature("answers(opponent, 1)", "it is beside the opponent's last move", "beside"),
    ]


def _kinds(game: CompiledGame, role: Role) -> list[Feature]:
    """Make conditions of moves to corners, edges and beside them, of others, and of replies."""
    found = []
    for kind in kinds_of_places(game, role):
        where = PLACE_KINDS[kind]
        found += [
            Feature(f"at({kind})", f"it goes {where}", kind),
            Feature(f"not at({kind})", f"it does not go {where}", f"not {kind}"),
        ]
    if len(game.roles) == 2:
        opponent = next(other for other in game.roles if other != role)
        found += [
            Feature(
                f"next not can(opponent, at(opponent, {kind}))",
                f"the opponent cannot go {PLACE_KINDS[kind]} afterwards",
                f"no {kind} for the opponent",
            )
            for kind in kinds_of_places(game, opponent)
        ]
    return found


def _mirrors(game: CompiledGame) -> list[Feature]:
    """Make conditions of moves that leave the board as its own image, as a mirror player does."""
    if max(map(len, game.network.moves)) > MOST_ALIKE:
        return []
    try:
        names = named_symmetries(game)
    except KibitzError:
        return []
    return [
        Feature(f"next unchanged({name})", f"it leaves the same board after {name}", f"same {name}")
        for name in names
    ]


def _places(game: CompiledGame, role: Role) -> dict[Feature, list[str]]:
    """Make conditions of similar moves, such as those to a corner, each with its moves."""
    moves = list(game.network.moves[game.roles.index(role)])
    if sum(not move.args for move in moves) == 1:  # waiting, which nobody chooses
        moves = [move for move in moves if move.args]
    if len(moves) > MOST_ALIKE:
        return {}
    carriers: list[Carrier] = []
    with suppress(KibitzError):  # Each move is a kind of its own where no symmetries are found.
        carriers = image_carriers(game)
    group = {move: number for number, move in enumerate(moves)}
    for carrier in carriers:
        for move, image in carrier.moves[role].items():
            if move in group and image in group and group[move] != group[image]:
                low, high = sorted((group[move], group[image]))
                group = {m: low if number == high else number for m, number in group.items()}
    kinds: dict[int, list[Function]] = {}
    for move, number in group.items():
        kinds.setdefault(number, []).append(move)
    if not 2 <= len(kinds) <= _MOST_ORBITS:
        return {}
    found = {}
    for orbit in kinds.values():
        if len(orbit) > _MOST_LISTED:
            continue
        listed = [write_term(move) for move in orbit]
        formula = " | ".join(f"does({move})" for move in listed)
        shown = game.write(orbit[0])
        words = f"it is {shown}" if len(orbit) == 1 else f"it is {shown} or one like it"
        found[Feature(f"({formula})", words, f"at {shown}")] = listed
    return found


def _numbers(game: CompiledGame, role: Role) -> list[Feature]:
    """Make preferences by the arguments of moves, alike for moves that are symmetric."""
    found: list[Feature] = []
    moves = game.network.moves[game.roles.index(role)]
    for name, arity in dict.fromkeys((move.name, len(move.args)) for move in moves):
        usable: list[tuple[int, dict[Function, int]]] = []
        for n in range(1, arity + 1):
            values = [cast(Function, m.args[n - 1]) for m in moves if m.name == name]
            numbers = number_values(values, game.sheet)
            if not has_plain_words(scene_of(game, role), name, n):
                continue
            if numbers is not None and len(numbers) >= _FEWEST_VALUES:
                usable.append((n, numbers))
        written = write_term(Function(name))
        # Where a move ends is asked sooner than where it starts, which may say the same.
        for n, numbers in reversed(usable):
            place, which = f"{written}.{n}", _ordinal(n)
            ahead, behind = _directions(moves, name, n, numbers)
            found += [
                Feature(
                    f"{ahead} {place}",
                    f"its {which} number is the {_SIZE[ahead]}",
                    f"ahead {place}",
                ),
                Feature(
                    f"{behind} {place}",
                    f"its {which} number is the {_SIZE[behind]}",
                    f"behind {place}",
                ),
                Feature(
                    f"middle {place}", f"its {which} number is the most central", f"middle {place}"
                ),
            ]
        for (n, one), (m, other) in pairwise(usable):
            if m == n + 1 and len(one) == len(other) and (arity - n) % 2 == 1:
                text = f"middle {written}.{n}, {written}.{m}"
                found.append(Feature(text, "it is the most central", text))
    return found


def _scores(game: CompiledGame, role: Role) -> list[Feature]:
    """Make preferences by what each side would get if play ended, and by its score."""
    found = []
    roles = (role, *(set(game.roles) - {role}))
    if len(roles) <= 2:
        for who, other in zip(("me", "opponent"), roles, strict=False):
            for word in ("most", "fewest"):
                text = standing_preference(game, other, who, word=word)
                if text is not None:
                    gets = f"{who} would get the {word} points if play ended"
                    found.append(Feature(text, gets, f"{word} points {who}"))
    scores = scores_of(game, role)
    for word in ("highest", "lowest"):
        for whose, patterns in scores.items():
            for number, pattern in enumerate(patterns, start=1):
                text = f"{word} largest({write_term(pattern)})"
                found.append(Feature(text, f"the score is {word}", f"{word} {whose} {number}"))
        if all(len(scores.get(whose, ())) == 1 for whose in ("me", "opponent")):
            mine, theirs = (write_term(scores[whose][0]) for whose in ("me", "opponent"))
            text = f"{word} largest({mine}) - largest({theirs})"
            found.append(Feature(text, f"the lead is {word}", f"{word} lead"))
    return found


def _directions(
    moves: Sequence[Function], name: str, n: int, place: Mapping[Function, int]
) -> tuple[str, str]:
    """Return the words for the largest and the smallest value, what a role moves towards first.

    If another argument has the same values, a move goes from the earlier one to the later one.
    """
    made = [move for move in moves if move.name == name]
    lead = 0
    for k in range(n - 1):
        ends = [(cast(Function, m.args[k]), cast(Function, m.args[n - 1])) for m in made]
        if all(start in place for start, _ in ends):
            here = [place[end] - place[start] for start, end in ends]
            lead = sum(here) if abs(sum(here)) > abs(lead) else lead
    return ("least", "most") if lead < 0 else ("most", "least")


def _replies(game: CompiledGame) -> list[Feature]:
    """Make preferences by what the opponent can do next."""
    if len(game.roles) != 2:
        return []
    reply = "M in moves(opponent): next legal(opponent, M)"
    safe = (
        "M in moves(opponent): next can(opponent, does(opponent, M) & "
        "next not can(me, next wins(me)))"
    )
    return [
        Feature(f"fewest {reply}", "it leaves the opponent the fewest moves", "fewest replies"),
        Feature(f"most {reply}", "it leaves the opponent the most moves", "most replies"),
        Feature(
            f"fewest {safe}",
            "it leaves the opponent the fewest moves that do not lose at once",
            "fewest safe replies",
        ),
        *(
            Feature(
                f"{word} M in moves(me): next next legal(me, M)",
                f"it leaves you the {word} moves after any reply",
                f"{word} moves",
            )
            for word in ("most", "fewest")
        ),
    ]


def _things(game: CompiledGame, role: Role) -> list[Feature]:
    """Make preferences by what each side has after the move: how much, side by side, and how far.

    Each is for one side alone, and, of two, for the difference; and both ways, for there are games
    in which less is better.
    """
    opponents = [other for other in game.roles if other != role] if len(game.roles) == 2 else []
    found = []
    for kind, (number, whose) in _NUMBERS.items():
        sides = dict(zip(("me", "opponent"), (role, *opponents), strict=False))
        has = [who for who, one in sides.items() if number(game, one) is not None]
        for word, amount in (("highest", "most"), ("lowest", "fewest")):
            for who in has:
                of = "you have" if who == "me" else "the opponent has"
                words = f"{of} the {amount} {whose} afterwards"
                found.append(Feature(f"{word} {kind}({who})", words, f"{word} {kind} {who}"))
            if len(has) == 2:
                text = f"{word} {kind}(me) - {kind}(opponent)"
                words = f"you have the {amount} {whose} afterwards, compared with the opponent"
                found.append(Feature(text, words, text))
    return found


def _sides(game: CompiledGame) -> list[Feature]:
    """Make conditions that compare what both sides have after the move."""
    if len(game.roles) != 2:
        return []
    return [
        Feature(f"next {kind}(me) {sign} {kind}(opponent)", words, words)
        for kind, comparisons in _COMPARED.items()
        if all(_NUMBERS[kind][0](game, role) is not None for role in game.roles)
        for sign, words in comparisons.items()
    ]


def _ways(game: CompiledGame, role: Role) -> list[Feature]:
    """Make preferences by the ways to win that are still open, such as lines."""
    if len(game.roles) != 2:
        return []
    found = []
    for who, name in (("me", role), ("opponent", next(r for r in game.roles if r != role))):
        ways = ways_to_win(game, name)
        if not ways:
            continue
        whose = "your" if who == "me" else "the opponent's"
        for missing in range(1, min(_MOST_MISSING, max(map(len, ways)) - 1) + 1):
            lack = ("", "one thing", "two things", "three things")[missing]
            found += [
                Feature(
                    f"{which} ways({who}, {missing})",
                    f"{whose} open ways to win that lack {lack} are {which}",
                    f"{which} ways {who} {missing}",
                )
                for which in ("most", "fewest")
            ]
    return found


def _ordinal(n: int) -> str:
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    return names[n - 1] if n <= len(names) else f"{n}th"
