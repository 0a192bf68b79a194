"""The command that finds strategies: synth."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import compile_game, note, print_json, read_state, read_text
from kibitz.cli.common.options import (
    ClusterOption,
    GameArgument,
    JsonOption,
    MaxStatesOption,
    MemoryOption,
    OutputOption,
    PositionOption,
    Symmetry,
    TimeoutOption,
)
from kibitz.cli.common.outputs import check_folder, check_plot, clear_line, shown_line, write_file
from kibitz.errors import InputError
from kibitz.files import written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from kibitz.engine import CompiledGame, Role, State
    from kibitz.strategy import Strategy
    from kibitz.synth import FewerRules, Options, Synthesis


_THIS_START = "this game from its start"
_ROUNDS = 200
_EXACT_S = 10.0
"""Rounds to search without --time, and seconds for the exact method, which does not search."""


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(synth)


class Optimal(StrEnum):
    """Whether the list may be silent where every move is optimal."""

    STRONG = "strong"
    WEAK = "weak"


class Literals(StrEnum):
    """Literals that conditions may contain."""

    ALL = "all"
    POSITIVE = "positive"
    NONE = "none"


class Method(StrEnum):
    """How to find a list."""

    SEARCH = "search"
    EXACT = "exact"
    PAPER = "paper"
    NAIVE = "naive"


class Objective(StrEnum):
    """Length measure that a list of rules minimises."""

    RULES = "rules"
    LITERALS = "literals"
    EASY = "easy"


class Order(StrEnum):
    """Which states the paper's algorithms take first."""

    END = "end"
    START = "start"
    RANDOM = "random"


def synth(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option(metavar="R", help="The role to find rules for.")
    ] = None,
    as_json: JsonOption = False,
    symmetry: Annotated[
        Symmetry, typer.Option(help="Which images of a rule apply: any, the first, or none.")
    ] = Symmetry.ANY,
    optimal: Annotated[
        Optimal, typer.Option(help="weak: the list must have an answer wherever it leads.")
    ] = Optimal.STRONG,
    seed: Annotated[int, typer.Option(help="The same seed gives the same search.")] = 0,
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, help="Search with so many seeds, from --seed on; take the shortest."
        ),
    ] = 1,
    cluster: ClusterOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=0.1,
            max=1e6,
            help="Seconds after which the search is cut short; without --rounds it makes as many "
            "as usually take so long.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds to search, 200 by default; the same list on any machine."),
    ] = None,
    literals: Annotated[
        Literals,
        typer.Option(
            help="What conditions may be made of: all, none negated, or features only (none)."
        ),
    ] = Literals.ALL,
    method: Annotated[
        Method,
        typer.Option(
            help="Kibitz's search; ever longer lists until one exists (exact); "
            "paper 000's Algorithm 2 (paper) or 1 (naive)."
        ),
    ] = Method.SEARCH,
    objective: Annotated[
        Objective, typer.Option(help="Fewest rules, fewest literals, or easiest to say.")
    ] = Objective.RULES,
    features: Annotated[
        bool,
        typer.Option("--features", help="Let rules look one or two moves ahead from their move."),
    ] = False,
    formulas: Annotated[
        list[str] | None,
        typer.Option(
            "--feature", metavar="FORMULA", help="Let rules use this condition on their move."
        ),
    ] = None,
    actions: Annotated[
        bool, typer.Option("--actions", help="Let a rule allow two moves: => {a, b}.")
    ] = False,
    lift: Annotated[
        str | None,
        typer.Option(metavar="FLUENT.N", help="Let rules have variables over an argument: heap.1."),
    ] = None,
    order: Annotated[
        Order, typer.Option(help="For the paper's methods: which states come first.")
    ] = Order.END,
    greedy: Annotated[
        bool, typer.Option(help="For --method paper: drop literals one by one, or try all subsets.")
    ] = True,
    start: Annotated[
        str | None, typer.Option(metavar="FILE", help="A rule list to begin with.")
    ] = None,
    locked: Annotated[
        bool, typer.Option(help="Keep the rules of --start as they are, or simplify them too.")
    ] = True,
    position: PositionOption = None,
    max_states: MaxStatesOption = 20_000_000,
    max_rules: Annotated[
        int | None,
        typer.Option(min=0, help="Find the best list of at most this many rules, and its loss."),
    ] = None,
    pareto: Annotated[
        bool, typer.Option("--pareto", help="Show what lists of 0, 1, 2, … rules reach.")
    ] = False,
    measured: Annotated[
        bool,
        typer.Option(
            "--measured",
            help="Find rules of thumb by matches, for games of any size, and measure them.",
        ),
    ] = False,
    ahead: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="With --measured: how many moves ahead a rule may look. A win at once is 1, what "
            "the opponent can do then 2, a double threat 3, keeping the opponent from one 4, which "
            "is the default; wins that are forced 5 and more.",
        ),
    ] = None,
    insight: Annotated[
        bool,
        typer.Option(
            "--insight",
            help="Find a list that is short to say, for which sizes it holds, and why.",
        ),
    ] = False,
    grow: Annotated[
        str | None,
        typer.Option(
            metavar="FLUENT.N",
            help="With --insight: follow it where numbers at this argument go on: heap.2.",
        ),
    ] = None,
    output: OutputOption = None,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Find a short list of rules that plays perfectly, and prove that it does.

    With --insight, look first for rules about numbers, nim-sums, symmetry and values of heaps.
    With --measured, find one that plays well, and say how well: for games too large to solve.
    """
    from kibitz.english import use_files_beside
    from kibitz.strategy import read_strategy
    from kibitz.synth import Options, fewer_elsewhere, prepare, synthesise

    if pareto and max_rules is None:
        check_plot(output)
    else:
        check_folder(output)
    made = compile_game(game, timeout, memory)
    use_files_beside(made, game)
    if measured:
        from kibitz.cli.strategies.measured import MeasuredOptions, synth_measured

        asked = MeasuredOptions(max_rules, seconds, rounds, seed, start, ahead)
        synth_measured(made, role, asked, as_json=as_json, output=output)
        return
    if ahead is not None:
        raise InputError("--ahead is for --measured", hint="add --measured")
    if role is None:
        if len(made.roles) > 1:
            raise InputError("for whom?", hint="add --role " + " or --role ".join(made.roles))
        role = made.roles[0]
    made.check_role(role)
    starts = [] if position is None else [read_state(made, position)]
    if grow is not None and not insight:
        raise InputError("--grow is for --insight", hint="add --insight")
    if insight:
        if start is not None or max_rules is not None or pareto:
            raise InputError("--insight starts from no list, and finds a whole one")
        if _insight(made, role, starts, max_states, as_json, output, grow):
            return
    first = read_strategy(read_text(start), made, name=start) if start is not None else None
    if method is Method.EXACT:
        seconds = seconds or _EXACT_S
    elif seconds is None and rounds is None:
        rounds = _ROUNDS
    options = Options(
        reading=symmetry.value,
        must_answer=optimal is Optimal.WEAK,
        seed=seed,
        seconds=seconds,
        rounds=rounds,
        literals=literals.value,
        method=method.value,
        objective=objective.value,
        order=order.value,
        is_greedy=greedy,
        max_states=max_states,
        features=features,
        actions=actions,
        lift=lift,
        formulas=tuple(formulas or ()),
    )
    if max_rules is not None or pareto:
        _few_rules(made, role, options, starts, max_rules, as_json, output)
        return
    if seeds > 1 or cluster is not None:
        options = replace(options, seed=_best_seed(made, role, options, seeds, first, cluster))
    prepared = prepare(made, reading=options.reading, starts=starts, max_states=max_states)
    found = synthesise(
        made,
        role,
        options,
        prepared=prepared,
        starts=starts,
        start=first,
        locked=locked,
        report=shown_line(),
    )
    fewer = None
    if first is None and method is Method.SEARCH and not (found.was_interrupted or starts):
        fewer = fewer_elsewhere(made, found, options, prepared)
    clear_line()
    if found.was_interrupted:
        note("interrupted; this is the best list so far")
    if output is not None:
        write_file(output, found.strategy.text)
    if as_json:
        more = {"holds_for": {"proved": False, "sizes": _THIS_START}, "why": []} if insight else {}
        shorter = {"option": fewer.option, "rules": fewer.rules} if fewer else None
        print_json({**found.as_json(), "shorter_with": shorter, **more})
    else:
        _print(found, fewer)
    if found.was_interrupted:
        raise typer.Exit(130)


def _insight(
    made: CompiledGame,
    role: str,
    starts: list[State],
    max_states: int,
    as_json: bool,
    output: Path | None,
    grow: str | None,
) -> bool:
    """Show the list that is shortest to say; return whether there is one."""
    from kibitz.solve import solve
    from kibitz.space import Limits, explore
    from kibitz.synth import check_choice, find_insight, insight_sentences, sizes_sentence

    space = explore(made, starts=starts, limits=Limits(states=max_states))
    solution = solve(space)
    check_choice(solution, role)
    found = find_insight(solution, role, grow=grow)
    if found is None:
        note("no list about numbers or symmetry was found; looking for others")
        return False
    if output is not None:
        write_file(output, found.strategy.text)
    if as_json:
        print_json(found.as_json())
        return True
    count = f"{found.verdict.rules} rule{'s' * (found.verdict.rules != 1)}"
    goal = found.verdict.guarantees[role]
    print(f"{made.sheet.name}, {role}: {count}, never less than {goal} against any play")
    for number, sentence in enumerate(insight_sentences(found), start=1):
        print(f"\n{number}. {sentence}")
        if number <= len(found.why):
            print(f"   {found.why[number - 1]}")
    print(f"\n{sizes_sentence(found.holds_for)}")
    print("Where no rule applies, any move will do.")
    return True


def _best_seed(
    game: CompiledGame,
    role: Role,
    options: Options,
    seeds: int,
    first: Strategy | None,
    cluster: str | None,
) -> int:
    """Search with several seeds; return that of the shortest list, whose search is made again."""
    from kibitz.synth import best_seed

    if first is not None:
        raise InputError("--seeds and --cluster start from no list", hint="leave out --start")
    begin = options.seed
    found = best_seed(game, role, options, range(begin, begin + seeds), cluster=cluster)
    good = [one for one in found if not one.problem]
    if not good:
        raise InputError(f"no seed led to a list: {found[0].problem}")
    sizes = ", ".join(f"{one.seed}: {one.rules} rules, {one.literals} literals" for one in good[:3])
    note(f"{len(good)} of {len(found)} seeds led to a list; the shortest, by seed: {sizes}")
    return good[0].seed


def _few_rules(
    made: CompiledGame,
    role: str,
    options: Options,
    starts: list[State],
    most: int | None,
    as_json: bool,
    output: Path | None,
) -> None:
    """Show the best list of at most a number of rules, or the curve over all lengths."""
    from kibitz.synth import plot_curve, walk_curve

    curve = []
    show = shown_line()
    was_interrupted = False
    try:
        for partial in walk_curve(made, role, options, starts=starts, most=most):
            curve.append(partial)
            show(f"{partial.most_rules} rules: {partial.against_perfect} of {partial.value}")
    except KeyboardInterrupt:
        if not curve:
            raise
        was_interrupted = True
    clear_line()
    if was_interrupted:
        note("interrupted; these lists were found")
    shown = [curve[-1]] if most is not None else curve
    if output is not None:
        if most is None:
            with written_whole(output) as part:
                plot_curve(curve, part)
        else:
            write_file(output, curve[-1].strategy.text if curve[-1].strategy else "")
    if as_json:
        print_json(shown[0].as_json() if most is not None else [p.as_json() for p in shown])
    for partial in [] if as_json else shown:
        print(
            f"{partial.most_rules} rules: at least {partial.against_perfect} of {partial.value} "
            f"against any play, {partial.against_random:.1f} against random play "
            f"(any move that keeps the value {partial.keeping_against_random:.1f})"
        )
    if most is not None and curve[-1].strategy and not as_json:
        print(curve[-1].strategy.text, end="")
    if not as_json and any(partial.time_ended for partial in shown):
        print("Time ended the search; with more --time there may be better lists.")
    if was_interrupted:
        raise typer.Exit(130)


def _print(found: Synthesis, fewer: FewerRules | None) -> None:
    from kibitz.board import text_stencil
    from kibitz.english import pictured
    from kibitz.synth import ANY_OF_THEM, headline, literals_of, moves_of, sentence

    print(headline(found))
    if fewer:
        print(fewer.sentence)
    for number, rule in enumerate(found.rules, start=1):
        print(f"\n{number}. {sentence(found, rule)}")
        if found.problem.orbit_moves[rule.orbit] == ANY_OF_THEM:
            continue
        if found.problem.lift:
            literals, moves = pictured(found.strategy.rules_for(found.role)[number - 1])
        else:
            literals, moves = literals_of(found.problem, rule), moves_of(found.problem, rule)
        board = text_stencil(found.problem.game, literals, moves)
        print("\n".join(f"   {line}" for line in board.splitlines()))
    print(f"\nWhere no rule applies, any move will do. Searched for {found.seconds:.1f} s.")
    if found.time_ended:
        print("Time ended the search or a proof; with more of it there may be more to say.")
