"""The layout of memory, and the order of gates."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kibitz.engine.compiled.program import GROUP, Program, Stage, lay_out
from kibitz.engine.grounding import ground
from kibitz.games import load_sheet

GAMES = ("tictactoe", "connectfour", "roshambo", "maze", "breakthrough:5x5")


@pytest.fixture(params=GAMES, scope="module")
def program(request: pytest.FixtureRequest) -> Program:
    return lay_out(ground(load_sheet(request.param)).network)


def test_areas_lie_one_behind_the_other(program: Program) -> None:
    layout = program.layout
    starts = [layout.fluents, *layout.does, *layout.legal, layout.terminal, layout.goals]
    starts += [layout.next, layout.gates, layout.slots]
    assert layout.fluents == 1
    assert all(a <= b for a, b in pairwise(starts))
    assert layout.does[0] == layout.fluents + layout.fluent_count
    assert layout.gates == layout.next + layout.fluent_count


def test_moves_have_room_for_whole_groups(program: Program) -> None:
    layout = program.layout
    for starts, end in ((layout.does, layout.legal[0]), (layout.legal, layout.terminal)):
        for count, (start, following) in zip(
            layout.move_counts, pairwise([*starts, end]), strict=True
        ):
            assert (following - start) % GROUP == 0
            assert count <= following - start < count + GROUP


def check_order(stage: Stage, ready: set[int]) -> set[int]:
    """Follow a stage, seeing that it reads only what is ready; give what is ready after it."""
    for run in stage.runs:
        assert ready.issuperset(run.left)
        assert ready.issuperset(run.right)
        made = set(range(run.first, run.first + len(run.left)))
        assert not made & ready
        ready |= made
    assert ready.issuperset(literal >> 1 for _, literal in stage.copies)
    return ready | {slot for slot, _ in stage.copies}


def test_no_gate_reads_what_is_made_later(program: Program) -> None:
    layout = program.layout
    inputs = {0, *range(layout.fluents, layout.fluents + layout.fluent_count)}
    after_view = check_order(program.view, set(inputs))
    does = {s + i for s, n in zip(layout.does, layout.move_counts, strict=True) for i in range(n)}
    read = {s for run in program.step.runs for s in (*run.left, *run.right)}
    read |= {literal >> 1 for _, literal in program.step.copies}
    check_order(program.step, after_view | does)
    gates = {s for s in read if layout.gates <= s}
    assert gates & after_view <= program.view.kept


def test_every_result_is_copied_to_its_place(program: Program) -> None:
    layout = program.layout
    viewed = {slot for slot, _ in program.view.copies}
    for start, count in zip(layout.legal, layout.move_counts, strict=True):
        assert viewed.issuperset(range(start, start + count))
    goals = range(layout.goals, layout.goals + len(layout.goal_values))
    assert viewed.issuperset([layout.terminal, *goals])
    stepped = {slot for slot, _ in program.step.copies}
    assert stepped == set(range(layout.next, layout.next + layout.fluent_count))


def test_only_gates_that_are_needed_are_laid_out(program: Program) -> None:
    gates = program.view.gate_count + program.step.gate_count
    assert gates == program.network.needed_gates()


def test_a_narrowed_stage_makes_what_some_results_need(program: Program) -> None:
    layout = program.layout
    inputs = {0, *range(layout.fluents, layout.fluents + layout.fluent_count)}
    moves, ends = range(layout.legal[0], layout.terminal), range(layout.terminal, layout.next)
    for targets, keep in ((moves, True), (ends, False)):
        narrow = program.view.narrowed(targets, keep=keep)
        made = check_order(narrow, set(inputs))
        assert set(narrow.copies) == {copy for copy in program.view.copies if copy[0] in targets}
        assert narrow.kept == (program.view.kept if keep else frozenset())
        assert made.issuperset(narrow.kept)
        read = {slot for run in narrow.runs for slot in (*run.left, *run.right)}
        read |= {literal >> 1 for _, literal in narrow.copies} | narrow.kept
        assert made - inputs - {slot for slot, _ in narrow.copies} <= read
    whole = program.view.narrowed(range(layout.slots))
    assert (whole.gate_count, whole.copies) == (program.view.gate_count, program.view.copies)
