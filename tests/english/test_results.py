"""What is told of ends and turns is what happens when games are played."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from tests.foreign import FOREIGN, needs_foreign

from kibitz.engine import Move, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.english import Scene, scene_of
from kibitz.english.games.description import left_behind, story_of
from kibitz.english.games.endings import Endings, endings_of, turns_by_gates
from kibitz.english.rules.phrases import Content
from kibitz.english.verbs import Verb
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.space import explore

GAMES = ("tictactoe", "connectfour", "sim", "breakthrough", "tictacchec", "marks", "domineering")


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


def walk(name: str, matches: int) -> list[State]:
    random = Random(7)
    found = []
    for _ in range(matches):
        state = game(name).initial()
        for _ in range(150):
            found.append(state)
            if state.is_terminal:
                break
            state = state.step([random.choice(state.legal(role)) for role in state.game.roles])
    return found


def holds(made: CompiledGame, told: Endings, state: State) -> bool:
    """Look whether something of what was told stands on the boards."""
    scene = scene_of(made, made.roles[0])
    held: dict[object, str] = {}
    for fluent in state.fluents:
        if fluent in scene.on_board:
            ref, content = scene.on_board[fluent]
            held[ref] = content.piece
    whose = {ref: scene.owners.get(piece) for ref, piece in held.items()}
    for owner, sets in told.patterns.items():
        if any(all(whose[ref] == owner for ref in cells) for cells in sets):
            return True
    if any(role not in whose.values() for role in told.gone):
        return True
    return bool(told.full) and None not in whose.values()


@pytest.mark.parametrize("name", GAMES)
def test_play_ends_exactly_where_it_is_told(name: str) -> None:
    told = endings_of(game(name), game(name).network.terminal)
    assert told is not None
    assert not told.facts
    if told.stuck:
        return
    for state in walk(name, 5):
        assert holds(game(name), told, state) == state.is_terminal


@pytest.mark.parametrize("name", GAMES)
def test_roles_take_turns_as_it_is_told(name: str) -> None:
    roles = game(name).roles
    first = turns_by_gates(game(name))
    assert first is not None
    due = roles.index(first)
    for state in walk(name, 4):
        if state == game(name).initial():
            due = roles.index(first)
        if not state.is_terminal:
            assert len(state.legal(roles[1 - due])) == 1
        due = 1 - due


@pytest.mark.parametrize("name", ["breakthrough", "tictacchec", "sim", "kayles:5", "chomp:2x3"])
def test_moves_leave_behind_what_is_told(name: str) -> None:
    made = game(name)
    seen = 0
    for state in walk(name, 3):
        for role in () if state.is_terminal else made.roles:
            scene = scene_of(made, role)
            for move in state.legal(role) if len(state.legal(role)) > 1 else ():
                left = told_of(name, role, move.name, len(move.args))
                targets = next(t for (t, _), m in verb_of(scene, move).moves.items() if m == move)
                joint = [move if r == role else state.legal(r)[0] for r in made.roles]
                after = frozenset(state.step(joint).fluents)
                for target, content in zip(targets, left, strict=True):
                    if content is not None:
                        assert scene.pieces_at[target[0], content.piece] in after
                        seen += 1
    assert seen


def verb_of(scene: Scene, move: Move) -> Verb:
    return scene.verbs[move.name, len(move.args)]


@cache
def told_of(name: str, role: str, move: str, size: int) -> list[Content | None]:
    scene = scene_of(game(name), role)
    return left_behind(scene, scene.verbs[move, size])


def test_large_games_are_told_like_a_person_would() -> None:
    assert story_of(game("connectfour")) == [
        "Two players, X and O, take turns; X begins.",
        "The board has 6 by 7 cells. All are empty at first.",
        "A move is to drop in a column.",
        "Four of your own side by side in a row, column or diagonal wins.",
        "Play also ends when the board is full, which is a draw.",
    ]
    assert story_of(game("breakthrough"))[1:] == [
        "The board has 8 by 8 cells. At first the two top rows hold Black and the two bottom rows "
        "hold White.",
        "A move is from a cell to a cell next to it, leaving the first empty.",
        "White wins with a piece of its own in the top row, or by leaving the opponent without a "
        "piece.",
        "Black wins with a piece of its own in the bottom row, or by leaving the opponent without "
        "a piece.",
    ]
    assert story_of(game("tictacchec"))[-1] == (
        "Four of your own side by side in a row, column or diagonal wins."
    )
    assert (
        story_of(game("domineering"))[-1] == "Play ends when the player to move has no move left."
    )


def test_what_cannot_be_told_is_left_in_the_words_of_the_rule_sheet() -> None:
    assert story_of(game("hex:3"))[-2:] == [
        "Play ends, in the words of the rule sheet, when “decided” holds.",
        "The rule sheet says of the game: “Join two opposite sides of a rhombus of hexagons.”",
    ]


@needs_foreign
@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("conn4", "Play also ends when the top row is full, which is a draw."),
        ("ticTacToe", "Play also ends when the board is full, which is a draw."),
        ("sum15", "Play also ends when no num is free, which is a draw."),
        (
            "breakthroughSmall",
            "Black wins with a piece of its own in the bottom row, or by leaving the opponent "
            "without a piece.",
        ),
        ("nim1", "Play ends when all heaps are empty."),
        ("pentago", "when “line” holds for red; or when “line” holds for black; or when “board"),
    ],
)
def test_foreign_games_are_told(name: str, last: str) -> None:
    text = (FOREIGN / "rules" / f"{name}.kif").read_text("utf-8")
    assert last in story_of(CompiledGame(read(text, name=name)))[-1]


SHARED_CELLS = """
    (role red) (role blue) (init (control red)) (file 1) (file 2)
    (init (cell 1 1 rook)) (init (cell 1 2 none)) (init (cell 2 1 none)) (init (cell 2 2 king))
    (<= (legal ?r (put ?x ?y)) (true (control ?r)) (file ?x) (file ?y))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (control red)) (true (control blue)))
    (<= (next (control blue)) (true (control red)))
    (<= (next (cell ?x ?y ?what)) (true (cell ?x ?y ?what)) (distinct ?what none))
    (<= (next (cell ?x ?y rook)) (does red (put ?x ?y)))
    (<= (next (cell ?x ?y king)) (does blue (put ?x ?y)))
    (<= (next (cell ?x ?y none)) (true (cell ?x ?y none)) (not (hit ?x ?y)))
    (<= (hit ?x ?y) (does ?r (put ?x ?y)))
    (<= terminal (true (cell ?x ?y rook)) (true (cell ?x ?y king)))
    (<= terminal (true (cell 1 1 king)) (true (cell 1 2 king)))
    (goal red 50) (goal blue 50)
"""


def test_where_two_pieces_may_share_a_cell_an_end_is_not_told_without_that() -> None:
    shared = CompiledGame(read(SHARED_CELLS, form="kif"))
    end = shared.initial().step(["(put 2 2)", "noop"])
    assert end.is_terminal  # A rook and a king are on one cell, and no two kings in a row.
    assert endings_of(shared, shared.network.terminal) is None


HOLES = """
    (role red) (role blue) (init (control red)) (col 1) (col 2) (col 3) (row 1) (row 2)
    (<= (init (cell ?r ?c b)) (row ?r) (col ?c))
    (<= (legal ?p (put ?r ?c)) (true (control ?p)) (true (cell ?r ?c b)))
    (<= (legal ?p (dig ?r ?c)) (true (control ?p)) (true (cell ?r ?c b)))
    (<= (legal red noop) (true (control blue))) (<= (legal blue noop) (true (control red)))
    (<= (next (control blue)) (true (control red))) (<= (next (control red)) (true (control blue)))
    (<= (next (cell ?r ?c ?p)) (does ?p (put ?r ?c)))
    (<= (next (cell ?r ?c ?x)) (true (cell ?r ?c ?x)) (distinct ?x b))
    (<= (next (cell ?r ?c b)) (true (cell ?r ?c b)) (not (touched ?r ?c)))
    (<= (touched ?r ?c) (does ?p (put ?r ?c))) (<= (touched ?r ?c) (does ?p (dig ?r ?c)))
    (<= open (true (cell ?r ?c b)))
    (<= terminal (not open))
    (goal red 50) (goal blue 50)
"""


def test_cells_that_are_not_empty_are_full_only_where_something_always_stands_on_them() -> None:
    holes = CompiledGame(read(HOLES, form="kif"))
    told = endings_of(holes, holes.network.terminal)
    assert told is None or not told.full
    state = holes.initial()
    while not state.is_terminal:
        who = state.legal("red")[0] if len(state.legal("red")) > 1 else state.legal("blue")[0]
        mover = "red" if str(who) in map(str, state.legal("red")) else "blue"
        digs = [m for m in state.legal(mover) if str(m).startswith("(dig")]
        joint = [str(digs[0]), "noop"] if mover == "red" else ["noop", str(digs[0])]
        state = state.step(joint)
    assert not any(str(fluent).startswith("(cell") for fluent in state.fluents)


def test_goals_between_are_named_with_the_others() -> None:
    text = """
    (role me) (init (lamp a)) (init (lamp b)) (init (step 0)) (succ 0 1) (succ 1 2)
    (<= (legal me (light ?x)) (true (lamp ?x))) (legal me rest)
    (<= (next (lit ?x)) (does me (light ?x))) (<= (next (lit ?x)) (true (lit ?x)))
    (<= (next (lamp ?x)) (true (lamp ?x)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 2)))
    (<= (goal me 100) (true (lit a)) (true (lit b)))
    (<= (goal me MOST) (true (lit a)) (not (true (lit b))))
    (<= (goal me 25) (not (true (lit a))) (true (lit b)))
    (<= (goal me 0) (not (true (lit a))) (not (true (lit b))))
    """
    both = CompiledGame(read(text.replace("MOST", "50")))
    for space in (None, explore(both)):
        assert story_of(both, space)[-1] == "There are goals of 25 and 50 points as well."
    one = CompiledGame(read(text.replace("MOST", "25")))
    assert story_of(one)[-1] == "There is a goal of 25 points as well."
    assert not any("as well" in line for line in story_of(game("tictactoe")))
