"""A person against agents: moves in words, taking back, and what a review says."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from kibitz.engine import CompiledGame, Move, UngroundedGame
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.play import (
    LADDER_OF_LEVELS,
    RATINGS,
    Agent,
    CarefulAgent,
    CasualMatch,
    MatchSoFar,
    OptimalAgent,
    RandomAgent,
    agent_rated,
    describe_moves,
    make_agent,
    moves_meant,
    play_match,
    review as reviews,
    review_match,
)
from kibitz.solve import solve_game

NAMES = ("tictactoe", "connect:3,4x4", "nim:1,2,4,5", "kayles:6", "breakthrough:5x3")


@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_understood_by_its_number_its_text_and_its_words(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    role = game.roles[0]
    described = describe_moves(game, role, game.initial().legal(role))
    for number, (move, words) in enumerate(described.items(), start=1):
        for text in (str(number), str(move), str(move).strip("()").upper(), words):
            assert moves_meant(text, described) == (move,), text


@given(st.text(max_size=30))
def test_no_text_is_taken_for_a_move_that_there_is_not(text: str) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    described = describe_moves(game, "xplayer", game.initial().legal("xplayer"))
    assert set(moves_meant(text, described)) <= set(described)


def test_games_that_are_not_compiled_have_the_words_of_their_sheet() -> None:
    game = UngroundedGame(load_sheet("tictactoe"))
    legal = game.initial().legal("xplayer")
    assert list(describe_moves(game, "xplayer", legal).values()) == [str(move) for move in legal]


def test_a_move_is_taken_back_as_often_as_there_was_one() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    match = CasualMatch(game, "oplayer", {"xplayer": RandomAgent()})
    seen: list[MatchSoFar] = []
    match.advance()
    while len(match.legal) > 1 and len(seen) < 3:
        seen.append(match.line)
        match.play(match.legal[0])
        match.advance()
    for line in reversed(seen):
        assert match.undo()
        assert match.line == line
    assert not match.undo()
    match.close()


class Failing(Agent):
    name = "failing"

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        raise KibitzError("out of ideas")


def test_an_agent_that_fails_does_not_end_the_match() -> None:
    match = CasualMatch(CompiledGame(load_sheet("nim:1,2")), "player1", {"player2": Failing()})
    match.advance()
    match.play(match.legal[0])
    (made,) = match.advance()
    assert str(made.move) == "(reduce b 0)"
    assert match.problems == ["player2: out of ideas"]


def test_a_match_needs_an_agent_for_every_other_role() -> None:
    with pytest.raises(InputError, match="player2"):
        CasualMatch(CompiledGame(load_sheet("nim:1,2")), "player1", {})


@pytest.mark.parametrize("limit", [1_000_000, 10])
@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "nim:1,2,3"])
def test_a_review_agrees_with_the_solution(
    name: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few states allowed, positions are proved one by one instead."""
    game = CompiledGame(load_sheet(name))
    solution = solve_game(game)
    monkeypatch.setattr(reviews, "_STATES", limit)
    for seed in range(3):
        agents = {role: RandomAgent(seed + i) for i, role in enumerate(game.roles)}
        played = play_match(game, agents)
        line = MatchSoFar((game.initial(),))
        states = [0]
        for step in played.steps:
            states.append(dict(solution.space.moves(states[-1]))[step.joint])
            line = line.then(step.joint)
        for role in game.roles:
            found = review_match(line, role, seconds=600)
            choices = [i for i, s in enumerate(line.states[:-1]) if len(s.legal(role)) > 1]
            assert [one.number - 1 for one in found.examined] == choices
            assert found.left_out == 0
            for one in found.examined:
                i = one.number - 1
                assert one.before == solution.value(states[i])[role]
                assert one.after == solution.value(states[i + 1])[role]
                for better in one.better:
                    after = line.states[i].play(better)
                    value = solve_game(game, starts=[after]).value()[role]
                    assert value == one.before
                assert bool(one.better) == (one.lost > 0)


def test_moves_that_are_not_proved_bad_can_look_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time to prove anything, a search sees the move that gives a win away."""
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    monkeypatch.setattr(reviews, "_STATES", 10)
    monkeypatch.setattr(reviews, "_by_proofs", lambda *_: [])
    line = MatchSoFar((game.initial(),)).then(["(reduce d 0)", "noop"])
    found = review_match(line, "player1")
    (bad,) = found.doubtful
    assert (bad.number, str(bad.move), bad.before, bad.after) == (1, "(reduce d 0)", 1, 0)
    assert "(reduce d 0), looks bad to a search: about 0 of 100" in list(found.lines(str))[-1]


def test_what_could_not_be_examined_is_said() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    line = MatchSoFar((game.initial(),)).then(["rock", "paper"])
    found = review_match(line, "player1")
    assert (found.examined, found.left_out) == ((), 1)
    (sentence,) = found.lines(str)
    assert sentence.startswith("1 move not examined: ")
    ungrounded = UngroundedGame(load_sheet("nim:1,2"))
    line = MatchSoFar((ungrounded.initial(),)).then(["(reduce a 0)", "noop"])
    assert review_match(line, "player1").left_out == 1


def test_levels_are_agents_and_the_last_one_is_perfect_where_that_is_possible() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    for level in range(1, 10):
        agent = make_agent(f"level:{level}")(1)
        match = play_match(game, {"player1": agent, "player2": OptimalAgent()})
        assert match.is_finished
    assert match.goals["player1"] == 100


def test_every_level_has_a_rating_and_higher_levels_have_more() -> None:
    games = set(RATINGS["level:1"])
    for game in games:
        rated = [RATINGS[f"level:{level}"][game][0] for level in range(1, 10)]
        assert rated == sorted(set(rated))
        assert rated[0] == 0
    assert all(set(found) == games for found in RATINGS.values())
    assert all(callable(make_agent(name)) for name in RATINGS)
    assert set(LADDER_OF_LEVELS) <= set(RATINGS)


def test_the_agent_nearest_to_a_rating_is_taken() -> None:
    for level in range(1, 10):
        mean = sum(rating for rating, _ in RATINGS[f"level:{level}"].values()) / 2
        assert RATINGS[agent_rated(round(mean))] == RATINGS[f"level:{level}"]


def test_who_has_lapses_plays_any_move_now_and_then() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    line = MatchSoFar((game.initial(),)).then(["(reduce a 0)", "noop"])
    chosen = {}
    for lapses in (0.0, 1.0):
        agent = CarefulAgent(1, playouts=1, lapses=lapses)
        agent.start(game, "player2", 0)
        moves = [str(agent.choose(line, time.monotonic() + 60)) for _ in range(30)]
        chosen[lapses] = set(moves)
    assert chosen == {0.0: {"(reduce b 0)"}, 1.0: {"(reduce b 0)", "(reduce b 1)"}}
