"""Paper 004's Tables 1 and 2 and Figures 19 and 20, measured again: the paper's beside ours."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from kibitz.engine import CompiledGame, Role, State
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.learn import (
    Mask,
    Preferences,
    automatic_bias,
    check_preferences,
    find_instance,
    learn_constraints,
    minimax_tree,
    pruned_tree,
)
from kibitz.pages import write_page
from kibitz.play import Agent, Clocks, LearnedAgent, Match, RandomAgent, TreeAgent, play_matches
from kibitz.solve import solve
from kibitz.space import explore

APPROACHES = ("minimax", "pruned", "rules", "constraints")
_MASKS: dict[str, Mask] = {
    "nim": frozenset({("has", 0), ("remove", 0), ("control", 0)}),
    "tictactoe": frozenset({("has", 0), ("control", 0)}),
}
_NODES = {
    ("nim", "minimax"): (390, 4630, 61023),
    ("nim", "pruned"): (83, 347, 2675),
    ("nim", "rules"): (35, 85, 283),
    ("tictactoe", "minimax"): (896, 7583, 59704),
    ("tictactoe", "pruned"): (105, 73, 2835),
    ("tictactoe", "rules"): (109, 61, 2399),
}
"""Tables 1 and 2."""
_WINS = {
    ("nim", "minimax"): (162, 210, 237),
    ("nim", "pruned"): (149, 200, 236),
    ("nim", "rules"): (236, 255, 276),
    ("nim", "constraints"): (191, 299, 300),
    ("tictactoe", "minimax"): (138, 128, 181),
    ("tictactoe", "pruned"): (124, 138, 156),
    ("tictactoe", "rules"): (135, 133, 196),
    ("tictactoe", "constraints"): (161, 228, None),
}
"""Figure 20: wins of 300 against random on the classical start."""
_SIZES = ("S", "M", "L")
_CLASSICAL = {"nim": "piles:1,3,5,7", "tictactoe": "marks"}


@dataclass(frozen=True, slots=True)
class LearningRow:
    """One approach on one instance: what it built and how it played."""

    game: str
    size: str
    approach: str
    nodes: int | None
    paper_nodes: int | None
    seconds: float
    matches: int
    wins: int
    draws: int
    losses: int
    paper_wins: int | None
    response_s: float

    def line(self) -> str:
        """Return the row as a line of text."""
        nodes = "–" if self.nodes is None else f"{self.nodes:,}"
        theirs = "–" if self.paper_nodes is None else f"{self.paper_nodes:,}"
        wins = "–" if self.paper_wins is None else f"{self.paper_wins}/300"
        return (
            f"{self.game:10} {self.size} {self.approach:12} nodes {nodes:>7} (paper {theirs:>6})  "
            f"{self.seconds:7.2f} s  won {self.wins}, drawn {self.draws}, lost {self.losses} of "
            f"{self.matches} (paper won {wins})"
        )


@dataclass(frozen=True, slots=True)
class Generalised:
    """How weak constraints learned on one instance do on another game."""

    learned_from: str
    game: str
    role: str
    bad_states: int
    states: int
    guarantees: int
    value: int | None
    matches: int
    wins: int
    draws: int
    losses: int

    def line(self) -> str:
        """Return it as a line of text."""
        return (
            f"from {self.learned_from}, on {self.game}, {self.role}: not optimal in "
            f"{self.bad_states:,} of {self.states:,} states; guaranteed {self.guarantees}, where "
            f"the value is {self.value}; won {self.wins}, drawn {self.draws}, "
            f"lost {self.losses} of {self.matches} against random"
        )


def mask_text(game: str) -> str:
    """Write the places whose constants become variables in rules, as `learn tree --mask` reads it.

    >>> mask_text("tictactoe")
    'control/0,has/0'
    """
    return ",".join(f"{name}/{place}" for name, place in sorted(_MASKS[game]))


def _start(game: str, size: str) -> State:
    found = find_instance(game, size)
    made = CompiledGame(load_sheet(found.game))
    if not found.fluents:
        return made.initial()
    return made.state(parse_terms(found.fluents, name="instance"))


@cache
def learn(game: str, size: str, *, seconds: float = 60.0) -> Preferences | None:
    """Learn weak constraints from an instance with the automatic bias, once.

    Where none order all examples, one optimal move in each state is enough.
    """
    state = _start(game, size)
    bias = automatic_bias(state.game.sheet)
    result = learn_constraints(state, bias, seconds=seconds)
    if result.learned.preferences is None:
        result = learn_constraints(
            state, bias, with_noise=True, until_optimal=True, seconds=3 * seconds
        )
    return result.learned.preferences


def _build(game: str, size: str, approach: str) -> tuple[int | None, Callable[[int], Agent]]:
    """Learn by one approach; return the nodes of its tree, and an agent for all matches."""
    if approach == "constraints":
        found = learn(game, size)
        if found is None:
            return None, RandomAgent
        return None, _same(LearnedAgent(found.text, name=approach))
    state = _start(game, size)
    if approach == "minimax":
        root = minimax_tree(state.game, state)
    else:
        mask = _MASKS[game] if approach == "rules" else None
        pruned = pruned_tree(state.game, state, mask=mask)
        root = pruned.root
        if mask is not None:
            rules = "\n".join(rule.text(pruned.names, timed=False) for rule in pruned.rules)
            return root.count(), _same(LearnedAgent(rules, name=approach))
    return root.count(), _same(TreeAgent(json.dumps(root.as_json()), name=approach))


def _same(agent: Agent) -> Callable[[int], Agent]:
    """Let one agent play all matches, whatever their seeds."""
    return lambda _seed: agent


def measure_learning(
    *,
    games: tuple[str, ...] = ("nim", "tictactoe"),
    sizes: tuple[str, ...] = _SIZES,
    approaches: tuple[str, ...] = APPROACHES,
    matches: int = 300,
) -> Iterator[LearningRow]:
    """Learn by each approach from each instance, and play the classical start against random.

    >>> row, = measure_learning(games=("nim",), sizes=("S",), approaches=("minimax",), matches=2)
    >>> row.nodes, row.paper_nodes, row.matches
    (390, 390, 2)
    """
    for game in games:
        board = CompiledGame(load_sheet(_CLASSICAL[game]))
        for size in sizes:
            for approach in approaches:
                began = time.perf_counter()
                nodes, make = _build(game, size, approach)
                seconds = time.perf_counter() - began
                won, drawn, lost, response = _play(board, make, matches)
                at = _SIZES.index(size) if size in _SIZES else None
                theirs = _NODES.get((game, approach))
                yield LearningRow(
                    game,
                    size,
                    approach,
                    nodes,
                    None if theirs is None or at is None else theirs[at],
                    seconds,
                    matches,
                    won,
                    drawn,
                    lost,
                    None if at is None else _WINS[game, approach][at],
                    response,
                )


def _play(
    game: CompiledGame, make: Callable[[int], Agent], matches: int
) -> tuple[int, int, int, float]:
    """Play half of the matches in each role against random; count from the agent's side."""
    results: list[int] = []
    spent = 0.0
    moves = 0
    for index, role in enumerate(game.roles):
        count = matches // 2 + (matches % 2 if index == 0 else 0)
        for match, result in _against_random(game, make, role, count):
            results.append(result)
            spent += sum(step.seconds[index] for step in match.steps)
            moves += len(match.steps)
    won, drawn, lost = map(results.count, range(3))
    return won, drawn, lost, spent / max(1, moves)


def _against_random(
    game: CompiledGame, make: Callable[[int], Agent], role: Role, matches: int
) -> Iterator[tuple[Match, int]]:
    """Play in one role against random; 0 is a win, 1 a draw, 2 a loss."""
    seats = {
        other: ("learned", make) if other == role else ("random", RandomAgent)
        for other in game.roles
    }
    for match in play_matches(game, seats, matches=matches, clocks=Clocks(10, 3)):
        mine = match.goals[role] or 0
        best = max(match.goals[o] or 0 for o in game.roles if o != role)
        yield match, 0 if mine > best else 1 if mine == best else 2


_TESTS = {
    "nim": ("piles:1,3,3,4", "piles:3,4,5,6", "piles:1,2,3,4,5", "piles:1,3,5,7,free"),
    "tictactoe": ("marks", "marks:3,4,3", "marks:3,5,3", "marks:4,4,3"),
}


def measure_generalisation(
    *,
    games: tuple[str, ...] = ("nim", "tictactoe"),
    sizes: tuple[str, ...] = _SIZES,
    tests: Mapping[str, tuple[str, ...]] = _TESTS,
    matches: int = 100,
) -> Iterator[Generalised]:
    """Learn from each instance; verify on other games, mostly larger, and play them.

    >>> tests = {"nim": ("piles:1,2,3",)}
    >>> found, _ = measure_generalisation(games=("nim",), sizes=("S",), tests=tests, matches=1)
    >>> found.bad_states, found.guarantees == found.value
    (0, True)
    """
    for name_of_game in games:
        for name in tests[name_of_game]:
            game = CompiledGame(load_sheet(name))
            solution = solve(explore(game))
            for size in sizes:
                found = learn(name_of_game, size)
                if found is None:
                    continue
                make = _same(LearnedAgent(found.text, name="constraints"))
                for role, verdict in check_preferences(found, solution).items():
                    played = _against_random(game, make, role, matches)
                    results = [result for _, result in played]
                    yield Generalised(
                        f"{name_of_game} {size}",
                        name,
                        role,
                        verdict.bad_states,
                        verdict.states_checked,
                        verdict.guarantees[role],
                        verdict.value,
                        matches,
                        *map(results.count, range(3)),
                    )


def learning_html(rows: list[LearningRow], table: list[Generalised]) -> str:
    """Write the rows as one page.

    >>> learning_html([], []).startswith("<!doctype html>")
    True
    """
    return write_page("learning", rows=rows, table=table)


def learning_json(rows: list[LearningRow], table: list[Generalised]) -> dict[str, Any]:
    """Return everything as plain data."""
    return {"rows": [asdict(row) for row in rows], "generalises": [asdict(g) for g in table]}
