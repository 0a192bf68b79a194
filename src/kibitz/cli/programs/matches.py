"""Commands that let others play: match, host, tournament, player."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, make_game, note, print_json, read_text
from kibitz.cli.common.outputs import check_plot
from kibitz.files import written_whole
from kibitz.wording import counted, join_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kibitz.engine import Game, Role
    from kibitz.gdl import RuleSheet
    from kibitz.play import Agent, Match, Score


_ROLES = typer.Option(
    "--role",
    metavar="R=AGENT",
    help="Who plays a role: an agent (docs/playing.md lists them), a strategy's path, or a "
    "player's address.",
)
RolesOption = Annotated[list[str], _ROLES]
StartClockOption = Annotated[
    float, typer.Option(metavar="S", min=0.1, max=1e5, help="Seconds to get ready in.")
]
PlayClockOption = Annotated[
    float, typer.Option(metavar="S", min=0.05, max=1e5, help="Seconds for each move.")
]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same random choices.")]
AgentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="[R=]AGENT",
        help="Who plays a role, or without R= every role that is not given; several without R= "
        "take one role each. Also "
        "MODULE:FUNCTION, a Python function from a state and a role to a move, and "
        "'command:PROGRAM …', a program that speaks the match protocol.",
    ),
]
MatchesOption = Annotated[int, typer.Option("--matches", "-n", min=1, help="How many matches.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (match, tournament, player, host):
        app.command()(command)


def match(
    game: options.GameArgument,
    role: Annotated[list[str] | None, _ROLES] = None,
    agent: AgentsOption = None,
    matches: MatchesOption = 1,
    position: options.PositionOption = None,
    start_clock: StartClockOption = 10,
    play_clock: PlayClockOption = 1,
    seed: SeedOption = 1,
    as_json: options.JsonOption = False,
) -> None:
    """Let agents play matches, and show the last one and the scores."""
    sheet = find_sheet(game, position)
    _host(
        sheet,
        [*(role or ()), *(agent or ())],
        matches,
        start_clock,
        play_clock,
        seed,
        as_json,
        together=False,
    )


def host(
    game: options.GameArgument,
    role: RolesOption,
    matches: MatchesOption = 1,
    start_clock: StartClockOption = 30,
    play_clock: PlayClockOption = 10,
    scramble: Annotated[
        bool, typer.Option("--scramble", help="Send the rules under other names.")
    ] = False,
    seed: SeedOption = 1,
    as_json: options.JsonOption = False,
) -> None:
    """Host matches between players elsewhere, by the protocol of general game playing."""
    sheet = find_sheet(game)
    _host(
        sheet, role, matches, start_clock, play_clock, seed, as_json, together=True, hide=scramble
    )


def _host(
    sheet: RuleSheet,
    roles: list[str],
    matches: int,
    start_clock: float,
    play_clock: float,
    seed: int,
    as_json: bool,
    *,
    together: bool,
    hide: bool = False,
) -> None:
    from kibitz.play import Clocks, play_matches, score

    made = make_game(sheet, options.Engine.COMPILED, budget_of(60, 4))
    names = _seats(made, roles)
    makes = {
        role: (name, _maker(made, name, play_clock, hide=hide)) for role, name in names.items()
    }
    played = [] if together else _in_blocks(made, names, matches, seed)
    played = played or play_matches(
        made,
        makes,
        matches=matches,
        clocks=Clocks(start_clock, play_clock),
        seed=seed,
        together=together,
        watch=_progress(matches),
    )
    scores = score(played, list(names.values()))
    if as_json:
        print_json(
            {
                "game": made.sheet.name,
                "matches": [one.as_json() for one in played],
                "scores": [one.as_json() for one in scores],
            }
        )
        return
    print(played[-1])
    for error in (error for one in played for step in one.steps for error in step.errors):
        note(error)
    _print_remarks(played)
    if matches > 1 or len(made.roles) > 1:
        print()
        _print_scores(scores, played)


def _in_blocks(game: Game, names: dict[Role, str], matches: int, seed: int) -> list[Match]:
    """Play many matches in blocks, if all agents can; return none if not."""
    from kibitz.engine import CompiledGame
    from kibitz.play import FEW, agent_policy, is_foreign, play_in_blocks
    from kibitz.policy import NotInBlocksError

    if matches <= FEW or not isinstance(game, CompiledGame):
        return []
    if any(map(is_foreign, names.values())):
        return []
    policies = {
        role: policy
        for role, name in names.items()
        if (policy := agent_policy(game, role, name, read=read_text, note=note))
    }
    if len(policies) < len(names):
        return []
    try:
        return play_in_blocks(game, policies, matches, names=names, seed=seed)
    except NotInBlocksError:
        return []


def _seats(game: Game, pairs: list[str]) -> dict[Role, str]:
    """Read R=AGENT pairs; agents without a role play those that are not named, else random.

    One plays them all; several take one each, in the order of the rules.
    """
    from kibitz.errors import InputError

    seats: dict[Role, str] = {}
    others = []
    for pair in pairs:
        role, equals, name = pair.partition("=")
        if not equals or pair.startswith("command:"):
            others.append(pair)
            continue
        game.check_role(role)
        seats[role] = name
    free = [role for role in game.roles if role not in seats]
    if len(others) not in (0, 1, len(free)):
        raise InputError(
            f"{join_words(others)}: {counted(len(others), 'agent')} without a role, and "
            f"{counted(len(free), 'role')} without an agent",
            hint="--agent R=AGENT for each",
        )
    players = others if len(others) > 1 else (others or ["random"]) * len(free)
    return {role: seats.get(role, "") or players[free.index(role)] for role in game.roles}


def _maker(game: Game, name: str, play_clock: float, *, hide: bool) -> Callable[[int], Agent]:
    from kibitz.play import RemoteAgent, Scrambler, is_address, is_foreign

    if is_foreign(name) or not is_address(name):
        return agent_maker(name, play_clock)

    def make(seed: int) -> Agent:
        scrambler = Scrambler(game.sheet, seed=seed) if hide else None
        ident = f"kibitz.{int(time.time())}.{seed}"
        return RemoteAgent(name, ident, play_s=play_clock, scrambler=scrambler)

    return make


def _progress(total: int) -> Callable[[Match], None] | None:
    if not sys.stderr.isatty() or total == 1:
        return None
    done = 0

    def watch(one: Match) -> None:
        nonlocal done
        done += 1
        note(f"{done}/{total}: {one.result}")

    return watch


def _print_remarks(played: Sequence[Match]) -> None:
    """Show what agents said of their moves: all of one match, a number and an example of many."""
    remarks = [remark for one in played for remark in one.remarks]
    shown = remarks if len(played) == 1 else remarks[:1]
    for remark in shown:
        note(remark)
    if len(remarks) > len(shown):
        note(f"and {counted(len(remarks) - len(shown), 'such move')}; --json has them all")


def _print_scores(scores: list[Score], played: Sequence[Match]) -> None:
    from rich.console import Console
    from rich.table import Table

    lost = [one for one in played if not one.is_finished]
    if len(lost) == len(played):
        print("no scores: no match ended")
        return
    table = Table(box=None, pad_edge=False)
    for column in ("agent", "matches", "won", "drawn", "lost", "mean goal", "95 %", "s a move"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for one in scores:
        low, high = one.goal_interval
        table.add_row(
            one.name,
            str(one.matches),
            str(one.wins),
            str(one.draws),
            str(one.losses),
            f"{one.mean_goal:.1f}",
            f"{low:.0f} to {high:.0f}",
            f"{one.mean_seconds:.2f}",
        )
    Console(highlight=False, width=100).print(table)
    if lost:
        print(f"{len(lost):,} of {len(played):,} matches did not end, and are not counted")


def tournament(
    game: options.GameArgument,
    agent: Annotated[
        list[str],
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="An agent that takes part, as in match: a name, a path, an address, "
            "MODULE:FUNCTION or 'command:PROGRAM …'.",
        ),
    ],
    matches: Annotated[
        int, typer.Option("--matches", "-n", min=1, help="Matches for each seating.")
    ] = 10,
    position: options.PositionOption = None,
    start_clock: StartClockOption = 5,
    play_clock: PlayClockOption = 0.5,
    seed: SeedOption = 1,
    cluster: options.ClusterOption = None,
    as_json: options.JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the scores: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """Let agents meet one another in every role, and rank them."""
    from kibitz.play import Clocks, play_tournament, seatings, spread_tournament

    check_plot(plot)
    made = make_game(find_sheet(game, position), options.Engine.COMPILED, budget_of(60, 4))
    clocks = Clocks(start_clock, play_clock)
    watch = _progress(matches * seatings(len(agent), len(made.roles)))
    if cluster is not None:
        result = spread_tournament(
            made,
            _spreadable(agent),
            matches=matches,
            clocks=clocks,
            seed=seed,
            cluster=cluster,
            read=read_text,
            watch=watch,
        )
    else:
        makes = [(name, _maker(made, name, play_clock, hide=False)) for name in agent]
        result = play_tournament(
            made, makes, matches=matches, clocks=clocks, seed=seed, watch=watch
        )
    if plot is not None:
        from kibitz.play import plot_scores

        with written_whole(plot) as part:
            plot_scores(result.scores, part, title=made.sheet.name)
    if as_json:
        print_json(
            {
                "game": made.sheet.name,
                "matches": [one.as_json() for one in result.matches],
                "scores": [one.as_json() for one in result.scores],
            }
        )
        return
    _print_remarks(result.matches)
    print(f"{made.sheet.name}: {len(result.matches)} matches")
    _print_scores(list(result.scores), result.matches)


def _spreadable(names: list[str]) -> list[str]:
    """Return agents that any machine can make; raise InputError for one that only this can."""
    from kibitz.errors import InputError
    from kibitz.play import is_address, is_foreign

    for name in names:
        if is_foreign(name) or is_address(name):
            raise InputError(
                f"{name} does not play on a cluster", hint="agents by name, and strategies, do"
            )
    return names


def player(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 9147,
    bind: Annotated[
        str, typer.Option("--host", help="The address to listen on; 0.0.0.0 for all.")
    ] = "127.0.0.1",
    agent: Annotated[
        str,
        typer.Option(
            help="Who plays: auto, mcts, optimal, uct, careful, random, or a strategy's path."
        ),
    ] = "auto",
    name: Annotated[str, typer.Option(help="What to answer when asked for a name.")] = "kibitz",
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST", help="Answer pages of this host, and to this name of the machine."
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            min=0,
            max=1e5,
            help="Answer this many seconds before a clock ends. If not given: a tenth of the "
            "clock, at most one second, and three times the delay that was measured.",
        ),
    ] = None,
    ponder: Annotated[
        bool, typer.Option("--ponder/--no-ponder", help="Think while the others think.")
    ] = True,
    seed: SeedOption = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the messages.")] = False,
) -> None:
    """Wait for match servers, and play by the protocol of general game playing."""
    from kibitz.play import Player, serve_player, warm_up

    make = agent_maker(agent)
    log = (lambda _line: None) if quiet else note
    warm_up()
    made = Player(
        lambda _game, _role: make(seed), name=name, log=log, margin_s=margin, ponder=ponder
    )
    with serve_player(made, host=bind, port=port, allowed=frozenset(allow or ())) as server:
        note(f"{name} ({agent}) listens on {bind}:{port}; Ctrl-C ends it")
        try:
            server.serve_forever(poll_interval=0.1)
        finally:
            made.close()


def agent_maker(name: str, play_clock: float = 1.0) -> Callable[[int], Agent]:
    """Return what makes an agent of a name, one of ours or a function or a program of the user."""
    from kibitz.play import foreign_agent, is_foreign, make_agent

    if is_foreign(name):
        return foreign_agent(name, play_s=play_clock)
    return make_agent(name, read=read_text)
