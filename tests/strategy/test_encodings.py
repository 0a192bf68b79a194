"""Answer sets of encodings are the matches that comply; provers read the axioms and agree."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st
from tests.effort import examples, quick
from tests.strategy.agreement import answers
from tests.strategy.oracle import to_move

from kibitz.engine import Move, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.space import explore
from kibitz.space.graph import longest_matches
from kibitz.strategy import Strategy, read_strategy, shipped_names, shipped_text
from kibitz.strategy.encodings import asp_encoding, tptp_encoding
from kibitz.strategy.evaluation.move_set import SILENCES


@cache
def compiled(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


def complying(
    game: CompiledGame, strategies: Mapping[str, Strategy], silence: str
) -> set[tuple[str, ...]]:
    """Walk all complete matches in which strategies are followed, straight from the definition."""
    found: set[tuple[str, ...]] = set()
    space = explore(game)
    turns = {role: to_move(space, role) for role in game.roles}
    number = {space.state(n): n for n in range(len(space))}

    def choices(
        state: State, role: str, history: tuple[tuple[State, tuple[Move, ...]], ...]
    ) -> Sequence[Move]:
        if role not in strategies or number[state] not in turns[role]:
            return state.legal(role)
        chosen = strategies[role].moves(state, role, history=history)
        return chosen or (state.legal(role) if silence == "any" else ())

    def walk(state: State, history: tuple[tuple[State, tuple[Move, ...]], ...]) -> None:
        if state.is_terminal:
            found.add(tuple(" ".join(map(str, joint)) for _, joint in history))
            return
        for joint in product(*(choices(state, role, history) for role in game.roles)):
            walk(game.successor(state.key, joint), (*history, (state, joint)))

    walk(game.initial(), ())
    return found


def check(name: str, texts: Mapping[str, str], silence: str) -> int:
    game = compiled(name)
    strategies = {role: read_strategy(text, game) for role, text in texts.items()}
    expected = complying(game, strategies, silence)
    assert answers(game, asp_encoding(game, strategies, silence=silence)) == expected
    return len(expected)


CASES = [
    ("crossdot:4,2", {}),
    ("crossdot:5,2", {"player1": "next wins(player1) else not next next wins(player2) else true"}),
    (
        "crossdot:5,2",
        {
            "player1": "next not next wins(player2) else true",
            "player2": "next next (box(3,cross) or does(mark(1))) else true",
        },
    ),
    ("crossdot:5,2", {"player2": "previous does(player1,mark(2)) and does(mark(3)) else true"}),
    (
        "crossdot:5,2",
        {"player1": "next previous previous box(1,empty) and next box(2,cross) else true"},
    ),
    ("crossdot:4,2", {"player1": "turn(player1) and goal(player1) >= 50 and initial else true"}),
    ("crossdot:4,2", {"player1": "true also does(mark(1)) or does(mark(2)) also does(mark(2))"}),
    ("crossdot:4,2", {"player1": "wins(player2) or terminal or open and legal(mark(2)) else true"}),
    (
        "crossdot:4,2",
        {"player1": "next chances(me) > chances(opponent) => any\nnext pairs(me) = 0 => any"},
    ),
    ("nim:1,2,2", {"player2": "next left also does(reduce(a,0)) else true"}),
    ("roshambo", {}),
]


@pytest.mark.parametrize(("name", "texts"), CASES)
def test_answer_sets_are_the_complete_matches_that_comply(name: str, texts: dict[str, str]) -> None:
    assert check(name, texts, "any") >= check(name, texts, "stop") > 0


TICTACTOE = [name for name in shipped_names() if name.startswith("tictactoe")]


@pytest.mark.parametrize("strategy", quick(TICTACTOE, set(TICTACTOE) - {"tictactoe-table3"}))
def test_shipped_lists_for_tictactoe_have_the_same_matches_in_asp(strategy: str) -> None:
    game = compiled("tictactoe")
    strategies = {"xplayer": read_strategy(shipped_text(strategy), game)}
    for silence in SILENCES:
        program = asp_encoding(game, strategies, silence=silence)
        assert answers(game, program) == complying(game, strategies, silence)


def test_the_shipped_list_for_nim_has_the_same_matches_in_asp() -> None:
    for silence in SILENCES:
        check("nim:1,2,4,5", {"player1": shipped_text("nim-table4")}, silence)


LEAVES = [
    "box(1,empty)", "box(2,cross)", "box(3,dot)", "wins(player1)", "wins(player2)", "terminal",
    "initial", "turn(player1)", "goal(player1) >= 50", "does(mark(1))", "does(mark(2))",
    "legal(mark(3))", "open", "true",
]  # fmt: skip
formulas = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        inner.map(lambda f: f"not ({f})"),
        inner.map(lambda f: f"next ({f})"),
        inner.map(lambda f: f"previous ({f})"),
        st.tuples(inner, st.sampled_from(["and", "or", "implies", "iff"]), inner).map(
            lambda t: f"(({t[0]}) {t[1]} ({t[2]}))"
        ),
    ),
    max_leaves=4,
)
plans = st.lists(formulas, min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from([" else ", " also "]).map(lambda sign: sign.join(parts))
)


@examples(40)
@given(plans, st.sampled_from(["player1", "player2"]), st.sampled_from(SILENCES))
@example("next previous open", "player1", "stop")
def test_any_strategy_has_the_same_matches_in_asp(plan: str, role: str, silence: str) -> None:
    game = compiled("crossdot:3,2")
    strategies = {role: read_strategy(plan, game)}
    program = asp_encoding(game, strategies, silence=silence)
    assert answers(game, program) == complying(game, strategies, silence)


def test_a_game_without_end_needs_a_horizon() -> None:
    game = compiled("threemensmorris")
    with pytest.raises(InputError, match="need not end"):
        asp_encoding(game, {})


def test_the_longest_match_is_found_where_states_are_reached_in_several_ways() -> None:
    space = explore(compiled("nim:1,2,4,5"))
    longest = longest_matches(space)
    for state in range(len(space)):
        after = [int(longest[to]) for _, to in space.moves(state)]
        assert longest[state] == (1 + max(after) if after else 0)


eprover = pytest.mark.skipif(not shutil.which("eprover"), reason="the prover E is not installed")


def prove(text: str, tmp_path: Path, seconds: int = 20) -> str:
    path = tmp_path / "problem.p"
    path.write_text(text)
    command = ["eprover", "--auto", "-s", f"--cpu-limit={seconds}", "--tptp3-format", str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=30 * seconds, check=False
    )
    status = [line for line in done.stdout.splitlines() if "SZS status" in line]
    assert status, done.stderr
    return status[0].split()[-1]


@eprover
@pytest.mark.parametrize(
    ("name", "role"), [("crossdot:1,1", "player1"), ("crossdot:2,1", "player1")]
)
def test_a_prover_shows_that_a_won_game_is_won(name: str, role: str, tmp_path: Path) -> None:
    text = tptp_encoding(compiled(name), {}, role=role, conjecture=True)
    assert prove(text, tmp_path) == "Theorem"


@eprover
@pytest.mark.parametrize(
    "plan",
    [
        "true => mark(2)",
        "next box(1,cross) else true",
        "not does(mark(1)) also does(mark(3))",
        "next wins(player1) else does(mark(1)) or does(mark(2))",
        "next next box(2,dot)",
    ],
)
def test_a_prover_finds_the_same_first_moves(plan: str, tmp_path: Path) -> None:
    game = compiled("crossdot:3,2")
    strategy = read_strategy("symmetric none\n" + plan if "=>" in plan else plan, game)
    allowed = set(map(str, strategy.moves(game.initial(), "player1")))
    text = tptp_encoding(game, {"player1": strategy})
    for box in (1, 2, 3):
        sign = "" if f"(mark {box})" in allowed else "~"
        conjecture = f"fof(q, conjecture, {sign}follows1(a_mark_{box}_and_noop,s0)).\n"
        assert prove(text + conjecture, tmp_path) == "Theorem"


CELLS = """(role p) (cell a) (cell b) (<= (free ?c) (cell ?c) (not (true (marked ?c))))
(<= (legal p (mark ?c)) (free ?c))
(<= (next (marked ?c)) (true (marked ?c))) (<= (next (marked ?c)) (does p (mark ?c)))
(<= terminal (not (free a)) (not (free b))) (goal p 100)"""


@eprover
@pytest.mark.parametrize("text", ["not free(a) => (mark b)", "next not free(a) => (mark a)"])
def test_a_prover_reads_images_of_rules_about_relations(text: str, tmp_path: Path) -> None:
    game = CompiledGame(read(CELLS, name="cells"))
    strategy = read_strategy(f"symmetric any\n{text}", game)
    axioms = tptp_encoding(game, {"p": strategy})
    for first in ("a", "b"):
        state = game.initial().play(f"(mark {first})")
        for where, moves in (
            ("s0", strategy.moves(game.initial(), "p")),
            (f"do(a_mark_{first},s0)", strategy.moves(state, "p")),
        ):
            for cell in ("a", "b"):
                sign = "" if f"(mark {cell})" in map(str, moves) else "~"
                claim = f"fof(q, conjecture, {sign}follows1(a_mark_{cell},{where})).\n"
                assert prove(axioms + claim, tmp_path) == "Theorem", claim


@eprover
def test_a_prover_knows_whose_turn_it_is_after_a_move(tmp_path: Path) -> None:
    text = tptp_encoding(compiled("crossdot:2,2"), {})
    after = "do(a_mark_1_and_noop,s0)"
    for claim in ("turn1(s0)", "~turn2(s0)", f"~turn1({after})", f"turn2({after})"):
        assert prove(f"{text}fof(q, conjecture, {claim}).\n", tmp_path) == "Theorem"


@eprover
@pytest.mark.parametrize(("silence", "sign"), [("any", ""), ("stop", "~")])
def test_a_prover_reads_silence_as_it_is_told(silence: str, sign: str, tmp_path: Path) -> None:
    game = compiled("crossdot:2,2")
    strategies = {"player1": read_strategy("false", game), "player2": read_strategy("true", game)}
    text = tptp_encoding(game, strategies, silence=silence)
    claim = f"fof(q, conjecture, {sign}strat(a_mark_1_and_noop,s0)).\n"
    assert prove(text + claim, tmp_path) == "Theorem"


@pytest.mark.slow
@eprover
def test_no_prover_wins_a_game_of_choosing_at_once(tmp_path: Path) -> None:
    sheet = read(
        "(role x) (role y) (init p) (<= (legal ?r h) (role ?r)) (<= (legal ?r t) (role ?r))"
        "(<= (next same) (does x ?m) (does y ?m)) (<= (next end) (true p))"
        "(<= terminal (true end)) (<= (goal x 100) (true same)) (<= (goal x 0) (not (true same)))"
        "(<= (goal y 0) (true same)) (<= (goal y 100) (not (true same)))",
        name="pennies",
    )
    text = tptp_encoding(CompiledGame(sheet), {}, role="x", conjecture=True)
    assert prove(text, tmp_path, seconds=5) != "Theorem"


@pytest.mark.parametrize("start", ["terminal", "(init p)"])
def test_a_game_in_which_no_move_can_be_made_has_no_actions(start: str) -> None:
    sheet = read(f"(role x) (goal x 0) {start} (<= (legal x go) (true q))", name="idle")
    with pytest.raises(InputError, match="in idle no move can be made"):
        tptp_encoding(CompiledGame(sheet), {})


def test_what_is_said_of_the_past_is_not_written_in_the_situation_calculus() -> None:
    game = compiled("crossdot:3,2")
    strategy = read_strategy("previous initial", game)
    with pytest.raises(InputError, match="--to asp"):
        tptp_encoding(game, {"player1": strategy})
