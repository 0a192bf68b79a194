"""Symmetries are told by places, and drawn as boards that say where each cell goes."""

from __future__ import annotations

import pytest

from kibitz.board import layout_of
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.space import Symmetries, Symmetry, find_symmetries
from kibitz.space.symmetry import cycles_of, picture_of_symmetry, words_of_symmetry


def found_in(name: str) -> tuple[CompiledGame, Symmetries]:
    game = CompiledGame(load_sheet(name))
    return game, find_symmetries(game)


def test_a_mirror_is_told_by_its_columns_alone() -> None:
    game, found = found_in("connect:3,4x4")
    assert words_of_symmetry(found, 0) == [
        "(cell _ 1 _) -> (cell _ 4 _)",
        "(cell _ 2 _) -> (cell _ 3 _)",
    ]
    picture = picture_of_symmetry(found, 0, layout_of(game))
    assert picture
    assert picture.splitlines()[0] == "4 4,4 4,3 4,2 4,1"


@pytest.mark.parametrize(
    "name", ["tictactoe", "sim", "nim:2,2,1", "threemensmorris", "mnk:3,3,3,RC"]
)
def test_words_stand_for_every_cycle_and_no_other(name: str) -> None:
    _, found = found_in(name)
    for number in range(len(found.generators)):
        cycles = cycles_of(found, number)
        words = [word.split(" -> ") for word in words_of_symmetry(found, number)]
        assert len(words) < len(cycles)
        permutation = found.generators[number].fluents
        for index, fluent in enumerate(found.fluents):
            image = found.fluents[permutation[index]]
            steps = [
                (here, there)
                for word in words
                for here, there in zip(word, [*word[1:], word[0]], strict=True)
                if matches(here, str(fluent)) and matches(there, str(image))
            ]
            assert bool(steps) == (image != fluent)


def matches(pattern: str, fluent: str) -> bool:
    parts = zip(pattern.strip("()").split(), fluent.strip("()").split(), strict=False)
    return all(one in ("_", other) for one, other in parts)


def test_there_is_no_picture_where_a_cell_s_pieces_part_or_nothing_moves() -> None:
    game, found = found_in("tictactoe")
    layout = layout_of(game)
    number = {str(fluent): i for i, fluent in enumerate(found.fluents)}
    swapped = list(range(len(found.fluents)))
    one, other = number["(cell 1 1 x)"], number["(cell 1 2 x)"]
    swapped[one], swapped[other] = other, one
    parting = Symmetry(tuple(swapped), found.generators[0].moves)
    still = Symmetry(tuple(range(len(swapped))), found.generators[0].moves)
    for symmetry in (parting, still):
        made = Symmetries(found.fluents, found.moves, (symmetry,), 2)
        assert picture_of_symmetry(made, 0, layout) is None
