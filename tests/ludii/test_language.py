"""More of the language: states, variables, groups and liberties, hands, effects that follow moves.

Every sheet is our own and as small as it can be.
"""

from __future__ import annotations

import pytest

from kibitz.engine import State, UngroundedGame
from kibitz.errors import Severity
from kibitz.gdl import check
from kibitz.ludii import read_ludii

ADD = "(move Add (to (sites Empty)){})"
FULL = "(end (if (is Full) (result Mover Win)))"


def start(rules: str, equipment: str = "", size: int = 3, players: int = 2) -> State:
    """Begin a match of a sheet with these rules, on a square board."""
    things = equipment or '(piece "Disc" Each)'
    text = (
        f'(game "Own" (players {players}) (equipment {{(board (square {size})) {things}}})'
        f" (rules {rules}))"
    )
    sheet = read_ludii(text, name="own.lud")
    assert [d for d in check(sheet) if d.severity is Severity.ERROR] == []
    return UngroundedGame(sheet).initial()


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(move)
    return state


def cells(state: State) -> dict[str, str]:
    return {str(f.args[0]): str(f.args[1]) for f in state.fluents if f.name == "cell"}


def mine(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves} - {"noop"}


def test_a_state_goes_where_its_piece_goes_until_it_is_set() -> None:
    king = (
        '(piece "King" Each (move Step Orthogonal (to if:(is Empty (to)))'
        " (then (if (= (state at:(last To)) 2) (set State at:(last To) 1)))))"
    )
    state = start(
        '(start {(place "King1" {"A1"} state:2) (place "King2" {"C3"})}) (play (forEach Piece))'
        " (end (if (all Sites (sites Occupied by:P1) if:(= 1 (state at:(site)))) (result P1 Win)))",
        king,
    )
    assert cells(state) == {"a1": "king1_2", "c3": "king2"}
    state = state.play("(step a1 b1)")
    assert cells(state)["b1"] == "king1_1"
    assert state.goals == {"p1": 100, "p2": 0}


def test_pieces_are_turned_over() -> None:
    state = start(
        '(start (place "Coin0" {"A1" "B1"} state:1))'
        " (play (move Select (from (sites Occupied by:Neutral)) (then (flip (last To)))))"
        " (end (if (= 2 (count Sites in:(sites State 2))) (result Mover Win)))",
        '(piece "Coin" Neutral (flips 1 2))',
    )
    state = played(state, "(select a1)", "(select b1)")
    assert cells(state) == {"a1": "coin0_2", "b1": "coin0_2"}
    assert state.goals == {"p1": 0, "p2": 100}


def test_a_variable_keeps_a_site_or_a_number() -> None:
    beside = "(sites Around (var) Empty)"
    state = start(
        f"(play (if (= 0 (count Moves)) {ADD.format('(then (set Var (last To)))')}"
        f" (move Add (to {beside})))) {FULL}"
    )
    state = state.play("(place b2)")
    assert len(mine(state)) == 8
    won = '(end (if (= 2 (var "Wins")) (result Mover Win)))'
    then = '(then (if (= (last To) 4) (set Var "Wins" 2)))'
    state = start(f"(play {ADD.format(then)}) {won}")
    assert not state.play("(place a1)").is_terminal
    assert state.play("(place b2)").is_terminal


def test_groups_without_liberties_are_taken_and_may_not_be_made() -> None:
    take = (
        "(then (enclose (from (last To)) Orthogonal"
        " (between if:(is Enemy (who at:(between))) (apply (remove (between))))))"
    )
    state = start(
        f"(play (do {ADD.format(take)} ifAfterwards:(> (count Liberties Orthogonal) 0))) {FULL}"
    )
    state = played(state, "(place b1)", "(place a1)", "(place a2)")
    assert cells(state) == {"b1": "disc1", "a2": "disc1"}
    assert "(place a1)" not in mine(state)
    assert "(place c1)" in mine(state)


@pytest.mark.parametrize(
    ("test", "ends"),
    [
        ("(= 3 (size Group at:(last To) Orthogonal))", True),
        ("(= 4 (size Group at:(last To) Orthogonal))", False),
        ("(= 2 (count Groups Orthogonal if:(= (who at:(to)) P1)))", True),
        ("(= 1 (count Groups Orthogonal if:(= (who at:(to)) P1) min:2))", True),
        ("(= 3 (max (sizes Group Orthogonal P1)))", True),
        ('(is In (coord "A1") (sites Group at:(last To) Orthogonal))', True),
        ('(is In (coord "C1") (sites Group at:(last To) Orthogonal))', False),
        ("(< 0 (size Territory P1))", False),
        ("(= 1 (% (count Turns) 2))", True),
        ("(= 5 (counter))", True),
        ("(= 4 (counter))", False),
    ],
)
def test_sizes_of_groups_and_counts_of_turns(test: str, ends: bool) -> None:
    state = start(
        f"(play {ADD.format('')}) (end (if (and (= 7 (count Moves)) {test}) (result P1 Win)))"
    )
    state = played(
        state, "(place a1)", "(place b1)", "(place a2)", "(place b2)", "(place c1)", "(place c2)",
        "(place a3)",
    )  # fmt: skip
    assert state.is_terminal == ends


def test_a_closed_ring_of_hexagons_is_a_loop() -> None:
    text = (
        '(game "Ring" (players 2) (equipment {(board (hex 2)) (piece "Disc" Each)})'
        " (rules (play (or (move Add (to (sites Empty))) (move Pass)))"
        " (end (if (is Loop) (result Mover Win)))))"
    )
    state = UngroundedGame(read_ludii(text)).initial()
    around = [move for move in sorted(mine(state)) if move not in ("(place b2)", "pass")]
    assert len(around) == 6
    for move in around[:-1]:
        state = played(state, move, "pass")
    assert not state.is_terminal
    assert state.play(around[-1]).goals == {"p1": 100, "p2": 0}


def test_pieces_change_places_and_effects_come_one_after_another() -> None:
    state = start(
        '(start {(place "Disc1" {"A1"}) (place "Disc2" {"B1"})})'
        " (play (move Select (from (sites Occupied by:Mover))"
        " (then (seq {(swap Pieces 0 1) (if (is Friend (who at:1)) (remove 0))}))))"
        " (end (if (no Pieces Next) (result Mover Win)))"
    )
    state = state.play("(select a1)")
    assert cells(state) == {"b1": "disc1"}
    assert state.goals == {"p1": 100, "p2": 0}


def test_a_capture_goes_on_along_a_line() -> None:
    state = start(
        '(start {(place "Disc1" {"A1"}) (place "Disc2" {"C1" "D1"}) (place "Disc2" {"D4"})})'
        " (play (forEach Piece (move Step Orthogonal (to if:(is Empty (to)))"
        " (then (directional (from (last To)) (directions Cell from:(last From) to:(last To))"
        " (to if:(is Enemy (who at:(to))) (apply (remove (to)))))))))"
        " (end (if (no Pieces Next) (result Mover Win)))",
        size=4,
    )
    assert cells(state.play("(step a1 b1)")) == {"b1": "disc1", "d4": "disc2"}
    assert len(cells(state.play("(step a1 a2)"))) == 4


def test_hands_have_places_and_rules_ask_for_the_piece_in_hand() -> None:
    state = start(
        '(start {(place "Disc1" (handSite P1)) (place "Star1" (handSite P1 1))})'
        " (play (move (from (sites Occupied by:Mover container:(mover))) (to (sites Empty)"
        ' if:(or (= (what at:(from)) (id "Disc1")) (= (to) (coord "B2"))))))'
        f" {FULL}",
        '(piece "Disc" Each) (piece "Star" Each) (hand Each size:2)',
    )
    assert len([move for move in mine(state) if "disc1" in move]) == 9
    assert [move for move in mine(state) if "star1" in move] == ["(drop star1 b2)"]


def test_further_conditions_of_an_end_come_before_its_result() -> None:
    rules = (
        f"(play {ADD.format('')}) (end (if (= 2 (count Moves))"
        ' (if (is Occupied (coord "A1")) (result P1 Win)) (result P2 Win)))'
    )
    assert played(start(rules), "(place a1)", "(place b1)").goals == {"p1": 100, "p2": 0}
    assert played(start(rules), "(place c1)", "(place b1)").goals == {"p1": 0, "p2": 100}


def test_one_of_three_players_moves_again() -> None:
    again = "(then (if (= (last To) 0) (moveAgain)))"
    state = start(
        f"(play {ADD.format(again)}) (end (if (is Line 3) (result Mover Win)))", players=3
    )
    state = state.play("(place a1)")
    assert [str(f) for f in state.fluents if f.name == "control"] == ["(control p1)"]
    state = state.play("(place b1)")
    assert [str(f) for f in state.fluents if f.name == "control"] == ["(control p2)"]


def places(state: State) -> set[str]:
    return {move.removeprefix("(place ").removesuffix(")") for move in mine(state)}


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ("(sites Around 4 Orthogonal)", "b1 b3 a2 c2"),
        ('(sites Around (coord "A1") Orthogonal distance:2)', "a3 c1"),
        ("(sites Between from:0 to:8)", "b2"),
        ("(sites Between from:0 to:8 toIncluded:True)", "b2 c3"),
        ("(sites Distance Orthogonal from:0 (exact 4))", "c3"),
        ("(sites Distance Orthogonal from:0 (range 1 1))", "a2 b1"),
        ("(sites Row (row of:4))", "a2 b2 c2"),
        ('(sites Mover "Far")', "a3"),
        ('(if (is Mover P1) (sites {"A1"}) (sites {"B1"}))', "a1"),
        ("(forEach (sites Board) if:(= 2 (+ (row of:(site)) (column of:(site)))))", "a3 b2 c1"),
        ("(forEach (sites Board) if:(= 1 (count Steps Orthogonal (site) 0)))", "a2 b1"),
    ],
)
def test_regions(region: str, expected: str) -> None:
    state = start(
        f"(play (move Add (to {region}))) {FULL}",
        '(piece "Disc" Each) (regions "Near" P1 (sites {"B1"})) (regions "Far" P1 (sites {"A3"}))',
    )
    assert places(state) == set(expected.split())


@pytest.mark.parametrize(
    ("play", "moves"),
    [
        ("(forEach Value min:0 max:1 (move Add (to (sites Row (value)))))", 6),
        ('(forEach Player (move Add (piece (id "Disc" Player)) (to (sites {"A1"}))))', 2),
        ("(forEach Direction (from 4) Diagonal (to (apply (move Add (to (to))))))", 4),
        ("(forEach Piece P2 (move Step Orthogonal (to if:(is Empty (to)))))", 2),
        ("(move Swap Pieces (sites Occupied by:P1) (sites Occupied by:P2))", 1),
        ('(if (= -1 (where "Star" Mover)) (move Pass))', 1),
    ],
)
def test_moves(play: str, moves: int) -> None:
    state = start(
        f'(start {{(place "Disc1" {{"C1"}}) (place "Disc2" {{"B1"}})}}) (play {play}) {FULL}',
        '(piece "Disc" Each) (piece "Star" Each)',
    )
    assert len(mine(state)) == moves


def test_what_is_remembered_stays_so_until_it_is_forgotten() -> None:
    then = '(then (if (= (last To) 8) (forget Value "Row" All) (remember Value "Row" (last To))))'
    fresh = '(forEach (sites Board) if:(not (is In (site) (values Remembered "Row"))))'
    state = start(f"(play (move Add (to {fresh}) {then})) {FULL}")
    state = played(state, "(place a1)", "(place b1)")
    assert len(mine(state)) == 7
    assert len(mine(state.play("(place c3)"))) == 9


def test_a_move_says_who_is_next_and_a_slide_leaves_a_trail() -> None:
    state = start(
        '(start {(place "Snake1" {"A1"}) (place "Snake2" {"C3"})})'
        " (play (forEach Piece (then (set NextPlayer (player 1)))))"
        " (end (if (no Moves Next) (result Mover Win)))",
        '(piece "Snake" Each (move Slide Orthogonal (between trail:"Wall")))'
        ' (piece "Wall" Neutral)',
    )
    state = state.play("(slide a1 c1)")
    assert cells(state) == {"a1": "wall0", "b1": "wall0", "c1": "snake1", "c3": "snake2"}
    assert mine(state) == {"(slide c1 c2)"}


def test_sowing_goes_on_from_the_last_hole() -> None:
    text = (
        '(game "Sow" (players 2) (equipment {(mancalaBoard 2 3 store:None'
        ' (track "Track" "0,E,N,W" loop:True)) (regions P1 (sites Bottom)) (regions P2 (sites Top))'
        ' (piece "Seed" Shared)}) (rules (start (set Count 2 to:(sites Track)))'
        " (play (move Select (from (if (is Prev Mover) (sites {(last To afterConsequence:True)})"
        " (sites Mover)) if:(> (count at:(from)) 0)) (then (sow apply:"
        "(if (= 3 (count at:(trackSite Move from:(to) steps:-1))) (moveAgain)"
        " (set Count at:(to) 0))))))"
        " (end (if (no Moves Mover) (result Mover Loss)))))"
    )
    state = UngroundedGame(read_ludii(text)).initial().play("(select a1)")
    assert cells(state) == {"b1": "3", "c1": "3", "a2": "2", "b2": "2", "c2": "2"}
    assert mine(state) == {"(select c1)"}
