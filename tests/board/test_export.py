"""Files of all formats."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.board.looks import game, visible

import kibitz
from kibitz.board import (
    Mark,
    MatchMoment,
    apply_override,
    board_file,
    export,
    layout_of,
    mark_fluent,
    match_text,
    picture_of,
    picture_of_stencil,
    play_through,
    read_override,
    svg_board,
    text_board,
    to_png,
    to_tikz,
)
from kibitz.board.drawing.picture import Label, LineShape, Rect
from kibitz.errors import InputError
from kibitz.gdl import parse_terms

JOINTS = [parse_terms("(mark 2 2) noop"), parse_terms("noop (mark 1 1)")]


def moments() -> list[MatchMoment]:
    return play_through(game("tictactoe"), JOINTS)


def test_a_match_as_html_has_a_picture_of_each_state_and_needs_no_other_file() -> None:
    page = export(moments(), "html")
    assert isinstance(page, str)
    assert page.count("<svg") == 3
    assert "2. oplayer (mark 1 1)" in page
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_match_as_markdown_has_boards_in_letters() -> None:
    page = export(moments(), "md")
    assert isinstance(page, str)
    assert page.count("```") == 6
    assert "1[o]. .\n2 . x .\n3 . . ." in page


def test_a_match_as_json_has_a_layout_and_positions() -> None:
    found = json.loads(export(moments(), "json"))
    assert list(found) == ["layout", "positions"]
    last = found["positions"][-1]
    assert last["joint"] == ["noop", "(mark 1 1)"]
    shown = {cell["name"]: cell["pieces"] for cell in last["cells"]}
    assert (shown["1 1"], shown["2 2"], shown["3 3"]) == (["o"], ["x"], ["b"])


def test_a_png_has_the_size_asked_for_and_the_same_bytes_each_time() -> None:
    picture = picture_of(moments()[-1].state)
    data = to_png(picture, size=300)
    width, height = struct.unpack(">II", data[16:24])
    assert abs(width - 300) <= 1
    assert abs(height - 300 * picture.height / picture.width) <= 1
    assert data == to_png(picture, size=300)
    assert data != to_png(picture, size=300, is_dark=True)


def test_latex_has_balanced_braces_and_defines_its_colours() -> None:
    text = export(moments(), "tex")
    assert isinstance(text, str)
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    used = set(re.findall(r"=kb(\w+)", text))
    assert used
    assert used <= set(re.findall(r"definecolor\{kb(\w+)\}", text))
    assert text.count("begin{") == text.count("end{") == 2


def test_a_match_as_text_has_its_moves_and_the_last_board() -> None:
    text = export(moments(), "txt")
    assert isinstance(text, str)
    assert text.splitlines()[:4] == [
        "1. xplayer (mark 2 2)",
        "2. oplayer (mark 1 1)",
        "",
        "  1 2 3",
    ]


def test_the_tree_below_a_state_is_told_to_graphviz() -> None:
    text = export([MatchMoment(game("nim:1,1").initial())], "dot")
    assert isinstance(text, str)
    assert text.startswith("digraph")
    assert text.count("[label=") == 5 + 4  # nodes and edges: one, two, two more


def test_a_finished_match_is_told_by_its_moves_and_its_goals() -> None:
    joints = [parse_terms("(reduce a 0) noop"), parse_terms("noop (reduce b 0)")]
    told = match_text(play_through(game("nim:1,2"), joints))
    assert told.splitlines()[-1] == "player1 0, player2 100"


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no format 'gif'"):
        export(moments(), "gif")


def test_the_last_move_is_filled_and_values_are_written_on_their_cells() -> None:
    state = moments()[-1].state
    layout = layout_of(state.game)
    plain = visible(picture_of(state))
    ref = layout.gesture(parse_terms("(mark 1 1)")[0]).cells
    marked = visible(picture_of(state, marks=[Mark(ref, "last")]))
    assert [s for s in marked if isinstance(s, Rect) and s.fill == "last"]
    assert not [s for s in plain if isinstance(s, Rect) and s.fill == "last"]
    values = {parse_terms("(mark 3 3)")[0]: "W3"}
    texts = [s.text for s in visible(picture_of(state, values=values)) if isinstance(s, Label)]
    assert "W3" in texts


def test_an_outline_frames_the_cell_of_a_fluent() -> None:
    state = moments()[0].state
    mark = mark_fluent(layout_of(state.game), parse_terms("(cell 2 2 b)")[0])
    framed = [
        s
        for s in visible(picture_of(state, marks=[mark]))
        if isinstance(s, Rect) and s.stroke == "mark"
    ]
    assert len(framed) == 1


def test_a_stencil_hatches_what_a_rule_leaves_open_and_strikes_out_what_it_forbids() -> None:
    cell, move = parse_terms("(cell 2 2 x) (mark 1 1)")
    held = visible(picture_of_stencil(game("tictactoe"), [(cell, True)], [move]))
    denied = visible(picture_of_stencil(game("tictactoe"), [(cell, False)], [move]))
    hatched = [s for s in held if isinstance(s, LineShape) and s.stroke == "hatch"]
    assert len(hatched) == 7 * 8  # all cells but one
    assert not [s for s in held if isinstance(s, LineShape) and s.stroke == "bad"]
    assert len([s for s in denied if isinstance(s, LineShape) and s.stroke == "bad"]) == 1


def test_notebooks_show_the_board_of_a_state() -> None:
    svg = kibitz.load("tictactoe").initial()._repr_svg_()
    assert svg is not None
    ET.fromstring(svg)


def test_tikz_knows_colours_that_are_no_names() -> None:
    from kibitz.board.drawing.picture import Picture

    assert "{rgb,255:red,1;green,2;blue,3}" in to_tikz(
        Picture(9, 9, (Rect(0, 0, 9, 9, "#010203"),))
    )


RULES = """(role white) (role black) (init (control white)) (init (cell a 1 wp)) (init (cell a 2 b))
(init (cell b 1 b)) (init (cell b 2 bp)) (legal white pass) (legal black pass)
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p))) (<= terminal (true over)) (goal white 0)
(goal black 0)"""


def test_a_file_beside_the_rules_changes_how_they_are_drawn(tmp_path: Path) -> None:
    rules = tmp_path / "tiny.kif"
    rules.write_text(RULES)
    before = text_board(kibitz.load(str(rules)).initial())
    assert before.splitlines()[:3] == ["2 . ♟", "1 ♙ .", "  a b"]
    assert board_file(rules) is None
    (tmp_path / "tiny.board.toml").write_text(
        'flip = true\n[colours]\nwp = "#123456"\n[shapes]\nbp = "disc"\n[names]\nwp = "man"\n'
    )
    state = kibitz.load(str(rules)).initial()
    assert text_board(state).splitlines()[:3] == ["  a b", "1 ♙ .", "2 . ♟"]
    assert 'fill="#123456"' in svg_board(state)
    assert 'aria-label="a 1: man"' in svg_board(state)
    assert state._repr_svg_() == svg_board(state)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("flip = 3", "flip should be true or false"),
        ("spin = true", "there is no 'spin' here"),
        ('kind = "cube"', "kind should be grid or"),
        ('[colours]\nx = "javascript:1"', "colours.x should be a colour"),
        ('[shapes]\nx = "elephant"', "shapes.x should be"),
        ("flip = ", "board.toml"),
        ("names = " + "[" * 20_000, "nested too deep"),
        ("names = " + "{a=" * 20_000, "nested too deep"),
        ("flip = " + "1" * 5_000, "board.toml"),
        ("names = 3", "names should be a table of texts"),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "x.board.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_override(path)
    assert wrong in str(caught.value)


def test_rows_and_columns_can_be_exchanged_and_mirrored(tmp_path: Path) -> None:
    path = tmp_path / "x.board.toml"
    path.write_text("transpose = true\nmirror = true\n")
    state = game("tictactoe").initial().step(["(mark 1 2)", "noop"])
    layout = apply_override(layout_of(state.game), read_override(path))
    assert text_board(state, layout).splitlines()[:4] == [
        "  3 2 1",
        "1 . . .",
        "2 . . x",
        "3 . . .",
    ]
