"""solve --search, check-proof and endings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.conftest import Run
from tests.prove.test_prove import LARGE

from kibitz.cli.solving.search import explain_move, search_position
from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.prove import standalone_checker

KEYS = {
    "value", "exact", "bounds", "best", "moves", "line", "positions", "positions_per_second",
    "seconds", "proved",
}  # fmt: skip


def test_search_prints_what_is_proved(run: Run) -> None:
    done = run("solve", "hex:3", "--search", "--memory", 0.2)
    assert done.status == 0
    assert "hex:3: proved by search: with best play red wins (red 100, blue 0)" in done.out
    assert "moves that keep it:" in done.out


def test_search_as_json_has_the_promised_keys(run: Run) -> None:
    found = run("solve", "nim:1,2,4", "--search", "--moves", "--memory", 0.2, "--json").json
    assert found.keys() >= KEYS
    assert found["value"] == {"player1": 100, "player2": 0}
    assert found["bounds"] == {"player1": [100, 100], "player2": [0, 0]}
    assert found["proved"] is found["exact"] is True
    assert found["best"] == ["(reduce c 3)"]
    assert found["moves"]["(reduce c 3)"] == {"player1": 100, "player2": 0}
    assert found["moves"]["(reduce c 0)"] == {"player1": 0, "player2": 100}
    assert found["line"][0] == ["(reduce c 3)", "noop"]


@pytest.mark.slow
def test_plies_are_found_where_asked_for(run: Run) -> None:
    args = ("solve", "nim:1,2,4", "--search", "--memory", 0.2)
    assert run(*args, "--json").json["plies"] is None
    found = run(*args, "--plies", "--json").json
    assert (found["plies"], found["more_plies_than"]) == (7, 6)
    assert "  it ends after 7 moves\n" in run(*args, "--plies").out
    drawn = run("solve", "tictactoe", "--search", "--memory", 0.2, "--weak", "--plies").out
    assert "how soon it ends is searched for wins only" in drawn


def test_what_is_open_says_of_how_many_moves_the_value_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = CompiledGame(load_sheet(LARGE))
    with pytest.raises(typer.Exit):
        search_position(game, game.initial(), seconds=0, memory=0.1)
    assert "  the values of 0 of 7 moves are known\n" in capsys.readouterr().out
    with pytest.raises(typer.Exit):
        search_position(game, game.initial(), seconds=0, memory=0.1, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["decided_moves"], found["legal_moves"], found["proved"]) == (0, 7, False)


def test_a_position_is_searched(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "position.kif"
    path.write_text("(heap a 1) (heap b 1) (heap c 0) (control player1)")
    found = run(
        "solve", "nim:1,2,4", "--search", "--memory", 0.2, "--position", path, "--json"
    ).json
    assert found["value"] == {"player1": 0, "player2": 100}
    path.write_text("(heap a 9)")
    done = run("solve", "nim:1,2,4", "--search", "--memory", 0.2, "--position", path)
    assert done.status == 2
    assert "can never hold" in done.err


def test_a_certificate_is_written_and_checked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    assert (
        run(
            "solve", "nim:1,2,4", "--search", "--weak", "--memory", 0.2, "--certificate", path
        ).status
        == 0
    )
    done = run("check-proof", "nim:1,2,4", path)
    assert done.status == 0
    assert "each role can guarantee player1 100, player2 0" in done.out
    assert "from the first state: (control player1) (heap a 1) (heap b 2) (heap c 4)\n" in done.out
    found = run("check-proof", "nim:1,2,4", path, "--engine", "compiled", "--json").json
    assert found["goals"] == {"player1": 100, "player2": 0}
    assert (found["proved"], found["is_first_state"]) == (True, True)
    made = json.loads(path.read_text())
    made["parts"][0]["positions"][0][1] = 0
    path.write_text(json.dumps(made))
    done = run("check-proof", "nim:1,2,4", path)
    assert done.status == 2
    assert "certificate" in done.err
    for text in ("[", "[" * 100_000, '{"start": ' + "9" * 10_000 + "}", "{}", "null", '"x"'):
        path.write_text(text)
        done = run("check-proof", "nim:1,2,4", path)
        assert done.status == 2
        assert "the certificate is damaged" in done.err
        assert len(done.err) < 500


def test_a_certificate_of_a_position_is_checked_from_there(run: Run, tmp_path: Path) -> None:
    proof, position, elsewhere = (tmp_path / name for name in ("proof", "position", "elsewhere"))
    position.write_text("(heap a 1) (heap b 2) (heap c 0) (control player2)")
    elsewhere.write_text("(control player1)")
    at = ("--position", position)
    run("solve", "nim:1,2,4", *at, "--search", "--weak", "--memory", 0.2, "--certificate", proof)
    found = run("check-proof", "nim:1,2,4", proof, *at, "--json").json
    assert found["goals"] == {"player1": 0, "player2": 100}
    assert found["start"] == ["(control player2)", "(heap a 1)", "(heap b 2)", "(heap c 0)"]
    assert found["is_first_state"] is False
    for args in ((), ("--position", elsewhere)):
        done = run("check-proof", "nim:1,2,4", proof, *args)
        assert (done.status, done.out) == (2, "")
        assert "does not begin at" in done.err


def test_what_a_certificate_leaves_out_is_proved_anew(run: Run, tmp_path: Path) -> None:
    proof, parts = tmp_path / "proof", tmp_path / "parts"
    asked = ("--search", "--weak", "--memory", 0.2, "--certificate-depth", 2)
    run("solve", "nim:1,2,4", *asked, "--certificate", proof)
    done = run("check-proof", "nim:1,2,4", proof)
    assert done.status == 1
    assert (
        "nothing is wrong in the 2 positions given\n  6 were left out, the first after 2 moves\n"
        in done.out
    )
    assert "  so player1 100, player2 0 is not proved: 6 positions not gone into\n" in done.out
    again = ("check-proof", "nim:1,2,4", proof, "--memory", 0.2, "--regenerate")
    some = run(*again, 2, "--json")
    assert some.status == 1
    assert (some.json["regenerated"], some.json["left_out"], some.json["goals"]) == (2, 6, {})
    done = run(*again, 6, "--parts", parts)
    assert done.status == 0
    assert "proved: each role can guarantee player1 100, player2 0\n" in done.out
    assert "  6 of these were proved anew, and the " in done.out
    assert len(list(parts.iterdir())) == 12
    at = ("--position", parts / "000001.kif")
    assert run("check-proof", "nim:1,2,4", parts / "000001.json", *at).status == 0


def test_the_standalone_checker_is_printed(run: Run) -> None:
    done = run("check-proof", "--standalone")
    assert done.status == 0
    assert done.out == Path(standalone_checker.__file__).read_text("utf-8")


def test_a_table_is_taken_up(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table"
    args = ("solve", "nim:1,2,4", "--search", "--weak", "--memory", 0.2, "--store", path, "--json")
    assert run(*args).json["positions"] > run(*args).json["positions"]
    path.write_bytes(b"kibitz arrays")
    assert run(*args).status == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--search", "--reduce"), "--search goes with none of"),
        (("--moves",), "go with --search"),
        (("--weak",), "go with --search"),
        (("--threads", 1), "go with --search"),
        (("--plies",), "go with --search"),
        (("--endings", "none"), "go with --search"),
        (("--why", "noop"), "go with --search"),
    ],
)
def test_options_that_do_not_go_together(run: Run, args: tuple[object, ...], message: str) -> None:
    done = run("solve", "nim:1,2", *args)
    assert done.status == 2
    assert message in done.err


def test_one_thread_searches_the_same_positions_whatever_the_hash_seed() -> None:
    command = [sys.executable, "-m", "kibitz", "solve", "hex:3", "--search", "--threads", "1"]
    command += ["--memory", "0.2", "--json"]
    found = []
    for seed in "123":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        output = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        made = json.loads(output)
        found.append({k: v for k, v in made.items() if "second" not in k})
    assert found[0] == found[1] == found[2]
    assert found[0]["positions"] > 100


def test_endings_are_kept_and_used(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "few"
    done = run("endings", "breakthrough:4x3", "--men", 3, "-o", path)
    assert done.status == 0
    assert "positions with at most 3 men\n" in done.out
    found = run("endings", "breakthrough:4x3", "--men", 2, "-o", path, "--json").json
    assert (found["men"], found["positions"], found["file"]) == (
        2,
        558,
        str(path),
    )  # of 578, with both won in 20
    args = ("solve", "breakthrough:4x3", "--search", "--weak", "--memory", 0.2, "--json")
    plain, helped = run(*args).json, run(*args, "--endings", path).json
    assert helped["value"] == plain["value"]
    assert run("solve", "tictactoe", "--search", "--endings", path).status == 2
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    done = run(*args, "--endings", path)
    assert (done.status, done.out) == (2, "")
    assert "damaged" in done.err
    assert run("endings", "tictactoe", "--men", 2, "-o", tmp_path / "none").status == 2
    assert not (tmp_path / "none").exists()


def test_a_move_is_refuted_with_its_line(run: Run) -> None:
    args = ("solve", "nim:1,2,4", "--search", "--memory", 0.2, "--why")
    done = run(*args, "(reduce c 0)")
    assert done.status == 0
    assert "  It gives up a win and leaves a loss: Player 1 gets 0, not 100.\n" in done.out
    assert "  refuted by: noop/" in done.out
    assert "  better: (reduce c 3)\n" in done.out
    found = run(*args, "(reduce c 3)", "--json").json
    assert (found["keeps_value"], found["value"], found["best"]) == (True, 100, ["(reduce c 3)"])
    assert found["text"] == "It wins."
    assert run(*args, "(reduce c 9)").status == 2
    assert run(*args, "a b").status == 2
    assert run(*args, "(reduce c 3)", "--weak").status == 2


def test_a_move_that_is_not_decided_in_time_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    game = CompiledGame(load_sheet(LARGE))
    with pytest.raises(typer.Exit):
        explain_move(game, game.initial(), "(drop 1)", seconds=0, memory=0.1)
    assert "  Not decided in 0 s: " in capsys.readouterr().out


def test_games_that_search_does_not_take(run: Run) -> None:
    done = run("solve", "roshambo", "--search", "--memory", 0.2)
    assert done.status == 1
    assert "choose at the same time" in done.err


@pytest.mark.slow
def test_a_game_too_large_to_list_is_searched(run: Run) -> None:
    done = run("solve", LARGE, "--timeout", 30, "--memory", 2)
    assert done.status == 1
    assert "searching one position instead" in done.err
    assert "xplayer gets at least" in done.out
    assert "of 7 moves are known" in done.out
