"""The interface for programs: what the page is told, and what everybody else may ask."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.conftest import wait, wait_solved

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet, rule_text
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy, shipped_text, verify
from kibitz.web.session.lines import follow_line, joint_number

STATIC = Path(__file__).parents[2] / "src" / "kibitz" / "web" / "static"


def labels(client: httpx.Client, game: str, line: str = "") -> dict[str, str]:
    found = client.get(f"/api/games/{game}/position", params={"line": line}).json()
    return {move["text"]: move["worth"]["label"] for move in found["moves"] if move["worth"]}


def test_values_are_those_of_the_solver_at_every_step_of_a_match(solved: httpx.Client) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    solution = solve(explore(game))
    state, here = 0, game.initial()
    line: list[int] = []
    while not here.is_terminal:
        turn = int(solution.space.turn[state])
        shown = labels(solved, "tictactoe", ".".join(map(str, line)))
        for joint, to in solution.space.moves(state):
            goal = solution.value(to)[game.roles[turn]]
            letter = "W" if goal > 50 else "L" if goal < 50 else "D"
            label = shown[game.write(joint[turn])]
            plies = 1 + (solution.plies(to) or 0)
            own = (plies + 1) // 2 if letter == "W" else plies // 2  # the winner's own moves
            assert label == (letter if letter == "D" else f"{letter}{own}")
        joint, state = solution.space.moves(state)[0]
        line.append(joint_number(here, joint))
        here = here.step(joint)
    assert len(line) >= 5


def test_a_line_names_the_moves_that_it_was_made_from() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    state = game.initial()
    joints = [tuple(state.legal(role)[i] for role in game.roles) for i in (0, 1, 2)]
    for joint in joints:
        assert follow_line(game, [joint_number(state, joint)]).joints == (joint,)


def test_moves_that_mirror_one_another_have_one_group(solved: httpx.Client) -> None:
    found = solved.get("/api/games/tictactoe/position").json()["moves"]
    groups = {move["text"]: move["group"] for move in found if move["role"] == "xplayer"}
    assert len(set(groups.values())) == 3
    assert groups["(mark 1 1)"] == groups["(mark 3 3)"] != groups["(mark 2 2)"]


def test_why_not_gives_the_value_lost_and_a_line_that_proves_it(solved: httpx.Client) -> None:
    found = solved.get("/api/games/tictactoe/why", params={"line": "4", "move": 1}).json()
    assert (found["keeps_value"], found["worth"]["label"], found["best"]["label"]) == (
        False,
        "L3",
        "D",
    )
    assert set(found["best_moves"]) == {"(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"}
    end = solved.get("/api/games/tictactoe/position", params={"line": found["refutation"]}).json()
    assert end["is_terminal"]
    assert end["goals"]["oplayer"] == 0
    assert len(found["refutation_moves"]) == 6


def test_the_verdict_of_the_page_is_that_of_the_checker(solved: httpx.Client) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    solution = solve(explore(game))
    for name in ("tictactoe-five", "tictactoe-table3"):
        text = shipped_text(name)
        verdict = verify(read_strategy(text, game), solution, "xplayer")
        asked = {"text": text, "role": "xplayer"}
        shown = solved.post("/api/games/tictactoe/strategy", json=asked).json()["verdict"]
        assert shown["perfect"] == verdict.perfect
        assert shown["states_checked"] == verdict.states_checked
        assert shown["bad_states"] == verdict.bad_states
        assert (shown["line"] is None) == verdict.perfect


def test_the_counterexample_is_a_state_where_the_strategy_errs(solved: httpx.Client) -> None:
    asked = {"text": "true => (mark 1 2)", "role": "xplayer"}
    verdict = solved.post("/api/games/tictactoe/strategy", json=asked).json()["verdict"]
    assert verdict["badge"] == "fails"
    shown = labels(solved, "tictactoe", verdict["line"])
    best = {label for move, label in shown.items() if move in verdict["optimal_moves"]}
    wrong = set(verdict["moves_chosen"]) - set(verdict["optimal_moves"])
    assert wrong
    assert not {shown[move] for move in wrong} & best


def test_a_list_of_no_rules_is_judged_like_any_other(solved: httpx.Client) -> None:
    for text in ("", "# only a comment\n", "false => (mark 1 1)"):
        asked = {"text": text, "role": "xplayer"}
        shown = solved.post("/api/games/tictactoe/strategy", json=asked).json()
        verdict = shown["verdict"]
        assert (verdict["badge"], verdict["silence"]) == ("fails", "any")
        assert verdict["line"]
        assert verdict["rules"] == len(shown["rules"]) == ("=>" in text)
        assert shown["is_list"]


def test_a_rule_about_what_is_left_is_drawn_where_it_fires(client: httpx.Client) -> None:
    wait_solved(client, "nim:1,2,4,5")
    asked = {"text": "next nimsum(heap.2) = 0 => any", "role": "player1", "line": ""}
    (rule,) = client.post("/api/games/nim:1,2,4,5/strategy", json=asked).json()["rules"]
    assert rule["fires"]
    assert rule["svg"].startswith("<svg")
    assert rule["seen"].startswith("The nim-sum of ")


def test_the_rule_that_fires_is_shown_with_its_cells_and_what_keeps_higher_ones(
    solved: httpx.Client,
) -> None:
    text = "(cell 1 1 o) & (cell 3 3 o) => (mark 1 3)\ntrue => (mark 2 2)\ntrue => (mark 1 1)\n"
    asked = {"text": text, "role": "xplayer", "line": ""}
    first, second, third = solved.post("/api/games/tictactoe/strategy", json=asked).json()["rules"]
    assert [rule["fires"] for rule in (first, second, third)] == [False, True, False]
    assert second["cells"] == ["0.4"]
    assert len(first["blocks"]) == 2
    why = "neither the top left corner nor the bottom right corner is the opponent's"
    assert first["why"] == why
    assert second["svg"].startswith("<svg")


def test_rules_in_english_are_told_as_they_were_written(client: httpx.Client) -> None:
    text = """# A comment.
Name: Ring of ash. Size: 2 by 2. Players: East and West.
On your turn, place a stone on an
empty cell.
You lose if you cannot move.
"""
    made = client.post("/api/games", json={"text": text, "name": "Ring of ash"}).json()
    assert made["title"] == "Ring of ash"
    about = client.get(f"/api/games/{made['id']}/about").json()
    assert about["story"] == [
        "Size: 2 by 2.",
        "Players: East and West.",
        "On your turn, place a stone on an empty cell.",
        "You lose if you cannot move.",
    ]
    position = client.get(f"/api/games/{made['id']}/position?line=0").json()
    assert ">E</text>" in position["svg"]  # a counter with the player's initial


def test_rules_are_listed_where_it_takes_too_long_to_decide(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_solved(client, "connectfour")

    def too_long(*_: object, **__: object) -> None:
        raise BudgetExceededError("deciding needs more than 20 s")

    monkeypatch.setattr("kibitz.web.session.sessions.Session.ask", too_long)
    asked = {"text": "next wins(me) => any\n", "role": "xplayer", "line": ""}
    found = client.post("/api/games/connectfour/strategy", json=asked).json()
    assert [rule["words"] for rule in found["rules"]] == ["Win at once if you can."]
    assert found["undecided"] == "deciding needs more than 20 s"


@pytest.mark.parametrize("game", ["tictactoe", "nim:1,2,4,5", "threemensmorris"])
def test_a_suggested_rule_allows_optimal_moves_only(client: httpx.Client, game: str) -> None:
    assert wait_solved(client, game)["status"] == "done"
    role = client.get(f"/api/games/{game}").json()["roles"][0]
    asked = {"role": role, "line": ""}
    rule = client.post(f"/api/games/{game}/strategy/suggest", json=asked).json()["text"]
    seen = client.post(f"/api/games/{game}/strategy", json={"text": rule, **asked}).json()
    assert seen["verdict"]["weakly_optimal"]
    assert seen["rules"][0]["fires"]
    assert seen["moves"]


@pytest.mark.slow
def test_rules_for_failing_states_end_in_a_strongly_optimal_list(solved: httpx.Client) -> None:
    lines: list[str] = []
    for _ in range(60):
        asked = {"text": "\n".join(lines), "role": "xplayer"}
        seen = solved.post("/api/games/tictactoe/strategy", json=asked).json()["verdict"]
        if seen["badge"] == "perfect":
            break
        beside = {"role": "xplayer", "line": seen["line"]}
        found = solved.post("/api/games/tictactoe/strategy/suggest", json=beside).json()
        lines.insert(0, found["text"])
    assert seen["badge"] == "perfect"
    assert len(set(lines)) == len(lines)


FIVE = [line for line in shipped_text("tictactoe-five").splitlines() if "=>" in line]


@pytest.mark.parametrize("rules", [FIVE[:4], ["true => (mark 1 2)", *FIVE], FIVE[1:]])
def test_a_suggested_rule_is_placed_where_it_does_no_harm(
    solved: httpx.Client, rules: list[str]
) -> None:
    asked = {"text": "\n".join(rules), "role": "xplayer"}
    before = solved.post("/api/games/tictactoe/strategy", json=asked).json()["verdict"]
    beside = {**asked, "line": before["line"] or ""}
    found = solved.post("/api/games/tictactoe/strategy/suggest", json=beside).json()
    made = "\n".join([*rules[: found["place"]], found["text"], *rules[found["place"] :]])
    after = solved.post(
        "/api/games/tictactoe/strategy", json={"text": made, "role": "xplayer"}
    ).json()["verdict"]
    # A list with another wrong rule fails in more states where that one is met more often.
    other_wrong = rules[0] == "true => (mark 1 2)"
    assert (after["bad_states"] > before["bad_states"]) == other_wrong
    assert ("Complete repairs it" in found["told"]) == other_wrong


@pytest.mark.parametrize("kind", ["complete", "simplify"])
def test_a_list_that_fails_is_repaired_when_it_is_completed_or_simplified(
    solved: httpx.Client, kind: str
) -> None:
    text = "\n".join(["true => (mark 1 2)", *FIVE])
    asked = {"kind": kind, "text": text, "role": "xplayer"}
    job = solved.post("/api/games/tictactoe/jobs", json=asked).json()
    result: Any = wait(solved, job["id"])["result"]
    assert "Drop rule 1: " in result["told"]
    seen = solved.post(
        "/api/games/tictactoe/strategy", json={"text": result["text"], "role": "xplayer"}
    ).json()["verdict"]
    assert seen["badge"] == "perfect"
    assert "(mark 1 2)" not in result["text"]


@pytest.mark.slow
def test_perfect_players_draw_and_random_ones_lose_at_times(solved: httpx.Client) -> None:
    ends = []
    for kinds in (("perfect", "perfect"), ("perfect", "random")):
        for seed in range(2):
            line = ""
            while True:
                url = "/api/games/tictactoe/position"
                pos = solved.get(url, params={"line": line, "hide": True}).json()
                if pos["is_terminal"]:
                    break
                role = pos["chooses"][0] if pos["chooses"] else "xplayer"
                kind = kinds[pos["roles"].index(role)]
                asked = {"line": line, "role": role, "opponent": kind, "seed": seed}
                line = solved.post("/api/games/tictactoe/reply", json=asked).json()["line"]
            ends.append(pos["goals"]["xplayer"])
    assert ends[:2] == [50] * 2
    assert min(ends[2:]) >= 50
    assert max(ends[2:]) == 100


def test_somebody_who_knows_one_rule_plays_it(solved: httpx.Client) -> None:
    asked = {
        "role": "xplayer", "opponent": "strategy", "rules": 1,
        "strategy": "true => (mark 2 2)\ntrue => (mark 1 1)",
    }  # fmt: skip
    found = solved.post("/api/games/tictactoe/reply", json=asked).json()
    assert found["move"] == "(mark 2 2)"


def test_a_level_answers_and_says_how_it_was_rated(solved: httpx.Client) -> None:
    """Level 4 sees the win in one move; a level that there is not is refused."""
    asked = {"role": "xplayer", "opponent": "level", "level": 4, "line": "0.3.1.4"}
    found = solved.post("/api/games/tictactoe/reply", json=asked).json()
    assert (found["move"], found["by"]) == ("(mark 1 2)", "level 4")
    levels = solved.get("/api/levels").json()["levels"]
    assert [one["level"] for one in levels] == list(range(1, 9))
    assert all(" on connectfour and " in one["rated"] for one in levels)
    wrong = solved.post("/api/games/tictactoe/reply", json={**asked, "level": 9})
    assert wrong.status_code == 422


def test_a_job_streams_its_changes_and_ends_with_its_result(solved: httpx.Client) -> None:
    asked = {"kind": "puzzles", "role": "xplayer", "win_in": 1, "level": "hard"}
    job = solved.post("/api/games/tictactoe/jobs", json=asked).json()["id"]
    with solved.stream("GET", f"/api/jobs/{job}/events") as stream:
        views = [json.loads(text[6:]) for text in stream.iter_lines() if text.startswith("data: ")]
    assert views[-1]["status"] == "done"
    puzzles = views[-1]["result"]["puzzles"]
    assert puzzles
    for puzzle in puzzles:
        assert "winning_first_moves" not in puzzle
        assert min(labels(solved, "tictactoe", puzzle["line"]).values(), key=rank) == "W2"


def test_puzzles_of_a_game_too_large_to_solve_are_searched_for(client: httpx.Client) -> None:
    wait_solved(client, "connectfour")
    asked = {"kind": "puzzles", "role": "xplayer", "win_in": 1, "count": 2}
    job = client.post("/api/games/connectfour/jobs", json=asked).json()["id"]
    with client.stream("GET", f"/api/jobs/{job}/events") as stream:
        views = [json.loads(text[6:]) for text in stream.iter_lines() if text.startswith("data: ")]
    assert views[-1]["status"] == "done"
    puzzles = views[-1]["result"]["puzzles"]
    assert len(puzzles) == 2
    for puzzle in puzzles:
        there = client.get("/api/games/connectfour/position", params={"line": puzzle["line"]})
        assert not there.json()["is_terminal"]
        assert len(there.json()["moves"]) > 1
        assert puzzle["text"] == "Win in 1 more round, as X"
    even = client.post("/api/games/connectfour/jobs", json={**asked, "balanced": True})
    assert even.status_code >= 400


def rank(label: str) -> tuple[int, int]:
    return "WDL".index(label[0]), int(label[1:] or 0)


def test_a_position_for_practice_tells_nothing(solved: httpx.Client) -> None:
    params: dict[str, Any] = {"line": "4", "hide": True, "values": True}
    found = solved.get("/api/games/tictactoe/position", params=params).json()
    assert found["worth"] == {}
    assert all(move["worth"] is None for move in found["moves"])
    assert ">D<" not in found["svg"]


def test_a_pasted_game_is_checked_drawn_and_playable(client: httpx.Client) -> None:
    text = rule_text("nim:1,2").replace("player1", "anna").replace("player2", "ben")
    game = client.post("/api/games", json={"text": text, "name": "our nim"}).json()
    assert game["roles"] == ["anna", "ben"]
    assert wait(client, game["solving"]["id"])["status"] == "done"
    assert sorted(labels(client, game["id"]).values()) == ["L1", "L1", "W2"]
    again = client.post("/api/games", json={"text": text, "name": "our nim"}).json()
    assert again["id"] == game["id"]


def test_a_broken_rule_sheet_is_reported_with_its_lines(client: httpx.Client) -> None:
    text = "(role a)\n(init (p 1))\n(<= (next (p ?x)) (not (true (p ?y))))\n"
    found = client.post("/api/check", json={"text": text}).json()
    assert not found["is_valid"]
    assert any(one["line"] == 3 and one["hint"] for one in found["findings"])
    answer = client.post("/api/games", json={"text": text})
    assert answer.status_code == 422
    assert answer.json()["error"]["line"] == found["findings"][0]["line"]


def test_rules_that_are_valid_and_broken_are_found_by_playing(client: httpx.Client) -> None:
    text = "(role a) (init on)\n(legal a go)\n(<= (next on) (true on))\n"
    text += "(<= terminal (not (true on)))\n(goal a 100)\n"
    found = client.post("/api/check", json={"text": text}).json()
    assert (found["is_valid"], found["findings"], found["played"]) == (True, [], "")
    found = client.post("/api/check", json={"text": text, "play": True}).json()
    assert found["played"] == "all 1 state listed"
    (one,) = found["findings"]
    assert (one["code"], one["line"], one["severity"]) == ("GDL034", 4, "error")


def test_games_that_are_too_large_say_so_and_can_be_played(client: httpx.Client) -> None:
    job = wait_solved(client, "connectfour")
    assert job["status"] == "failed"
    assert "states" in str(job["error"])
    answer = client.get("/api/games/connectfour/timeline")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "unsolved")
    asked = {"role": "xplayer", "opponent": "perfect"}
    found = client.post("/api/games/connectfour/reply", json=asked).json()
    assert found["by"] == "search"


def test_everything_that_the_page_loads_is_here_and_none_of_it_from_elsewhere() -> None:
    texts = {path.name: path.read_text("utf-8") for path in STATIC.iterdir()}
    assert sum(name.endswith(".html") for name in texts) == 1
    for name, text in texts.items():
        outside = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not outside, (name, outside)
        assert "innerHTML" not in text, name
        for module in re.findall(r'from "\./([\w.]+)"', text):
            assert module in texts


def test_who_sets_traps_leaves_most_replies_wrong_and_gives_nothing_away(
    solved: httpx.Client,
) -> None:
    game = "/api/games/tictactoe"
    asked: dict[str, Any] = {"role": "xplayer", "opponent": "trap"}
    for seed in range(3):
        first = solved.post(f"{game}/reply", json={**asked, "seed": seed}).json()
        after = solved.get(f"{game}/position", params={"line": first["line"]}).json()
        own = [move["worth"]["outcome"] for move in after["moves"] if move["role"] == "oplayer"]
        assert sorted(own) == ["draw"] + 7 * ["loss"]  # a corner, and only the centre holds
    wrong = solved.post(f"{game}/reply", json={**asked, "line": f"{first['number']}.0"}).json()
    after = solved.get(f"{game}/position", params={"line": wrong["line"]}).json()
    assert after["worth"]["xplayer"]["outcome"] == "win"


def test_a_game_that_is_not_at_hand_is_described_in_full_when_asked(client: httpx.Client) -> None:
    asked = "/api/games/chomp:2x2/about"
    assert not client.get(asked).json()["is_whole"]
    found = client.get(asked, params={"whole": True}).json()
    assert found["is_whole"]
    assert any("with everything" in sentence for sentence in found["story"])
    assert client.get("/api/games/tictactoe/about").json()["is_whole"]


LUDII = """
// three in a row on a small board
(game "Small" (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""


def test_pasted_rules_may_be_in_the_language_of_ludii(client: httpx.Client) -> None:
    assert client.post("/api/check", json={"text": LUDII}).json()["is_valid"]
    found = client.post("/api/games", json={"text": LUDII, "name": "small"}).json()
    assert found["roles"] == ["p1", "p2"]
    assert found["title"] == "Small"
    assert wait_solved(client, found["id"])["status"] == "done"
    wrong = client.post("/api/check", json={"text": LUDII.replace("Line", "Lane")}).json()
    assert not wrong["is_valid"]
    assert wrong["findings"][0]["line"] == 5


def test_the_page_for_people_lists_every_request_of_the_schema(client: httpx.Client) -> None:
    page = client.get("/docs").text
    schema = client.get("/openapi.json").json()
    assert len(schema["paths"]) > 15
    for path in schema["paths"]:
        assert path in page


def test_where_moves_share_a_cell_the_best_is_drawn(client: httpx.Client) -> None:
    wait_solved(client, "nim:1,2,4,5")
    params: dict[str, Any] = {"line": "3", "values": True}
    svg = client.get("/api/games/nim:1,2,4,5/position", params=params).json()["svg"]
    assert ">W4<" in svg
    assert ">L4<" not in svg


def test_the_last_move_in_a_column_marks_the_cell_that_it_filled(client: httpx.Client) -> None:
    params: dict[str, Any] = {"line": "3.2", "hide": True}
    svg = client.get("/api/games/connect:3,4x4/position", params=params).json()["svg"]
    assert svg.count('fill="var(--kb-last)"') == 1
