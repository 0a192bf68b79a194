"""Paper 001's examples and observations on the crossdot game.

States are written as the paper does, without the turn: "x.o_" has a cross, an empty box, a dot.
"""

from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet
from tests.effort import quick
from tests.strategy.made import game, solution

from kibitz.engine import Role
from kibitz.strategy import MoveSet, Strategy, Verdict, read_strategy, shipped_text, verify
from kibitz.strategy.verification.compliance import holds_everywhere

SIGNS = {"cross": "x", "dot": "o", "empty": "."}
BOARDS = [(m, k) for m in range(2, 11) for k in range(2, min(m, 4) + 1)]
CROSS, DOT = "player1", "player2"


def crossdot(m: int, k: int, part: str) -> Strategy:
    return read_strategy(shipped_text("crossdot"), game(f"crossdot:{m},{k}"), part=part)


def verdict(m: int, k: int, part: str, role: Role) -> Verdict:
    return verify(crossdot(m, k, part), solution(f"crossdot:{m},{k}"), role)


def pairs(moves: MoveSet) -> set[tuple[str, int]]:
    """Give a set of moves as pairs of boxes and the box that is filled."""
    found = set()
    for number, move in moves.pairs():
        boxes = {
            int(str(f.args[0])): SIGNS[str(f.args[1])]
            for f in moves.space.state(number).fluents
            if f.name == "box"
        }
        found.add(("".join(boxes[j] for j in sorted(boxes)), int(str(move.args[0]))))
    return found


def chosen(text: str, role: Role, m: int = 4, k: int = 2) -> set[tuple[str, int]]:
    name = f"crossdot:{m},{k}"
    return pairs(read_strategy(text, game(name)).on(solution(name).space, role))


def test_example_2_and_observation_2() -> None:
    expected = {
        (boxes, j)
        for boxes, filled in {
            "x.o.": [2], "x..o": [2], "ox..": [3], ".xo.": [1], ".x.o": [1, 3], "o.x.": [2, 4],
            ".ox.": [4], "..xo": [2], "o..x": [3], ".o.x": [3], "..ox": [], "xo..": [],
        }.items()
        for j in filled
    }  # fmt: skip
    text = """(any J in 2..4: box(J-1,cross) and not box(J,cross) and not box(J,dot)
                   and does(mark(J)))
        or (any J in 1..3: not box(J,cross) and not box(J,dot) and box(J+1,cross)
                   and does(mark(J)))"""
    assert chosen(text, CROSS) == expected
    assert len(expected) == 12
    assert pairs(crossdot(4, 2, "fill_next").on(solution("crossdot:4,2").space, CROSS)) == expected


def test_example_3_what_is_valid_under_a_move() -> None:
    move = ("xo..", 3)
    at = "box(1,cross) and box(2,dot) and box(3,empty) and box(4,empty)"

    def is_valid(formula: str) -> bool:
        return move in chosen(f"{at} and does(mark(3)) and ({formula})", CROSS)

    assert is_valid("legal(mark(4))")
    assert not is_valid("does(player2, mark(3))")
    assert is_valid("""not (box(3,cross) or box(3,dot)) and next box(3,cross)
        and next (legal(player2, mark(4)) and does(player2, mark(4)))""")
    assert is_valid("next next terminal")


def reachable(turn: Role) -> set[str]:
    """Give the boxes of all states of crossdot 4,2 in which it is a role's turn."""
    return {boxes for boxes, _ in chosen("true", turn)}


def test_item_1_one_formula_is_different_strategies_for_different_players() -> None:
    crosses = {(w, j) for w in reachable(CROSS) for j in range(1, 5) if w[j - 1] == "."}
    dots = {(w, j) for w in reachable(DOT) for j in range(1, 5) if w[j - 1] == "."}
    expected = {(w, j) for w, j in crosses if j == 1 or w[0] == "x"}
    assert chosen("next box(1,cross)", CROSS) == expected
    assert chosen("next box(1,cross)", DOT) == {(w, j) for w, j in dots if w[0] == "x"}


def test_item_2_forcing_another_player_into_a_move() -> None:
    expected = {
        (w, w.index(".", 1) + 1) for w in reachable(CROSS) if w[0] == "." and w.count(".") == 2
    }
    # A move that wins leaves no move to make; the path that ends there satisfies every does.
    assert chosen("next does(player2, mark(1))", CROSS) == expected | chosen("next terminal", CROSS)
    assert all(w[0] == "." for w, _ in expected)


def test_item_3_thinking_forward() -> None:
    text = "next not does(player1, mark(1)) implies next next does(mark(1))"
    expected = {
        ("...x", 2), ("...x", 3), ("..x.", 2), ("..x.", 4), (".x..", 3), (".x..", 4),
    }  # fmt: skip
    ends = chosen("next terminal", DOT)
    found = chosen(text, DOT)
    assert expected <= found
    # By definition 4 there is more: where no path goes on to a state in which box 1 is left open.
    for boxes, j in found - expected:
        after = boxes[: j - 1] + "o" + boxes[j:]
        assert (boxes, j) in ends or is_closed(after)
    # The paper has no move for this. But after .xo. and .x.o crosses win, and end the path, unless
    # they leave box 1 alone.
    at_once = chosen("next next does(mark(1))", DOT)
    assert at_once & expected == {(".x..", 3), (".x..", 4)}


def is_closed(boxes: str) -> bool:
    """Return whether every move of crosses but into box 1 ends play or leaves box 1 alone open."""
    for j in range(2, len(boxes) + 1):
        if boxes[j - 1] == ".":
            after = boxes[: j - 1] + "x" + boxes[j:]
            if not (
                "xx" in after or "." not in after or after.count(".") == 1 == after[:1].count(".")
            ):
                return False
    return True


def test_item_4_winning_within_one_step() -> None:
    expected = {
        ("x.o.", 2), ("x..o", 2), (".xo.", 1), (".x.o", 1), (".x.o", 3), ("ox..", 3), ("o.x.", 2),
        ("o.x.", 4), (".ox.", 4), ("..xo", 2), (".o.x", 3), ("o..x", 3),
    }  # fmt: skip
    assert chosen("next wins(player1)", CROSS) == expected


AXIOMS = """
(initial implies (all J in place: not box(J,cross) and not box(J,dot)))
and (initial implies turn(player1) and not turn(player2))
and (terminal iff wins(player1) or wins(player2)
     or (all J in place: box(J,cross) or box(J,dot)))
and (all R in role, J in place:
     (not (box(J,cross) or box(J,dot)) and control(R) and not terminal) iff legal(R, mark(J)))
and (all J in place:
     ((box(J,cross) or does(player1, mark(J))) iff next box(J,cross)) or not next true)
and (control(player1) implies next not control(player1) and next control(player2))
and (control(player2) implies next not control(player2) and next control(player1))
"""


def up_to_six(boards: list[tuple[int, int]]) -> list[ParameterSet]:
    """Leave boards of more than six boxes to the slow run."""
    slow = pytest.mark.slow
    return [pytest.param(m, k, marks=() if m <= 6 else slow) for m, k in boards]


@pytest.mark.parametrize(("m", "k"), up_to_six(BOARDS))
def test_observation_1_the_game_is_a_model_of_its_axioms(m: int, k: int) -> None:
    runs = " or ".join(
        "(" + " and ".join(f"box({j + i},SIGN)" for i in range(k)) + ")"
        for j in range(1, m - k + 2)
    )
    space = solution(f"crossdot:{m},{k}").space
    axioms = f"""{AXIOMS}
        and (wins(player1) iff {runs.replace("SIGN", "cross")})
        and (wins(player2) iff {runs.replace("SIGN", "dot")})"""
    assert holds_everywhere(axioms, space)
    assert not holds_everywhere("next box(1,cross)", space)


@pytest.mark.parametrize(("m", "k"), up_to_six(BOARDS))
def test_observations_3_and_4_combined_is_complete_and_thoughtful_functional(
    m: int, k: int
) -> None:
    for role in (CROSS, DOT):
        assert verdict(m, k, "fill_any", role).complete
        assert verdict(m, k, "combined", role).complete
        assert verdict(m, k, "thoughtful", role).functional
    if m > 3:
        assert not verdict(m, k, "combined", CROSS).deterministic


@pytest.mark.parametrize("m", quick(range(3, 11), range(3, 7)))
def test_observation_5_thoughtful_wins_for_whoever_begins(m: int) -> None:
    assert verdict(m, 2, "thoughtful", CROSS).wins


@pytest.mark.parametrize("m", quick(range(3, 11), range(3, 7)))
def test_observations_6_and_7_of_two_strategies_against_one_another(m: int) -> None:
    space = solution(f"crossdot:{m},2").space
    leftmost = crossdot(m, 2, "fill_leftmost").on(space, CROSS)
    thoughtful = crossdot(m, 2, "thoughtful").on(space, DOT)
    cautious = crossdot(m, 2, "cautious").on(space, DOT)
    # With three boxes no box is isolated after the first move, so that thoughtful fills box 2.
    crosses_win = holds_everywhere(
        "terminal implies wins(player1)", space, [leftmost, thoughtful], silence="stop"
    )
    assert crosses_win == (m > 3)
    assert holds_everywhere(
        "terminal implies not wins(player1)", space, [leftmost, cautious], silence="stop"
    )
    assert not holds_everywhere(
        "terminal implies wins(player1)", space, [leftmost, cautious], silence="stop"
    )
    assert verdict(m, 2, "defence", DOT).deterministic


@pytest.mark.parametrize(("m", "k"), up_to_six([(m, k) for m, k in BOARDS if k > 2]))
def test_observation_8_passive_defence_never_loses(m: int, k: int) -> None:
    space = solution(f"crossdot:{m},{k}").space
    for role, other in ((CROSS, DOT), (DOT, CROSS)):
        found = verdict(m, k, "passive_defence", role)
        assert found.functional
        assert found.draws
        moves = crossdot(m, k, "passive_defence").on(space, role)
        assert holds_everywhere(
            f"terminal implies not wins({other})", space, [moves], silence="stop"
        )


@pytest.mark.slow
@pytest.mark.parametrize("m", range(3, 13))
def test_observation_8_for_every_board_up_to_twelve_boxes(m: int) -> None:
    for k in range(3, m + 1):
        for role in (CROSS, DOT):
            assert verdict(m, k, "passive_defence", role).draws


PRINTED = """
all J in place: next (does(-i, mark(J)) and next wins(-i)) implies does(i, mark(J))
"""


@pytest.mark.parametrize("m", range(2, 7))
def test_the_defence_that_the_paper_prints_has_no_move(m: int) -> None:
    # All of the left side holds on the path that ends after the own move, for every J.
    name = f"crossdot:{m},2"
    strategy = read_strategy(PRINTED, game(name))
    for role in (CROSS, DOT):
        assert len(strategy.on(solution(name).space, role)) == 0


def test_the_passive_defence_that_the_paper_prints_loses() -> None:
    # Even with a defence that looks at long paths only: where there is nothing to defend against
    # every move is one, so that its leftmost is taken and fill_o_next never asked.
    text = shipped_text("crossdot").rpartition("passive_defence(me)")[0] + (
        "(defence(me) else fill_o_next(me) else fill_any(me)) also each T in m..1: within(me, T)"
    )
    strategy = read_strategy(text, game("crossdot:5,3"))
    assert verify(strategy, solution("crossdot:5,3"), DOT).guarantees[DOT] == 0
