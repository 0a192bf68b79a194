"""What is said of a move follows from the values and distances of what it leads to."""

from __future__ import annotations

import pytest

from kibitz.board import layout_of
from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.present import hint_at, judge_by_search, judge_move
from kibitz.prove import Analyser
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.wording import side_name


@pytest.fixture(scope="module")
def tictactoe() -> Solution:
    return solve(explore(CompiledGame(load_sheet("tictactoe"))))


def test_every_judgement_follows_from_values_and_distances(tictactoe: Solution) -> None:
    space = tictactoe.space
    seen = set()
    for state in range(0, len(space), 7):
        turn = int(space.turn[state])
        if turn < 0:
            continue
        role = space.game.roles[turn]
        moves = space.moves(state)
        goals = [tictactoe.value(to)[role] for _, to in moves]
        best = max(goals)
        lengths = [1 + (tictactoe.plies(to) or 0) for _, to in moves]
        equal = [n for n, goal in zip(lengths, goals, strict=True) if goal == best]
        for (joint, _), goal, length in zip(moves, goals, lengths, strict=True):
            found = judge_move(tictactoe, state, joint)
            assert (found.role, found.keeps_value) == (role, goal == best)
            if goal < best:
                words = f"{side_name(role)} gets {goal}, not {best}."
            elif best == 100 and length > min(equal):
                own, least = (length + 1) // 2, (min(equal) + 1) // 2
                words = f"It still wins in {own} moves, where {least} are enough."
            elif best == 0 and length < max(equal):
                words = f"others hold out for {max(equal) // 2}."
            else:
                words = "It is as good as any move."
            assert found.text.endswith(words), (state, joint)
            seen.add(words.split()[0])
            assert len(found.line) == length - 1
    assert {"It", "others", "X", "O"} <= seen


def test_a_role_that_does_not_choose_is_refused(tictactoe: Solution) -> None:
    joint, _ = tictactoe.space.moves(0)[0]
    with pytest.raises(InputError, match="oplayer does not choose here"):
        judge_move(tictactoe, 0, joint, "oplayer")


def test_hints_give_away_more_and_more(tictactoe: Solution) -> None:
    space = tictactoe.space
    corner = next(to for joint, to in space.moves(0) if str(joint[0]) == "(mark 1 1)")
    state, layout = space.state(corner), layout_of(space.game)
    one, two, three = (
        hint_at(tictactoe, corner, step, state=state, layout=layout) for step in (1, 2, 3)
    )
    assert one.text == "1 of 8 moves is best: it draws after 8 moves."
    assert (one.cells, one.number) == ((), None)
    assert len(two.cells) == 1
    assert three.text == "The move is: (mark 2 2)."
    assert str(state.legal("oplayer")[three.number or 0]) == "(mark 2 2)"


@pytest.mark.parametrize("name", ["nim:1,2,3", "connect:3,3x3", "tictactoe"])
def test_a_search_says_of_moves_what_the_solution_says(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    space, analyser = solution.space, Analyser(game, memory=10_000_000, threads=1)
    for number in range(0, len(space), max(1, len(space) // 12)):
        if space.terminal[number]:
            continue
        state = space.state(number)
        for joint, to in space.moves(number):
            known = judge_move(solution, number, joint)
            at = game.roles.index(known.role)
            found = judge_by_search(analyser, state, joint[at], seconds=600)
            assert (found.role, found.keeps_value) == (known.role, known.keeps_value)
            assert (found.value.goal, found.best.goal) == (known.value.goal, known.best.goal)
            if not known.keeps_value:
                assert found.text == known.text
            values = {made[at]: solution.value(after) for made, after in space.moves(number)}
            assert {values[move][known.role] for move in found.best_moves} == {known.best.goal}
            for played in found.line:
                to = next(after for made, after in space.moves(to) if made == played)
            assert space.terminal[to]
            assert solution.value(to)[known.role] == known.value.goal


def test_a_search_without_time_decides_nothing_and_says_so() -> None:
    game = CompiledGame(load_sheet("connect:4,7x7"))
    analyser = Analyser(game, memory=10_000_000, threads=1)
    state = game.initial()
    found = judge_by_search(analyser, state, state.legal("xplayer")[0], seconds=0)
    assert found.keeps_value is None
    assert (found.best_moves, found.line, found.value.label) == ((), (), "?")
    assert found.text == (
        "Not decided in 0 s: nothing is proved of this move, nor of the position."
    )
    with pytest.raises(InputError, match="does not choose"):
        judge_by_search(analyser, state, state.legal("oplayer")[0], seconds=0)
