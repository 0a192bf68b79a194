"""Estimate how players fare in positions: right moves found, and play to the end.

Tree search with few playouts tries many times. Of depth-k players and strategies the chance is
exact: they draw from the moves that they find best.

Nothing is listed: matches start in the positions, many in a block, and the same seed gives the same
matches. From this come how hard a given position is, and openings with even chances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from kibitz.attached import Attached
from kibitz.engine import Blocks, CompiledGame, Move, Role, State
from kibitz.errors import InputError
from kibitz.policy import (
    Allowed,
    Asked,
    Policy,
    RandomPolicy,
    UctPolicy,
    play_matches,
    policy_for,
    share_interval,
)
from kibitz.puzzles.skill.hardness import LEVELS, Level, Thresholds, classify
from kibitz.puzzles.skill.skills import (
    DepthSkill,
    OptimalSkill,
    RandomSkill,
    StrategySkill,
    read_skill,
)
from kibitz.puzzles.threat_conditions import Threat, find_threats
from kibitz.rows import rows_of_keys
from kibitz.solve import END, MOST_REWARD
from kibitz.strategy import Strategy

TRIES = 40
_MOST_LEAVES = 20_000
Shares = dict[Move, float]
_threats: Attached[CompiledGame, tuple[list[Threat], ...]] = Attached()


@dataclass(frozen=True, slots=True)
class Attempt:
    """How often a player's first move was right: in so many tries, or exactly if there are none."""

    player: str
    share: float
    tries: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share; the share itself where it is exact."""
        if not self.tries:
            return self.share, self.share
        return share_interval(round(self.share * self.tries), self.tries)

    def as_json(self) -> dict[str, object]:
        """Return it as plain values."""
        low, high = self.interval
        tries = {"tries": self.tries} if self.tries else {}
        return {"player": self.player, "finds": self.share, "low": low, "high": high, **tries}

    @property
    def text(self) -> str:
        """The share with its interval, if it has one."""
        if not self.tries:
            return f"{self.share:.0%}"
        low, high = self.interval
        return f"{self.share:.0%} [{100 * low:.0f}, {100 * high:.0f}]"

    def __str__(self) -> str:
        return f"{self.player} {self.text}"


class Solver(Protocol):
    """A player that is shown positions, and says how likely it makes each move there."""

    @property
    def name(self) -> str:
        """Its name in tables."""

    @property
    def tries(self) -> int:
        """How often it tries; 0 where its chances are exact."""

    def shares(self, states: Sequence[State], role: Role) -> list[Shares | None]:
        """Return the chance of each move it may make; None where that takes too long to say."""


@dataclass(frozen=True)
class _Random:
    name: str = "random"
    tries: int = 0

    def shares(self, states: Sequence[State], role: Role) -> list[Shares | None]:
        return [_evenly(state.legal(role)) for state in states]


@dataclass(frozen=True, eq=False)
class _ByRules:
    """Follows a strategy; any move where it says nothing."""

    strategy: Strategy
    name: str
    tries: int = 0

    def shares(self, states: Sequence[State], role: Role) -> list[Shares | None]:
        return [_evenly(self.strategy.moves(state, role) or state.legal(role)) for state in states]


class _TreeSearch:
    """Plain tree search with a number of playouts, a new tree for every try."""

    def __init__(self, playouts: int, seed: int) -> None:
        self.policy = UctPolicy(playouts, seed=seed)
        self.name, self.tries = self.policy.name, TRIES

    def shares(self, states: Sequence[State], role: Role) -> list[Shares | None]:
        game = cast(CompiledGame, states[0].game)
        blocks = Blocks(game)
        rows = game.rows(states)
        legal = blocks.legal(rows, role)
        count = len(states) * TRIES
        asked = Asked(
            game=game,
            role=role,
            rows=np.repeat(rows, TRIES, axis=0),
            legal=np.repeat(legal, TRIES, axis=0),
            matches=np.arange(count),
            turn=0,
            past=lambda _index: [],
        )
        chosen = self.policy.moves(asked).reshape(len(states), TRIES, -1).mean(axis=1)
        moves = game.network.moves[game.roles.index(role)]
        return [{moves[i]: float(row[i]) for i in np.flatnonzero(row)} for row in chosen]


class _Depth:
    """Paper 003's depth-k player, by looking at all lines of k rounds."""

    def __init__(self, depth: int, name: str) -> None:
        self.depth, self.name, self.tries = depth, name, 0

    def shares(self, states: Sequence[State], role: Role) -> list[Shares | None]:
        found: list[Shares | None] = []
        threats = threats_of(cast(CompiledGame, states[0].game)) if states else ()
        for state in states:
            values = depth_values(state, role, self.depth, threats=threats)
            if values is None:
                found.append(None)
                continue
            best = max(values.values())
            found.append(_evenly([move for move, value in values.items() if value == best]))
        return found


def _evenly(moves: Sequence[Move]) -> Shares:
    return dict.fromkeys(moves, 1 / len(moves))


def threats_of(game: CompiledGame) -> tuple[list[Threat], ...]:
    """Return the threats of both roles, found once; none where there are not two."""
    if game not in _threats:
        roles = range(2 if len(game.roles) == 2 else 0)
        _threats[game] = tuple(find_threats(game, role) for role in roles)
    return _threats[game]


def depth_values(
    state: State,
    role: Role,
    depth: int,
    *,
    threats: Sequence[list[Threat]] | None = None,
    most: int = _MOST_LEAVES,
) -> dict[Move, int] | None:
    """Value the moves of a role as a depth-k player does; None where there are too many lines.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> values = depth_values(game.initial(), "xplayer", 1)
    >>> [str(move) for move, value in values.items() if value == max(values.values())]
    ['(mark 1 1)', '(mark 1 2)', '(mark 1 3)', '(mark 2 1)', '(mark 2 2)', '(mark 2 3)', \
'(mark 3 1)', '(mark 3 2)', '(mark 3 3)']
    """
    game = cast(CompiledGame, state.game)
    index = game.roles.index(role)
    blocks = Blocks(game)
    layers = []
    rows = game.rows([state])
    for _ in range(depth * len(game.roles)):
        if len(rows) > most:
            return None
        children = blocks.expand(rows, stop_at_terminal=True)
        layers.append((rows, children))
        rows = children.states
    if len(rows) > most * 4:
        return None
    known = threats_of(game) if threats is None else threats
    values = _rewards(known, rows, blocks.words, index)
    for layer in reversed(range(len(layers))):
        parents, children = layers[layer]
        values = _ended(blocks, rows, index, values)
        values = values - (values > MOST_REWARD) + (values < -MOST_REWARD)
        if layer == 0:
            break
        # The role takes the best for itself, whoever else chooses the worst for it.
        mine = blocks.legal(parents, role).sum(axis=1) > 1
        size = np.bincount(children.parents, minlength=len(parents))
        low = np.full(len(parents), np.iinfo(np.int64).max)
        high = np.full(len(parents), np.iinfo(np.int64).min)
        np.minimum.at(low, children.parents, values)
        np.maximum.at(high, children.parents, values)
        values = np.where(size == 0, 0, np.where(mine, high, low))
        rows = parents
    names = game.network.moves[index]
    found: dict[Move, int] = {}
    joint = layers[0][1].joint[:, index].tolist()
    for move, value in zip(joint, values.tolist(), strict=True):
        found[names[move]] = min(value, found.get(names[move], value))
    return found


def _ended(
    blocks: Blocks, rows: npt.NDArray[np.uint64], index: int, values: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Put the goals of ends in the place of what was counted there."""
    if not len(rows):
        return values
    ended = np.flatnonzero(blocks.terminal(rows))
    goals = np.maximum(0, blocks.goals(rows[ended])).astype(np.int64)
    others = np.delete(goals, index, axis=1)
    theirs = others.max(axis=1) if others.shape[1] else np.full(len(ended), 50)
    values = values.copy()
    values[ended] = (goals[:, index] - theirs) * END
    return values


def _rewards(
    threats: Sequence[list[Threat]], rows: npt.NDArray[np.uint64], words: int, index: int
) -> npt.NDArray[np.int64]:
    """Count threats, the role's own less those of the other."""
    total = np.zeros(len(rows), dtype=np.int64)
    for role, known in enumerate(threats):
        for threat in known:
            total += (1 if role == index else -1) * _holds(threat, rows, words)
    return total


def _holds(threat: Threat, rows: npt.NDArray[np.uint64], words: int) -> npt.NDArray[np.bool_]:
    def words_of(mask: int) -> npt.NDArray[np.uint64]:
        return rows_of_keys([mask & ((1 << 64 * words) - 1)], words)

    holds = ((rows & words_of(threat.care)) == words_of(threat.want)).all(axis=1)
    for mask in threat.some:
        holds &= (rows & words_of(mask)).any(axis=1)
    return cast("npt.NDArray[np.bool_]", holds)


def read_solver(
    name: str, game: CompiledGame, *, read_text: Callable[[str], str] | None = None, seed: int = 1
) -> Solver:
    """Read a player: a number of rounds, random, uct:N, or a strategy.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> read_solver("uct:50", game).name, read_solver("2", game).name
    ('uct:50', 'depth 2')
    """
    if name.startswith("uct:"):
        number = name.removeprefix("uct:")
        if not number.isascii() or not number.isdecimal() or not 0 < int(number) < 10**6:
            raise InputError(f"{name} has no number of playouts", hint="such as uct:100")
        return _TreeSearch(int(number), seed)
    skill = read_skill(name, game, read_text=read_text)
    match skill:
        case DepthSkill():
            return _Depth(skill.k, skill.name)
        case RandomSkill():
            return _Random()
        case StrategySkill():
            strategy = skill.strategy if skill.rules is None else skill.strategy.first(skill.rules)
            return _ByRules(strategy, skill.name)
        case OptimalSkill():
            pass
    raise InputError(
        f"{name} needs the solution of the game", hint="a number of rounds, random, uct:N, or FILE"
    )


_LONGEST = 1_000


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
        """Mean score of the role: 1 for a win, 1/2 for a draw or a play without an end."""
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
    rows = game.rows(states)
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
