"""Commands about strategies: moves, verify, comply, diff, minimise, repair."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    budget_of,
    compile_game,
    find_sheet,
    limits_of,
    note,
    print_json,
    read_state,
    read_text,
)
from kibitz.cli.common.outputs import clear_line, counted_states, shown_line
from kibitz.cli.strategies.strategy_text import (
    count_states,
    describe_silence,
    print_compliance,
    print_moves,
    print_verdict,
    size_text,
)
from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import CompiledGame, Game, Role
    from kibitz.learn import Advice
    from kibitz.solve import Solution
    from kibitz.space import StateSpace
    from kibitz.strategy import Strategy, Verdict


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (moves, verify, comply, diff, minimise, repair):
        app.command()(command)


StrategyArgument = Annotated[
    str,
    typer.Argument(
        metavar="STRATEGY",
        help="A strategy's path, or that of what was learned (.lp), one that comes with Kibitz, or "
        "- for stdin; #NAME behind it takes what it defines by that name.",
    ),
]
RoleOption = Annotated[
    str | None,
    typer.Option("--role", metavar="ROLE", help="Who plays it; the first who can if not given."),
]


SymmetryOption = Annotated[
    options.Symmetry | None,
    typer.Option("--symmetry", help="How rules apply to symmetric states, whatever the file says."),
]


class Checker(StrEnum):
    """Implementation that checks a strategy."""

    COMPILED = "compiled"
    REFERENCE = "reference"


def moves(
    game: options.GameArgument,
    strategy: StrategyArgument,
    role: RoleOption = None,
    state: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Ask in this state: fluents in KIF; - for stdin."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--list", help="List all pairs of state and move.")
    ] = False,
    symmetry: SymmetryOption = None,
    silence: options.SilenceOption = options.Silence.ANY,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 50_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """List the moves that a strategy allows in one state, or count them in all states."""
    if state is not None:
        from kibitz.engine import make_game
        from kibitz.strategy import moves_in

        made = make_game(find_sheet(game), budget=budget_of(timeout, memory), note=note)
        budget = budget_of(timeout, memory)
        chosen, who = read_named(strategy, made, role, symmetry, budget)
        found = moves_in(chosen, read_state(made, state), who, silence=silence.value)
        if as_json:
            print_json(found.as_json())
        else:
            print_moves(found)
        return
    compiled = compile_game(game, timeout, memory)
    budget = budget_of(timeout, memory)
    chosen, who = read_named(strategy, compiled, role, symmetry, budget)
    said = chosen.on(_space(compiled, max_states, timeout, memory), who)
    allowed = said.under(silence)
    write, space = compiled.write, allowed.space
    states = len({number for number, _ in allowed.pairs()})
    silent = int(said.silent.sum())
    if not as_json:
        for number, move in allowed.pairs() if every else ():
            print(f"{space.state(number)}: {write(move)}")
        print(f"{len(allowed):,} pairs of state and move, in {count_states(states)}")
        print(describe_silence(silence, silent))
        return
    result: dict[str, Any] = {
        "game": compiled.sheet.name, "role": who, "silence": silence.value,
        "silent_states": silent, "pairs": len(allowed), "states": states,
    }  # fmt: skip
    if every:
        result["moves"] = [
            {"state": list(map(write, space.state(number).fluents)), "move": write(move)}
            for number, move in allowed.pairs()
        ]
    print_json(result)


def verify(
    game: options.GameArgument,
    strategy: StrategyArgument,
    role: RoleOption = None,
    require: Annotated[
        str,
        typer.Option(
            metavar="CLAIMS",
            help="Exit with status 0 if all of these comma-separated claims hold: perfect, valid, "
            "complete, deterministic, functional, weakly_optimal, strongly_optimal, "
            "makes_progress, wins, draws.",
        ),
    ] = "perfect",
    symmetry: SymmetryOption = None,
    silence: options.SilenceOption = options.Silence.ANY,
    engine: Annotated[
        Checker,
        typer.Option(
            "--engine", help="Check with this engine; the reference is slow and independent."
        ),
    ] = Checker.COMPILED,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 50_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Check a strategy: is it perfect, complete, deterministic, and what does it guarantee?

    The exit status is 0 only if it is what is required, perfect by default: from wherever it leads
    it reaches the value against every opponent.
    """
    from kibitz.strategy import CLAIMS

    claims = [claim.strip() for claim in require.split(",") if claim.strip()]
    for claim in claims:
        if claim not in CLAIMS:
            raise InputError(f"no claim {claim}", hint=f"one of {' '.join(CLAIMS)}")
    if engine is Checker.REFERENCE:
        verdict, who, made = _by_reference(game, strategy, role, symmetry, silence, timeout, memory)
    else:
        from kibitz.budget import run_within
        from kibitz.strategy import Strategy, verify

        compiled = compile_game(game, timeout, memory)
        chosen, who = read_named(strategy, compiled, role, symmetry)
        space = _space(compiled, max_states, timeout, memory)
        solved = _solved(space)

        def work() -> Verdict:
            checked = chosen if isinstance(chosen, Strategy) else chosen.on(space, who)
            wanted = [*claims, "perfect"]
            return verify(checked, solved, who, silence=silence, claims=wanted)

        # A formula can look far ahead, so the check has separate bounds.
        verdict = run_within(budget_of(timeout, memory), work, doing=f"checking {chosen.name}")
        made = compiled
    if as_json:
        print_json(verdict.as_json())
    else:
        print_verdict(verdict, who, made)
    if not all(verdict.is_(claim) for claim in claims):
        raise typer.Exit(1)


def _by_reference(
    game: str,
    strategy: str,
    role: str | None,
    symmetry: options.Symmetry | None,
    silence: options.Silence,
    timeout: float,
    memory: float,
) -> tuple[Verdict, Role, Game]:
    from kibitz.budget import run_within
    from kibitz.engine import ReferenceGame
    from kibitz.strategy import image_carriers, verify_by_reference

    sheet = find_sheet(game)
    made = ReferenceGame(sheet)
    chosen, who = read_rules(strategy, made, role, symmetry)
    carriers = []
    if chosen.symmetry != "none":  # found by the compiled engine, and checked by the reference
        carriers = image_carriers(compile_game(game, timeout, memory))
    budget = budget_of(timeout, memory)
    doing = f"checking {sheet.name} with the reference engine"

    def work() -> Verdict:
        return verify_by_reference(chosen, who, carriers=carriers, silence=silence)

    return run_within(budget, work, doing=doing), who, made


def comply(
    game: options.GameArgument,
    strategy: Annotated[
        list[str],
        typer.Option("--strategy", metavar="ROLE=STRATEGY", help="This role complies with this."),
    ],
    formula: Annotated[
        str | None,
        typer.Option("--property", metavar="FORMULA", help="Check this on all paths that comply."),
    ] = None,
    outcomes: Annotated[
        bool, typer.Option("--outcomes", help="List how matches that comply can end.")
    ] = False,
    silence: options.SilenceOption = options.Silence.ANY,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 50_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Check a formula where roles comply with strategies, and find the best reply to them.

    The exit status is 0 if the property holds, or if none is given.
    """
    from kibitz.strategy import comply

    compiled = compile_game(game, timeout, memory)
    budget = budget_of(timeout, memory)
    complying: list[tuple[Strategy | Advice, Role]] = []
    for part in strategy:
        who, sign, name = part.partition("=")
        if not sign:
            raise InputError(f"{part} names no role", hint="write --strategy ROLE=STRATEGY")
        complying.append(read_named(name, compiled, who, None, budget))
    space = _space(compiled, max_states, timeout, memory)
    sets = [chosen.on(space, who) for chosen, who in complying]
    found = comply(space, sets, formula, silence=silence)
    if as_json:
        print_json(found.as_json(with_outcomes=outcomes))
    else:
        print_compliance(found, outcomes)
    if found.holds is False:
        raise typer.Exit(1)


def diff(
    game: options.GameArgument,
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy, as in verify.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    role: RoleOption = None,
    symmetry: SymmetryOption = None,
    silence: options.SilenceOption = options.Silence.ANY,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 50_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Describe where two strategies choose differently, grouped by their rules.

    The exit status is 0 if they choose alike everywhere.
    """
    from kibitz.strategy import compare

    compiled = compile_game(game, timeout, memory)
    budget = budget_of(timeout, memory)
    one, who = read_named(first, compiled, role, symmetry, budget)
    other, _ = read_named(second, compiled, who, symmetry, budget)
    space = _space(compiled, max_states, timeout, memory)
    found = compare(one, other, space, who, silence=silence)
    if as_json:
        print_json(found.as_json())
    else:
        from kibitz.board import text_board

        total = f"{found.states} states in which it is {who}'s turn"
        print(f"different in {found.different} of {total}")
        print(describe_silence(silence))
        for group in found.groups:
            sides = [f"rule {n}" if n else "no rule" for n in group.rules]
            print(f"\n{count_states(group.states)}: {sides[0]} of A, {sides[1]} of B; the first is")
            print(text_board(found.space.state(group.example)))
            for name, chosen in zip("AB", group.moves, strict=True):
                print(f"  {name}: {' '.join(chosen) or 'no move'}")
    if found.different:
        raise typer.Exit(1)


def minimise(
    game: options.GameArgument,
    strategy: StrategyArgument,
    role: RoleOption = None,
    symmetry: SymmetryOption = None,
    silence: options.SilenceOption = options.Silence.ANY,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 50_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Drop the rules and literals that a rule list can lose without becoming weaker."""
    from kibitz.solve import solve
    from kibitz.strategy import minimise

    compiled = compile_game(game, timeout, memory)
    chosen, who = read_rules(strategy, compiled, role, symmetry)
    solution = solve(_space(compiled, max_states, timeout, memory))
    show = shown_line()

    def progress(rules: int, literals: int) -> None:
        show(f"{rules} rules, {literals} literals")

    found = minimise(chosen, solution, who, silence=silence, progress=progress)
    clear_line()
    before, after = found.before, found.verdict
    if as_json:
        print_json(
            {
                "game": compiled.sheet.name,
                "role": who,
                "silence": silence.value,
                "kept": found.kept,
                "rules_before": before.rules,
                "literals_before": before.literals,
                "rules": after.rules,
                "literals": after.literals,
                "strategy": found.strategy.text,
                "verdict": after.as_json(),
            }
        )
        return
    sizes = [size_text(v) for v in (before, after)]
    note(f"from {sizes[0]} to {sizes[1]}, and still {found.kept.replace('_', ' ')}")
    note(describe_silence(silence))
    print(found.strategy.text, end="")


def repair(
    game: options.GameArgument,
    strategy: StrategyArgument,
    role: RoleOption = None,
    symmetry: SymmetryOption = None,
    as_json: options.JsonOption = False,
    seconds: Annotated[
        float,
        typer.Option("--time", metavar="S", min=0.1, max=1e6, help="Seconds to search."),
    ] = 30.0,
    max_states: options.MaxStatesOption = 1_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 8,
) -> None:
    """Make a rule list perfect with the fewest edits: rules dropped, moved, changed or added."""
    from kibitz.solve import solve
    from kibitz.synth import repair

    compiled = compile_game(game, timeout, memory)
    chosen, who = read_rules(strategy, compiled, role, symmetry)
    solution = solve(_space(compiled, max_states, timeout, memory))
    found = repair(chosen, solution, who, seconds=seconds, report=shown_line())
    clear_line()
    if as_json:
        print_json({"game": compiled.sheet.name, **found.as_json()})
        return
    if not found.edits:
        print(f"{chosen.name} is perfect for {who}: {found.bound_text}")
        return
    count = "1 edit" if len(found.edits) == 1 else f"{len(found.edits)} edits, one after another"
    print(f"{chosen.name}, {who}: {count} for a perfect list; {found.bound_text}")
    for edit in found.edits:
        print(f"  {edit.sentence}")
        if edit.was:
            print(f"    - {edit.was}")
        print(f"    {'-' if edit.kind == 'drop' else '+'} {edit.text}")
    if found.time_ended:
        print("Time ended the search; with more --time there may be fewer edits.")
    print()
    print(found.strategy.text, end="")


def _space(game: CompiledGame, max_states: int, timeout: float, memory: float) -> StateSpace:
    from kibitz.space import explore

    limits = limits_of(max_states, timeout, memory)
    space = explore(game, limits=limits, progress=counted_states())
    clear_line()
    space.require_complete()
    return space


def _solved(space: StateSpace) -> Solution | StateSpace:
    """Solve a space, or report why that is not possible and return the space."""
    from kibitz.errors import KibitzError
    from kibitz.solve import solve

    try:
        return solve(space)
    except KibitzError as error:
        note(f"{error.message}; so no move is called best")
        return space


def read_named(
    name: str,
    game: Game,
    role: str | None,
    symmetry: options.Symmetry | None,
    budget: Budget | None = None,
) -> tuple[Strategy | Advice, Role]:
    """Read the strategy that an argument names, and return it with its role.

    A learned program is untrusted, and has separate bounds.
    """
    from kibitz.learn import Advice, read_any
    from kibitz.strategy import shipped_names, shipped_text

    path, _, part = name.partition("#")
    if Path(path).suffix != ".strategy" and path in shipped_names():
        text = shipped_text(path)
    elif path != "-" and not Path(path).exists() and Path(path).suffix != ".strategy":
        raise InputError(
            f"there is no file {path}, and no strategy of that name comes with Kibitz",
            hint=f"Kibitz comes with {' '.join(shipped_names())}",
        )
    else:
        text = read_text(path)
    shown = "stdin" if path == "-" else path
    strategy = read_any(text, game, name=shown, part=part or None, budget=budget)
    if role is not None:
        game.check_role(role)
    if isinstance(strategy, Advice):
        if symmetry is not None:
            raise InputError(f"{path} is not a rule list, so symmetry cannot be read in it")
        return strategy, role or game.roles[0]
    if symmetry is not None:
        strategy = strategy.with_symmetry(symmetry.value)
    return strategy, role or strategy.plans[0][0]


def read_rules(
    name: str, game: Game, role: str | None, symmetry: options.Symmetry | None
) -> tuple[Strategy, Role]:
    """Read a strategy that is not a learned program."""
    from kibitz.strategy import Strategy

    strategy, who = read_named(name, game, role, symmetry)
    if not isinstance(strategy, Strategy):
        raise InputError(f"{name} is a learned program", hint="give one in the strategy language")
    return strategy, who
