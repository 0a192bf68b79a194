"""Nothing of a state is lost in drawing, whatever the game and whatever its names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.board.looks import LIBRARY, foreign, game, visible, walk
from tests.effort import examples, quick
from tests.foreign import FOREIGN, needs_foreign

from kibitz.board import (
    layout_of,
    picture_of,
    position_json,
    svg_board,
    text_board,
    to_svg,
    to_tikz,
    turn_layout,
)
from kibitz.board.drawing.position import arrange, spaced
from kibitz.budget import Budget, run_within
from kibitz.engine import Game, Move, ReferenceGame
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import parse, read

STRANGERS = (
    "checkers", "chineseCheckers2", "chomp", "hanoi", "knightsTour", "minichess", "mummymaze2p",
    "nineBoardTicTacToePie", "othello-comp2007", "pentago", "sheepAndWolf", "snake_2009",
)  # fmt: skip


def check_all_is_shown(game: Game, steps: int = 40) -> None:
    layout = layout_of(game)
    seen_text: dict[str, str] = {}
    seen_shapes: dict[object, str] = {}
    for state in walk(game, steps):
        position = arrange(layout, state.fluents)
        on_cells = [place.text for places in position.cells.values() for place in places]
        beside = " ".join([*position.turns, *position.counters, *position.labels])
        for role in game.roles:
            beside = beside.replace(layout.called(role), role)
        words = set(re.findall(r"[^\s(),:_]+", beside))
        for fluent in state.fluents:
            if str(fluent) not in on_cells:
                names = re.findall(r"[^\s()]+", f"{spaced(fluent.name)} {fluent}".replace("_", " "))
                wanted = set(names) - {"control", *fluent.name.split("_")}
                assert wanted <= words
        assert len(on_cells) == len(set(on_cells))
        told = str(state)
        assert seen_text.setdefault(text_board(state, layout), told) == told
        assert seen_shapes.setdefault(visible(picture_of(state, layout)), told) == told


@pytest.mark.parametrize("name", LIBRARY)
def test_states_of_the_library_that_differ_look_different(name: str) -> None:
    check_all_is_shown(game(name))


@needs_foreign
@pytest.mark.parametrize("name", quick(STRANGERS, set(STRANGERS) - {"othello-comp2007"}))
def test_states_of_foreign_games_that_differ_look_different(name: str) -> None:
    check_all_is_shown(foreign(name), 25)


@pytest.mark.parametrize(
    "name", ["tictactoe", "pegsolitaire", "nim:2,3", "maze", "breakthrough:4x4"]
)
@pytest.mark.parametrize("engine", [UngroundedGame, ReferenceGame])
def test_every_engine_gives_the_same_cells(name: str, engine: type[Game]) -> None:
    slow = layout_of(engine(load_sheet(name)))  # type: ignore[call-arg]
    fast = layout_of(game(name))
    assert [b.kind for b in slow.boards] == [b.kind for b in fast.boards]
    cells = [{cell.key: (cell.x, cell.y) for cell in b.cells} for b in slow.boards]
    assert cells == [{cell.key: (cell.x, cell.y) for cell in b.cells} for b in fast.boards]


@pytest.mark.parametrize("name", LIBRARY)
def test_pictures_are_the_same_each_time_and_well_formed(name: str) -> None:
    state = game(name).initial()
    svg = svg_board(state)
    fresh = UngroundedGame(state.game.sheet)
    ET.fromstring(svg)
    again = svg_board(UngroundedGame(state.game.sheet).initial())
    assert svg_board(fresh.initial()) == again
    assert svg == svg_board(state, layout_of(state.game))
    assert 'role="img"' in svg
    assert "<title>" in svg


HOSTILE = [
    "<script>alert(1)</script>",
    "&lt",
    '"onload="x',
    "]]>",
    "a'b",
    "$x^2$",
    "\\input{x}",
    "%",
]


def hostile_game() -> Game:
    """Give a game on a grid whose constants try to be more than names."""
    names = [name.replace(" ", "").replace("(", "[").replace(")", "]") for name in HOSTILE]
    text = "(role <b>me</b>) (init (control <b>me</b>))"
    for n, name in enumerate(names):
        text += f"(init (cell {n // 3 + 1} {n % 3 + 1} {name})) (legal <b>me</b> (take {name}))"
    text += f"(init (cell 3 3 {names[0]}))"
    text += "(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v))) (<= terminal (true over))"
    return ReferenceGame(parse(text + "(goal <b>me</b> 0)", name="<i>rules</i>"))


def test_names_are_never_markup() -> None:
    state = hostile_game().initial()
    svg = svg_board(state)
    root = ET.fromstring(svg)
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert tags <= {
        "svg",
        "title",
        "desc",
        "style",
        "g",
        "rect",
        "circle",
        "line",
        "polygon",
        "text",
    }
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") for name in attributes)
    assert "<script" not in svg
    assert "<b>" not in svg
    tikz = to_tikz(picture_of(state))
    assert "\\input" not in tikz
    assert "$x" not in tikz.replace("\\$x", "")
    assert text_board(state)


WORDS = st.text(st.characters(exclude_categories=("Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=8)


@examples(40)
@given(st.lists(WORDS, min_size=2, max_size=12, unique=True))
def test_any_names_make_well_formed_pictures_and_pieces_of_their_own(words: list[str]) -> None:
    from kibitz.board.drawing.pieces import make_pieces

    pieces = make_pieces(words)
    assert [piece.name for piece in pieces] == words
    assert len({piece.glyph for piece in pieces}) == len(words)
    assert len({(p.shape, p.colour, p.text) for p in pieces}) == len(words)
    state = game("tictactoe").initial()
    picture = replace(picture_of(state), title=words[0], description=words[1])
    ET.fromstring(to_svg(picture))


@pytest.mark.parametrize("name", ["tictactoe", "hex:3", "sim", "maze", "pegsolitaire", "nim:1,2"])
def test_turning_a_board_twice_gives_it_back(name: str) -> None:
    layout = layout_of(game(name))
    twice = turn_layout(turn_layout(layout))
    for board, again in zip(layout.boards, twice.boards, strict=True):
        for cell, other in zip(board.cells, again.cells, strict=True):
            assert (other.x, other.y) == pytest.approx((cell.x, cell.y))
    assert text_board(game(name).initial(), twice) == text_board(game(name).initial(), layout)


def test_a_game_whose_rules_fail_in_play_is_shown_as_labels() -> None:
    sheet = parse("(role me) (init (at 1 1)) (legal me go) (goal me 0) (<= terminal (true x))")

    class Broken(ReferenceGame):
        def legal(self, key: Hashable, role: str) -> tuple[Move, ...]:
            raise KibitzError("no way to tell")

    assert text_board(Broken(sheet).initial()) == "at: 1 1"


@pytest.mark.slow
def test_a_large_board_stays_a_small_file() -> None:
    text = "(role me) (legal me wait) (<= terminal (true over)) (goal me 0)"
    text += "".join(f"(init (cell {r} {c} b))" for r in range(40) for c in range(40))
    text += "(<= (next (cell ?r ?c ?v)) (true (cell ?r ?c ?v)))"
    state = ReferenceGame(parse(text)).initial()
    assert len(svg_board(state)) < 800_000
    assert len(text_board(state).splitlines()) == 41


@pytest.mark.slow
def test_more_cells_than_can_be_drawn_become_labels_of_which_not_all_are_drawn() -> None:
    text = "(role me) (legal me wait) (<= terminal (true over)) (goal me 0)"
    text += "".join(f"(init (at {r} {c}))" for r in range(120) for c in range(120))
    state = ReferenceGame(parse(text)).initial()
    assert len(svg_board(state)) < 5_000_000


def test_a_state_as_json_names_every_legal_move_and_how_it_is_made() -> None:
    state = game("threemensmorris").initial()
    found = position_json(state)
    assert len(found["cells"]) == 9
    gestures = [move["gesture"]["kind"] for move in found["moves"]]
    assert gestures == ["click"] * 9 + ["button"]


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((FOREIGN / "rules").glob("*.kif")), ids=lambda p: p.stem)
def test_every_foreign_sheet_is_drawn_without_grounding(path: Path) -> None:
    def work() -> tuple[bool, str, str]:
        state = UngroundedGame(read(path.read_bytes(), name=path.stem)).initial()
        return bool(state.fluents), text_board(state), svg_board(state)

    has_fluents, text, svg = run_within(Budget(60, 4_000_000_000), work, doing="drawing")
    ET.fromstring(svg)
    assert bool(text) == has_fluents
    assert len(svg) < 2_000_000
