"""Play that gets stuck has no result: no goals, no score, and nothing is proven of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz

from kibitz.engine.compiled.game import CompiledGame
from kibitz.gdl import read
from kibitz.play import RandomAgent, SearchAgent, play_match
from kibitz.play.search.tree_search import TreeSearch
from kibitz.play.tournament import score

# Behind either door the guest has nothing to do, and play has not ended; goals are there all along.
DOORS = """
    (role host) (role guest) (init hall) (door 1) (door 2)
    (<= (legal host (open ?d)) (true hall) (door ?d))
    (<= (legal host rest) (not (true hall)))
    (<= (legal guest wait) (true hall))
    (<= (next (room ?d)) (does host (open ?d)))
    (<= terminal (true yard))
    (goal host 100) (goal guest 0)
"""
START = """
    (role host) (role guest) (init hall)
    (legal host rest) (<= (legal guest wait) (true yard))
    (<= (next yard) (true yard))
    (<= terminal (true room)) (goal host 50) (goal guest 50)
"""


def game(text: str) -> CompiledGame:
    return CompiledGame(read(text, name="made"))


def test_a_match_that_gets_stuck_has_no_goals_and_says_who_has_no_move() -> None:
    for text, moves in ((DOORS, 1), (START, 0)):
        agents = {"host": RandomAgent(1), "guest": RandomAgent(2)}
        match = play_match(game(text), agents)
        assert (len(match.steps), match.is_finished, match.stuck) == (moves, False, ("guest",))
        assert match.goals == {"host": None, "guest": None}
        assert str(match).endswith(
            "no result: guest has no legal move, and the state is not terminal"
        )
        assert match.as_json()["stuck"] == ["guest"]
        (counted,) = score([match], ["random"])
        assert (counted.matches, counted.wins, counted.draws, counted.losses) == (0, 0, 0, 0)


def test_tree_search_proves_nothing_where_play_gets_stuck() -> None:
    made = game(DOORS)
    search = TreeSearch(made)
    search.run(made.initial(), rounds=50)
    options = search.options("host")
    assert len(options) == 2
    assert not any(option.is_proven for option in options)
    agent = SearchAgent(rounds=20)
    match = play_match(made, {"host": agent, "guest": RandomAgent()})
    assert match.stuck == ("guest",)


@pytest.mark.slow
def test_commands_that_play_say_that_there_is_no_result(tmp_path: Path) -> None:
    sheet = tmp_path / "made.kif"
    for text in (DOORS, START):
        sheet.write_text(text)
        clocks = ("--start-clock", "0.1", "--play-clock", "0.05")
        for arguments in (
            ("match", str(sheet), "--role", "host=mcts", *clocks),
            ("match", str(sheet), "--role", "host=uct", *clocks),
            ("match", str(sheet), "--role", "host=auto", *clocks),
            ("tournament", str(sheet), "--agent", "mcts", "--agent", "random", "-n", "1", *clocks),
            ("play", str(sheet), "--against", "random"),
        ):
            done = run(*arguments, typed="1\n")
            said = done.stdout + done.stderr
            assert done.returncode == 0, (arguments, said)
            expected = "no match ended" if arguments[0] == "tournament" else "no result: guest has"
            assert expected in said, (arguments, said)
            for false in ("host 100", "host 50", "drawn", "report it"):
                assert false not in said, (arguments, said)
        answer = json.loads(run("match", str(sheet), "--role", "host=random", "--json").stdout)
        assert answer["matches"][0]["goals"] == {"host": None, "guest": None}
        assert [one["matches"] for one in answer["scores"]] == [0]
        refused = run("match", str(sheet), "--role", "host=optimal", *clocks)
        assert refused.returncode == 1
        assert "stuck" in refused.stderr


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return kibitz(*arguments, stdin=typed)
