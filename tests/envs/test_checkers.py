"""What the libraries' own checkers say of our environments; skipped where a library is missing."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.effort import quick

import kibitz
from kibitz import envs
from kibitz.errors import IllegalMoveError, InputError

pytestmark = pytest.mark.filterwarnings("ignore")  # what the checkers would recommend

GAMES = ["tictactoe", "connect:3,4x4", "nim:2,3", "roshambo", "threemensmorris", "lightsout:2x2"]
QUICK = ["tictactoe", "roshambo"]
OWN = """
(role r) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal r (to ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does r (to ?y)))
(<= terminal (true (at 2))) (goal r 100)
"""


@pytest.fixture(autouse=True)
def _quietly() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        yield


@pytest.mark.parametrize("name", quick([*GAMES, OWN], [*QUICK, OWN]))
def test_pettingzoo_accepts_a_game_whose_roles_act_in_turn_or_at_once(name: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    game = kibitz.load(name)
    tests.api_test(envs.pettingzoo(game), num_cycles=50)
    tests.parallel_api_test(envs.parallel(game), num_cycles=50)
    tests.seed_test(lambda: envs.pettingzoo(game), num_cycles=10)


@pytest.mark.parametrize("name", quick([*GAMES, OWN], [*QUICK, OWN]))
def test_gymnasium_accepts_a_game(name: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    checker.check_env(envs.gymnasium(name), skip_render_check=True)
    for mode in ("ansi", "svg"):
        env = envs.gymnasium(name, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), str)


@pytest.mark.parametrize("name", quick([*GAMES, OWN], [*QUICK, OWN]))
def test_openspiel_accepts_a_game_and_reads_it_from_a_file_again(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = envs.openspiel(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=name != "threemensmorris", verbose=False)
    if name != OWN:
        assert str(pyspiel.load_game(str(game))) == str(game)


def test_algorithms_of_openspiel_find_what_kibitz_proves() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability, minimax

    game = envs.openspiel(kibitz.load("nim:1,2"))
    value, action = minimax.alpha_beta_search(game)
    best = kibitz.solve("nim:1,2").best_moves()
    assert value == 1.0
    assert game.new_initial_state().action_to_string(0, action) in map(str, best)
    uniform = policy.UniformRandomPolicy(game)
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    learned = solver.average_policy()
    assert exploitability.nash_conv(game, learned) < exploitability.nash_conv(game, uniform) / 10


def test_roles_that_choose_at_once_do_not_see_what_the_others_chose() -> None:
    pytest.importorskip("pettingzoo")
    env = envs.pettingzoo("roshambo")
    env.reset()
    first = env.agent_selection
    before = env.state()
    env.step(int(np.flatnonzero(env.observe(first)["action_mask"])[0]))
    assert env.agent_selection != first
    assert np.array_equal(env.observe(env.agent_selection)["observation"], before)


def test_an_agent_that_takes_an_illegal_action_is_refused_or_loses() -> None:
    pytest.importorskip("pettingzoo")
    env = envs.pettingzoo("tictactoe")
    env.reset()
    noop = [str(move) for move in env.arrays.actions].index("noop")
    with pytest.raises(IllegalMoveError):
        env.step(noop)
    single = envs.gymnasium("tictactoe")
    single.reset(seed=1)
    _, gained, ended, _, info = single.step(noop)
    assert (gained, ended, info["illegal"]) == (-1.0, True, True)


def test_a_perfect_opponent_is_never_beaten_and_the_other_role_can_learn() -> None:
    pytest.importorskip("gymnasium")
    env = envs.gymnasium("nim:1,2", role="player2", opponent="optimal")
    for seed in range(5):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        over = False
        while not over:
            legal = np.flatnonzero(env.action_masks())
            _, gained, ended, broken_off, _ = env.step(int(env.np_random.choice(legal)))
            over = ended or broken_off
        assert gained == -1.0


def test_a_vector_of_matches_agrees_with_single_ones_on_how_random_play_ends() -> None:
    pytest.importorskip("gymnasium")
    many = envs.gymnasium_vector("connect:3,4x4", matches=1000, role="oplayer")
    seen, info = many.reset(seed=1)
    assert many.observation_space.contains(seen)
    assert info["action_mask"].any(axis=1).all()
    total, ended = 0.0, 0
    for _ in range(30):
        seen, rewards, terminated, truncated, info = many.step(many.batch.sample())
        assert not rewards[~terminated].any()
        assert not truncated.any()
        total, ended = total + rewards.sum(), ended + int(terminated.sum())
    goals = kibitz.simulate("connect:3,4x4", playouts=20_000).mean_goals
    assert total / ended == pytest.approx((goals["oplayer"] or 0) / 50 - 1, abs=0.05)


def test_a_vector_has_games_whose_roles_choose_at_the_same_time() -> None:
    pytest.importorskip("gymnasium")

    def repeats(batch: envs.BatchMatches) -> npt.NDArray[np.int64]:
        return np.full((batch.matches, 2), number["rock"])

    many = envs.gymnasium_vector("roshambo", matches=9, role="player2", opponent=repeats)
    number = {str(move): n for n, move in enumerate(many.batch.arrays.actions)}
    played = np.repeat([number[move] for move in ("paper", "rock", "scissors")], 3)
    many.reset(seed=1)
    rewards, ended = np.zeros(9), np.zeros(9, dtype=bool)
    while not ended.any():
        _, rewards, ended, _, info = many.step(played)
        assert (info["action_mask"].sum(axis=1) == 3).all()
    assert ended.all()
    assert rewards.tolist() == [1.0] * 3 + [0.0] * 3 + [-1.0] * 3


def test_an_illegal_action_in_a_vector_ends_only_its_match() -> None:
    pytest.importorskip("gymnasium")
    many = envs.gymnasium_vector("tictactoe", matches=8)
    many.reset(seed=1)
    actions = many.batch.sample()
    actions[3] = many.batch.mask[3].argmin()
    _, rewards, terminated, _, info = many.step(actions)
    assert np.flatnonzero(terminated).tolist() == [3]
    assert rewards[3] == -1
    assert info["illegal"].tolist() == [number == 3 for number in range(8)]


def test_a_rule_sheet_in_a_file_is_a_game_too(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    path = tmp_path / "walk.kif"
    path.write_text(OWN)
    state = envs.openspiel(path).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [1.0]


def test_a_missing_library_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "kibitz.envs.spiel_game", raising=False)
    with pytest.raises(InputError, match="pyspiel") as caught:
        envs.openspiel("tictactoe")
    assert caught.value.hint == "pip install 'kibitz[openspiel]'"
