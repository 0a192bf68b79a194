"""A rule sheet in, its Explanation or Lesson out: from the cache, as shipped, or worked out now.

What is kept depends on the rules, the options, the role and the files beside the rule sheet, and
on the program itself. Only complete results are kept. A kept result is read without
importing what makes it. An answer that came with Kibitz is checked again, and then kept.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.budget import limit_command, run_watched, time_left
from kibitz.cache import key_of, load, store
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.present.answers import Answer, answer_of, recheck
from kibitz.reading import read_bytes

if TYPE_CHECKING:
    from kibitz.gdl import RuleSheet
    from kibitz.present.explanation.explanation import Explanation
    from kibitz.present.explanation.options import StudyOptions
    from kibitz.present.lesson.lesson import Lesson

__all__ = ["explain_cached", "explanation_at_hand", "lessons_at_hand", "teach_cached"]

Report = Callable[[str], None]
Tell = Callable[[tuple[Any, ...]], None]
T = TypeVar("T")

_RESERVE = 4
"""How many budgets of memory a child may reserve; its stages bound what they use."""
_GRACE_S = 20.0
"""How long work that was interrupted may take to return what it has."""


def explain_cached(
    game: str,
    sheet: RuleSheet,
    options: StudyOptions,
    role: str | None = None,
    *,
    cache: bool = True,
    report: Report | None = None,
    first: Callable[[Explanation], None] = lambda known: None,
    seen: Callable[[Explanation], None] | None = None,
    draft: Callable[[str, list[str]], None] | None = None,
) -> tuple[Explanation, bool]:
    """Explain a game, and return whether Ctrl-C ended that; `game` names its rule sheet.

    It takes as long as the options say, by the clock; what is known then is the answer. An
    interrupt before anything is known is raised again. An answer that came with Kibitz is given
    to `first` before it is checked again; if it does not hold, the game is explained anew. Then
    `seen` gets what is known as it grows, and `draft` rules while shorter ones are looked for.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present import StudyOptions
    >>> found, _ = explain_cached("nim:1,2", load_sheet("nim:1,2"), StudyOptions(), cache=False)
    >>> found.worth[0]
    'With best play Player 1 wins in 2 moves.'
    """
    from kibitz.present.explanation.explanation import Explanation

    key = _key("explain", game, sheet, options, role)
    if cache and (kept := load(key, Explanation)) is not None:
        return kept, False
    answer = _shipped(game, sheet, options) if cache else None
    shipped = None if answer is None else answer.for_role(role)
    if answer is not None and shipped is not None:
        first(shipped)
        if _holds(answer, sheet, options, report):
            store(key, shipped)
            return shipped, False
    from kibitz.english import use_files_beside
    from kibitz.present.explanation.study import Study

    latest: list[Explanation] = []

    def work(tell: Tell) -> tuple[Explanation, bool]:
        study = Study(
            sheet,
            options,
            report=lambda message: tell(("report", message)),
            seen=lambda known: tell(("seen", known)),
            draft=draft and (lambda *rules: tell(("draft", *rules))),
            kept=lambda known: tell(("kept", known)),
        )
        try:
            study.run(role, prepare=lambda made: use_files_beside(made, game))
        except KeyboardInterrupt:
            if not study.known.roles:
                raise
            return study.known, True
        return study.known, False

    def keep(known: Explanation) -> None:
        latest[:] = [known]

    heard = {"seen": seen, "draft": draft, "kept": keep}
    try:
        known, was_interrupted = _in_time(options, work, f"explaining {sheet.name}", report, heard)
    except BudgetExceededError as error:
        if not latest or not latest[0].roles:
            raise
        ended = f"There is no more here: {error.message}. To get more, {error.hint}."
        known, was_interrupted = replace(latest[0], ended=ended), False
    except KeyboardInterrupt:
        if not latest or not latest[0].roles:
            raise
        known, was_interrupted = latest[0], True
    if cache and known.is_whole and not was_interrupted:
        store(key, known)
    return known, was_interrupted


def teach_cached(
    game: str,
    sheet: RuleSheet,
    options: StudyOptions,
    role: str | None = None,
    *,
    cache: bool = True,
    report: Report = lambda message: None,
) -> Lesson:
    """Make a lesson for a role, or for the first that has rules; raise InputError if none has."""
    from kibitz.present.lesson.lesson import Lesson, make_lesson

    key = _key("teach", game, sheet, options, role)
    if cache and (kept := load(key, Lesson)) is not None:
        return kept
    answer = _shipped(game, sheet, options) if cache else None
    shipped = None if answer is None else answer.lesson_for(role)
    if answer is not None and shipped is not None and _holds(answer, sheet, options, report):
        store(key, shipped)
        return shipped
    from kibitz.english import use_files_beside
    from kibitz.present.explanation.study import Study
    from kibitz.present.lesson.measured_lesson import measured_lesson

    def work(tell: Tell) -> Lesson:
        def say(message: str) -> None:
            tell(("report", message))

        study = Study(sheet, options, say)
        study.run(role, prepare=lambda made: use_files_beside(made, game), one_is_enough=True)
        part = next((part for part in study.known.parts if part.rules), None)
        if part is None:
            parts = (text for p in study.known.parts for text in (p.worth, p.note) if text)
            reasons = [*study.known.limits, *parts]
            why = " ".join(reasons or study.known.worth).strip()
            raise InputError(
                f"there are no rules to teach: {why}", hint=f"kibitz explain {game} says more"
            )
        say("choosing positions")
        if study.measured is not None and study.game is not None:
            whom = study.measured.matches[0].role
            return measured_lesson(study.game, study.known, study.measured, whom, seed=options.seed)
        return make_lesson(study.known, part, study.synthesised[part.role], seed=options.seed)

    lesson = _in_time(options, work, f"making a lesson of {sheet.name}", report, {})
    if cache:
        store(key, lesson)
    return lesson


def _allowed_s(options: StudyOptions) -> float:
    """Return the seconds that an answer may take, and no more than the command has left."""
    return options.budget.seconds if options.seconds is None else options.seconds


def _in_time(
    options: StudyOptions,
    work: Callable[[Tell], T],
    doing: str,
    report: Report | None,
    heard: Mapping[str, Callable[..., None] | None],
) -> T:
    """Work in a child that ends after the seconds allowed, by the clock.

    What it tells is passed on: `report` gets its last message again and again, others by their
    names.
    """
    allowed, begin = _allowed_s(options), time.monotonic()
    budget = replace(options.budget, seconds=allowed, reserve=_RESERVE)
    last = [doing]

    def in_child(tell: Callable[[Any], None]) -> T:
        signal.signal(signal.SIGINT, _interrupt_once)
        limit_command(min(allowed, time_left()), begin)
        return work(tell)

    def receive(news: Any) -> None:
        name, *values = news
        if name == "report":
            last[:] = values
        elif (hear := heard.get(name)) is not None:
            hear(*values)

    def check() -> None:
        if report:
            report(last[0])
        if time.monotonic() >= begin + allowed:
            raise budget.exceeded("time", doing)

    return run_watched(budget, in_child, report=receive, check=check, doing=doing, grace_s=_GRACE_S)


def _interrupt_once(number: int, frame: object) -> None:
    """Let work end with what it has; the terminal and the parent may both send the signal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def explanation_at_hand(game: str, sheet: RuleSheet) -> Explanation | None:
    """Return what came with Kibitz, not checked again, or what was found before; or nothing.

    >>> from kibitz.games import load_sheet
    >>> explanation_at_hand("nim", load_sheet("nim")).story[0]
    'There are piles of 1, 3, 5 and 7 counters.'
    """
    from kibitz.present.explanation.explanation import Explanation
    from kibitz.present.explanation.options import StudyOptions

    options = StudyOptions()
    answer = _shipped(game, sheet, options)
    if answer is not None:
        return answer.explanation
    return load(_key("explain", game, sheet, options, None), Explanation)


def lessons_at_hand(game: str, sheet: RuleSheet, roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the roles whose lesson is kept or came with Kibitz, and so needs no search.

    >>> from kibitz.games import load_sheet
    >>> lessons_at_hand("tictactoe", load_sheet("tictactoe"), ("xplayer", "oplayer", "nobody"))
    ('xplayer', 'oplayer')
    """
    from kibitz.present.explanation.options import StudyOptions
    from kibitz.present.lesson.lesson import Lesson

    options = StudyOptions()
    answer = _shipped(game, sheet, options)
    shipped = answer.lessons if answer is not None else {}
    keys = {role: _key("teach", game, sheet, options, role) for role in roles}
    return tuple(role for role in roles if role in shipped or load(keys[role], Lesson) is not None)


def _shipped(game: str, sheet: RuleSheet, options: StudyOptions) -> Answer | None:
    """Return the answer that came with Kibitz, unless files beside the sheet change its words."""
    return None if _files_beside(game) else answer_of(sheet, options)


def _holds(answer: Answer, sheet: RuleSheet, options: StudyOptions, report: Report | None) -> bool:
    """Check an answer again; say what is wrong if it does not hold."""
    say = report or (lambda message: None)
    say("checking the answer that came with Kibitz")
    try:
        broken = recheck(answer.explanation, sheet, options)
    except KibitzError as error:
        broken = f"it cannot be checked here: {error.message}"
    if broken:
        say(f"that answer is not used: {broken}")
    return not broken


def _key(command: str, game: str, sheet: RuleSheet, options: StudyOptions, role: str | None) -> str:
    files = [read_bytes(path) for path in _files_beside(game)]
    rules = (sheet.name, sheet.source.text, sheet.as_gdl1)
    return key_of([command, *rules, role, options.key, *files])


def _files_beside(game: str) -> list[Path]:
    """Return the files beside a rule sheet; nothing is loaded for a game of the library."""
    if not Path(game).is_file():
        return []
    from kibitz.english import files_beside

    return files_beside(game)
