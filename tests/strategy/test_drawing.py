"""Strategies as files and in notebooks; solutions and puzzles in notebooks."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.puzzles import DepthSkill, Wanted, choose_puzzles, find_positions
from kibitz.solve import solve_any
from kibitz.space import explore
from kibitz.strategy import Strategy, read_strategy, shipped_text
from kibitz.strategy.pictures import FORMATS, export_strategy

HOSTILE = """
(role <b>) (role "onload=x) (init (cell 1 1 <i>)) (init (cell 1 2 <i>)) (init (control <b>))
(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y <i>)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x ?y ]]>)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (mark ?a ?b)) (distinct ?y ?b))
(<= (next (control <b>)) (true (control "onload=x)))
(<= (next (control "onload=x)) (true (control <b>)))
(<= open (true (cell ?x ?y <i>))) (<= terminal (not open))
(<= (goal <b> 100) (true (cell 1 1 ]]>))) (<= (goal <b> 0) (not (true (cell 1 1 ]]>))))
(<= (goal "onload=x 0) (true (cell 1 1 ]]>))) (<= (goal "onload=x 100) (not (true (cell 1 1 ]]>))))
"""


@pytest.fixture(scope="module")
def five() -> Strategy:
    return read_strategy(shipped_text("tictactoe-five"), CompiledGame(load_sheet("tictactoe")))


def test_every_format_has_every_rule(five: Strategy) -> None:
    for form in FORMATS:
        found = export_strategy(five, form)
        if form == "png":
            assert isinstance(found, bytes)
            assert found.startswith(b"\x89PNG")
            continue
        assert isinstance(found, str)
        for rule in five.rules:
            (move,) = rule.moves
            assert str(move) in found, form
    assert str(export_strategy(five, "html")).count("<svg") == 5
    svg = export_strategy(five, "svg")
    assert isinstance(svg, str)
    ET.fromstring(svg)


def test_json_tells_literals_apart_from_moves(five: Strategy) -> None:
    found = json.loads(export_strategy(five, "json"))
    assert (found["game"], found["role"], found["symmetry"]) == ("tictactoe", "xplayer", "any")
    first = found["rules"][0]
    assert first["moves"] == ["(mark 2 3)"]
    assert {"fluent": "(cell 2 1 o)", "holds": False} in first["literals"]
    assert sum(len(rule["literals"]) for rule in found["rules"]) == 6
    again = read_strategy(found["text"], five.game)
    assert again.rules == five.rules


def test_a_rule_list_is_a_tree_of_questions(five: Strategy) -> None:
    text = export_strategy(five, "dot")
    assert isinstance(text, str)
    assert len(re.findall(r'rule\d+ -> move\d+ \[label="yes"\]', text)) == 5
    assert len(re.findall(r'rule\d+ -> (rule\d+|any) \[label="no"\]', text)) == 5
    assert 'rule5 -> any [label="no"]' in text


def test_a_formula_is_no_tree_and_is_written_as_it_is() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    strategy = read_strategy("next wins(me) & not terminal else next not terminal", game)
    with pytest.raises(InputError, match="only a rule list"):
        export_strategy(strategy, "dot")
    for form in ("txt", "md", "html", "json"):
        assert "next" in str(export_strategy(strategy, form))


def test_a_format_that_there_is_not_is_an_error(five: Strategy) -> None:
    with pytest.raises(InputError, match="there is no format 'gif'"):
        export_strategy(five, "gif")


def test_notebooks_show_strategies_solutions_and_puzzles(five: Strategy) -> None:
    assert five._repr_svg_().startswith("<svg")
    assert five._repr_html_().count("<svg") == 5
    assert isinstance(five.game, CompiledGame)
    solution = solve_any(explore(five.game))
    assert "5,478 states" in solution._repr_html_()
    assert solution._repr_svg_().startswith("<svg")
    mixed = solve_any(explore(CompiledGame(load_sheet("roshambo"))))
    assert "Player 1 gets 50" in mixed._repr_html_()
    positions = find_positions(five.game, "xplayer")
    puzzles = choose_puzzles(
        positions, 1, own=DepthSkill(1), other=DepthSkill(3), wanted=Wanted(count=2)
    )
    shown = puzzles._repr_html_()
    assert shown.count("<details>") == 2  # answers are folded away
    assert puzzles.puzzles[0]._repr_svg_().startswith("<svg")
    before = puzzles.puzzles[0]._repr_html_().split("<details>")[0]
    assert puzzles.puzzles[0].first_moves[0] not in before


def test_hostile_names_are_escaped_everywhere() -> None:
    game = CompiledGame(read(HOSTILE, name="<u>game</u>"))
    strategy = read_strategy("(cell 1 2 '<i>') => (mark 1 1)", game)
    solution = solve_any(explore(game))
    texts = [str(export_strategy(strategy, form)) for form in ("svg", "html")]
    texts += [strategy._repr_html_(), strategy._repr_svg_(), solution._repr_html_()]
    texts.append(solution._repr_svg_())
    for text in texts:
        assert not re.search(r"<(b|i|u)>(?!nim|<)", text.replace("<b>&lt;u", "")), text[:300]
        assert "]]>" not in text
    plain = str(export_strategy(strategy, "md"))
    assert "<i>" not in re.sub(r"```.*?```", "", plain, flags=re.S).replace(r"\<i\>", "")
    dot = str(export_strategy(strategy, "dot"))
    assert dot.count('"') % 2 == 0
