"""Model skills: chances for the moves of every state, from rewards without lookahead.

A skill marks moves of a space, one bit for each edge. A player with the skill picks one of the
marked moves uniformly at random, and any move where none is marked; with the chance `slip`, any
move in any case. Depth-k players, strategies, and people who know some rules of one differ in what
they mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.budget import Budget
from kibitz.core import Struct
from kibitz.engine import CompiledGame, Game
from kibitz.errors import BudgetExceededError, InputError
from kibitz.puzzles.threat_conditions import Threat, find_threats
from kibitz.rows import rows_of_keys
from kibitz.solve import MOST_REWARD, Solution, best_moves, edge_sources, in_parts, progress_edges
from kibitz.space import StateSpace, Symmetries, find_symmetries, images_of
from kibitz.strategy import (
    Does,
    Evaluator,
    Formula,
    Simple,
    Strategy,
    columns_of,
    is_timeless,
    leaves,
    read_strategy,
    shipped_names,
    shipped_text,
)

Reward = Callable[[StateSpace], npt.NDArray[np.int32]]
"""Gives each state of a space a number that is large where the first role is doing well."""

_MOST_IMAGES = 200


@dataclass(frozen=True, slots=True)
class ThreatReward:
    """Paper 003's reward: the first role's threats minus the opponent's.

    In a game of lines a threat is a line with one empty cell and own marks elsewhere, wherever
    the gap is and whether or not it can be marked at once. In other games it is a way to win that
    lacks one thing; see `threat_conditions`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> state = game.initial()
    >>> for joint in (("(mark 1 1)", "noop"), ("noop", "(mark 3 2)"), ("(mark 2 2)", "noop")):
    ...     state = state.step(joint)
    >>> ThreatReward()(explore(game, starts=[state]))[0]
    np.int32(1)
    """

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Count threats in all states of a space."""
        result = np.zeros(len(space), dtype=np.int32)
        for role in range(min(2, len(space.game.roles))):
            _count(find_threats(space.game, role), space, -1 if role else 1, result)
        return result


def symmetries_of_threats(game: CompiledGame, seconds: float) -> Symmetries | None:
    """Find the symmetries of a game that map threats to threats.

    None if there are none, or too many, or if they are not found in time.

    >>> from kibitz.games import load_sheet
    >>> symmetries_of_threats(CompiledGame(load_sheet("tictactoe")), 10).order
    8
    """
    try:
        found = find_symmetries(game, budget=Budget(seconds=min(seconds, 1e6)))
        if not 1 < found.order <= _MOST_IMAGES:
            return None
        images = images_of(game, found)
    except (BudgetExceededError, InputError):
        return None
    for role in range(min(2, len(game.roles))):
        threats = find_threats(game, role)
        itself = range(len(game.network.fluents))
        counted, *others = (
            Counter(threat.image(bits) for threat in threats) for bits in (itself, *images)
        )
        if any(other != counted for other in others):
            return None
    return found


@dataclass(frozen=True, slots=True)
class CalledReward:
    """A function from rows of packed states to numbers, called block by block."""

    function: Callable[[npt.NDArray[np.uint64]], npt.ArrayLike]
    block: int = 1 << 16

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Call the function for all states of a space."""
        parts = []
        for start in range(0, len(space), self.block):
            rows = space.states[start : start + self.block]
            part = np.asarray(self.function(rows))
            if part.shape != (len(rows),):
                raise InputError(f"a reward gave {part.shape} numbers for {len(rows):,} states")
            parts.append(part)
        return evaluate(lambda _: np.concatenate(parts), space)


class FormulaReward:
    """Formulas of the strategy language with weights; a state gets the weights of those that hold.

    Each line of the text is a formula about states, perhaps after a whole number, its weight for
    the first role: `-2 (cell 2 2 o)`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> reward = FormulaReward("3 (cell 2 2 x)\\n-3 (cell 2 2 o)", space.game)
    >>> sorted(set(reward(space).tolist()))
    [-3, 0, 3]
    """

    def __init__(self, text: str, game: CompiledGame, *, name: str = "reward") -> None:
        self.role = game.roles[0]
        self.terms: list[tuple[int, Formula]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            found = re.fullmatch(r"\s*([+-]?\d{1,6})\s+(.*)", line)
            weight, formula = (int(found[1]), found[2]) if found else (1, line)
            plan = read_strategy(formula, game, name=f"{name}:{number}").plan(self.role)
            if not isinstance(plan, Simple) or not _is_about_a_state(plan.formula):
                raise InputError(
                    f"{name}:{number}: {formula.strip()} is not a formula about states alone",
                    hint="remove moves, next, past and else",
                )
            self.terms.append((weight, plan.formula))

    def __call__(self, space: StateSpace) -> npt.NDArray[np.int32]:
        """Add up the weights of what holds in each state."""
        evaluator = Evaluator(columns_of(space), self.role)
        states = np.arange(len(space))
        result = np.zeros(len(space), dtype=np.int32)
        for weight, formula in self.terms:
            evaluator.prepare(formula)
            result += weight * evaluator.everywhere(formula, states)
        return result


def _is_about_a_state(formula: Formula) -> bool:
    return is_timeless(formula) and not any(isinstance(x, Does) for x in leaves(formula))


def evaluate(reward: Reward, space: StateSpace) -> npt.NDArray[np.int32]:
    """Apply a reward, and check its result."""
    found = np.asarray(reward(space))
    if found.shape != (len(space),) or not np.issubdtype(found.dtype, np.number):
        raise InputError(f"a reward has one number for each of the {len(space):,} states")
    if not np.isfinite(found).all() or (np.abs(found) > MOST_REWARD).any():
        raise InputError(f"rewards must lie between -{MOST_REWARD:,} and {MOST_REWARD:,}")
    if (found != np.floor(found)).any():
        raise InputError("rewards must be whole numbers", hint="multiply them and round")
    return found.astype(np.int32)


def _count(
    threats: list[Threat], space: StateSpace, sign: int, result: npt.NDArray[np.int32]
) -> None:
    if not threats:
        return
    words = space.states.shape[1]
    run = Struct(
        "threats", states=space.states, words=words, count=len(threats),
        care=rows_of_keys((t.care for t in threats), words),
        want=rows_of_keys((t.want for t in threats), words),
        some=rows_of_keys((mask for t in threats for mask in t.some), words),
        first=np.cumsum([0, *(len(t.some) for t in threats)]),
    )  # fmt: skip
    count = core.function("chances_count_threats")
    in_parts(lambda start, stop: count(run, sign, result, start, stop), len(space))


SKILLS = "a number of rounds, random, optimal, slip:CHANCE, or a strategy: FILE or FILE@N"
"""The forms of a skill's name."""

MOST_ROUNDS = 1000
"""The largest depth; ends count more than evaluations up to many more plies."""


@dataclass(frozen=True, eq=False)
class MoveChances:
    """Chances for the moves of every state: `chosen` are picked from, `slip` is for any."""

    chosen: npt.NDArray[np.bool_]
    slip: float = 0.0

    def chances(self, space: StateSpace) -> npt.NDArray[np.float64]:
        """Return the chance of each edge to be picked in the state that it leaves."""
        moves = np.diff(space.first_edge)
        picked = np.add.reduceat(np.append(self.chosen, False), space.first_edge[:-1], dtype=int)
        picked[moves == 0] = 0
        of_edge = np.repeat(np.arange(len(space)), moves)
        any_move = 1.0 / moves[of_edge]
        count = picked[of_edge]
        some = np.where(count > 0, self.chosen / np.maximum(count, 1), any_move)
        return (1.0 - self.slip) * some + self.slip * any_move


class Skill(Protocol):
    """How a player chooses moves."""

    @property
    def name(self) -> str:
        """Its name: `depth 2`."""

    def choose(self, solution: Solution, role: int) -> MoveChances:
        """Return how a player with this skill plays a role, in every state."""


@dataclass(frozen=True, slots=True)
class DepthSkill:
    """Paper 003's depth-k player: searches k rounds, and picks one of the moves found best.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> [int(DepthSkill(k).choose(solution, 0).chosen[:9].sum()) for k in (1, 2)]
    [9, 1]
    """

    k: int
    reward: Reward = field(default_factory=ThreatReward)

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_ROUNDS:
            raise InputError(f"a player searches 1 to {MOST_ROUNDS} rounds ahead, not {self.k}")

    @property
    def name(self) -> str:
        """Name of the player, with its search depth."""
        return f"depth {self.k}"

    def choose(self, solution: Solution, role: int) -> MoveChances:
        """Search from every state."""
        return choose_all([(self, role)], solution)[0]


@dataclass(frozen=True, slots=True)
class RandomSkill:
    """Picks any move."""

    name: str = "random"

    def choose(self, solution: Solution, role: int) -> MoveChances:
        """Mark nothing."""
        return MoveChances(np.zeros(solution.space.edges, dtype=bool))


@dataclass(frozen=True, slots=True)
class OptimalSkill:
    """Plays perfectly except for slips: keeps the value, wins fast, delays a loss."""

    slip: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slip <= 1:
            raise InputError(f"a chance of slips is between 0 and 1, not {self.slip:g}")

    @property
    def name(self) -> str:
        """Name of the player, with its chance of slips if it has one."""
        return f"optimal but for {self.slip:g}" if self.slip else "optimal"

    def choose(self, solution: Solution, role: int) -> MoveChances:
        """Mark the moves that keep the value and make progress."""
        return MoveChances(progress_edges(solution), self.slip)


@dataclass(frozen=True, slots=True, eq=False)
class StrategySkill:
    """Plays what a strategy, or its first rules, recommend, and any move where they say nothing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> solution = solve(explore(game))
    >>> strategy = read_strategy("true => (mark 2 2)\\ntrue => (mark 1 1)", game)
    >>> skills = [StrategySkill(strategy, rules) for rules in (0, 1, None)]
    >>> [int(skill.choose(solution, 0).chosen.sum()) for skill in skills]
    [0, 999, 3367]
    """

    strategy: Strategy
    rules: int | None = None

    def __post_init__(self) -> None:
        known = len(self.strategy.rules)
        if self.rules is not None and not known:
            raise InputError(f"{self.strategy.name} is not a rule list, so it has no first rules")
        if self.rules is not None and not 0 <= self.rules <= known:
            raise InputError(f"{self.strategy.name} has {known} rules, not {self.rules}")

    @property
    def name(self) -> str:
        """Name of the strategy, with the number of its known rules if they are limited."""
        if self.rules is None:
            return self.strategy.name
        return f"{self.strategy.name}@{self.rules}"

    def choose(self, solution: Solution, role: int) -> MoveChances:
        """Mark what the known rules of the strategy recommend to a role."""
        space = solution.space
        decided = self.strategy.decide(space, space.game.roles[role])
        chosen = decided.moves.chosen
        if self.rules is not None:
            chosen = chosen & (decided.decider < self.rules)[edge_sources(space)]
        return MoveChances(chosen)


def plays_alike(skill: Skill) -> bool:
    """Return whether skills play alike in positions that are images of one another."""
    if isinstance(skill, DepthSkill):
        return isinstance(skill.reward, ThreatReward)
    return isinstance(skill, RandomSkill | OptimalSkill)


def choose_all(players: Sequence[tuple[Skill, int]], solution: Solution) -> list[MoveChances]:
    """Let skills choose, each for a role; depth-k players of one reward share their sweeps."""
    depths: dict[Reward, set[int]] = {}
    roles = len(solution.space.game.roles)
    for skill, _ in players:
        if isinstance(skill, DepthSkill):
            depths.setdefault(skill.reward, set()).add(skill.k * roles)
    marked = {
        reward: best_moves(solution, evaluate(reward, solution.space), plies)
        for reward, plies in depths.items()
    }
    known: dict[tuple[Skill, int], MoveChances] = {}
    for skill, role in players:
        if isinstance(skill, DepthSkill):
            known[skill, role] = MoveChances(marked[skill.reward][skill.k * roles])
        elif (skill, role) not in known:
            known[skill, role] = skill.choose(solution, role)
    return [known[player] for player in players]


def read_skill(
    text: str,
    game: Game,
    *,
    reward: Reward | None = None,
    read_text: Callable[[str], str] | None = None,
) -> Skill:
    """Read a skill; `read_text` gives the text of a strategy by its path.

    FILE@N knows only the first N rules of a strategy. Strategies that come with Kibitz are given by
    their names.

    >>> import kibitz
    >>> game = kibitz.load("tictactoe")
    >>> read_skill("2", game).name, read_skill("slip:0.1", game).name
    ('depth 2', 'optimal but for 0.1')
    """
    kind, _, rest = text.strip().partition(":")
    if not rest and kind.isascii() and kind.isdecimal() and len(kind) < 5:
        return DepthSkill(int(kind), reward or ThreatReward())
    if not rest and kind == "random":
        return RandomSkill()
    if not rest and kind == "optimal":
        return OptimalSkill()
    if kind == "slip":
        try:
            return OptimalSkill(float(rest))
        except ValueError:
            pass
    path, at, number = text.strip().rpartition("@")
    if not (at and number.isascii() and number.isdecimal() and len(number) < 5):
        path, number = text.strip(), ""
    if read_text and (path.endswith(".strategy") or "/" in path):
        strategy = read_strategy(read_text(path), game, name=path)
        return StrategySkill(strategy, int(number) if number else None)
    if path in shipped_names():
        strategy = read_strategy(shipped_text(path), game, name=path)
        return StrategySkill(strategy, int(number) if number else None)
    raise InputError(f"{text or 'nothing'} is not a skill", hint=f"a skill is {SKILLS}")
