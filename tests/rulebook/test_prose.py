"""Rules as people write them: what each sentence says, whole texts as games, and never a guess."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

import kibitz
from kibitz.errors import RuleSheetError
from kibitz.rulebook import read_sentences, rulebook_gdl, write_rulebook
from kibitz.rulebook.grammar import MAX_WORK
from kibitz.rulebook.prose.reader import MAX_PARSES, Prose
from kibitz.rulebook.reader import _sentences
from kibitz.space import explore

SAID = {
    "White has a king on a1; Black's king starts on c3.": (
        "Players: White and Black.\nWhite starts with kings on a1.\nBlack starts with kings on c3."
    ),
    "White starts with a king in a1, black starts with two rooks on the top row at b3 and c3.": (
        "Players: White and Black.\nWhite starts with one king on a1.\n"
        "Black starts with two rooks on b3 and c3."
    ),
    "We play this on a strip of nine cells in a row.": "The board is a row of 9 cells.",
    "The board has 5 rows and 4 columns.": "The board is a grid of 4 columns and 5 rows.",
    "We play on a 5x4 board, four squares wide and five high.": (
        "The board is a grid of 4 columns and 5 rows."
    ),
    "There are three heaps containing 3, 4 and 5 stones.": (
        "There are piles of 3, 4 and 5 counters."
    ),
    "At each turn a player puts one counter of their colour on a free square.": (
        "On your turn, place a counter on an empty cell."
    ),
    "Players take turns dropping a disc into a column.": "On your turn, drop a disc into a column.",
    "A pawn goes one square straight ahead when nothing is there.": (
        "On your turn, move a pawn one step forward to an empty cell."
    ),
    "Pawns step one square forward, and capture one square diagonally forward.": (
        "On your turn, move a pawn one step forward to an empty cell.\n"
        "On your turn, move a pawn one step diagonally forward onto a piece of your opponent to "
        "capture it."
    ),
    "A man moves one square forward, straight or diagonally.": (
        "On your turn, move a man one step forward or diagonally forward to an empty cell."
    ),
    "Stones jump over an enemy stone in any direction horizontally or vertically to take it.": (
        "On your turn, jump with a stone straight over a stone of your opponent to the empty cell "
        "behind it, which captures it."
    ),
    "Take 1, 2 or 3 matches from the pile.": (
        "On your turn, take one to three counters from a pile."
    ),
    "The first player to get four marks in a row, column or diagonal is the winner.": (
        "You win if you have four in a line."
    ),
    "Whoever forms a horizontal or vertical line of three stones loses.": (
        "You lose if you have three stones in a horizontal or vertical line."
    ),
    "When the board is full and nobody has won, it's a tie.": (
        "The game is a draw if the board is full."
    ),
    "The last player able to move wins.": "You lose if you cannot move.",
    "Reach the far side with two of your men to win.": (
        "You win if you have at least two men on the last row."
    ),
    "If you can capture, you have to.": "You must capture if you can.",
}
"""Sentences, and what they say in the sentences of the table."""


@pytest.mark.parametrize("text", SAID)
def test_a_sentence_says_what_its_phrases_say(text: str) -> None:
    assert write_rulebook(read_sentences(text).rules).replace("can must", "can") == SAID[text]


NOT_SAID = [
    "A pawn moves one step forward unless it is blocked.",  # a condition
    "Move two pieces one step forward.",  # a move is one of one piece
    "You win if you capture an enemy stone.",  # the first, not all
    "Whoever captures three enemy stones wins.",
    "A man moves in a straight line or diagonally.",  # or in which directions?
    "You win with three in a row or diagonal.",
    "A player may not move the same piece twice in a row.",
    "White may not capture on the first move.",
    "The game is a draw after 20 moves without a capture.",
    "Black moves twice on his first turn.",
    "Black wins ties.",
    "Captured pieces return to their owner.",
    "A king moves one step next to a stone.",
]


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_cannot_be_said_is_an_error_and_not_a_guess(text: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(f"White and Black play on a 5x5 board. {text}")
    assert {one.code for one in caught.value.diagnostics} == {"ENG001"}
    assert all(one.place.start >= 35 for one in caught.value.diagnostics)


LANE = """Size: 3 by 4. Each player has three men on the first row. A man moves one square forward
to a free square{}. You lose if you cannot move. """


@pytest.mark.parametrize(
    ("more", "remark"),
    [
        (", or one square diagonally forward to take an enemy man", "There are no captures."),
        ("", "You may not move forward."),
        ("", "The board is four squares wide and five high."),
    ],
)
def test_sentences_that_contradict_one_another_are_an_error(more: str, remark: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(LANE.format(more) + remark)
    assert [one.code for one in caught.value.diagnostics] == ["ENG005"]


def test_what_is_no_rule_is_reported_as_a_remark() -> None:
    reading = read_sentences(LANE.format("") + "Players take turns. There are no captures.")
    (remark,) = reading.remarks
    assert (remark.code, remark.severity) == ("ENG006", "remark")
    start, end = remark.place
    assert reading.source.text[start:end] == "There are no captures"


ROW = "Players: First and Second. On your turn, place a coin on an empty cell"
LINE = """The board is a grid of 3 columns and 3 rows. Players: X and O.
On your turn, place a piece on an empty cell. """
PAWNS = """The board is a grid of 3 columns and 3 rows. Players: White and Black.
Each player starts with pawns on the first row.
On your turn, move a pawn one step forward to an empty cell.
On your turn, move a pawn one step diagonally forward onto a piece of your opponent to capture it.
You win if you have a pawn on the last row. """
KINGS = """The board is a grid of 3 columns and 3 rows. Players: White and Black.
White starts with kings on a1. Black starts with kings on c3. """
TEXTS = [
    (
        """Tic-tac-toe is a game for two players, X and O, who take turns marking the spaces in a
        three-by-three grid. X goes first. The player who succeeds in placing three of their marks
        in a horizontal, vertical, or diagonal row is the winner. If all nine squares are filled
        and nobody has three in a row, the game is a draw.""",
        LINE + "You win if you have three in a line. The game is a draw if the board is full.",
    ),
    (
        """Reverse tic-tac-toe. We use a 3 by 3 grid. Two players, X and O, alternate placing their
        mark in an empty box. X starts. If you get three of your marks in a row, column or
        diagonal, you lose. A full board is a tie.""",
        LINE + "You lose if you have three in a line. The game is a draw if the board is full.",
    ),
    (
        """Nim is played with three heaps of 1, 3 and 4 stones. Two players alternate turns. On each
        turn, a player must remove at least one stone, and may remove any number of stones provided
        they all come from the same heap. The player who takes the last stone loses.""",
        """There are piles of 1, 3 and 4 counters. Players: First and Second. On your turn, take any
        number of counters from a pile. You lose if nothing is left and you made the last move.""",
    ),
    (
        """Two players, Ann and Bob, play with two heaps of 4 and 6 beans. Ann starts. In one move a
        player takes either any number of beans from a single heap or the same number of beans from
        both heaps. The player taking the last bean wins.""",
        """There are piles of 4 and 6 counters. Players: Ann and Bob. On your turn, take any number
        of counters from a pile. On your turn, take the same number of counters from every pile.
        You lose if you cannot move.""",
    ),
    (
        """Hexapawn is played on a 3x3 board. Each player begins with three pawns, one in each
        square of the row closest to them. White moves first. A pawn may move one square straight
        forward if that square is empty. It may capture an opposing pawn one square diagonally
        forward. A
        player wins by reaching the opposite end of the board with a pawn, by capturing all of the
        opponent's pawns, or by leaving the opponent with no legal moves.""",
        PAWNS + "You win if your opponent has no pawn left. You win if your opponent cannot move.",
    ),
    (
        """Setup: The board is 3 by 3. Each side has three pawns on its home row.
        Moves:
        - A pawn goes one square straight ahead when nothing is there.
        - A pawn takes an opponent's pawn that is one square diagonally ahead, by replacing it.
        Goal: be the first to get a pawn all the way across.
        If you can't move, you lose. White starts.""",
        PAWNS + "You lose if you cannot move.",
    ),
    (
        """On a strip of 7 squares two players take turns placing a coin on an empty square, but
        never next to another coin. The last player to place a coin wins.""",
        f"The board is a row of 7 cells. {ROW} that is not next to a coin. "
        "You lose if you cannot move.",
    ),
    (
        """Kayles. Six pins stand in a row. Players take turns knocking down either one pin or two
        neighbouring pins. Whoever knocks down the last pin wins.""",
        """The board is a row of 6 cells. There are pins on every cell. Players: First and Second.
        On your turn, remove a pin or remove two pins next to each other.
        You lose if you cannot move.""",
    ),
    (
        """Domineering. The game is played on a 4 by 3 board of squares. The two players, Left and
        Right, take turns placing dominoes. Left may place dominoes vertically only, and Right may
        place them horizontally only. The first player who cannot place a domino loses.""",
        """The board is a grid of 4 columns and 3 rows. Players: Left and Right.
        On Left's turn, place a domino on two empty cells one above the other.
        On Right's turn, place a domino on two empty cells side by side.
        You lose if you cannot move.""",
    ),
    (
        """Isolation: a 3x3 board. Each player has one king: White's on a1, Black's on c3. In each
        turn, first move your king one square in any direction to an empty square, then remove any
        empty square from the board. The player who is unable to move loses.""",
        KINGS
        + """On your turn, move a king one step in any direction to an empty cell, then place a wall
        on an empty cell. You lose if you cannot move.""",
    ),
    (
        """King Race. Board: 3 by 3. White's king starts on a1, Black's king starts on c3. Kings
        move one step in any direction, including diagonally. They can't capture each other. White
        wins if the white king reaches the top row, Black wins if the black king reaches the bottom
        row. White moves first.""",
        KINGS
        + """On your turn, move a king one step in any direction to an empty cell. White wins if
        White has a king on row 3. Black wins if Black has a king on row 1.""",
    ),
]
"""Texts in different styles, each with the same game in the sentences of the table."""


@pytest.mark.parametrize(("text", "canonical"), TEXTS)
def test_a_text_is_the_game_that_its_author_means(text: str, canonical: str) -> None:
    found, meant = (kibitz.load(rulebook_gdl(one)) for one in (text, canonical))
    assert found.roles == meant.roles
    spaces = [explore(game) for game in (found, meant)]
    assert len({(len(space), int(space.terminal.sum())) for space in spaces}) == 1
    values = [kibitz.solve(game).value(game.initial()) for game in (found, meant)]
    assert values[0] == values[1]


@pytest.mark.parametrize(("text", "canonical"), TEXTS)
def test_what_is_read_and_written_is_read_as_the_same(text: str, canonical: str) -> None:
    rules = read_sentences(text).whole()
    assert read_sentences(write_rulebook(rules)).whole() == rules


WORDS = sorted({word for text, _ in TEXTS for word in text.split()})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25))
def test_any_words_are_rules_or_an_error_with_a_place(words: list[str]) -> None:
    with suppress(RuleSheetError):
        assert rulebook_gdl(" ".join(words))


@pytest.mark.parametrize(
    "text",
    [
        "A pawn moves " + "one step forward, " * 36 + "back to an.",
        "place a pawn, " * 45 + "or.",
        "you move one step, and " * 29 + "hm.",
    ],
)
def test_a_long_sentence_is_read_in_bounded_work(text: str) -> None:
    prose = Prose(("White", "Black"))
    work = prose.work
    (tokens,) = _sentences(text)
    before = work.left
    assert prose.read(tokens) is None
    assert 0 < before - work.left <= MAX_PARSES * (MAX_WORK + 200)
    work.left = 1000  # what all sentences of a text share is soon used up
    assert prose.read(tokens) is None
    assert -200 <= work.left < 0
