"""Puzzles on paper and for programs: what is written can be read again."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from html import escape
from html.parser import HTMLParser

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.puzzles import (
    DepthSkill,
    PuzzleSet,
    Wanted,
    answer_of,
    choose_puzzles,
    find_positions,
    question_of,
)
from kibitz.puzzles.sheets import board_code, to_csv, to_deck, to_html, to_json, to_svg_sheet

GAMES = [("connect:3,4x4", 2), ("threemensmorris", 1), ("nim:1,3,5", 1), ("breakthrough:4x3", 1)]


@cache
def made(name: str, rounds: int) -> PuzzleSet:
    game = CompiledGame(load_sheet(name))
    positions = find_positions(game, game.roles[0])
    own, other = DepthSkill(1), DepthSkill(3)
    return choose_puzzles(positions, rounds, own=own, other=other, wanted=Wanted(count=6))


@pytest.mark.parametrize(("name", "rounds"), GAMES)
def test_a_csv_has_the_columns_of_puzzle_sites_first_and_reads_back(name: str, rounds: int) -> None:
    puzzles = made(name, rounds)
    text = to_csv(puzzles)
    assert text.startswith("PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(puzzles) == 6
    for row, puzzle in zip(rows, puzzles, strict=True):
        game = puzzle.state.game
        assert game.state(parse_terms(row["Position"])) == puzzle.state
        assert [game.write(m) for m in parse_terms(row["Moves"])] == list(puzzle.line)
        assert int(row["Rating"]) == puzzle.rating
        assert float(row["Chance depth 1"]) == pytest.approx(puzzle.chances[0][1], abs=1e-6)
    assert len({row["PuzzleId"] for row in rows}) == 6


@pytest.mark.parametrize(("name", "rounds"), GAMES)
def test_a_page_has_every_board_and_its_answer(name: str, rounds: int) -> None:
    puzzles = made(name, rounds)
    page = to_html(puzzles)
    tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    Tags().feed(page)
    assert tags.count("svg") == 2 * len(puzzles)
    assert tags.count("article") == 2 * len(puzzles)
    for puzzle in puzzles:
        assert escape(answer_of(puzzle)) in page


def test_a_picture_of_all_puzzles_is_well_formed() -> None:
    puzzles = made(*GAMES[0])
    root = ET.fromstring(to_svg_sheet(puzzles))
    texts = [text for text in root.itertext() if re.match(r"\d+\. ", text)]
    assert texts == [f"{n}. {question_of(p)}" for n, p in enumerate(puzzles, start=1)]


def test_a_deck_is_one_line_a_card_with_the_boards_inside() -> None:
    puzzles = made(*GAMES[0])
    lines = to_deck(puzzles).splitlines()
    assert lines[:2] == ["#separator:tab", "#html:true"]
    cards = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(cards) == 6
    for card, puzzle in zip(cards, puzzles, strict=True):
        assert len(card) == 4
        assert card[0] == puzzle.name
        assert card[1].startswith("<svg ")
        assert escape(answer_of(puzzle)) in card[2]


def test_json_tells_everything() -> None:
    puzzles = made(*GAMES[0])
    data = json.loads(to_json(puzzles))
    assert len(data["puzzles"]) == 6
    assert {
        "position",
        "solution",
        "chances",
        "winning_first_moves",
        "remoteness",
        "level",
    } <= set(data["puzzles"][0])


def test_grids_are_written_row_by_row_from_above() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    puzzle = next(iter(made(*GAMES[0])))
    rows = board_code(puzzle).split(" ")[0].split("/")
    for row, text in zip((4, 3, 2, 1), rows, strict=True):
        shown = "".join("b" * int(c) if c.isdigit() else c for c in text)
        cells = {
            str(f.args[1]): str(f.args[2])
            for f in puzzle.state.fluents
            if f.name == "cell" and str(f.args[0]) == str(row)
        }
        assert shown == "".join(cells[str(col)] for col in range(1, 5))
    assert game.roles[0] in board_code(puzzle)


def test_what_is_no_grid_is_written_by_its_fluents() -> None:
    puzzle = next(iter(made(*GAMES[2])))
    assert "(heap a " in board_code(puzzle)


def test_an_empty_set_is_still_a_page() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    none = choose_puzzles(
        find_positions(game, "xplayer"), 9, own=DepthSkill(1), other=DepthSkill(1)
    )
    assert "longest win" in to_html(none)
    assert len(to_csv(none).splitlines()) == 1
    ET.fromstring(to_svg_sheet(none))
