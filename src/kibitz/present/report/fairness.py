"""Judge the fairness of a Report's game: with best play, and among players of each skill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kibitz.present.report import text
from kibitz.present.report.figures import OPPOSED, Report
from kibitz.wording import counted, join_words, side_name

Verdict = Literal["even", "uneven", "open", "alone"]


@dataclass(frozen=True, slots=True)
class SkillRow:
    """How matches end among players of one kind: shares that are named; exact, or of `matches`.

    `player` says how they play, as in *everyone plays at random*.
    """

    player: str
    shares: dict[str, float]
    text: str
    matches: int | None


@dataclass(frozen=True, slots=True)
class Fairness:
    """Whether a game is fair: a verdict on best play with its sentence, and a row for each skill.

    `open` where best play is not known or leaves it open, `alone` where there is one player.
    """

    verdict: Verdict
    sentence: str
    skills: tuple[SkillRow, ...]


def fairness_of(report: Report) -> Fairness:
    """Say whether a game is fair.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present.report import Wish, make_report
    >>> found = fairness_of(make_report(load_sheet("nim:1,2"), Wish(rule_seconds=0)))
    >>> found.sentence
    'Not fair with best play: Player 1 wins in 2 moves, whatever the other does.'
    >>> found.skills[0].text
    'Player 1 wins 50%, Player 2 wins 50%'
    """
    verdict, sentence = _best_play(report)
    return Fairness(verdict, sentence, (*_exact(report), *_played(report)))


def _best_play(report: Report) -> tuple[Verdict, str]:
    said = text.headline(report).removeprefix("with best play ")
    known = report.value or {}
    values = known.get("sure" if "proved" in known else "value")
    if len(report.roles) == 1:
        return "alone", f"A game for one player: {said}."
    if values is None:
        sure = known.get("sure", {})
        winners = [side_name(role) for role, goal in sure.items() if goal == 100]
        if winners:
            why = f"The game is not solved: {report.why_unsolved}."
            return "open", f"{join_words(winners)} can force 100 of 100, whatever others do. {why}"
        return "open", f"Whether it is fair with best play is not known: {said}."
    if any(value is None for value in values.values()):
        return "open", f"Whether it is fair depends on how ties are broken: {said}."
    goals = [float(value) for value in values.values()]
    if max(goals) - min(goals) < 1e-6:
        return "even", f"Fair with best play: {said}."
    is_win = report.kind == OPPOSED and sorted(goals) == [0, 100]
    forced = ", whatever the other does" if is_win and (report.value or {}).get("distance") else ""
    return "uneven", f"Not fair with best play: {said}{forced}."


def _skill(player: str) -> str:
    """Say how a player of a report plays.

    >>> [_skill(player) for player in ("random", "depth 2", "slips 10%", "perfect", "tree search")]
    ['at random', '2 rounds ahead', 'with slips, 10%', 'perfectly', 'by tree search']
    """
    word, _, number = player.partition(" ")
    if word == "depth":
        return f"{counted(int(number), 'round')} ahead"
    if word == "slips":
        return f"with slips, {number}"
    return {"random": "at random", "perfect": "perfectly"}.get(player, f"by {player}")


def _exact(report: Report) -> list[SkillRow]:
    found: list[SkillRow] = []
    for player in report.players:
        outcome = report.outcome(player)
        if outcome is None or len(report.roles) == 1:
            continue
        shares = {f"{side_name(role)} wins": share for role, share in outcome.wins.items()}
        rest = 1 - sum(outcome.wins.values()) - outcome.drawn - outcome.unfinished
        shares |= {"drawn": outcome.drawn, "first place shared": rest}
        shares["not ended"] = outcome.unfinished
        shares = {name: share for name, share in shares.items() if share > 5e-4}
        said = ", ".join(f"{name} {text.percent(share)}" for name, share in shares.items())
        found.append(SkillRow(_skill(player), shares, said, None))
    return found


def _played(report: Report) -> list[SkillRow]:
    found: list[SkillRow] = []
    for sampled in report.sampled:
        if len(report.roles) == 1:
            continue
        shares = {f"{side_name(role)} wins": one for role, one in sampled.wins.items()}
        shares["drawn"] = sampled.drawn
        said = join_words(
            [
                f"{name} {text.percent(one.mean)} "
                f"[{text.percent(one.low)}, {text.percent(one.high)}]"
                for name, one in shares.items()
            ]
        )
        means = {name: one.mean for name, one in shares.items()}
        found.append(SkillRow(_skill(sampled.player), means, said, sampled.matches))
    return found
