"""Commands about what changes and what stays: frame, invariants."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, print_json
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.errors import KibitzError


class CoveringChoice(StrEnum):
    """How finely joint moves are distinguished."""

    GENERIC = "generic"
    DIRECT = "direct"
    PRUNED = "pruned"


class FormChoice(StrEnum):
    """The two notations of GDL."""

    KIF = "kif"
    RULES = "rules"


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (frame, invariants):
        app.command()(command)


def frame(
    game: options.GameArgument,
    covering: Annotated[
        CoveringChoice,
        typer.Option(
            help="generic: one general joint move; direct: one for each combination of names of "
            "moves; pruned: direct without those proved impossible."
        ),
    ] = CoveringChoice.PRUNED,
    form: Annotated[
        FormChoice | None,
        typer.Option(help="Notation; by the suffix of --output if not given, else KIF."),
    ] = None,
    output: options.OutputOption = None,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Turn rules of what stays into rules of what changes; the game remains the same."""
    from kibitz.budget import run_within
    from kibitz.engine import Covering, translate
    from kibitz.gdl import to_kif, to_ruleform

    check_folder(output)
    sheet = find_sheet(game)
    done = run_within(
        budget_of(timeout, memory),
        lambda: translate(sheet, Covering(covering.value)),
        doing=f"translating {sheet.name}",
    )
    for note in done.notes:
        print(f"{sheet.name}: {note}", file=sys.stderr)
    is_ruleform = form is FormChoice.RULES or (
        form is None and output is not None and output.suffix in (".rules", ".lp")
    )
    text = to_ruleform(done.sheet) if is_ruleform else to_kif(done.sheet)
    if output:
        write_file(output, text)
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "covering": covering,
                "changed": done.is_changed,
                "frame_rules": done.frame_rules,
                "fnext_rules": done.fnext_rules,
                "auxiliary_rules": done.auxiliary_rules,
                "joint_moves_before": done.joint_moves_before,
                "joint_moves": done.joint_moves,
                "basis": [str(atom) for atom in done.basis],
                "seconds": done.seconds,
                "notes": list(done.notes),
                "text": text,
            }
        )
    elif not output:
        print(text, end="")
    if done.is_changed:
        print(
            f"{sheet.name}: {done.frame_rules} frame rules became {done.fnext_rules} fnext rules; "
            f"{done.joint_moves} of {done.joint_moves_before} general joint moves; "
            f"{done.seconds:.2f} s",
            file=sys.stderr,
        )


def invariants(
    game: options.GameArgument,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Prove what is proved a second time, from the rules as written; status 1 if "
            "that contradicts the first proof.",
        ),
    ] = False,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """List properties that all states of a game have, proved or not."""
    from kibitz.budget import Budget, run_within
    from kibitz.engine import Status, check_claims, find_invariants

    sheet = find_sheet(game)
    share = 0.4 if check else 0.8
    inner = Budget(timeout * share, int(memory * 1e9))
    found = run_within(
        budget_of(timeout, memory),
        lambda: find_invariants(sheet, inner),
        doing=f"looking for invariants of {sheet.name}",
    )
    proved = [i for i in found.with_status(Status.PROVED) if i.claim is not None] if check else []
    claims = [i.claim for i in proved if i.claim is not None]
    checked = check_claims(sheet, claims, lemmas=found.lemmas, budget=inner) if claims else None
    again = dict(zip((i.statement for i in proved), checked.claims, strict=True)) if checked else {}
    wrong = [statement for statement, holds in again.items() if holds is False]
    if wrong:
        raise KibitzError(
            f"a second proof of {sheet.name} fails: {wrong[0]}",
            hint="one of the two proofs is wrong; please report it with the rule sheet",
        )
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "seconds": found.seconds,
                "invariants": [
                    {
                        "kind": i.kind,
                        "statement": i.statement,
                        "status": i.status,
                        "how": i.how,
                        **({"proved_again": again.get(i.statement)} if check else {}),
                    }
                    for i in found.found
                ],
            }
        )
    else:
        for invariant in found.found:
            print(f"{invariant.status:<10}  {invariant.statement}")
    if check:
        done = sum(holds is True for holds in again.values())
        late = "" if done == len(again) else "; there was no time for the others"
        print(f"{sheet.name}: {done} of {len(again)} proved again{late}", file=sys.stderr)
