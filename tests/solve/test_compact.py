"""A layered game solved without its moves has the values and distances of the ordinary solution."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine import CompiledGame, State
from kibitz.errors import BudgetExceededError, IncompleteError, KibitzError, StuckError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.rows import sort_rows
from kibitz.solve import CompactSolution, Solution, solve, solve_layers
from kibitz.solve.compact import LayerValues
from kibitz.space import CompactSpace, Limits, StateKeys, compact, explore, explore_layers
from kibitz.space.intake import LayerMark
from kibitz.threads import ThreadTeam


def game_of(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


def rows_of(keys: StateKeys) -> np.ndarray:
    with ThreadTeam(1) as team:
        return keys.rows(team)


def assert_agree(compact: CompactSolution, full: Solution) -> None:
    """Compare counts, and value and plies of every state, found by its bits."""
    space = full.space
    assert (len(compact.space), compact.space.ends, compact.space.edges, compact.total) == (
        len(space),
        space.ends,
        space.edges,
        full.total,
    )
    rows = np.concatenate([rows_of(keys) for keys in compact.space.layers])
    goals = np.array(compact.space.goals)
    values = goals[np.concatenate([ranks_of(layer) for layer in compact.layers])]
    plies = np.concatenate([layer.plies.array for layer in compact.layers])
    mine, theirs = np.lexsort(rows.T), np.lexsort(space.states.T)
    assert (rows[mine] == space.states[theirs]).all()
    assert (values[mine] == full.values[theirs]).all()
    assert (plies[mine] == full.distance[theirs]).all()


def ranks_of(layer: LayerValues) -> np.ndarray:
    """Read all ranks of a layer, and some of them one by one."""
    count = len(layer.plies.array)
    place = np.arange(count) * layer.bits
    ranks = layer.ranks.array[place // 8] >> (place % 8) & (1 << layer.bits) - 1
    assert all(ranks[n] == layer.rank(n) for n in range(0, count, 1 + count // 50))
    return ranks


def assert_solved_alike(game: CompiledGame, *, threads: int = 2, starts: list[State]) -> None:
    compact = solve_layers(explore_layers(game, threads=threads, starts=starts), threads=threads)
    assert_agree(compact, solve(explore(game, starts=starts)))


QUICK = ("tictactoe", "connect:3,3x3", "connect:3,4x4", "bottom2", "mnk:3,4,3", "sum15")
SLOW = ("connect:4,4x4", "connect:4,5x4", "sim", "mnk:4,4,3", "connect:4,4x5")


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_values_and_plies_of_every_state_are_those_of_the_ordinary_solution(name: str) -> None:
    assert_solved_alike(game_of(name), starts=[])


@needs_foreign
@pytest.mark.parametrize("name", ["ticTacToe", "sum15"])
def test_sheets_of_others_are_solved_alike(name: str) -> None:
    path = next(iter(sorted(FOREIGN.rglob(f"{name}.kif"))), None)
    if path is None:
        pytest.skip(f"no {name}.kif")
    assert_solved_alike(CompiledGame(read(path.read_bytes(), name=name)), starts=[])


def test_states_of_several_words_are_solved_alike() -> None:
    game = game_of("connectfour")
    state = game.initial()
    for column in (
        1,
        1,
        1,
        1,
        1,
        1,
        2,
        2,
        2,
        2,
        2,
        2,
        4,
        3,
        3,
        3,
        3,
        3,
        3,
        4,
        4,
        4,
        5,
        4,
        4,
        5,
        5,
        6,
    ):
        role = next(role for role in game.roles if len(state.legal(role)) > 1)
        moves = [f"(drop {column})" if role == mover else "noop" for mover in game.roles]
        state = state.step(moves)
    assert not state.is_terminal
    assert explore_layers(game, starts=[state]).layers[0].words == 2
    assert_solved_alike(game, starts=[state])


@st.composite
def layered_games(draw: st.DrawFn) -> RuleSheet:
    """Make a game in which two roles claim cells in turn, with any lines and any opposed goals."""
    cells = range(draw(st.integers(1, 6)))
    total = draw(st.sampled_from([100, 90, 65]))
    lines = draw(st.lists(st.sets(st.sampled_from(cells), min_size=1, max_size=3), max_size=4))
    text = ["(role x) (role y) (init (control x))"]
    text += [f"(cell {cell}) (init (in {cell} b))" for cell in cells]
    for role, other in ("xy", "yx"):
        text += [
            f"(<= (legal {role} (take ?c)) (true (control {role})) (true (in ?c b)))",
            f"(<= (legal {role} noop) (true (control {other})))",
            f"(<= (next (in ?c {role})) (does {role} (take ?c)))",
            f"(<= (next (in ?c {role})) (true (in ?c {role})))",
            f"(<= (next (control {role})) (true (control {other})))",
        ]
        for line in lines:
            body = " ".join(f"(true (in {cell} {role}))" for cell in sorted(line))
            text.append(f"(<= (line {role}) {body})")
        if not lines:
            text.append(f"(<= (line {role}) (cell none) (true (control {role})))")
    text += [
        "(<= (next (in ?c b)) (true (in ?c b)) (not (taken ?c)))",
        "(<= (taken ?c) (does ?r (take ?c)))",
        "(<= open (true (in ?c b)))",
        "(<= over (line ?r))",
        "(<= terminal (line ?r))",
        "(<= terminal (not open))",
    ]
    for case in ("(line x)", "(line y) (not (line x))", "(not over)"):
        goal = draw(st.sampled_from([0, 10, 32, 33, 45, 50, 65]))
        text += [f"(<= (goal x {goal}) {case})", f"(<= (goal y {total - goal}) {case})"]
    return read("\n".join(text), name="random")


@given(sheet=layered_games(), threads=st.integers(1, 3))
@examples(60, deadline=None)
def test_random_layered_games_are_solved_alike(sheet: RuleSheet, threads: int) -> None:
    assert_solved_alike(CompiledGame(sheet), threads=threads, starts=[])


@given(data=st.data(), words=st.sampled_from([1, 2, 9]), count=st.sampled_from([1, 7, 1025]))
@examples(30, deadline=None)
def test_sorted_rows_are_kept_and_found(data: st.DataObject, words: int, count: int) -> None:
    source = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    most = data.draw(st.sampled_from([2, 300, 2**64 - 1]))
    drawn = source.integers(0, most, (count, words), np.uint64, endpoint=True)
    rows = sort_rows(np.unique(drawn, axis=0))
    with ThreadTeam(2) as team:
        keys = StateKeys(rows, team)
        assert (keys.rows(team) == rows).all()
    numbers = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows]
    assert numbers == sorted(numbers)
    for place in {0, len(rows) // 2, len(rows) - 1}:
        assert keys.find(numbers[place]) == place
        other = numbers[place] ^ 1 << data.draw(st.integers(0, 64 * words - 1))
        assert (keys.find(other) is None) == (other not in numbers)


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables and buffers be far too small at first, so that everything is made again."""
    monkeypatch.setattr(compact, "_LEAST_TABLE", 1 << 12)
    monkeypatch.setattr(compact, "_ROOM", 1 << 8)
    whole = compact._Exploration.next_layer
    monkeypatch.setattr(compact._Exploration, "next_layer", lambda self, _: whole(self, 0))


@pytest.mark.usefixtures("tight")
def test_tables_and_buffers_that_run_full_change_nothing() -> None:
    assert_solved_alike(game_of("connect:4,4x4"), starts=[])


def test_the_answers_are_those_of_the_rules_for_any_state() -> None:
    game = game_of("connect:3,4x4")
    compact, full = solve_layers(explore_layers(game)), solve(explore(game))
    number = len(full.space) // 3
    while full.space.terminal[number]:
        number += 1
    state = full.space.state(number)
    assert compact.value(state) == full.value(number)
    assert compact.plies(state) == full.plies(number)
    best = {made.joint for made in full.best(number)}
    assert {made.joint for made in compact.best(state)} == best
    line = compact.line(state)
    assert len(line) == full.plies(number)
    for joint in line:
        state = state.step(joint)
    assert state.is_terminal
    assert compact.bytes < 4 * len(full.space)
    with pytest.raises(KibitzError, match="cannot reach"):
        compact.value(game.state([]) if not game.network.hidden else _impossible(game))


def _impossible(game: CompiledGame) -> State:
    """A state in which every fluent that is kept holds."""
    return State(game, (1 << len(game.network.fluents)) - 1)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nim:1,2,3", "not layered: a state can be reached in different numbers"),
        ("threemensmorris", "not layered"),
        ("roshambo", "choose at the same time"),
        ("breakthrough:5x3", "not layered"),
    ],
)
def test_other_games_are_refused_in_a_sentence(name: str, why: str) -> None:
    with pytest.raises(KibitzError, match=why) as refused:
        explore_layers(game_of(name))
    assert refused.value.hint == "solve it without --compact"


def test_a_mark_that_fails_later_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = np.zeros(1, dtype=np.uint64)
    mark = LayerMark(wrong, wrong)
    monkeypatch.setattr(compact, "_MARK_FROM", 1)
    monkeypatch.setattr(compact, "find_mark", lambda *_: mark)
    with pytest.raises(KibitzError, match="told apart"):
        explore_layers(game_of("tictactoe"))


def test_a_stuck_state_and_a_missing_goal_are_reported() -> None:
    stuck = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 0)"
    with pytest.raises(StuckError, match="1 state"):
        solve_layers(explore_layers(CompiledGame(read(stuck, name="short"))))
    without = "(role a) (init p) (legal a go) (<= (next q) (true p)) (<= terminal (true q))"
    with pytest.raises(KibitzError, match="no goal"):
        explore_layers(CompiledGame(read(without, name="aimless")))


def test_limits_of_states_time_and_memory_are_kept() -> None:
    game = game_of("connect:4,4x4")
    for limits, met in (
        (Limits(states=5000), "states"),
        (Limits(seconds=0), "time"),
        (Limits(bytes=10_000), "memory"),
    ):
        with pytest.raises(IncompleteError) as ended:
            explore_layers(game, limits=limits)
        assert ended.value.limit == met
    space = explore_layers(game)
    for limits in (Limits(seconds=0), Limits(bytes=1000)):
        with pytest.raises(BudgetExceededError, match="had a value"):
            solve_layers(_with(space, limits))


def _with(space: CompactSpace, limits: Limits) -> CompactSpace:
    from dataclasses import replace

    return replace(space, limits=limits)


def test_layers_go_on_in_files_that_vanish(tmp_path: Path) -> None:
    game = game_of("connect:4,4x4")
    limits = Limits(bytes=1_200_000)
    compact = solve_layers(explore_layers(game, limits=limits, spill=tmp_path))
    assert compact.space.bytes_in_memory < compact.space.bytes / 2
    assert_agree(compact, solve(explore(game)))
    assert not list(tmp_path.iterdir())


def test_an_interrupt_ends_all_threads_and_leaves_no_file(tmp_path: Path) -> None:
    before = threading.active_count()

    def interrupt(found: int, _expanded: int) -> None:
        if found > 10_000:
            raise KeyboardInterrupt

    game = game_of("connect:4,4x4")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "_REPORT_S", 0)
        with pytest.raises(KeyboardInterrupt):
            explore_layers(game, limits=Limits(bytes=1_200_000), spill=tmp_path, progress=interrupt)
    assert threading.active_count() == before
    assert not list(tmp_path.iterdir())
