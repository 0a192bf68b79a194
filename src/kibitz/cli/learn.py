"""Commands that learn strategies with answer set programming: learn tree."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.inputs import GameArgument, JsonOption, find_sheet, note, print_json, read_text

if TYPE_CHECKING:
    from kibitz.engine import State
    from kibitz.learn.rules import Mask
    from kibitz.learn.trees import Node

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
    instance: Annotated[
        Size | None, typer.Option(help="A start position by size, for nim and tictactoe.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="FILE", help="Start from this state: fluents in KIF.")
    ] = None,
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
    target = Path(path)
    beside = target.with_name(f".{target.name}.part")
    beside.write_text(text, "utf-8")
    beside.replace(target)


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
