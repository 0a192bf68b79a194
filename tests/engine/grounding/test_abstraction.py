"""What is proved without the board is true with it."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign
from tests.random_games import games

from kibitz.budget import Budget
from kibitz.engine.frame import Covering, abstraction, translate
from kibitz.engine.frame.abstraction import abstract, abstract_move, concrete_move
from kibitz.engine.frame.literals import GeneralMove
from kibitz.engine.grounding.exclusive_groups import find_groups
from kibitz.engine.grounding.grounder import ground
from kibitz.engine.grounding.invariants import Prover, Status, find_invariants
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read

LIBRARY = ["tictactoe", "nim", "breakthrough", "knightthrough", "chomp", "sum15", "hex:4", "sim"]


def seen_together(sheet: RuleSheet, steps: int) -> set[frozenset[GeneralMove]]:
    """Walk at random and note which moves of two roles, by name, are legal together."""
    source = random.Random(5)
    game = UngroundedGame(sheet)
    found: set[frozenset[GeneralMove]] = set()
    state = game.initial()
    for _ in range(steps):
        legal = {role: state.legal(role) for role in game.roles}
        kinds = {(r, (m.name, len(m.args))) for r, moves in legal.items() for m in moves}
        found |= {frozenset(pair) for pair in combinations(kinds, 2) if pair[0][0] != pair[1][0]}
        if not all(legal.values()):
            state = game.initial()
            continue
        state = state.step([str(source.choice(moves)) for moves in legal.values()])
    return found


def check(sheet: RuleSheet, steps: int) -> int:
    """Compare what random play shows with what is proved; give the number of proofs."""
    small = abstract(sheet)
    if small is None:
        return 0
    try:
        network = ground(small, Budget(5), groups=False).network
    except BudgetExceededError:
        return 0
    together = seen_together(sheet, steps)
    prover = Prover(network, find_groups(network), seconds=60)
    for pair in together:
        assert not prover.are_impossible(map(abstract_move, pair)), pair
    pairs = [(a, b) for a, b in combinations(prover.legal, 2) if a[0] != b[0]]
    return sum(prover.are_impossible(pair) for pair in pairs)


@pytest.mark.parametrize("name", LIBRARY)
def test_where_roles_take_turns_it_is_proved_that_only_one_acts(name: str) -> None:
    assert check(load_sheet(name), 60) > 0


@examples(40)
@given(games())
def test_nothing_that_happens_in_a_random_game_is_proved_impossible(sheet: RuleSheet) -> None:
    check(sheet, 30)


@needs_foreign
@pytest.mark.parametrize("name", ["amazons", "laikLee_hex", "hexPie", "othelloSuicide", "brawl"])
def test_games_too_large_to_ground_have_their_turns_proved(name: str) -> None:
    sheet = read((FOREIGN / "rules" / f"{name}.kif").read_bytes(), name=name, form="kif")
    assert check(sheet, 3) > 0


def test_a_game_that_cannot_be_grounded_is_pruned_by_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ground_small(sheet: RuleSheet, budget: Budget, **options: bool) -> object:
        if any(rule.head.relation == "goal" for rule in sheet.rules):
            raise BudgetExceededError("grounding needs more than 0 s")
        return ground(sheet, budget, **options)

    monkeypatch.setattr(abstraction, "ground", ground_small)
    done = translate(load_sheet("breakthrough"), Covering.PRUNED)
    assert (done.joint_moves_before, done.joint_moves) == (4, 2)
    assert "proofs consider only whose turn it is" in done.notes[0]


def test_invariants_of_such_a_game_say_what_is_proved_and_what_was_not_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kibitz.engine.grounding import invariants

    def ground_small(sheet: RuleSheet, budget: Budget, **options: bool) -> object:
        if any(rule.head.relation == "goal" for rule in sheet.rules):
            raise BudgetExceededError("grounding needs more than 0 s")
        return ground(sheet, budget, **options)

    monkeypatch.setattr(invariants, "ground", ground_small)
    found = find_invariants(load_sheet("tictactoe"))
    proved = [i.statement for i in found.with_status(Status.PROVED)]
    assert proved == [
        "(control _) holds for exactly one role",
        "xplayer: (mark …) and oplayer: (mark …) are never legal together",
        "xplayer: noop and oplayer: noop are never legal together",
    ]
    assert not found.with_status(Status.REFUTED)
    assert all("not tried" in i.how for i in found.with_status(Status.NOT_PROVED))


TURNS = (
    "(role a) (role b) (init (turn a)) (legal a rest) (legal b rest) (goal a 0) (goal b 0)"
    "(<= (legal ?r (go ?x)) (role ?r) (true (turn ?r)) (step ?x)) (step 1) (step 2)"
    "(<= terminal (true over)) (init (at 1)) (<= (next (at ?x)) (does ?r (go ?x)))"
)


def kinds(rules: str) -> set[str]:
    small = abstract(read(TURNS + rules))
    assert small is not None
    return {str(rule.head.args[0]) for rule in small.rules if rule.head.relation == "next"}


def test_a_turn_that_follows_the_name_of_a_move_is_kept() -> None:
    assert kinds("(<= (next (turn b)) (does a (go ?x)))") == {"(turn b)"}


def test_a_turn_that_follows_what_was_moved_is_left_out() -> None:
    assert abstract(read(TURNS + "(<= (next (turn b)) (does a (go 1)))")) is None
    assert abstract(read(TURNS + "(<= (next (turn b)) (does a (go ?x)) (true (at ?x)))")) is None


def test_names_of_moves_go_there_and_back() -> None:
    move = ("a", ("go;3", 2))
    assert concrete_move(abstract_move(move)) == move
