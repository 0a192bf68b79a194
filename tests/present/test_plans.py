"""Plans that are shown, plans that are worth nothing, and goals that no plan can reach."""

from __future__ import annotations

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.present.explanation.explanation import StudyOptions
from kibitz.present.explanation.measured_advice import plan_advice
from kibitz.present.explanation.study import Study
from kibitz.present.explanation.value_sentences import size_sentences
from kibitz.space import Limits, explore, find_symmetries

COUNT = """
(role me) (init (step 0)) (init (sum 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal me add) (true (sum ?n)) (succ ?n ?m)) (legal me rest)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (sum ?n)) (does me add) (true (sum ?m)) (succ ?m ?n))
(<= (next (sum ?m)) (does me rest) (true (sum ?m)))
(<= done (true (sum TARGET)))
(<= terminal (true (step 4)))
(<= (goal me BEST) done) (<= (goal me 10) (not done))
"""


def game(target: str, best: int) -> CompiledGame:
    text = COUNT.replace("TARGET", target).replace("BEST", str(best))
    return CompiledGame(read(text, name="count"))


def test_a_plan_gets_more_than_the_start_and_random_moves() -> None:
    advice, goal = plan_advice(game("4", 100), 60)
    assert goal == 100
    assert advice is not None
    assert advice.worth == "These 4 moves get 100, the highest goal that its rules have."
    # The start is worth 100 already, and so is what most moves lead to.
    assert plan_advice(game("0", 10), 60) == (None, None)
    assert plan_advice(game("?n", 100), 60) == (None, None)


def test_a_goal_that_no_rule_can_make_hold_is_said_to_be_out_of_reach() -> None:
    study = Study(game("n4", 100).sheet, StudyOptions(seconds=5))
    study.run()
    assert study.known.faults == (
        "These rules look broken: the goal of 100 cannot be reached: nothing makes (sum n4). "
        "kibitz check shows where."
    )
    assert study.known.limits == ("No value is given, for it would mean little.",)
    assert not study.known.parts


def test_positions_that_are_counted_up_to_symmetry_are_said_to_be() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    few = Limits(states=5000)
    found, _ = size_sentences(explore(game, symmetries=find_symmetries(game), limits=few))
    assert "earlier, turned, mirrored or otherwise alike ones counted once." in found
    plain, _ = size_sentences(explore(game, limits=few))
    assert "alike" not in plain
