"""What is wrong with a game is found by playing it, each mistake by its code and its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz
from tests.foreign import FOREIGN, needs_foreign

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.errors import BudgetExceededError, Diagnostic, Severity
from kibitz.facade import check
from kibitz.games import load_sheet
from kibitz.gdl import diagnose, read
from kibitz.space import PlayCheck, diagnose_play, explore, faults_of
from kibitz.space.play_diagnostics import _look_at
from kibitz.space.play_record import (
    PROBE,
    PlayRecord,
    probed_game,
    record_matches,
    record_slowly,
    unfired_in,
    unfired_on,
)

# Both put x on a row of three cells; who fills it wins.
ROW = """(role ann) (role bob)
(init (control ann))
(init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b))
(<= (legal ?p (mark ?c)) (true (control ?p)) (true (cell ?c b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p pass) (true (control ?p)) (true (cell 1 x)))
(<= (next (cell ?c x)) (does ?p (mark ?c)))
(<= (next (cell ?c x)) (true (cell ?c x)))
(<= (next (cell ?c b)) (true (cell ?c b)) (not (marked ?c)))
(<= (marked ?c) (does ?p (mark ?c)))
(<= (next (control ann)) (true (control bob)))
(<= (next (control bob)) (true (control ann)))
(<= open (true (cell ?c b)))
(<= terminal (not open))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (control ?p)))
"""
SHORT = ROW.replace("(<= (legal ?p pass) (true (control ?p)) (true (cell 1 x)))\n", "")
"""Without passing play always ends, and ann wins."""


def played(text: str) -> PlayCheck:
    sheet = read(text, name="row")
    return diagnose_play(sheet, Budget())


def found(text: str) -> dict[str, Diagnostic]:
    return {d.code: d for d in played(text).diagnostics}


def line_of(text: str, one: Diagnostic) -> int:
    return read(text, name="row").source.position(one.place.start)[0]


def without(text: str, line: str) -> str:
    assert line in text
    return text.replace(line, "")


def test_a_sound_game_has_no_findings_but_that_it_can_go_on() -> None:
    seen = played(ROW)
    assert seen.is_complete
    assert seen.states == len(explore(CompiledGame(read(ROW))))
    assert [(d.code, d.severity) for d in seen.diagnostics] == [("GDL037", Severity.REMARK)]


def test_a_missing_frame_rule_is_named_at_the_fluents_that_vanish() -> None:
    text = without(ROW, "(<= (next (cell ?c b)) (true (cell ?c b)) (not (marked ?c)))\n")
    one = found(text)["GDL036"]
    assert "(cell ?x b)" in one.message
    assert line_of(text, one) == 3
    text = without(ROW, "(<= (next (cell ?c x)) (true (cell ?c x)))\n")
    assert "(cell ?x x)" in found(text)["GDL036"].message


def test_a_frame_rule_is_not_missed_where_pieces_only_move() -> None:
    for name in ("threemensmorris", "nim:1,3", "hanoi", "chomp:2x3", "lightsout:2x3"):
        seen = diagnose_play(load_sheet(name), Budget()).diagnostics
        assert all(d.severity is Severity.REMARK for d in seen), name


def test_a_missing_turn_rule_freezes_play_and_is_named() -> None:
    one = found(without(SHORT, "(<= (next (control ann)) (true (control bob)))\n"))["GDL034"]
    assert one.severity is Severity.ERROR
    assert "is a rule for (next (control ?p)) missing?" in one.hint


def test_a_role_without_a_move_later_on_is_an_error_with_the_moves_that_lead_there() -> None:
    text = SHORT.replace("(role ?p) (not (true (control ?p))))", "(true (cell 1 b)) (role ?p))", 1)
    one = found(text)["GDL033"]
    assert one.severity is Severity.ERROR
    assert one.message.startswith("ann has no legal move in ")
    assert one.message.endswith(": after (mark 1)/noop")


def test_a_missing_and_a_second_goal_are_errors() -> None:
    none = found(without(SHORT, "(<= (goal ?p 0) (true (control ?p)))\n"))["GDL035"]
    assert "gives bob no goal: after (mark 1)/noop, noop/(mark 2), (mark 3)/noop" in none.message
    two = found(SHORT + "(<= (goal ann 50) (true (cell 1 x)))")["GDL035"]
    assert "gives ann more than one goal: " in two.message


def test_play_that_never_ends_is_an_error() -> None:
    loop = "(role a) (init on) (legal a go) (<= (next on) (true off)) (<= (next off) (true on))"
    one = found(loop + "(<= terminal (true on) (true off)) (goal a 100)")["GDL037"]
    assert (one.severity, one.message) == (
        Severity.ERROR,
        "play never ends: no end among 2 states",
    )


def test_both_always_winning_and_one_never_winning_are_told_apart() -> None:
    both = SHORT.replace("(goal ?p 0)", "(goal ?p 100)")
    assert found(both)["GDL038"].message == "both roles win at every end"
    never = found(SHORT)
    assert set(never) == {"GDL039"}
    assert never["GDL039"].message == "bob can never win: every end gives it 0"


def test_a_role_that_never_has_the_turn_is_remarked() -> None:
    text = SHORT.replace("(next (control bob)) (true (control ann))", "(next q) (true (control x))")
    text = text.replace("(next (control ann)) (true (control bob))", "(next (control ann))")
    assert found(text)["GDL040"].message.startswith("bob never has a choice")


def test_a_rule_that_never_applies_is_shown_and_not_what_follows_from_it() -> None:
    text = SHORT + "(<= odd (true (cell 1 x)) (true (cell 1 b)))\n(<= (goal ann 50) odd)\n"
    seen = [d for d in played(text).diagnostics if d.code == "GDL041"]
    assert [line_of(text, d) for d in seen] == [16]


def test_rules_about_ends_are_found_to_apply_there() -> None:
    sheet = read(SHORT, name="row")
    space = explore(CompiledGame(sheet))
    assert unfired_on(space, probed_game(sheet, Budget())) == []


def matches(text: str, number: int = 200) -> tuple[PlayRecord, list[int]]:
    record = record_matches(
        probed_game(read(text, name="row"), Budget()), matches=number, ignored=PROBE
    )
    return record, unfired_in(record)


def test_random_matches_find_the_same_and_claim_less() -> None:
    record, unfired = matches(SHORT)
    assert (record.matches, record.ends, unfired) == (200, 200, [])
    assert record.results == {(100, 0)}
    (one,) = _look_at(record.game.sheet, record, unfired)
    assert one.message == "bob wins none of 200 random matches: it gets 0"
    record, unfired = matches(SHORT + "(<= odd (true (cell 1 x)) (true (cell 1 b)))\n")
    found_ = {d.code: d for d in _look_at(record.game.sheet, record, unfired)}
    assert found_["GDL041"].severity is Severity.REMARK
    assert found_["GDL041"].message == "this rule applies in none of 200 random matches"


def test_random_matches_see_frozen_and_stuck_states_and_vanished_cells() -> None:
    record, _ = matches(without(SHORT, "(<= (next (control ann)) (true (control bob)))\n"))
    assert record.frozen is not None
    assert record.frozen_states == record.matches == 200
    stuck, _ = matches(
        SHORT.replace("(role ?p) (not (true (control ?p))))", "(true (cell 1 b)) (role ?p))", 1)
    )
    assert stuck.stuck is not None
    state = ReferenceGame(stuck.game.sheet).initial()
    for joint in stuck.stuck.path or ():
        state = state.step(list(joint))
    assert not state.legal(stuck.stuck.role)
    gone, unfired = matches(without(SHORT, "(<= (next (cell ?c x)) (true (cell ?c x)))\n"))
    assert "GDL036" in {d.code for d in _look_at(gone.game.sheet, gone, unfired)}


def test_a_game_that_is_not_compiled_is_played_one_match_after_another() -> None:
    record = record_slowly(ReferenceGame(read(SHORT, name="row")), matches=3)
    assert (record.matches, record.results, record.choosers) == (3, {(100, 0)}, {"ann", "bob"})


def test_faults_are_what_makes_a_value_mean_little() -> None:
    def codes(text: str) -> list[str]:
        return [d.code for d in faults_of(explore(CompiledGame(read(text, name="row"))))]

    assert codes(ROW) == codes(SHORT) == []
    assert codes(SHORT.replace("(goal ?p 0)", "(goal ?p 100)")) == ["GDL038"]
    assert "GDL036" in codes(without(ROW, "(<= (next (cell ?c x)) (true (cell ?c x)))\n"))


def test_the_headline_of_explain_and_solve_says_that_rules_are_broken(tmp_path: Path) -> None:
    path = tmp_path / "row.kif"
    path.write_text(SHORT.replace("(goal ?p 0)", "(goal ?p 100)"))
    headline = "These rules look broken: both roles win at every end."
    explained = kibitz("explain", str(path))
    assert headline in explained.stdout
    assert "No value is given" in explained.stdout
    assert "can force" not in explained.stdout
    solved = kibitz("solve", str(path))
    assert solved.stdout.startswith(headline)
    assert "as the rules are written, with best play both win" in solved.stdout
    assert json.loads(kibitz("solve", str(path), "--json").stdout)["faults"] == [
        "GDL038: both roles win at every end"
    ]
    assert json.loads(kibitz("explain", str(path), "--json").stdout)["faults"].startswith(headline)


def test_check_counts_and_places_what_it_finds_by_playing(tmp_path: Path) -> None:
    path = tmp_path / "row.kif"
    path.write_text(without(SHORT, "(<= (next (control ann)) (true (control bob)))\n"))
    result = kibitz("check", str(path), "--json")
    data = json.loads(result.stdout)
    assert (result.returncode, data["ok"], data["errors"]) == (1, False, 1)
    assert data["played"]["complete"]
    one = next(d for d in data["diagnostics"] if d["code"] == "GDL034")
    assert (one["severity"], one["line"], one["column"]) == ("error", 12, 1)
    path.write_text(ROW)
    assert (
        kibitz("check", str(path)).stdout.count("row.kif: no errors, no warnings, 1 remark; all ")
        == 1
    )


BROKEN = {
    "loop": "GDL037",
    "m2_noframe": "GDL036",
    "m9_bothwin": "GDL038",
    "stuck1": "GDL033",
    "stuck2": "GDL031",
    "mistakes/m10_turn": "GDL034",
    "mistakes/m12_notrue": "GDL017",
    "mistakes/m15_unsafe": "GDL008",
    "mistakes/m1_nonoop": "GDL025",
    "mistakes/m3_typo": "GDL031",
    "mistakes/m5_case": "GDL007",
    "mistakes/m7_and": "GDL017",
}


@needs_foreign
@pytest.mark.parametrize("name", BROKEN)
def test_mistakes_of_beginners_are_found(name: str) -> None:
    path = FOREIGN / "broken" / f"{name}.kif"
    if not path.exists():
        pytest.skip(f"no sheet {name}")
    seen = check(path).diagnostics
    assert BROKEN[name] in {d.code for d in seen}
    if name == "mistakes/m3_typo":
        assert "do you mean 'control'?" in {d.hint for d in seen}


def test_names_a_letter_apart_are_suggested() -> None:
    _, seen = diagnose(SHORT.replace("(true (control bob))", "(true (contrl bob))", 1), name="row")
    (one,) = seen
    assert (one.code, one.hint) == ("GDL031", "do you mean 'control'?")
    _, seen = diagnose(SHORT.replace("(does ?p (mark ?c))", "(does ?p (marc ?c))", 1), name="row")
    (one,) = seen
    assert (one.code, one.hint) == ("GDL032", "do you mean 'mark'?")


LAMPS = """(role me) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (goal me 100)
(<= (legal me (press ?x)) (lamp ?x))
(<= (next (lit ?x)) (does me (press ?x)) (not (true (lit ?x))))
(<= (next (lit ?x)) (true (lit ?x)) (not (does me (press ?x))))
(<= unlit (lamp ?x) (not (true (lit ?x))))
(<= terminal (not unlit))
""" + "".join(f"(lamp {number})" for number in range(5, 50))


def test_a_check_that_saw_no_end_says_so_and_how_much_it_saw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.space.play_diagnostics._PLAYING_S", 0.3)
    found = played(LAMPS)
    assert [d.code for d in found.diagnostics if d.severity is Severity.WARNING] == ["GDL045"]
    assert not found.is_complete
    assert found.ends == 0
    assert found.states
    assert found.text.endswith(" states on the way")
    assert found.as_json()["states"] == found.states


def test_a_game_that_was_too_large_to_be_played_is_not_called_free_of_warnings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BudgetExceededError("playing the game needs more than 1 GB", hint="allow more")

    monkeypatch.setattr("kibitz.space.play_diagnostics.run_within", refuse)
    found = played(LAMPS)
    (warning,) = found.diagnostics
    assert (warning.code, warning.hint) == (
        "GDL045",
        "playing the game needs more than 1 GB: allow more",
    )
    assert found.text == "0 random matches played, 0 states on the way"


def test_what_was_not_played_says_so() -> None:
    assert PlayCheck().text == "not played"
