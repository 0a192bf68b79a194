"""Answers kept from state to state are those that working out anew gives."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice, product
from unittest.mock import patch

import pytest
from hypothesis import given
from tests.effort import examples, quick
from tests.engine.suite import jump_together, walk_together
from tests.foreign import FOREIGN, needs_foreign
from tests.random_games import games

from kibitz.engine import ReferenceGame
from kibitz.engine.frame import STAYS, Covering, translate
from kibitz.engine.portfolio import faster_way
from kibitz.engine.ungrounded import UngroundedGame, count_visits
from kibitz.engine.ungrounded.game import Key, Table
from kibitz.engine.ungrounded.incremental import TooMuchToKeepError
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse_terms, read

LIBRARY = ["tictactoe", "nim", "breakthrough", "knightthrough", "hanoi", "chomp", "hex:4"]
FOREIGN_NAMES = ["chineseCheckers3", "chineseCheckers6", "skirmish", "minichess", "pawnWhopping"]


def kept(sheet: RuleSheet, covering: Covering = Covering.PRUNED) -> UngroundedGame:
    return UngroundedGame(translate(sheet, covering).sheet, keeps=True)


def answers(game: UngroundedGame, key: Key, table: Table) -> object:
    """Ask all questions, in an order in which the last ones meet what the first ones left."""
    goals = [sorted(ask(key, table)) for ask in game._ask_goals.values()]
    ends = sorted(game._ask_terminal(key, table))
    return [sorted(moves) for moves in game.legal_numbers(key, table)], goals, ends


def search(game: UngroundedGame, key: Key, table: Table, depth: int, width: int) -> int:
    """Compare what is kept with what is found anew, in all states of a tree."""
    found, anew = answers(game, key, table), answers(game, key, game.table())
    assert found == anew
    count = 1
    for moves in islice(product(*sorted(game.legal_numbers(key, table))), width):
        made = game.made(moves)
        after, changes = game.advance(key, table, made)
        assert game.step(key, table, made) == after
        if depth:
            count += search(game, after, game.table(table, changes), depth - 1, width)
    return count


@pytest.mark.parametrize("name", LIBRARY)
def test_library_games_agree_with_the_reference_engine(name: str) -> None:
    sheet = load_sheet(name)
    walk_together([ReferenceGame(sheet), kept(sheet)], seed=name, steps=10)


@pytest.mark.parametrize("name", LIBRARY)
def test_what_is_kept_in_a_search_is_what_is_found_anew(name: str) -> None:
    game = kept(load_sheet(name))
    assert game.keeps
    assert search(game, game.initial_key, game.table(), 3, 4) > 4


@pytest.mark.parametrize("name", LIBRARY)
def test_states_are_met_in_any_order(name: str) -> None:
    sheet = load_sheet(name)
    reference = ReferenceGame(sheet)
    jump_together([reference, kept(sheet)], seed=name, steps=12, mixing=False)
    jump_together([reference, kept(sheet, Covering.DIRECT)], seed=name, steps=12)


@examples(25)
@given(games())
def test_states_of_random_games_are_met_in_any_order(sheet: RuleSheet) -> None:
    with patch("kibitz.engine.ungrounded.incremental._FEW", 2):  # as in a game with many answers
        reference = ReferenceGame(sheet)
        jump_together([reference, kept(sheet, Covering.GENERIC)], seed=5, steps=6, mixing=False)
        jump_together([reference, kept(sheet, Covering.DIRECT)], seed=5, steps=6)


@examples(20)
@given(games())
def test_random_games_agree_with_the_reference_engine(sheet: RuleSheet) -> None:
    others = [kept(sheet, covering) for covering in (Covering.GENERIC, Covering.DIRECT)]
    jump_together([ReferenceGame(sheet), *others], seed=3, steps=4, mixing=False)
    for game in others:
        with suppress(TooMuchToKeepError):  # Then games are played without, as above.
            search(game, game.initial_key, game.table(), 2, 3)


@needs_foreign
@pytest.mark.parametrize("name", quick(FOREIGN_NAMES, set(FOREIGN_NAMES) - {"skirmish"}))
def test_foreign_games_keep_what_is_found_anew(name: str) -> None:
    sheet = read((FOREIGN / "rules" / f"{name}.kif").read_bytes(), name=name, form="kif")
    game = kept(sheet)
    assert search(game, game.initial_key, game.table(), 3, 3) > 3


GRAPH = """
(role me) (node a) (node b) (node c) (node d)
(<= (legal me (turn ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y))
(init (edge a b)) (init (edge b a)) (init (edge b c))
(<= (next (edge ?x ?y)) (does me (turn ?x ?y)) (not (true (edge ?x ?y))))
(<= (next (edge ?x ?y)) (true (edge ?x ?y)) (does me (turn ?v ?w)) (distinct ?x ?v))
(<= (next (edge ?x ?y)) (true (edge ?x ?y)) (does me (turn ?v ?w)) (distinct ?y ?w))
(<= (joined ?x ?y) (true (edge ?x ?y)))
(<= (joined ?x ?y) (joined ?x ?z) (joined ?z ?y))
(<= (odd ?x ?y) (true (edge ?x ?y)))
(<= (odd ?x ?y) (even ?x ?z) (true (edge ?z ?y)))
(<= (even ?x ?y) (odd ?x ?z) (true (edge ?z ?y)))
(<= (lonely ?x) (node ?x) (not (joined a ?x)))
(<= terminal (joined a d))
(<= (goal me 100) (even a a) (not (lonely d)))
(<= (goal me 0) (not (even a a)))
"""


def test_relations_that_need_one_another_are_found_round_by_round() -> None:
    sheet = read(GRAPH)
    game = kept(sheet)
    walk_together([ReferenceGame(sheet), game], seed=4, steps=25)
    assert search(game, game.initial_key, game.table(), 2, 12) == 1 + 12 + 144


def chain(length: int) -> RuleSheet:
    rules = "".join(f"(after {i} {i + 1})" for i in range(length))
    return read(
        f"(role me) {rules} (init (at 0)) (init (lit 0)) (<= (next (lit ?x)) (true (lit ?x)))"
        "(<= (far ?x) (true (lit ?x))) (<= (far ?y) (after ?x ?y) (far ?x))"
        f"(<= (legal me go) (far {length})) (<= terminal (true (at 1))) (goal me 0)"
        "(<= (next (at 1)) (does me go))"
    )


def test_a_long_chain_of_calls_is_followed_to_its_end() -> None:
    assert count_visits(kept(chain(500)), 2) == 3


def test_a_chain_that_is_too_long_is_an_error_and_another_way_is_taken() -> None:
    sheet = chain(3000)
    with pytest.raises(KibitzError, match="levels deep, too many to keep"):
        count_visits(kept(sheet), 1)
    assert not faster_way(sheet, translate(sheet).sheet, seconds=0.01).keeps


def test_where_there_is_too_much_to_keep_play_goes_on_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.engine.ungrounded.incremental._MOST_WORK", 3)
    sheet = read(GRAPH)
    game = kept(sheet)
    with pytest.raises(TooMuchToKeepError, match="more than 3 answers"):
        answers(game, game.initial_key, game.table())
    walk_together([ReferenceGame(sheet), game], seed=6, steps=12)


def test_a_state_set_up_from_outside_keeps_nothing_wrong() -> None:
    game = kept(load_sheet("tictactoe"))
    cells = [f"(cell {row} {col} b)" for row in (1, 2, 3) for col in (1, 2, 3)]
    game.initial().step(["(mark 1 1)", "noop"]).legal("oplayer")
    state = game.state(parse_terms(" ".join([*cells, "(control oplayer)"])))
    assert len(state.legal("oplayer")) == 9


def test_only_a_translated_sheet_says_what_changes() -> None:
    assert not UngroundedGame(load_sheet("nim"), keeps=True).keeps
    assert STAYS in translate(load_sheet("nim")).sheet.rules
