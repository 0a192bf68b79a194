"""Rule sheets as clingo programs: their answer sets are the successors, and the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import clingo
import pytest
from hypothesis import HealthCheck, given
from tests.effort import examples
from tests.random_games import games
from tests.synth.turn_games import turn_games

from kibitz.engine import Game, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.reference import ReferenceGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import Function, RuleSheet, parse
from kibitz.gdl.clingo import Names, explicit_time_program
from kibitz.learn.minimax.clingo_queries import ClingoSymbols, Successors, find_horizon

STRANGE = """
(role X) (role _Y)
(init (Cell 1 A-b))
(init (turn X))
(<= (legal ?r (Go #end)) (true (turn ?r)))
(<= (legal ?r (Go 007)) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn _Y)) (true (turn X)))
(<= (next (Cell 1 ?x)) (does ?r (Go ?x)))
(<= terminal (true (turn _Y)))
(<= (goal X 100) (true (Cell 1 007)))
(<= (goal X 0) (not (true (Cell 1 007))))
(<= (goal _Y 100) (goal X 0))
(<= (goal _Y 0) (goal X 100))
"""
"""Names that clingo would read as variables, numbers or keywords, or not at all."""


def joint_moves(state: State) -> Iterator[tuple[Function, ...]]:
    """Combine the legal moves of all roles."""
    combined: list[tuple[Function, ...]] = [()]
    for role in state.game.roles:
        combined = [(*joint, move) for joint in combined for move in state.legal(role)]
    yield from combined


def expected(state: State) -> set[tuple[tuple[Function, ...], frozenset[Function]]]:
    if state.is_terminal:
        return set()
    return {(joint, frozenset(state.step(joint).fluents)) for joint in joint_moves(state)}


def found(game: Game, state: State) -> set[tuple[tuple[Function, ...], frozenset[Function]]]:
    return {(c.joint, c.fluents) for c in Successors(game).of(state)}


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,3", "roshambo", "hanoi", "marks"])
def test_answer_sets_of_one_step_are_the_successors(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    successors = Successors(game)
    state = game.initial()
    for _ in range(4):
        given_by = {(c.joint, c.fluents) for c in successors.of(state)}
        assert given_by == expected(state)
        if state.is_terminal:
            break
        state = state.step(next(joint_moves(state)))


@examples(8, suppress_health_check=list(HealthCheck))
@given(games())
def test_answer_sets_of_random_games_are_the_successors(sheet: RuleSheet) -> None:
    state = ReferenceGame(sheet).initial()
    assert found(CompiledGame(sheet), CompiledGame(sheet).initial()) == expected(state)


def test_names_that_clingo_cannot_read_come_back_as_they_were() -> None:
    game = CompiledGame(parse(STRANGE, name="strange"))
    state = game.initial()
    assert found(game, state) == expected(state)
    texts = {str(move) for joint, _ in found(game, state) for move in joint}
    assert texts == {"(Go #end)", "(Go 007)", "wait"}


def test_a_name_is_never_taken_twice() -> None:
    names = Names.of(["X", "n_X", "n_X_", "x y", "x.y", "007"])
    written = [names.term(Function(n)) for n in ("X", "n_X", "n_X_", "x y", "x.y", "007")]
    assert len(set(written)) == len(written)
    symbols = ClingoSymbols(names)
    assert [symbols.read(clingo.parse_term(text)).name for text in written] == [
        "X",
        "n_X",
        "n_X_",
        "x y",
        "x.y",
        "007",
    ]


def matches(state: State) -> Iterator[tuple[tuple[Function, ...], ...]]:
    """Walk all matches from a state by the engine."""
    if state.is_terminal:
        yield ()
        return
    for joint in joint_moves(state):
        for rest in matches(state.step(joint)):
            yield (joint, *rest)


def matches_by_clingo(game: Game, state: State, horizon: int) -> Counter[object]:
    names = Names.of_sheet(game.sheet)
    symbols = ClingoSymbols(names)
    control = clingo.Control(["--models=0", "--warn=none"])
    text = explicit_time_program(game.sheet, state.fluents, horizon, names)
    control.add("base", [], f"{text}\n#show does/3.")
    control.ground([("base", [])])
    counted: Counter[object] = Counter()
    with control.solve(yield_=True) as handle:
        for model in handle:
            made: dict[int, dict[str, Function]] = {}
            for symbol in model.symbols(shown=True):
                role, move, time = symbol.arguments
                made.setdefault(time.number, {})[symbols.read(role).name] = symbols.read(move)
            counted[tuple(tuple(made[t][r] for r in game.roles) for t in sorted(made))] += 1
    return counted


@pytest.mark.parametrize("name", ["nim:1,2", "nim:2,2,misere", "piles:2,2", "crossdot:3,2"])
def test_answer_sets_with_time_are_the_matches(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    state = game.initial()
    horizon = find_horizon(game, state)
    assert matches_by_clingo(game, state, horizon) == Counter(matches(state))


@examples(12, suppress_health_check=list(HealthCheck))
@given(turn_games(with_cycles=False))
def test_answer_sets_of_random_games_are_the_matches(sheet: RuleSheet) -> None:
    game = CompiledGame(sheet)
    state = game.initial()
    horizon = find_horizon(game, state)
    everything = Counter(matches(state))
    assert horizon == max(map(len, everything))
    assert matches_by_clingo(game, state, horizon) == everything
    assert find_horizon(ReferenceGame(sheet), ReferenceGame(sheet).initial()) == horizon


def test_a_game_without_an_end_has_no_horizon() -> None:
    game = CompiledGame(load_sheet("threemensmorris"))
    with pytest.raises(BudgetExceededError, match="no end"):
        find_horizon(game, game.initial())


def test_the_horizon_is_found_without_listing_states() -> None:
    game = ReferenceGame(load_sheet("nim:2,3"))
    assert find_horizon(game, game.initial()) == 5
