"""Commands about rule sheets: games, show, check, conform, replay."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    AS_GDL1,
    budget_of,
    find_sheet,
    make_game,
    print_json,
    read_file,
    read_text,
    rules_of,
    start_at,
)
from kibitz.errors import BudgetExceededError, InputError, KibitzError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kibitz.engine import ReplayStep
    from kibitz.errors import Diagnostic, Source
    from kibitz.gdl import RuleSheet


class FormChoice(StrEnum):
    """The two notations of GDL, sentences, and the language of Ludii."""

    KIF = "kif"
    RULES = "rules"
    ENGLISH = "english"
    LUDII = "ludii"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (games, show, check, conform, replay):
        app.command()(command)


def games(as_json: options.JsonOption = False) -> None:
    """List the games of the library."""
    from kibitz.games import catalogue

    entries = catalogue()
    if as_json:
        print_json(
            [
                {
                    "name": e.name,
                    "parameters": e.parameters,
                    "summary": e.summary,
                    "examples": list(e.examples),
                }
                for e in entries
            ]
        )
        return
    names = [f"{e.name}:{e.parameters}" if e.parameters else e.name for e in entries]
    width = max(map(len, names))
    for name, entry in zip(names, entries, strict=True):
        print(f"{name:<{width}}  {entry.summary}")


def show(
    game: options.GameArgument,
    form: Annotated[
        FormChoice | None, typer.Option(help="Print in this notation; as written if not given.")
    ] = None,
    position: options.PositionOption = None,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Print the rules of a game, in either notation, or of the game that starts elsewhere.

    With --form english they are sentences that make the same game, with --form ludii a sheet in
    the language of Ludii; an error says what is missing.
    """
    from kibitz.gdl import parse, to_kif, to_ruleform
    from kibitz.ludii import is_ludii

    text, name, original = rules_of(game)
    is_translated = original is not None
    sheet = parse(text, name=name)
    if position is not None:
        sheet, is_translated = start_at(sheet, position), False
    written = read_text(game) if Path(name).is_file() else sheet.source.text
    if form is None:
        shown = written if is_translated else sheet.source.text
    elif form is FormChoice.ENGLISH:
        shown = _in_english(sheet, timeout, memory)
    elif form is FormChoice.LUDII:
        is_ludii_already = is_translated and is_ludii(written)
        shown = written if is_ludii_already else _in_ludii(sheet, timeout, memory)
    elif form is FormChoice.KIF:
        shown = sheet.source.text if is_translated else to_kif(sheet)
    else:
        shown = to_ruleform(sheet)
    if as_json:
        print_json({"game": name, "rules": len(sheet.rules), "form": form, "text": shown})
    else:
        print(shown, end="" if shown.endswith("\n") else "\n")


def _in_english(sheet: RuleSheet, timeout: float, memory: float) -> str:
    """Write a game as sentences that were compared with it."""
    from kibitz.budget import run_within
    from kibitz.engine import CompiledGame, Game, UngroundedGame
    from kibitz.english import RuleBook, rule_book_of
    from kibitz.rulebook import sections_of

    budget = budget_of(timeout, memory)

    def work() -> RuleBook:
        game: Game
        try:
            game = CompiledGame(sheet, budget=replace(budget, seconds=budget.seconds / _GROUNDING))
        except BudgetExceededError:  # its rules can still be written one by one
            game = UngroundedGame(sheet)
        return rule_book_of(game, moves=_COMPARED)

    book = run_within(budget, work, doing=f"putting {sheet.name} into sentences")
    if not book.is_complete:
        raise KibitzError(
            f"{sheet.name} cannot be put into sentences: what is missing is "
            f"{'; '.join(book.missing)}",
            hint="kibitz explain says what is known of it",
        )
    own = f"The sentences of {sheet.name} as they were read: the game is made from these."
    if book.has_letters:
        plain = book.plain_sentences
        sections = sections_of(book.text.splitlines()[len(plain) :])
        lettered = [f"\n# {heading}\n" + "\n".join(group) for heading, group in sections]
        about = (
            own
            if book.is_own
            else _compared_on(sheet, book.states, book.is_exhaustive)
            if plain
            else f"Each sentence is a rule of {sheet.name}, or some of its facts."
        )
        return "\n".join([f"# {about}", *plain, *lettered]) + "\n"
    compared = _compared_on(sheet, book.states, book.is_exhaustive)
    return f"# {own if book.is_own else compared}\n{book.text}\n"


def _in_ludii(sheet: RuleSheet, timeout: float, memory: float) -> str:
    """Write a game in the language of Ludii, compared with it."""
    from kibitz.budget import run_within
    from kibitz.engine import CompiledGame
    from kibitz.english import LudiiSheet, ludii_sheet_of

    budget = budget_of(timeout, memory)
    title = Path(sheet.name).name.split(".")[0].replace("_", " ").capitalize()

    def work() -> LudiiSheet:
        return ludii_sheet_of(CompiledGame(sheet, budget=budget), title=title, moves=_COMPARED)

    found = run_within(budget, work, doing=f"writing {sheet.name} for Ludii")
    if not found.text:
        raise KibitzError(
            f"{sheet.name} cannot be written in the language of Ludii: {found.missing}",
            hint="kibitz show --form english writes more games",
        )
    return f"// {_compared_on(sheet, found.states, found.is_exhaustive)}\n{found.text}\n"


def _compared_on(sheet: RuleSheet, states: int, is_exhaustive: bool) -> str:
    """Say on how many states a text was compared with a game."""
    which = f"all {states:,} states" if is_exhaustive else f"{states:,} of its states"
    return f"Compared with {sheet.name} on {which}."


_GROUNDING = 4
"""The part of the time that is given to grounding; sentences with letters need none."""
_COMPARED = 20_000
"""Moves that are compared before sentences are written."""


def check(
    game: options.GameArgument,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Check a rule sheet and show everything found; exit with status 1 if it has errors.

    The game is played, too: all its states if they are few, else in ten thousand random matches.

    A folder in the place of GAME is surveyed: one line for each rule sheet in it.
    """
    files = _sheets_in(game)
    if files:
        checks = [_check(str(path), timeout, memory) for path in files]
        if as_json:
            valid = sum(one["ok"] for one in checks)
            print_json({"folder": game, "files": len(checks), "ok": valid, "games": checks})
        else:
            for one in checks:
                print(f"{one['game']}: {_summary(one)}")
        raise typer.Exit(0 if all(one["ok"] for one in checks) else 1)
    found = _check(game, timeout, memory)
    if as_json:
        print_json(found)
    else:
        for text in found.texts:
            print(text, end="\n\n")
        print(f"{found['game']}: {_summary(found)}")
    raise typer.Exit(0 if found["ok"] else 1)


def _sheets_in(folder: str) -> list[Path]:
    """Return the rule sheets in a folder, none if it is no folder."""
    with contextlib.suppress(OSError):  # such as a name too long for a folder
        if not folder.endswith(_SURVEYED):
            return sorted(path for path in Path(folder).iterdir() if path.name.endswith(_SURVEYED))
    return []


_SURVEYED = (".gdl", ".kif", ".lp", ".lud", ".rules", ".rules.txt")


class _Check(dict[str, Any]):
    """Diagnosis of a rule sheet, as JSON and as texts."""

    texts: tuple[str, ...] = ()
    played = ""


def _check(game: str, timeout: float, memory: float) -> _Check:
    from kibitz.engine import diagnose_start
    from kibitz.errors import RuleSheetError, Severity, rendered
    from kibitz.gdl import diagnose
    from kibitz.space import PlayCheck, diagnose_play

    def is_valid() -> bool:
        return not any(d.severity is Severity.ERROR for d in found)

    found: tuple[Diagnostic, ...]
    played = PlayCheck()
    original: bytes | None = None
    try:
        text, name, original = rules_of(game)
        is_translated = original is not None
        shown = f"{name}, as GDL" if is_translated else name
        sheet, found = diagnose(text, name=shown, as_gdl1=AS_GDL1.get())
        source = sheet.source
        if is_valid():
            found += diagnose_start(sheet, budget_of(timeout, memory))
        if is_valid():
            budget = budget_of(timeout, memory)
            played = diagnose_play(sheet, budget, is_translated=is_translated)
            found += played.diagnostics
    except RuleSheetError as error:  # a sheet in another language that is not translated
        source, found, name = error.source, error.diagnostics, game
    located = [*_remarks(original, name), *((d, source) for d in found)]
    count = Counter(d.severity for d, _ in located)
    made = _Check(
        {
            "game": name,
            "ok": is_valid(),
            "errors": count[Severity.ERROR],
            "warnings": count[Severity.WARNING],
            "remarks": count[Severity.REMARK],
            "played": played.as_json(),
            "diagnostics": [_diagnostic_json(*one) for one in located],
        }
    )
    made.played = played.text
    made.texts = tuple(rendered(located))
    return made


def _remarks(original: bytes | None, name: str) -> Iterator[tuple[Diagnostic, Source]]:
    """Yield what rules in English have that was taken as no rule."""
    from kibitz.rulebook import is_english, read_sentences

    if original is not None and is_english(original, name=name):
        reading = read_sentences(original, name=name)
        yield from ((remark, reading.source) for remark in reading.remarks)


def _summary(found: _Check) -> str:
    remarks = f", {_count(found['remarks'], 'remark')}" if found["remarks"] else ""
    warnings = _count(found["warnings"], "warning")
    return f"{_count(found['errors'], 'error')}, {warnings}{remarks}; {found.played}"


def conform(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A .lud file, or any other game.")],
    traces: Annotated[str, typer.Argument(metavar="TRACES", help="A trace file, JSON or JSON.gz.")],
    ludii: Annotated[
        str | None, typer.Option(metavar="DIR|JAR", help="Your copy of Ludii.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An option of the sheet; repeatable.")
    ] = None,
    as_json: options.JsonOption = False,
    engine: options.EngineOption = options.Engine.UNGROUNDED,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 4,
) -> None:
    """Replay matches played elsewhere, and say whether moves, positions and results agree."""
    import os

    from kibitz.budget import run_within
    from kibitz.conformance import Conformance, conform, read_traces

    if ludii is not None:
        os.environ["KIBITZ_LUDII"] = ludii
    if option:
        os.environ["KIBITZ_LUDII_OPTIONS"] = "\n".join(option)
    sheet = find_sheet(game)
    content = read_traces(read_file(traces), name=traces)
    budget = budget_of(timeout, memory)

    def work() -> Conformance:
        return conform(make_game(sheet, engine, budget), content)

    found = run_within(budget, work, doing=f"replaying {traces}")
    if as_json:
        print_json(
            {
                "agree": found.agree,
                "traces": found.traces,
                "steps": found.steps,
                "first_difference": found.first_difference,
            }
        )
    elif found.first_difference is None:
        print(f"{sheet.name} agrees with {found.traces} traces of {found.steps} steps")
    else:
        listed = "\n".join(f"  {name}: {value}" for name, value in found.first_difference.items())
        print(f"{sheet.name} differs after {found.steps} steps\n{listed}")
    raise typer.Exit(0 if found.agree else 1)


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number != 1)}"


def _diagnostic_json(diagnostic: Diagnostic, source: Source) -> dict[str, Any]:
    def where(start: int, end: int) -> dict[str, int]:
        line, column = source.position(start)
        end_line, end_column = source.position(end)
        return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}

    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **where(*diagnostic.place),
        "hint": diagnostic.hint,
        "notes": [{"message": n.message, **where(*n.place)} for n in diagnostic.notes],
    }


def replay(
    game: options.GameArgument,
    moves: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="One joint move a line, such as ((mark 1 1) noop); - for stdin."
        ),
    ],
    as_json: options.JsonOption = False,
    engine: options.EngineOption = options.Engine.COMPILED,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 4,
) -> None:
    """Play given moves and show every state, with its legal moves and goals."""
    from kibitz.budget import run_within
    from kibitz.engine import read_moves, replay

    if game == "-" and moves == "-":
        raise InputError("rules and moves cannot both be read from stdin")
    sheet = find_sheet(game)
    joints = read_moves(read_text(moves), name="stdin" if moves == "-" else moves)

    def work() -> tuple[tuple[str, ...], list[ReplayStep]]:
        made = make_game(sheet, engine, budget)
        return made.roles, list(replay(made, joints))

    budget = budget_of(timeout, memory)
    roles, steps = run_within(budget, work, doing=f"replaying {sheet.name}")
    if as_json:
        print_json({"game": sheet.name, "roles": roles, "steps": [_step_json(s) for s in steps]})
        return
    for number, step in enumerate(steps):
        if number:
            print(f"  play {' '.join(map(str, joints[number - 1]))}\n")
        print(f"step {number}{', terminal' if step.terminal else ''}")
        print(f"  {' '.join(step.state)}")
        for role in roles:
            goal = step.goals[role]
            shown = "" if goal is None else f" (goal {goal})"
            print(f"  {role}{shown}: {' '.join(step.legal[role]) or 'no legal move'}")


def _step_json(step: ReplayStep) -> dict[str, Any]:
    return {
        "state": step.state,
        "terminal": step.terminal,
        "goals": step.goals,
        "legal": step.legal,
    }
