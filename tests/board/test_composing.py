"""Many pictures as one, texts of marks that do not cover one another, and trees."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given, strategies as st
from tests.board.looks import game

from kibitz.board import (
    Figure,
    Picture,
    dot_lines,
    export_match,
    in_a_column,
    in_rows,
    layout_of,
    mark_move,
    picture_of,
    picture_of_board,
    picture_of_caption,
    play_through,
)
from kibitz.board.drawing.marks import _shared
from kibitz.board.drawing.picture import (
    Circle,
    Label,
    LineShape,
    Rect,
    Shape,
    ShapeGroup,
    moved,
    wrap,
)
from kibitz.board.formats.files import FORMATS
from kibitz.errors import InputError
from kibitz.gdl import parse_terms

JOINTS = [parse_terms("(mark 2 2) noop"), parse_terms("noop (mark 1 1)")]
numbers = st.integers(-1000, 1000).map(float)


@given(x=numbers, y=numbers, dx=numbers, dy=numbers)
def test_a_shape_moved_there_and_back_is_where_it_was(
    x: float, y: float, dx: float, dy: float
) -> None:
    shapes: list[Shape] = [
        Circle(x, y, 3),
        Rect(x, y, 4, 5),
        LineShape(x, y, y, x),
        Label(x, y, "a"),
    ]
    for shape in [*shapes, ShapeGroup(tuple(shapes))]:
        assert moved(moved(shape, dx, dy), -dx, -dy) == shape


@given(st.text(st.sampled_from("abc de"), max_size=80), st.floats(20, 400))
def test_wrapping_loses_no_word(text: str, room: float) -> None:
    assert " ".join(wrap(text, room)).split() == text.split()


def inside(picture: Picture) -> bool:
    return all(
        -0.01 <= shape.x <= picture.width and -0.01 <= shape.y <= picture.height
        for shape in picture.shapes
        if isinstance(shape, Rect | Circle | Label)
    )


def test_pictures_in_rows_and_columns_stay_on_the_canvas() -> None:
    board = picture_of(game("tictactoe").initial())
    figures = [Figure(board, f"number {n} with a long text beside it") for n in range(7)]
    for made in (in_rows(figures), in_a_column(figures, title="All of them")):
        assert inside(made)
        texts = [shape.text for shape in made.shapes if isinstance(shape, Label)]
        assert sum("number" in text for text in texts) >= 7
    assert in_rows([]).width > 0
    assert in_a_column([Figure(None, "words alone")]).height > 0


def test_a_match_has_all_its_states_in_every_format() -> None:
    moments = play_through(game("tictactoe"), JOINTS)
    for form in FORMATS:
        found = export_match(moments, form)
        assert found
        if form == "svg":
            assert isinstance(found, str)
            assert "1. xplayer (mark 2 2)" in found
            assert "2. oplayer (mark 1 1)" in found
        if form == "dot":
            assert str(found).count("->") == 2
        if form == "json":
            assert len(json.loads(found)["positions"]) == 3


def test_tried_lines_share_their_beginnings() -> None:
    one = JOINTS
    two = [JOINTS[0], parse_terms("noop (mark 3 3)")]
    text = dot_lines(game("tictactoe"), [one, two, one[:1], []])
    assert text.count("->") == 3
    moves = game("tictactoe").initial().legal("xplayer")
    noop = parse_terms("noop")[0]
    lines = [
        [(a, noop), (noop, b), (c, noop)]
        for a in moves for b in moves for c in moves if len({a, b, c}) == 3
    ]  # fmt: skip
    with pytest.raises(InputError, match="at most"):
        dot_lines(game("tictactoe"), lines)


@pytest.mark.parametrize("name", ["sim", "breakthrough:4x4", "threemensmorris", "eightpuzzle"])
def test_texts_of_values_hardly_cover_one_another(name: str) -> None:
    made = game(name)
    layout = layout_of(made)
    state = made.initial()
    role = next(role for role in made.roles if len(state.legal(role)) > 1)
    marks = [mark_move(layout, move, "bad", text="L15") for move in state.legal(role)]
    drawn = picture_of_board(state, layout, marks=marks)
    assert drawn is not None
    boxes = [s for s in drawn.shapes if isinstance(s, Rect) and s.fill == "bad"]
    assert len(boxes) == len(marks)
    for one, other in combinations(boxes, 2):
        assert _shared(one, other) <= 0.35 * one.width * one.height
    # Texts come after all arrows and lines, so that none is struck through.
    kinds = [isinstance(s, Label) for s in drawn.shapes if isinstance(s, LineShape | Label)]
    lines = [
        i for i, s in enumerate(drawn.shapes) if isinstance(s, LineShape) and s.stroke == "bad"
    ]
    texts = [i for i, s in enumerate(drawn.shapes) if isinstance(s, Label) and s.text == "L15"]
    assert kinds
    assert not lines or max(lines) < min(texts)


def test_boards_and_captions_together_are_the_whole() -> None:
    state = game("threemensmorris").initial()
    board, caption = picture_of_board(state), picture_of_caption(state)
    assert board is not None
    assert caption is not None
    told = [shape.text for shape in caption.shapes if isinstance(shape, Label)]
    assert told[0] == "X to move"
    assert not any(isinstance(s, Label) and "to move" in s.text for s in board.shapes)
    assert picture_of_board(game("roshambo").initial()) is None
