from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.conftest import Run
from typer.main import get_command

from kibitz import __version__
from kibitz.cli import _without_others, app
from kibitz.games import catalogue, load_sheet, rule_text
from kibitz.gdl import parse, to_kif, to_ruleform

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
GAME = "(role me) (init on) (legal me go) (<= (next off) (does me go)) (<= terminal (true off))"
WARNS = GAME
CLEAN = GAME + " (goal me 100)"
BROKEN = "(role me)\n(legal me ?x)\n(goal me 100)\n(<= terminal (true off))\n(next off)\n"
HUGE = CLEAN + "".join(f"(n {i})" for i in range(30)) + (
    "(<= (init (t ?a ?b ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))"
)  # fmt: skip
MOVES = "((reduce a 0) noop)\n(noop (reduce b 0))\n"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "mine.kif"
    path.write_text(CLEAN)
    return path


def test_help_lists_the_commands(run: Run) -> None:
    for option in ("--help", "-h"):
        result = run(option)
        assert (result.status, result.err) == (0, "")
        for command in ("games", "show", "check", "explain", "replay"):
            assert command in result.out


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom kibitz.cli import main\nsys.argv = ['kibitz', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('clingo', 'numpy', 'rich', 'llvmlite') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version_prints_the_version(run: Run) -> None:
    assert run("--version") == (0, f"{__version__}\n", "")


@pytest.mark.parametrize(
    "args",
    [
        ["nonsense"],
        ["check"],
        ["show", "tictactoe", "--form", "prose"],
        ["replay", "tictactoe", "--moves", "moves.txt", "--engine", "steam"],
        ["explain", "tictactoe", "--timeout", "0"],
        ["explain", "tictactoe", "--timeout", "inf"],
        ["explain", "tictactoe", "--memory", "lots"],
        ["replay", "tictactoe"],
        ["games", "--nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_use_exits_with_2_and_says_why(run: Run, args: list[str]) -> None:
    result = run(*args)
    assert (result.status, result.out) == (2, "")
    assert "Error:" in result.err
    assert "Traceback" not in result.err


def test_games_lists_every_game_of_the_library(run: Run) -> None:
    result = run("games")
    assert (result.status, result.err) == (0, "")
    assert [line.split()[0].split(":")[0] for line in result.out.splitlines()] == [
        entry.name for entry in catalogue()
    ]


def test_games_as_json(run: Run) -> None:
    listed = run("games", "--json").json
    assert [set(entry) for entry in listed] == [
        {"name", "parameters", "summary", "examples"} for _ in catalogue()
    ]
    assert [entry["name"] for entry in listed] == [entry.name for entry in catalogue()]


def test_show_prints_the_rules_as_written(run: Run) -> None:
    assert run("show", "nim:1,2") == (0, rule_text("nim:1,2"), "")


@pytest.mark.parametrize("form", ["kif", "rules"])
def test_show_prints_either_notation(run: Run, form: str) -> None:
    rules = load_sheet("nim:1,2")
    expected = to_kif(rules) if form == "kif" else to_ruleform(rules)
    assert run("show", "nim:1,2", "--form", form) == (0, expected, "")


def test_show_as_json(run: Run) -> None:
    shown = run("show", "nim:1,2", "--form", "rules", "--json").json
    assert shown == {
        "game": "nim:1,2",
        "rules": len(load_sheet("nim:1,2").rules),
        "form": "rules",
        "text": to_ruleform(load_sheet("nim:1,2")),
    }


def test_show_reads_a_fragment_that_is_no_whole_game(run: Run) -> None:
    assert run("show", "-", "--form", "rules", stdin="(p ?x)") == (0, "p(X).\n", "")


def test_show_of_a_broken_text_shows_the_diagnostic(run: Run) -> None:
    result = run("show", "-", stdin="(p")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("stdin:1:1: GDL002: this parenthesis is never closed\n")


def test_show_takes_one_notation_to_the_other_through_a_pipe(run: Run) -> None:
    rules = run("show", "tictactoe", "--form", "rules").out
    again = run("show", "-", "--form", "kif", stdin=rules).out
    assert parse(again) == load_sheet("tictactoe")


def test_check_of_a_good_game(run: Run) -> None:
    assert run("check", "tictactoe") == (
        0,
        "tictactoe: no errors, no warnings; all 5,478 states listed\n",
        "",
    )


def test_check_with_warnings_exits_with_0(run: Run) -> None:
    result = run("check", "-", stdin=WARNS)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("stdin:1:1: GDL019: warning: no rule for 'goal'\n")
    assert result.out.endswith("stdin: no errors, 1 warning; all 2 states listed\n")


def test_check_with_errors_exits_with_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.kif"
    path.write_text(BROKEN)
    result = run("check", path)
    assert (result.status, result.err) == (1, "")
    assert result.out.splitlines()[:4] == [
        f"{path}:2:11: GDL007: ?x in the head of 'legal' is bound by no positive body literal",
        "   2 | (legal me ?x)",
        "     |           ^^",
        "  hint: a fact holds for constants only; write a rule with a body, or a constant",
    ]
    assert result.out.endswith(f"{path}: 1 error, no warnings; not played\n")


def test_check_as_json(run: Run) -> None:
    result = run("check", "-", "--json", stdin="(role me)\n(p 1)\n(p 1 2)\n" + CLEAN[9:])
    assert result.status == 1
    assert result.json == {
        "game": "stdin",
        "ok": False,
        "errors": 1,
        "warnings": 0,
        "remarks": 0,
        "played": {"complete": False, "states": None, "matches": 0, "ends": 0},
        "diagnostics": [
            {
                "code": "GDL016",
                "severity": "error",
                "message": "relation 'p' has 2 arguments here and 1 elsewhere",
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 8,
                "hint": "use another name for one of the two relations",
                "notes": [
                    {
                        "message": "with 1 argument here",
                        "line": 2,
                        "column": 1,
                        "end_line": 2,
                        "end_column": 6,
                    }
                ],
            }
        ],
    }


def test_check_looks_at_the_initial_state(run: Run) -> None:
    result = run("check", "-", "--json", stdin=CLEAN.replace("(role me)", "(role me) (role you)"))
    assert result.status == 1
    assert [d["code"] for d in result.json["diagnostics"]] == ["GDL025"]


def test_check_that_runs_out_of_time_says_so_and_goes_on(run: Run) -> None:
    result = run("check", "-", "--timeout", "0.2", stdin=HUGE)
    assert result.status == 0
    assert "GDL029: warning: the initial state needs more than 0.2 s" in result.out


def test_explain_counts_the_warnings_on_stderr(run: Run) -> None:
    result = run("explain", "-", stdin=WARNS)
    assert result.status == 0
    told = [line for line in result.err.splitlines() if not line.startswith("[")]
    assert told == ["stdin: 1 warning; kibitz check - shows them"]  # besides progress


def test_explain_that_runs_out_of_its_budget_says_so(run: Run) -> None:
    late = run("explain", "-", "--timeout", "0.2", stdin=HUGE)
    assert late.status == (0 if late.out else 1)  # 0 for what is known so far
    assert "--timeout" in (late.out or late.err)


@pytest.mark.slow
def test_explain_that_runs_out_of_memory_says_so(run: Run) -> None:
    large = run("explain", "-", "--memory", "0.4", stdin=HUGE)
    assert (large.status, large.out) == (1, "")
    assert large.err.endswith("needs more than 0.4 GB\n  hint: allow more memory with --memory\n")


@pytest.mark.parametrize("command", [["explain"], ["replay", "--moves", "moves.txt"]])
@pytest.mark.parametrize("option", [[], ["--json"]])
def test_a_broken_rule_sheet_is_shown_on_stderr(
    run: Run, command: list[str], option: list[str]
) -> None:
    result = run(*command, *option, "-", stdin=BROKEN)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("stdin:2:11: GDL007: ")
    assert "Traceback" not in result.err


def test_replay_prints_every_step(run: Run) -> None:
    result = run("replay", "nim:1,1", "--moves", "-", stdin=MOVES)
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[:6] == [
        "step 0",
        "  (control player1) (heap a 1) (heap b 1)",
        *(line for line in result.out.splitlines()[2:4]),
        "  play (reduce a 0) noop",
        "",
    ]
    assert result.out.splitlines()[2].endswith(": (reduce a 0) (reduce b 0)")
    assert "step 2, terminal" in result.out


def test_replay_as_json_has_exactly_the_promised_keys(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text(MOVES)
    told = run("replay", "nim:1,1", "--moves", path, "--json").json
    assert set(told) == {"game", "roles", "steps"}
    assert told["game"] == "nim:1,1"
    assert told["roles"] == ["player1", "player2"]
    assert [set(step) for step in told["steps"]] == [{"state", "terminal", "goals", "legal"}] * 3
    assert [step["terminal"] for step in told["steps"]] == [False, False, True]
    last = told["steps"][-1]
    assert last["state"] == ["(control player1)", "(heap a 0)", "(heap b 0)"]
    assert last["goals"] == {"player1": 0, "player2": 100}
    assert told["steps"][0]["legal"] == {
        "player1": ["(reduce a 0)", "(reduce b 0)"],
        "player2": ["noop"],
    }


def test_replay_of_no_moves_is_the_initial_state(run: Run) -> None:
    assert len(run("replay", "nim:1,1", "--moves", "-", "--json").json["steps"]) == 1


def test_replay_gives_null_for_a_goal_that_the_rules_do_not_give(run: Run, sheet: Path) -> None:
    sheet.write_text(GAME)
    assert run("replay", sheet, "--moves", "-", "--json").json["steps"][0]["goals"] == {"me": None}


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_an_illegal_move_exits_with_1_and_names_all_that_matters(
    run: Run, option: list[str]
) -> None:
    moves = "((reduce a 0) noop)\n(noop (reduce a 0))\n"
    result = run("replay", "nim:1,2", "--moves", "-", *option, stdin=moves)
    assert (result.status, result.out) == (1, "")
    assert result.err == (
        "step 2: (reduce a 0) is not a legal move of player2\n"
        "  hint: legal moves: (reduce b 0) (reduce b 1)\n"
    )


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("noop noop", "stdin:1: noop noop is not a joint move"),
        ("(noop)", "step 1: a joint move of nim:1,2 has 2 moves, not 1"),
        ("(?x noop)", "stdin:1:2: ?x is a variable"),
        (b"\xff", "-: byte 0 is not UTF-8 text"),
    ],
)
def test_moves_that_cannot_be_read_are_wrong_use(
    run: Run, moves: str | bytes, message: str
) -> None:
    result = run("replay", "nim:1,2", "--moves", "-", stdin=moves)
    assert (result.status, result.out) == (2, "")
    assert result.err.splitlines()[0] == message


def test_rules_and_moves_cannot_both_come_from_stdin(run: Run) -> None:
    result = run("replay", "-", "--moves", "-", stdin=CLEAN)
    assert (result.status, result.out) == (2, "")
    assert result.err == "rules and moves cannot both be read from stdin\n"


def test_an_unknown_game_suggests_the_one_that_was_meant(run: Run) -> None:
    result = run("explain", "tictactow")
    assert (result.status, result.out) == (2, "")
    assert result.err == "no game is called 'tictactow'\n  hint: did you mean tictactoe?\n"


@pytest.mark.parametrize("command", ["show", "check", "explain"])
@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("missing.kif", "cannot read missing.kif: No such file or directory"),
        ("folder/missing", "cannot read folder/missing: No such file or directory"),
        ("folder.kif", "cannot read folder.kif: Is a directory"),
        ("./folder.kif", "cannot read ./folder.kif: Is a directory"),
        ("a" * 300, "no game is called 'aaaaaaaaaaaa...aaaaaaaaaaaaa'"),
        ("nim:", "the parameters '' do not fit nim"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_game_that_cannot_be_found_is_wrong_use(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    game: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.kif").mkdir()
    result = run(command, game)
    assert (result.status, result.out) == (2, "")
    assert result.err.splitlines()[0] == message


def test_a_path_needs_no_suffix(run: Run, sheet: Path) -> None:
    assert run("check", sheet).status == 0
    bare = sheet.rename(sheet.with_suffix(""))
    assert run("check", bare).status == 0


def test_a_library_game_is_found_beside_a_folder_of_its_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim").mkdir()
    assert run("check", "nim").status == 0


def test_bytes_that_are_no_text_are_a_diagnostic(run: Run) -> None:
    result = run("check", "-", stdin=b"\x80\x00(")
    assert result.status == 1
    assert "GDL001: byte 0 is not UTF-8 text" in result.out


def test_a_mistake_of_our_own_is_one_message(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr("kibitz.games.catalogue", fail)
    monkeypatch.delenv("KIBITZ_DEBUG", raising=False)
    result = run("games")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("internal error: RuntimeError: oh\n  hint: please report it")
    monkeypatch.setenv("KIBITZ_DEBUG", "1")
    with pytest.raises(RuntimeError, match="oh"):
        run("games")


def test_names_that_the_terminal_cannot_show_are_escaped() -> None:
    done = subprocess.run(
        [*KIBITZ, "check", "-", "--json"],
        input="(role é) (<= p (not p))".encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.stderr == b""
    found = json.loads(done.stdout)["diagnostics"]
    assert "(p ← not p)" in next(d["message"] for d in found if d["code"] == "GDL010")
    plain = subprocess.run(
        [*KIBITZ, "show", "-"],
        input="(role é)".encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (plain.stdout, plain.stderr, plain.returncode) == (b"(role \\xe9)\n", b"", 0)


def test_a_reader_that_leaves_early_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*KIBITZ, "games"], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_message() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*KIBITZ, "games"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "cannot write the result: No space left on device\n"


@pytest.mark.parametrize(
    "command", [["games"], ["explain", "nim:1,1"], ["replay", "nim:1,1", "--moves", "/dev/null"]]
)
def test_a_closed_stdout_is_no_error(command: list[str]) -> None:
    closing = ["sh", "-c", 'exec "$@" >&-', "sh", *KIBITZ, *command]
    done = subprocess.run(closing, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_stdin_is_one_message() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *KIBITZ, "check", "-"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "stdin is closed\n  hint: give a path instead of -\n"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system has no /proc")
def test_ctrl_c_exits_with_130_and_one_word(tmp_path: Path) -> None:
    path = tmp_path / "huge.kif"
    path.write_text(HUGE)
    running = subprocess.Popen(
        [*KIBITZ, "replay", str(path), "--moves", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    assert running.stdin is not None
    running.stdin.close()
    running.stdin = None
    while not children.read_text().split():  # until the work has begun
        assert running.poll() is None
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=600)
    assert (running.returncode, out, err) == (130, "", "interrupted\n")


def test_only_a_command_that_is_named_has_its_parameters_read() -> None:
    def commands(words: list[str]) -> dict[str, list[str | None]]:
        group = get_command(_without_others(app, words))
        found: dict[str, list[str | None]] = {}
        for name, command in group.commands.items():  # type: ignore[attr-defined]
            inner = getattr(command, "commands", None) or {"": command}
            found |= {f"{name} {k}".strip(): [p.name for p in c.params] for k, c in inner.items()}
        return found

    full = get_command(app)
    lean = get_command(_without_others(app, ["kibitz", "--help"]))
    assert lean.get_help(typer.Context(lean)) == full.get_help(typer.Context(full))
    plain, one = commands(["kibitz"]), commands(["kibitz", "bench", "policy", "-h"])
    assert not any(plain.values())
    assert {name for name in one if one[name]} == {n for n in one if n.startswith("bench ")}
