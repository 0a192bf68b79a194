"""Constructs that were once played otherwise than Ludii plays them, each in a sheet of our own."""

from __future__ import annotations

import gzip
import json

import pytest
from tests.foreign import FOREIGN

from kibitz.conformance import conform
from kibitz.engine import State, UngroundedGame
from kibitz.errors import RuleSheetError
from kibitz.ludii import Library, read_ludii
from kibitz.ludii.boards.graph import coordinates_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.moves import MOVES

HARD = FOREIGN / "hard" / "ludii"
KEYS = sorted(path.stem for path in HARD.glob("*.lud"))


def start(rules: str, equipment: str) -> State:
    text = f'(game "Own" (players 2) (equipment {{{equipment}}}) (rules {rules}))'
    return UngroundedGame(read_ludii(text, name="own.lud")).initial()


def moves(state: State) -> set[str]:
    return set(map(str, state.legal_moves)) - {"noop"}


def cells(state: State) -> set[str]:
    return {str(fluent) for fluent in state.fluents if fluent.name == "cell"}


@pytest.mark.skipif(not KEYS, reason="no folder shared/games/hard beside the checkout")
@pytest.mark.parametrize("key", KEYS)
def test_a_sheet_that_was_misread_agrees_with_its_traces(key: str) -> None:
    library = Library.find(FOREIGN / "ludii")
    sheet = read_ludii((HARD / f"{key}.lud").read_bytes(), name=key, library=library)
    traces = json.loads(gzip.decompress((HARD / f"{key}.json.gz").read_bytes()))
    found = conform(UngroundedGame(sheet), traces)
    assert found.agree, found.first_difference


def test_places_of_a_dense_board_share_a_column_within_a_thousandth() -> None:
    points = [(0.0, 0.0), (2.0, 2.0), (2.003, 2.0), (2.0005, 0.0)]
    assert coordinates_of(points)[1] == (0, 1, 2, 1)


PHASES = """
    (start {{(place "Man1" (handSite P1) count:{ones}) (place "Man2" (handSite P2) count:{twos})}})
    phases:{{
      (phase "First" {who} (play (move (from (handSite Mover)) (to (sites Empty)))) {after})
      (phase "Second" {other} (play {play}) {end})
    }}
"""
MEN = '(board (square 2)) (hand Each) (piece "Man" Each)'


def test_the_player_of_a_phase_only_begins_in_it() -> None:
    rules = PHASES.format(
        ones=2, twos=2, who="P1", other="P2", after='(nextPhase "Second")', end="",
        play='(move (from (handSite Mover)) (to (sites Empty)))',
    )  # fmt: skip
    state = start(rules, MEN).play("(drop a1)").play("(drop a2)")
    assert moves(state) == {"(drop b1)", "(drop b2)"}


def test_an_end_belongs_to_the_phase_in_which_the_move_was_made() -> None:
    """The last man is placed in the first phase, so that the second one's end waits."""
    rules = PHASES.format(
        ones=1, twos=1, who="", other="", play="(forEach Piece (move Step (to if:(is Friend"
        " (who at:(to))))))", after="(nextPhase Mover (= 0 (count Cell at:(handSite Mover))))",
        end="(end (if (no Moves Next) (result Next Loss)))",
    ).replace("(= 0 (count Cell at:(handSite Mover)))", "(is Occupied (last To))")  # fmt: skip
    state = start(rules, MEN).play("(drop a1)").play("(drop a2)")
    assert not state.is_terminal
    assert moves(state) == {"pass"}
    assert state.play("pass").is_terminal


def test_that_the_mover_is_stuck_is_known_from_a_forced_pass() -> None:
    rules = """(start {(place "Man1" {"A1"}) (place "Man2" {"A2"})})
      (play (forEach Piece (move Step Forward (to if:(is Empty (to))))))
      (end (if (and (no Moves Next) (no Moves Mover)) (result P1 Win)))"""
    state = start(rules, '(board (rectangle 2 1)) (piece "Man" P1 N) (piece "Man" P2 S)')
    assert not state.is_terminal
    state = state.play("pass")
    assert state.is_terminal
    assert state.goals["p1"] == 100


def test_an_effect_at_the_end_of_a_hop_knows_what_was_jumped_over() -> None:
    rules = """(start {(place "Man1" {"A1"}) (place "Man2" {"A2" "C2"})})
      (play (forEach Piece (move Hop Orthogonal (between if:(is Occupied (between)))
        (to if:(is Empty (to)) (apply (if (is Enemy (who at:(between))) (remove (between))))))))
      (end (if (no Pieces Next) (result Mover Win)))"""
    state = start(rules, '(board (square 3)) (piece "Man" Each)').play("(hop a1 a3)")
    assert cells(state) == {"(cell a3 man1)", "(cell c2 man2)"}


FORWARD = """(start {(place "Man1" {"A1"}) (place "Man2" {"B3"})})
  (play (if (is Prev Mover) (move Step (from (last To)) (directions {Forward})
    (to if:(is Empty (to))))
    (forEach Piece (move Step Forward (to if:(is Empty (to))) (then (moveAgain))))))
  (end (if (no Pieces Next) (result Mover Win)))"""


def test_a_piece_that_goes_on_looks_where_it_did() -> None:
    men = '(board (rectangle 4 2)) (piece "Man" P1 N) (piece "Man" P2 S)'
    state = start(FORWARD, men).play("(step a1 a2)").play("(step a2 a3)")
    state = state.play("(step b3 b2)")
    assert moves(state) == {"(step b2 b1)"}


def test_a_hop_that_must_not_turn_back_does_not() -> None:
    rules = """(start {(place "Man1" {"C1"}) (place "Man2" {"C2" "D3" "C4"})})
      (play (if (is Prev Mover)
        (move Hop (from (last To)) (difference Orthogonal OppositeDirection)
          (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to))))
        (forEach Piece (move Hop Orthogonal (between if:(is Enemy (who at:(between))))
          (to if:(is Empty (to))) (then (moveAgain))))))
      (end (if (no Pieces Next) (result Mover Win)))"""
    state = start(rules, '(board (square 5)) (piece "Man" Each)').play("(hop c1 c3)")
    assert moves(state) == {"(hop c3 e3)", "(hop c3 c5)"}


def test_an_empty_site_keeps_its_state_until_it_is_set_again() -> None:
    rules = """(start {(place "Man1" {"A1"}) (place "Man2" {"C2"})})
      (play (forEach Piece (move Step Orthogonal (to if:(and (is Empty (to))
        (= 0 (state at:(to))))) (then (if (= 1 (state at:"A1"))
          (set State at:"A1" 0) (set State at:(last From) 1))))))
      (end (if (no Pieces Next) (result Mover Win)))"""
    state = start(rules, '(board (rectangle 2 3)) (piece "Man" Each)').play("(step a1 b1)")
    assert "(var (state a1) 1)" in {str(fluent) for fluent in state.fluents}
    state = state.play("(step c2 c1)")
    assert "(step b1 a1)" in moves(state)  # set to 0 again


def test_what_a_move_makes_one_remember_its_consequence_makes_one_forget() -> None:
    rules = """(start {(place "Man1" {"A1"}) (place "Man2" {"C2"})})
      (play (forEach Piece (move Step Orthogonal (to
        if:(and (is Empty (to)) (not (is In (to) (values Remembered))))
        (apply (remember Value (to)))) (then (if (is In (last To) (sites Top))
        (forget Value All))))))
      (end (if (no Pieces Next) (result Mover Win)))"""
    state = start(rules, '(board (rectangle 2 3)) (piece "Man" Each)').play("(step a1 b1)")
    known = "(remembered value b1)"
    assert known in {str(fluent) for fluent in state.fluents}
    state = state.play("(step c2 b2)")
    assert not {str(fluent) for fluent in state.fluents if fluent.name == "remembered"}


def test_pieces_may_be_called_by_numbers() -> None:
    text = """(game "Own" (players 2) (equipment {(board (square 2)) (piece "1" Neutral)})
      (rules (play (move Add (piece "1") (to (sites Empty))))
        (end (if (is Full) (result P1 Win)))))"""
    game = UngroundedGame(read_ludii(text, name="own.lud"))
    legal = [f"{site}>{site} (Add 10 to {site})" for site in ("A1", "A2", "B1", "B2")]
    steps = [{"mover": 1, "board": {}, "legal": legal, "chosen": legal[0]}]
    trace = {"moves": ["A1"], "steps": steps, "final": {"A1": "10"}, "over": False}
    found = conform(game, {"traces": [trace]})
    assert found.agree, found.first_difference


@pytest.mark.parametrize(
    "rules",
    [
        "(play (forEach Piece (move Step (to if:(is Empty (to))) sometimes:True)))",
        "(play (forEach Piece (move Step (rather N) (to if:(is Empty (to))))))",
    ],
)
def test_what_a_translation_passes_over_is_refused(rules: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        start(f"{rules} (end (if (is Full) (result P1 Win)))", MEN)
    assert {one.code for one in caught.value.diagnostics} == {"LUD010"}


def test_an_internal_error_is_no_unsupported_ludeme(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> list[Ludeme]:
        first, second = args[:1]  # the mistake of somebody who wrote a translator
        return [first, second]  # type: ignore[list-item]

    monkeypatch.setitem(MOVES, "move Add", broken)
    with pytest.raises(RuleSheetError) as caught:
        start("(play (move Add (to (sites Empty)))) (end (if (is Full) (result P1 Win)))", MEN)
    (problem,) = caught.value.diagnostics
    assert problem.code == "LUD011"
    assert problem.message.startswith("internal error in ludeme (move Add …) at own.lud:1:")
    assert "ValueError: not enough values to unpack" in problem.message
