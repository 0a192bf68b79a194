"""Books of proofs: what is written is found again, by the rules it belongs to and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.prove.test_prove import SMALL, walk

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.prove import Prover, Spending, book_of, reference_value, write_book

NAME = "connect:4,4x4"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("kibitz.prove.book.FOLDER", tmp_path)
    return tmp_path


def write(most: int) -> tuple[CompiledGame, int]:
    """Prove a game, write its book; return the game as it is then, and the positions it took."""
    game = CompiledGame(load_sheet(NAME))
    searcher = Prover(game, SMALL)
    searcher.prove(game.initial(), moves=True)
    write_book(game, searcher.table, positions=searcher.positions, most=most)
    return CompiledGame(load_sheet(NAME)), searcher.positions


def test_a_search_with_a_book_finds_the_same_value_in_fewer_positions(folder: Path) -> None:
    game, positions = write(most=100_000)
    with_book = Prover(game, SMALL).prove(game.initial(), moves=True)
    without = Prover(game, SMALL, use_book=False).prove(game.initial(), moves=True)
    assert with_book.value == without.value
    assert with_book.moves == without.moves
    assert with_book.positions < positions / 3
    assert without.positions == positions
    assert f"{positions:,} positions" in with_book.book
    assert without.book == ""


@pytest.mark.parametrize("seed", range(6))
def test_what_a_book_holds_is_what_plain_negamax_finds(folder: Path, seed: int) -> None:
    game, _ = write(most=100_000)
    state = walk(game, seed + 10)
    value = Prover(game, SMALL).prove(state, weak=True).value
    assert value is not None
    assert value["xplayer"] == reference_value(state)


def test_a_book_is_as_small_as_asked_and_keeps_what_took_longest(folder: Path) -> None:
    game, _ = write(most=3_000)
    small = book_of(game)
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 3_000
    large = book_of(write(most=100_000)[0])
    assert small is not None
    assert large is not None
    assert 0 < len(small.rows) < len(large.rows)
    assert set(map(bytes, small.rows)) <= set(map(bytes, large.rows))


def test_a_book_of_other_rules_is_not_used(folder: Path) -> None:
    write(most=100_000)
    text = load_sheet(NAME).source.text
    other = CompiledGame(read(text + "\n(<= (base2 ?x) (true (control ?x)))", name=NAME))
    assert book_of(other) is None
    assert book_of(CompiledGame(load_sheet("connect:4,4x5"))) is None


@pytest.mark.parametrize("name", ["connectfour", "connect:4,6x7"])
def test_connect_four_is_answered_from_its_book(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    spending = Spending(seconds=60, memory=20_000_000, positions=1_000_000, threads=1)
    proof = Prover(game, spending).prove(game.initial())
    assert proof.value == {"xplayer": 100, "oplayer": 0}
    assert "(drop 4)" in map(str, proof.best)
    assert proof.book
