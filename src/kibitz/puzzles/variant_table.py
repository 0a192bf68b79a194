"""Measure variants of a game: winning positions, and their hardness."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.puzzles.positions import Among, find_positions
from kibitz.puzzles.skill.hardness import (
    LEVELS,
    Hardness,
    Level,
    classify,
    measure,
    sample_wins,
    sweep_order,
)
from kibitz.puzzles.skill.skills import DepthSkill, choose_all
from kibitz.solve import WinningSetKind
from kibitz.space import Limits
from kibitz.threads import thread_count

Counts = tuple[int, int, int]

LINES = ("RCD", "RC", "RD", "CD")
_MOST_VARIANTS = 1000
RESERVE = 4
"""Exploring and decision diagrams respect the memory limit, and reserve more than they use."""


@dataclass(frozen=True, slots=True)
class Classes:
    """How many positions won in j rounds are easy, medium and hard, by depth k1 against k2.

    `sampled` are counts from a few plays of each position, and `law` the mean and variance that
    sampling gives for the numbers of medium and hard ones.
    """

    rounds: int
    own: int
    other: int
    positions: int
    exact: Counts
    sampled: Counts | None = None
    law: tuple[tuple[float, float], tuple[float, float]] | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """The results for one variant of a game.

    `categories` has, for each j, how many positions are easy from depth 1, 2, … of the role on:
    there and at all greater depths that are measured. Last come those that are not easy at the
    greatest. All are against the strongest opponent.
    """

    game: str
    role: Role
    states: int
    winning: tuple[int, ...]
    among: Among
    classes: tuple[Classes, ...]
    categories: tuple[tuple[int, tuple[int, ...]], ...]
    seconds: float
    fell_back: str = ""

    @property
    def interesting(self) -> int:
        """How many positions are not easy at depth 1, whatever the number of rounds."""
        least = min((classes.own for classes in self.classes), default=0)
        most = max((classes.other for classes in self.classes), default=0)
        at_least = [c for c in self.classes if (c.own, c.other) == (least, most)]
        return sum(medium + hard for c in at_least for _, medium, hard in [c.exact])


def measure_variant(
    game: CompiledGame,
    role: Role | None = None,
    *,
    rounds: Sequence[int] = (2, 3),
    own: Sequence[int] = (1, 2, 3),
    other: Sequence[int] = (3,),
    set: WinningSetKind = "exact",
    among: Among = "auto",
    sample: int | None = None,
    seed: int = 1,
    limits: Limits | None = None,
) -> Variant:
    """Count the positions of a variant by hardness, for every number of rounds and pair of depths.

    >>> from kibitz.games import load_sheet
    >>> found = measure_variant(CompiledGame(load_sheet("tictactoe")), rounds=(2,))
    >>> found.states, found.winning, [classes.exact for classes in found.classes]
    (5478, (1498, 260, 72), [(32, 24, 16), (56, 8, 8), (72, 0, 0)])
    >>> found.categories
    ((2, (32, 24, 16, 0)),)
    """
    start = time.perf_counter()
    role = role or game.roles[0]
    positions = find_positions(
        game, role, set=set, among=among, rounds=rounds, reduce=True, limits=limits
    )
    solution, index = positions.solution, positions.role
    depths = sorted({*own, *other})
    marked = choose_all([(DepthSkill(k), index) for k in depths], solution)
    choices = dict(zip(depths, marked, strict=True))
    order = sweep_order(solution.space)
    every = np.concatenate([positions.won_in(j) for j in rounds])
    classes: list[Classes] = []
    easy: dict[int, npt.NDArray[np.bool_]] = {}

    def classes_of(pair: tuple[int, int]) -> Hardness:
        k2, k1 = pair
        mine, theirs = choices[k1], choices[k2]
        return measure(solution, every, role=index, own=mine, other=theirs, order=order)

    pairs = list(product(other, own))
    with ThreadPoolExecutor(thread_count()) as pool:
        measured = list(pool.map(classes_of, pairs))
    for (k2, k1), found in zip(pairs, measured, strict=True):
        if k2 == max(other):
            easy[k1] = found.level == LEVELS.index(Level.EASY)
        first = 0
        for j in rounds:
            part = slice(first, first + len(positions.won_in(j)))
            first = part.stop
            sampled = law = None
            if sample:
                states = every[part]
                wins = sample_wins(
                    solution,
                    index,
                    choices[k1],
                    choices[k2],
                    states=states,
                    plays=sample,
                    seed=seed,
                )
                sampled = _counts(classify(wins / sample))
                law = sampling_law(found.chance[part], sample)
            exact = _counts(found.level[part])
            classes.append(Classes(j, k1, k2, part.stop - part.start, exact, sampled, law))
    classes.sort(key=lambda c: (c.rounds, c.other, c.own))
    sizes = {j: len(positions.won_in(j)) for j in rounds}
    return Variant(
        game.sheet.name,
        role,
        positions.states,
        positions.counts,
        positions.among,
        tuple(classes),
        tuple(_categories(easy, sizes)),
        time.perf_counter() - start,
        positions.fell_back,
    )


def load_loops() -> None:
    """Load all that measuring needs, before processes are forked from this one."""
    import kibitz.solve.symbolic.circuit  # noqa: F401

    measure_variant(CompiledGame(load_sheet("mnk:2,2,2")), rounds=(0,), sample=1)


def sampling_law(
    chance: npt.NDArray[np.float64], plays: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return mean and variance of how many positions a sample of plays finds medium, and hard.

    >>> ((medium, _), (hard, spread)) = sampling_law(np.array([0.0, 0.5, 1.0]), 30)
    >>> round(medium, 3), round(hard, 3), round(spread, 3)
    (0.901, 1.049, 0.047)
    """
    values, counts = np.unique(np.round(chance, 12), return_counts=True)
    level = classify(np.arange(plays + 1) / plays)
    result = []
    for wanted in (Level.MEDIUM, Level.HARD):
        wins = np.flatnonzero(level == LEVELS.index(wanted))
        ways = [comb(plays, int(k)) for k in wins]
        likely = sum(
            way * values**k * (1 - values) ** (plays - k) for way, k in zip(ways, wins, strict=True)
        )
        likely = np.zeros(len(values)) + likely
        result.append((float(likely @ counts), float((likely * (1 - likely)) @ counts)))
    return result[0], result[1]


def expand_names(names: Sequence[str]) -> list[str]:
    """Expand names of games in which 3-5 means 3, 4 and 5, and * all kinds of lines.

    >>> expand_names(["connect:3,4x4-5", "mnk:3,3,3,*"])[1:4]
    ['connect:3,4x5', 'mnk:3,3,3,RCD', 'mnk:3,3,3,RC']
    """
    found: dict[str, None] = {}
    for name in names:
        head, colon, rest = name.partition(":")
        parts = re.split(r"(\d+-\d+|\*)", rest) if colon else [rest]
        choices = [_choices(part, name) for part in parts]
        size = 1
        for choice in choices:
            size *= len(choice)
        if len(found) + size > _MOST_VARIANTS:
            raise InputError(f"{name} and what is before it are more than {_MOST_VARIANTS} games")
        found |= dict.fromkeys(f"{head}{colon}{''.join(way)}" for way in product(*choices))
    return list(found)


def _choices(part: str, name: str) -> list[str]:
    if part == "*":
        return list(LINES)
    span = re.fullmatch(r"(\d{1,6})-(\d{1,6})", part)
    if not span:
        return [part]
    low, high = int(span[1]), int(span[2])
    if low > high:
        raise InputError(f"{part} in {name} is a descending range", hint=f"write {high}-{low}")
    return [str(n) for n in range(low, min(high, low + _MOST_VARIANTS) + 1)]


def _counts(level: npt.NDArray[np.int8]) -> Counts:
    easy, medium, hard = (int((level == i).sum()) for i in range(3))
    return easy, medium, hard


def _categories(
    easy: dict[int, npt.NDArray[np.bool_]], sizes: dict[int, int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Count, for each number of rounds, the positions by the depth from which on they are easy."""
    result = []
    first = 0
    for rounds, size in sizes.items():
        part = slice(first, first + size)
        first += size
        still = np.ones(size, dtype=bool)  # easy at all depths from the present one on
        from_depth = [size]
        for depth in sorted(easy, reverse=True):
            still &= easy[depth][part]
            from_depth.append(int(still.sum()))
        counts = [more - fewer for more, fewer in pairwise([*from_depth, 0])]
        result.append((rounds, tuple(reversed(counts))))
    return result
