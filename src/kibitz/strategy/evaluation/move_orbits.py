"""State and symmetries in; out which legal moves symmetries of the state carry to one another."""

from __future__ import annotations

from kibitz.engine import Role, State
from kibitz.strategy.evaluation.rule_images import Carrier

__all__ = ["group_moves"]


def group_moves(state: State, role: Role, carriers: list[Carrier]) -> list[int]:
    """Number the legal moves of a role so that those that are symmetric have one number.

    >>> import kibitz
    >>> from kibitz.strategy import carriers_of
    >>> game = kibitz.load("tictactoe")
    >>> group_moves(game.initial(), "xplayer", carriers_of(game))
    [0, 1, 0, 1, 2, 1, 0, 1, 0]
    """
    legal = state.legal(role)
    group = {move: i for i, move in enumerate(legal)}
    fluents = frozenset(state.fluents)
    for carrier in carriers:
        if frozenset(carrier.fluents.get(f, f) for f in fluents) != fluents:
            continue
        moves = carrier.moves[role]
        for move in legal:
            image = moves.get(move, move)
            if image in group and group[image] != group[move]:
                low, high = sorted((group[image], group[move]))
                group = {m: low if g == high else g for m, g in group.items()}
    order = {g: i for i, g in enumerate(dict.fromkeys(group.values()))}
    return [order[group[move]] for move in legal]
