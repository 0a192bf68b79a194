"""What was measured of a list, as plain data, in; out its tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kibitz.wording import counted, join_words, side_name

__all__ = [
    "AGAIN",
    "NOT_PROVED",
    "accuracy_sentence",
    "measured_heading",
    "measured_lines",
    "opponent_words",
    "points_line",
    "rule_rows",
    "rules_line",
    "strength_rows",
    "yardstick_sentences",
]

Measured = Mapping[str, Any]

NOT_PROVED = "measured, not proved"
_EVEN = 50
"""Points of moves at random where nobody is better off."""
TIME_ENDED = "Time ended the search: with more of it, or on another machine, others may be found."
AGAIN = "To look for such rules again, perhaps for more of them, or in more rounds:"


def opponent_words(name: str) -> str:
    """Put the name of an opponent into words.

    >>> opponent_words("uct:1000")
    'tree search with 1,000 playouts a move (uct:1000)'
    """
    if name.startswith("uct:"):
        return f"tree search with {int(name[4:]):,} playouts a move ({name})"
    return {"random": "random play", "alone": "played alone"}.get(name, name)


def measured_heading(measured: Measured) -> str:
    """Say how many rules there are for whom, and that they were measured."""
    rules = counted(measured["rules"], "rule")
    return f"{rules} for {join_words([*map(side_name, measured['roles'])])}, {NOT_PROVED}"


def points_line(measured: Measured) -> str:
    """Say what points are."""
    drawn = "" if "alone" in measured["strength"] else ", a draw being half"
    return f"Points of 100{drawn}, with 95 % intervals:"


def rules_line(measured: Measured) -> str:
    """Say what is counted for each rule, and in matches against whom, if that was noted."""
    is_alone = "alone" in measured["strength"]
    watched = measured.get("watched")
    whom = "" if is_alone or watched is None else f" against {opponent_words(watched)}"
    return f"How many of the moves each rule decides{whom}, and the points of the list without it:"


def strength_rows(measured: Measured) -> list[tuple[str, str, str, str]]:
    """Return opponent, points, interval and number of matches, in words and figures."""
    return [
        (
            opponent_words(name),
            f"{found['score']:.1f}",
            _interval(found, 1),
            f"{found['matches']:,}",
        )
        for name, found in measured["strength"].items()
    ]


def rule_rows(measured: Measured) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return against whom, and for each rule its share and the points of the list without it."""
    rules = measured["per_rule"]
    names = list(dict.fromkeys(name for rule in rules for name in rule["without"]))
    rows = []
    for rule in rules:
        points = []
        for name in names:
            found = rule["without"].get(name)
            points.append("" if found is None else f"{found['score']:.0f} ({_interval(found, 0)})")
        rows.append((f"{rule['share']:.1f} %", points))
    return ["" if name == "alone" else f"against {name}" for name in names], rows


def yardstick_sentences(measured: Measured) -> str:
    """Say what moves at random get, where that is not half, and the rating, if there is one."""
    return " ".join(filter(None, [_by_chance(measured), _rating(measured)]))


def _by_chance(measured: Measured) -> str:
    chance = measured.get("by_chance")
    if chance is None or chance["low"] <= _EVEN <= chance["high"]:
        return ""
    is_alone = "alone" in measured["strength"]
    whom = "" if is_alone else f" against {opponent_words('random')}"
    return f"Moves at random get {chance['score']:.1f} ({_interval(chance, 1)}){whom}."


def _rating(measured: Measured) -> str:
    """Describe the rating, if there is one.

    >>> searches = [{"agent": "uct:1000", "rating": 1449.2}, {"agent": "uct:100", "rating": 1092.4}]
    >>> _rating({"elo": 1441.3, "ratings": searches}).partition(", where ")[2]
    'random play has 0 and tree search with 100 and 1,000 playouts a move 1092 and 1449.'
    """
    if measured["elo"] is None or measured["elo"] == 0:
        return ""
    searches = sorted(
        (int(one["agent"][4:]), one["rating"])
        for one in measured["ratings"]
        if one["agent"].startswith("uct:")
    )
    zero = "random play has 0"
    if searches:
        playouts = join_words([f"{count:,}" for count, _ in searches])
        ratings = join_words([f"{rating:.0f}" for _, rating in searches])
        zero += f" and tree search with {playouts} playouts a move {ratings}"
    return f"Rating {measured['elo']:.0f} (Elo), where {zero}."


def accuracy_sentence(measured: Measured) -> str:
    """Describe how often the rules keep what a search proves of a position."""
    one = measured["accuracy"]
    if one is None or "random" not in one:  # which answers from before lack
        return ""
    rest = f" It did not decide {one['open']:,} more." if one["open"] else ""
    after = f" after {counted(one['after'], 'move')} or more" if one["after"] else ""
    return (
        f"Accuracy {one['share']:.0f} % ({_interval(one, 0)}), moves at random "
        f"{one['random']:.0f} %: how often a move keeps the value where a choice matters, as a "
        f"search proves of {one['positions']:,} of {one['judged']:,} random positions{after}.{rest}"
    )


def measured_lines(measured: Measured) -> Iterator[str]:
    """Write all of it for a terminal, without wrapping."""
    yield points_line(measured)
    rows = strength_rows(measured)
    width = max((len(row[0]) for row in rows), default=0)
    for name, score, interval, matches in rows:
        yield f"  {name:{width}}  {score:>5} ({interval}) in {matches} matches"
    for sentence in (yardstick_sentences(measured), accuracy_sentence(measured)):
        yield from [sentence] if sentence else []
    if measured.get("time_ended"):
        yield TIME_ENDED
    names, rule_lines = rule_rows(measured)
    if rule_lines:
        yield rules_line(measured)
    for number, (share, points) in enumerate(rule_lines, start=1):
        without = ", ".join(
            f"{found} {whom}".rstrip() for whom, found in zip(names, points, strict=True) if found
        )
        yield f"  {number}. {share:>7}" + (f"  without it {without}" if without else "")


def _interval(found: Mapping[str, float], digits: int) -> str:
    return f"{found['low']:.{digits}f} to {found['high']:.{digits}f}"
