"""Commands about positions to start from, as people and programs call them."""

from __future__ import annotations

from tests.cli.conftest import Run


def test_hardness_gives_the_keys_that_programs_read(run: Run) -> None:
    done = run("hardness", "tictactoe", "--win-in", 2, "--k1", 1, "--k2", 3, "--json")
    assert done.status == 0
    assert {"positions", "easy", "medium", "hard", "seconds"} <= set(done.json)
    assert [done.json[k] for k in ("positions", "easy", "medium", "hard")] == [36, 24, 12, 0]


def test_hardness_can_be_sampled_as_the_paper_did(run: Run) -> None:
    args = ("hardness", "tictactoe", "--sample", 30, "--seed", 7, "--json")
    first, second = (run(*args).json for _ in range(2))
    assert first["positions"] == first["easy"] + first["medium"] + first["hard"] == 36
    assert [first[k] for k in ("easy", "medium", "hard")] == [
        second[k] for k in ("easy", "medium", "hard")
    ]


def test_hardness_for_the_second_role_and_other_skills(run: Run) -> None:
    done = run("hardness", "nim:1,3,5", "--role", "player2", "--k1", "random", "--k2", "slip:0.5")
    assert done.status == 0
    assert "random against optimal but for 0.5" in done.out


def test_an_empty_result_says_why_and_what_is_nearest(run: Run) -> None:
    done = run("hardness", "tictactoe", "--win-in", 5, "--json")
    assert done.status == 0
    assert done.json["positions"] == 0
    assert "--win-in 2, with 36 positions" in done.err


def test_wrong_use_is_one_message(run: Run) -> None:
    for args in (("--role", "z"), ("--k1", "genius"), ("--easy", "0.1"), ("--max-states", "9")):
        done = run("hardness", "tictactoe", *args)
        assert done.status in (1, 2)
        assert done.out == ""
        assert done.err.strip()
        assert "Traceback" not in done.err
