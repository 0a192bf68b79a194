"""Choose puzzles among the positions that a role can win, or among balanced ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from kibitz.puzzles.positions import Positions, orbit_leaders
from kibitz.puzzles.proved.themes import check_theme, themes_for
from kibitz.puzzles.puzzle import Puzzle, PuzzleSet, make_puzzle, plies_of
from kibitz.puzzles.skill.hardness import (
    LEVELS,
    Hardness,
    Level,
    Thresholds,
    classify,
    measure_all,
    winning_chances,
)
from kibitz.puzzles.skill.skills import Skill, choose_all
from kibitz.solve import Solution
from kibitz.space import Symmetries
from kibitz.strategy import Strategy

Ids = npt.NDArray[np.int64]

EVEN = 0.05
"""How far from an even score a balanced position may be."""
_SHORTEST = 3
"""The fewest plies that a balanced position has to last."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which puzzles are wanted.

    With `unique`, those with one right first move; if it is not given, so are puzzles to win, and
    not balanced positions. With `symmetries`, one of each orbit. With `theme`, those that have this
    theme; themes of rules are those of `rules`.
    """

    count: int = 10
    level: Level | None = None
    unique: bool | None = None
    symmetries: Symmetries | None = None
    seed: int = 1
    thresholds: Thresholds = field(default_factory=Thresholds)
    theme: str | None = None
    rules: Strategy | None = None


def choose_puzzles(
    positions: Positions,
    rounds: int,
    *,
    own: Skill,
    other: Skill,
    beside: Sequence[Skill] = (),
    wanted: Wanted | None = None,
) -> PuzzleSet:
    """Choose puzzles won in a number of rounds, as hard as wanted for one skill against another.

    The answers of a puzzle are the moves that win in this number of rounds. Where every move does,
    it is no puzzle. Chances are also computed for the skills `beside`. An empty set says why, and
    what is nearest.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.puzzles.positions import find_positions
    >>> from kibitz.puzzles.skill.skills import DepthSkill
    >>> positions = find_positions(CompiledGame(load_sheet("tictactoe")), "xplayer")
    >>> wanted = Wanted(count=3, level=Level.MEDIUM, unique=False)
    >>> found = choose_puzzles(positions, 2, own=DepthSkill(1), other=DepthSkill(3), wanted=wanted)
    >>> len(found), found.of_level, found.positions
    (3, 24, 72)
    """
    wish = wanted or Wanted()
    solution, role = positions.solution, positions.role
    check_theme(wish.theme, wish.rules, positions.role_name)
    themes = themes_for(solution.space.game, positions.role_name, wish.rules)
    states = positions.won_in(rounds)
    skills = list(dict.fromkeys([own, *beside]))
    measured = measure_all(
        solution,
        states,
        role=role,
        pairs=[(skill, other) for skill in skills],
        thresholds=wish.thresholds,
    )
    hardness = measured[0]
    index = None if wish.level is None else LEVELS.index(wish.level)
    kept = np.arange(len(states)) if index is None else np.flatnonzero(hardness.level == index)
    of_level = len(kept)
    answers = count_first_moves(solution, states[kept], rounds)
    is_puzzle = answers < np.diff(solution.space.first_edge)[states[kept]]
    puzzles = int(is_puzzle.sum())
    kept = kept[is_puzzle if wish.unique is False else is_puzzle & (answers == 1)]
    if wish.symmetries:
        leaders = orbit_leaders(solution.space, states[kept], wish.symmetries)
        kept = kept[np.isin(states[kept], leaders)]
    made: list[Puzzle] = []
    for i in _drawn(kept, hardness.level, wish.seed):
        if len(made) == wish.count:
            break
        puzzle = make_puzzle(
            solution,
            int(states[i]),
            role=role,
            win_in=rounds,
            level=LEVELS[hardness.level[i]],
            chances=tuple(
                (skill.name, float(h.chance[i])) for skill, h in zip(skills, measured, strict=True)
            ),
        )
        puzzle = replace(puzzle, themes=themes.of_written(puzzle) if themes else ())
        if wish.theme is None or wish.theme in puzzle.themes:
            made.append(puzzle)
    result = PuzzleSet(
        solution.space.game.sheet.name,
        positions.role_name,
        own.name,
        other.name,
        tuple(sorted(made, key=_progression)),
        len(states),
        len(kept),
    )
    if made:
        return result
    if wish.theme and len(kept):
        why = f"none of {len(kept):,} such positions has the theme {wish.theme}"
        return replace(result, why=why, hint="choose another --theme, --win-in or --role")
    why, hint = _why_none(positions, rounds, hardness, wish, of_level, puzzles)
    return replace(result, why=why, hint=hint)


def choose_balanced(
    solution: Solution,
    role: int,
    *,
    own: Skill,
    other: Skill,
    among: Ids | None = None,
    wanted: Wanted | None = None,
) -> PuzzleSet:
    """Choose positions in which a role of one skill has an even chance against another skill.

    A win counts 1 and a draw 1/2; positions that are most often decided come first. They are chosen
    from `among`, or from all in which the role is to move, with a choice, and play does not end at
    once.
    """
    wish = wanted or Wanted()
    space = solution.space
    opponent = (role + 1) % len(space.game.roles)
    mine, theirs = choose_all([(own, role), (other, opponent)], solution)
    wins = winning_chances(solution, role, mine, theirs).chance
    losses = winning_chances(solution, opponent, theirs, mine).chance
    score = (1 + wins - losses) / 2
    if among is None:
        among = np.flatnonzero((space.turn == role) & (solution.distance >= _SHORTEST))
    gap = np.abs(score[among] - 0.5)
    states = among[gap <= EVEN]
    if wish.unique:
        states = states[count_first_moves(solution, states) == 1]
    if wish.symmetries:
        states = orbit_leaders(space, states, wish.symmetries)
    fitting = len(states)
    # Positions that both often win are more fun than those that always end in a draw.
    states = np.random.default_rng(wish.seed).permutation(states)
    decided = np.round(wins[states] + losses[states], 9)
    states = states[np.argsort(-decided, kind="stable")][: wish.count]
    level = classify(wins, wish.thresholds)
    made = [
        make_puzzle(
            solution,
            int(i),
            role=role,
            win_in=None,
            level=LEVELS[level[i]],
            chances=((own.name, float(wins[i])), (f"{other.name}, opponent", float(losses[i]))),
            score=float(score[i]),
        )
        for i in states
    ]
    made.sort(key=lambda p: (p.remoteness or 0, abs((p.score or 0) - 0.5), p.name))
    name, names = space.game.sheet.name, space.game.roles
    result = PuzzleSet(name, names[role], own.name, other.name, tuple(made), len(among), fitting)
    if made:
        return result
    near = float(gap.min(initial=0.5))
    return replace(
        result,
        why=f"no position of {name} is even for {own.name} against {other.name}",
        hint=f"the nearest is {near:.0%} away; bring the skills closer together, or remove "
        "--unique, --canonical and --win-in",
    )


def count_first_moves(
    solution: Solution, states: Ids, rounds: int | None = None
) -> npt.NDArray[np.int64]:
    """Count the moves that keep the value, or those that win in so many more rounds."""
    space = solution.space
    first, last = space.first_edge[states], space.first_edge[states + 1]
    sizes = last - first
    owner = np.repeat(np.arange(len(states)), sizes)
    edges = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes) + first[owner]
    keeps = solution.values[space.target[edges]] == solution.values[states[owner]]
    if rounds is not None:
        keeps &= solution.distance[space.target[edges]] < plies_of(rounds)
    return np.bincount(owner[keeps], minlength=len(states))


def _drawn(kept: npt.NDArray[np.int64], level: npt.NDArray[np.int8], seed: int) -> Iterator[int]:
    """Draw positions at random, evenly from all levels as far as possible."""
    source = np.random.default_rng(seed)
    pools = [source.permutation(kept[level[kept] == i]).tolist() for i in range(len(LEVELS))]
    while any(pools):
        for pool in pools:
            if pool:
                yield pool.pop()


def _progression(puzzle: Puzzle) -> tuple[object, ...]:
    """Sort from easy to hard: by level, then by all chances, then by length and alternatives."""
    own = puzzle.chances[0][1]
    mean = sum(chance for _, chance in puzzle.chances)
    return (
        LEVELS.index(puzzle.level),
        -round(own, 9),
        -round(mean, 9),
        puzzle.remoteness or 0,
        -len(puzzle.first_moves),
        puzzle.name,
    )


def _why_none(
    positions: Positions,
    rounds: int,
    hardness: Hardness,
    wish: Wanted,
    of_level: int,
    puzzles: int,
) -> tuple[str, str]:
    if not len(hardness):
        return positions.why_none(rounds)
    if puzzles:
        return (
            f"none of {puzzles:,} positions has a single right first move",
            "--all has those with several",
        )
    if of_level:
        return (
            f"in each of {of_level:,} positions every move is right",
            "choose another --win-in or --level",
        )
    counts = {level: hardness.count(level) for level in LEVELS if hardness.count(level)}
    assert wish.level is not None
    place = LEVELS.index(wish.level)
    near = min(counts, key=lambda level: (abs(LEVELS.index(level) - place), -counts[level]))
    why = f"none of {len(hardness):,} positions won in {rounds} more rounds is {wish.level.value}"
    hint = f"nearest: --level {near.value}, with {counts[near]:,} positions"
    if wish.level is Level.HARD:
        hint += "; or a weaker --k1"
    elif wish.level is Level.EASY:
        hint += "; or a stronger --k1"
    return why, hint
