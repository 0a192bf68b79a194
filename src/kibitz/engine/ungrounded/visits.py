"""Count the states that a search to some depth meets, as paper 002's Table 1 does."""

from __future__ import annotations

from itertools import product

from kibitz.engine.ungrounded.game import Key, Table, UngroundedGame

__all__ = ["count_visits"]


def count_visits(game: UngroundedGame, depth: int) -> int:
    """Count the initial state and every successor to a depth, each time it is met.

    Terminal states are expanded like others.

    >>> from kibitz.games import load_sheet
    >>> [count_visits(UngroundedGame(load_sheet("tictactoe")), depth) for depth in range(4)]
    [1, 10, 82, 586]
    """
    return 1 + (_below(game, game.initial_key, game.table(), depth) if depth else 0)


def _below(game: UngroundedGame, key: Key, table: Table, depth: int) -> int:
    count = 0
    for moves in product(*game.legal_numbers(key, table)):
        count += 1
        made = game.made(moves)
        if depth == 1:
            made.step(key, table, made)
        else:
            after, changes = made.advance(key, table, made)
            count += _below(game, after, game.table(table, changes), depth - 1)
    return count
