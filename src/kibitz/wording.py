"""Put values, results and lengths of play into the same words in every command and page.

The glossary has the vocabulary. *Wins in 2 moves* counts the winner's own moves, the last among
them; where players do not alternate, and for draws, *after 3 moves* counts those of all players.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "DRAW",
    "IN_WORDS",
    "NUMBER_WORDS",
    "bounds_text",
    "counted",
    "either_text",
    "end_text",
    "equal_text",
    "join_words",
    "length_text",
    "number_text",
    "number_word",
    "outcome_text",
    "result_sentence",
    "result_text",
    "side_name",
    "side_names",
    "stuck_text",
    "value_text",
    "win_in_text",
]

DRAW = 50
"""What all roles get in a draw; other equal goals are no draw."""
IN_WORDS = "The rules in words:"
"""How a comment of a rule sheet begins that describes the game, one sentence a line."""
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words as people do.

    >>> join_words(["a", "b", "c"]), join_words(["a", "b"], "or")
    ('a, b and c', 'a or b')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def either_text(moves: Sequence[str]) -> str:
    """Join moves of which any will do, their first words once where all begin alike.

    >>> either_text(["take box 2", "take box 3"]), either_text(["pass", "take 1"])
    ('take box 2 or 3', 'pass or take 1')
    """
    words = [move.split() for move in moves]
    same = 0
    while len(words) > 1 and len({tuple(w[: same + 1]) for w in words}) == 1:
        same += 1
    rest = [" ".join(w[same:]) for w in words]
    start = words[0][:same]
    return " ".join([*start, join_words(rest, "or")]) if all(rest) else join_words(moves, "or")


_COLOURS = "white black red blue green yellow brown orange purple pink grey gray gold silver"
_SIDE = re.compile(
    rf"(?:player[-_]?)?([a-z]|{'|'.join(_COLOURS.split())})(?:[-_]?player)?", re.IGNORECASE
)


def side_name(role: str) -> str:
    """Name a role as sentences do: by its mark, colour, number or own name, with a capital.

    >>> [side_name(role) for role in ("xplayer", "player_white", "robot", "player1", "p2")]
    ['X', 'White', 'Robot', 'Player 1', 'Player 2']
    >>> side_name("xplayer and oplayer"), side_name("a, b and c")  # whom measured rules are for
    ('X and O', 'A, B and C')
    """
    if " and " in role:
        return join_words([side_name(one) for one in re.split(", | and ", role)])
    if numbered := re.fullmatch(r"p(?:layer)?[-_]?(\d+)", role, re.IGNORECASE):
        return f"Player {numbered[1]}"
    if "player" in role.lower() and (side := _SIDE.fullmatch(role)):
        return side[1].capitalize()
    return (role[:1].upper() + role[1:]).replace("_", " ")


def side_names(roles: Sequence[str]) -> dict[str, str]:
    """Return the roles that sentences call by another name, each with that name.

    >>> side_names(["xplayer", "oplayer"]), side_names(["red", "blue"])
    ({'xplayer': 'X', 'oplayer': 'O'}, {'red': 'Red', 'blue': 'Blue'})
    """
    return {role: name for role in roles if (name := side_name(role)) != role}


def number_word(count: int) -> str:
    """Write a number, the small ones as words.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return NUMBER_WORDS[count] if 0 <= count < len(NUMBER_WORDS) else str(count)


def number_text(number: float) -> str:
    """Write a goal with one digit after the point, if it has any.

    >>> number_text(33.333), number_text(50.0)
    ('33.3', '50')
    """
    return f"{number:.1f}".removesuffix(".0")


def counted(count: int, noun: str) -> str:
    """Write how many there are of something.

    >>> counted(1, "move"), counted(2500, "move")
    ('1 move', '2,500 moves')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def length_text(plies: int, own_moves: int | None = None) -> str:
    """Describe when play ends, in the moves of all players or those of the winner.

    >>> length_text(3), length_text(1, 0), length_text(0), length_text(31, 16)
    ('after 3 moves', 'after 1 move', 'at once', 'in 16 moves')
    """
    if not plies:
        return "at once"
    if not own_moves:  # none where the loser's only move ends play
        return f"after {counted(plies, 'move')}"
    return f"in {counted(own_moves, 'move')}"


def outcome_text(outcome: str, plies: int | None, own_moves: int | None = None) -> str:
    """Describe the outcome for a role, and when it comes if that is known.

    >>> outcome_text("win", 3, 2), outcome_text("loss", 1), outcome_text("draw", None)
    ('wins in 2 moves', 'loses after 1 move', 'draws')
    """
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[outcome]
    return verb if plies is None else f"{verb} {length_text(plies, own_moves)}"


def win_in_text(rounds: int) -> str:
    """Describe how fast a win is: a move and a reply for each round, and then the move that wins.

    >>> win_in_text(2), win_in_text(1), win_in_text(0)
    ('win in 2 more rounds', 'win in 1 more round', 'win at once')
    """
    return f"win in {counted(rounds, 'more round')}" if rounds else "win at once"


def equal_text(goal: float, roles: int = 2) -> str:
    """Describe a goal that all roles get; only 50 is a draw.

    >>> equal_text(50), equal_text(100), equal_text(0, 3), equal_text(30)
    ('it is a draw', 'both win', 'all lose', 'both get 30')
    """
    who = "both" if roles == 2 else "all"
    return {DRAW: "it is a draw", 100: f"{who} win", 0: f"{who} lose"}.get(
        int(goal), f"{who} get {goal:g}"
    )


def bounds_text(
    low: float, high: float, whole: tuple[float, float] = (0, 100), *, roles: int = 2
) -> str:
    """Describe what is known of a goal between two bounds, of all that there are.

    >>> bounds_text(50, 100), bounds_text(0, 50), bounds_text(0, 100)
    ('at least a draw', 'at most a draw', 'not decided')
    >>> bounds_text(20, 60, (0, 80)), bounds_text(50, 100, roles=1)
    ('at least 20 and at most 60', 'at least 50')
    """
    least_goal, most_goal = whole
    is_plain = least_goal == 0 and most_goal == 100 and roles == 2
    least, most = ("a draw" if is_plain and goal == DRAW else str(goal) for goal in (low, high))
    parts = [f"at least {least}"] * (low > least_goal) + [f"at most {most}"] * (high < most_goal)
    return " and ".join(parts) or "not decided"


def result_text(goals: Mapping[str, int | None], names: Mapping[str, str] | None = None) -> str:
    """Describe the goals at an end; `names` replaces names of roles.

    >>> result_text({"a": 100, "b": 0}), result_text({"a": 50, "b": 50})
    ('a wins', 'it is a draw')
    >>> result_text({"a": 75, "b": 25}), result_text({"a": 100, "b": 0}, {"a": "White"})
    ('a gets 75, b gets 25', 'White wins')
    >>> result_text({"a": 100}), result_text({"a": 60})
    ('the puzzle is solved', 'a gets 60')
    """
    return ", ".join(_clauses(goals, {}, names or {}))


def result_sentence(goals: Mapping[str, int | None], names: Mapping[str, str]) -> str:
    """Describe the goals at an end in a sentence; names of roles stay as they are.

    >>> result_sentence({"a": 50, "b": 50}, {}), result_sentence({"a": 100, "b": 0}, {})
    ('It is a draw.', 'a wins.')
    """
    text = result_text(goals, names)
    names_nobody = _verdict_on(goals, {}) is not None and len(set(goals.values())) == 1
    return f"{text[0].upper()}{text[1:]}." if names_nobody else f"{text}."


def stuck_text(roles: Sequence[str]) -> str:
    """Say that play cannot go on because roles have no move.

    >>> stuck_text(["guest"])
    'no result: guest has no legal move, and the state is not terminal'
    """
    have = "has" if len(roles) == 1 else "have"
    return f"no result: {' and '.join(roles)} {have} no legal move, and the state is not terminal"


def end_text(goals: Mapping[str, int | None], names: Mapping[str, str] | None = None) -> str:
    """Describe the goals at an end, with the goals where the words do not name them all.

    >>> end_text({"a": 100, "b": 0})
    'a wins (a 100, b 0)'
    >>> end_text({"a": 75, "b": 25}), end_text({"a": 60})
    ('a gets 75, b gets 25', 'a gets 60')
    """
    names = names or {}
    result = result_text(goals, names)
    is_whole = _verdict_on(goals, {}) is None
    listed = ", ".join(f"{names.get(role, role)} {goal}" for role, goal in goals.items())
    return result if is_whole else f"{result} ({listed})"


def value_text(described: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Describe the value of a state, from `Values.as_json`, as the end of *with best play …*.

    >>> value_text({"value": {"a": 100, "b": 0}, "distance": 3, "own_moves": 2})
    'a wins in 2 moves'
    >>> value_text({"value": {"a": 60, "b": None}, "distance": 3, "bounds": {"b": (20, 90)}})
    'a gets 60, b gets 20 to 90 as ties are broken, after 3 moves'
    >>> value_text({"value": {"a": 50, "b": 50}, "distance": None})
    'nobody wins: play need never end, which counts 50 for each'
    """
    values, plies, names = described["value"], described["distance"], names or {}
    is_endless = plies is None and "bounds" not in described
    if is_endless and len(values) > 1:
        each = [f"{value} for {names.get(role, role)}" for role, value in values.items()]
        if len(set(values.values())) == 1:
            each = [f"{next(iter(values.values()))} for each"]
        return f"nobody wins: play need never end, which counts {join_words(each)}"
    clauses = _clauses(values, described.get("bounds", {}), names)
    if plies is None:
        return ", ".join([*clauses, "and play need never end"] if is_endless else clauses)
    length = length_text(plies, described.get("own_moves"))
    return f"{clauses[0]} {length}" if len(clauses) == 1 else ", ".join([*clauses, length])


def _clauses(
    values: Mapping[str, Any],
    bounds: Mapping[str, tuple[float, float]],
    names: Mapping[str, str],
) -> list[str]:
    """Describe what each role gets, or the result for all in one clause."""
    verdict = _verdict_on(values, names)
    if verdict is not None:
        return [verdict]
    clauses = []
    for role, value in values.items():
        name = names.get(role, role)
        if isinstance(value, int):
            clauses.append(f"{name} gets {value}")
        elif value is not None:
            clauses.append(f"{name} gets {value:g} on average")
        elif role in bounds:
            low, high = bounds[role]
            clauses.append(f"{name} gets {low} to {high} as ties are broken")
        else:
            clauses.append(f"{name} has no goal")
    return clauses


def _verdict_on(values: Mapping[str, Any], names: Mapping[str, str]) -> str | None:
    """Describe whole goals of all roles in one clause, if there is one for them."""
    found = [value for value in values.values() if isinstance(value, int)]
    if len(found) < len(values):
        return None
    if len(found) > 1 and len(set(found)) == 1:
        return equal_text(found[0], len(found))
    if found == [100]:
        return "the puzzle is solved"
    if sorted(found) == [0] * (len(found) - 1) + [100]:
        winner = next(role for role, value in values.items() if value)
        return f"{names.get(winner, winner)} wins"
    return None
