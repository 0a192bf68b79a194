"""Agents by name, as in commands."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

from kibitz.errors import InputError
from kibitz.play.agents.agent import Agent, RandomAgent
from kibitz.play.agents.best_reply import ReplyAgent
from kibitz.play.agents.learned_agents import DepthAgent, LearnedAgent, TreeAgent
from kibitz.play.agents.search_agents import AutoAgent, OptimalAgent, SearchAgent
from kibitz.play.agents.strategy_agent import StrategyAgent
from kibitz.play.search.uct import UctAgent

__all__ = ["AGENTS", "is_address", "make_agent"]

AGENTS: dict[str, tuple[str, Callable[[int], Agent]]] = {
    "random": ("any legal move", RandomAgent),
    "uct": ("plain tree search, one match at a time", UctAgent),
    "mcts": ("tree search with blocks of playouts", SearchAgent),
    "optimal": (
        "solves the game at the start and plays by the solution; an error where it cannot",
        OptimalAgent,
    ),
    "auto": (
        "plays by the solution as soon as the game is solved, tree search until then",
        AutoAgent,
    ),
}
"""What each name means, and how such an agent is made with a seed."""


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def is_address(text: str) -> bool:
    """Return whether a text is the address of a player rather than the name of an agent."""
    if text.startswith(("tree:", "depth:")):
        return False
    return text.startswith("http://") or (":" in text and _is_number(text.rsplit(":", 1)[1]))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def make_agent(name: str, *, read: Callable[[str], str] = _read) -> Callable[[int], Agent]:
    """Return a function from a seed to an agent; raise InputError for an unknown name.

    A file of a strategy is an agent, too; FILE@N knows only its first N rules, and reply:FILE plays
    best against others who follow it.

    >>> make_agent("random")(1).name
    'random'
    """
    if name in AGENTS:
        return AGENTS[name][1]
    if name.startswith("reply:"):
        theirs = read(name.removeprefix("reply:"))
        return lambda seed: ReplyAgent(theirs, name=name, seed=seed)
    if name.startswith("tree:"):
        tree = read(name.removeprefix("tree:"))
        return lambda seed: TreeAgent(tree, name=name, seed=seed)
    if name.startswith("depth:"):
        if not _is_number(name.removeprefix("depth:")):
            raise InputError(f"{name} has no depth", hint="such as depth:2")
        depth = int(name.removeprefix("depth:"))
        return lambda seed: DepthAgent(depth, seed=seed)
    if name.endswith(".lp"):
        program = read(name)
        return lambda seed: LearnedAgent(program, name=name, seed=seed)
    path, at, number = name.rpartition("@")
    if not (at and _is_number(number)):
        path, number = name, ""
    if path.endswith(".strategy") or "/" in path:
        text = read(path)
        rules = int(number) if number else None
        return lambda seed: StrategyAgent(text, name=name, rules=rules, seed=seed)
    near = difflib.get_close_matches(name, AGENTS, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise InputError(
        f"there is no agent {name}",
        hint=f"{meant}agents: {' '.join(AGENTS)}, depth:K, tree:FILE.json, or the path of a "
        "strategy or of learned rules (.lp)",
    )
