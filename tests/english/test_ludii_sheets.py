"""Games in sentences are written for Ludii, read again, and are the same games."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from tests.effort import quick

from kibitz.engine import CompiledGame, State
from kibitz.english import ludii_sheet_of, write_ludii
from kibitz.english.ludemes.sheet import compared_with_sentences
from kibitz.english.ludemes.terms import NoLudeme
from kibitz.games import catalogue, load_sheet
from kibitz.gdl import RuleSheet, read
from kibitz.ludii import read_ludii
from kibitz.rulebook import TEMPLATES, read_sentences, rulebook_gdl, write_template

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.name.split(".")[0] for path in (ROOT / "examples").glob("*.rules.txt"))
LIBRARY = [name for entry in catalogue() for name in entry.examples]


def listed(kind: str) -> list[str]:
    """Return the games that the documentation says can be written for Ludii."""
    page = (ROOT / "docs" / "ludii.md").read_text("utf-8")
    found = re.search(rf"{kind}: (.+?)\.\n", page, re.DOTALL)
    assert found is not None
    return re.findall(r"`([^`]+)`", found[1])


def sheet_of(name: str) -> RuleSheet:
    if name in EXAMPLES:
        text = (ROOT / "examples" / f"{name}.rules.txt").read_text("utf-8")
        return read(rulebook_gdl(text, name=name), name=name)
    return load_sheet(name)


def lines_of_play(state: State, depth: int) -> Counter[tuple[int, ...]]:
    """Count the ways to play on, by how many moves there were at each step; goals end them."""
    if state.is_terminal:
        return Counter({tuple(state.goals[role] or 0 for role in state.game.roles): 1})
    legal = [state.legal(role) for role in state.game.roles]
    found: Counter[tuple[int, ...]] = Counter()
    for joint in product(*legal) if depth else ((),):
        rest = lines_of_play(state.step(joint), depth - 1) if joint else Counter({(): 1})
        for line, count in rest.items():
            found[(*map(len, legal), *line)] += count
    return found


IN_LIBRARY = ("mnk:3,3,3,RC", "connect:3,4x4", "bottom2:3,3x3,RC", "hex:3", "breakthrough:4x3",
              "knightthrough:5x4", "chomp", "kayles", "domineering:3x4", "pegsolitaire",
              "lightsout:2x3", "pawnwhopping:5x3")  # fmt: skip
IN_ENGLISH = ("burnt_bridges", "col", "dodgem", "hopping_frogs", "kings_and_guards", "picaria")


@pytest.mark.parametrize(
    "name", quick((*IN_LIBRARY, *IN_ENGLISH), {"hex:3", "kayles", "col", "dodgem", "picaria"})
)
def test_what_is_written_has_the_same_moves(name: str) -> None:
    """Counted by another way than the comparison that is made before a sheet is given."""
    game = CompiledGame(sheet_of(name))
    written = ludii_sheet_of(game, title=name, moves=2_000)
    again = CompiledGame(read_ludii(written.text))
    assert lines_of_play(game.initial(), 3) == lines_of_play(again.initial(), 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LIBRARY, *EXAMPLES])
def test_the_documentation_lists_what_can_be_written(name: str) -> None:
    written = ludii_sheet_of(CompiledGame(sheet_of(name)), title=name, moves=2_000)
    assert bool(written.text) == (name in listed("Library") + listed("Examples"))
    assert bool(written.text) != bool(written.missing)


def test_the_documentation_lists_games_that_exist() -> None:
    assert set(IN_LIBRARY) <= set(listed("Library")) <= set(LIBRARY)
    assert set(IN_ENGLISH) <= set(listed("Examples")) <= set(EXAMPLES)


WORDS = {
    "STONES": """Size: 3 by 3. Players: White and Black. White starts with stones on row 1. Black
        starts with stones on row 3.""",
    "STEP": "On your turn, move a stone one step straight to an empty cell.",
    "JUMP": """On your turn, capture a piece of your opponent by jumping over it straight with a
        stone.""",
    "PLACE": """Size: 3 by 3. Players: White and Black. On your turn, place a piece on an empty
        cell.""",
    "STUCK": "You lose if you cannot move.",
}
TEXTS = {
    "two moves a turn": "PLACE A turn has two moves. You win if you have three in a line.",
    "promotion": """Size: 3 by 4. Players: White and Black. White starts with pawns on row 1. Black
        starts with pawns on row 4. On your turn, move a pawn one step forward to an empty cell. On
        your turn, slide a queen straight over empty cells to an empty cell. A pawn that reaches the
        last row becomes a queen. STUCK""",
    "custodial capture": """STONES STEP A move captures each piece of your opponent between the
        moved piece and another of yours. You lose if you have fewer than two stones. STUCK""",
    "captures that must be made": "STONES STEP JUMP You must capture if you can. STUCK",
    "jumps that must go on": """STONES STEP JUMP After a jump, you must jump again with the same
        stone if you can. STUCK""",
    "a swap": """STONES On your turn, swap a stone with a piece of your opponent next to it. You win
        if you have a stone on the last row. STUCK""",
    "a ring": """The board is a ring of 6 cells. Players: White and Black. On your turn, place a
        piece on an empty cell that is not next to a piece of yours. STUCK""",
    "discs that are turned over": """Size: 4 by 4. Players: White and Black. White starts with discs
        on b2 and c3. Black starts with discs on b3 and c2. On your turn, place a disc on an empty
        cell. A placed piece turns over each line of pieces of your opponent between it and another
        of yours. A placed piece must turn over a piece. If you cannot move, you pass. The game ends
        if nobody can move. Whoever has more discs wins.""",
    "the second player begins": """STONES Black begins. On your turn, move a stone one step forward
        to an empty cell. You win if you have a stone on the last row. STUCK""",
    "sides to connect": """PLACE White wins if White connects the left side and the right side.
        Black wins if Black connects the top side and the bottom side.""",
}
TEXTS = {
    name: re.sub("|".join(WORDS), lambda word: WORDS[word[0]], text) for name, text in TEXTS.items()
}


def agrees(text: str) -> bool:
    """Return whether one of the two ways to write ends and passes makes the same game."""
    rules = read_sentences(text).rules
    sheets = [write_ludii(rules, title="Ours", careful=careful) for careful in (False, True)]
    return any(compared_with_sentences(rules, sheet, moves=400).agree for sheet in sheets)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_sentences_and_their_sheet_make_the_same_game(text: str) -> None:
    assert agrees(text)


def test_a_sheet_that_says_something_else_is_not_the_same_game() -> None:
    rules = read_sentences(TEXTS["captures that must be made"]).rules
    sheet = write_ludii(rules, title="Ours")
    assert not compared_with_sentences(rules, sheet.replace("priority", "or"), moves=600).agree
    other = sheet.replace("Next Loss", "Next Win")
    assert not compared_with_sentences(rules, other, moves=5_000).agree


@pytest.mark.parametrize("name", quick(tuple(TEMPLATES), {"race", "take-away"}))
def test_templates_are_written_or_refused_by_a_sentence(name: str) -> None:
    text = write_template(name, name="Ours")
    if name in ("take-away", "simultaneous"):
        with pytest.raises(NoLudeme) as refused:
            write_ludii(read_sentences(text).rules, title="Ours")
        assert str(refused.value) in text or "at the same time" in str(refused.value)
    else:
        assert agrees(text)
