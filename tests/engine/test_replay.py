from __future__ import annotations

import pytest

from kibitz.engine import ReferenceGame
from kibitz.engine.replays import ReplayError, ReplayStep, read_moves, replay
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read

MOVES = "((reduce a 0) noop)\n(noop (reduce b 1))\n((reduce b 0) noop)\n"


@pytest.fixture(scope="module")
def nim() -> ReferenceGame:
    return ReferenceGame(load_sheet("nim:1,2"))


def test_a_replay_has_one_step_more_than_moves(nim: ReferenceGame) -> None:
    steps = list(replay(nim, read_moves(MOVES)))
    assert len(steps) == 4
    assert steps[0] == ReplayStep(
        ("(control player1)", "(heap a 1)", "(heap b 2)"),
        False,
        steps[0].goals,
        {
            "player1": ("(reduce a 0)", "(reduce b 0)", "(reduce b 1)"),
            "player2": ("noop",),
        },
    )
    assert [step.terminal for step in steps] == [False, False, False, True]
    assert steps[-1].goals == {"player1": 100, "player2": 0}


def test_an_illegal_move_is_reported_with_its_step(nim: ReferenceGame) -> None:
    with pytest.raises(ReplayError) as raised:
        list(replay(nim, read_moves("((reduce a 0) noop)\n(noop (reduce a 0))")))
    error = raised.value
    assert (error.step, error.role, error.move) == (2, "player2", "(reduce a 0)")
    assert error.legal == ("(reduce b 0)", "(reduce b 1)")
    assert str(error).startswith("step 2: (reduce a 0) is not a legal move of player2\n")


def test_a_joint_move_of_the_wrong_length_is_reported_with_its_step(nim: ReferenceGame) -> None:
    with pytest.raises(InputError, match="step 2: a joint move of nim:1,2 has 2 moves, not"):
        list(replay(nim, read_moves("((reduce a 0) noop)\n(noop)")))


def test_steps_come_one_by_one(nim: ReferenceGame) -> None:
    steps = replay(nim, read_moves("((reduce a 0) noop)\n(nonsense nonsense)"))
    assert next(steps).terminal is False
    assert next(steps).state == ("(control player2)", "(heap a 0)", "(heap b 2)")
    with pytest.raises(ReplayError):
        next(steps)


def test_terms_are_written_the_way_the_sheet_writes_them() -> None:
    sheet = read(
        """(role me) (init (on)) (legal me (press)) (<= (next (off)) (does me press))
        (<= terminal (true (off))) (goal me 100)"""
    )
    first, last = replay(ReferenceGame(sheet), read_moves("((press))"))
    assert (first.state, first.legal) == (("(on)",), {"me": ("(press)",)})
    assert last.state == ("(off)",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n ; nothing\n", []),
        ("(a b)", [["a", "b"]]),
        ("((mark 1 1) noop) ; the centre\r\n\r\n\t(noop (mark 2 2))",
         [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]),
        ("((a) (b))", [["a", "b"]]),
        ("()", [[]]),
    ],
)  # fmt: skip
def test_moves_stand_one_joint_move_a_line(text: str, expected: list[list[str]]) -> None:
    assert [[str(move) for move in joint] for joint in read_moves(text)] == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("noop", "m.txt:2: noop is not a joint move"),
        ("(a) b", "m.txt:2: (a) b is not a joint move"),
        ("  ((mark ?x 1) noop)", "m.txt:2:10: ?x is a variable"),
        ("((mark 1 1) noop", "m.txt:2: ((mark 1 1) noop is not a joint move"),
        ("((mark 1 1)", "m.txt:2:2: this parenthesis is never closed"),
        ("(a) (b)", "m.txt:2:3: closing parenthesis without an opening one"),
        ("(a or)", "m.txt:2:4: 'or' is not allowed here"),
    ],
)
def test_a_line_that_is_no_joint_move_is_reported_with_its_place(line: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_moves(f"(a b)\n{line}\n", name="m.txt")
    assert raised.value.message == message
    assert raised.value.hint
