"""Why a rule works is true in every position that play comes to and the rule decides."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest

from kibitz.engine import CompiledGame, Role, State
from kibitz.games import load_sheet
from kibitz.present.cached_study import read_answer
from kibitz.present.explanation.rule_pictures import (
    KnownList,
    SynthesisedRules,
    allowed_edges,
    rule_causes,
)
from kibitz.solve import Solution, solve
from kibitz.space import explore, reachable_under
from kibitz.strategy import read_strategy, verify


@cache
def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


def followed(name: str, role: Role, text: str) -> SynthesisedRules:
    solution = solved(name)
    strategy = read_strategy(text, solution.space.game)
    found = KnownList(role, strategy, verify(strategy, solution, role), 0, time_ended=False)
    return SynthesisedRules(found, solution, strategy.decide(solution.space, role))


def after(state: State) -> list[State]:
    legal = [state.legal(role) for role in state.game.roles]
    return [] if state.is_terminal else [state.step(joint) for joint in product(*legal)]


def wins(state: State, role: Role) -> bool:
    return state.is_terminal and state.goals[role] == 100


def threatened(state: State, role: Role) -> bool:
    """Whether the role, which has just moved, wins at once after each reply."""
    replies = after(state)
    return bool(replies) and all(
        wins(reply, role) or any(wins(end, role) for end in after(reply)) for reply in replies
    )


def holds(cause: str, rules: SynthesisedRules, number: int) -> bool:
    solution, decisions = rules.judging, rules.decisions
    space, role = solution.space, rules.found.role
    (other,) = (one for one in space.game.roles if one != role)
    seen = reachable_under(space, allowed_edges(decisions)).seen
    decided = 0
    for number_of in range(len(space)):
        if not seen[number_of] or decisions.decider[number_of] != number:
            continue
        decided += 1
        edges = range(int(space.first_edge[number_of]), int(space.first_edge[number_of + 1]))
        told = [space.state(int(space.target[e])) for e in edges if decisions.moves.chosen[e]]
        best = solution.value(number_of)[role]
        targets = [int(space.target[e]) for e in edges]
        wrong = [space.state(to) for to in targets if solution.value(to)[role] < best]
        loses = [wins(s, other) or any(wins(end, other) for end in after(s)) for s in wrong]
        forks = [any(threatened(reply, other) for reply in after(s)) for s in wrong]
        plies = solution.plies(number_of)
        assert plies is not None
        near = re.match(r"From there you can win in (\d+)", cause)
        is_true = (
            all(wins(s, role) for s in told)
            if cause == "It wins at once."
            else all(threatened(s, role) for s in told)
            if cause == "It makes a threat that no reply parries."
            else best == 100 and (plies + 1) // 2 <= int(near[1])
            if near
            else all(loses)
            if cause.endswith("win at once.")
            else all(a or b for a, b in zip(loses, forks, strict=True))
        )
        if not is_true:
            return False
    return decided > 0


PARRY = """next wins(me) => any
(cell 1 1 o) & (cell 1 2 o) => (mark 1 3)
(cell 1 1 o) & (cell 1 3 o) => (mark 1 2)
(cell 2 1 o) & (cell 2 2 o) => (mark 2 3)
(cell 1 1 o) & (cell 2 2 o) => (mark 3 3)
(cell 1 1 o) & (cell 3 3 o) => (mark 2 2)
true => (mark 2 2)
true => (mark 1 1)
"""


def test_a_rule_that_blocks_a_line_says_what_a_mistake_there_lets_happen() -> None:
    rules = followed("tictactoe", "xplayer", PARRY)
    causes = rule_causes(rules, 8)
    assert causes[0] == "It wins at once."
    assert "Any mistake there lets O win at once." in causes[1:6]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("tictactoe", "xplayer"), ("tictactoe", "oplayer"), ("hex:3", "red"),
        ("domineering", "vertical"), ("threemensmorris", "xplayer"), ("kayles", "player1"),
    ],
)  # fmt: skip
def test_every_cause_holds_wherever_its_rule_decides(name: str, role: Role) -> None:
    answer = read_answer(name)
    assert answer is not None
    (part,) = (one for one in answer.explanation.parts if one.role == role)
    rules = followed(name, role, part.strategy)
    causes = rule_causes(rules, len(part.rules))
    for number, cause in enumerate(causes):
        assert not cause or holds(cause, rules, number), (number, cause)
    other = "It wins at once."
    false = [n for n, cause in enumerate(causes) if cause != other]
    assert not any(holds(other, rules, number) for number in false)
