"""Commands that learn strategies with answer set programming: learn tree, learn constraints."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.inputs import GameArgument, JsonOption, find_sheet, note, print_json, read_text
from kibitz.cli.outputs import OutputOption, check_folder, write_file

if TYPE_CHECKING:
    from kibitz.engine import State
    from kibitz.learn.rules import Mask
    from kibitz.learn.trees import Node
    from kibitz.strategy import Verdict

__all__ = ["register"]

learn = typer.Typer(help="Learn strategies with answer set programming.", no_args_is_help=True)


class Method(StrEnum):
    """How a tree is built."""

    MINIMAX = "minimax"
    PRUNED = "pruned"


class Size(StrEnum):
    """Start positions by size."""

    S = "S"
    M = "M"
    L = "L"
    CLASSICAL = "classical"


class Source(StrEnum):
    """Where examples come from."""

    SOLUTION = "solution"
    SEARCH = "pruned"


class Until(StrEnum):
    """When to stop learning again."""

    OPTIMAL = "optimal"


InstanceOption = Annotated[
    Size | None, typer.Option(help="A start position by size, for nim and tictactoe.")
]
PositionOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="Start from this state: fluents in KIF.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    app.add_typer(learn, name="learn")


@learn.command()
def tree(
    game: GameArgument,
    method: Annotated[Method, typer.Option(help="The whole tree, or a pruned one.")] = (
        Method.PRUNED
    ),
    rules: Annotated[
        bool, typer.Option("--rules", help="Learn rules on the way, and prune with them.")
    ] = False,
    instance: InstanceOption = None,
    position: PositionOption = None,
    mask: Annotated[
        str | None,
        typer.Option(
            metavar="PLACES",
            help="What becomes a variable in rules, as in has/0,control/0; found if not given.",
        ),
    ] = None,
    horizon: Annotated[
        int | None, typer.Option(min=1, help="The longest match that counts; found if not given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Let clingo choose among equals by chance, with this seed.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("-o", metavar="FILE", help="Save the tree: .json, .svg or .lp.")
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="How many nodes of the tree to show.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Build a game tree with clingo, scored by minimax, and learn rules from it."""
    from kibitz.gdl.clingo import Names
    from kibitz.learn.minimax import minimax_tree
    from kibitz.learn.pruned import pruned_tree

    start = time.perf_counter()
    state = _start(game, instance, position)
    made = state.game
    learned: list[str] = []
    calls = None
    progress = _show if sys.stderr.isatty() else None
    if method is Method.MINIMAX:
        root = minimax_tree(made, state, progress=progress)
    else:
        places = _mask(mask, state) if rules else None
        pruned = pruned_tree(
            made, state, mask=places, horizon=horizon, seed=seed, progress=progress
        )
        root, calls = pruned.root, pruned.matches.calls
        names = Names.of_sheet(made.sheet)
        learned = [rule.text(names, timed=False) for rule in pruned.rules]
    if progress:
        print("\r\033[K", end="", file=sys.stderr)
    result: dict[str, Any] = {
        "game": made.sheet.name,
        "method": method.value,
        "nodes": root.count(),
        "value": root.score,
        "rules": learned,
        "calls": calls,
        "seconds": time.perf_counter() - start,
    }
    if out is not None:
        _save(root, learned, out)
    if as_json:
        print_json(result)
        return
    _print(root, result, show)


@learn.command()
def constraints(
    game: GameArgument,
    bias: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What may be learned; made from the rules if not given."),
    ] = None,
    instance: InstanceOption = None,
    position: PositionOption = None,
    examples: Annotated[
        Source, typer.Option(help="Examples of all optimal moves, or of a pruned search.")
    ] = Source.SOLUTION,
    noise: Annotated[
        bool,
        typer.Option("--noise", help="Examples may be broken, at the price of a literal each."),
    ] = False,
    until: Annotated[
        Until | None, typer.Option(help="Add what goes wrong to the examples and learn again.")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Verify what was learned on this game as well."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--time", metavar="S", min=1, help="Seconds for learning.")
    ] = 60,
    ilasp: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the task in ILASP's format as well.")
    ] = None,
    with_ilasp: Annotated[
        bool, typer.Option("--run-ilasp", help="Let ILASP solve the task, if it is installed.")
    ] = False,
    output: OutputOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn weak constraints that rank moves by the states they lead to, and verify them.

    Exit status 1 says that the language of the bias has nothing that orders all examples.
    """
    from kibitz.learn.bias import automatic_bias, load_bias
    from kibitz.learn.constraints import check_preferences, learn_constraints, solution_from
    from kibitz.learn.ilasp import ilasp_task, run_ilasp

    check_folder(output)
    check_folder(ilasp)
    state = _start(game, instance, position)
    language = automatic_bias(state.game.sheet) if bias is None else load_bias(bias)
    others = {name: solution_from(_start(name, None, None)) for name in test or ()}
    result = learn_constraints(
        state,
        language,
        from_search=examples is Source.SEARCH,
        with_noise=noise,
        until_optimal=until is not None,
        tests=list(others.values()),
        seconds=seconds,
        progress=_say if sys.stderr.isatty() else None,
    )
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    learned = result.learned
    found = learned.preferences
    tested = {} if found is None else {n: check_preferences(found, s) for n, s in others.items()}
    said = None
    if ilasp is not None or with_ilasp:
        task = ilasp_task(state.game.sheet, result.examples, language)
        if ilasp is not None:
            write_file(ilasp, task)
        if with_ilasp:
            said = run_ilasp(task)
    if found is not None and output is not None:
        write_file(output, found.text)
    told: dict[str, Any] = {
        "game": state.game.sheet.name,
        "constraints": [w.text(i) for i, w in enumerate(found.constraints, 1)] if found else None,
        "background": found.background if found else None,
        "literals": found.size if found else None,
        "is_smallest": learned.is_smallest,
        "examples": learned.examples,
        "examples_used": learned.seen,
        "candidates": learned.candidates,
        "broken": [example.text for example in learned.broken],
        "optimal": result.is_optimal,
        "verdicts": {role: v.as_json() for role, v in result.verdicts.items()},
        "tests": {
            name: {role: v.as_json() for role, v in verdicts.items()}
            for name, verdicts in tested.items()
        },
        "rounds": result.rounds,
        "ilasp": said,
        "seconds": learned.seconds,
    }
    if as_json:
        print_json(told)
    else:
        _print_learned(told, result.verdicts, tested)
    if found is None:
        raise typer.Exit(1)


def _print_learned(
    told: dict[str, Any],
    verdicts: dict[str, Verdict],
    tested: dict[str, dict[str, Verdict]],
) -> None:
    counts = (
        f"{told['examples']:,} examples, {told['examples_used']:,} of them looked at; "
        f"{told['candidates']:,} candidates; {told['seconds']:.2f} s"
    )
    if told["constraints"] is None:
        proved = (
            "no hypothesis in this language" if told["is_smallest"] else "nothing found in time"
        )
        print(f"{told['game']}: {proved} ({counts})")
        if told["broken"]:
            print("these examples clash:")
        for text in told["broken"][:10]:
            print(f"  {text}")
        return
    size = "proved to be of least cost" if told["is_smallest"] else "perhaps not of least cost"
    print(f"{told['game']}: {told['literals']} literals, {size} ({counts})")
    if told["background"]:
        print(told["background"])
    for line in told["constraints"]:
        print(line)
    if told["broken"]:
        print(f"{len(told['broken'])} kinds of examples are broken")
    for name, found in ((f"{told['game']}, learned from", verdicts), *tested.items()):
        for role, verdict in found.items():
            how = (
                "always optimal"
                if verdict.strongly_optimal
                else f"not optimal in {verdict.bad_states:,} of {verdict.states_checked:,} states"
            )
            print(f"{name}, {role}: {how}; sure of {verdict.guarantees[role]}")


def _start(game: str, instance: Size | None, position: str | None) -> State:
    from kibitz.engine.compiled import CompiledGame
    from kibitz.errors import InputError
    from kibitz.gdl import parse_terms
    from kibitz.learn.instances import find_instance

    if instance is None:
        made = CompiledGame(find_sheet(game))
        if position is None:
            return made.initial()
        return made.state(parse_terms(read_text(position), name=position))
    if position is not None:
        raise InputError("--instance and --position both say where to start", hint="give one")
    found = find_instance(game.partition(":")[0], instance.value)
    made = CompiledGame(find_sheet(found.game))
    fluents = parse_terms(found.fluents, name="instance") if found.fluents else None
    return made.initial() if fluents is None else made.state(fluents)


def _mask(text: str | None, state: State) -> Mask:
    from kibitz.errors import InputError
    from kibitz.learn.rules import find_mask

    if text is None:
        return find_mask(state.game.sheet)
    places = set()
    for part in text.split(","):
        name, _, index = part.strip().partition("/")
        if not index.isdigit():
            raise InputError(f"{part} is not a place", hint="such as has/0: argument 0 of has")
        places.add((name, int(index)))
    return frozenset(places)


def _say(text: str) -> None:
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def _show(count: int) -> None:
    print(f"\r{count:,}", end="", file=sys.stderr, flush=True)


def _save(root: Node, rules: list[str], path: str) -> None:
    import json

    from kibitz.errors import InputError
    from kibitz.learn.drawing import tree_svg

    ending = Path(path).suffix
    if ending == ".json":
        text = json.dumps(root.as_json())
    elif ending == ".svg":
        text = tree_svg(root)
    elif ending == ".lp":
        text = "\n".join(rules) + "\n"
    else:
        raise InputError(f"a tree cannot be saved as {ending or path}", hint=".json, .svg or .lp")
    write_file(Path(path), text)


def _print(root: Node, result: dict[str, Any], show: int) -> None:
    from kibitz.learn.drawing import tree_text

    calls = f", {result['calls']:,} calls of clingo" if result["calls"] is not None else ""
    print(
        f"{result['game']}: {result['nodes']:,} nodes{calls}, {result['seconds']:.2f} s; "
        f"{root.state.game.roles[0]} gets {result['value']}"
    )
    for rule in result["rules"]:
        print(f"  {rule}")
    if show:
        print(tree_text(root, most=show))
    elif sys.stdout.isatty():
        note("--show N prints N nodes of the tree; -o FILE.svg draws it")
