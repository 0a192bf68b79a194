"""Agents by name, as in commands."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial

from kibitz.errors import InputError
from kibitz.play.agents.agent import Agent, RandomAgent
from kibitz.play.agents.guided_agent import GuidedAgent
from kibitz.play.agents.learned_agents import DepthAgent, LearnedAgent, TreeAgent
from kibitz.play.agents.plain_agents import CarefulAgent, ReplyAgent, StrategyAgent
from kibitz.play.agents.search_agents import AutoAgent, OptimalAgent, SearchAgent
from kibitz.play.search.uct import UctAgent
from kibitz.policy import EXPLORATION
from kibitz.reading import read_text

AGENTS: dict[str, tuple[str, Callable[[int], Agent]]] = {
    "random": ("any legal move", RandomAgent),
    "careful": ("wins and parries in one move, else random matches decide", CarefulAgent),
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

LEVELS: tuple[Callable[[int], Agent], ...] = (
    RandomAgent,
    partial(CarefulAgent, playouts=1, lapses=0.5),
    partial(CarefulAgent, playouts=1),
    partial(CarefulAgent, playouts=100),
    partial(UctAgent, playouts=300, exploration=EXPLORATION),
    *(partial(SearchAgent, rounds=rounds) for rounds in (4, 32, 256)),
    AutoAgent,
)
"""Agents of rising strength for `level:1` to `level:9`."""


def is_address(text: str) -> bool:
    """Return whether a text is the address of a player rather than the name of an agent."""
    if text.startswith(("tree:", "depth:", "level:", "uct:")):
        return False
    return text.startswith("http://") or (":" in text and _is_number(text.rsplit(":", 1)[1]))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def strategy_path(name: str) -> tuple[str, int | None] | None:
    """Return the path of a strategy's file that a name gives, and how many rules are known.

    >>> strategy_path("mine.strategy@3"), strategy_path("random"), strategy_path("mcts+a.strategy")
    (('mine.strategy', 3), None, None)
    >>> strategy_path("files/mine"), strategy_path("files/learned.lp")
    (('files/mine', None), None)
    """
    if name.startswith(("mcts+", "reply:", "tree:")):
        return None
    path, at, number = name.rpartition("@")
    if not (at and _is_number(number)):
        path, number = name, ""
    if path.endswith(".strategy") or ("/" in path and not path.endswith(".lp")):
        return path, int(number) if number else None
    return None


def playouts_of(name: str) -> int:
    """Return how many playouts a move has in plain tree search called uct:N.

    >>> playouts_of("uct:100")
    100
    """
    number = name.removeprefix("uct:")
    if not _is_number(number) or int(number) < 1:
        raise InputError(f"{name} has no number of playouts", hint="such as uct:100")
    return int(number)


def make_agent(name: str, *, read: Callable[[str], str] = read_text) -> Callable[[int], Agent]:
    """Return a function from a seed to an agent; raise InputError for an unknown name.

    A file of a strategy is an agent, too; FILE@N knows only its first N rules, and reply:FILE plays
    best against others who follow it. mcts+FILE is tree search whose random matches follow it, and
    uct:N is plain tree search with N playouts for each move.

    >>> make_agent("random")(1).name
    'random'
    """
    if name in AGENTS:
        return AGENTS[name][1]
    if name.startswith("reply:"):
        theirs = read(name.removeprefix("reply:"))
        return lambda seed: ReplyAgent(theirs, name=name, seed=seed)
    if name.startswith("mcts+"):
        file = name.removeprefix("mcts+")
        path, known = strategy_path(file) or (file, None)
        followed = read(path)
        return lambda seed: GuidedAgent(followed, name=name, rules=known, seed=seed)
    if name.startswith("tree:"):
        tree = read(name.removeprefix("tree:"))
        return lambda seed: TreeAgent(tree, name=name, seed=seed)
    if name.startswith("level:"):
        level = name.removeprefix("level:")
        if not _is_number(level) or not 1 <= int(level) <= len(LEVELS):
            raise InputError(f"there is no {name}", hint=f"level:1 to level:{len(LEVELS)}")
        return LEVELS[int(level) - 1]
    if name.startswith("depth:"):
        if not _is_number(name.removeprefix("depth:")):
            raise InputError(f"{name} has no depth", hint="such as depth:2")
        depth = int(name.removeprefix("depth:"))
        return lambda seed: DepthAgent(depth, seed=seed)
    if name.startswith("uct:"):
        playouts = playouts_of(name)
        return lambda seed: UctAgent(seed, playouts=playouts, exploration=EXPLORATION)
    if name.endswith(".lp"):
        program = read(name)
        return lambda seed: LearnedAgent(program, name=name, seed=seed)
    if found := strategy_path(name):
        path, rules = found
        text = read(path)
        return lambda seed: StrategyAgent(text, name=name, rules=rules, seed=seed)
    near = difflib.get_close_matches(name, AGENTS, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise InputError(
        f"there is no agent {name}",
        hint=f"{meant}agents: {' '.join(AGENTS)}, level:N, uct:N, mcts+FILE, depth:K, "
        "tree:FILE.json, or the path of a strategy or of learned rules (.lp)",
    )
