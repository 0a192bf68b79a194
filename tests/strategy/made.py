"""Games, spaces and solutions that the tests of strategies share."""

from __future__ import annotations

from functools import cache

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.strategy import Strategy, Verdict, read_strategy, shipped_text, verify

__all__ = ["game", "judge", "shipped", "solution"]


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


@cache
def solution(name: str) -> Solution:
    return solve(explore(game(name)))


def shipped(name: str, on: str) -> Strategy:
    return read_strategy(shipped_text(name), game(on), name=name)


def judge(text: str, on: str, role: str, symmetry: str | None = None) -> Verdict:
    return verify(read_strategy(text, game(on)), solution(on), role, symmetry=symmetry)
