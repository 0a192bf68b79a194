"""Features of moves that every game has: what a move leads to within one or two plies.

A feature is a formula of the strategy language that speaks of the moves to come. It holds of a move
if it holds whatever happens afterwards, so it can stand in the condition of a rule, for one move or
for all of them: `next wins(me) => {…}` is any move that wins at once. Here their truth is read off
the space; what the formulas mean is for the checker to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.space import StateSpace
from kibitz.strategy import read_strategy

__all__ = ["FEATURES", "Feature", "feature_truth", "given_feature"]

Truth = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Feature:
    """A formula, how to say it of a move, and where it holds."""

    formula: str
    words: str
    plies: int = 0
    held: Callable[[Truth, Truth], Truth] | None = None
    is_rule: bool = False
    """Whether it is a whole rule that somebody wrote, which is kept as it is."""
    """Where the formula below `next` holds, from where the role, and where its opponent has won."""


FEATURES = (
    Feature("next wins(me)", "it wins at once", 1, lambda mine, theirs: mine),
    Feature("next not wins(opponent)", "it does not lose at once", 1, lambda mine, theirs: ~theirs),
    Feature(
        "next next not wins(opponent)",
        "the opponent cannot win at once afterwards",
        2,
        lambda mine, theirs: ~theirs,
    ),
    Feature(
        "next next wins(me)",
        "the opponent cannot but lose afterwards",
        2,
        lambda mine, theirs: mine,
    ),
)


def given_feature(formula: str) -> Feature:
    """Make a feature of a formula that somebody wrote."""
    return Feature(f"({formula})", f"{formula} holds")


def feature_truth(
    space: StateSpace,
    role: int,
    edges: npt.NDArray[np.int64],
    features: Sequence[Feature],
    reading: str,
) -> Truth:
    """Tell which features hold of which edges: a row for each edge, a column for each feature."""
    over = space.terminal
    mine = over & (space.goals[:, role] == 100)
    other = [r for r in range(len(space.game.roles)) if r != role]
    theirs = over & (space.goals[:, other] == 100).any(axis=1)
    columns = []
    for feature in features:
        if feature.held is None:
            columns.append(_asked(space, role, feature, reading)[edges])
            continue
        holds = feature.held(mine, theirs)
        if feature.plies == 2:
            holds = _after_all(space, holds)
        columns.append(holds[space.target[edges]])
    return np.stack(columns, axis=1)


def _asked(space: StateSpace, role: int, feature: Feature, reading: str) -> Truth:
    """Ask the strategy language where a formula, or a rule, allows a move."""
    game = space.game
    text = f"symmetric {reading}\n{feature.formula}"
    if not feature.is_rule:
        moves = ", ".join(map(game.write, game.network.moves[role]))
        text = f"symmetric none\n{feature.formula} => {{{moves}}}"
    strategy = read_strategy(text, game, name="feature")
    chosen: Truth = strategy.on(space, game.roles[role]).chosen
    return chosen


def _after_all(space: StateSpace, holds: Truth) -> Truth:
    """Tell in which states every move leads to where something holds."""
    failing = np.concatenate([[0], np.cumsum(~holds[space.target])])
    count = failing[space.first_edge[1:]] - failing[space.first_edge[:-1]]
    result: Truth = count == 0
    return result
