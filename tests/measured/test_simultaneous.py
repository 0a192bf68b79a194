"""Rules are measured where all roles choose at a time, however many joint moves there are."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.engine import FALSE, Blocks, CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.measured import SearchOptions, find_measured_rules, vocabulary, vocabulary_for
from kibitz.measured.candidates import Terms
from kibitz.measured.players import Player
from kibitz.measured.positions import Positions, states_after, unvalued
from kibitz.measured.simultaneous import choose_together, values_at_random
from kibitz.policy import MoveMasks, NotCompilableError, unrolled_game
from kibitz.rows import pack
from kibitz.strategy import kinds_of_places, owned_things, read_strategy

# Each of two sides names a number; the higher one wins: 40,000 joint moves.
AUCTION = """
(role left) (role right)
(<= (input ?r (say ?n)) (role ?r) (number ?n))
(<= (legal ?r (say ?n)) (role ?r) (number ?n) (not (true over)))
(<= (next over) (does left (say ?n)))
(<= (next (said ?r ?n)) (does ?r (say ?n)))
(<= terminal (true over))
(<= (goal ?r 100) (true (said ?r ?n)) (true (said ?o ?m)) (distinct ?r ?o) (above ?n ?m))
(<= (goal ?r 0) (true (said ?r ?n)) (true (said ?o ?m)) (distinct ?r ?o) (above ?m ?n))
(<= (goal ?r 50) (true (said left ?n)) (true (said right ?n)) (role ?r))
(<= (above ?n ?m) (after ?m ?n))
(<= (above ?n ?m) (after ?k ?n) (above ?k ?m))
"""
# They choose in turn at first, and together in the end.
LATE = """
(role left) (role right) (init (step 1))
(<= (legal left (say ?n)) (number ?n)) (<= (legal right wait) (true (step 1)))
(<= (legal right (say ?n)) (number ?n) (true (step 2)))
(number 1) (number 2) (number 3)
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= (next (said ?n)) (does right (say ?n)))
(<= terminal (true (step 3)))
(<= (goal left 100) (true (said 1))) (<= (goal left 0) (not (true (said 1))))
(<= (goal right 0) (true (said 1))) (<= (goal right 100) (not (true (said 1))))
"""
# Moves without arguments: to swerve is never worst.
CHICKEN = """
(role left) (role right)
(<= (legal ?r straight) (role ?r)) (<= (legal ?r swerve) (role ?r))
(<= (next (did ?r ?m)) (does ?r ?m))
(<= terminal (true (did left ?m)))
(<= (goal ?r 0) (role ?r) (true (did left straight)) (true (did right straight)))
(<= (goal ?r 100) (true (did ?r straight)) (true (did ?o swerve)))
(<= (goal ?r 60) (true (did ?r swerve)))
"""
# Three men on one track, who all go or stay at a time; they do not hinder one another.
RACE = """
(role ann) (role bob) (role cyd)
(init (on 2 ann)) (init (on 2 bob)) (init (on 2 cyd)) (init (step 1))
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (legal ?r (go ?a ?b)) (true (on ?a ?r)) (after ?a ?b))
(<= (legal ?r (go ?b ?a)) (true (on ?b ?r)) (after ?a ?b))
(<= (legal ?r stay) (role ?r))
(<= (next (on ?b ?r)) (does ?r (go ?a ?b)))
(<= (next (on ?a ?r)) (true (on ?a ?r)) (does ?r stay))
(<= (next (step ?m)) (true (step ?n)) (count ?n ?m))
(<= terminal (true (on 6 ?r))) (<= terminal (true (step 12)))
(<= (goal ?r 100) (role ?r) (true (on 6 ?r))) (<= (goal ?r 0) (role ?r) (not (true (on 6 ?r))))
""" + " ".join(f"(count {n} {n + 1})" for n in range(1, 12))


def race() -> CompiledGame:
    return CompiledGame(read(RACE, name="race"))


def auction(numbers: int) -> CompiledGame:
    count = " ".join(f"(number {n})" for n in range(numbers))
    follow = " ".join(f"(after {n} {n + 1})" for n in range(numbers - 1))
    return CompiledGame(read(AUCTION + count + follow, name="auction"))


@pytest.mark.slow
def test_rules_are_found_among_many_joint_moves() -> None:
    found = find_measured_rules(auction(120), options=SearchOptions(seconds=8.0))
    assert found.strength["random"].low > 90


def test_moves_get_values_without_a_list_of_joint_moves() -> None:
    game = auction(20)
    start = Positions.alone(game, Blocks(game).initial())
    choices = unvalued(game, "right", start)
    assert choices.moves.tolist() == list(range(20))
    values = values_at_random(game, "right", start, seed=1).values
    numbers = [int(str(game.network.moves[1][move].args[0])) for move in choices.moves]
    order = [number for _, number in sorted(zip(values, numbers, strict=True))]
    assert max(abs(n - number) for n, number in enumerate(order)) <= 3
    # Whoever says the highest number wins or is equal, whatever the other says.
    after = states_after(game, choices, times=50)
    goals = Blocks(game).goals(after).reshape(20, 50, 2)
    assert goals[numbers.index(19), :, 1].min() >= 50
    assert len({tuple(one) for one in goals[numbers.index(10)].tolist()}) > 1


def test_it_is_seen_that_roles_choose_together_later_on() -> None:
    assert choose_together(CompiledGame(read(LATE, name="late")))
    assert not choose_together(CompiledGame(load_sheet("tictactoe")))


def test_a_look_ahead_counts_the_worst_that_others_may_choose() -> None:
    game = CompiledGame(read(LATE, name="late"))
    first = Blocks(game).initial()
    rows = Blocks(game).expand(first).states[:1]  # where both choose
    player = Player(game, "right", vocabulary_for(game, "right"))
    formula = player._rule("next wins(me) => any").choices[0][0]
    player.conditions = {"win": formula}  # looked at, not made a gate
    from kibitz.measured.players import Asking

    moves = np.flatnonzero(Blocks(game).legal(rows, "right")[0])
    met, _ = Asking(player, ["win"], []).ask(rows, None, np.zeros_like(moves), moves)
    shown = {str(game.network.moves[1][m]): bool(bit) for m, bit in zip(moves, met[0], strict=True)}
    assert shown == {"(say 1)": False, "(say 2)": True, "(say 3)": True}


def test_what_each_has_is_known_where_all_choose_together() -> None:
    game = race()
    for role in game.roles:
        things = {str(thing) for thing in owned_things(game, role)["on", 2, 1]}
        assert things == {f"(on {n} {role})" for n in range(1, 7)}
        nearer = {str(move) for move in kinds_of_places(game, role)["nearer"]}
        assert nearer == {f"(go {n} {n + 1})" for n in range(1, 6)}


def test_three_who_choose_together_are_told_to_go_on() -> None:
    options = SearchOptions(rounds=1, effort=0.1, most_rules=1)
    found = find_measured_rules(race(), options=options)
    assert found.by_chance is not None
    assert found.strength["random"].low > found.by_chance.score


def test_moves_are_asked_for_without_a_walk_over_many_joint_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unrolled_game, "_MOST_JOINTS", 10)
    game = auction(20)
    masks = MoveMasks(game, "left")
    other = read_strategy("not does(say(3)) => any", game)
    assert sum(literal != FALSE for literal in masks.plan(other.plan("left"))) == 19
    with pytest.raises(NotCompilableError):
        masks.plan(read_strategy("next wins(me) => any", game).plan("left"))


def test_moves_without_arguments_can_be_asked_for() -> None:
    game = CompiledGame(read(CHICKEN, name="chicken"))
    conditions = [feature.formula for feature in vocabulary_for(game, "left").conditions]
    assert "(does(swerve))" in conditions
    waits = vocabulary_for(CompiledGame(load_sheet("tictactoe")), "xplayer").conditions
    assert not any("noop" in feature.formula for feature in waits)


def test_few_moves_are_asked_for_one_by_one_where_no_symmetries_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_long(_: CompiledGame) -> None:
        raise KibitzError("finding symmetries needs more than 1 s")

    monkeypatch.setattr(vocabulary, "image_carriers", too_long)
    game = CompiledGame(read(CHICKEN, name="chicken"))
    conditions = [feature.formula for feature in vocabulary_for(game, "left").conditions]
    assert {"(does(swerve))", "(does(straight))"} <= set(conditions)


def test_roles_that_share_no_terms_are_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Terms, "__init__", without_terms)
    with pytest.raises(KibitzError, match="nothing that rules could ask of moves of all roles"):
        find_measured_rules(race(), options=SearchOptions(rounds=1, effort=0.02))


def without_terms(terms: Terms, players: list[Player]) -> None:
    terms.players = {player.role: player for player in players}
    terms.conditions = terms.preferences = ()


def test_bits_in_any_memory_order_become_words() -> None:
    bits = np.random.default_rng(1).integers(0, 2, (512, 16), dtype=np.uint8)
    assert (pack(bits.T) == pack(np.ascontiguousarray(bits.T))).all()
