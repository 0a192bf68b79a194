"""Commands about rule sheets: games, show, check, replay."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common.inputs import (
    budget_of,
    find_sheet,
    make_game,
    print_json,
    read_text,
    rules_of,
    start_at,
)
from kibitz.cli.common.options import (
    Engine,
    EngineOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    PositionOption,
    TimeoutOption,
)
from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.engine import ReplayStep
    from kibitz.errors import Diagnostic, Source

__all__ = ["register"]


class FormChoice(StrEnum):
    """The two notations of GDL."""

    KIF = "kif"
    RULES = "rules"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (games, show, check, replay):
        app.command()(command)


def games(as_json: JsonOption = False) -> None:
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
    game: GameArgument,
    form: Annotated[
        FormChoice | None, typer.Option(help="Print in this notation; as written if not given.")
    ] = None,
    position: PositionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the rules of a game, in either notation, or of the game that starts elsewhere."""
    from kibitz.gdl import parse, to_kif, to_ruleform

    text, name = rules_of(game)
    sheet = parse(text, name=name)
    if position is not None:
        sheet = start_at(sheet, position)
    if form is None:
        shown = sheet.source.text
    else:
        shown = to_kif(sheet) if form is FormChoice.KIF else to_ruleform(sheet)
    if as_json:
        print_json({"game": name, "rules": len(sheet.rules), "form": form, "text": shown})
    else:
        print(shown, end="" if shown.endswith("\n") else "\n")


def check(
    game: GameArgument,
    as_json: JsonOption = False,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Check a rule sheet and show everything found; exit with status 1 if it has errors."""
    from kibitz.engine import diagnose_start
    from kibitz.errors import Severity
    from kibitz.gdl import diagnose

    text, name = rules_of(game)
    sheet, found = diagnose(text, name=name)
    if not any(d.severity is Severity.ERROR for d in found):
        found += diagnose_start(sheet, budget_of(timeout, memory))
    errors = sum(d.severity is Severity.ERROR for d in found)
    warnings = len(found) - errors
    if as_json:
        print_json(
            {
                "game": name,
                "ok": not errors,
                "errors": errors,
                "warnings": warnings,
                "diagnostics": [_diagnostic_json(d, sheet.source) for d in found],
            }
        )
    else:
        for diagnostic in found:
            print(diagnostic.render(sheet.source), end="\n\n")
        print(f"{name}: {_count(errors, 'error')}, {_count(warnings, 'warning')}")
    raise typer.Exit(1 if errors else 0)


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
    game: GameArgument,
    moves: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="One joint move a line, such as ((mark 1 1) noop); - for stdin."
        ),
    ],
    as_json: JsonOption = False,
    engine: EngineOption = Engine.COMPILED,
    timeout: TimeoutOption = 600,
    memory: MemoryOption = 4,
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
