"""The commands solve and symmetries, as programs call them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import kibitz


def test_solve_gives_the_keys_that_programs_read() -> None:
    result = json.loads(kibitz("solve", "tictactoe", "--json").stdout)
    assert result["states"] == 5478
    assert result["nonterminal_states"] == 4520
    assert result["terminal_states"] == 958
    assert result["moves"] == 16167
    assert result["roles"] == ["xplayer", "oplayer"]
    assert result["value"] == {"xplayer": 50, "oplayer": 50}
    assert result["distance"] == 9
    assert result["symmetry_order"] == 8
    assert result["seconds"] > 0
    assert result["bytes"] > 5478


def test_solve_can_look_at_one_state_of_each_orbit() -> None:
    result = json.loads(kibitz("solve", "tictactoe", "--reduce", "--json").stdout)
    assert (result["states"], result["distance"]) == (765, 9)


def test_solve_without_moves_gives_the_same_answer_in_less_memory() -> None:
    full = json.loads(kibitz("solve", "connect:3,3x3", "--json").stdout)
    result = json.loads(kibitz("solve", "connect:3,3x3", "--compact", "--json").stdout)
    for key in ("states", "nonterminal_states", "terminal_states", "moves", "value", "distance"):
        assert result[key] == full[key]
    assert sum(result["layers"]) == 694
    assert result["bytes"] < 16 * 694 < full["bytes"]
    assert {"exploring_seconds", "solving_seconds", "seconds"} <= set(result)


def test_solve_without_moves_values_those_of_a_position() -> None:
    state = "(cell 1 1 x) (cell 2 1 o) (cell 3 1 b) (control xplayer) " + " ".join(
        f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (2, 3)
    )
    options = ("--position", "-", "--json")
    full = json.loads(kibitz("solve", "connect:3,3x3", *options, stdin=state).stdout)
    result = json.loads(kibitz("solve", "connect:3,3x3", "--compact", *options, stdin=state).stdout)
    assert sorted(result["position"], key=str) == sorted(full["position"], key=str)


def test_solve_without_moves_ends_at_a_limit_with_status_1() -> None:
    done = kibitz("solve", "connect:4,4x4", "--compact", "--max-states", "9000", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["is_complete"] is False
    assert "--max-states" in done.stderr
    done = kibitz("solve", "nim:1,2,3", "--compact")
    assert done.returncode == 1
    assert "nim:1,2,3 is not layered" in done.stderr


def test_a_position_s_moves_are_valued() -> None:
    state = "(heap a 0) (heap b 1) (heap c 2) (control player1)"
    done = kibitz("solve", "nim:1,2,3", "--position", "-", "--json", stdin=state)
    moves = {m["move"][0]: m for m in json.loads(done.stdout)["position"]}
    assert moves["(reduce c 1)"]["keeps_value"]
    assert moves["(reduce c 1)"]["value"] == {"player1": 100, "player2": 0}
    assert not moves["(reduce b 0)"]["keeps_value"]
    assert moves["(reduce b 0)"]["distance"] == 1


def test_a_solution_is_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "nim.solution"
    assert kibitz("solve", "nim:1,2", "--store", str(path)).returncode == 0
    assert path.stat().st_size > 100


def test_a_game_that_is_too_large_says_what_is_known_and_what_to_allow() -> None:
    done = kibitz("solve", "mnk:4,4,3", "--max-states", "1000")
    assert done.returncode == 1
    assert "not solved: mnk:4,4,3 has at least 1," in done.stdout
    assert "exploring it ended at the limit of states" in done.stdout
    assert "so far, xplayer is guaranteed 0, oplayer is guaranteed 0" in done.stdout
    assert "--max-states" in done.stderr
    done = kibitz("solve", "nim:1,1,6,misere", "--max-states", "30", "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["is_complete"], result["value"]) == (1, False, None)
    assert set(result["sure"]) == {"player1", "player2"}


def test_a_position_that_is_none_is_refused() -> None:
    done = kibitz("solve", "nim:1,2", "--position", "-", stdin="(heap z 9)")
    assert (done.returncode, done.stdout) == (2, "")
    assert "(heap z 9) can never hold" in done.stderr


def test_simultaneous_moves_are_mixed() -> None:
    result = json.loads(kibitz("solve", "roshambo", "--json").stdout)
    assert result["value"] == {"player1": 50.0, "player2": 50.0}
    assert result["distance"] == 3
    third = {"rock": 0.333333, "paper": 0.333333, "scissors": 0.333333}
    assert result["mix"] == {"player1": third, "player2": third}
    shown = kibitz("solve", "roshambo").stdout
    assert "player1 gets 50 on average" in shown
    assert "player2 mixes" in shown


THREE = """(role a) (role b) (role c) (init start) (legal b wait) (legal c wait)
(legal a one) (legal a two) (legal a three)
(<= (next (played ?m)) (does a ?m)) (<= terminal (not (true start)))
(<= (goal a 10) (true (played one))) (<= (goal a 60) (not (true (played one))))
(<= (goal b 90) (true (played two))) (<= (goal b 20) (not (true (played two))))
(<= (goal c 5) (not (true start)))"""


def test_three_roles_have_bounds_where_ties_matter(tmp_path: Path) -> None:
    path = tmp_path / "three.kif"
    path.write_text(THREE, "utf-8")
    result = json.loads(kibitz("solve", str(path), "--json").stdout)
    assert result["value"] == {"a": 60, "b": None, "c": 5}
    assert result["bounds"]["b"] == [20, 90]
    assert result["has_tie"]
    shown = kibitz("solve", str(path), "--position", "-", stdin="start").stdout
    assert "a gets 60, b gets 20 to 90 as ties are broken, c gets 5" in shown
    assert "in 1 states the mover has equally good moves that differ for others" in shown
    assert "two wait wait: a gets 60, b gets 90, c gets 5, at once *" in shown
    assert "one wait wait: a gets 10, b gets 20, c gets 5, at once\n" in shown
    stored = kibitz("solve", str(path), "--store", str(tmp_path / "kept"))
    assert (stored.returncode, stored.stdout) == (2, "")
    assert "only values of opposed roles can be stored" in stored.stderr


def test_simultaneous_moves_of_roles_that_are_not_opposed_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "three.kif"
    path.write_text(THREE.replace("(legal b wait)", "(legal b wait) (legal b go)"), "utf-8")
    done = kibitz("solve", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "at the same time" in done.stderr


def test_symmetries_are_told_by_what_they_exchange() -> None:
    result = json.loads(kibitz("symmetries", "nim:2,2", "--json").stdout)
    assert result["order"] == 2
    assert ["(heap a 2)", "(heap b 2)"] in result["generators"][0]
    assert result["words"] == [["(heap a _) -> (heap b _)"]]
    assert result["pictures"] == ["a b\nb a"]
    shown = kibitz("symmetries", "tictactoe").stdout
    assert "generator 1: (cell 1 2 _) -> (cell 2 1 _)" in shown
    assert "\n    2 1,2 2,2 3,2\n" in shown
    assert "nim:1,2: 1 symmetry, which changes nothing" in kibitz("symmetries", "nim:1,2").stdout


def test_a_checkpoint_needs_a_cluster(tmp_path: Path) -> None:
    done = kibitz("solve", "tictactoe", "--checkpoint", str(tmp_path))
    assert done.returncode == 2
    assert "--cluster auto" in done.stderr
    assert not done.stdout
