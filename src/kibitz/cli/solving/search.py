"""The search for one position: what `solve --search` does; the commands check-proof and endings."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    budget_of,
    find_sheet,
    limits_of,
    make_game,
    note,
    print_json,
    read_state,
    read_text,
)
from kibitz.cli.common.outputs import (
    check_folder,
    clear_line,
    counted_states,
    shown_line,
    write_file,
)
from kibitz.errors import InputError
from kibitz.wording import counted, end_text, length_text

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, State
    from kibitz.prove import Proof, ProofProgress


def search_position(
    game: CompiledGame,
    state: State,
    *,
    seconds: float,
    memory: float,
    moves: bool = False,
    weak: bool = False,
    plies: bool = False,
    store: str | None = None,
    endings_file: str | None = None,
    certificate: Path | None = None,
    certificate_depth: int | None = None,
    use_book: bool = True,
    threads: int | None = None,
    as_json: bool = False,
    more: dict[str, Any] | None = None,
) -> None:
    """Search a position, print what is proved, and exit with status 1 if that is not all."""
    from kibitz.prove import (
        Endings,
        Prover,
        Spending,
        certificate_of,
        known_moves,
        with_plies,
    )

    check_folder(certificate)
    check_folder(Path(store) if store is not None else None)
    known = None if endings_file is None else Endings.load(game, endings_file)
    spending = Spending(
        seconds=seconds,
        memory=_table_bytes(memory),
        threads=threads,
        report=partial(_report, shown_line()),
    )
    prover = Prover(game, spending, endings=known, use_book=use_book)
    if store is not None and Path(store).exists():
        prover.table.load(game, store)
    try:
        proof = prover.prove(state, moves=moves, weak=weak)
        if not proof.is_exact:
            decided = sum(one.is_proved for one in known_moves(prover, state))
            proof = replace(proof, decided_moves=decided)
        if plies:
            left = max(0.0, prover.deadline - time.monotonic())
            show = partial(_report_plies, shown_line())
            proof = with_plies(prover, proof, seconds=left, report=show)
    finally:
        clear_line()
        if store is not None:
            prover.table.save(game, store)
    if as_json:
        print_json((more or {}) | proof.as_json())
    else:
        _print(proof, plies=plies)
    if certificate is not None and proof.is_exact:
        write_file(certificate, json.dumps(certificate_of(prover, proof, depth=certificate_depth)))
    elif certificate is not None:
        note("no certificate was written, as the value is not proved")
    if not proof.is_exact:
        raise typer.Exit(130 if prover.is_interrupted else 1)


def explain_move(
    game: CompiledGame,
    state: State,
    text: str,
    *,
    seconds: float,
    memory: float,
    as_json: bool = False,
) -> None:
    """Print what a move gives up and the line that shows it; exit with status 1 if it is open."""
    from kibitz.gdl import parse_terms
    from kibitz.present import judge_by_search
    from kibitz.prove import Analyser

    moves = parse_terms(text)
    if len(moves) != 1:
        raise InputError(f"{text!r} is not one move", hint="write it in KIF, such as '(drop 1)'")
    analyser = Analyser(game, memory=_table_bytes(memory))
    found = judge_by_search(analyser, state, moves[0], seconds=seconds)
    line = ["/".join(map(game.write, joint)) for joint in found.line]
    if as_json:
        print_json(
            {
                "game": game.sheet.name,
                "move": game.write(moves[0]),
                "role": found.role,
                "keeps_value": found.keeps_value,
                "value": found.value.goal if found.value.kind != "bounds" else None,
                "best_value": found.best.goal if found.best.kind != "bounds" else None,
                "best": [game.write(move) for move in found.best_moves],
                "line": [[game.write(move) for move in joint] for joint in found.line],
                "text": found.text,
            }
        )
    else:
        print(f"{game.sheet.name}: {game.write(moves[0])} by {found.role}")
        print(f"  {found.text}")
        if line:
            said = "refuted by" if found.keeps_value is False else "so it goes on"
            print(f"  {said}: " + ", ".join(line[:12]) + (" …" if len(line) > 12 else ""))
        if found.keeps_value is False and found.best_moves:
            print(f"  better: {' '.join(map(game.write, found.best_moves))}")
    if found.keeps_value is None:
        raise typer.Exit(1)


def _table_bytes(memory: float) -> int:
    """Return what a table may take of so many gigabytes; the rest is for everything else."""
    return int(memory * 1e9 * 3 / 4)


def _report(show: Callable[[str], None], progress: ProofProgress) -> None:
    rate = progress.positions / progress.seconds if progress.seconds else 0
    bounds = ", ".join(f"{role} {low} to {high}" for role, (low, high) in progress.bounds.items())
    show(f"{progress.positions:,} positions, {rate:,.0f} a second; {bounds}")


def _report_plies(show: Callable[[str], None], not_enough: int) -> None:
    show(f"the end takes more than {counted(not_enough, 'move')}")


def _print(proof: Proof, *, plies: bool) -> None:
    write = proof.state.game.write
    name = proof.state.game.sheet.name
    if proof.value is not None:
        how = f" ({proof.book})" if proof.book else ""
        print(f"{name}: proved by search{how}: with best play {end_text(proof.value)}")
    else:
        print(f"{name}: not proved: {proof.why_open}")
        for role, (low, high) in proof.bounds.items():
            print(f"  {role} gets at least {low} and at most {high} with best play")
        if proof.decided_moves is not None and proof.mover is not None:
            count = len(proof.state.legal(proof.mover))
            print(f"  the values of {proof.decided_moves} of {counted(count, 'move')} are known")
    if plies and proof.value is not None:
        print(f"  {_plies_text(proof)}")
    if proof.best:
        whole = "" if proof.are_best_all else ", and there may be more"
        print(f"  moves that keep it: {' '.join(map(write, proof.best))}{whole}")
    for move, bounds in proof.moves.items():
        values = ", ".join(
            f"{role} {low}" if low == high else f"{role} {low} to {high}"
            for role, (low, high) in bounds.items()
        )
        print(f"  {write(move)}: {values}")
    line = ["/".join(map(write, joint)) for joint in proof.line]
    if line:
        print("  best play: " + ", ".join(line[:12]) + (" …" if len(line) > 12 else ""))
    rate = proof.positions / proof.seconds if proof.seconds else 0
    print(f"  {proof.positions:,} positions, {rate:,.0f} a second, {proof.seconds:.2f} s")


def _plies_text(proof: Proof) -> str:
    """Say how soon play ends with best play, as far as that is known."""
    if proof.plies is not None:
        return f"it ends {length_text(proof.plies)}"
    if proof.more_plies_than is not None:
        return f"it ends after more than {counted(proof.more_plies_than, 'move')}; the time was up"
    return "how soon it ends is searched for wins only"


def _print_standalone(wanted: bool) -> None:
    if wanted:
        from importlib.resources import files

        print((files("kibitz.prove") / "standalone_checker.py").read_text("utf-8"), end="")
        raise typer.Exit


def check_proof(
    game: options.GameArgument,
    certificate: Annotated[
        str, typer.Argument(metavar="FILE", help="What solve --certificate wrote.")
    ],
    engine: options.EngineOption = options.Engine.REFERENCE,
    position: options.PositionOption = None,
    as_json: options.JsonOption = False,
    standalone: Annotated[
        bool,
        typer.Option(
            "--standalone",
            callback=_print_standalone,
            is_eager=True,
            help="Print a checker that needs Python and clingo, not Kibitz, and exit.",
        ),
    ] = False,
    again: Annotated[
        int,
        typer.Option(
            "--regenerate",
            metavar="N",
            min=0,
            help="Prove N of the positions left out anew, drawn at random, and check these proofs.",
        ),
    ] = 0,
    parts: Annotated[
        Path | None,
        typer.Option("--parts", metavar="FOLDER", help="Write the proofs made by --regenerate."),
    ] = None,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 4,
) -> None:
    """Check a certificate of a position's value by the rules alone, without a search.

    The certificate must begin at the game's first state, or at that of --position. Of a proof too
    large to be written whole --regenerate searches for what is left out; what it finds is checked
    by the rules as well.
    """
    from kibitz.engine import CompiledGame
    from kibitz.prove import (
        Prover,
        Regenerated,
        Spending,
        check_certificate,
        read_certificate,
        regenerate,
    )

    started = time.monotonic()
    sheet = find_sheet(game)
    made = make_game(sheet, engine, budget_of(timeout, memory))
    start = None if position is None else read_state(made, position)
    checked = check_certificate(made, read_certificate(read_text(certificate)), start=start)
    fluents = [made.write(fluent) for fluent in checked.start.fluents]
    found = Regenerated(left=len(checked.left_out))
    if again and checked.left_out:
        left = timeout - (time.monotonic() - started)
        spending = Spending(seconds=max(1.0, left), memory=_table_bytes(memory))
        prover = Prover(CompiledGame(sheet, budget=budget_of(timeout, memory)), spending)
        keep = partial(_keep_part, parts, count(1)) if parts is not None else None
        found = regenerate(prover, checked, most=again, keep=keep)
    is_proved = not found.left
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "start": fluents,
                "is_first_state": checked.start == made.initial(),
                "goals": dict(checked.goals) if is_proved else {},
                "claimed": dict(checked.goals),
                "positions": checked.positions,
                "left_out": len(checked.left_out),
                "moves_before": checked.depth,
                "regenerated": found.done,
                "positions_regenerated": found.positions,
                "proved": is_proved,
            }
        )
    else:
        goals = ", ".join(f"{role} {goal}" for role, goal in checked.goals.items())
        if is_proved:
            print(f"{sheet.name}: proved: each role can guarantee {goals}")
            print(f"  {checked.positions:,} positions of the file checked")
        else:
            print(f"{sheet.name}: nothing is wrong in the {checked.positions:,} positions given")
        if checked.depth is not None:
            print(
                f"  {len(checked.left_out):,} were left out, the first after "
                f"{counted(checked.depth, 'move')}"
            )
        if again and checked.left_out:
            seen = f"{found.positions:,} positions"
            print(f"  {found.done:,} of these were proved anew, and the {seen} of that checked")
        if not is_proved:
            print(f"  so {goals} is not proved: {counted(found.left, 'position')} not gone into")
        first = "the first state" if checked.start == made.initial() else "the position"
        print(f"  from {first}: {' '.join(fluents)}")
    if not is_proved:
        raise typer.Exit(1)


def _keep_part(folder: Path, number: Iterator[int], state: State, made: dict[str, Any]) -> None:
    """Write a proof made anew, and the position it begins at, for `check_proof.py`."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{next(number):06}"
    write_file(folder / f"{name}.json", json.dumps(made))
    write_file(folder / f"{name}.kif", " ".join(map(str, state.fluents)))


def endings(
    game: options.GameArgument,
    men: Annotated[int, typer.Option("--men", min=1, help="The most men on the board.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to keep the positions.")
    ],
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 20_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 4,
) -> None:
    """List and solve all positions with few men, and keep them in a file for solve --endings.

    For games of two in which men are captured and none are added. Positions count whether play can
    come to them or not.
    """
    from kibitz.engine import CompiledGame
    from kibitz.prove import endings_with_men

    check_folder(output)
    start = time.perf_counter()
    made = CompiledGame(find_sheet(game), budget=budget_of(timeout, memory))
    found = endings_with_men(
        made, men, limits=limits_of(max_states, timeout, memory), progress=counted_states()
    )
    clear_line()
    found.save(output)
    seconds = time.perf_counter() - start
    if as_json:
        print_json(
            {
                "game": made.sheet.name,
                "men": men,
                "positions": len(found),
                "file": str(output),
                "seconds": round(seconds, 3),
            }
        )
    else:
        print(f"{made.sheet.name}: {counted(len(found), 'position')} with at most {men} men")
        print(f"  kept in {output}, {seconds:.2f} s")
