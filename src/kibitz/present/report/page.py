"""Render reports as one page: for a light or dark screen, and to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kibitz.charts import Bar, bar_chart, histogram, svg_chart
from kibitz.pages import write_page
from kibitz.present.explanation import text as measured_text
from kibitz.present.report import text
from kibitz.present.report.figures import OutcomeChances, Report
from kibitz.wording import side_name

_MOST_COLUMNS = 80


class Share(NamedTuple):
    """A part of a whole: what it is, how large, and the name of its colour."""

    name: str
    size: float
    tone: str

    @property
    def text(self) -> str:
        """The size in words."""
        return text.percent(self.size)


def report_page(reports: Sequence[Report], left_out: Sequence[tuple[str, str]] = ()) -> str:
    """Write reports, and a comparison in front where there are several.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present.report import Wish, make_report
    >>> report = make_report(load_sheet("nim:1,2"), Wish(rule_seconds=0))
    >>> report_page([report]).startswith("<!doctype html>")
    True
    """
    return write_page(
        "report",
        reports=reports,
        left_out=[f"{name}: {why}" for name, why in left_out],
        columns=[text.comparison(report) for report in reports],
        charts=list(_charts(reports)) if len(reports) > 1 else [],
        text=text,
        measured=measured_text,
        tiles=_tiles,
        name_of=lambda r: "game-" + "".join(c if c.isalnum() else "-" for c in r.game),
        length_chart=_length_chart,
        outcome_shares=_outcome_shares,
        state_shares=_state_shares,
        met_shares=_met_shares,
        matrix=_matrix,
        seats=_seats,
    )


def _charts(reports: Sequence[Report]) -> Iterator[tuple[str, str]]:
    """Return a chart for each compared figure that several games have, with its title."""
    columns = [text.comparison(report) for report in reports]
    for key, title in text.COMPARED:
        if key == "value" or sum(column[key] is not None for column in columns) < 2:
            continue
        is_log = key in ("states", "matches")
        bars = [
            Bar(report.title, column[key], text.cell_text(key, column[key]))
            for report, column in zip(reports, columns, strict=True)
        ]
        named = f"{title} (powers of ten)" if is_log else title
        yield named, svg_chart(bar_chart(bars, title=title, is_log=is_log))


def _tiles(report: Report) -> Iterator[tuple[str, str]]:
    if report.states:
        yield "states" if report.is_complete else "states seen", f"{report.states:,}"
    if report.matches:
        yield "different matches", text.count(report.matches)
    figures = text.comparison(report)
    for key, title in (
        ("length_random", "moves in a random match"),
        ("branching", "choices at a move"),
        ("drawn_random", "random matches drawn"),
        ("advantage_random", "first mover’s edge, random"),
        ("decisions", "decisions that matter"),
    ):
        if figures[key] is not None:
            yield title, text.cell_text(key, figures[key])
    for counted in report.rule_counts:
        if counted.rules is not None:
            yield f"rules for {side_name(counted.role)}", str(counted.rules)
    if report.symmetries:
        yield "symmetries", f"{report.symmetries.order:,}"


def _length_chart(chances: Sequence[float]) -> str:
    """Draw how likely a match is to have each length; a long tail is left out.

    >>> _length_chart([0.0, 0.5, 0.5]).count("<rect"), _length_chart([1.0])
    (2, '')
    """
    seen, last = 0.0, -1
    total = sum(chances)
    while last + 1 < len(chances) and seen < 0.999 * total:
        last += 1
        seen += chances[last]
    first = next((i for i, chance in enumerate(chances) if chance), 0)
    step = max(1, -(-(last + 1 - first) // _MOST_COLUMNS))
    bars = []
    for start in range(first, last + 1, step):
        share = sum(chances[start : min(start + step, last + 1)])
        name = f"{start}" if step == 1 else f"{start} to {start + step - 1}"
        bars.append(Bar(f"{name} moves", share, text.percent(share)))
    if len(bars) < 2 or not total:
        return ""
    return svg_chart(histogram(bars, title="Chances of lengths in random play"))


def _state_shares(report: Report) -> list[Share]:
    total = sum(report.values_of_states.values())
    tones = ("tone0", "even", "tone1", "open", "mix")
    named = zip(report.values_of_states.items(), tones, strict=False)
    return [Share(name, n / total, tone) for (name, n), tone in named]


def _outcome_shares(outcome: OutcomeChances) -> list[Share]:
    wins = list(outcome.wins.items())
    if len(wins) == 1:
        all_ = wins[0][1]
        return [
            Share("as much as best play", all_, "tone0"),
            Share("less", 1 - all_ - outcome.unfinished, "even"),
            Share("not ended", outcome.unfinished, "open"),
        ]
    parts = [
        Share(f"{side_name(role)} wins", share, f"tone{i % 6}")
        for i, (role, share) in enumerate(wins)
    ]
    rest = 1 - sum(share for _, share in wins) - outcome.drawn - outcome.unfinished
    middle = [
        Share("drawn", outcome.drawn, "even"),
        Share("first place shared", rest, "mix"),
        Share("not ended", outcome.unfinished, "open"),
    ]
    return [parts[0], *middle, *parts[1:]]


def _met_shares(report: Report) -> list[Share]:
    """Return one share of each kind that some match of players of one kind ended with."""
    outcomes = filter(None, map(report.outcome, report.players))
    shares = [share for outcome in outcomes for share in _outcome_shares(outcome)]
    return list({share.name: share for share in shares if share.size > 1e-9}.values())


def _matrix(report: Report) -> list[tuple[str, list[float]]]:
    """Return what the first mover gets when each kind of player meets each other."""
    players = [name for name in report.players if report.outcome(name)]
    if len(report.roles) != 2 or len(players) < 2:
        return []
    role = report.first or report.roles[0]
    other = next(r for r in report.roles if r != role)
    known = {(o.players[role], o.players[other]): o.goals[role] for o in report.outcomes}
    return [(one, [known[one, two] for two in players]) for one in players]


def _seats(report: Report) -> list[tuple[str, list[float]]]:
    """Return mean goals when one plays otherwise than the rest, who are random."""
    rows = []
    for outcome in report.outcomes if len(report.roles) != 2 else ():
        names = list(outcome.players.values())
        alone = [role for role, name in outcome.players.items() if names.count(name) == 1]
        if len(set(names)) > 1:
            rows.append((f"{alone[0]} {outcome.players[alone[0]]}", list(outcome.goals.values())))
    return rows
