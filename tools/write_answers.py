"""Write the answers that come with Kibitz: what explain and teach find for games of the library.

Run it from the checkout with .venv/bin/python tools/write_answers.py [NAME ...]; without names it
makes those whose rules have changed since, and with --all every one, which takes an hour or so.
With --words the lists are not searched for again: those of the answers are checked, and put into
words anew, with all that is shown beside them. That takes some minutes. With --proofs only what
search proves of games too large to list is worked out again: values, and the accuracy of measured
rules. With --time S rules are searched for S seconds instead of a number of rounds, which would
take long for the largest games.
At the end the cards of the page's start are written anew, which are made of the answers.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.write_gallery import main as write_gallery

from kibitz.budget import Budget
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import catalogue, load_sheet
from kibitz.measured.strength import measure_accuracy
from kibitz.policy import policy_for
from kibitz.present import Explanation, Study, StudyOptions
from kibitz.present.cached_study import Answer, answer_of, make_answer, write_answer
from kibitz.present.explanation.value_sentences import proved_sentences, search_start
from kibitz.present.lesson.lesson import Lesson, make_lesson
from kibitz.present.lesson.measured_lesson import measured_lesson
from kibitz.strategy import read_strategy

__all__ = ["main", "make", "names"]

_BUDGET = Budget(seconds=1200, bytes=4 << 30)
"""Twenty times the time of the commands: large games are searched for rules by matches, and what is
found before should be limited by numbers of positions and matches, also on a busy machine.
"""


def names() -> list[str]:
    """List the games that have an answer: every entry of the catalogue with its examples."""
    return [name for entry in catalogue() for name in entry.examples]


def main(arguments: list[str]) -> None:
    """Make answers, and write them."""
    seconds = None
    if "--time" in arguments:
        place = arguments.index("--time")
        seconds = float(arguments[place + 1])
        arguments = arguments[:place] + arguments[place + 2 :]
    named = [argument for argument in arguments if not argument.startswith("-")]
    for name in named or names():
        known = answer_of(load_sheet(name), StudyOptions())
        if not named and not _is_wanted(known, arguments):
            continue
        print(name, end=" ", flush=True)
        began = _cpu_s()
        try:
            if "--proofs" in arguments:
                write_answer(prove_again(known)) if known is not None else None
            else:
                write_answer(make(name, known if "--words" in arguments else None, seconds))
        except KibitzError as error:
            print(f"is left out: {error.message}; ", end="")
        print(f"{_cpu_s() - began:.1f} CPU-seconds", flush=True)
    write_gallery()


def _is_wanted(known: Answer | None, arguments: list[str]) -> bool:
    """Return whether an answer is made that is not named: words need one that is known."""
    if "--words" in arguments or "--proofs" in arguments:
        return known is not None
    return known is None or "--all" in arguments


def make(name: str, known: Answer | None = None, seconds: float | None = None) -> Answer:
    """Explain a game as the command does, and make its lessons; by lists that are known, if so."""
    sheet = load_sheet(name)
    before = None if known is None else known.explanation
    study = Study(sheet, StudyOptions(seconds, budget=_BUDGET), before=before)
    study.run()
    if not study.known.is_whole:
        raise KibitzError(f"it was not explained whole: {' '.join(study.known.limits)}")
    return make_answer(sheet, study.known, dict(_lessons(study)))


def prove_again(known: Answer) -> Answer:
    """Return an answer with what search proves of its game now."""
    explanation = known.explanation
    if explanation.states is not None:
        return known
    game = CompiledGame(load_sheet(explanation.game))
    proof = search_start(game, _BUDGET)
    if proof is not None and proof.value is not None:
        limits = tuple(line for line in explanation.limits if not line.startswith("A search of"))
        worth = proved_sentences(game, proof)
        explanation = replace(explanation, value=proof.value, worth=worth, limits=limits)
    parts = []
    for part in explanation.parts:
        if part.measured is not None:
            texts = part.measured["strategies"]
            found = measure_accuracy(
                game,
                {role: policy_for(read_strategy(text, game), role) for role, text in texts.items()},
                positions=200,
                searched=2_000_000,
                seconds=60.0,
                seed=part.measured["seed"],
            )
            accuracy = None if found is None else found.as_json()
            part = replace(part, measured=part.measured | {"accuracy": accuracy})
        parts.append(part)
    explanation = replace(explanation, parts=tuple(parts))
    return replace(known, explanation=explanation, lessons=_taught(known, explanation))


def _taught(known: Answer, explanation: Explanation) -> dict[str, dict[str, object]]:
    """Return the lessons with the value and the accuracy that an explanation gives now."""
    judged = {
        role: part.measured["accuracy"]
        for part in explanation.parts
        if part.measured is not None
        for role in part.measured["roles"]
    }
    lessons = {}
    for role, plain in known.lessons.items():
        lesson = known.lesson_for(role)
        assert lesson is not None
        lessons[role] = plain | {"worth": [*explanation.worth, lesson.worth[-1]]}
        if lesson.part.measured is not None and role in judged:
            measured = {**lesson.part.measured, "accuracy": judged[role]}
            lessons[role]["part"] = msgspec.to_builtins(replace(lesson.part, measured=measured))
    return lessons


def _cpu_s() -> float:
    """Return what this process and the children that ended have used."""
    return sum(os.times()[:4])


def _lessons(study: Study) -> list[tuple[str, Lesson]]:
    known = study.known
    if study.measured is not None and study.game is not None:
        roles = dict.fromkeys(match.role for match in study.measured.matches)
        return [(r, measured_lesson(study.game, known, study.measured, r)) for r in roles]
    parts = [part for part in known.parts if part.rules]
    return [(part.role, make_lesson(known, part, study.synthesised[part.role])) for part in parts]


if __name__ == "__main__":
    main(sys.argv[1:])
