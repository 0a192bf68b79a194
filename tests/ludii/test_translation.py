"""Sheets become GDL: our own ones play as they say, and those of Ludii as Ludii plays them."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.cpu import cpu_seconds
from tests.effort import examples
from tests.ludii.traces import LUDII, index, keys, needs_ludii, trace_of

from kibitz.budget import Budget, run_within
from kibitz.conformance import conform, read_traces
from kibitz.engine import CompiledGame, Game, ReferenceGame, State, UngroundedGame
from kibitz.errors import BudgetExceededError, InputError, RuleSheetError, Severity
from kibitz.gdl import check, parse, to_kif
from kibitz.ludii import Library, read_ludii
from kibitz.solve import solve_any
from kibitz.space import explore

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.lud"))


def sheet_of(rules: str, equipment: str = "(board (square 3)) (piece Disc Each)") -> str:
    words = equipment.replace("Disc", '"Disc"') if '"' not in equipment else equipment
    return f'(game "Own" (players 2) (equipment {{{words}}}) (rules {rules}))'


def game_of(text: str) -> Game:
    sheet = read_ludii(text, name="own.lud")
    assert [d for d in check(sheet) if d.severity is Severity.ERROR] == []
    return UngroundedGame(sheet)


def moves_of(state: State) -> list[str]:
    return sorted(map(str, state.legal_moves))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_is_a_sheet_without_findings_that_prints_and_reads_again(path: Path) -> None:
    sheet = read_ludii(path.read_bytes(), name=path.name)
    assert check(sheet) == []
    assert parse(to_kif(sheet), form="kif").rules == sheet.rules


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_plays_the_same_on_another_engine(path: Path) -> None:
    sheet = read_ludii(path.read_bytes(), name=path.name)
    one, other = UngroundedGame(sheet).initial(), ReferenceGame(sheet).initial()
    for step in range(12):
        assert one.fluents == other.fluents
        assert one.is_terminal == other.is_terminal
        if one.is_terminal:
            assert one.goals == other.goals
            return
        moves = one.legal_moves
        assert moves == other.legal_moves
        move = moves[step * 7 % len(moves)]
        one, other = one.play(move), other.play(move)


def test_a_full_board_takes_two_passes_to_be_drawn() -> None:
    text = (EXAMPLES[0].parent / "short_line.lud").read_text("utf-8")
    space = explore(CompiledGame(read_ludii(text)))
    solution = solve_any(space)
    assert len(space) == 5510  # those of tic-tac-toe, and the full boards after one and two passes
    assert solution.value() == {"p1": 50, "p2": 50}


def test_placing_three_in_a_row_wins() -> None:
    state = game_of(
        sheet_of("(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))")
    ).initial()
    for move in ("(place a1)", "(place b1)", "(place a2)", "(place b2)", "(place a3)"):
        assert not state.is_terminal
        state = state.play(move)
    assert state.is_terminal
    assert state.goals == {"p1": 100, "p2": 0}


def test_a_player_who_cannot_move_passes() -> None:
    state = game_of(
        sheet_of(
            '(start (place "Disc1" {"A1"})) (play (forEach Piece))'
            " (end (if (is Full) (result P1 Win)))",
            '(board (square 2)) (piece "Disc" Each (move Step Forward (to if:(is Empty (to)))))',
        )
    ).initial()
    assert moves_of(state) == ["(step a1 a2)", "noop"]
    state = state.play("(step a1 a2)")
    for _ in range(2):
        assert moves_of(state) == ["noop", "pass"]
        state = state.play("pass")
    assert state.is_terminal
    assert state.goals == {"p1": 50, "p2": 50}


def test_a_slide_stops_before_a_friend_and_takes_an_enemy() -> None:
    text = sheet_of(
        '(start {(place "Rook1" {"A1" "A4"}) (place "Rook2" {"C1"})}) (play (forEach Piece))'
        "(end (if (no Pieces Next) (result Mover Win)))",
        '(board (square 4)) (piece "Rook" Each (move Slide Orthogonal'
        " (to if:(is Enemy (who at:(to))) (apply (remove (to))))))",
    )
    state = game_of(text).initial()
    assert [m for m in moves_of(state) if "slide a1" in m] == [
        "(slide a1 a2)",
        "(slide a1 a3)",
        "(slide a1 b1)",
        "(slide a1 c1)",
    ]
    assert state.play("(slide a1 c1)").goals == {"p1": 100, "p2": 0}


def test_custody_captures_what_stands_between() -> None:
    text = sheet_of(
        '(start {(place "Disc1" {"A1" "C2"}) (place "Disc2" {"B1" "D4"})}) (play (forEach Piece))'
        "(end (if (no Pieces Next) (result Mover Win)))",
        '(board (square 4)) (piece "Disc" Each (move Step Orthogonal (to if:(is Empty (to)))'
        " (then (custodial (from (last To)) Orthogonal"
        " (between (max 1) if:(is Enemy (who at:(between))) (apply (remove (between))))"
        " (to if:(is Friend (who at:(to))))))))",
    )
    state = game_of(text).initial().play("(step c2 c1)")
    cells = {str(fluent.args[0]) for fluent in state.fluents if fluent.name == "cell"}
    assert cells == {"a1", "c1", "d4"}


def test_who_moves_second_may_take_the_first_place() -> None:
    text = sheet_of(
        "(meta (swap)) (play (move Add (to (sites Empty))))"
        " (end (if (is Line 2) (result Mover Win)))"
    )
    state = game_of(text).initial().play("(place b2)")
    assert "swap" in moves_of(state)
    state = state.play("swap")
    assert "swap" not in moves_of(state)
    state = state.play("(place a1)").play("(place b1)")  # now p1 has what p2 had, and p2 wins
    assert state.is_terminal
    assert state.goals == {"p1": 0, "p2": 100}


def test_a_move_is_looked_at_before_it_is_allowed() -> None:
    text = sheet_of(
        "(play (do (move Add (to (sites Empty))) ifAfterwards:(not (is Line 2 Orthogonal))))"
        " (end (if (no Moves Next) (result Next Loss)))"
    )
    state = game_of(text).initial().play("(place a1)").play("(place c3)")
    assert "(place a2)" not in moves_of(state)
    assert "(place b1)" not in moves_of(state)
    assert "(place b2)" in moves_of(state)


def test_who_is_in_check_must_get_out_of_it_and_is_mated_when_nothing_helps() -> None:
    take = (
        "(to if:(not (is Friend (who at:(to))))"
        " (apply (if (is Enemy (who at:(to))) (remove (to)))))"
    )
    safe = '(not (is Threatened (id "King" {})))'
    mated = f"(not (can Move (do (forEach Piece Next) ifAfterwards:{safe.format('Next')})))"
    text = sheet_of(
        '(start {(place "King1" {"A1"}) (place "Rook1" {"B1" "C1"}) (place "King2" {"A4"})})'
        f"(play (do (forEach Piece) ifAfterwards:{safe.format('Mover')}))"
        f'(end (if (and (is Threatened (id "King" Next)) {mated}) (result Mover Win)))',
        f'(board (square 4)) (piece "King" Each (move Step {take}))'
        '(piece "Rook" Each (move Slide Orthogonal (to if:(is Enemy (who at:(to)))'
        " (apply (remove (to))))))",
    )
    state = game_of(text).initial().play("(slide b1 b2)")
    assert moves_of(state) == ["(step a4 a3)", "noop"]
    state = game_of(text).initial().play("(step a1 a2)")
    assert moves_of(state) == ["noop", "pass"]  # stalemate
    state = state.play("pass").play("(slide c1 c4)")
    assert state.is_terminal
    assert state.goals == {"p1": 100, "p2": 0}


def test_moves_that_the_position_tells_apart_have_one_name() -> None:
    text = sheet_of(
        '(start {(place "Man1" {"A1"}) (place "King1" {"C1"}) (place "Man2" {"C3"})})'
        ' (play (or (forEach Piece "Man" (move Step Forward (to if:(is Empty (to)))'
        ' (then (promote (last To) (piece "King") Mover))))'
        ' (forEach Piece "King" (move Step Orthogonal (to if:(is Empty (to)))))))'
        " (end (if (no Moves Next) (result Mover Win)))",
        '(board (square 3)) (piece "Man" P1 N) (piece "King" P1 N) (piece "Man" P2 S)',
    )
    start = game_of(text).initial()
    assert moves_of(start) == ["(step a1 a2)", "(step c1 b1)", "(step c1 c2)"]
    assert "(cell a2 king1)" in {str(fluent) for fluent in start.play("(step a1 a2)").fluents}


def test_moves_that_look_alike_have_numbers() -> None:
    text = sheet_of(
        "(play (or (move Add (to (sites Empty)))"
        " (move Add (to (sites Empty)) (then (remove (last To))))))"
        " (end (if (is Full) (result Mover Win)))"
    )
    moves = moves_of(game_of(text).initial())
    assert {"(place a1)", "(place_2 a1)"} <= set(moves)


def test_rules_that_are_alike_for_all_players_are_written_once() -> None:
    rules = read_ludii(
        sheet_of("(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))")
    ).rules
    ways = [str(rule) for rule in rules if rule.head.relation in ("can", "won_by")]
    assert ways == [
        "(<= (can ?player (place ?to)) (true (control ?player)) (site ?to) (not (occupied ?to)))",
        "(<= (won_by 0 ?player) (true (control ?player)) (moved_to ?site) (line_3 ?site))",
        "(<= (won_by 1 nobody) all_passed)",
    ]


def test_what_is_pending_is_so_for_one_move() -> None:
    text = sheet_of(
        "(play (if (is Pending) (move Add (to (sites Pending)))"
        " (move Add (to (sites Empty)) (then (set Pending (ahead (last To) E))))))"
        " (end (if (is Full) (result Mover Win)))"
    )
    state = game_of(text).initial().play("(place a1)")
    assert moves_of(state) == ["(place b1)", "noop"]
    assert "(place c1)" in moves_of(state.play("(place b1)"))


def test_pieces_are_taken_when_the_turn_is_over() -> None:
    text = sheet_of(
        '(start {(place "Disc1" {"A1" "D4"}) (place "Disc2" {"B1" "D1"})})'
        "(play (forEach Piece (if (is Prev Mover) (move Pass) (move Hop Orthogonal"
        " (between if:(is Enemy (who at:(between)))"
        " (apply (remove (between) at:EndOfTurn))) (to if:(is Empty (to))) (then (moveAgain))))))"
        "(end (if (no Pieces Next) (result Mover Win)))",
        '(board (square 4)) (piece "Disc" Each)',
    )

    def cells(state: State) -> set[str]:
        return {str(fluent.args[0]) for fluent in state.fluents if fluent.name == "cell"}

    state = game_of(text).initial().play("(hop a1 c1)")
    assert cells(state) == {"b1", "c1", "d1", "d4"}
    assert cells(state.play("pass")) == {"c1", "d1", "d4"}


def test_seeds_are_sown_as_a_program_of_a_few_lines_sows_them() -> None:
    track = ["a1", "b1", "c1", "c2", "b2", "a2"]
    path = EXAMPLES[0].parent / "two_rows.lud"
    state = UngroundedGame(read_ludii(path.read_bytes(), name=path.name)).initial()
    seeds = dict.fromkeys(track, 2) | {"hand1": 0, "hand2": 0}
    for ply in range(40):
        ours = {str(f.args[0]): int(str(f.args[1])) for f in state.fluents if f.name == "cell"}
        assert ours == {place: number for place, number in seeds.items() if number}
        if state.is_terminal:
            assert state.goals["p1"] == 50 + 50 * (
                (seeds["hand1"] > seeds["hand2"]) - (seeds["hand1"] < seeds["hand2"])
            )
            return
        player = ply % 2 + 1
        full = [place for place in track if place[1] == str(player) and seeds[place]]
        moves = sorted(str(m) for m in state.legal(f"p{player}"))
        assert moves == (sorted(f"(select {place})" for place in full) or ["pass"])
        move = moves[ply * 5 % len(moves)]
        state = state.play(move)
        if move == "pass":
            continue
        place = move[8:10]
        number, seeds[place] = seeds[place], 0
        for _ in range(number):
            place = track[(track.index(place) + 1) % 6]
            seeds[place] += 1
        if seeds[place] == 2:
            seeds[f"hand{player}"] += 2
            seeds[place] = 0


def test_of_three_players_two_play_on() -> None:
    path = EXAMPLES[0].parent / "three_rivals.lud"
    state = UngroundedGame(read_ludii(path.read_bytes(), name=path.name)).initial()
    for move in ("(place a1)", "(place a2)", "(place c2)", "(place b2)"):
        assert not state.is_terminal
        state = state.play(move)
    assert "(rank p1 1)" in {str(fluent) for fluent in state.fluents}
    for move in ("(place d2)", "(place c1)", "(place d1)"):  # p2, p3, p2: p1 is through
        state = state.play(move)
    assert [str(f) for f in state.fluents if f.name == "control"] == ["(control p3)"]
    state = state.play("(place b1)")
    assert state.is_terminal
    assert state.goals == {"p1": 100, "p2": 0, "p3": 50}


def test_what_is_not_supported_is_named_with_its_place_and_all_at_once() -> None:
    text = sheet_of(
        "(play (or {(move Teleport) (move Add (to (sites Nowhere)))}))\n"
        "(end {(if (is Raining) (result Mover Win)) (if (is Cold) (result Mover Win))})"
    )
    with pytest.raises(RuleSheetError) as raised:
        read_ludii(text, name="own.lud")
    messages = [d.message for d in raised.value.diagnostics]
    assert messages == [
        "unsupported ludeme (move Teleport …) at own.lud:1:96",
        "unsupported ludeme (is Raining …) at own.lud:2:11",
        "unsupported ludeme (is Cold …) at own.lud:2:48",
    ]


LUDEMES = [path.read_text("utf-8") for path in EXAMPLES]


@st.composite
def _spoiled(draw: st.DrawFn) -> str:
    """Take a sheet that is read, and delete, double or replace some of its words."""
    words = draw(st.sampled_from(LUDEMES)).replace("(", " ( ").replace(")", " ) ").split(" ")
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(words) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                del words[place]
            case 1:
                words[place] = draw(st.sampled_from(words))
            case 2:
                words.insert(place, draw(st.sampled_from(words)))
            case _:
                words[place] = draw(st.sampled_from(["0", "99", "Mover", "{}", '"A1"', "(to)"]))
    return " ".join(words)


@given(_spoiled())
@examples(400)
def test_a_spoiled_sheet_is_translated_or_refused(text: str) -> None:
    with suppress(RuleSheetError):
        assert read_ludii(text, name="own.lud").rules


@pytest.mark.parametrize(
    ("rules", "equipment"),
    [
        ("(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result P1 Win)))", 60),
        ("(play (move Add (to (sites Empty)))) (end (if (is Line 5 All) (result P1 Win)))", 19),
        ("(play (forEach Piece)) (end (if (is Line 9 contiguous:False) (result P1 Win)))", 20),
        (
            "(play (move Add (to (sites Empty)))) (end (if (and {"
            + "(or (is Empty 1) (is Empty 2)) " * 40
            + "}) (result P1 Win)))",
            3,
        ),
        (
            "(play (move Add (to (sites Empty)))) (end (if "
            + "(not " * 150
            + "(is Full)"
            + ")" * 150
            + " (result P1 Win)))",
            3,
        ),
    ],
    ids=["huge board", "large board", "spread", "product", "deep"],
)
def test_hostile_sheets_are_translated_or_refused_in_bounded_time(
    rules: str, equipment: int
) -> None:
    before = cpu_seconds()
    with suppress(RuleSheetError):
        read_ludii(sheet_of(rules, f'(board (square {equipment})) (piece "Disc" Each)'))
    assert cpu_seconds() - before < 60


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\x1f\x8bnothing", b'{"traces": 1}'])
def test_a_file_that_holds_no_traces_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="is no trace file"):
        read_traces(data, name="x.json")


def test_a_difference_is_said_with_its_place() -> None:
    text = sheet_of(
        "(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))"
    )
    legal = [f"{c}{r}>{c}{r} (Add Disc1 to {c}{r})" for c in "ABC" for r in "123"]
    step = {"mover": 1, "board": {}, "legal": legal, "chosen": legal[0]}
    trace = {"steps": [step], "final": {"A1": "Disc1"}, "over": False}
    assert conform(game_of(text), {"traces": [trace]}).agree
    for key, value, what in (
        ("mover", 2, "mover"),
        ("board", {"A1": "Disc2"}, "board"),
        ("legal", legal[1:], "legal"),
    ):
        found = conform(game_of(text), {"traces": [{**trace, "steps": [{**step, key: value}]}]})
        assert found.first_difference is not None
        assert (found.agree, found.first_difference["what"]) == (False, what)
    for changed, what in (({"over": True}, "end"), ({"final": {}}, "final board")):
        found = conform(game_of(text), {"traces": [{**trace, **changed}]})
        assert found.first_difference is not None
        assert found.first_difference["what"] == what


_LIMIT = Budget(seconds=600, bytes=4_000_000_000)
"""For each sheet: replaying chess holds more tuples than that."""


def agreement(key: str) -> str:
    """Say how far a sheet of Ludii agrees with its traces."""
    text = (LUDII / "lud" / f"{key}.lud").read_bytes()
    try:
        sheet = read_ludii(
            text, name=key, options=index()[key]["options"], library=Library.find(LUDII)
        )
    except RuleSheetError:
        return "not read"
    try:
        found = run_within(_LIMIT, lambda: conform(UngroundedGame(sheet), trace_of(key)))
    except BudgetExceededError:
        return "too large"
    return "agrees" if found.agree else json.dumps(dict(found.first_difference or {}))


@needs_ludii
def test_most_sheets_of_a_sample_that_are_read_agree_with_traces() -> None:
    found = [agreement(key) for key in keys()[2::20]]
    differ = [one for one in found if one not in ("agrees", "not read")]
    assert differ == []
    assert found.count("agrees") >= 11


@needs_ludii
@pytest.mark.slow
def test_so_many_sheets_of_ludii_agree() -> None:
    assert sum(agreement(key) == "agrees" for key in keys()) >= 222
