"""Answers that come with Kibitz: a rule sheet in, its Answer out, and whether it still holds.

An answer is what `kibitz explain` and `kibitz teach` found with their usual options when it was
made, by tools/write_answers.py. It belongs to one text of rules. Nothing in it is believed: values
and lists that are called proved are worked out again by `recheck`, which takes seconds; finding the
lists took minutes.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.present.explanation.explanation import Explanation, RoleAdvice
from kibitz.present.explanation.options import StudyOptions

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, Role
    from kibitz.gdl import RuleSheet
    from kibitz.present.lesson.lesson import Lesson
    from kibitz.solve import Solution
    from kibitz.space import StateSpace

__all__ = [
    "FOLDER",
    "Answer",
    "answer_of",
    "make_answer",
    "read_answer",
    "recheck",
    "write_answer",
]

FOLDER = Path(__file__).parent.parent / "games" / "answers"
_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one text of rules: an explanation, and a lesson for each role with rules."""

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
        from kibitz.present.lesson.effort import effort_of, effort_text

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
