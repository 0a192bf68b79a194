"""Words that claim much are said only where they are so, in games of every awkward kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run  # noqa: F401
from tests.effort import quick
from tests.foreign import FOREIGN, needs_foreign
from tests.sentences import decided, sentences

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import rule_text
from kibitz.gdl import read
from kibitz.present.explanation.value_sentences import what_can_be_held
from kibitz.present.report.figures import Estimate, Report, Sampled
from kibitz.present.report.text import as_text
from kibitz.solve import solve
from kibitz.space import explore

# In the room behind the second door the guest has nothing to do, and play has not ended.
STUCK = """
    (role host) (role guest) (init hall)
    (<= (legal host (open ?d)) (true hall) (door ?d)) (door 1) (door 2) (door 3)
    (<= (legal host rest) (not (true hall)))
    (<= (legal guest wait) (true hall))
    (<= (next (room ?d)) (does host (open ?d)))
    (<= terminal (true (room 1))) (<= terminal (true (room 3)))
    (<= (goal host 100) (true (room 1))) (<= (goal host 0) (not (true (room 1))))
    (<= (goal guest 0) (true (room 1))) (<= (goal guest 100) (not (true (room 1))))
"""
STUCK_AT_START = """
    (role host) (role guest) (init hall)
    (legal host rest) (<= (legal guest wait) (true yard))
    (<= (next yard) (true yard))
    (<= terminal (true room)) (goal host 50) (goal guest 50)
"""
ENDLESS = """
    (role a) (role b) (init (at 1)) (init (turn a)) (other 1 2) (other 2 1)
    (<= (legal ?r go) (true (turn ?r))) (<= (legal ?r stay) (true (turn ?r)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
    (<= (next (at ?y)) (does ?r go) (true (at ?x)) (other ?x ?y))
    (<= (next (at ?x)) (does ?r stay) (true (at ?x)))
    (<= terminal (true (at 3))) (goal a 0) (goal b 100)
"""
_TAKING = """
    (role a) (role b) (init (left 3)) (init (turn a)) (less 3 2) (less 2 1) (less 1 0)
    (<= (legal ?r (take 1)) (true (turn ?r)))
    (<= (legal ?r (take 2)) (true (turn ?r)) (true (left ?n)) (less ?n ?m) (less ?m ?k))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
    (<= (next (left ?m)) (does ?r (take 1)) (true (left ?n)) (less ?n ?m))
    (<= (next (left ?k)) (does ?r (take 2)) (true (left ?n)) (less ?n ?m) (less ?m ?k))
    (<= terminal (true (left 0)))
"""
BOTH_WIN = _TAKING + "(goal a 100) (goal b 100)"
BOTH_GET_30 = _TAKING + "(goal a 30) (goal b 30)"
ALL_DRAWN = _TAKING + "(goal a 50) (goal b 50)"
# Whoever takes the last gets 50 of 60, the other 10: 50 is no draw.
FIFTY_OF_SIXTY = (
    _TAKING
    + """
    (<= (goal a 50) (true (turn b))) (<= (goal a 10) (true (turn a)))
    (<= (goal b 50) (true (turn a))) (<= (goal b 10) (true (turn b)))
"""
)
TOGETHER = """
    (role a) (role b) (init s) (<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
    (<= same (does a heads) (does b heads)) (<= same (does a tails) (does b tails))
    (<= (next won) same) (<= (next lost) (not same))
    (<= terminal (true won)) (<= terminal (true lost))
    (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))
    (<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))
"""
THREE = """
    (role a) (role b) (role c) (init (left 4)) (init (turn a))
    (less 4 3) (less 3 2) (less 2 1) (less 1 0) (after a b) (after b c) (after c a)
    (<= (legal ?r (take 1)) (true (turn ?r)))
    (<= (legal ?r (take 2)) (true (turn ?r)) (true (left ?n)) (less ?n ?m) (less ?m ?k))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))
    (<= (next (left ?m)) (does ?r (take 1)) (true (left ?n)) (less ?n ?m))
    (<= (next (left ?k)) (does ?r (take 2)) (true (left ?n)) (less ?n ?m) (less ?m ?k))
    (<= terminal (true (left 0)))
    (<= (last ?r) (true (left 0)) (true (turn ?s)) (after ?r ?s))
    (<= (goal ?r 100) (last ?r)) (<= (goal ?r 0) (role ?r) (not (last ?r)))
"""
ALONE = """
    (role r) (init (at 0)) (succ 0 1) (succ 1 2)
    (<= (legal r up) (true (at ?x)) (succ ?x ?y)) (legal r stop)
    (<= (next (at ?y)) (does r up) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?x)) (does r stop) (true (at ?x))) (<= (next over) (does r stop))
    (<= terminal (true over)) (<= terminal (true (at 2)))
    (<= (goal r 60) (true (at 2))) (<= (goal r 10) (not (true (at 2))))
"""

FORCE = r"(?<!no role )can force (?!a win in no|\d+ from nowhere)"
VALUE = (
    rf"with best play [^i]|can always|{FORCE}|come what may|\b(?:worth|value) \d|perfect|optimal\b"
)
DRAW = r"\ba draw\b|draws +[1-9]|[1-9]% of random matches"
"""A draw in words, or as a share that is not 0."""

FORBIDDEN = {
    "stuck": (STUCK, f"{VALUE}|{DRAW}|never ends|t wins"),
    "stuck at start": (STUCK_AT_START, f"{VALUE}|{DRAW}|never ends|t wins"),
    "endless": (ENDLESS, f"{DRAW}|\\b[ab] wins|play never ends,|longest"),
    "both win": (BOTH_WIN, f"{DRAW}|loses|nobody wins"),
    "both get 30": (BOTH_GET_30, f"{DRAW}|loses|both win|\\b[ab] wins|nobody"),
    "all drawn": (ALL_DRAWN, r"loses|\b[ab] wins|come what may"),
    "50 of 60": (FIFTY_OF_SIXTY, DRAW),
    "together": (TOGETHER, f"{DRAW}|perfect|optimal|{FORCE}|can always"),
    "three roles": (THREE, f"{DRAW}|optimal|{FORCE}|can always|\\bproved\\b"),
    "one role": (ALONE, f"{DRAW}|\\br wins|it can be solved|loses"),
}


@pytest.mark.parametrize("kind", quick(list(FORBIDDEN), FORBIDDEN.keys() - {"endless"}))
def test_no_command_says_more_than_is_so(kind: str, run: Run, tmp_path: Path) -> None:  # noqa: F811
    text, forbidden = FORBIDDEN[kind]
    sheet = tmp_path / "made.kif"
    sheet.write_text(text)
    for command in (
        ("solve",),
        ("explain", "--time", "1"),
        ("report", "--time", "0.5", "--timeout", "30"),
        ("puzzles",),
        ("hardness",),
        ("winsets", "--set", "exact"),
        ("teach", "-o", str(tmp_path / "lesson.html")),
    ):
        done = run(command[0], sheet, *command[1:])
        said = " ".join((done.out + done.err).replace(str(sheet), "made").split())
        said = re.sub(r"\b0 positions that \w+ wins|The rules in full -.*", "", said)
        said = re.sub(r"Rules are proved for games [^.]*\.", "", said)  # says why not
        said = re.sub(r"not proved|nothing about them is proved", "", said)
        assert done.status in (0, 1, 2)
        assert "report it" not in said, (command, said)
        assert not (found := re.search(forbidden, said)), (command, found, said)


def test_a_game_that_is_too_large_has_no_value(run: Run, tmp_path: Path) -> None:  # noqa: F811
    sheet = tmp_path / "made.kif"
    sheet.write_text(rule_text("tictactoe"))
    for command in (
        ("solve", "--max-states", "50"),
        ("explain", "--max-states", "50", "--no-measured"),
        ("report", "--max-states", "50", "--time", "0", "--timeout", "12"),
    ):
        done = run(command[0], sheet, *command[1:])
        said = " ".join((done.out + done.err).split())
        assert re.search(r"not solved|too large to be solved", said), said
        # What a search proves of the first position is the one value that is known.
        by_search = "ith best play it is a draw, as a search from the rules proves."
        assert (by_search in said) == (command[0] != "solve")
        # A sentence about the end is one of the rules.
        said = said.replace(by_search, "").replace("The game is a draw if the board is full.", "")
        assert not (
            found := re.search(f"{VALUE}|(hold|is) a draw\\b(?<!which is a draw)|proved", said)
        ), (command, found)


def test_what_a_role_can_hold_is_called_a_draw_only_if_it_is_one() -> None:
    def held(text: str) -> list[str]:
        solution = solve(explore(CompiledGame(read(text, name="made"))))
        roles = range(len(solution.space.game.roles))
        return [what_can_be_held("it", solution, role) for role in roles]

    assert held(ENDLESS) == ["it never has to lose: play need never end."] * 2
    assert held(BOTH_WIN) == ["it wins, come what may."] * 2
    assert held(ALL_DRAWN) == ["Against best play it gets 50."] * 2
    assert held(BOTH_GET_30) == ["Against best play it gets 30."] * 2
    assert set(held(FIFTY_OF_SIXTY)) == {
        "it can always get at least 50.",
        "Against best play it gets 10.",
    }
    assert held(rule_text("tictactoe")) == ["it can always hold a draw."] * 2


def test_a_few_matches_make_no_headline() -> None:
    def sampled(matches: int, low: float, high: float) -> Report:
        mine = Estimate(1.0, low, 1.0)
        wins = {"a": mine, "b": Estimate(0.0, 0.0, high)}
        one = Estimate(1.0, 1.0, 1.0)
        nothing = Estimate(0.0, 0.0, high)
        match = Sampled("tree search", matches, one, 1, 1, one, {}, wins, nothing, 0)
        return Report("made", ("a", "b"), "not solved", 1, 0, 0, False, first="a", sampled=(match,),
                      why_unsolved="it is large")  # fmt: skip

    few, many = sampled(2, 0.34, 0.66), sampled(200, 0.98, 0.02)
    assert few.advantage("tree search") is None
    assert "first mover" not in as_text(few)
    assert many.advantage("tree search") == 1
    assert "tree search +100% in 200 matches" in as_text(many)


@needs_foreign
@pytest.mark.parametrize("name", ["stuck1", "stuck2", "stuck12", "m2_noframe"])
def test_foreign_sheets_in_which_play_gets_stuck_have_no_value(name: str, run: Run) -> None:  # noqa: F811
    sheet = FOREIGN / "broken" / f"{name}.kif"
    if not sheet.exists():
        pytest.skip(f"there is no {name}")
    done = run("solve", sheet)
    said = done.out + done.err
    assert "stuck" in said
    assert "with best play" not in said


def test_every_sentence_that_claims_much_has_been_decided_on() -> None:
    known, said = decided(), sentences()
    new = sorted(said - set(known))
    assert not new, "decide when these are true, after python -m tests.sentences: " + "\n".join(new)
    assert not sorted(set(known) - said), "python -m tests.sentences drops these"
    assert not [sentence for sentence, condition in known.items() if condition in ("", "?")]
