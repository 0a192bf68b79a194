"""A strategy in, Grown out: on how many larger games of the same family it plays perfectly too."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.games import larger_games, load_sheet
from kibitz.gdl import RuleSheet
from kibitz.solve import Solution, solve
from kibitz.space import Limits, explore
from kibitz.strategy import Strategy, read_strategy, verify
from kibitz.synth.insight.grown_sheets import growing

__all__ = ["Grown", "check_grown", "check_larger"]

_STATES = 20_000
"""Larger games than this are not solved; a number of states is the same on any machine."""
_STEPS = 8
"""How much larger sizes of a sheet are tried."""


@dataclass(frozen=True, slots=True)
class Grown:
    """In how many larger games a strategy plays perfectly, in words too, and whether in none."""

    games: int
    text: str
    failed: bool


_SOLVED: dict[str, Solution | None] = {}
_GROWN: Attached[CompiledGame, dict[str, list[Solution | None]]] = Attached()


def check_larger(strategy: Strategy, game: CompiledGame, role: Role, value: int) -> Grown:
    """Follow a strategy in larger games of its family in which the role has the same value.

    It fails if it plays perfectly in none of the directions in which the game can grow.

    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> strategy = read_strategy("symmetric none\\nnext nimsum(heap.2) = 0 => any", game)
    >>> check_larger(strategy, game, "player1", 100).failed
    False
    """
    texts, count, tried = [], 0, 0
    for names in larger_games(game.sheet.name):
        right, last = 0, ""
        for name in names:
            solution = _solved(name)
            if solution is None:
                break
            if role not in solution.space.game.roles or solution.value()[role] != value:
                continue
            if not _plays_perfectly(strategy, solution, role):
                right = 0
                tried += 1
                break
            right, last = right + 1, name
        if right:
            count += right
            tried += 1
            texts.append(last if right == 1 else f"{right} larger ones up to {last}")
    text = f", and {', '.join(texts)} from the start" if texts else ""
    return Grown(count, text, failed=bool(tried and not count))


def check_grown(
    strategy: Strategy, game: CompiledGame, role: Role, value: int, argument: str
) -> Grown:
    """Follow a strategy in relatives of a sheet in which a size is larger, as far as states allow.

    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> strategy = read_strategy("symmetric none\\nnext nimsum(heap.2) = 0 => any", game)
    >>> check_grown(strategy, game, "player1", 100, "heap.2").failed
    False
    """
    sizes = growing(game, argument)
    right: list[int] = []
    wrong: int | None = None
    known = _GROWN.setdefault(game, {}).setdefault(argument, [])
    for step in range(1, _STEPS + 1):
        if step > len(known):
            sheet = sizes.grown(step)
            known.append(None if sheet is None else _solve(sheet))
        solution = known[step - 1]
        if solution is None:
            break
        if solution.value().get(role) != value:
            continue
        if not _plays_perfectly(strategy, solution, role):
            wrong = sizes.size + step
            break
        right.append(sizes.size + step)
    count = f"{len(right)} larger one{'s' * (len(right) != 1)}"
    text = f", and {count} with {argument} up to {right[-1]} from the start" if right else ""
    if wrong is not None:
        text += f", but not with {argument} up to {wrong}"
    elif not right:
        text += f", and no larger one with another {argument}"
    return Grown(len(right), text, failed=wrong is not None and not right)


def _solved(name: str) -> Solution | None:
    """Solve a game of the library, once; None if it has too many states."""
    if name not in _SOLVED:
        _SOLVED[name] = _solve(load_sheet(name))
    return _SOLVED[name]


def _solve(sheet: RuleSheet) -> Solution | None:
    try:
        space = explore(CompiledGame(sheet), limits=Limits(states=_STATES))
        return solve(space) if space.is_complete else None
    except KibitzError:
        return None


def _plays_perfectly(strategy: Strategy, solution: Solution, role: Role) -> bool:
    try:
        there = read_strategy(strategy.text, solution.space.game)
        verdict = verify(there, solution, role)
    except KibitzError:
        return False
    return bool(verdict.perfect)
