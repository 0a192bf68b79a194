"""Rules that people remember: found under any names, right, and honest about their sizes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.strategy.dominoes import domino_sheet
from tests.strategy.heaps import heap_sheet, row_sheet
from tests.synth.makers import line_sheet

from kibitz.engine import CompiledGame
from kibitz.english import plain_rule, read_back, scene_of
from kibitz.games import larger_games, load_sheet
from kibitz.gdl import Function, RuleSheet
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.strategy import verify_by_reference
from kibitz.synth import Insight, find_insight, insight_sentences, sizes_sentence
from kibitz.synth.insight.heaps import Heaps, heap_values, heaps_of
from kibitz.synth.insight.replies import pairs_within
from kibitz.synth.insight.rows import octal_table, rows_of


def solved(sheet: RuleSheet) -> Solution:
    return solve(explore(CompiledGame(sheet)))


def found_for(sheet: RuleSheet, role: str) -> Insight:
    found = find_insight(solved(sheet), role)
    assert found is not None
    again = verify_by_reference(found.strategy, role)
    assert again.strongly_optimal
    assert again.makes_progress
    return found


def test_take_one_to_three_from_21_is_one_rule_for_every_number() -> None:
    found = found_for(heap_sheet((21,), (1, 2, 3)), "ann")
    assert insight_sentences(found) == ["Leave a multiple of 4 in stock if you can."]
    assert found.holds_for.proved
    assert "every number in stock" in sizes_sentence(found.holds_for)
    assert "bring it back" in found.why[0]


@pytest.mark.parametrize("downwards", [False, True])
def test_nim_of_letters_is_the_nim_sum_whichever_way_the_chain_goes(downwards: bool) -> None:
    found = found_for(heap_sheet((2, 3, 4), downwards=downwards), "ann")
    assert found.rule_texts == ["next nimsum(stock.1) = 0 => any"]
    assert found.holds_for.proved


def test_misere_nim_is_two_rules() -> None:
    found = found_for(heap_sheet((1, 2, 4), misere=True), "ann")
    assert len(found.rule_texts) == 2
    assert found.holds_for.proved


@pytest.mark.parametrize(
    ("takes", "misere", "rule"),
    [
        ((1, 3, 4), False, "next (stock.1 % 7 = 0 or stock.1 % 7 = 2) => any"),
        ((1, 2, 3), True, "next (stock.1 % 4 = 1) => any"),
        ((1, 2), False, "next (stock.1 % 3 = 0) => any"),
        # Four remainders are lost, and three of them can always be left.
        (
            (2, 5, 6),
            True,
            "next (stock.1 % 11 = 2 or stock.1 % 11 = 3 or stock.1 % 11 = 6) => any",
        ),
    ],
)
def test_subtraction_sets_are_remainders(takes: tuple[int, ...], misere: bool, rule: str) -> None:
    found = found_for(heap_sheet((13,), takes, misere=misere), "ann")
    assert found.rule_texts == [rule]
    assert found.holds_for.proved


def test_several_heaps_of_a_subtraction_set_have_values() -> None:
    some = found_for(heap_sheet((5, 6), (1, 2, 3)), "ann")
    assert some.rule_texts == ["next nimsum(stock.1 % 4) = 0 => any"]
    others = found_for(heap_sheet((5, 6), (2, 3)), "ann")
    assert others.rule_texts == ["next nimsum(table(stock.1, 0, 0, 1, 1, 2)) = 0 => any"]


@given(st.sets(st.integers(1, 6), min_size=1, max_size=3), st.booleans())
@examples(30)
def test_periods_of_values_go_on(takes: set[int], misere: bool) -> None:
    """The values of the first 300 heaps, computed one by one, are those that the period gives."""
    heaps = Heaps("n", 1, 1, 9, tuple(sorted(takes)), misere)
    values = heap_values(heaps)
    assert values is not None
    known: list[int] = []
    for number in range(300):
        options = {known[number - k] for k in takes if k <= number}
        if misere:
            known.append(int(not options or 0 in options))
        else:
            known.append(min(set(range(len(options) + 1)) - options))
        assert values.of(number) == known[number]


def test_what_only_looks_like_heaps_is_refused() -> None:
    assert heaps_of(solved(heap_sheet((3, 3), both=True)).space) is None
    assert heaps_of(solved(load_sheet("kayles:4")).space) is None
    assert rows_of(solved(load_sheet("crossdot:4,2")).space) is None


def test_wythoffs_game_is_a_table_of_cold_pairs() -> None:
    found = found_for(heap_sheet((6, 8), both=True), "ann")
    (rule,) = found.rule_texts
    assert rule.endswith("entry(number((stock _ q)), 0, 2, 1, 5, 7, 3, -1, 4) => any")
    assert found.holds_for.proved


@pytest.mark.parametrize(
    ("shape", "role"),
    [((2, 4), "dan"), pytest.param((3, 4), "eve", marks=pytest.mark.slow), ((2, 3), "eve")],
)
def test_dominoes_are_won_by_mirroring(shape: tuple[int, int], role: str) -> None:
    found = found_for(domino_sheet(*shape), role)
    assert found.rule_texts == ["next unchanged(half_turn) => any"]
    assert "image" in found.why[0]
    assert found.holds_for.proved


def test_kayles_and_dawsons_kayles_have_values_with_proved_periods() -> None:
    kayles = found_for(load_sheet("kayles:6"), "player1")
    assert kayles.rule_texts == ["next runs((pin _ up), 0, 1, 2, 3, 1, 4, 3) = 0 => any"]
    assert "period 12 from length 71" in kayles.holds_for.sizes
    dawson = found_for(row_sheet(8, (2,)), "flo")
    assert dawson.rule_texts == ["next runs((burns _), 0, 0, 1, 1, 2, 0, 3, 1, 1) = 0 => any"]
    assert "period 34 from length 53" in dawson.holds_for.sizes
    assert kayles.holds_for.proved
    assert dawson.holds_for.proved


@given(st.dictionaries(st.integers(1, 3), st.sets(st.integers(0, 2), min_size=1), min_size=1))
@examples(20)
def test_values_of_runs_are_those_of_all_splits(moves: dict[int, set[int]]) -> None:
    """By brute force: the value of a run of marks on a line, all of whose moves are tried."""

    @cache
    def worth(runs: tuple[int, ...]) -> int:
        seen = set()
        for index, run in enumerate(runs):
            others = runs[:index] + runs[index + 1 :]
            for taken, parts in moves.items():
                for first in range(run - taken + 1):
                    left = tuple(x for x in (first, run - taken - first) if x)
                    if len(left) in parts:
                        seen.add(worth(tuple(sorted(others + left))))
        return min(set(range(len(seen) + 1)) - seen)

    table = octal_table({taken: frozenset(parts) for taken, parts in moves.items()}, 7)
    assert table == tuple(worth((length,)) if length else 0 for length in range(8))
    assert worth((2, 5)) == table[2] ^ table[5]


@cache
def chomp(size: str) -> Insight:
    return found_for(load_sheet(f"chomp:{size}"), "player1")


def test_two_rows_of_chocolate_are_one_rule_for_every_length() -> None:
    found = chomp("2x3")
    assert found.rule_texts == ["next count((cell 1 _ choc)) - count((cell 2 _ choc)) = 1 => any"]
    assert found.holds_for.proved
    assert "2 rows with any number of columns" in found.holds_for.sizes


def test_square_chomp_is_won_by_mirroring_after_the_first_bite() -> None:
    (rule,) = chomp("3x3").rule_texts
    assert rule.startswith("next unchanged(diagonal)")
    assert chomp("3x3").holds_for.proved


def test_two_side_by_side_are_won_by_a_double_threat() -> None:
    found = found_for(load_sheet("crossdot:5,2"), "player1")
    assert insight_sentences(found) == [
        "Win at once if you can.",
        "Make a double threat if you can.",
    ]
    assert len(found.why) == 2
    assert found.holds_for.proved
    assert found.holds_for.sizes.startswith("every row of at least 3 boxes")


def test_a_breaker_answers_in_pairs() -> None:
    found = found_for(line_sheet(7, 3), "breaker")
    (rule,) = found.rules
    (sentence,) = insight_sentences(found)
    assert sentence == (
        "Leave no pair that is half the opponent's and half empty: spot 2 with spot 3; spot 4 with "
        "spot 5; spot 6 with spot 7 if you can."
    )
    assert "you can fill the other" in found.why[0]
    game = found.strategy.game
    assert isinstance(game, CompiledGame)
    scene, plain = scene_of(game, "breaker"), plain_rule(rule)
    assert plain is not None
    assert read_back(scene, sentence) == {replace(plain, moves=scene.named_moves(plain.moves))}


@given(st.lists(st.frozensets(st.sampled_from("abcdefg"), min_size=2, max_size=3), max_size=4))
@examples(60)
def test_pairs_are_found_if_and_only_if_there_are_some(ways: list[frozenset[str]]) -> None:
    found = pairs_within([frozenset(map(Function, way)) for way in ways])

    def exists(left: list[frozenset[str]], used: frozenset[str]) -> bool:
        if not left:
            return True
        for pair in map(frozenset, combinations(sorted(left[0] - used), 2)):
            rest = [way for way in left if not pair <= way]
            if exists(rest, used | pair):
                return True
        return False

    assert (found is not None) == exists(ways, frozenset())
    if found is not None:
        places = [thing for pair in found for thing in pair]
        assert len(set(places)) == len(places)
        assert all(any({a.name, b.name} <= way for a, b in found) for way in ways)


def test_games_without_such_rules_have_none() -> None:
    assert find_insight(solved(load_sheet("tictactoe")), "xplayer") is None


def test_larger_games_grow_in_every_direction() -> None:
    assert larger_games("kayles")[0][0] == "kayles:8"
    assert [names[0] for names in larger_games("nim:1,2")] == ["nim:2,2", "nim:1,3", "nim:2,3"]
    assert larger_games("no such game") == []
    assert all(
        name.startswith("chomp:20x") for names in larger_games("chomp:20x19") for name in names
    )


def test_a_race_is_a_heap_that_grows() -> None:
    text = """
    (role up) (role low) (init (at 0)) (init (next_is up))
    (<= (legal ?r (say ?m)) (true (next_is ?r)) (true (at ?n)) (plus ?n ?k ?m))
    (<= (legal ?r quiet) (role ?r) (not (true (next_is ?r))))
    (<= (next (at ?m)) (does ?r (say ?m)))
    (<= (next (next_is up)) (true (next_is low)))
    (<= (next (next_is low)) (true (next_is up)))
    (<= terminal (true (at 10)))
    (<= (goal ?r 0) (true (next_is ?r)))
    (<= (goal ?r 100) (role ?r) (not (true (next_is ?r))))
    """
    from kibitz.gdl import parse

    facts = [f"(plus {n} {k} {n + k})" for n in range(10) for k in (1, 2) if n + k <= 10]
    found = found_for(parse("\n".join([text, *facts]), name="race"), "up")
    assert insight_sentences(found) == ["Leave 1 more than a multiple of 3 in at if you can."]
    assert "added" in found.holds_for.sizes


@pytest.mark.slow
def test_wythoffs_game_on_twenty_by_twenty_is_one_table() -> None:
    found = found_for(heap_sheet((20, 20), both=True), "ann")
    (rule,) = found.rule_texts
    assert rule == (
        "next smallest(stock.1) = entry(distance(number((stock _ p)), number((stock _ q))), "
        "0, 1, 3, 4, 6, 8, 9, 11, 12) => any"
    )


@pytest.mark.slow
def test_cram_on_four_by_four_is_won_by_the_second_with_a_half_turn() -> None:
    found = found_for(domino_sheet(4, 4), "dan")
    assert found.rule_texts == ["next unchanged(half_turn) => any"]


@pytest.mark.slow
@pytest.mark.parametrize("heaps", [(1, 3, 5, 7), (2, 4, 6, 7), (9, 10, 12)])
@pytest.mark.parametrize("misere", [False, True])
def test_nim_with_any_heaps_is_proved(heaps: tuple[int, ...], misere: bool) -> None:
    solution = solved(heap_sheet(heaps, misere=misere))
    for role in ("ann", "bob"):
        found = find_insight(solution, role)
        assert found is not None
        assert found.holds_for.proved
        assert len(found.rule_texts) == 1 + misere
