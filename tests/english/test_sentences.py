"""Sentences mean exactly the rules that they were made of, and can be read back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine.compiled.game import CompiledGame
from kibitz.english import (
    Lexicon,
    PlainRule,
    Scene,
    lexicon_file,
    plain_rule,
    read_back,
    read_lexicon,
    say,
    say_move,
    scene_of,
    sentences,
)
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import parse, parse_terms, read
from kibitz.strategy import read_strategy

GAMES = (
    ("tictactoe", "xplayer"),
    ("tictactoe", "oplayer"),
    ("nim:1,3,5", "player2"),
    ("nim:2,2,3", "player1"),
    ("sim", "blue"),
    ("connect:3,4x4", "oplayer"),
    ("threemensmorris", "xplayer"),
    ("hanoi:3", "player"),
    ("maze", "robot"),
    ("lightsout:3x3", "player"),
    ("crossdot:6,3", "player1"),
    ("domineering:3x3", "vertical"),
    ("kayles:7", "player1"),
    ("mnk:4,3,3", "oplayer"),
)


@cache
def scene(name: str, role: str) -> Scene:
    game = CompiledGame(load_sheet(name))
    return scene_of(game, role if role in game.roles else game.roles[0])


@st.composite
def rules(draw: st.DrawFn, here: Scene) -> PlainRule:
    fluents = draw(st.lists(st.sampled_from(here.fluents), max_size=4, unique=True))
    signs = draw(st.lists(st.booleans(), min_size=len(fluents), max_size=len(fluents)))
    moves = draw(st.lists(st.sampled_from(here.moves), min_size=1, max_size=2, unique=True))
    if draw(st.integers(0, 9)) == 0:
        moves = list(here.every_move)
    asked = draw(st.lists(st.sampled_from(list(here.formulas)), max_size=1))
    literals = frozenset(zip(fluents, signs, strict=True))
    return PlainRule(literals, frozenset().union(*asked), frozenset(moves))


@pytest.mark.parametrize(("name", "role"), GAMES, ids=[f"{n}-{r}" for n, r in GAMES])
@examples(25)
@given(data=st.data())
def test_a_sentence_read_back_is_the_rule_and_its_images(
    name: str, role: str, data: st.DataObject
) -> None:
    here = scene(name, role)
    rule = data.draw(rules(here))
    told = say(here, rule).text
    assert read_back(here, told) == here.images(rule), told


@examples(25)
@given(data=st.data())
def test_without_symmetry_a_sentence_means_one_rule(data: st.DataObject) -> None:
    here = scene("tictactoe", "xplayer")
    rule = data.draw(rules(here))
    told = say(here, rule, symmetric=False).text
    assert read_back(here, told) == {rule}, told


@examples(40)
@given(data=st.data())
def test_rules_that_are_no_images_of_each_other_have_different_sentences(
    data: st.DataObject,
) -> None:
    here = scene("threemensmorris", "oplayer")
    one, two = data.draw(rules(here)), data.draw(rules(here))
    same = say(here, one).text == say(here, two).text
    assert same <= (two in here.images(one))


def told(name: str, role: str, text: str) -> list[str]:
    here = scene(name, role)
    return sentences(read_strategy(text, here.game), role)


def test_tictactoe_is_told_by_corners_edges_and_the_centre() -> None:
    text = """
next wins(me) => {(mark 1 1), (mark 1 2), (mark 1 3), (mark 2 1), (mark 2 2), (mark 2 3), \
(mark 3 1), (mark 3 2), (mark 3 3)}
true => (mark 2 2)
(cell 3 1 b) & (cell 3 2 b) & (cell 3 3 b) => (mark 1 2)
(cell 1 2 x) => (mark 1 1)
(cell 1 3 o) & not (cell 3 2 o) => (mark 1 2)
not (cell 3 3 o) => (mark 1 1)
(cell 2 1 x) & (cell 1 2 x) => (mark 1 1)
"""
    assert told("tictactoe", "xplayer", text) == [
        "Win at once if you can.",
        "Take the centre if you can.",
        "Take an edge if both far corners and the opposite edge are empty.",
        "Take a corner if an edge next to it is yours.",
        "Take an edge if a corner next to it is the opponent's and the opposite edge is not "
        "the opponent's.",
        "Take a corner if the opposite corner is not the opponent's.",
        "Take a corner if both edges next to it are yours.",
    ]


def test_other_boards_have_their_own_words() -> None:
    assert told("nim:1,3,5", "player2", "(heap b 1) & not (heap c 0) => (reduce a 0)") == [
        "Reduce heap a to 0 if heap b has 1 and heap c is not empty."
    ]
    assert told("sim", "blue", "(edge 1 2 red) & (edge 2 3 blue) => (colour 1 3)") == [
        "Colour line AB if line BC is yours and line AC is the opponent's, for any points A, B "
        "and C."
    ]
    assert told("connect:3,4x4", "oplayer", "(cell 1 1 o) => (drop 1)\ntrue => (drop 2)") == [
        "Drop in column 1 if the bottom left corner is yours, or the same mirrored.",
        "Drop in a middle column if you can.",
    ]
    assert told("threemensmorris", "xplayer", "(hand oplayer 0) => (move 1 1 2 2)") == [
        "Move from a corner to the centre if the opponent's hand is 0."
    ]
    assert told("hanoi:3", "player", "not (on 1 a) => (move 2 c)") == [
        "Move 2 to c if 1 is not on a."
    ]


LONE_ROOK = """(role me) (init (cell a 1 wr)) (init (cell d 4 b))
(<= (init (cell ?f ?r b)) (file ?f) (rank ?r) (distinct ?f a) (distinct (at ?f ?r) (at d 4)))
(<= (init (cell a ?r b)) (rank ?r) (distinct ?r 1))
(<= (legal me (move ?p ?f ?r ?f ?s)) (true (cell ?f ?r ?p)) (true (cell ?f ?s b)) (distinct ?p b))
(<= (legal me (move ?p ?f ?r ?g ?r)) (true (cell ?f ?r ?p)) (true (cell ?g ?r b)) (distinct ?p b))
(<= (next (cell ?g ?s ?p)) (does me (move ?p ?f ?r ?g ?s)))
(<= (next (cell ?f ?r b)) (does me (move ?p ?f ?r ?g ?s)))
(<= (next (cell ?h ?t b)) (does me (move ?p ?f ?r ?g ?s)) (true (cell ?h ?t b))
    (distinct (at ?g ?s) (at ?h ?t)))
(<= terminal (true (cell d 4 wr))) (<= (goal me 100) (true (cell d 4 wr)))
(<= (goal me 0) (not (true (cell d 4 wr))))
(file a) (file b) (file c) (file d) (rank 1) (rank 2) (rank 3) (rank 4)"""


def test_one_move_names_the_piece_it_takes_along_and_cells_of_a_column_together() -> None:
    rook = CompiledGame(parse(LONE_ROOK))
    (first, *_) = rook.initial().legal("me")
    _, _, _, column, row = map(str, first.args)
    assert say_move(scene_of(rook, "me"), first) == f"move wr from a1 to {column}{row}"
    upright = scene("domineering", "vertical")
    move = upright.game.initial().legal("vertical")[0]
    assert say_move(upright, move) == "put one on rows 1 and 2 of column 1"
    waiting = upright.game.initial().legal("horizontal")[0]
    assert say_move(scene("domineering", "horizontal"), waiting) == "wait"


def test_other_formulas_are_told_in_words_and_read_back() -> None:
    here = scene("tictactoe", "xplayer")
    for text, start in (
        (
            "next (cell 1 1 x) => (mark 2 2)",
            "Take the centre if after the move the top left corner is yours",
        ),
        ("next decided => (mark 2 2)", "Take the centre if after the move the relation decided"),
        (
            "cell(1,1,x) or cell(2,1,o) and not next next wins(me) => (mark 2 2)",
            "Take the centre if either",
        ),
        (
            "not (cell(1,1,b) or cell(3,3,b)) => (mark 2 2)",
            "Take the centre if neither the top left corner nor the bottom right corner is empty",
        ),
        (
            "next not (cell(1,1,x) or cell(3,3,x) or cell(1,3,x)) => (mark 2 2)",
            "Take the centre if after the move none of",
        ),
        ("goal(opponent) >= 50 => (mark 2 2)", "Take the centre if the opponent's goal is at "),
        ("legal(me, mark(1,1)) => (mark 2 2)", "Take the centre if you may play “mark 1 1”"),
    ):
        (line,) = told("tictactoe", "xplayer", text)
        assert line.startswith(start)
        assert "«" not in line
        plain = plain_rule(read_strategy(text, here.game).rules_for("xplayer")[0])
        assert plain is not None
        assert read_back(here, line) == here.images(plain)


def test_moves_without_places_are_said_in_words_not_in_kif() -> None:
    text = (
        "(role pia) (init (at a)) (next (at b)) (edge a b) (edge b a) (edge a c) (edge c a)"
        "(<= (legal pia (move ?x ?y)) (true (at ?x)) (edge ?x ?y))"
        "(<= terminal (true (at c))) (goal pia 100)"
    )
    here = scene_of(CompiledGame(parse(text)), "pia")
    (line,) = sentences(read_strategy("(at a) => (move a c)", here.game), "pia")
    assert line.startswith("Play “move a c” if ")
    old = line.replace("“move a c”", "(move a c)")  # as it was written before
    assert read_back(here, line) == read_back(here, old)


def test_a_move_that_waits_is_said_so_whatever_number_its_name_has() -> None:
    text = load_sheet("nim:1,2").source.text.replace("noop", "noop2")
    game = CompiledGame(read(text))
    (waiting,) = game.initial().legal("player2")
    assert say_move(scene_of(game, "player2"), waiting) == "wait 2"


def test_what_is_not_a_sentence_is_refused() -> None:
    here = scene("tictactoe", "xplayer")
    for text in ("Take the moon if you can.", "Take the centre if it rains.", "Hello."):
        with pytest.raises(InputError, match="not a sentence about tictactoe"):
            read_back(here, text)


def test_a_lexicon_beside_a_rule_sheet_changes_the_words(tmp_path: Path) -> None:
    rules = tmp_path / "mine.kif"
    rules.write_text(load_sheet("threemensmorris").source.text)
    file = tmp_path / "mine.words.toml"
    file.write_text(
        '[roles]\nxplayer = "Cross"\n[cells]\n"1 1" = "the north-west point"\n'
        '[moves]\nplace = "set a man down on {1}"\nmove = "shift a man from {1} to {2}"\n'
        '[pieces]\no = "an enemy"\n[fluents]\nhand = "{1} has {2} men left"\n'
    )
    assert lexicon_file(rules) == file
    game = CompiledGame(read(rules.read_text(), name=str(rules)))
    here = Scene(game, "xplayer", read_lexicon(file))
    cell, hand = parse_terms("(cell 2 2 o) (hand xplayer 2)")
    for text, expected in (
        ("(place 1 1)", "Set a man down on a corner"),
        ("(move 1 1 1 2)", "Shift a man from the north-west point to the top edge"),
    ):
        rule = PlainRule(
            frozenset({(cell, True), (hand, False)}), frozenset(), frozenset(parse_terms(text))
        )
        symmetric = "place" in text
        line = say(here, rule, symmetric=symmetric).text
        assert line.startswith(expected)
        assert "the centre holds an enemy and it is not true that Cross has 2 men left" in line
        assert read_back(here, line) == (here.images(rule) if symmetric else {rule})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[names]\na = 'b'", "there is no 'names' here"),
        ("cells = 3", "cells should be a table"),
        ("[moves]\nmark = 7", "moves.mark should be a few words"),
        ("[cells]\na = 'here'\nb = 'here'", "have the same words"),
        ("[", "words.toml"),
    ],
)
def test_a_lexicon_that_cannot_be_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.words.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_lexicon(file)


def test_the_words_of_a_lexicon_never_hide_a_difference() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    here = Scene(game, "xplayer", Lexicon(moves={"mark": "do something"}))
    moves = [parse_terms(f"(mark {r} 2)")[0] for r in (1, 2)]
    lines = [say(here, PlainRule(frozenset(), frozenset(), frozenset({m}))).text for m in moves]
    assert lines == ["Take an edge if you can.", "Take the centre if you can."]


@needs_foreign
@pytest.mark.parametrize("name", ["nim1", "ticTicToe", "bunk_t", "blocks"])
@examples(15)
@given(data=st.data())
def test_sentences_about_foreign_games_are_read_back(name: str, data: st.DataObject) -> None:
    here = foreign(name)
    rule = data.draw(rules(here))
    line = say(here, rule).text
    assert read_back(here, line) == here.images(rule), line


@cache
def foreign(name: str) -> Scene:
    path = FOREIGN / "rules" / f"{name}.kif"
    game = CompiledGame(read(path.read_text("utf-8"), name=name))
    return scene_of(game, game.roles[0])


CHASE = """
(<= (goal ?r 100) (won ?r))
(init (on dog 0))
(<= (legal ?r stay) (true (control ?r)))
(edge 0 1)
(<= (won fox) home)
(<= settled (won ?r))
(after dog fox)
(<= (next (control ?b)) (true (control ?a)) (after ?a ?b))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(edge 1 2)
(edge 0 2)
(<= (next (fixed ?x)) (true (fixed ?x)))
(<= (joined ?a ?b) (or (edge ?a ?b) (edge ?b ?a)))
(<= (legal ?r (go ?a ?b)) (true (control ?r)) (true (on ?r ?a)) (joined ?a ?b))
(<= (goal ?r 0) (role ?r) (won ?q) (distinct ?r ?q))
(init (control fox))
(role fox)
(<= (next (on ?r ?a)) (true (on ?r ?a)) (not (goes ?r)))
(<= (next (on ?r ?b)) (does ?r (go ?a ?b)))
(after fox dog)
(edge 2 3)
(<= met (true (on fox ?a)) (true (on dog ?a)))
(role dog)
(init (on fox 1))
(<= terminal met)
(<= (goes ?r) (does ?r (go ?a ?b)))
(<= (won dog) met)
"""


def test_a_phrase_that_never_holds_of_a_move_does_not_keep_others_from_being_read() -> None:
    game = CompiledGame(read(CHASE, name="chase"))
    for role in game.roles:
        scene = scene_of(game, role)
        never = "at(nearer)" if role == "fox" else "next not can(opponent, at(opponent, nearer))"
        with pytest.raises(KibitzError, match="never holds of"):
            scene.read_formula(never)
        assert scene.formulas
