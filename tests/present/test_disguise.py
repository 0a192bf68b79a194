"""Games of marks in a line are recognised whatever their places are called, and no others."""

from __future__ import annotations

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse
from kibitz.present import StudyOptions
from kibitz.present.explanation.disguise import disguise_of
from kibitz.present.explanation.study import Study
from kibitz.space import explore

WORDS = ("fish", "soup", "swan", "girl", "horn", "army", "chat", "knit", "vote")
LINES = ("036", "147", "258", "012", "345", "678", "048", "246")


def words_sheet(lines: tuple[str, ...]) -> RuleSheet:
    """Write a game in which words are taken, and three of a kind win."""
    order = "507382614"
    facts = [f"(init (left {word}))" for word in WORDS]
    facts += [f"(kind {' '.join(WORDS[int(order[int(d)])] for d in line)})" for line in lines]
    rules = """
    (role ivy) (role joe) (init (next_to ivy))
    (<= (legal ?r (take ?w)) (true (next_to ?r)) (true (left ?w)))
    (<= (legal ?r hold) (role ?r) (not (true (next_to ?r))))
    (<= (next (next_to joe)) (true (next_to ivy)))
    (<= (next (next_to ivy)) (true (next_to joe)))
    (<= (next (has ?r ?w)) (does ?r (take ?w)))
    (<= (next (has ?r ?w)) (true (has ?r ?w)))
    (<= (next (left ?w)) (true (left ?w)) (not (taken ?w)))
    (<= (taken ?w) (does ?r (take ?w)))
    (<= (three ?r) (role ?r) (kind ?a ?b ?c)
        (true (has ?r ?a)) (true (has ?r ?b)) (true (has ?r ?c)))
    (<= over (three ?r))
    (<= some (true (left ?w)))
    (<= terminal over)
    (<= terminal (not some))
    (<= (goal ?r 100) (three ?r))
    (<= (goal ?r 50) (role ?r) (not over))
    (<= (goal ?r 0) (role ?r) over (not (three ?r)))
    """
    return parse("\n".join([rules, *facts]), name="words")


def test_a_game_of_words_is_tictactoe() -> None:
    found = disguise_of(explore(CompiledGame(words_sheet(LINES))))
    assert found is not None
    assert found.name == "tictactoe"
    lines = {frozenset(found.rows[int(d) // 3][int(d) % 3] for d in line) for line in LINES}
    order = "507382614"
    assert lines == {frozenset(WORDS[int(order[int(d)])] for d in line) for line in LINES}


def test_with_a_line_less_it_is_not() -> None:
    assert disguise_of(explore(CompiledGame(words_sheet(LINES[1:])))) is None


def test_a_board_that_is_drawn_so_is_no_disguise() -> None:
    assert disguise_of(explore(CompiledGame(load_sheet("tictactoe")))) is None


def test_the_explanation_says_it() -> None:
    study = Study(words_sheet(LINES), StudyOptions(seconds=0.1))
    study.run("ivy")
    assert "It is tictactoe in disguise: arrange the places as" in " ".join(study.known.worth)
