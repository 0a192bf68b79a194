"""What one position of each orbit tells is what all positions tell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.puzzles import DepthSkill, find_positions, measure_all, sample_wins
from kibitz.puzzles.positions import orbit_sizes
from kibitz.puzzles.skill import skills
from kibitz.puzzles.skill.skills import (
    OptimalSkill,
    RandomSkill,
    Skill,
    plays_alike,
    symmetries_of_threats,
)
from kibitz.puzzles.threat_conditions import Threat, find_threats
from kibitz.solve.winning_regions import find_movers
from kibitz.space import explore, find_symmetries

PAIRS = [(DepthSkill(k), DepthSkill(other)) for k in (1, 2) for other in (1, 3)]


def alike(sheet: RuleSheet, role: int) -> None:
    """Compare chances of all positions won in 0 to 3 rounds, counted with and without orbits."""
    game = CompiledGame(sheet)
    asked = range(4)
    name = game.roles[role]
    whole, reduced = (
        find_positions(game, name, among="reachable", rounds=asked, reduce=reduce)
        for reduce in (False, True)
    )
    assert len(reduced.solution.space) < len(whole.solution.space)
    assert (reduced.states, reduced.counts) == (whole.states, whole.counts)
    for rounds in asked:
        first, second = (
            measure_all(found.solution, found.won_in(rounds), role=role, pairs=PAIRS)
            for found in (whole, reduced)
        )
        for one, other in zip(first, second, strict=True):
            assert len(one) == len(other)
            assert np.sort(one.chance) == pytest.approx(np.sort(other.chance))
            assert one.counts() == other.counts()


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("name", ["mnk:3,3,3,RC", "bottom2:3,3x3,RD", "nim:2,2,3", "chomp:3x3"])
def test_one_position_of_each_orbit_stands_for_all(name: str, role: int) -> None:
    alike(load_sheet(name), role)


@needs_foreign
def test_one_position_of_each_orbit_stands_for_all_of_a_foreign_game() -> None:
    alike(read((FOREIGN / "rules" / "sum15.kif").read_bytes(), name="sum15"), 0)


@pytest.mark.parametrize("name", ["mnk:3,3,3,CD", "nim:2,2,3", "mnk:1,3,3", "threemensmorris"])
def test_orbits_add_up_to_all_states_and_movers_are_the_same(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    symmetries = find_symmetries(game)
    whole, reduced = explore(game), explore(game, symmetries=symmetries)
    sizes = orbit_sizes(reduced, symmetries)
    movers: Counter[int] = Counter()
    for mover, size in zip(find_movers(reduced).tolist(), sizes.tolist(), strict=True):
        movers[mover] += size
    assert movers == Counter(find_movers(whole).tolist())


def test_a_threat_is_carried_over_bit_by_bit() -> None:
    threat = Threat(0b0011, 0b0001, (0b1100, 0b0100))
    assert threat.image([1, 0, 3, 2]) == Threat(0b0011, 0b0010, (0b1000, 0b1100))


def test_symmetries_are_used_that_are_few_and_that_players_do_not_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("mnk:3,3,3,RC"))
    found = symmetries_of_threats(game, 10)
    assert found is not None
    assert found.order == 72
    assert symmetries_of_threats(CompiledGame(load_sheet("nim:1,2,3")), 10) is None
    assert symmetries_of_threats(CompiledGame(load_sheet("nim:1,1,1,1,1,1")), 10) is None
    threats = find_threats(game, 0)
    monkeypatch.setattr(skills, "find_threats", lambda _game, _role: threats[1:])
    assert symmetries_of_threats(game, 10) is None


def test_a_state_that_is_given_twice_is_played_from_twice() -> None:
    found = find_positions(CompiledGame(load_sheet("tictactoe")), "xplayer", rounds=[2])
    anyhow = RandomSkill().choose(found.solution, 0)
    states = np.repeat(found.won_in(2)[:3], 200)
    wins = sample_wins(found.solution, 0, anyhow, anyhow, states=states, plays=30)
    once = sample_wins(found.solution, 0, anyhow, anyhow, states=states[::200], plays=30)
    assert wins[::200].tolist() == once.tolist()
    for of_one in wins.reshape(3, 200):
        chance = of_one.mean() / 30
        assert of_one.var() == pytest.approx(30 * chance * (1 - chance), rel=0.5)


def test_whoever_counts_something_else_may_play_otherwise_in_images() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    counted = skills.FormulaReward("3 (cell 1 2 x)", game)
    alike_or_not: list[Skill] = [
        DepthSkill(2),
        RandomSkill(),
        OptimalSkill(0.1),
        DepthSkill(2, counted),
    ]
    assert [plays_alike(skill) for skill in alike_or_not] == [True, True, True, False]
