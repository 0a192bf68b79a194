"""A RuleSheet in, a test out for which general joint moves are proved impossible."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.budget import Budget
from kibitz.engine.frame.abstraction import abstract, abstract_move
from kibitz.engine.frame.move_coverings import GeneralMove, Impossible
from kibitz.engine.grounding import Prover, find_groups, ground
from kibitz.errors import BudgetExceededError
from kibitz.gdl import RuleSheet

__all__ = ["find_impossible"]

GROUNDING_S = 5.0
PROVING_S = 1.5


def find_impossible(sheet: RuleSheet, notes: list[str]) -> Impossible:
    """Ground a game and prove which moves no state allows together.

    Where a game cannot be grounded in a few seconds, what is left of it without the board is
    grounded instead, and a note says so.

    >>> from kibitz.games import load_sheet
    >>> impossible = find_impossible(load_sheet("tictactoe"), [])
    >>> mark, noop = ("mark", 2), ("noop", 0)
    >>> impossible((("xplayer", mark), ("oplayer", mark)))
    True
    >>> impossible((("xplayer", mark), ("oplayer", noop)))
    False
    """
    rename: Callable[[GeneralMove], GeneralMove] = lambda move: move  # noqa: E731
    try:
        network = ground(sheet, Budget(GROUNDING_S), groups=False).network
    except BudgetExceededError as error:
        small = abstract(sheet)
        try:
            if small is None:
                raise error
            network = ground(small, Budget(PROVING_S), groups=False).network
        except BudgetExceededError:
            notes.append(f"nothing is proved impossible: {error.message}")
            return lambda _moves: False
        notes.append(f"proofs consider only whose turn it is: {error.message}")
        rename = abstract_move
    groups = find_groups(network, seconds=PROVING_S)
    prover = Prover(network, groups, seconds=PROVING_S)
    known: dict[tuple[GeneralMove, ...], bool] = {}

    def is_impossible(*moves: GeneralMove) -> bool:
        if moves not in known:
            known[moves] = prover.are_impossible(map(rename, moves))
        return known[moves]

    def impossible(moves: tuple[GeneralMove, ...]) -> bool:
        *earlier, last = moves
        if is_impossible(last) or any(is_impossible(move, last) for move in earlier):
            return True
        return len(moves) > 2 and len(moves) == len(network.roles) and is_impossible(*moves)

    return impossible
