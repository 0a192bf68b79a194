"""Measure a game's random moves per CPU-second through each interface of `kibitz.envs`.

Beside them stand games that OpenSpiel and pgx wrote by hand, played at random in the same process.
A step is one move of the role to move, with the choice of a random legal one and new matches where
old ones end.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from kibitz.engine import Game
from kibitz.envs import batch, gymnasium_vector, openspiel, pettingzoo
from kibitz.facade import AnyGame, load

ENV_GAMES = (
    ("tictactoe", "tic_tac_toe", "tic_tac_toe"),
    ("connectfour", "connect_four", "connect_four"),
    ("breakthrough:8x8", "breakthrough", ""),
    ("hex:5", "hex(board_size=5)", ""),
)
"""Games of the library, with what OpenSpiel and pgx call the same game."""

Step = Callable[[], int]
"""Plays on, and returns how many steps that were."""


@dataclass(frozen=True, slots=True)
class EnvSteps:
    """Steps in a CPU-second by interface; what is not installed or has no such game is missing."""

    game: str
    matches: int
    steps: dict[str, float]

    def as_json(self) -> dict[str, object]:
        """Return plain data."""
        return asdict(self)


def measure_envs(
    game: AnyGame,
    *,
    spiel: str = "",
    pgx: str = "",
    matches: int = 4096,
    seconds: float = 1.0,
    windows: int = 3,
) -> EnvSteps:
    """Measure random play of a game, and of games of OpenSpiel and pgx by their names.

    >>> found = measure_envs("nim:1,2", matches=64, seconds=0.01, windows=1)
    >>> found.steps["batch"] > 0
    True
    """
    made = game if isinstance(game, Game) else load(game)
    ways: dict[str, Callable[[], Step]] = {
        "batch": lambda: _batch(made, matches, observe=False),
        "batch with observations": lambda: _batch(made, matches, observe=True),
    }
    if find_spec("gymnasium"):
        ways["Gymnasium vector"] = lambda: _vector(made, matches)
    if find_spec("pettingzoo"):
        ways["PettingZoo"] = lambda: _pettingzoo(made)
    if find_spec("pyspiel"):
        ways["OpenSpiel, rules by Kibitz"] = lambda: _openspiel(openspiel(made))
        if spiel:
            ways["OpenSpiel's own"] = lambda: _openspiel(_load_spiel(spiel))
    if pgx and find_spec("pgx"):
        ways["pgx' own"] = lambda: _pgx(pgx, matches)
    steps = {name: _fastest(make(), seconds, windows) for name, make in ways.items()}
    return EnvSteps(made.sheet.name, matches, steps)


def env_table(results: list[EnvSteps]) -> str:
    """Return a table in Markdown, a row for each interface."""
    names = list(dict.fromkeys(name for one in results for name in one.steps))
    head = "| thousand steps a CPU-second | " + " | ".join(one.game for one in results) + " |"
    rule = "|---|" + "---:|" * len(results)
    rows = [
        f"| {name} | "
        + " | ".join(
            f"{one.steps[name] / 1e3:,.4g}" if name in one.steps else "" for one in results
        )
        + " |"
        for name in names
    ]
    return "\n".join([head, rule, *rows])


def _fastest(step: Step, seconds: float, windows: int) -> float:
    step()
    best = 0.0
    for _ in range(windows):
        started = time.process_time()
        made, used = 0, 0.0
        while used < seconds:
            made += step()
            used = time.process_time() - started
        best = max(best, made / used)
    return best


def _batch(game: AnyGame, matches: int, *, observe: bool) -> Step:
    made = batch(game, matches=matches, seed=1)

    def step() -> int:
        made.step(made.sample())
        if observe:
            made.observe()
        return matches

    return step


def _vector(game: AnyGame, matches: int) -> Step:
    """Step a vector; each step has one move of the learner, and those of the others."""
    envs = gymnasium_vector(game, matches=matches)
    envs.reset(seed=1)
    made = envs.batch
    played = 0
    original = made.step

    def counted(actions: Any, *, where: Any = None) -> None:
        nonlocal played
        played += matches if where is None else int(where.sum())
        original(actions, where=where)

    made.step = counted  # type: ignore[method-assign]

    def step() -> int:
        nonlocal played
        played = 0
        envs.step(made.sample())
        return played

    return step


def _pettingzoo(game: AnyGame) -> Step:
    env = pettingzoo(game)
    source = random.Random(1)

    def step() -> int:
        env.reset()
        made = 0
        for _ in env.agent_iter():
            seen, _, ended, broken_off, _ = env.last()
            if ended or broken_off:
                env.step(None)
            else:
                env.step(source.choice(np.flatnonzero(seen["action_mask"])))
                made += 1
        return made

    return step


def _load_spiel(name: str) -> Any:
    import pyspiel

    return pyspiel.load_game(name)


def _openspiel(game: Any) -> Step:
    source = random.Random(1)

    def step() -> int:
        state = game.new_initial_state()
        made = 0
        while not state.is_terminal():
            state.apply_action(source.choice(state.legal_actions()))
            made += 1
        return made

    return step


def _pgx(name: str, matches: int) -> Step:
    """Step a batch of pgx, with its own restart of ended matches."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    play = auto_reset(env.step, env.init)

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        chosen, again = jax.random.split(key)
        return play(state, jax.random.categorical(chosen, logits), again)

    advance = jax.jit(jax.vmap(one))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), matches))
    key = jax.random.PRNGKey(1)

    def step() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = jax.block_until_ready(advance(state, jax.random.split(now, matches)))
        return matches

    return step
