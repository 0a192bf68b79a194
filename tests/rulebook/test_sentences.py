"""Sentences in English: what is written is read back, and what is not understood is pointed at."""

from __future__ import annotations

import contextlib
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.errors import RuleSheetError
from kibitz.rulebook import Rules, read_sentences, rulebook_gdl, write_rulebook
from kibitz.rulebook.grammar import Pattern, _items, _Slot
from kibitz.rulebook.model import YOU, Missing, MoveRule, Players
from kibitz.rulebook.reader import MAX_SENTENCES, MAX_WORDS
from kibitz.rulebook.sentences import GRAMMAR, SECTIONS

# Not "man": three men in a line are pieces where nothing else is called a man.
KIND = st.sampled_from(["piece", "king", "fox", "goose", "cross", "stone", "pony"])
PLAYER = st.sampled_from(["White", "Black", "Anna", "Hounds", "X1"])
BUILTINS: dict[str, st.SearchStrategy[Any]] = {
    "number": st.integers(0, 30),
    "size": st.integers(1, 99),
    "kind": KIND,
    "kinds": KIND,
    "own": KIND,
    "named": KIND,
    "ordinal": st.integers(2, 9),
    "player": PLAYER,
    "who": PLAYER | st.just(YOU),
    "owner": PLAYER | st.just(YOU) | st.just("opponent"),
    "whose": PLAYER | st.just(YOU),
    "cell": st.sampled_from(["a1", "b2", "c12", "north", "7", "q"]),
    "letter": st.sampled_from("abcdz"),
    "word": st.sampled_from(["rock", "paper", "scissors", "swerve"]),
    "title": st.sampled_from(["Chess", "Wythoff's game", "3 for 3"]),
}


def values(symbol: str) -> st.SearchStrategy[Any]:
    """Values of a symbol, made from the table of patterns."""
    if symbol in BUILTINS:
        return BUILTINS[symbol]
    return st.one_of([made_by(pattern) for pattern in GRAMMAR.of(symbol)])


def made_by(pattern: Pattern) -> st.SearchStrategy[Any]:
    make: Any = pattern.make
    if not isinstance(make, type):
        return st.just(make)
    slots = {
        item.field: st.lists(values(item.symbol), min_size=1, max_size=3, unique=True).map(tuple)
        if item.joiner
        else values(item.symbol)
        for item in _items(pattern.template)
        if isinstance(item, _Slot)
    }
    fixed = {name: st.just(value) for name, value in pattern.fixed.items()}
    rest = {one.name: st.none() for one in fields(pattern.make)}
    return st.builds(make, **{**rest, **fixed, **slots})


SENTENCE = values("sentence")


@examples(300)
@given(st.lists(SENTENCE, min_size=1, max_size=6))
def test_what_is_written_is_read_back(sentences: list[Any]) -> None:
    rules = Rules.of(sentences)
    read = read_sentences(write_rulebook(rules)).rules.sentences
    if not any(isinstance(one, Players) for one in sentences):  # who starts with pieces plays
        read = tuple(one for one in read if not isinstance(one, Players))
    assert Rules.of(read) == rules


@pytest.mark.parametrize(
    "example",
    [text for p in GRAMMAR.of("sentence") for text in GRAMMAR.examples(p)],
)
def test_every_pattern_is_written_as_it_is_read(example: str) -> None:
    (sentence,) = read_sentences(example).rules.sentences
    assert GRAMMAR.sentence(sentence) == example


def test_every_spelling_is_understood() -> None:
    for pattern in [p for section in SECTIONS.values() for p in section]:
        for text in GRAMMAR.spellings(pattern):
            tokens = read_tokens(text)
            value, reached, expected = GRAMMAR.parse(tokens, pattern.symbol)
            assert value is not None, (pattern.symbol, text, reached, expected)


def read_tokens(text: str) -> list[Any]:
    from kibitz.rulebook.reader import _tokens

    return _tokens(text, 0, len(text))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Size: 3 by 4", "The board is a grid of 3 columns and 4 rows."),
        ("Size: 3x4\n", "The board is a grid of 3 columns and 4 rows."),
        ("Anna and Bert take turns.", "Players: Anna and Bert."),
        ("There are heaps of 3, 4 and 5 stones.", "There are piles of 3, 4 and 5 counters."),
        ("If the board is full, it is a draw.", "The game is a draw if the board is full."),
        ("Whoever cannot move loses.", "You lose if you cannot move."),
        (
            "On your turn, place one of your pieces on an empty square.",
            "On your turn, place a piece on an empty cell.",
        ),
        (
            "You win if you have three in a row.",
            "You win if you have three in a line.",
        ),
        (
            "On the fox’s turn, pass.",
            None,
        ),
        ("On Fox’s turn, pass.", "On Fox's turn, pass."),
    ],
)
def test_people_vary_and_one_spelling_is_written(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(RuleSheetError):
            read_sentences(text)
    else:
        assert write_rulebook(read_sentences(text).rules) == canonical


def test_a_sentence_may_go_on_in_the_next_line_and_comments_are_left_out() -> None:
    text = "# A game\nOn your turn, # what you do\n  place a piece\non an empty cell.\n"
    (sentence,) = read_sentences(text).rules.sentences
    assert isinstance(sentence, MoveRule)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("The board is purple.", "The board is a row of 3 cells."),
        ("You win if the board is purple.", "You win if the board is full."),
        ("White shall begin.", "White begins."),
    ],
)
def test_the_nearest_sentence_begins_in_the_same_way(text: str, near: str) -> None:
    with pytest.raises(RuleSheetError, match=f'understood: "{near}"'):
        read_sentences(text)


def test_an_error_points_at_the_word_and_gives_the_nearest_sentence() -> None:
    text = "Players: White and Black.\nThe board is a grid of 3 colums and 3 rows.\n"
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(text, name="my.rules.txt")
    assert str(caught.value) == (
        "my.rules.txt:2:26: ENG001: 'colums' is not understood here; expected 'by' or 'columns'\n"
        "   2 | The board is a grid of 3 colums and 3 rows.\n"
        "     |                          ^^^^^^\n"
        '  hint: a sentence like this is understood: "The board is a grid of 3 columns and 3 rows."'
    )


def test_all_sentences_that_are_not_understood_are_reported() -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences("Hello there. Players: White and Black. You win if you are happy.")
    assert [d.code for d in caught.value.diagnostics] == ["ENG001", "ENG001"]
    assert "You win if you have three in a line." not in caught.value.diagnostics[0].hint


def test_an_end_of_a_sentence_that_comes_too_early_is_pointed_at() -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences("You win if you have three in.")
    assert "the end of the sentence is not understood here" in str(caught.value)


WHOLE = "Size: 3 by 3. Players: White and Black. {} You win if you have three in a line."


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        (WHOLE.format("White starts with pieces on d1."), "ENG003", "d1"),
        (WHOLE.format("On Whyte's turn, pass."), "ENG003", "Whyte"),
        (WHOLE.format("On your turn, move a king one step up to an empty cell."), "ENG003", "king"),
        (WHOLE.format(""), "ENG002", "S"),
        ("Size: 3 by 3. On your turn, pass.", "ENG002", "S"),
        ("Players: White and Black. On your turn, pass.", "ENG002", "P"),
        ("Size: 99 by 3. Players: A1 and B1. On your turn, pass. You lose if you cannot move.",
         "ENG004", "Size: 99 by 3"),
        (WHOLE.format("On your turn, move a piece one step clockwise to an empty cell."),
         "ENG005", "On your turn, move a piece one step clockwise to an empty cell"),
        (WHOLE.format("Players: Red and Blue."), "ENG005", "Players: Red and Blue"),
    ],
)  # fmt: skip
def test_what_makes_no_game_is_reported_at_its_place(text: str, code: str, word: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        rulebook_gdl(text)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert text[slice(*found.place)] == word


def test_texts_without_end_are_refused() -> None:
    for text in (
        "White begins. " * (MAX_SENTENCES + 1),
        "You win if " + "the board is full and " * MAX_WORDS + "the board is full.",
        "a" * 30_000,
    ):
        with pytest.raises(RuleSheetError) as caught:
            read_sentences(text)
        assert caught.value.diagnostics[0].code == "ENG004"


@examples(100)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(RuleSheetError):
        rulebook_gdl(text)


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (("b2",), "The cell b2 is not part of the board."),
        (("a1", "b2"), "The cells a1 and b2 are not part of the board."),
    ],
)
def test_one_cell_that_is_missing_is_written_as_one(cells: tuple[str, ...], sentence: str) -> None:
    assert GRAMMAR.sentence(Missing(cells)) == sentence
    (read_back,) = read_sentences(sentence).rules.sentences
    assert read_back == Missing(cells)
