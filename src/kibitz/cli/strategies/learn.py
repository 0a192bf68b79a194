"""Commands that learn strategies with answer set programming: learn tree, learn constraints."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    budget_of,
    find_sheet,
    note,
    print_json,
    read_fluents,
    read_text,
)
from kibitz.cli.common.outputs import check_folder, clear_line, shown_line, write_file
from kibitz.cli.strategies.learn_text import learned_text, print_learned, print_tree

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import State
    from kibitz.learn import Bias, Mask, Node


_GRACE_S = 10.0
"""How long interrupted work has to return its best result."""

learn = typer.Typer(help="Learn strategies with answer set programming.", no_args_is_help=True)


class Method(StrEnum):
    """How a tree is built."""

    MINIMAX = "minimax"
    PRUNED = "pruned"
    POOL = "pool"


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
    POOL = "pool"


class Until(StrEnum):
    """When to stop learning again."""

    OPTIMAL = "optimal"


InstanceOption = Annotated[
    Size | None, typer.Option(help="A start position by size, for nim and tictactoe.")
]
PositionsOption = Annotated[
    int, typer.Option(metavar="N", min=4, max=10_000, help="How many positions a pool has.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    app.add_typer(learn, name="learn")


@learn.command()
def tree(
    game: options.GameArgument,
    method: Annotated[
        Method,
        typer.Option(
            help="The whole tree, a pruned one, or one of positions of matches, for games too "
            "large to list."
        ),
    ] = Method.PRUNED,
    rules: Annotated[
        bool, typer.Option("--rules", help="Learn rules on the way, and prune with them.")
    ] = False,
    positions: PositionsOption = 60,
    instance: InstanceOption = None,
    position: options.PositionOption = None,
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
        int | None,
        typer.Option(help="Let clingo choose among equals, or a pool its positions, by this seed."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("-o", metavar="FILE", help="Save the tree: .json, .svg, .dot or .lp."),
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="How many nodes of the tree to show.")] = 0,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Build a game tree with clingo, scored by minimax, and learn rules from it.

    With --method pool, scores are proved or estimated, and rules hold in several positions.

    Exits with status 1 if there was no time for the whole tree.
    """
    from kibitz.budget import is_over, run_within
    from kibitz.learn import save_tree, tree_text

    began = time.perf_counter()
    budget = budget_of(timeout, memory)
    ending = "" if out is None else _ending(out)
    find = _finder(game, instance, position, budget)
    deadline = time.monotonic() + max(1.0, timeout - 3)
    progress = _until(deadline)

    def work() -> tuple[dict[str, Any], str, str, bool]:
        state = find()
        places = _mask(mask, state) if rules and method is not Method.MINIMAX else None
        measured: dict[str, Any] = {}
        if method is Method.POOL:
            root, learned, measured = _pooled(state, places, positions, seed or 1, deadline)
            calls, is_stopped = None, is_over(deadline)
        elif method is Method.MINIMAX:
            root, learned, calls, is_stopped = _whole(state, progress)
        else:
            root, learned, calls, is_stopped = _pruned(state, places, horizon, seed, progress)
        summary = {
            "game": state.game.sheet.name,
            "method": method.value,
            "nodes": root.count(),
            "value": root.score,
            "rules": learned,
            "calls": calls,
            "complete": not is_stopped,
            "seconds": time.perf_counter() - began,
            **measured,
        }
        text = tree_text(root, most=show) if show else ""
        saved = save_tree(root, learned, ending) if ending else ""
        return summary, text, saved, is_over(math.inf)

    summary, shown, saved, is_interrupted = run_within(
        budget, work, doing=f"building the tree of {game}", grace_s=_GRACE_S
    )
    clear_line()
    if out is not None:
        write_file(Path(out), saved)
    if as_json:
        print_json(summary)
    else:
        print_tree(summary, shown)
    if not summary["complete"]:
        why = "interrupted" if is_interrupted else f"more than {timeout:g} s (--timeout) are needed"
        note(f"{why}; this is what was built by then")
        if method is not Method.POOL:
            note("--method pool learns from positions of matches, however large the game")
        raise typer.Exit(130 if is_interrupted else 1)


@learn.command()
def constraints(
    game: options.GameArgument,
    bias: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="What may be learned; made from the rules if not given."),
    ] = None,
    show_bias: Annotated[
        bool, typer.Option("--show-bias", help="Print what may be learned, and learn nothing.")
    ] = False,
    instance: InstanceOption = None,
    position: options.PositionOption = None,
    examples: Annotated[
        Source,
        typer.Option(
            help="Examples of all optimal moves, of a pruned search, or of positions of matches, "
            "for games too large to list."
        ),
    ] = Source.SOLUTION,
    positions: PositionsOption = 60,
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
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=1,
            help="Seconds to learn, once there are examples; if not given, a number of steps and "
            "conflicts, with the same result on any machine.",
        ),
    ] = None,
    ilasp: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the task in ILASP's format as well.")
    ] = None,
    with_ilasp: Annotated[
        bool, typer.Option("--run-ilasp", help="Let ILASP solve the task, if it is installed.")
    ] = False,
    output: options.OutputOption = None,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Learn weak constraints that rank moves by the states they lead to, and verify them.

    Exits with status 1 if nothing in the language of the bias orders all examples.
    """
    from kibitz.budget import is_over, run_within
    from kibitz.errors import InputError
    from kibitz.learn import (
        automatic_bias,
        check_preferences,
        fitting_bias,
        ilasp_task,
        learn_constraints,
        learn_from_pool,
        read_bias,
        solution_from,
    )

    check_folder(output)
    check_folder(ilasp)
    budget = budget_of(timeout, memory)
    if examples is Source.POOL and (until is not None or with_ilasp):
        raise InputError("--until and --run-ilasp verify, which needs all states; a pool has some")
    find = _finder(game, instance, position, budget)
    language = None if bias is None else read_bias(read_text(bias), name=bias)
    finders = {name: _finder(name, None, None, budget) for name in test or ()}

    if show_bias:
        shown = language or run_within(
            budget,
            lambda: fitting_bias(automatic_bias(find().game.sheet)),
            doing=f"making a bias for {game}",
        )
        print_json({"game": game, "bias": shown.text}) if as_json else print(shown.text)
        return

    def work() -> tuple[dict[str, Any], str | None, str | None, Bias, bool]:
        state = find()
        spoken = language or fitting_bias(automatic_bias(state.game.sheet))
        others = {name: solution_from(found()) for name, found in finders.items()}
        allowed = None if seconds is None else min(seconds, max(1.0, timeout - 5))
        if examples is Source.POOL:
            result = learn_from_pool(
                state, spoken, positions=positions, seconds=allowed, progress=shown_line()
            )
        else:
            result = learn_constraints(
                state,
                spoken,
                from_search=examples is Source.SEARCH,
                with_noise=noise,
                until_optimal=until is not None,
                tests=list(others.values()),
                seconds=allowed,
                progress=shown_line(),
            )
        found = result.learned.preferences
        tested = (
            {n: check_preferences(found, s) for n, s in others.items()} if found is not None else {}
        )
        task = (
            ilasp_task(state.game.sheet, result.examples, spoken, with_noise=noise)
            if ilasp is not None or with_ilasp
            else None
        )
        summary = learned_text(state.game.sheet.name, result, tested)
        return summary, found.text if found else None, task, spoken, is_over(math.inf)

    summary, text, task, spoken, is_stopped = run_within(
        budget, work, doing=f"learning from {game}", grace_s=_GRACE_S
    )
    clear_line()
    if task is not None and ilasp is not None:
        write_file(ilasp, task)
    if task is not None and with_ilasp and not is_stopped:
        summary |= _second_opinion(task, spoken, find, budget)
    if text is not None and output is not None:
        write_file(output, text)
    if as_json:
        print_json(summary)
    else:
        print_learned(summary)
    if is_stopped:
        note("interrupted; this is the best so far" if text else "interrupted")
        raise typer.Exit(130)
    if text is None:
        if not noise and examples is not Source.POOL:
            note("  hint: --noise learns what agrees with most examples, and says where it errs")
        raise typer.Exit(1)


def _second_opinion(
    task: str, bias: Bias, find: Callable[[], State], budget: Budget
) -> dict[str, Any]:
    """Let ILASP solve the same task, and verify what it found."""
    from kibitz.budget import run_within
    from kibitz.learn import check_preferences, read_hypothesis, run_ilasp, solution_from

    printed = run_ilasp(task, bias, seconds=budget.seconds)
    found = read_hypothesis(printed, bias)
    if found is None:
        return {"ilasp": printed, "ilasp_verdicts": None}

    def judge() -> dict[str, Any]:
        verdicts = check_preferences(found, solution_from(find()))
        return {role: verdict.as_json() for role, verdict in verdicts.items()}

    judged = run_within(budget, judge, doing="verifying what ILASP found")
    return {"ilasp": printed, "ilasp_verdicts": judged}


def _finder(
    game: str, instance: Size | None, position: str | None, budget: Budget
) -> Callable[[], State]:
    """Read the rules and where to start; return a function that makes the state within a budget."""
    from kibitz.engine import CompiledGame
    from kibitz.errors import InputError
    from kibitz.gdl import parse_terms
    from kibitz.learn import find_instance

    if instance is not None and position is not None:
        raise InputError("--instance and --position both say where to start", hint="give one")
    fluents = None
    if instance is not None:
        found = find_instance(game.partition(":")[0], instance.value)
        sheet = find_sheet(found.game)
        fluents = parse_terms(found.fluents, name="instance") if found.fluents else None
    else:
        sheet = find_sheet(game)
        if position is not None:
            fluents = read_fluents(position)

    def make() -> State:
        made = CompiledGame(sheet, budget=budget)
        return made.initial() if fluents is None else made.state(fluents)

    return make


def _whole(
    state: State, progress: Callable[[int], None]
) -> tuple[Node, list[str], int | None, bool]:
    """Build the whole tree, or as much as possible before being stopped."""
    from kibitz.learn import Node, minimax_tree

    root = Node(state)
    try:
        minimax_tree(state.game, state, root=root, progress=progress)
    except TimeoutError:
        return root, [], None, True
    return root, [], None, False


def _pruned(
    state: State,
    mask: Mask | None,
    horizon: int | None,
    seed: int | None,
    progress: Callable[[int], None],
) -> tuple[Node, list[str], int | None, bool]:
    """Build a pruned tree and learn rules, or as much as possible before being stopped."""
    from kibitz.learn import Pruned

    pruned = Pruned(state.game, state, mask=mask, horizon=horizon, seed=seed, progress=progress)
    is_stopped = False
    try:
        pruned.run()
    except TimeoutError:
        is_stopped = True
    learned = [rule.text(pruned.names, timed=False) for rule in pruned.rules]
    return pruned.root, learned, pruned.matches.calls, is_stopped


def _pooled(
    state: State, mask: Mask | None, positions: int, seed: int, deadline: float
) -> tuple[Node, list[str], dict[str, Any]]:
    """Build the tree of a pool, and learn rules from it; two thirds of the time are for the pool.

    Return also what is known of both.
    """
    from kibitz.gdl import Names
    from kibitz.learn import judge_rules, learn_pool_rules, make_pool, pool_tree, rule_lines

    show = shown_line()
    now = time.monotonic()
    share = 1.0 if mask is None else 2 / 3
    pool = make_pool(
        state,
        positions=positions,
        seed=seed,
        deadline=now + share * (deadline - now),
        progress=show,
    )
    root = pool_tree(state, pool.learned_from)
    measured: dict[str, Any] = {"pool": pool.as_json()}
    if mask is None:
        return root, [], measured
    found = learn_pool_rules(pool, mask, deadline=deadline, progress=show)
    measured["held_out"] = judge_rules(found, pool).as_json()
    return root, rule_lines(found, Names.of_sheet(state.game.sheet)), measured


def _until(deadline: float) -> Callable[[int], None]:
    """Return a function that shows progress, and stops the work when its time is over."""
    from kibitz.budget import is_over

    show = shown_line()

    def check(count: int) -> None:
        show(f"{count:,}")
        if is_over(deadline):
            raise TimeoutError

    return check


def _ending(path: str) -> str:
    from kibitz.errors import InputError

    check_folder(Path(path))
    ending = Path(path).suffix
    if ending not in (".json", ".svg", ".dot", ".lp"):
        raise InputError(
            f"a tree cannot be saved as {ending or path}", hint=".json, .svg, .dot or .lp"
        )
    return ending


def _mask(text: str | None, state: State) -> Mask:
    from kibitz.errors import InputError
    from kibitz.learn import find_mask

    if text is None:
        return find_mask(state.game.sheet)
    places = set()
    for part in text.split(","):
        name, _, index = part.strip().partition("/")
        if not re.fullmatch("[0-9]{1,9}", index):
            raise InputError(f"{part} is not a place", hint="such as has/0: argument 0 of has")
        places.add((name, int(index)))
    return frozenset(places)
