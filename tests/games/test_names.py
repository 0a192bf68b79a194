"""Names and parameters: what is understood, and what is said about the rest."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kibitz.errors import GameNameError
from kibitz.games import catalogue, library_name, load_sheet, rule_text
from kibitz.gdl import parse

NAMES = [entry.name for entry in catalogue()]


def rules_of(name: str) -> set[str]:
    return {str(rule) for rule in parse(rule_text(name)).rules}


def test_tictactoe_is_the_mnk_game_of_three() -> None:
    assert rules_of("tictactoe") == rules_of("mnk:3,3,3") == rules_of("mnk")


def test_connectfour_is_the_connect_game_of_six_rows_and_seven_columns() -> None:
    assert rules_of("connectfour") == rules_of("connect:4,6x7") == rules_of("connect")


@pytest.mark.parametrize(
    ("bare", "full"),
    [
        ("nim", "nim:1,3,5,7"),
        ("crossdot", "crossdot:6,3"),
        ("bottom2", "bottom2:3,3x3"),
        ("breakthrough", "breakthrough:8x8"),
        ("kayles", "kayles:7"),
        ("chomp", "chomp:3x4"),
        ("domineering", "domineering:4x4"),
        ("hex", "hex:3"),
        ("lightsout", "lightsout:3x3"),
        ("hanoi", "hanoi:3"),
    ],
)
def test_a_bare_name_takes_the_usual_parameters(bare: str, full: str) -> None:
    assert rules_of(bare) == rules_of(full)


@pytest.mark.parametrize("family", ["mnk:3,3,3", "connect:3,4x4", "bottom2:3,4x4"])
def test_lines_are_rows_columns_and_diagonals_unless_given(family: str) -> None:
    assert rules_of(family) == rules_of(f"{family},RCD")


def test_fewer_kinds_of_line_win_along_fewer_ways() -> None:
    for lines in ("RC", "RD", "CD", "R", "C", "D"):
        assert rules_of(f"mnk:3,3,3,{lines}") < rules_of("mnk:3,3,3")


def test_a_sheet_is_named_after_the_game() -> None:
    assert load_sheet("nim:1,3,5,7,misere").name == "nim:1,3,5,7,misere"


def test_an_unknown_game_suggests_a_near_name() -> None:
    with pytest.raises(GameNameError, match="no game is called 'tictacto'") as caught:
        load_sheet("tictacto")
    assert caught.value.hint == "did you mean tictactoe?"


def test_a_game_that_is_nearly_called_so_is_suggested() -> None:
    with pytest.raises(GameNameError) as caught:
        load_sheet("TicTakToe")
    assert caught.value.hint == "did you mean tictactoe?"


def test_a_game_unlike_any_other_lists_them_all() -> None:
    with pytest.raises(GameNameError) as caught:
        load_sheet("quidditch")
    assert all(name in caught.value.hint for name in NAMES)


@pytest.mark.parametrize(
    "name", ["mnk:", "mnk:3", "mnk:3,3,3,XY", "mnk:3,3,3,rc", "connect:4,5,5", "nim:a", "hex:x"]
)
def test_parameters_that_do_not_fit_are_answered_with_the_syntax(name: str) -> None:
    head = name.partition(":")[0]
    with pytest.raises(GameNameError, match=f"do not fit {head}") as caught:
        load_sheet(name)
    (entry,) = (entry for entry in catalogue() if entry.name == head)
    assert f"write {head}:{entry.parameters}" in caught.value.hint
    assert entry.examples[1] in caught.value.hint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mnk:21,3,3", "mnk: ROWS is 21; it can be 1 to 20"),
        ("mnk:3,3,0", "mnk: K is 0; it can be 1 to 20"),
        ("nim:3,51", "nim: HEAP is 51; it can be 0 to 50"),
        ("nim:" + ",".join("1" * 27), "nim: 27 heaps; there can be at most 26"),
        ("breakthrough:3x3", "breakthrough: ROWS is 3; it can be 4 to 20"),
        ("knightthrough:8x3", "knightthrough: COLS is 3; it can be 4 to 20"),
    ],
)
def test_a_number_out_of_range_is_told_with_its_range(name: str, message: str) -> None:
    with pytest.raises(GameNameError) as caught:
        load_sheet(name)
    assert caught.value.message == message


def test_a_game_without_parameters_says_so() -> None:
    with pytest.raises(GameNameError) as caught:
        load_sheet("tictactoe:4")
    assert caught.value.hint == "write tictactoe alone; it takes no parameters"


@pytest.mark.parametrize("name", ["x" * 100_000, "mnk:" + "3" * 100_000, "nim:" + "1," * 50_000])
def test_an_endless_name_is_refused_in_a_short_message(name: str) -> None:
    with pytest.raises(GameNameError) as caught:
        load_sheet(name)
    assert len(str(caught.value)) < 500


@given(st.text() | st.builds("{}:{}".format, st.sampled_from(NAMES), st.text()))
def test_any_text_is_a_game_or_a_clear_error(name: str) -> None:
    error = refusal(name)
    assert error is None or error.hint


@given(
    head=st.sampled_from([*NAMES, "bottom1", "bottom20"]),
    parameters=st.from_regex(r"[0-9]{1,2}([,x][0-9]{1,2}){0,3}(,(RD|C|misere))?", fullmatch=True),
)
def test_any_parameters_give_a_sound_rule_sheet_or_a_clear_error(
    head: str, parameters: str
) -> None:
    error = refusal(f"{head}:{parameters}")
    assert error is None or head in error.message


def refusal(name: str) -> GameNameError | None:
    try:
        load_sheet(name)
    except GameNameError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("Noughts and Crosses", "tictactoe"), ("tic tac toe", "tictactoe"),
        ("connect four", "connectfour"), ("Tower of Hanoi:4", "hanoi:4"), ("othello", "othello"),
        ("", ""), ("---", "---"), ("~0123456789abcdef", "~0123456789abcdef"),
    ],
)  # fmt: skip
def test_games_have_the_names_that_people_call_them(called: str, name: str) -> None:
    assert library_name(called) == name


def test_no_two_games_are_called_alike() -> None:
    called = [library_name(one) for e in catalogue() for one in (e.name, e.title, *e.also)]
    assert called == [e.name for e in catalogue() for _ in (e.name, e.title, *e.also)]
