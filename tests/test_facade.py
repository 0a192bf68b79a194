"""What `import kibitz` offers: verbs that take what a person has in hand, and compose."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import assert_type

import pytest
from tests.hidden_coin import COIN

import kibitz
from kibitz import facade
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, ReferenceGame, Simulation, State, UngroundedGame
from kibitz.errors import (
    BudgetExceededError,
    GameNameError,
    IllegalMoveError,
    IncompleteError,
    InputError,
    KibitzError,
    NotCompiledError,
    RuleSheetError,
    StrategyError,
    StuckError,
)
from kibitz.games import load_sheet, rule_text
from kibitz.play import Match
from kibitz.present import Explanation
from kibitz.puzzles import PuzzleSet
from kibitz.solve import Listed, Method, Values, solve_game
from kibitz.space import Limits, StateSpace, explore, find_symmetries
from kibitz.strategy import Verdict
from kibitz.synth import Synthesis

ROOT = Path(__file__).resolve().parent.parent
VERBS = ("check", "compare", "draw", "explain", "explore", "load", "minimise", "play", "puzzles",
         "repair", "report", "simulate", "solve", "synthesise", "teach", "verify")  # fmt: skip
_STUCK = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)"
_LARGE = f"""
    (role a) (init (at 0)) (legal a go) (goal a 0)
    {" ".join(f"(digit {d})" for d in range(10))}
    (<= terminal (true (c ?a ?b ?c ?d ?e ?f ?g ?h)))
    (<= (next (c ?a ?b ?c ?d ?e ?f ?g ?h)) (does a go)
        (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f) (digit ?g) (digit ?h))
"""
"""Its only move makes a hundred million fluents hold."""


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_there_with_an_example(verb: str) -> None:
    assert verb in dir(kibitz)
    assert callable(getattr(kibitz, verb))
    doc = getattr(facade, verb).__doc__
    assert doc.count(">>>") >= 3
    assert ">>> import kibitz\n" in doc


def test_the_readme_shows_the_examples_of_all_verbs() -> None:
    page = (ROOT / "README.md").read_text("utf-8").partition("## Python")[2].partition("\n## ")[0]
    shown = re.findall(r"^>>> (.*)$", page, re.MULTILINE)
    docs = "\n".join(getattr(facade, verb).__doc__ for verb in VERBS)
    told = re.findall(r"^ *>>> (.*)$", docs, re.MULTILINE)
    assert [line for line in shown if line not in told] == []
    assert [verb for verb in VERBS if not any(f"kibitz.{verb}(" in line for line in shown)] == []


def test_a_verb_that_is_a_package_stays_both_whatever_is_imported_first() -> None:
    code = """
import kibitz
print(kibitz.solve("nim:1,2").value())
import kibitz.solve, kibitz.play
from kibitz.puzzles import Puzzle
print(kibitz.solve("nim:1,2").value(), kibitz.solve.Solution.__name__)
print(kibitz.play("nim:1,1").goals, kibitz.play.Match.__name__)
print(len(kibitz.puzzles("tictactoe", count=1)), kibitz.puzzles.Puzzle is Puzzle)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    won = "{'player1': 100, 'player2': 0}"
    lost = "{'player1': 0, 'player2': 100}"
    assert done.stdout.splitlines() == [won, f"{won} Solution", f"{lost} Match", "1 True"]


def test_a_move_is_played_as_it_is_drawn_where_that_means_one() -> None:
    state = kibitz.load("tictactoe").initial()
    assert state.play("mark 2 2") == state.play("centre") == state.play("(mark 2 2)")
    with pytest.raises(InputError, match="'corner' can be 4 moves") as caught:
        state.play("corner")
    assert caught.value.hint == "(mark 1 1) (mark 1 3) (mark 3 1) (mark 3 3)"
    with pytest.raises(IllegalMoveError, match="5 is not a legal move"):  # no number in a list
        state.play("5")
    with pytest.raises(IllegalMoveError, match="resign is not a legal move"):
        state.play("resign")


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'kibitz' has no attribute 'nothing'"):
        _ = kibitz.nothing  # type: ignore[attr-defined]


def test_the_verbs_compose() -> None:
    """Each takes what another gives; mypy checks the types, which `Any` would not pass."""
    game = assert_type(kibitz.load("nim:1,2"), kibitz.LoadedGame)
    space = assert_type(explore(game), StateSpace)
    assert len(assert_type(kibitz.explore(game), StateSpace)) == len(space)
    solved = assert_type(kibitz.solve(space), Values)
    assert assert_type(solve_game(game), Listed).value() == solved.value()
    state = assert_type(game.initial().play(game.initial().legal_moves[0]), State)
    assert assert_type(game.solve(), Listed).value(state)["player1"] == 0
    found = assert_type(kibitz.synthesise(game, "player1"), Synthesis)
    verdict = assert_type(kibitz.verify(game, found.strategy, role="player1"), Verdict)
    assert verdict.strongly_optimal
    assert assert_type(kibitz.check(game), kibitz.RuleCheck).is_valid
    assert assert_type(kibitz.play(game, ["auto"]), Match).is_finished
    chosen = assert_type(kibitz.puzzles(game, win_in=1), PuzzleSet)
    assert assert_type(kibitz.draw(chosen.puzzles[0].state), kibitz.Drawing).svg
    assert assert_type(kibitz.explain(game, role="player1"), Explanation).states == 8
    assert assert_type(kibitz.simulate(game, playouts=9), Simulation).playouts >= 9


def test_a_game_is_loaded_by_name_by_path_and_from_its_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.kif"
    path.write_text(rule_text("nim:1,2"), "utf-8")
    games = [kibitz.load(given) for given in ("nim:1,2", path, str(path), rule_text("nim:1,2"))]
    assert [game.sheet.name for game in games] == ["nim:1,2", str(path), str(path), "rules"]
    assert len({str(game.initial()) for game in games}) == 1
    assert [game.path for game in games] == [None, path, path, None]
    assert all(isinstance(game, CompiledGame) for game in games)
    assert repr(games[0]) == "<game nim:1,2>"


def test_what_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    with pytest.raises(GameNameError):
        kibitz.load("nosuchgame")
    with pytest.raises(InputError, match=r"cannot read .*none\.kif: No such file"):
        kibitz.load(tmp_path / "none.kif")
    with pytest.raises(InputError, match="cannot read"):
        kibitz.load(f"{tmp_path}/none")
    with pytest.raises(RuleSheetError, match="GDL019"):
        kibitz.load("(role x)")


@pytest.mark.slow
def test_a_game_that_cannot_be_grounded_is_played_and_refused_by_what_needs_all_states() -> None:
    game = kibitz.load(_LARGE, budget=Budget(seconds=2))
    assert isinstance(game, UngroundedGame)
    assert isinstance(game, kibitz.LoadedGame)
    assert [str(move) for move in game.initial().legal_moves] == ["go"]
    for work in (kibitz.explore, kibitz.solve, kibitz.puzzles):
        with pytest.raises(NotCompiledError, match="rules is not compiled"):
            work(game)
    with pytest.raises(NotCompiledError):
        kibitz.synthesise(game, "a")
    with pytest.raises(NotCompiledError):
        kibitz.verify(game, "true => go", role="a")


@pytest.mark.slow
def test_other_engines_are_taken_where_one_state_is_enough() -> None:
    game = ReferenceGame(load_sheet("nim:1,1"))
    assert str(kibitz.draw(game)) == str(kibitz.draw("nim:1,1"))
    assert kibitz.play(game).goals == {"player1": 0, "player2": 100}
    with pytest.raises(NotCompiledError):
        kibitz.solve(game)


def test_one_role_moves_and_the_others_make_their_only_move() -> None:
    state = kibitz.load("tictactoe").initial()
    assert state.turn == ("xplayer",)
    assert state.legal_moves == state.legal("xplayer")
    after = state.play("(mark 2 2)")
    assert after == state.step(["(mark 2 2)", "noop"])
    assert after.play(after.legal_moves[0]) == after.step(["noop", "(mark 1 1)"])


def test_the_last_free_cell_belongs_to_whoever_is_to_mark_it() -> None:
    state = kibitz.load("tictactoe").initial()
    for move in ["11", "12", "13", "22", "21", "23", "32", "31"]:
        state = state.play(f"(mark {move[0]} {move[1]})")
    assert state.turn == ("xplayer",)
    assert list(map(str, state.legal_moves)) == ["(mark 3 3)"]
    assert state.play("(mark 3 3)").is_terminal


def test_an_engine_alone_lets_all_move_where_nobody_has_a_choice() -> None:
    state = CompiledGame(load_sheet("nim:1")).initial()
    assert state.turn == ("player1", "player2")
    assert list(map(str, state.legal_moves)) == ["(reduce a 0)", "noop"]
    assert len({state.play(move) for move in state.legal_moves}) == 1


def test_at_the_end_there_is_no_turn_and_no_move() -> None:
    state = kibitz.load("nim:1").initial().play("(reduce a 0)")
    assert (state.is_terminal, state.turn, state.legal_moves) == (True, (), ())
    with pytest.raises(InputError, match="no move can be made in nim:1: play has ended"):
        state.play("(reduce a 0)")


def test_a_stuck_state_says_so() -> None:
    state = kibitz.load(_STUCK).initial().play("go")
    assert (state.turn, state.legal_moves) == ((), ())
    with pytest.raises(InputError, match="a role has no legal move"):
        state.play("go")
    with pytest.raises(StuckError, match="can get stuck"):
        kibitz.solve(_STUCK)


def test_an_illegal_move_is_quoted_with_the_legal_ones() -> None:
    state = kibitz.load("nim:1,2").initial()
    with pytest.raises(IllegalMoveError) as caught:
        state.play("(reduce b 2)")
    assert str(caught.value).splitlines() == [
        "(reduce b 2) is not a legal move of player1",
        "  hint: legal moves: (reduce a 0) (reduce b 0) (reduce b 1)",
    ]


def test_roles_that_choose_at_the_same_time_are_asked_for_a_joint_move() -> None:
    state = kibitz.load("roshambo").initial()
    assert state.turn == ("player1", "player2")
    for ask in (lambda: state.legal_moves, lambda: state.play("rock")):
        with pytest.raises(InputError, match="player1 and player2 move at the same time") as caught:
            ask()
        assert "state.step takes one of each role" in caught.value.hint
    assert state.step(["rock", "paper"]) != state


@pytest.mark.parametrize(("name", "states"), [("tictactoe", 5478), ("nim:1,2", 8)])
def test_every_state_has_the_value_of_the_solution(name: str, states: int) -> None:
    game = kibitz.load(name)
    space = kibitz.explore(game)
    solved = kibitz.solve(space)
    assert len(space) == states
    for number in range(0, states, 1 + states // 50):
        state = space.state(number)
        assert space.number(state) == number
        assert solved.value(state) == game.solve().value(state) == solved.value(number)
        assert solved.plies(state) == solved.plies(number)
        best = solved.best_moves(state)
        assert set(best) <= set(state.legal_moves)
        assert all(solved.value(state.play(move)) == solved.value(state) for move in best)
        assert bool(best) != state.is_terminal


def test_a_game_that_is_solved_is_played_without_solving_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = kibitz.load("nim:1,2,4")
    solved = game.solve()
    monkeypatch.setattr("kibitz.solve.methods.solve_any", None)
    for one in (game, solved):
        assert kibitz.play(one, ["optimal", "optimal"]).goals == {"player1": 100, "player2": 0}
        assert kibitz.play(one, ["auto", "optimal"]).goals == {"player1": 100, "player2": 0}


def test_a_solution_of_other_states_is_not_taken_for_that_of_the_game() -> None:
    game = kibitz.load("tictactoe")
    lost = game.initial().play("(mark 1 1)").play("(mark 1 2)").play("(mark 2 2)")
    part = kibitz.solve(explore(game, starts=[lost]))
    assert part.value()["xplayer"] == 100
    assert kibitz.play(part, ["optimal", "optimal"]).goals == {"xplayer": 50, "oplayer": 50}


def test_a_position_of_a_game_too_large_to_solve_is_proved_from_its_book() -> None:
    game = kibitz.load("connect:4,6x7")
    proof = game.prove(seconds=600)
    assert proof.value == {"xplayer": 100, "oplayer": 0}
    assert list(map(game.write, proof.best)) == ["(drop 4)"]
    assert "positions searched by Kibitz" in proof.book


def test_a_game_too_large_for_its_clock_says_in_python_what_to_do() -> None:
    from kibitz.play import Clocks

    with pytest.raises(IncompleteError) as caught:
        kibitz.play("connectfour", ["optimal"], clocks=Clocks(start_s=0.05))
    assert "game.solve()" in caught.value.hint
    assert "--" not in caught.value.hint


CIRCLES = """(role walker) (role door) (init (at 2)) (init (turn walker))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal walker (go ?y)) (true (turn walker)) (true (at ?x)) (or (succ ?x ?y) (succ ?y ?x)))
    (<= (legal walker stay) (true (turn walker)))
    (<= (legal door wait) (role door)) (<= (legal walker wait) (true (turn door)))
    (<= (next (at ?y)) (does walker (go ?y)))
    (<= (next (at ?x)) (true (at ?x)) (or (does walker stay) (does walker wait)))
    (<= (next (turn door)) (true (turn walker))) (<= (next (turn walker)) (true (turn door)))
    (<= terminal (true (at 0)))
    (<= (goal walker 100) (true (at 0))) (<= (goal walker 50) (not (true (at 0))))
    (<= (goal door 0) (true (at 0))) (<= (goal door 50) (not (true (at 0))))"""


def test_the_best_moves_get_on_and_those_that_keep_the_value_need_not() -> None:
    solved = kibitz.load(CIRCLES).solve()
    assert [str(move) for move in solved.best_moves()] == ["(go 1)"]
    assert {str(move) for move in solved.keeping_moves()} == {"(go 1)", "(go 3)", "stay"}
    told = {move["move"][0]: move for move in solved.moves_as_json()}
    assert [name for name, move in told.items() if move["best"]] == ["(go 1)"]
    assert all(move["keeps_value"] for move in told.values())
    state, plies = solved.state(0), solved.plies()
    assert plies is not None
    for left in range(plies, 0, -1):
        assert solved.plies(state) == left
        state = state.play(solved.best_moves(state)[0])
    assert state.goals["walker"] == 100


def test_a_state_of_another_engine_or_of_none_is_found_or_refused() -> None:
    solved = kibitz.solve("nim:1,2")
    other = ReferenceGame(load_sheet("nim:1,2")).initial()
    assert solved.value(other) == solved.value()
    sheet = kibitz.load("tictactoe")
    with pytest.raises(InputError, match="can never hold"):
        solved.value(sheet.initial())
    part = kibitz.explore(sheet, limits=Limits(states=5))
    state = sheet.initial()
    for move in ("(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)"):
        state = state.play(move)
    with pytest.raises(InputError, match="none of those explored of tictactoe"):
        part.number(state)


def test_a_game_is_solved_once() -> None:
    game = kibitz.load("nim:1,2")
    assert game.solve() is game.solve()


def test_a_game_that_is_too_large_names_what_to_raise() -> None:
    with pytest.raises(IncompleteError, match="at the limit of states") as caught:
        kibitz.solve("tictactoe", limits=Limits(states=100, hint="more states"))
    assert caught.value.hint == "more states"
    assert not kibitz.explore("tictactoe", limits=Limits(states=100)).is_complete


def test_hints_name_arguments_in_python_where_they_name_options_elsewhere() -> None:
    with pytest.raises(IncompleteError) as caught:
        kibitz.solve("tictactoe", limits=Limits(states=100))
    assert caught.value.hint == "allow more states with limits=Limits(states=…)"
    mills = kibitz.load("threemensmorris")
    with pytest.raises(KibitzError) as refused:
        kibitz.solve(mills, method="compact")
    assert "--" not in refused.value.hint
    with pytest.raises(InputError, match="there is no method guess"):
        kibitz.solve("nim:1,2", method="guess")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["listing", "compact", "symbolic"])
def test_every_method_keeps_to_the_time_of_the_call(method: Method) -> None:
    with pytest.raises(BudgetExceededError) as caught:
        kibitz.solve("connect:4,5x5", method=method, limits=Limits(seconds=0))
    assert "limits=Limits(seconds=…)" in caught.value.hint


def test_a_space_is_not_listed_again_by_another_method() -> None:
    space = kibitz.explore("nim:1,2")
    with pytest.raises(InputError, match="a space is a listing"):
        kibitz.solve(space, method="compact")


def test_a_position_with_too_much_below_it_is_searched() -> None:
    game = kibitz.load("connectfour")
    state = game.initial()
    for column in "1234567":
        state = state.play(f"(drop {column})")
    values = kibitz.solve(game, state=state, limits=Limits(states=1000, seconds=0))
    assert (values.method, values.kind, values.listed) == ("search", "bounds", None)
    assert values.value() == {"xplayer": None, "oplayer": None}
    assert values.bounds() == {"xplayer": (0, 100), "oplayer": (0, 100)}
    assert set(values.best_moves()) == set(state.legal_moves)
    assert str(values) == "with best play xplayer: not decided, oplayer: not decided"
    with pytest.raises(IncompleteError):
        kibitz.solve(game, limits=Limits(states=1000))


def test_values_of_a_space_are_asked_for_by_state_and_by_number() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    whole, reduced = explore(game), explore(game, symmetries=find_symmetries(game))
    all_values, few_values = kibitz.solve(whole), kibitz.solve(reduced)
    for number in range(0, len(whole), 50):
        state = whole.state(number)
        assert all_values.look(number) == all_values.look(state) == few_values.look(state)
        assert set(few_values.best_moves(state)) == set(all_values.best_moves(state))
        for joint in few_values.line(state):
            state = state.step(joint)
        assert state.is_terminal


def test_moves_mixed_at_random_are_not_called_best() -> None:
    solved = kibitz.solve("roshambo")
    assert solved.value() == {"player1": 50.0, "player2": 50.0}
    with pytest.raises(InputError, match="so no move is best"):
        solved.best_moves()


@pytest.mark.parametrize(
    ("game", "role", "rules"), [("nim:1,2", "player1", 1), ("nim:1,3", "player1", 1)]
)
def test_what_is_synthesised_is_verified(game: str, role: str, rules: int) -> None:
    found = kibitz.synthesise(game, role, seconds=2)
    verdict = kibitz.verify(game, found.strategy, role=role)
    assert (verdict.strongly_optimal, verdict.rules) == (True, rules)
    assert kibitz.verify(kibitz.load(game), found.strategy.text, role=role) == verdict


def test_a_strategy_comes_by_name_by_path_or_as_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (mark 2 2)", "utf-8")
    game = kibitz.load("tictactoe")
    verdicts = [kibitz.verify(game, s, role="xplayer") for s in (path, str(path), path.read_text())]
    assert [verdict.guarantees["xplayer"] for verdict in verdicts] == [0, 0, 0]
    assert kibitz.verify(game, "tictactoe-five", role="xplayer").strongly_optimal
    with pytest.raises(InputError, match="is a strategy for nim:1,2, not for tictactoe"):
        kibitz.verify(game, kibitz.synthesise("nim:1,2", "player1").strategy, role="xplayer")
    with pytest.raises(StrategyError):
        kibitz.verify(game, "true => (mark 4 4)", role="xplayer")
    with pytest.raises(InputError, match="cannot read"):
        kibitz.verify(game, tmp_path / "none.strategy", role="xplayer")


def test_a_strategy_is_verified_where_states_have_no_value() -> None:
    verdict = kibitz.verify("roshambo", "true => rock", role="player1")
    assert (verdict.strongly_optimal, verdict.complete) == (None, True)


def test_a_check_lists_errors_and_warnings(tmp_path: Path) -> None:
    assert kibitz.check("nim:1,2").diagnostics == ()
    assert str(kibitz.check(kibitz.load("nim:1,2"))) == (
        "nim:1,2: no errors, no warnings; all 8 states listed"
    )
    bad = tmp_path / "bad.kif"
    bad.write_text("(role x) (legal x stay) (<= terminal (distinct ?a b))", "utf-8")
    found = kibitz.check(bad)
    assert not found.is_valid
    assert {"GDL009"} <= {one.code for one in found.diagnostics}
    assert "bad.kif:1:48: GDL009" in str(found)
    assert not kibitz.check("(role x) (<= (legal x go) (true p)) (<= terminal (true q)) (goal x 0)"
                            ).is_valid  # fmt: skip


@pytest.mark.parametrize(("game", "first"), [("nim:1,2", 0.0), ("tictactoe", 50.0)])
def test_matches_are_played_by_names_and_by_agents(game: str, first: float) -> None:
    from kibitz.play import OptimalAgent

    loaded = kibitz.load(game)
    match = kibitz.play(loaded, ["random", OptimalAgent()], seed=3)
    assert match.is_finished
    assert match.agents == dict(zip(loaded.roles, ("random", "optimal"), strict=True))
    assert match.goals[loaded.roles[1]] is not None
    assert match.goals[loaded.roles[1]] >= first  # type: ignore[operator]
    assert str(kibitz.play(loaded, seed=5)) == str(kibitz.play(loaded, seed=5))


def test_too_many_agents_and_unknown_ones_are_refused() -> None:
    with pytest.raises(InputError, match="nim:1,2 has 2 roles, and here are 3 agents"):
        kibitz.play("nim:1,2", ["random"] * 3)
    with pytest.raises(InputError, match="there is no agent nobody"):
        kibitz.play("nim:1,2", ["nobody"])


def test_puzzles_are_won_by_their_first_moves() -> None:
    for name, role in (("tictactoe", "oplayer"), ("nim:1,2,3", None)):
        game = kibitz.load(name)
        found = kibitz.puzzles(game, role, win_in=1, count=4)
        assert found.role == (role or game.roles[0])
        assert 0 < len(found) <= 4
        for puzzle in found:
            after = puzzle.state.play(puzzle.first_moves[0])
            assert game.solve().value(after)[puzzle.role] == 100


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3"])
def test_a_drawing_is_text_svg_and_files(name: str, tmp_path: Path) -> None:
    drawing = kibitz.draw(name)
    assert drawing.svg == drawing._repr_svg_() == kibitz.draw(kibitz.load(name).initial()).svg
    drawing.save(tmp_path / "board.svg")
    drawing.save(tmp_path / "board.txt")
    drawing.save(tmp_path / "board.png")
    assert (tmp_path / "board.svg").read_text("utf-8") == drawing.svg
    assert (tmp_path / "board.txt").read_text("utf-8") == f"{drawing}\n"
    assert (tmp_path / "board.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(InputError, match="there is no format 'doc'"):
        drawing.save(tmp_path / "board.doc")


def test_random_play_is_measured() -> None:
    for name, ended in (("tictactoe", 500), ("nim:1,2", 100)):
        result = kibitz.simulate(name, playouts=ended, seed=2)
        assert result.playouts >= ended
        assert sum(goal or 0 for goal in result.mean_goals.values()) == pytest.approx(100)


def test_an_explanation_prints_as_the_command_does() -> None:
    explanation = kibitz.explain("nim:1,2", role="player1")
    text = str(explanation)
    assert text.startswith("nim:1,2\n=======\n")
    assert explanation.parts[0].rules[0].sentence in text
    assert [part.role for part in kibitz.explain("nim:1,1").parts] == ["player1", "player2"]


def test_words_beside_a_rule_sheet_are_used_in_its_explanation(tmp_path: Path) -> None:
    path = tmp_path / "mine.kif"
    path.write_text(rule_text("nim:1,2"), "utf-8")
    (tmp_path / "mine.words.toml").write_text('[roles]\nplayer1 = "Ann"\n', "utf-8")
    assert "Ann" in str(kibitz.explain(path, role="player1"))


def test_a_term_shows_itself_as_its_text() -> None:
    state = kibitz.load("nim:1,2").initial()
    assert repr(state.legal_moves) == "((reduce a 0), (reduce b 0), (reduce b 1))"
    assert repr(state.game.sheet.rules[0]) == str(state.game.sheet.rules[0])


def test_a_game_of_chance_is_solved_only_where_chance_is_said_to_be_a_player() -> None:
    for verb in (kibitz.solve, kibitz.explain, kibitz.explore):
        with pytest.raises(RuleSheetError, match="as_gdl1=True"):
            verb(COIN)
    assert {d.code for d in kibitz.check(COIN).diagnostics} >= {"GDL042", "GDL043"}
    game = kibitz.load(COIN, as_gdl1=True)
    assert kibitz.solve(game).value() == {"random": 0, "caller": 100}
    assert not {d.code for d in kibitz.check(game).diagnostics} & {"GDL042", "GDL043"}
