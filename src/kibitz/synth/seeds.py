"""Find the best seed for a game, a role and options, by searches here or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet
from kibitz.solve import spread
from kibitz.synth.synthesis import Options, synthesise


@dataclass(frozen=True, slots=True)
class SeedResult:
    """Outcome of a seed: rules and literals of the list, or why there is none."""

    seed: int
    rules: int = 0
    literals: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Task:
    sheet: RuleSheet
    role: Role
    options: Options


def best_seed(
    game: CompiledGame,
    role: Role,
    options: Options,
    seeds: Sequence[int],
    *,
    cluster: str | None = None,
) -> tuple[SeedResult, ...]:
    """Search with each seed; return what each led to, the shortest list first.

    By rules and then literals, or the other way round where the objective is literals; ties go to
    the lowest seed. The search of a seed is the same on any machine if it is limited by rounds.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> best_seed(game, "player1", Options(rounds=5), [3, 4])[0]
    SeedResult(seed=3, rules=1, literals=0, problem='')
    """
    tasks = [_Task(game.sheet, role, replace(options, seed=seed)) for seed in seeds]
    found = spread(_search, tasks, cluster=cluster)
    by_literals = options.objective == "literals"

    def key(one: SeedResult) -> tuple[bool, int, int, int]:
        sizes = (one.literals, one.rules) if by_literals else (one.rules, one.literals)
        return bool(one.problem), *sizes, one.seed

    return tuple(sorted(found, key=key))


def _search(task: _Task) -> SeedResult:
    try:
        found = synthesise(CompiledGame(task.sheet), task.role, task.options)
    except KibitzError as error:
        return SeedResult(task.options.seed, problem=error.message)
    return SeedResult(task.options.seed, found.verdict.rules, found.literals)
