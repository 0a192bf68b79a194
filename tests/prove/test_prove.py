"""Search against listing and against plain negamax, on positions of listed and random games."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from kibitz.engine import CompiledGame, State, make_game
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import Function, read
from kibitz.prove import (
    PositionTable,
    Prover,
    Spending,
    prove,
    reference_value,
)
from kibitz.prove.proof import mover_of
from kibitz.prove.threats import place_edits
from kibitz.prove.worker import ALPHA_BETA, PROOF_NUMBERS
from kibitz.solve import Solution, solve
from kibitz.space import explore

LARGE = "connect:4,7x7"
"""Too large for the search of a test, and no book comes with it."""
LISTED = [
    "tictactoe",
    "nim:1,2,4",
    "nim:1,2,3,misere",
    "connect:3,4x4",
    "crossdot:5,3",
    "hex:3",
    "chomp:3x4",
    "domineering:4x4",
    "kayles",
    "mnk:3,4,3",
]
SMALL = Spending(seconds=600, memory=20_000_000, positions=2_000_000, threads=1)


@cache
def compiled(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


@cache
def solution(name: str) -> Solution:
    return solve(explore(compiled(name)))


@cache
def prover(name: str, method: str | None = None) -> Prover:
    return Prover(compiled(name), SMALL, method=method)


def walk(game: CompiledGame, seed: int) -> State:
    """Give a state that random play comes to, not an end if there is another."""
    source = random.Random(seed)
    state = game.initial()
    for _ in range(source.randint(0, 12)):
        joint = [source.choice(state.legal(role)) for role in game.roles]
        after = state.step(joint)
        if after.is_terminal:
            break
        state = after
    return state


@cache
def numbers(name: str) -> dict[object, int]:
    space = solution(name).space
    return {space.state(number).key: number for number in range(len(space))}


@pytest.mark.parametrize("method", [PROOF_NUMBERS, ALPHA_BETA])
@pytest.mark.parametrize("name", LISTED)
def test_values_and_moves_are_those_of_the_listed_game(name: str, method: str) -> None:
    game, found = compiled(name), solution(name)
    for seed in range(12):
        state = walk(game, seed)
        number = numbers(name)[state.key]
        proof = prover(name, method).prove(state, moves=True)
        assert proof.value == found.value(number)
        assert proof.are_best_all
        at = game.roles.index(proof.mover or game.roles[0])
        expected = {joint[at]: found.value(to) for joint, to in found.space.moves(number)}
        values = {m: {r: low for r, (low, _) in b.items()} for m, b in proof.moves.items()}
        assert values == expected
        assert set(proof.best) == {made.joint[at] for made in found.keeping(number)}
        for joint in proof.line:
            number = next(to for made, to in found.space.moves(number) if made == joint)
            assert found.value(number) == proof.value
        assert found.space.terminal[number]


@pytest.mark.slow
@pytest.mark.parametrize("method", [PROOF_NUMBERS, ALPHA_BETA])
@pytest.mark.parametrize("name", LISTED)
def test_values_are_those_of_every_state_of_the_listed_game(name: str, method: str) -> None:
    game, found = compiled(name), solution(name)
    search = prover(name, method)
    for number in range(len(found.space)):
        if not found.space.terminal[number]:
            state = found.space.state(number)
            low, high = search.bounds_of(search.row(state))
            assert low == high
            assert search.values[low] == found.value(number)[game.roles[0]]


@pytest.mark.parametrize("name", ["connect:3,3x4", "nim:2,3", "hanoi:2", "hex:3"])
def test_values_are_those_of_plain_negamax(name: str) -> None:
    if name != "hanoi:2":  # it has cycles, which negamax does not take
        for seed in range(3):
            state = walk(compiled(name), seed)
            proof = prove(compiled(name), state, spending=SMALL, listing=False)
            assert proof.value is not None
            assert proof.value[compiled(name).roles[0]] == reference_value(state)
    with pytest.raises(KibitzError, match="comes again"):
        reference_value(make_game(load_sheet("hanoi:2")).initial())


@pytest.mark.parametrize("method", [PROOF_NUMBERS, ALPHA_BETA])
@pytest.mark.parametrize("name", ["hanoi:3", "threemensmorris"])
def test_play_with_cycles_is_proved_by_what_ends(name: str, method: str) -> None:
    game = compiled(name)
    proof = Prover(game, SMALL, method=method).prove(game.initial())
    assert proof.value is not None
    assert proof.value[game.roles[0]] == 100


def test_a_long_search_uses_both_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.prove.search._FIRST_SHARE", 500)
    monkeypatch.setattr("kibitz.prove.search._LARGE_SHARE", 1_000)
    game = compiled("connect:4,4x5")
    for threads in (1, 2):
        search = Prover(game, replace(SMALL, threads=threads))
        seen: set[str] = set()
        before = search._plan
        monkeypatch.setattr(
            search,
            "_plan",
            lambda aim, share, b=before, s=seen: (s.update((found := b(aim, share))[0]), found)[1],
        )
        assert search.bounds_of(search.row(game.initial())) == (1, 1)
        assert seen == {PROOF_NUMBERS, ALPHA_BETA}
        for aim in (1, 2):
            spent = [search.spent[method][aim] for method in (PROOF_NUMBERS, ALPHA_BETA)]
            assert spent[0] <= 4 * 500 * threads + spent[1] // 8


def test_a_question_that_is_asked_in_shares_goes_on_where_it_was() -> None:
    game = compiled("connect:4,4x5")
    at_once = Prover(game, SMALL, method=ALPHA_BETA)
    row = at_once.row(game.initial())
    in_shares = Prover(game, SMALL, method=ALPHA_BETA)
    answer = at_once.ask(row, 2, 1_000_000)
    assert answer is not None
    found = None
    for _ in range(10_000):
        found = in_shares.ask(row, 2, 100)
        if found is not None:
            break
    assert found is answer
    assert in_shares.positions == at_once.positions > 1_000
    assert in_shares.ask(row, 2, 100) is answer
    assert in_shares.positions == at_once.positions


def test_a_question_may_wait_while_others_are_asked() -> None:
    game, found = compiled("connect:3,4x4"), solution("connect:3,4x4")
    search = Prover(game, SMALL, method=ALPHA_BETA)
    numbers = [n for n in range(len(found.space)) if not found.space.terminal[n]][::300]
    waiting = {n: search.row(found.space.state(n)) for n in numbers}
    while waiting:
        for number, row in list(waiting.items()):
            answer = search.ask(row, 2, 5)
            if answer is not None:
                assert answer is (found.value(number)[game.roles[0]] == 100)
                del waiting[number]


@pytest.mark.parametrize("method", [PROOF_NUMBERS, ALPHA_BETA])
@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4", "connect:3,3x4", "hex:3"])
def test_interpreted_gates_give_the_same_values(name: str, method: str) -> None:
    game, found = CompiledGame(load_sheet(name), backend="interpreter"), solution(name)
    search = Prover(game, SMALL, method=method)
    for number in range(0, len(found.space), 1 + len(found.space) // 200):
        if not found.space.terminal[number]:
            low, high = search.bounds_of(search.row(found.space.state(number)))
            assert low == high
            assert search.values[low] == found.value(number)[game.roles[0]]


def test_what_reaches_a_value_reaches_smaller_ones() -> None:
    game = compiled("connect:3,4x4")
    search = Prover(game, SMALL)
    row = search.row(game.initial())
    assert search.ask(row, 2) is True
    before = search.positions
    assert search.ask(row, 1) is True
    assert search.positions == before


def test_published_values() -> None:
    for name, first in (
        ("mnk:4,4,4", 50),
        ("connect:4,4x5", 50),
        ("hex:4", 100),
        ("mnk:4,3,3", 100),
    ):
        proof = prover(name).prove(compiled(name).initial())
        assert proof.value is not None
        assert proof.value[compiled(name).roles[0]] == first


@pytest.mark.parametrize("threads", [1, 2])
def test_two_threads_find_what_one_finds(threads: int) -> None:
    spending = Spending(seconds=600, memory=50_000_000, positions=20_000_000, threads=threads)
    proof = prove(compiled("connect:4,4x4"), spending=spending, listing=False)
    assert proof.value == {"xplayer": 50, "oplayer": 50}


def test_one_thread_looks_at_the_same_positions_each_time() -> None:
    counts = {
        prove(compiled("connect:3,4x4"), spending=SMALL, listing=False).positions for _ in range(2)
    }
    assert len(counts) == 1


def test_what_is_not_finished_is_a_bound() -> None:
    spending = Spending(seconds=600, memory=1_000_000, positions=30_000, threads=1)
    proof = prove(compiled(LARGE), spending=spending)
    assert proof.value is None
    assert not proof.is_exact
    assert proof.bounds["xplayer"] == (0, 100)
    assert proof.why_open


def test_few_states_are_listed() -> None:
    proof = prove(compiled("tictactoe"))
    assert (proof.method, proof.plies, proof.value) == (
        "listing",
        9,
        {"xplayer": 50, "oplayer": 50},
    )
    assert len(proof.best) == 9


def test_an_end_has_its_goals() -> None:
    game = compiled("nim:1")
    state = game.initial()
    while not state.is_terminal:
        state = state.step([state.legal(role)[0] for role in game.roles])
    assert prover("nim:1").prove(state).value == state.goals


TWICE = """
(role a) (role b) (init (turn a 1)) (init (n 0))
(<= (legal ?r (add 1)) (true (turn ?r ?k))) (<= (legal ?r (add 2)) (true (turn ?r ?k)))
(<= (legal a noop) (true (turn b ?k))) (<= (legal b noop) (true (turn a ?k)))
(<= (next (turn a 2)) (true (turn a 1))) (<= (next (turn b 1)) (true (turn a 2)))
(<= (next (turn b 2)) (true (turn b 1))) (<= (next (turn a 1)) (true (turn b 2)))
(<= (next (n ?m)) (true (n ?n)) (does ?r (add ?k)) (plus ?n ?k ?m))
(plus 0 1 1) (plus 0 2 2) (plus 1 1 2) (plus 1 2 3) (plus 2 1 3) (plus 2 2 4) (plus 3 1 4)
(plus 3 2 5) (plus 4 1 5) (plus 4 2 6) (plus 5 1 6) (plus 5 2 7)
(<= terminal (true (n 6))) (<= terminal (true (n 7)))
(<= (goal a 100) (true (n 6)) ) (<= (goal b 0) (true (n 6)))
(<= (goal a 0) (not (true (n 6)))) (<= (goal b 100) (not (true (n 6))))
"""


def test_a_role_may_move_twice() -> None:
    game = CompiledGame(read(TWICE))
    proof = prove(game, spending=SMALL, listing=False)
    assert proof.value == solve(explore(game)).value()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("roshambo", "choose at the same time"),
        (TWICE.replace("(goal b 0)", "(goal b 100)"), "not opposed"),
        (TWICE.replace("(<= (goal a 0) (not (true (n 6))))", ""), "1 different goals"),
        (TWICE.replace("(<= (goal a 0) (not", "(<= (goal a 0) (true (n 0)) (not"), "one goal"),
        (TWICE.replace("(legal a noop)", "(idle a)"), "no legal move"),
        (TWICE.replace("(role b)", "(role b) (role c) (legal c noop)"), "3 roles"),
    ],
)
def test_what_cannot_be_searched_is_refused(text: str, message: str) -> None:
    sheet = load_sheet(text) if "\n" not in text else read(text)
    with pytest.raises(KibitzError, match=message):
        prove(CompiledGame(sheet), spending=SMALL, listing=False)


def test_play_that_never_ends_is_left_open() -> None:
    text = """(role a) (role b) (init (at 0)) (init (turn a))
    (<= (legal ?r go) (true (turn ?r))) (<= (legal ?r stay) (true (turn ?r)))
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
    (<= (next (at 1)) (does ?r go) (true (at 0))) (<= (next (at 0)) (does ?r go) (true (at 1)))
    (<= (next (at ?x)) (does ?r stay) (true (at ?x)))
    (<= terminal (true (at 2)))
    (<= (goal a 100) (true (at 0))) (<= (goal a 0) (true (at 1)))
    (<= (goal b 0) (true (at 0))) (<= (goal b 100) (true (at 1)))"""
    proof = prove(CompiledGame(read(text)), spending=SMALL, listing=False)
    assert proof.value is None
    assert "need not end" in proof.why_open


ENDED_BY_BLACK = """(role white) (role black) (init (turn black)) (init (at 1))
(<= (next (turn white)) (true (turn black))) (<= (next (turn black)) (true (turn white)))
(<= (legal white (go 1)) (true (turn white))) (<= (legal white (go 2)) (true (turn white)))
(<= (legal black stop) (true (turn black))) (<= (legal black wait) (true (turn black)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (at ?x)) (does white (go ?x))) (<= (next (at ?x)) (true (at ?x)) (true (turn black)))
(<= (next over) (does black stop)) (<= terminal (true over))
(<= (goal white 60) (true (at 1))) (<= (goal white 90) (true (at 2)))
(<= (goal black 40) (true (at 1))) (<= (goal black 10) (true (at 2)))"""
"""Black ends play when it likes; no end is as good for it as play that never ends."""


@pytest.mark.parametrize("method", [None, PROOF_NUMBERS, ALPHA_BETA])
def test_no_value_is_proved_where_play_without_end_is_worth_more(method: str | None) -> None:
    game = CompiledGame(read(ENDED_BY_BLACK))
    listed = prove(game, spending=SMALL)
    assert listed.value == {"white": 50, "black": 50}
    search = Prover(game, SMALL, method=method)
    for state, most in [(game.initial(), 60), (game.initial().play("wait"), 90)]:
        proof = search.prove(state)
        assert proof.value is None
        assert proof.bounds == {"white": (50, most), "black": (100 - most, 50)}


def test_a_value_is_proved_where_every_end_is_better_than_play_without_end() -> None:
    game = CompiledGame(
        read(ENDED_BY_BLACK.replace("(<= (legal black wait) (true (turn black)))", ""))
    )
    proof = Prover(game, SMALL).prove(game.initial())
    assert proof.value == {"white": 60, "black": 40}
    assert prove(game, spending=SMALL).value == proof.value


def test_a_table_is_kept_and_taken_up(tmp_path: Path) -> None:
    game, path = compiled("connect:4,4x4"), tmp_path / "table"
    first = Prover(game, SMALL)
    first.prove(game.initial())
    first.table.save(game, path)
    second = Prover(game, SMALL)
    second.table.load(game, path)
    before = second.positions
    assert second.bounds_of(second.row(game.initial())) == (1, 1)
    assert second.positions - before < 10
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"damaged[^\n]*\n  hint: name another file for --store"):
        second.table.load(game, path)


def test_a_table_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table"
    prover("nim:1,2,4").table.save(compiled("nim:1,2,4"), path)
    with pytest.raises(InputError, match=r"positions of nim:1,2,4"):
        prover("tictactoe").table.load(compiled("tictactoe"), path)


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(InputError, match="at least"):
        PositionTable(words=4, memory=1000)


MARKS = {"tictactoe": "xo", "connect:3,4x4": "xo", "mnk:3,4,3": "xo", "hex:3": ("red", "blue")}


@pytest.mark.parametrize("name", MARKS)
@given(seed=st.integers(0, 10_000))
def test_a_threat_is_an_empty_cell_where_another_mark_wins(name: str, seed: int) -> None:
    game, searcher = compiled(name), prover(name, ALPHA_BETA)
    state = walk(game, seed)
    role = game.roles.index(mover_of(state))
    worker = searcher.workers[0]
    worker.look.count_threats(place_edits(game))
    aim = 1 if role else len(searcher.values) - 1
    moves, threats = worker.threats_at(searcher.row(state), aim)
    for move, count in zip(moves, threats, strict=True):
        after = set(state.play(game.network.moves[role][move]).fluents)
        wins = 0
        for empty in [fluent for fluent in after if fluent.args[-1] == Function("b")]:
            mark = Function(empty.name, (*empty.args[:-1], Function(MARKS[name][role])))
            filled = game.state(after - {empty} | {mark})
            wins += filled.is_terminal and filled.goals[game.roles[role]] == 100
        assert count == wins


@pytest.mark.parametrize(("name", "pays"), [("connect:4,5x5", True), ("breakthrough:5x4", False)])
def test_threats_order_moves_where_a_trial_shows_that_it_pays(name: str, pays: bool) -> None:
    searcher = Prover(compiled(name), Spending(seconds=600, positions=300_000, threads=1))
    searcher.prove(compiled(name).initial(), weak=True)
    assert searcher.threats == pays


def test_who_has_little_time_gets_no_trial_and_no_wrong_verdict_is_kept() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    quick = Prover(game, Spending(seconds=0.5, threads=1))
    quick.deadline = time.monotonic() + 0.1
    assert not quick._counts_threats()
    assert quick.threats is None
    assert Prover(game, replace(SMALL))._counts_threats()


def test_threats_decide_what_proof_numbers_decide() -> None:
    for seed in range(20):
        game = compiled("connect:4,5x5")
        state = walk(game, seed)
        values = [
            Prover(game, SMALL, method=ALPHA_BETA, threats=threats).prove(state, weak=True).value
            for threats in (False, True)
        ]
        assert values[0] == values[1]
