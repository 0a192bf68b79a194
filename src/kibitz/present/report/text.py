"""Render reports as text for the terminal, with the figures in which games are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kibitz.present.explanation.text import (
    accuracy_sentence,
    measured_heading,
    strength_rows,
    yardstick_sentences,
)
from kibitz.present.report.figures import (
    Deadwood,
    Estimate,
    Lengths,
    Report,
    RuleCount,
    Sampled,
)
from kibitz.wording import counted, side_name, side_names, value_text

_MOST = 8


def as_text(report: Report) -> str:
    """Write a report for a terminal.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present.report import Wish, make_report
    >>> print(as_text(make_report(load_sheet("nim:1,2"), Wish(rule_seconds=0))).splitlines()[1])
      value        with best play Player 1 wins in 2 moves
    """
    lines = [f"{report.title}: {' and '.join(map(side_name, report.roles))}, {report.kind}"]
    lines += [f"  {name:<13}{text}" for name, text in report_rows(report)]
    for number, hard in enumerate(report.hardest, start=1):
        lines.append(
            f"  hard position {number}: {side_name(hard.role)} to move, {_right(hard.good)}"
        )
        lines += [f"    {line}" for line in hard.board.splitlines()]
        if hard.chances:
            chances = ", ".join(f"{name} {percent(p)}" for name, p in hard.chances.items())
            lines.append(f"    wins against perfect play: {chances}")
    if report.was_interrupted:
        lines.append("  interrupted: what is not here was not worked out")
    return "\n".join(lines)


def headline(report: Report) -> str:
    """Describe the value of the game in a clause."""
    if report.value is None or "value" not in report.value:
        known = report.value or {}
        if "proved" in known:
            text = " ".join(known["proved"]).removesuffix(".")
            return text[:1].lower() + text[1:]
        goals = known.get("sure", {})
        bounds = [f"{side_name(role)} is guaranteed {goal}" for role, goal in goals.items() if goal]
        return f"not solved: {report.why_unsolved}" + (f"; {', '.join(bounds)}" if bounds else "")
    return f"with best play {value_text(report.value, side_names(report.roles))}"


def headline_sentence(report: Report) -> str:
    """Describe it in a sentence; one that begins with the name of a role keeps its letters."""
    said = headline(report)
    is_role = " gets " in said.partition(",")[0]
    return (said if is_role else said[:1].upper() + said[1:]) + "."


def report_rows(report: Report) -> Iterator[tuple[str, str]]:
    """Walk the rows of a report, each with its name; one without a name goes on from the last."""
    yield "value", headline(report)
    if report.states:
        ends = f"{report.terminal_states:,} of them ends"
        matches = f", {count(report.matches)} different matches" if report.matches else ""
        size = f"{counted(report.states, 'position')}, {ends}, {counted(report.moves, 'move')}"
        yield "size", size + matches
    if report.symmetries:
        yield "symmetries", f"{report.symmetries.order:,}"
    for name, lengths in report.lengths.items():
        yield f"{name} play", how_long(lengths)
    if (wide := report.branching) is not None:
        yield (
            "choices",
            f"{wide.over_states:.1f} a position, {wide.in_random_play:.1f} in random "
            f"play, {wide.most} at most; {percent(wide.forced)} of moves are forced",
        )
    random = report.outcome("random")
    if len(report.roles) > 1 and random:
        states = report.drawn_states
        of_states = "" if states is None else f"{percent(states)} of positions, "
        yield "draws", f"{of_states}{percent(random.drawn)} of random matches"
    yield from _skills(report)
    if (made := report.decisions) is not None:
        yield (
            "decisions",
            f"{made.that_matter:,} of {made.with_choice:,} positions with a choice matter, "
            f"{made.on_best_play:,} of them in best play; {made.only_move:,} have one right move",
        )
        if made.that_matter:
            yield (
                "",
                f"{made.per_random_match:.1f} in a random match, {made.per_best_match:.1f} in one "
                f"of best play; there {percent(made.mistakes)} of random moves are mistakes",
            )
    for opening in report.openings[:_MOST]:
        values = " ".join(f"{value}" for value in opening.value.values())
        scores = ", ".join(f"{name} {score:.0f}" for name, score in opening.scores.items())
        alike = f" and {opening.alike - 1} like it" if opening.alike > 1 else ""
        best = " dominant;" if opening.is_dominant else ""
        sign = "=" if opening.keeps_value else "-"
        yield "opening", f"{sign} {opening.move}{alike}: value {values};{best} {scores}"
    if report.rule_counts:
        yield "rules", "; ".join(map(how_many_rules, report.rule_counts))
    if report.measured:
        yield from _measured(report.measured)
    if report.deadwood:
        yield from _dead(report.deadwood)
    for sampled in report.sampled:
        yield from _sampled(sampled)
    for name, why in report.missing.items():
        yield "left out", f"{name.replace('_', ' ')}: {why}"


def _skills(report: Report) -> Iterator[tuple[str, str]]:
    names = report.players
    if len(report.roles) == 1:
        found = [(name, report.outcome(name)) for name in names]
        shown = [f"{name} {percent(sum(o.wins.values()))}" for name, o in found if o]
        if shown:
            yield "gets it all", ", ".join(shown)
    elif report.first is not None:
        played = {s.player: f" in {s.matches:,} matches" for s in report.sampled}
        gains = [(name, report.advantage(name)) for name in names]
        shown = [
            f"{name} {signed(gain)}{played.get(name, '')}"
            for name, gain in gains
            if gain is not None
        ]
        if shown:
            yield "first mover", f"{side_name(report.first)}: {', '.join(shown)}"
    else:
        for name in names:
            if (found_one := report.outcome(name)) is not None:
                goals = ", ".join(
                    f"{side_name(role)} {g:.1f}" for role, g in found_one.goals.items()
                )
                yield name, f"on average {goals}"


def _dead(dead: Deadwood) -> Iterator[tuple[str, str]]:
    if dead.is_empty:
        yield "dead rules", "none" if not dead.unsettled else "none that are known to be"
    for rule in dead.rules[: 2 * _MOST]:
        yield "dead rule", rule.text
    if len(dead.rules) > 2 * _MOST:
        yield "", f"and {len(dead.rules) - 2 * _MOST} more dead rules"
    if dead.unsettled:
        yield "", f"it is not known whether {dead.unsettled} more rules ever fire"
    if dead.fluents_never:
        yield "never holds", _some(dead.fluents_never)
    if dead.fluents_always:
        yield "always holds", _some(dead.fluents_always)
    for role, moves in dead.moves_never.items():
        if moves:
            yield "never legal", f"{side_name(role)}: {_some(moves)}"
    for role, goals in dead.goals_never.items():
        if goals:
            yield "never got", f"{side_name(role)}: {_some([str(goal) for goal in goals])}"


def _sampled(sampled: Sampled) -> Iterator[tuple[str, str]]:
    yield (
        sampled.player,
        f"{sampled.matches:,} matches: {_about(sampled.length)} moves "
        f"({sampled.shortest} to {sampled.longest}), {_about(sampled.branching)} choices",
    )
    wins = ", ".join(
        f"{side_name(role)} {_about(share, 100)}%" for role, share in sampled.wins.items()
    )
    drawn = f", drawn {_about(sampled.drawn, 100)}%" if len(sampled.wins) > 1 else ""
    unfinished = f", {sampled.unfinished} broken off" if sampled.unfinished else ""
    ended = "; time ended it" if sampled.time_ended else ""
    yield "", f"won by {wins}{drawn}{unfinished}{ended}"


def _measured(measured: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "rules", measured_heading(measured)
    for number, rule in enumerate(measured["per_rule"], start=1):
        yield "", f"{number}. {rule['words']}"
    for name, score, interval, matches in strength_rows(measured):
        yield "", f"{score} ({interval}) of 100 points in {matches} matches against {name}"
    for sentence in (yardstick_sentences(measured), accuracy_sentence(measured)):
        if sentence:
            yield "", sentence


def how_long(lengths: Lengths) -> str:
    """Describe how long matches are."""
    if lengths.shortest is None:
        return "need never end"
    span = f"{lengths.shortest} moves"
    if lengths.longest is None:
        span = f"{lengths.shortest} moves or more"
    elif lengths.longest != lengths.shortest:
        span = f"{lengths.shortest} to {lengths.longest} moves"
    mean = "" if lengths.mean is None else f", {lengths.mean:.1f} on average"
    left = f"; {percent(lengths.unfinished)} do not end" if lengths.unfinished > 5e-4 else ""
    return span + (mean if lengths.longest != lengths.shortest else "") + left


def how_many_rules(found: RuleCount) -> str:
    """Describe how many rules a role needs."""
    if found.rules is None:
        return f"{side_name(found.role)}: {found.why}"
    rules = "1 rule" if found.rules == 1 else f"{found.rules} rules"
    conditions = "no condition" if not found.literals else counted(found.literals, "condition")
    return f"{side_name(found.role)}: a list of {rules} with {conditions}; {how_few_rules(found)}"


def how_few_rules(found: RuleCount) -> str:
    """Describe what is proved of shorter lists; `explain` also searches for lists that look ahead.

    >>> how_few_rules(RuleCount("x", 5, 9, lower_bound=4))
    'of lists that do not look ahead, none has fewer than 4'
    """
    ended = "; time ended the search" if found.time_ended else ""
    if found.proved_minimal:
        return "of lists that do not look ahead, none is shorter"
    return f"of lists that do not look ahead, none has fewer than {found.lower_bound}{ended}"


COMPARED: tuple[tuple[str, str], ...] = (
    ("states", "States"),
    ("matches", "Different matches"),
    ("value", "Best play"),
    ("length_random", "Moves, random play"),
    ("length_best", "Moves, best play"),
    ("branching", "Choices, random play"),
    ("drawn_states", "Drawn states"),
    ("drawn_random", "Drawn random matches"),
    ("advantage_random", "First mover, random"),
    ("advantage_slips", "First mover, slips 10%"),
    ("decisions", "Decisions that matter, random match"),
    ("rules", "Rules, all roles"),
    ("dead_rules", "Dead rules"),
    ("symmetries", "Symmetries"),
)
"""The figures by which games are compared: their keys and titles."""


def comparison(report: Report) -> dict[str, Any]:
    """Return the figures of a report by which it is compared with others, None where not known."""
    random = report.outcome("random")
    lengths = report.lengths
    sampled = report.sampled[0] if report.sampled else None
    counted = [found.rules for found in report.rule_counts if found.rules is not None]
    drawn = None if random is None or len(report.roles) == 1 else random.drawn
    return {
        "states": report.states if report.is_complete else None,
        "matches": report.matches,
        "value": (report.value or {}).get("value"),
        "length_random": lengths["random"].mean
        if "random" in lengths
        else sampled and sampled.length.mean,
        "length_best": lengths["best"].mean if "best" in lengths else None,
        "branching": report.branching.in_random_play
        if report.branching
        else sampled and sampled.branching.mean,
        "drawn_states": report.drawn_states,
        "drawn_random": drawn if sampled is None else sampled.drawn.mean,
        "advantage_random": report.advantage("random"),
        "advantage_slips": report.advantage("slips 10%"),
        "decisions": report.decisions.per_random_match if report.decisions else None,
        "rules": sum(counted) if counted and len(counted) == len(report.roles) else None,
        "dead_rules": len(report.deadwood.rules) if report.deadwood else None,
        "symmetries": report.symmetries.order if report.symmetries else None,
    }


def percent(share: float) -> str:
    """Write a share; small ones with more digits.

    >>> percent(0.125), percent(0.001), percent(1.0)
    ('12.5%', '0.1%', '100%')
    """
    text = f"{100 * share:.1f}"
    return text.removesuffix(".0") + "%"


def signed(share: float) -> str:
    """Write a difference of shares with its sign.

    >>> signed(0.25), signed(-0.5), signed(0.0)
    ('+25%', '-50%', 'even')
    """
    text = percent(abs(share))
    if text == "0%":
        return "even"
    return ("+" if share > 0 else "-") + text


def count(number: float) -> str:
    """Write a count, a large one as a power of ten.

    >>> count(255168.0), count(1.2e20)
    ('255,168', '1.2e+20')
    """
    return f"{number:,.0f}" if number < 1e12 else f"{number:.2g}"


def short(number: float) -> str:
    """Write a mean with a digit behind the point, a large one as a count.

    >>> short(3.14159), short(1061520150601.0)
    ('3.1', '1.1e+12')
    """
    return f"{number:.1f}" if abs(number) < 10_000 else count(number)


def _about(found: Estimate, scale: float = 1.0) -> str:
    low, high = scale * found.low, scale * found.high
    return f"{short(scale * found.mean)} [{short(low)}, {short(high)}]"


def _right(moves: Sequence[str]) -> str:
    return f"right {'is' if len(moves) == 1 else 'are'} {_some(moves)}"


def _some(words: Sequence[str]) -> str:
    more = f" and {len(words) - _MOST} more" if len(words) > _MOST else ""
    return " ".join(words[:_MOST]) + more


def compare_text(reports: Sequence[Report]) -> str:
    """Write a table of games side by side."""
    columns = [comparison(report) for report in reports]
    width = max(12, *(len(report.title) for report in reports)) + 2
    lines = [" " * 37 + "".join(f"{report.title:>{width}}" for report in reports)]
    for key, title in COMPARED:
        cells = "".join(f"{cell_text(key, column[key]):>{width}}" for column in columns)
        lines.append(f"{title:<37}{cells}")
    return "\n".join(lines)


def cell_text(key: str, value: Any) -> str:
    """Write one compared figure."""
    if value is None:
        return "–"
    if key == "value":
        return " ".join("–" if v is None else f"{v:g}" for v in value.values())
    if key.startswith("drawn"):
        return percent(value)
    if key.startswith("advantage"):
        return signed(value)
    if key in ("length_random", "length_best", "branching", "decisions"):
        return short(value)
    return count(value)
