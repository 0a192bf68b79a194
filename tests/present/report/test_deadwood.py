from __future__ import annotations

import re

import pytest
from hypothesis import given
from tests.effort import examples
from tests.present.report.sheets import DEAD
from tests.random_games import games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.present.report.dead_rules import find_deadwood
from kibitz.rulebook import rulebook_gdl
from kibitz.space import Limits, StateSpace, explore


def test_what_no_match_needs_is_found_with_its_line() -> None:
    found = find_deadwood(explore(CompiledGame(read(DEAD))))
    assert [(dead.line, dead.why) for dead in found.rules] == [
        (5, "nothing depends on unread"),
        (7, "it never fires"),
        (10, "it never fires"),
        (13, "no match ends with it"),
    ]
    assert found.fluents_never == ("(at 4)", "gone") or found.fluents_never == ("(at 4)",)
    assert found.fluents_always == ("here",)
    assert found.moves_never == {"a": ("(go 4)", "fly")}
    assert found.goals_never == {"a": (20,)}


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "roshambo"])
def test_games_of_the_library_need_their_rules(name: str) -> None:
    found = find_deadwood(explore(CompiledGame(load_sheet(name))))
    assert found.rules == ()
    assert found.unsettled == 0


def test_in_a_part_of_a_space_nothing_is_called_dead_that_might_not_be() -> None:
    game = CompiledGame(read(DEAD))
    whole = {dead.line for dead in find_deadwood(explore(game)).rules}
    part = find_deadwood(explore(game, limits=Limits(states=1)))
    assert {dead.line for dead in part.rules} <= whole
    assert part.unsettled > 0
    assert part.fluents_never == ()


def _told(space: StateSpace) -> set[tuple[object, ...]]:
    """Tell all that matters of a space in words: states, ends, goals at ends, and moves.

    A sheet may write `p` and `(p)`, and a game writes what it read first, which may have been dead.
    """
    texts = [_plain(space.state(i)) for i in range(len(space))]
    goes_on = space.first_edge[1:] > space.first_edge[:-1]
    told: set[tuple[object, ...]] = {
        (
            texts[i],
            bool(space.terminal[i]),
            tuple(space.goals[i].tolist()) if space.terminal[i] else None,
            bool(goes_on[i]),
        )
        for i in range(len(space))
    }
    for i in range(len(space)):
        told |= {(texts[i], " ".join(map(_plain, j)), texts[to]) for j, to in space.moves(i)}
    return told


def _plain(term: object) -> str:
    return re.sub(r"\((\w+)\)", r"\1", str(term))


@pytest.mark.slow
@examples(20)
@given(sheet=games())
def test_a_game_without_its_dead_rules_is_the_same_game(sheet: RuleSheet) -> None:
    try:
        space = explore(CompiledGame(sheet), limits=Limits(states=300))
    except KibitzError:
        return
    if not space.is_complete:
        return
    dead = find_deadwood(space)
    lines = {d.line for d in dead.rules if d.why in ("it never fires", "no match ends with it")}
    kept = [r for r in sheet.rules if sheet.source.position(r.place.start)[0] not in lines]
    rest = explore(CompiledGame(RuleSheet(tuple(kept), sheet.source)))
    assert _told(rest) == _told(space)


def test_rules_in_english_are_named_by_their_authors_sentence() -> None:
    text = (
        "The board is a grid of 3 columns and 3 rows. Players: White and Black. White begins. "
        "On your turn, place a piece on an empty cell. You win if you have three in a line. "
        "You win if you have at least ten pieces. The game is a draw if the board is full."
    )
    game = CompiledGame(read(rulebook_gdl(text), name="ten.rules"))
    (dead,) = find_deadwood(explore(game)).rules
    assert dead.text == "a part of “You win if you have at least ten pieces.”: it never fires"
    (in_gdl,) = (d for d in find_deadwood(explore(CompiledGame(read(DEAD)))).rules[:1])
    assert in_gdl.text.startswith(f"line {in_gdl.line}: ")
