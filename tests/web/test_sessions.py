"""What visitors send is worked on in children; the server does only what is bounded by size."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.hidden_coin import COIN

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import ground
from kibitz.errors import RuleSheetError
from kibitz.games import rule_text
from kibitz.gdl import diagnose
from kibitz.web.server.jobs import Jobs
from kibitz.web.session import games, sessions
from kibitz.web.session.sessions import NotSolvedError, Sessions


def only_in_children(work: Callable[..., Any]) -> Callable[..., Any]:
    """Fail where something is done in this process."""
    server = os.getpid()

    def watched(*args: Any, **options: Any) -> Any:
        assert os.getpid() != server
        return work(*args, **options)

    return watched


@pytest.fixture
def made() -> Sessions:
    return Sessions(Jobs(threads=1))


def test_a_sheet_is_checked_grounded_and_looked_at_in_a_child(
    made: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kibitz.board.layout import detection

    monkeypatch.setattr(sessions, "diagnose", only_in_children(diagnose))
    monkeypatch.setattr(sessions, "ground", only_in_children(ground))
    monkeypatch.setattr("kibitz.engine.compiled.game.ground_once", only_in_children(ground))
    monkeypatch.setattr(detection, "_find", only_in_children(detection._find))
    session = made.add(rule_text("tictactoe"))
    assert [len(board.cells) for board in session.layout.boards] == [9]
    assert len(session.game.initial().legal("xplayer")) == 9
    with pytest.raises(RuleSheetError, match="GDL"):
        made.add("(role")


def test_a_long_sheet_is_checked_in_a_child(
    made: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_check", only_in_children(games._check))
    text = rule_text("tictactoe")
    view = games.check_view(made, text + ";" * games._SHORT)
    assert view.is_valid
    with pytest.raises(AssertionError):
        games.check_view(made, text)


def test_a_game_of_too_many_parts_is_played_as_written_and_walked_in_children_alone(
    made: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_PARTS", 100)
    monkeypatch.setattr(sessions, "CompiledGame", only_in_children(CompiledGame))
    session = made.open("tictactoe")
    assert "gates, fluents and moves, and may have 100" in session.unground
    with pytest.raises(NotSolvedError, match="can only be played here"):
        session.walk("4")
    assert session.look(lambda: len(session.walk("4").states), doing="walking") == 2
    job = made.solve(session)
    assert job.wait(60)
    assert job.view().error.startswith("its rules run as they are written, for tictactoe has")


def test_tables_of_searches_are_kept_for_the_games_used_last(made: Sessions) -> None:
    opened = [made.open(name) for name in ("nim:1", "nim:2", "nim:3", "nim:4")]
    for session in opened:
        made.make_room(session)
        with session.analysing():
            assert session.analyser.game is session.game
    assert [session.has_analyser for session in opened] == [False, True, True, True]


def test_who_waits_for_the_search_comes_before_who_goes_on(made: Sessions) -> None:
    session = made.open("nim:1")
    order: list[str] = []
    waits = threading.Event()

    def other() -> None:
        waits.set()
        with session.analysing():
            order.append("other")

    thread = threading.Thread(target=other)
    with session.analysing():
        thread.start()
        waits.wait()
        while session.waiting < 2:
            time.sleep(0.001)
        order.append("first")
    with session.analysing():
        order.append("again")
    thread.join()
    assert order == ["first", "other", "again"]


def test_a_game_of_chance_is_solved_where_the_server_takes_it_for_gdl(made: Sessions) -> None:
    job = made.solve(made.add(COIN))
    assert job.wait(60)
    assert "GDL042" in job.view().error
    as_gdl1 = Sessions(Jobs(threads=1), as_gdl1=True)
    session = as_gdl1.add(COIN)
    job = as_gdl1.solve(session)
    assert job.wait(60)
    assert job.view().error == ""
