"""Fetch an explanation or lesson: shipped, cached, or made anew.

An answer is what `kibitz explain` and `kibitz teach` found with their usual options when it was
made, by tools/write_answers.py. It belongs to one text of rules. Nothing in it is believed: values
and lists that are called proved are worked out again by `recheck`, which takes seconds; finding the
lists took minutes.

What is kept depends on the rules, the options, the role and the files beside the rule sheet, and
on the program itself. Only complete results are kept. A kept result is read without
importing what makes it. An answer that came with Kibitz is checked again, and then kept.
"""

from __future__ import annotations

import gzip
import hashlib
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.budget import limit_command, run_watched, time_left
from kibitz.cache import key_of, load, store
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.present.explanation.explanation import Explanation, RoleAdvice, StudyOptions
from kibitz.reading import read_bytes

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, Role
    from kibitz.gdl import RuleSheet
    from kibitz.present.explanation.explanation import Explanation, StudyOptions
    from kibitz.present.lesson.lesson import Lesson
    from kibitz.solve import Solution
    from kibitz.space import StateSpace


FOLDER = Path(__file__).parent.parent / "games" / "answers"
_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """Cached study of one text of rules: an explanation, and a lesson for each role with rules."""

    rules: str
    explanation: Explanation
    lessons: dict[str, dict[str, object]]
    """Lessons as plain values, which are read when one is asked for."""

    def for_role(self, role: Role | None) -> Explanation | None:
        """Return the explanation with the rules for one role alone, or None if there are none."""
        if role is None:
            return self.explanation
        parts = tuple(p for p in self.explanation.parts if p.role == role and p.rules)
        return replace(self.explanation, parts=parts) if parts else None

    def lesson_for(self, role: Role | None) -> Lesson | None:
        """Return the lesson for a role, or for the first that has rules."""
        import msgspec

        from kibitz.present.lesson.lesson import Lesson

        role = next(iter(self.lessons), None) if role is None else role
        found = self.lessons.get(role) if role is not None else None
        return None if found is None else msgspec.convert(found, Lesson)

    @property
    def effort(self) -> tuple[str, str]:
        """How hard the lessons are and how long they take, in words; empty if there are none."""
        from kibitz.present.lesson.page import effort_of, effort_text

        lessons = (self.lesson_for(role) for role in self.lessons)
        return effort_text(effort_of(lesson) for lesson in lessons if lesson is not None)


def digest_of(sheet: RuleSheet) -> str:
    """Return what an answer belongs to: the name and the text of the rules."""
    return hashlib.sha256(f"{sheet.name}\n{sheet.source.text}".encode()).hexdigest()


def answer_of(sheet: RuleSheet, options: StudyOptions) -> Answer | None:
    """Return the answer that came with Kibitz, if it was made with these rules and options.

    >>> from kibitz.games import load_sheet
    >>> answer_of(load_sheet("tictactoe"), StudyOptions(seed=1)) is None
    True
    """
    if options.key[:3] != StudyOptions().key[:3] or not options.measured:
        return None
    answer = read_answer(sheet.name)
    return answer if answer is not None and answer.rules == digest_of(sheet) else None


def path_of(name: str) -> Path:
    """Return the file of a game's answer."""
    return FOLDER / (name.replace(":", "_") + ".json.gz")


def read_answer(name: str) -> Answer | None:
    """Return what came with Kibitz for a game of the library, for whatever text of its rules."""
    import msgspec

    path = path_of(name)
    if path.parent != FOLDER:
        return None
    try:
        with gzip.open(path) as stream:
            return msgspec.json.decode(stream.read(_MOST_BYTES), type=Answer)
    except (OSError, EOFError, msgspec.MsgspecError):
        return None


def make_answer(sheet: RuleSheet, explanation: Explanation, lessons: dict[str, Lesson]) -> Answer:
    """Make an answer of what was found with the rules as they are."""
    import msgspec

    plain = {role: msgspec.to_builtins(lesson) for role, lesson in lessons.items()}
    return Answer(digest_of(sheet), explanation, plain)


def write_answer(answer: Answer) -> None:
    """Write the file of an answer; the same answer gives the same bytes."""
    import msgspec

    FOLDER.mkdir(exist_ok=True)
    data = gzip.compress(msgspec.json.encode(answer), mtime=0)
    path_of(answer.explanation.game).write_bytes(data)


def recheck(explanation: Explanation, sheet: RuleSheet, options: StudyOptions) -> str:
    """Work out the value and check the lists again; return what does not hold, or nothing.

    What was measured by matches, or found by a search of the first position, is not checked.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.present.explanation.study import Study
    >>> sheet = load_sheet("nim:1,2")
    >>> study = Study(sheet, StudyOptions())
    >>> study.run()
    >>> recheck(study.known, sheet, StudyOptions())
    ''
    >>> recheck(replace(study.known, value={"player1": 0, "player2": 100}), sheet, StudyOptions())
    'with best play the goals are 100 and 0'
    """
    if explanation.states is None:
        return ""
    from kibitz.budget import run_within
    from kibitz.engine import CompiledGame
    from kibitz.solve import solve_any

    game = CompiledGame(sheet, budget=options.budget)
    solution = solve_any(_space(game, options))
    found = solution.as_json()["value"]
    if explanation.value and found != explanation.value:
        return f"with best play the goals are {' and '.join(map(str, found.values()))}"
    if solution.kind != "exact":
        return ""
    for part in explanation.parts:
        if part.strategy and part.measured is None:
            check = partial(_broken_claim, game, solution, part)
            broken = run_within(options.budget, check, doing=f"checking the rules for {part.role}")
            if broken:
                return f"the rules for {part.role} are not {broken}"
    return ""


def _space(game: CompiledGame, options: StudyOptions) -> StateSpace:
    """List all positions, or one of those that are symmetric where there are too many."""
    from kibitz.space import Limits, explore, find_symmetries

    limits = Limits(options.max_states, options.budget.seconds, options.budget.bytes)
    whole = explore(game, limits=limits)
    if whole.is_complete:
        return whole
    return explore(game, symmetries=find_symmetries(game), limits=limits)


def _broken_claim(game: CompiledGame, solution: Solution, part: RoleAdvice) -> str:
    """Return the first claim about a list that its verdict denies now, in words, or nothing."""
    from kibitz.strategy import CLAIMS, read_strategy, verify

    verdict = verify(read_strategy(part.strategy, game), solution, part.role).as_json()
    for claim in CLAIMS:
        if part.verdict.get(claim) and not verdict.get(claim):
            return claim.replace("_", " ")
    return "" if verdict["guarantees"] == part.verdict["guarantees"] else "worth what is said"


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
    from kibitz.present.explanation.explanation import Explanation, StudyOptions

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
    from kibitz.present.explanation.explanation import StudyOptions
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
