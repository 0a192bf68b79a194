"""Commands about whole games: symmetries, solve."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, limits_of, note, print_json, read_state
from kibitz.cli.common.outputs import clear_line, counted_states
from kibitz.cli.common.refusals import refuse
from kibitz.cli.solving.search import check_proof, endings, explain_move, search_position
from kibitz.cli.solving.unlisted import print_values, solve_by_diagrams, solve_compactly
from kibitz.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, State
    from kibitz.solve import Listed
    from kibitz.space import StateSpace


_MOST_CYCLES = 12
_MOST_STATES = 500_000_000
_NO_LIMIT = 2**62
_PATIENCE_S = 30.0  # Symmetries that are only reported may take this long.


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (symmetries, solve):
        app.command()(command)
    app.command("check-proof")(check_proof)
    app.command()(endings)


def symmetries(
    game: options.GameArgument,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Find the symmetries of a game, and describe and draw what they exchange.

    Generators are written as what goes where, `_` standing for whatever is there; and as boards on
    which each cell has the name of the cell that it is carried to.
    """
    from kibitz.board import layout_of
    from kibitz.budget import run_within
    from kibitz.engine import CompiledGame
    from kibitz.space import cycles_of, find_symmetries, picture_of_symmetry, words_of_symmetry

    sheet = find_sheet(game)
    budget = budget_of(timeout, memory)
    made = CompiledGame(sheet, budget=budget)
    found = run_within(
        budget, lambda: find_symmetries(made, budget=budget), doing="finding symmetries"
    )
    layout = layout_of(made)
    numbers = range(len(found.generators))
    words = [words_of_symmetry(found, number) for number in numbers]
    pictures = [picture_of_symmetry(found, number, layout) for number in numbers]
    if as_json:
        cycles = [[list(map(str, cycle)) for cycle in cycles_of(found, n)] for n in numbers]
        result = {"game": sheet.name, "order": found.order, "generators": cycles}
        print_json(result | {"words": words, "pictures": pictures})
        return
    plural = "symmetry, which changes nothing" if found.order == 1 else "symmetries"
    print(f"{sheet.name}: {found.order:,} {plural}")
    for number, (said, picture) in enumerate(zip(words, pictures, strict=True), start=1):
        more = f"; and {len(said) - _MOST_CYCLES} more" if len(said) > _MOST_CYCLES else ""
        print(f"  generator {number}: " + "; ".join(said[:_MOST_CYCLES]) + more)
        if picture:
            print(indent(picture, "    "))


def solve(
    game: options.GameArgument,
    as_json: options.JsonOption = False,
    position: options.PositionOption = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Keep the solution in this file; with --search, the table, and go on from it.",
        ),
    ] = None,
    search: Annotated[
        bool,
        typer.Option("--search", help="Search this one position instead of listing all states."),
    ] = False,
    moves: Annotated[
        bool,
        typer.Option("--moves", "--strong-moves", help="With --search, value every move."),
    ] = False,
    weak: Annotated[
        bool, typer.Option("--weak", help="With --search, find the value alone.")
    ] = False,
    plies: Annotated[
        bool, typer.Option("--plies", help="With --search, find how soon a win can be forced.")
    ] = False,
    why: Annotated[
        str | None,
        typer.Option(metavar="MOVE", help="With --search, what this move gives up, and the line."),
    ] = None,
    endings_file: Annotated[
        str | None,
        typer.Option(
            "--endings",
            metavar="FILE",
            help="With --search, stop at what kibitz endings kept.",
        ),
    ] = None,
    no_book: Annotated[
        bool,
        typer.Option("--no-book", help="With --search, use no proofs that came with Kibitz."),
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --search, write the proof for kibitz check-proof."),
    ] = None,
    certificate_depth: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Leave out of the proof what comes after N moves, for check-proof --regenerate.",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=1024,
            help="With --search, threads; with 1, each run searches the same positions.",
        ),
    ] = None,
    reduce: Annotated[
        bool, typer.Option("--reduce", help="Explore one state of each symmetry orbit only.")
    ] = False,
    symbolic: Annotated[
        bool, typer.Option("--symbolic", help="Work on decision diagrams instead of arrays.")
    ] = False,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help="Keep no moves: a few bytes a state. For games whose states are in layers; "
            "no limit of states unless one is given.",
        ),
    ] = False,
    max_states: options.MaxStatesOption = _MOST_STATES,
    cluster: options.ClusterOption = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep a cluster's finished layers here, and go on there."),
    ] = None,
    spill: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where to put what is larger than --memory."),
    ] = None,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 12,
) -> None:
    """Solve a game: its value with best play, and how long that takes.

    All states are listed. With --search, one position is searched instead; without it, too, in half
    of the time if there are too many states to list in the other half.
    """
    from kibitz.budget import Budget, run_within, time_to_work
    from kibitz.engine import CompiledGame
    from kibitz.errors import KibitzError
    from kibitz.prove import takes_turns
    from kibitz.solve import solve_any, store_solution
    from kibitz.space import explore, fault_text, faults_of, find_stuck, find_symmetries

    start = time.perf_counter()
    if checkpoint is not None and cluster is None:
        raise InputError(
            "--checkpoint keeps the layers of a cluster", hint="add --cluster auto to use one here"
        )
    sheet = find_sheet(game)
    budget = budget_of(timeout, memory)
    made = CompiledGame(sheet, budget=budget)
    starts = [] if position is None else [read_state(made, position)]
    if search:
        if symbolic or compact or reduce or cluster is not None:
            raise InputError(
                "--search goes with none of --symbolic, --compact, --reduce and --cluster"
            )
        start_state = starts[0] if starts else made.initial()
        seconds = min(timeout, max(0.1, time_to_work()))
        if why is not None:
            if moves or weak or plies or store or endings_file or certificate or threads:
                raise InputError("--why goes with --search and --position only")
            explain_move(made, start_state, why, seconds=seconds, memory=memory, as_json=as_json)
            return
        search_position(
            made,
            start_state,
            seconds=seconds,
            memory=memory,
            moves=moves,
            weak=weak,
            plies=plies,
            store=store,
            endings_file=endings_file,
            certificate=certificate,
            certificate_depth=certificate_depth,
            use_book=not no_book,
            threads=threads,
            as_json=as_json,
        )
        return
    if moves or weak or plies or why or endings_file or certificate is not None or threads:
        raise InputError(
            "--moves, --weak, --plies, --why, --endings, --certificate and --threads go with "
            "--search"
        )
    if symbolic:
        if store is not None or compact or reduce or cluster is not None:
            raise InputError(
                "--symbolic goes with none of --store, --compact, --reduce and --cluster"
            )
        solve_by_diagrams(made, starts, budget, as_json=as_json)
        return
    if compact:
        if store is not None or reduce or cluster is not None:
            raise InputError("--compact goes with none of --store, --reduce and --cluster")
        most = _NO_LIMIT if max_states == _MOST_STATES else max_states
        limits = limits_of(most, timeout, memory)
        folder = spill or tempfile.gettempdir()
        solve_compactly(made, starts, limits, folder, as_json=as_json)
        return
    progress = counted_states()
    may_search = not reduce and cluster is None and store is None and max_states == _MOST_STATES
    listing = min(timeout, time_to_work()) / 2 if may_search else timeout
    limits = limits_of(max_states, listing, memory)
    # Exploring comes after, and needs the time more.
    patience = min(timeout / 5, _PATIENCE_S, max(0.1, time_to_work() / 4))
    try:
        found = run_within(
            budget if reduce else Budget(patience, budget.bytes),
            lambda: find_symmetries(made, budget=budget),
            doing="finding symmetries",
        )
    except KibitzError:
        if reduce:
            raise
        found = None
    solution: Listed | None = None
    if cluster is not None:
        from kibitz.solve import solve_on_cluster

        solution = solve_on_cluster(
            made,
            cluster=cluster,
            checkpoint=checkpoint,
            starts=starts,
            symmetries=found if reduce else None,
            limits=limits,
            spill=spill or tempfile.gettempdir(),
            progress=progress,
        )
        space = solution.space
    else:
        space = explore(
            made,
            starts=starts,
            symmetries=found if reduce else None,
            limits=limits,
            spill=spill or tempfile.gettempdir(),
            progress=progress,
        )
    clear_line()
    result = {
        "game": sheet.name,
        "states": len(space),
        "nonterminal_states": len(space) - space.ends,
        "terminal_states": space.ends,
        "moves": space.edges,
        "roles": made.roles,
        "value": None,
        "distance": None,
        "symmetry_order": found.order if found else None,
    }
    try:
        space.require_complete()
    except IncompleteError as error:
        if space.is_layered and error.limit != "time":
            note(f"hint: so far {sheet.name} is layered; --compact needs much less memory")
        if may_search and takes_turns(space):
            del space, error
            start_state = starts[0] if starts else made.initial()
            _search_instead(made, start_state, result, timeout, memory, as_json=as_json)
            return
        _give_up(error, space, result, time.perf_counter() - start, as_json=as_json)
    stuck = find_stuck(space)
    if stuck is not None:
        result |= {"stuck": stuck.as_json(), "seconds": time.perf_counter() - start}
        refuse(stuck, result, as_json=as_json)
    faults = () if starts else faults_of(space)
    result["faults"] = [f"{fault.code}: {fault.message}" for fault in faults]
    if faults and not as_json:
        print(fault_text(faults))
    if solution is None:
        solution = solve_any(space)
    if store is not None:
        if solution.kind != "exact":
            raise InputError(f"only values of opposed roles can be stored, not of {sheet.name}")
        store_solution(solution, store)
    result |= solution.as_json()
    if position is not None:
        result["position"] = solution.moves_as_json(starts[0])
    result["exploring_seconds"] = space.seconds
    result["solving_seconds"] = solution.seconds
    result["seconds"] = time.perf_counter() - start
    result["bytes"] = solution.bytes
    if as_json:
        print_json(result)
    else:
        _print(solution, result, starts[0] if starts else None)


def _search_instead(
    game: CompiledGame,
    start: State,
    result: dict[str, Any],
    timeout: float,
    memory: float,
    *,
    as_json: bool,
) -> None:
    """Search the position in the time that is left."""
    from kibitz.budget import time_to_work

    count = result["states"]
    note(f"{game.sheet.name} has at least {count:,} states; searching one position instead")
    search_position(
        game,
        start,
        seconds=min(timeout / 2, max(0.1, time_to_work())),
        memory=memory / 2,
        as_json=as_json,
        more=result | {"is_complete": False},
    )


def _give_up(
    error: IncompleteError,
    space: StateSpace,
    result: dict[str, Any],
    seconds: float,
    *,
    as_json: bool,
) -> NoReturn:
    """Print what is known from a partial space, and exit with status 1."""
    from kibitz.solve import guaranteed_goals

    guaranteed = guaranteed_goals(space)
    result |= {"is_complete": False, "sure": guaranteed, "seconds": seconds, "bytes": space.bytes}
    if as_json:
        print_json(result)
    else:
        print(f"not solved: {error.message}")
        bounds = ", ".join(f"{role} is guaranteed {goal}" for role, goal in guaranteed.items())
        print(f"  so far, {bounds}")
    note(f"hint: {error.hint}")
    raise typer.Exit(1)


def _print(solution: Listed, result: dict[str, Any], start: State | None) -> None:
    more = []
    if solution.kind == "outcomes":
        more = [
            f"in {solution.ties:,} states the mover has equally good moves that differ for others"
        ]
    for role, mix in result.get("mix", {}).items():
        shares = ", ".join(f"{move} {share:g}" for move, share in mix.items())
        more.append(f"{role} mixes {shares}")
    meant = "as the rules are written, " if result["faults"] else ""
    print_values(solution, result, *more, at=start, meant=meant, has_line=solution.kind == "exact")
    order = result["symmetry_order"]
    symmetries = "symmetries unknown" if order is None else f"symmetry order {order}"
    print(f"  {symmetries}, {result['seconds']:.2f} s, {result['bytes'] / 1e6:,.0f} MB")
