"""Positions and two players in; out how play between them ends there, with intervals.

Nothing is listed: matches start in the positions, many in a block, and the same seed gives the same
matches. From this come how hard a given position is, and positions with even chances.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role, State
from kibitz.errors import InputError
from kibitz.policy import Allowed, Asked, Policy, RandomPolicy, UctPolicy, play_matches, policy_for
from kibitz.prove import Prover, Spending, smallest_images
from kibitz.puzzles.proved.attempts import depth_values, share_interval, threats_of
from kibitz.puzzles.proved.match_positions import Candidate, MatchPositions
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, puzzle_name
from kibitz.puzzles.selection import EVEN, Wanted
from kibitz.puzzles.skill.hardness import LEVELS, Level, Thresholds, classify
from kibitz.puzzles.skill.skills import DepthSkill, RandomSkill, StrategySkill, read_skill

__all__ = ["PlayedOut", "play_out", "read_player", "search_balanced"]

_LONGEST = 1_000
_FIRST_PLAYS, _PLAYS = 64, 256
_OPENING = range(3, 13)
"""Plies after the start in which even positions are looked for."""
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """How many plays from a position a role won, drew and lost, or left without an end."""

    wins: int
    draws: int
    losses: int
    endless: int = 0

    @property
    def plays(self) -> int:
        """How many plays there were."""
        return self.wins + self.draws + self.losses + self.endless

    @property
    def chance(self) -> float:
        """The share of plays that the role won."""
        return self.wins / self.plays

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the chance to win."""
        return share_interval(self.wins, self.plays)

    @property
    def score(self) -> float:
        """What the role got: 1 for a win, 1/2 for a draw or a play without an end."""
        return (self.wins + (self.draws + self.endless) / 2) / self.plays

    def level(self, thresholds: Thresholds) -> Level:
        """How hard the position is, by the chance to win."""
        return LEVELS[int(classify(np.array([self.chance]), thresholds)[0])]


class _DepthPolicy:
    """Paper 003's depth-k player in a block of matches."""

    needs_past = False
    is_native = False

    def __init__(self, depth: int, name: str) -> None:
        self.depth, self.name = depth, name
        self.known: dict[bytes, list[int]] = {}

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that look best within the depth."""
        index = asked.game.roles.index(asked.role)
        number = {move: i for i, move in enumerate(asked.game.network.moves[index])}
        threats = threats_of(asked.game)
        allowed = np.zeros_like(asked.legal)
        for i, row in enumerate(asked.rows):
            key = bytes([index]) + row.tobytes()
            if key not in self.known:
                values = depth_values(asked.state(i), asked.role, self.depth, threats=threats)
                if values is None:
                    raise InputError(
                        f"{self.name} looks at too many lines in {asked.game.sheet.name}",
                        hint="a smaller depth, or uct:N",
                    )
                best = max(values.values())
                self.known[key] = [number[m] for m, value in values.items() if value == best]
            allowed[i, self.known[key]] = True
        return allowed


def read_player(
    name: str, game: CompiledGame, role: Role, *, read_text: Callable[[str], str] | None = None
) -> tuple[str, Policy]:
    """Read who plays a role: a number of rounds, random, uct:N, or a strategy.

    >>> from kibitz.games import load_sheet
    >>> read_player("2", CompiledGame(load_sheet("tictactoe")), "xplayer")[0]
    'depth 2'
    """
    if name.startswith("uct:"):
        number = name.removeprefix("uct:")
        if not number.isascii() or not number.isdecimal() or not 0 < int(number) < 10**6:
            raise InputError(f"{name} has no number of playouts", hint="such as uct:100")
        return name, UctPolicy(int(number))
    skill = read_skill(name, game, read_text=read_text)
    match skill:
        case DepthSkill():
            return skill.name, _DepthPolicy(skill.k, skill.name)
        case RandomSkill():
            return skill.name, RandomPolicy()
        case StrategySkill():
            strategy = skill.strategy if skill.rules is None else skill.strategy.first(skill.rules)
            return skill.name, policy_for(strategy, role)
    raise InputError(
        f"{name} needs the solution of the game", hint="a number of rounds, random, uct:N, or FILE"
    )


def play_out(
    states: Sequence[State],
    role: Role,
    policies: dict[Role, Policy],
    *,
    plays: int = 200,
    seed: int = 1,
) -> list[PlayedOut]:
    """Play from each position a number of times, and count how it ends for a role.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> best = read_player("3", game, "player1")[1]
    >>> play_out([game.initial()], "player1", {"player1": best}, plays=50)[0].wins > 30
    True
    """
    if not states:
        return []
    game = cast(CompiledGame, states[0].game)
    rows = Blocks(game).rows([cast(int, state.key) for state in states])
    results = play_matches(
        game,
        policies,
        len(states) * plays,
        seed=seed,
        longest=_LONGEST,
        starts=np.repeat(rows, plays, axis=0),
    )
    goals = np.where(np.isnan(results.goals), -1, results.goals).reshape(len(states), plays, -1)
    index = game.roles.index(role)
    mine, others = goals[:, :, index], np.delete(goals, index, axis=2)
    theirs = others.max(axis=2) if others.shape[2] else np.full(mine.shape, 50.0)
    ended = mine >= 0
    counts = [ended & (mine > theirs), ended & (mine == theirs), ended & (mine < theirs), ~ended]
    return [PlayedOut(*(int(count[i].sum()) for count in counts)) for i in range(len(states))]


def search_balanced(
    game: CompiledGame,
    role: Role,
    own: tuple[str, Policy],
    other: tuple[str, Policy],
    *,
    wanted: Wanted | None = None,
    seconds: float = 300.0,
    progress: Callable[[str], None] = lambda _: None,
) -> PuzzleSet:
    """Find positions near the start of matches in which two players have even chances.

    Each is played out 64 times, and what looks even 256 times more; the score is of the latter.
    """
    wish = wanted or Wanted()
    game.check_role(role)
    if len(game.roles) != 2:
        raise InputError(f"even positions are for two roles, and {game.sheet.name} is not")
    began = time.monotonic()
    index = game.roles.index(role)
    prover = Prover(game, Spending(seconds, 10_000_000, threads=1))
    source = MatchPositions(game, index, seed=wish.seed)
    opponent = game.roles[1 - index]
    policies = {role: own[1], opponent: other[1]}
    seen: set[bytes] = set()
    tried = 0
    made: list[Puzzle] = []
    for batch in source.openings(_OPENING):
        rows = smallest_images(np.stack([one.row for one in batch]), prover.images)
        new: list[Candidate] = []
        for one, row in zip(batch, rows, strict=True):
            if row.tobytes() not in seen:
                seen.add(row.tobytes())
                new.append(one)
        for start in range(0, len(new), _CHUNK):
            chunk = new[start : start + _CHUNK]
            states = [State(game, Blocks(game).keys(one.row[None, :])[0]) for one in chunk]
            tried += len(chunk)
            first = play_out(states, role, policies, plays=_FIRST_PLAYS, seed=wish.seed)
            hopeful = [i for i, found in enumerate(first) if abs(found.score - 0.5) <= 2 * EVEN]
            kept = [states[i] for i in hopeful]
            again = play_out(kept, role, policies, plays=_PLAYS, seed=wish.seed + 1)
            for i, state, found in zip(hopeful, kept, again, strict=True):
                if abs(found.score - 0.5) <= EVEN:
                    chances = (
                        (own[0], found.chance),
                        (f"{other[0]}, opponent", found.losses / found.plays),
                    )
                    made.append(
                        Puzzle(
                            name=puzzle_name(state),
                            state=state,
                            role=role,
                            win_in=None,
                            level=found.level(wish.thresholds),
                            chances=chances,
                            first_moves=(),
                            line=(),
                            remoteness=None,
                            score=found.score,
                            plays=found.plays,
                            played=source.moves_of(chunk[i]),
                        )
                    )
            progress(f"{len(made)} even positions of {tried:,}")
            if len(made) >= wish.count or time.monotonic() - began > seconds:
                break
        if len(made) >= wish.count or not new or time.monotonic() - began > seconds:
            break
    result = PuzzleSet(
        game.sheet.name, role, own[0], other[0], tuple(made[: wish.count]), tried, len(made),
        way="search", matches=source.matches, seconds=time.monotonic() - began,
    )  # fmt: skip
    if made:
        return result
    why = f"none of {tried:,} positions is even for {own[0]} against {other[0]}"
    return replace(result, why=why, hint="bring the skills closer together")
