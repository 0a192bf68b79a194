"""What is said of a list is what it is worth: exact scores lie in the intervals that are stated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.effort import quick

import kibitz.measured.rules as measuring
from kibitz.engine import CompiledGame
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.measured import MeasuredRules, SearchOptions, find_measured_rules
from kibitz.measured.candidates import Terms
from kibitz.measured.pace import Pace, WorkClock
from kibitz.measured.panel import Races, ladder_of
from kibitz.measured.players import Player, Rule
from kibitz.measured.racing import Referee, race, random_player, tree_player
from kibitz.measured.strength import Strength, strength_of
from kibitz.measured.vocabulary import given_rules, vocabulary_for
from kibitz.policy import compile_strategy, play_matches
from kibitz.present import yardstick_sentences
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy, verify
from kibitz.synth import expected_goal

QUICK = SearchOptions(most_rules=4, rounds=1, effort=0.1)


def exact_score(found: MeasuredRules) -> float:
    """Compute the points against random play, both seats alike, by following all matches."""
    space = explore(found.game)
    goals = []
    for role in found.roles:
        moves = found.strategies[role].on(space, role)
        # Rules about the move before look at states with their past.
        goals.append(expected_goal(solve(moves.space), role, moves.chosen))
    return float(np.mean(goals))


@pytest.mark.parametrize(
    "name",
    quick(["tictactoe", "connect:3,4x4", "threemensmorris"], ["tictactoe"]),
)
def test_the_exact_score_lies_in_the_interval(name: str) -> None:
    """One of 95 % misses about one time in twenty, so another search may need another seed."""
    game = CompiledGame(load_sheet(name))
    found = find_measured_rules(game, options=QUICK)
    told = found.strength["random"]
    exact = exact_score(found)
    assert told.low <= exact <= told.high
    assert told.score > 80
    assert len(found.per_rule) <= 4
    assert len(found.per_rule) == len(found.sentences)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "threemensmorris"])
def test_rules_for_small_games_are_as_good_as_proven_ones(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    found = find_measured_rules(
        game, "xplayer", options=SearchOptions(most_rules=6, rounds=1, effort=1.0)
    )
    judged = verify(found.strategies["xplayer"], solve(explore(game)), "xplayer")
    assert judged.strongly_optimal


def test_the_same_seed_finds_the_same_list() -> None:
    game = CompiledGame(load_sheet("connect:3,3x4"))
    one, two = (find_measured_rules(game, "xplayer", options=QUICK) for _ in range(2))
    assert one.text == two.text
    assert one.strength["random"] == two.strength["random"]
    assert one.roles == ("xplayer",)


@pytest.mark.slow
def test_a_race_keeps_the_stronger_list() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    terms = Terms([Player(game, role, vocabulary_for(game, role)) for role in game.roles])
    good = (Rule(("win",)), Rule(("safe",), ("middle drop.1",)))
    bad = (Rule((), ("behind drop.1",)),) if "behind drop.1" in terms.preferences else ()
    referee = Referee(game, terms.players, seed=1)
    panel = (random_player(), tree_player(20))
    assert race(referee, [bad, good], panel, matches=32, most=64)[0] == good
    points = referee.points(good, panel[0], 64)
    assert len(points) == 64
    assert np.array_equal(points[:32], referee.points(good, panel[0], 32)[:32])


def test_a_race_compares_with_its_first_list_however_slow_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    terms = Terms([Player(game, role, vocabulary_for(game, role)) for role in game.roles])
    first, quick = (Rule(("win",)),), (Rule(("safe",)),)
    referee = Referee(game, terms.players, seed=1)
    monkeypatch.setattr(referee, "is_quick", lambda one: one == quick)
    left = race(
        referee, [first, quick], (random_player(),), matches=8, most=64, may_go_on=lambda: False
    )
    assert first in left  # Another thread may have begun with the second.


def test_lists_climb_as_long_as_they_hold_their_own() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    terms = Terms([Player(game, role, vocabulary_for(game, role)) for role in game.roles])
    referee = Referee(game, terms.players, seed=1)
    ladder = {playouts: tree_player(playouts) for playouts in (2, 10, 300)}
    lists = [(), (Rule(("win",)), Rule(("safe",))), (Rule(("win",)),)]
    races = Races(referee, SearchOptions(rounds=1, effort=0.5), None, 0.0, WorkClock())
    leaders, panel = races.best_of(lists, (random_player(), ladder[2]), ladder)
    assert leaders[0] == lists[1]
    met = [playouts for playouts, one in ladder.items() if one in panel]
    assert met[0] > 2
    points = {playouts: referee.points(leaders[0], ladder[playouts], 32) for playouts in ladder}
    assert points[10].mean() >= 50
    assert met[-1] == 300 or points[met[-1]].mean() < 50


def test_another_list_counts_less_than_tree_search() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    terms = Terms([Player(game, role, vocabulary_for(game, role)) for role in game.roles])
    referee = Referee(game, terms.players, seed=1)
    assert referee.as_opponent((Rule(("win",)),), 1).weight < tree_player(100).weight


def test_races_are_against_opponents_for_whom_there_is_time() -> None:
    pace = Pace(playouts=1e6, moves=20.0, gates=1000, least_s=2e-5)
    everybody = [10, 30, 100, 1000, 10_000]
    assert list(ladder_of(SearchOptions(seconds=None), pace)) == everybody
    assert list(ladder_of(SearchOptions(seconds=20_000.0), pace)) == everybody
    some = ladder_of(SearchOptions(seconds=200.0), pace)
    assert list(some) == [10, 30, 100, 1000]
    # Slower opponents play fewer matches.
    assert some[10].most > some[1000].most >= 16
    assert not ladder_of(SearchOptions(seconds=0.01), pace)


def test_intervals_contain_the_exact_score_of_a_list_as_often_as_they_say() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    rules = read_strategy("next wins(me) => any\ntrue => mark(2,2)", game)
    solution = solve(explore(game))
    exact = expected_goal(solution, "xplayer", rules.on(solution.space, "xplayer").chosen)
    policy = {"xplayer": compile_strategy(rules, "xplayer")}
    stated = [
        strength_of(play_matches(game, policy, 200, seed=seed).of("xplayer").tolist())
        for seed in range(200)
    ]
    assert sum(one.low <= exact <= one.high for one in stated) >= 190
    assert any(one.score < exact for one in stated)
    assert any(one.score > exact for one in stated)


def test_intervals_are_those_of_rates() -> None:
    assert strength_of([100.0] * 10).high == 100
    assert strength_of([100.0] * 10).low < 75
    half = strength_of([50.0] * 100)
    assert half.low < 45 < 55 < half.high


def test_somebodys_list_is_where_the_search_starts() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    text = "next wins(me) => any\ntrue => mark(2,2)\ntrue => mark(1,1)\n"
    start = read_strategy(text, game, name="mine")
    vocabulary, rules = given_rules(start, "xplayer")
    player = Player(game, "xplayer", vocabulary)
    candidate = tuple(Rule((name,), tuple(wants)) for name, wants in rules)
    again = player.strategy(candidate)
    state = game.initial()
    assert set(again.moves(state, "xplayer")) == set(start.moves(state, "xplayer"))
    found = find_measured_rules(
        game, options=SearchOptions(most_rules=4, rounds=1, start=start, effort=0.1)
    )
    assert found.strength["random"].score > 85
    with pytest.raises(InputError, match="not a rule list"):
        given_rules(read_strategy("next wins(me) else next true", game), "xplayer")


@pytest.mark.slow
def test_a_puzzle_is_measured_alone() -> None:
    game = CompiledGame(load_sheet("eightpuzzle"))
    found = find_measured_rules(game, options=SearchOptions(most_rules=2, rounds=1, effort=0.05))
    assert list(found.strength) == ["alone"]
    assert found.elo is None


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(KibitzError, match="no rules were found"):
        find_measured_rules(CompiledGame(load_sheet("roshambo")), options=QUICK)
    with pytest.raises(InputError, match="of no rules"):
        find_measured_rules(
            CompiledGame(load_sheet("tictactoe")), options=SearchOptions(most_rules=0)
        )


def test_rules_that_lose_to_random_play_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    weak = {"random": Strength(30.0, 28.0, 32.0, 1000)}
    monkeypatch.setattr("kibitz.measured.rules.measure_strength", lambda *_, **__: weak)
    game = CompiledGame(load_sheet("tictactoe"))
    with pytest.raises(KibitzError, match="lose to random play"):
        find_measured_rules(game, options=SearchOptions(rounds=1, effort=0.05))


BIDDING = """
(role left) (role right)
(<= (base (bid ?r ?n)) (role ?r) (number ?n)) (base over)
(<= (input ?r (say ?n)) (role ?r) (number ?n))
(number 1) (number 2) (number 3) (more 2 1) (more 3 1) (more 3 2)
(<= (legal ?r (say ?n)) (role ?r) (number ?n) (not (true over)))
(<= (next (bid ?r ?n)) (does ?r (say ?n)))
(next over)
(<= terminal (true over))
(<= (goal ?r 100) (true (bid ?r ?n)) (true (bid ?o ?m)) (distinct ?r ?o) (more ?n ?m))
(<= (goal ?r 0) (true (bid ?r ?n)) (true (bid ?o ?m)) (distinct ?r ?o) (more ?m ?n))
(<= (goal ?r 50) (true (bid left ?n)) (true (bid right ?n)) (role ?r))
"""


def test_rules_are_measured_where_roles_choose_at_the_same_time() -> None:
    game = CompiledGame(read(BIDDING, name="bidding"))
    found = find_measured_rules(game, options=SearchOptions(rounds=1, effort=0.2))
    # The highest bid wins against two of three numbers and is equal to the third.
    told = found.strength["random"]
    assert told.low <= 100 * 2 / 3 + 50 / 3 <= told.high
    assert list(found.strength) == ["random"]
    assert [str(move) for move in found.strategies["left"].moves(game.initial(), "left")] == [
        "(say 3)"
    ]


def test_a_game_of_chance_alone_gets_no_rules() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    with pytest.raises(KibitzError, match="no rules were found"):
        find_measured_rules(game, options=QUICK)


NO_CHOICE = """
(role left) (role right) (init (step 1))
(<= (legal ?r go) (role ?r))
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2)))
(goal left 50) (goal right 50)
"""


def test_a_game_without_a_choice_gets_no_rules() -> None:
    with pytest.raises(KibitzError, match="there was no choice"):
        find_measured_rules(CompiledGame(read(NO_CHOICE, name="no choice")), options=QUICK)


def test_what_moves_at_random_get_is_said_where_it_is_not_half() -> None:
    def said(high: float) -> str:
        chance = Strength(33.4, 31.4, high, 2000).as_json()
        return yardstick_sentences({"elo": None, "strength": {"random": {}}, "by_chance": chance})

    assert said(35.5) == "Moves at random get 33.4 (31.4 to 35.5) against random play."
    assert not said(50.5)


def test_a_list_says_for_how_long_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    options = replace(QUICK, slow_s=3.0, effort=0.05)
    assert find_measured_rules(game, options=options).given_s is None
    monkeypatch.setattr(measuring, "_SLOW", 0.5)
    assert find_measured_rules(game, options=options).given_s == 3.0


def test_slow_games_are_searched_for_a_time_in_place_of_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    searched: list[float | None] = []

    def found(*given: object, **named: object) -> None:
        searched.extend(one.seconds for one in given if isinstance(one, SearchOptions))
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "find_rules", found)
    for moves, is_slow in ((1.0, False), (100.0, True)):
        pace = Pace(playouts=1e4, moves=moves, gates=200_000)
        monkeypatch.setattr(measuring, "_pace_of", lambda _, pace=pace: pace)
        with pytest.raises(KeyboardInterrupt):
            find_measured_rules(game, options=replace(QUICK, slow_s=30.0))
        assert (searched[-1] is not None) == is_slow


def test_rules_look_no_further_than_they_may() -> None:
    game = CompiledGame(load_sheet("connect:3,3x4"))
    found = vocabulary_for(game, "xplayer")
    near, far = (Player(game, "xplayer", found, ahead=ahead) for ahead in (2, 4))
    assert {"win", "safe"} <= set(near.conditions)
    assert {"fork", "block fork"} <= set(far.conditions) - set(near.conditions)
