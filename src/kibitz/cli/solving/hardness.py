"""The command hardness: how hard positions are for players of given skills."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    compile_game,
    limits_of,
    print_json,
    read_state,
    read_text,
)
from kibitz.cli.solving.positions import (
    AmongOption,
    EasyOption,
    HardOption,
    OtherOption,
    OwnOption,
    RewardOption,
    RoleOption,
    SeedOption,
    SetOption,
    explain_none,
    listed_positions,
    read_skills,
    within,
)
from kibitz.cli.solving.winsets import Kind, Where
from kibitz.errors import InputError
from kibitz.wording import win_in_text

if TYPE_CHECKING:
    from kibitz.engine import State
    from kibitz.puzzles import Hardness, Thresholds


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(hardness)


class SamplingName(StrEnum):
    """Which positions are looked at."""

    ALL = "all"
    RAND = "rand"
    B100 = "b100"
    ITERATIVE = "iterative"


WinInOption = Annotated[
    int,
    typer.Option(
        "--win-in",
        metavar="J",
        min=0,
        max=10_000,
        help="Own moves before the one that wins.",
    ),
]


def hardness(
    game: options.GameArgument,
    role: RoleOption = None,
    win_in: WinInOption = 2,
    k1: OwnOption = "1",
    k2: OtherOption = "3",
    set_: SetOption = Kind.EXACT,
    among: AmongOption = Where.AUTO,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=10**9, help="Estimate chances from N plays of each position."
        ),
    ] = None,
    sampling: Annotated[
        SamplingName,
        typer.Option(
            help="Which positions to look at: all, or as paper 003: 5,000 at random, the 100 with "
            "the lowest score against depth 1, or those hard for smaller depths.",
        ),
    ] = SamplingName.ALL,
    seed: SeedOption = 1,
    easy: EasyOption = 2 / 3,
    hard: HardOption = 1 / 3,
    reward: RewardOption = None,
    position: options.PositionOption = None,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 500_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 12,
) -> None:
    """Count the positions that a role can win by how hard they are for players of given skills.

    With --position, play from that one position --sample times, or 200; nothing is listed.
    """
    from kibitz.puzzles import (
        LEVELS,
        PaperSampling,
        Thresholds,
        measure_all,
        plays_alike,
        sampled_states,
    )

    start = time.perf_counter()
    thresholds = Thresholds(hard, easy)
    made = compile_game(game, timeout, memory)
    if position is not None:
        if reward is not None:
            raise InputError("--reward goes with listing, and --position lists nothing")
        state = read_state(made, position)
        if state.is_terminal:
            raise InputError("play has ended in this position")
        skills = (k1, k2)
        _play_position(
            state, role or made.roles[0], skills, sample or 200, seed, thresholds, as_json
        )
        return
    pair = read_skills(made, (k1, k2), reward)
    limits = limits_of(max_states, timeout, memory)

    def work() -> tuple[Hardness, int, str, str, tuple[str, str]]:
        reduce = sampling is SamplingName.ALL and all(map(plays_alike, pair))
        positions = listed_positions(made, role, set_, among, [win_in], limits, reduce=reduce)
        won = positions.won_in(win_in)
        states = sampled_states(
            positions.solution,
            won,
            role=positions.role,
            own=pair[0],
            other=pair[1],
            sampling=PaperSampling(sampling),
            thresholds=thresholds,
            seed=seed,
        )
        (found,) = measure_all(
            positions.solution,
            states,
            role=positions.role,
            pairs=[(pair[0], pair[1])],
            thresholds=thresholds,
            sample=sample,
            seed=seed,
        )
        why = ("", "") if len(won) else positions.why_none(win_in)
        return found, len(won), positions.role_name, positions.among, why

    doing = f"measuring {made.sheet.name}"
    found, won, who, where, why = within(timeout, memory, work, doing=doing)
    result = {
        "game": made.sheet.name,
        "role": who,
        "win_in": win_in,
        "k1": pair[0].name,
        "k2": pair[1].name,
        "among": where,
        "positions": won,
        "sampling": sampling.value,
        "explored": len(found),
        **found.counts(),
        "seconds": time.perf_counter() - start,
    }
    if not won:
        explain_none(*why)
    if as_json:
        print_json(result)
        return
    print(f"{made.sheet.name}: {won:,} positions in which {who} can {win_in_text(win_in)}")
    if sampling is not SamplingName.ALL:
        print(f"  looked at {len(found):,} of them ({sampling.value})")
    print(f"  {pair[0].name} against {pair[1].name}")
    for level in LEVELS:
        print(f"  {level.value:<7}{found.count(level):>12,}")
    print(f"  among {where} positions, {result['seconds']:.2f} s")


def _play_position(
    state: State,
    role: str,
    skills: tuple[str, str],
    plays: int,
    seed: int,
    thresholds: Thresholds,
    as_json: bool,
) -> None:
    """Play from one position, and show how it ends."""
    from kibitz.engine import require_compiled
    from kibitz.puzzles import play_out, read_player

    game = require_compiled(state.game)
    game.check_role(role)
    start = time.perf_counter()
    players = {
        one: read_player(skills[one != role], game, one, read_text=read_text) for one in game.roles
    }
    policies = {one: policy for one, (_, policy) in players.items()}
    (found,) = play_out([state], role, policies, plays=plays, seed=seed)
    low, high = found.interval
    names = [players[role][0], *(name for one, (name, _) in players.items() if one != role)]
    result = {
        "game": game.sheet.name,
        "role": role,
        "k1": names[0],
        "k2": names[-1],
        "plays": found.plays,
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "chance": found.chance,
        "low": low,
        "high": high,
        "level": found.level(thresholds).value,
        "seconds": time.perf_counter() - start,
    }
    if as_json:
        print_json(result)
        return
    print(f"{game.sheet.name}: {names[0]} as {role} against {names[-1]}, {found.plays:,} plays")
    print(f"  won {found.wins:,}, drawn {found.draws:,}, lost {found.losses:,}", end="")
    print(f", without an end {found.endless:,}" if found.endless else "")
    print(
        f"  wins with a chance of {found.chance:.0%} [{100 * low:.0f}, {100 * high:.0f}]: ", end=""
    )
    print(f"{result['level']}, {result['seconds']:.2f} s")
