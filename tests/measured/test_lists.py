"""Lists of rules as numbers, as gates and as text mean the same."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from tests.effort import quick

from kibitz import core
from kibitz.engine import Blocks, CompiledGame, Move, State
from kibitz.english import sentences
from kibitz.games import load_sheet
from kibitz.measured.candidates import Terms
from kibitz.measured.fitting import Examples, fit_list, neighbours, pruned, size_of
from kibitz.measured.players import Candidate, ListPolicy, Player, Rule, list_text
from kibitz.measured.positions import (
    Positions,
    allowed_moves,
    collect_positions,
    estimate_moves,
)
from kibitz.measured.vocabulary import vocabulary_for
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy

GAMES = ["tictactoe", "connect:3,4x4", "breakthrough:4x4", "threemensmorris", "hex:3", "nim:1,3,5"]


def terms_of(name: str, deadline: float = math.inf) -> Terms:
    game = CompiledGame(load_sheet(name))
    return Terms(
        [Player(game, role, vocabulary_for(game, role), deadline=deadline) for role in game.roles]
    )


shared_terms = cache(terms_of)


def moves_of(player: Player, candidate: Candidate, states: list[State]) -> list[tuple[Move, ...]]:
    rows = Blocks(player.game).rows([cast(int, state.key) for state in states])
    alone = Positions.alone(player.game, rows)
    return allowed_moves(player.game, player.role, player.policy(candidate), alone)


def some_list(terms: Terms, source: random.Random) -> Candidate:
    def some(names: tuple[str, ...], most: int) -> tuple[str, ...]:
        return tuple(source.sample(names, min(len(names), source.randint(0, most))))

    return tuple(
        Rule(some(terms.conditions, 2), some(terms.preferences, 2))
        for _ in range(source.randint(1, 4))
    )


def some_states(game: CompiledGame, source: random.Random, count: int) -> list[State]:
    found: list[State] = []
    while len(found) < count:
        state = game.initial()
        while not state.is_terminal and all(state.legal(role) for role in game.roles):
            found.append(state)
            joint = tuple(source.choice(state.legal(role)) for role in game.roles)
            state = game.successor(state.key, joint)
    return source.sample(found, count)


@pytest.mark.parametrize("deadline", [math.inf, 0.0])
@pytest.mark.parametrize("name", quick(GAMES, set(GAMES) - {"threemensmorris"}))
def test_a_list_allows_what_its_text_allows(name: str, deadline: float) -> None:
    """By gates, and where there is no time for them by looking at the states that follow."""
    source = random.Random(1)
    terms = shared_terms(name, deadline)
    for _ in range(4):
        candidate = some_list(terms, source)
        for player in terms.players.values():
            check_list(player, candidate, some_states(player.game, source, 25))


def check_list(player: Player, candidate: Candidate, states: list[State]) -> None:
    states = [state for state in states if len(state.legal(player.role)) > 1]
    strategy = player.strategy(candidate)
    for state, allowed in zip(states, moves_of(player, candidate, states), strict=True):
        told = strategy.moves(state, player.role) or state.legal(player.role)
        assert set(allowed) == set(told), (candidate, str(state))


def test_every_number_is_preferred_both_ways() -> None:
    terms, source = shared_terms("breakthrough:4x4", math.inf), random.Random(2)
    number = "{} pairs(me) - pairs(opponent)"
    for high, low in (
        ("highest things me", "lowest things me"),
        ("most replies", "fewest replies"),
        (number.format("highest"), number.format("lowest")),
    ):
        for player in terms.players.values():
            for name in (high, low):
                check_list(player, (Rule((), (name,)),), some_states(player.game, source, 12))


def test_a_list_for_which_gates_have_no_room_allows_the_same() -> None:
    terms, source = terms_of("tictactoe"), random.Random(5)
    player = terms.players["xplayer"]
    store = player.masks.gates.store
    store.most = store.count
    lists = [some_list(terms, source) for _ in range(6)]
    assert any(isinstance(player.policy(one), ListPolicy) for one in lists)
    for candidate in lists:
        check_list(player, candidate, some_states(player.game, source, 20))


def test_conditions_and_preferences_leave_room_for_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shared_terms("tictactoe", math.inf)
    most = max(p.masks.gates.store.count for p in whole.players.values())
    monkeypatch.setattr("kibitz.measured.players._SHARED_GATES", most // 2)
    for player in terms_of("tictactoe").players.values():
        assert 0 < player.masks.gates.store.count <= most // 2
        assert player.conditions


@pytest.mark.parametrize("name", quick(GAMES, set(GAMES) - {"threemensmorris"}))
def test_the_fit_scores_the_moves_that_gates_allow(name: str) -> None:
    source = random.Random(2)
    terms = shared_terms(name, math.inf)
    for role, player in terms.players.items():
        positions = collect_positions(
            player.game, role, {}, matches=40, most_moves=400, seed=3, astray=0.0
        )
        choices = estimate_moves(player.game, role, positions, playouts=20, seed=1)
        examples = Examples.none(terms)
        examples.add(choices, role)
        moves = player.game.network.moves[player.game.roles.index(role)]
        policies = {one: player.policy(one) for one in [some_list(terms, source) for _ in range(4)]}
        for candidate, policy in policies.items():
            score, _ = examples.score(candidate)
            total = 0.0
            told = allowed_moves(player.game, role, policy, positions)
            for at, allowed in enumerate(told):
                here = range(int(choices.first[at]), int(choices.first[at + 1]))
                total += positions.met[at] * float(
                    np.mean([choices.values[i] for i in here if moves[choices.moves[i]] in allowed])
                )
            assert score == pytest.approx(total / positions.met.sum())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_first_rule_with_a_move_decides(data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    first = np.cumsum([0, *counts])
    n = int(first[-1])
    numbers = st.integers(0, 7)
    bits = data.draw(st.lists(numbers, min_size=n, max_size=n))
    ranks = data.draw(st.lists(st.tuples(numbers, numbers), min_size=n, max_size=n))
    values = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(counts), max_size=len(counts)))
    rules = data.draw(
        st.lists(
            st.tuples(numbers, st.sampled_from([(-1, -1), (0, -1), (1, 0), (0, 1)])), max_size=3
        )
    )
    total, deciders = 0.0, []
    for at in range(len(counts)):
        moves = list(range(first[at], first[at + 1]))
        chosen, decider = moves, -1
        for number, (need, wants) in enumerate(rules):
            fit = [m for m in moves if bits[m] & need == need]
            if fit:
                for want in (w for w in wants if w != -1):
                    best = max(ranks[m][want] for m in fit)
                    fit = [m for m in fit if ranks[m][want] == best]
                chosen, decider = fit, number
                break
        deciders.append(decider)
        total += weights[at] * float(np.mean([values[m] for m in chosen]))
    found = np.zeros(len(counts), dtype=np.int64)
    run = core.Struct(
        "examples",
        first=np.asarray(first, dtype=np.int64),
        count=len(counts),
        bits=np.array(bits, dtype=np.uint64),
        ranks=np.array(ranks, dtype=np.int16).reshape(n, 2),
        preferences=2,
        values=np.array(values),
        weights=np.array(weights, dtype=np.float64),
        slots=2,
        chosen=np.empty(n, dtype=np.int64),
        decider=found,
    )
    needs = np.array([need for need, _ in rules] or [0], dtype=np.uint64)
    preferred = np.array([wants for _, wants in rules] or [(-1, -1)], dtype=np.int64)
    score = core.function("lists_score")(run, needs, preferred, len(rules))
    assert score == pytest.approx(total / sum(weights))
    assert found.tolist() == deciders


@cache
def tictactoe_examples() -> Examples:
    """All positions in which a role chooses, each move worth exactly what it is."""
    terms = shared_terms("tictactoe", math.inf)
    game = next(iter(terms.players.values())).game
    examples = Examples.none(terms)
    solution = solve(explore(game))
    value = {solution.space.state(i).key: solution.value(i) for i in range(len(solution.space))}
    for role in game.roles:
        going_on = [key for key in value if not State(game, key).is_terminal]
        keys = [key for key in going_on if len(State(game, key).legal(role)) > 1]
        rows = Blocks(game).rows(sorted(cast(int, key) for key in keys))
        choices = estimate_moves(game, role, Positions.alone(game, rows), playouts=2, seed=1)
        children = Blocks(game).expand(rows).states
        exact = [value[key][role] / 100 for key in Blocks(game).keys(children)]
        choices.values[:] = exact
        examples.add(choices, role)
    return examples


def test_a_fit_finds_a_list_without_a_mistake_where_there_is_one() -> None:
    examples = tictactoe_examples()
    best = np.maximum.reduceat(examples.values, examples.first[:-1]).mean()
    found = fit_list(examples, most=6, steps=6000, price=1e-4, seed=1)
    assert len(found) <= 6
    assert examples.score(found)[0] > best - 0.01
    again = fit_list(examples, most=6, steps=6000, price=1e-4, seed=1)
    assert again == found


@given(st.integers(1, 5), st.integers(0, 2**32))
def test_examples_that_are_drawn_anew_are_the_same_with_other_weights(many: int, seed: int) -> None:
    examples = replace(tictactoe_examples(), first=np.arange(many + 1), weights=np.full(many, 2.0))
    drawn = examples.redrawn(seed)
    assert len(drawn) == many
    assert drawn.weights.sum() > 0
    assert set(drawn.weights % 2) == {0}
    assert np.array_equal(drawn.weights, examples.redrawn(seed).weights)


def test_pruning_leaves_out_what_changes_nothing() -> None:
    examples = tictactoe_examples()
    win = Rule(("win",))
    assert pruned(examples, (win, win)) == (win,)
    score, _ = examples.score((win,))
    for one in neighbours(examples, (win,), most=4, count=10, drawn=5, seed=1):
        assert one != (win,)
        assert examples.score(one)[0] != score or size_of(one) < size_of((win,))


def test_pruning_keeps_what_changes_a_move_that_seems_as_good() -> None:
    examples = tictactoe_examples()
    alike = replace(examples, values=np.zeros(len(examples.values)))
    win = Rule(("win",))
    assert pruned(alike, (win, win)) == (win,)


@pytest.mark.parametrize("name", ["connectfour", "breakthrough:5x4", "hex:3"])
def test_everything_that_rules_ask_is_said_in_one_short_sentence(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    role = game.roles[0]
    vocabulary = vocabulary_for(game, role)
    asked = [Rule((f.name,)) for f in vocabulary.conditions]
    asked += [Rule((), (f.name,)) for f in vocabulary.preferences]
    texts = {f.name: f.formula for f in (*vocabulary.conditions, *vocabulary.preferences)}
    text = list_text(tuple(asked), texts, vocabulary.places)
    found = sentences(read_strategy(text, game), role)
    assert len(found) == len(asked)
    for rule, sentence in zip(asked, found, strict=True):
        assert len(sentence) < 400, (rule, sentence)
        odd = ("«", "best by", "the move of you", "argument")
        assert not any(part in sentence for part in odd), sentence


def test_a_forced_win_is_one_that_no_replies_avert() -> None:
    """Against all lines of play, in positions of random matches."""
    game = CompiledGame(load_sheet("connect:3,4x4"))
    vocabulary = {f.name: f for f in vocabulary_for(game, "xplayer").conditions}

    def forces(state: State, who: str, moves: int) -> set[Move]:
        """Return the moves with which a role wins with its last of so many moves at the latest."""
        found = set()
        for move in state.legal(who):
            after = step(state, who, move)
            if after.is_terminal:
                if after.goals[who] == 100:
                    found.add(move)
                continue
            other = next(role for role in game.roles if role != who)
            replies = [step(after, other, reply) for reply in after.legal(other)]
            if moves > 1 and all(not s.is_terminal and forces(s, who, moves - 1) for s in replies):
                found.add(move)
        return found

    def step(state: State, who: str, move: Move) -> State:
        joint = tuple(move if role == who else state.legal(role)[0] for role in game.roles)
        return game.successor(state.key, joint)

    source = random.Random(4)
    seen = [s for s in some_states(game, source, 60) if len(s.legal("xplayer")) > 1]
    met = {"force": 0, "no force": 0}
    for name in met:
        rule = read_strategy(f"symmetric none\n{vocabulary[name].formula} => any", game)
        for state in seen:
            found = set(rule.moves(state, "xplayer"))
            if name == "force":
                winning = {
                    m for m in state.legal("xplayer") if step(state, "xplayer", m).is_terminal
                }
                expected = forces(state, "xplayer", 3) - winning
            else:
                after = {m: step(state, "xplayer", m) for m in state.legal("xplayer")}
                expected = {
                    m for m, s in after.items() if s.is_terminal or not forces(s, "oplayer", 3)
                }
            assert found == expected, (name, str(state))
            met[name] += 0 < len(found) < len(state.legal("xplayer"))
    assert all(met.values())
