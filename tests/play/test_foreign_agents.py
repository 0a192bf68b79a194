"""Agents that others wrote: Python functions, programs, and bots of OpenSpiel, in our matches."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli import app
from kibitz.engine import make_game
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.play import RandomAgent, foreign_agent, play_match

MODULE = """
from kibitz.play import RandomAgent

def last(state, role):
    return str(state.legal(role)[-1])

def wrong(state, role):
    return "(no such move)"

class Own(RandomAgent):
    pass
"""

LINES = """
import sys
for line in sys.stdin:
    kind = line.split()[1].lower()
    if kind == "play":
        print("(reduce b 1)" if "NIL" in line else "noop", flush=True)
    else:
        print("ready", flush=True)
"""


def run(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    name = f"agents_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(MODULE))
    (tmp_path / "lines.py").write_text(LINES)
    monkeypatch.chdir(tmp_path)
    return Path(name)


def test_a_function_plays_the_roles_that_nobody_else_has(folder: Path) -> None:
    found = run("match", "nim:1,2", "--agent", "player2=random", "--agent", f"{folder}:last")
    (match,) = found["matches"]
    assert match["roles"] == {"player1": f"{folder}:last", "player2": "random"}
    assert match["moves"][0] == ["(reduce b 1)", "noop"]
    assert match["errors"] == []


def test_agents_without_roles_take_one_each_in_the_order_of_the_rules(folder: Path) -> None:
    given = ("--agent", f"{folder}:last", "--agent", "random")
    (match,) = run("match", "nim:1,2", *given)["matches"]
    assert match["roles"] == {"player1": f"{folder}:last", "player2": "random"}
    refused = CliRunner().invoke(app, ["match", "nim:1,2", *given, "--agent", "player1=optimal"])
    assert "2 agents without a role, and 1 role without an agent" in str(refused.exception)


def test_a_class_of_agents_takes_part_in_a_tournament(folder: Path) -> None:
    found = run(
        "tournament", "nim:1,2", "--agent", f"{folder}:Own", "--agent", f"{folder}:last", "-n", "1"
    )
    assert {one["agent"] for one in found["scores"]} == {f"{folder}:Own", f"{folder}:last"}
    assert len(found["matches"]) == 2


def test_a_wrong_answer_is_replaced_and_reported(folder: Path) -> None:
    found = run("match", "nim:1,1", "--agent", f"player1={folder}:wrong")
    assert found["matches"][0]["errors"]


def test_a_program_plays_by_lines_of_the_protocol(folder: Path) -> None:
    command = f"command:{sys.executable} lines.py"
    found = run("match", "nim:1,2", "--agent", f"player1={command}")
    (match,) = found["matches"]
    assert match["moves"][0][0] == "(reduce b 1)"
    assert match["finished"]


@pytest.mark.slow
def test_a_program_that_listens_plays_by_the_protocol_of_match_servers(folder: Path) -> None:
    command = f"command:{sys.executable} -m kibitz player --agent optimal --port {{port}} --quiet"
    found = run("match", "nim:1,2", "--agent", f"player1={command}", "--start-clock", "20")
    (match,) = found["matches"]
    assert match["goals"] == {"player1": 100, "player2": 0}
    assert match["errors"] == []


def test_a_program_that_ends_loses_its_moves_and_not_the_match(folder: Path) -> None:
    found = run("match", "nim:1,1", "--agent", f"player1=command:{sys.executable} -c pass")
    (match,) = found["matches"]
    assert match["finished"]
    assert any("has ended" in error for error in match["errors"])


def test_a_bot_of_openspiel_plays_and_wins_what_is_won() -> None:
    pytest.importorskip("pyspiel")
    found = run("match", "nim:1,2", "--agent", "player1=kibitz.envs:openspiel_mcts")
    (match,) = found["matches"]
    assert match["errors"] == []
    assert match["goals"] == {"player1": 100, "player2": 0}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_module:play", "there is no module no_such_module"),
        ("kibitz.play:no_such_thing", "has no no_such_thing"),
        ("kibitz:__version__", "not a function"),
        ("command:", "names no program"),
    ],
)
def test_what_is_not_there_is_named(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        foreign_agent(name)


FAULTY = """
import kibitz.play
def raises(state, role): raise ValueError("out of cards")
def ends(state, role): raise SystemExit(3)
def nothing(): return 1
def one(state): return state.legal("player1")[0]
class Starts(kibitz.play.RandomAgent):
    def start(self, game, role, deadline): raise RuntimeError
"""


@pytest.mark.parametrize(
    ("name", "problem"), [("raises", "ValueError: out of cards"), ("ends", "SystemExit: 3")]
)
def test_a_function_that_fails_loses_its_moves_and_not_the_match(
    folder: Path, name: str, problem: str
) -> None:
    agent = f"faulty_{folder}:{name}"
    Path(f"faulty_{folder}.py").write_text(FAULTY)
    (match,) = run("match", "nim:1,1", "--agent", f"player1={agent}")["matches"]
    assert match["finished"]
    assert set(match["errors"]) == {f"player1: {agent} raised {problem}"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", ":nothing cannot be called with a seed"),
        ("one", ":one raised AttributeError: 'int' object has no attribute 'legal'"),
        ("Starts", "random raised RuntimeError"),
    ],
)
def test_code_that_cannot_be_an_agent_is_refused(folder: Path, name: str, message: str) -> None:
    Path(f"faulty_{folder}.py").write_text(FAULTY)
    with pytest.raises(InputError, match=message):
        play_match(
            make_game(load_sheet("nim:1,1")),
            {"player1": foreign_agent(f"faulty_{folder}:{name}")(1), "player2": RandomAgent()},
        )


def test_a_module_that_python_cannot_read_is_named(folder: Path) -> None:
    Path(f"unreadable_{folder}.py").write_text("def play(")
    with pytest.raises(InputError, match=f"unreadable_{folder} raised SyntaxError"):
        foreign_agent(f"unreadable_{folder}:play")
