"""Write a folder of pages from rule sheets: one page for each game, and an index to browse.

Every game gets a part of the time, in a process that is ended when it uses more time or memory than
that. What is known of a game carries a stamp of its rules, so that a run that was stopped goes on
where it was.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.budget import Budget, run_within
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet
from kibitz.wording import counted, side_name

if TYPE_CHECKING:
    from kibitz.present.explanation.explanation import Explanation, RoleAdvice
    from kibitz.present.report.figures import HardPosition, Report


Progress = Callable[[str], None]
Found = TypeVar("Found")
_SHARE = 0.45
"""Of a game's time, what its explanation and its report may take each."""


@dataclass(frozen=True, slots=True)
class Source:
    """A game that is asked for: its name, and how its rules are read."""

    name: str
    read: Callable[[], RuleSheet]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """Index entry of one game; `why_not` says why there is nothing else."""

    game: str
    stamp: str
    why_not: str = ""
    missing: tuple[str, ...] = ()
    """What could not be done within the bounds."""
    page: str = ""
    report: str = ""
    """Files of the folder, where there are such pages."""
    title: str = ""
    svg: str = ""
    value: str = ""
    states: int | None = None
    length: str = ""
    fairness: str = ""
    rules: tuple[str, ...] = ()
    """For each role, how many rules, and whether shorter lists can do."""
    rules_for: str = ""
    rules_bound: str = ""
    """What is proved of the list in `first_rules`, in sentences."""
    effort: str = ""
    """How hard the lessons that come with Kibitz are, and how long they take."""
    first_rules: tuple[str, ...] = ()
    """The role with the fewest rules of those that have some, and its list."""
    puzzle: str = ""
    puzzle_svg: str = ""
    figures: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values, without pictures."""
        import msgspec

        found: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in found.items() if not name.endswith("svg")}


def study_games(
    sources: Iterable[Source],
    folder: Path,
    *,
    budget: Budget,
    max_states: int = 3_000_000,
    progress: Progress = lambda message: None,
) -> Iterator[tuple[CatalogueEntry, dict[str, str]]]:
    """Study one game after another; yield what the index shows of it, and files for the folder.

    What the folder has of the same rules and bounds is taken as it is, and brings no files.
    """
    for source in sources:
        progress(source.name)
        yield _entry_of(source, folder, budget, max_states)


def write_index(entries: Sequence[CatalogueEntry]) -> str:
    """Write the page from which one goes to the games.

    >>> "no game" in write_index([CatalogueEntry("x.kif", "", why_not="no game")])
    True
    """
    from kibitz.pages import write_page

    return write_page(
        "catalogue",
        entries=[entry for entry in entries if not entry.why_not],
        left_out=[f"{entry.game}: {entry.why_not}" for entry in entries if entry.why_not],
    )


def file_name(game: str) -> str:
    """Return a name for files about a game: letters, digits, and what tells two games apart.

    >>> file_name("nim:1,3,5"), file_name("sheets/a/b.kif")
    ('nim_1_3_5', 'sheets_a_b_kif')
    """
    plain = re.sub(r"[^A-Za-z0-9-]+", "_", game).strip("_")
    if len(plain) <= 80:
        return plain
    return f"{plain[-60:]}-{hashlib.sha256(game.encode()).hexdigest()[:12]}"


def _entry_of(
    source: Source, folder: Path, budget: Budget, max_states: int
) -> tuple[CatalogueEntry, dict[str, str]]:
    import msgspec

    try:
        sheet = source.read()
    except KibitzError as error:
        return CatalogueEntry(source.name, "", why_not=_first_line(error, source.name)), {}
    stamp = _stamp(sheet, budget, max_states)
    kept = f"{file_name(source.name)}.json"
    if (known := _kept(folder / kept)) is not None and known.stamp == stamp:
        return known, {}
    entry, files = _study(source.name, sheet, stamp, budget, max_states)
    return entry, files | {kept: msgspec.json.encode(entry).decode() + "\n"}


def _kept(path: Path) -> CatalogueEntry | None:
    import msgspec

    try:
        return msgspec.json.decode(path.read_bytes(), type=CatalogueEntry)
    except (OSError, msgspec.MsgspecError):
        return None


def _stamp(sheet: RuleSheet, budget: Budget, max_states: int) -> str:
    """Return what an entry rests on: the rules, the program's version, and the bounds."""
    from kibitz import __version__

    rules = (sheet.source.text, sheet.as_gdl1)
    asked = (*rules, __version__, budget.seconds, budget.bytes, max_states)
    return hashlib.sha256(repr(asked).encode()).hexdigest()


def _study(
    name: str, sheet: RuleSheet, stamp: str, budget: Budget, max_states: int
) -> tuple[CatalogueEntry, dict[str, str]]:
    """Explain a game and report on it; return what the index shows, and the two pages."""
    share = Budget(seconds=budget.seconds * _SHARE, bytes=budget.bytes)
    part = Budget(seconds=budget.seconds / 2, bytes=budget.bytes)
    failures: list[str] = []

    def within(doing: str, work: Callable[[], Found]) -> Found | None:
        try:
            return run_within(part, work, doing=f"{doing} {name}")
        except KibitzError as error:
            failures.append(_first_line(error))
            return None

    known = within("explaining", lambda: _explained(name, sheet, share, max_states))
    report = within("reporting on", lambda: _reported(sheet, share, max_states))
    if known is None and report is None:
        return CatalogueEntry(name, stamp, why_not="; ".join(failures)), {}
    entry = _entry(name, stamp, known, report)
    entry = replace(entry, missing=tuple(failures), effort=_effort(sheet))
    return entry, dict(_pages(entry, known, report))


def _explained(name: str, sheet: RuleSheet, budget: Budget, max_states: int) -> Explanation:
    from kibitz.present.cached_study import answer_of, explain_cached
    from kibitz.present.explanation.explanation import StudyOptions

    options = StudyOptions(max_states=max_states, budget=budget)
    if answer_of(sheet, options) is None:
        options = replace(options, seconds=budget.seconds / 4)
    return explain_cached(name, sheet, options)[0]


def _effort(sheet: RuleSheet) -> str:
    from kibitz.present.cached_study import answer_of
    from kibitz.present.explanation.explanation import StudyOptions

    answer = answer_of(sheet, StudyOptions())
    return ", ".join(filter(None, answer.effort)) if answer is not None else ""


def _reported(sheet: RuleSheet, budget: Budget, max_states: int) -> Report:
    from kibitz.present.report.builder import Wish, make_report

    wish = Wish(budget.seconds, budget.bytes, max_states, rule_seconds=0, positions=1)
    return make_report(sheet, wish)


def _pages(
    entry: CatalogueEntry, known: Explanation | None, report: Report | None
) -> Iterator[tuple[str, str]]:
    from kibitz.present.explanation.page import explanation_page
    from kibitz.present.report.page import report_page

    if known is not None:
        yield entry.page, explanation_page(known)
    if report is not None:
        yield entry.report, report_page([report])


def _entry(
    name: str, stamp: str, known: Explanation | None, report: Report | None
) -> CatalogueEntry:
    entry = CatalogueEntry(name, stamp)
    if report is not None:
        entry = _with_report(entry, report)
    return entry if known is None else _with_explanation(entry, known)


def _with_report(entry: CatalogueEntry, report: Report) -> CatalogueEntry:
    from kibitz.present.report.text import comparison, headline_sentence, how_long, signed

    random = report.lengths.get("random")
    sampled = report.sampled[0] if report.sampled else None
    length = f"{how_long(random)}, in random play" if random else ""
    if random is None and sampled is not None:
        mean, low, high = (f"{x:.1f}" for x in astuple(sampled.length))
        length = f"{mean} moves [{low}, {high}] in {sampled.matches:,} random matches"
    advantage = report.advantage("random")
    hardest = report.hardest[0] if report.hardest else None
    return replace(
        entry,
        report=f"{file_name(entry.game)}.report.html",
        title=report.title,
        svg=report.picture,
        value=headline_sentence(report),
        states=report.states if report.is_complete else None,
        length=length,
        fairness="" if advantage is None else f"first to move: {signed(advantage)} in random play",
        puzzle=_task(hardest) if hardest else "",
        puzzle_svg=hardest.picture if hardest else "",
        figures=comparison(report),
    )


def _with_explanation(entry: CatalogueEntry, known: Explanation) -> CatalogueEntry:
    lists = [part for part in known.parts if part.rules]
    shortest = min(lists, key=lambda part: len(part.rules), default=None)
    return replace(
        entry,
        page=f"{file_name(entry.game)}.html",
        title=known.title,
        svg=known.svg or entry.svg,
        value=" ".join(known.worth[:1]) or entry.value,
        states=entry.states if known.states is None else known.states,
        rules=tuple(_how_many(part) for part in lists),
        rules_for=shortest.role if shortest else "",
        rules_bound=shortest.bound if shortest else "",
        first_rules=tuple(rule.sentence for rule in shortest.rules) if shortest else (),
    )


def _task(hardest: HardPosition) -> str:
    moves = "1 move" if len(hardest.good) == 1 else f"{len(hardest.good)} moves"
    found = "is right" if len(hardest.good) == 1 else "are right"
    return f"{side_name(hardest.role)} to play: {moves} of {hardest.moves} {found}."


def _how_many(part: RoleAdvice) -> str:
    found = f"{side_name(part.role)}: {counted(len(part.rules), 'rule')}"
    if part.measured is not None:
        return f"{found}, measured"
    if part.holds_for is not None:
        return f"{found}, proved for every size" if part.holds_for["proved"] else found
    if part.proved_minimal:
        return f"{found}, proved shortest"
    return f"{found}, at least {part.lower_bound}" if part.lower_bound > 1 else found


def _first_line(error: KibitzError, name: str = "") -> str:
    return error.message.partition("\n")[0].removeprefix(f"{name}:").strip()
