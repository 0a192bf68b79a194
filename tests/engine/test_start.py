from __future__ import annotations

from kibitz.budget import Budget
from kibitz.engine import diagnose_start
from kibitz.errors import Severity
from kibitz.gdl import read

SHEET = "(role me)\n(role you)\n(legal me go)\n(<= terminal (true over))\n(goal me 0)\n"
LARGE = SHEET + "".join(f"(n {i})" for i in range(30)) + (
    "(<= (init (t ?a ?b ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))"
)  # fmt: skip


def test_a_role_without_a_move_is_reported_at_its_place() -> None:
    sheet = read(SHEET)
    (found,) = diagnose_start(sheet, Budget())
    assert (found.code, found.severity) == ("GDL025", Severity.ERROR)
    assert sheet.source.position(found.place.start) == (2, 1)
    assert found.message == "you has no legal move in the initial state"
    assert found.hint.endswith("such as (legal you noop)")


def test_roles_that_can_all_move_are_fine() -> None:
    assert diagnose_start(read(SHEET + "(legal you go)"), Budget()) == ()


def test_nobody_needs_a_move_where_play_is_over_at_the_start() -> None:
    assert diagnose_start(read(SHEET + "(init over)"), Budget()) == ()


def test_running_out_of_time_is_a_warning_that_says_so() -> None:
    (found,) = diagnose_start(read(LARGE), Budget(seconds=0.2))
    assert (found.code, found.severity) == ("GDL029", Severity.WARNING)
    assert found.message == "the initial state needs more than 0.2 s"
    assert found.hint == "allow more time with --timeout"


def test_running_out_of_memory_is_a_warning_that_says_so() -> None:
    (found,) = diagnose_start(read(LARGE), Budget(bytes=150_000_000))
    assert found.message == "the initial state needs more than 0.15 GB"
    assert found.hint == "allow more memory with --memory"
