"""A Game in, the owners of its pieces out, from names, facts and some random play."""

from __future__ import annotations

from kibitz.attached import Attached
from kibitz.board import Layout, Survey, look_at, owner_of, owners_of
from kibitz.engine import Game, Role

_SURVEYS: Attached[Game, Survey] = Attached()


def survey_of(game: Game) -> Survey:
    """Survey a game, once."""
    if game not in _SURVEYS:
        _SURVEYS[game] = look_at(game)
    return _SURVEYS[game]


def owned_pieces(game: Game, layout: Layout) -> dict[str, Role]:
    """Return the owners of pieces: by name or by a fact, and never placed by another in play."""
    owners = owners_of(game)
    found = {}
    for board in layout.boards:
        for piece in board.pieces:
            owner = owner_of(piece.name, owners)
            if owner and piece.shape != "blank":
                found[piece.name] = owner
    survey = survey_of(game)
    noops = {t.name for t in survey.moves if t.arity == 0}
    for step in (*survey.first_steps, *survey.steps):
        movers = {
            role
            for role, move in zip(game.roles, step.joint, strict=True)
            if move.args or move.name not in noops
        }
        for fluent in step.after - step.before:
            place = layout.place(fluent)
            if place and place.piece in found and movers and found[place.piece] not in movers:
                del found[place.piece]
    return found
