"""Write the answers that come with Kibitz: what explain and teach find for games of the library.

Run it from the checkout with .venv/bin/python tools/write_answers.py [NAME ...]; without names it
makes those whose rules have changed since, and with --all every one. It takes an hour or two.
"""

from __future__ import annotations

import sys

from kibitz.budget import Budget
from kibitz.errors import KibitzError
from kibitz.games import catalogue, load_sheet
from kibitz.present import Study, StudyOptions
from kibitz.present.answers import answer_of, write_answer
from kibitz.present.lesson.lesson import Lesson, make_lesson
from kibitz.present.lesson.measured_lesson import measured_lesson

__all__ = ["main", "names", "write"]

_BUDGET = Budget(seconds=60, bytes=4 << 30)
"""That of the commands."""


def names() -> list[str]:
    """List the games that have an answer: every entry of the catalogue with its examples."""
    return [name for entry in catalogue() for name in entry.examples]


def main(arguments: list[str]) -> None:
    """Make answers, and write them."""
    named = [argument for argument in arguments if not argument.startswith("-")]
    for name in named or names():
        sheet = load_sheet(name)
        if named or "--all" in arguments or answer_of(sheet, StudyOptions()) is None:
            print(name, flush=True)
            try:
                write(name)
            except KibitzError as error:
                print(f"  {error.message}")


def write(name: str) -> None:
    """Explain a game as the command does, make its lessons, and write both."""
    sheet = load_sheet(name)
    study = Study(sheet, StudyOptions(budget=_BUDGET))
    study.run()
    if not study.known.is_whole:
        print("  not whole, so not kept")
        return
    write_answer(sheet, study.known, dict(_lessons(study)))


def _lessons(study: Study) -> list[tuple[str, Lesson]]:
    known = study.known
    if study.measured is not None and study.game is not None:
        roles = dict.fromkeys(match.role for match in study.measured.matches)
        return [(r, measured_lesson(study.game, known, study.measured, r)) for r in roles]
    parts = [part for part in known.parts if part.rules]
    return [(part.role, make_lesson(known, part, study.synthesised[part.role])) for part in parts]


if __name__ == "__main__":
    main(sys.argv[1:])
