"""The protocol: messages of every shape, a player that answers in time, matches over loopback."""

from __future__ import annotations

import contextlib
import random
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, strategies as st
from tests.hidden_coin import COIN

from kibitz.engine import Game, Move, Role
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError, KibitzError, ProtocolError
from kibitz.games import load_sheet
from kibitz.gdl import to_kif
from kibitz.play import Agent, AutoAgent, Clocks, MatchSoFar, RandomAgent, play_match
from kibitz.play.protocol import (
    Abort,
    Info,
    Play,
    Player,
    RemoteAgent,
    Scrambler,
    Start,
    Stop,
    parse_message,
    serve_player,
)
from kibitz.play.protocol.messages import ask

RULES = " ".join(to_kif(load_sheet("nim:1,2,4,5")).split())
words = st.text("abcXYZ019._-", min_size=1, max_size=8)
moves = st.lists(words | st.builds(lambda a, b: f"({a} {b})", words, words), min_size=1, max_size=4)
messages = st.one_of(
    st.just(Info()),
    st.builds(Abort, words),
    st.builds(Play, words, st.none() | moves.map(tuple)),
    st.builds(Stop, words, st.none() | moves.map(tuple)),
    st.builds(Start, words, words, st.just("(role x)"), st.just(30.0), st.just(5.0)),
)


def make_random(game: Game, role: Role) -> Agent:
    return RandomAgent()


def make_auto(game: Game, role: Role) -> Agent:
    return AutoAgent()


@given(messages)
def test_a_message_written_and_read_again_is_the_same(message: object) -> None:
    assert parse_message(str(message)) == message


@given(messages, st.randoms())
def test_case_and_spacing_do_not_matter(message: object, source: random.Random) -> None:
    text = str(message).replace("( ", "(").replace(" )", ")")
    word, rest = text[1:].split(maxsplit=1) if " " in text else (text[1:-1], ")")
    spaced = f"  (\n\t{word.lower()}  {rest}  " if rest != ")" else f" ( {word.lower()} )"
    assert parse_message(spaced) == message


@pytest.mark.parametrize(
    "text",
    ["", "()", "hello", "(START m)", "(PLAY m", "(PLAY m nil))", "(START m r rules 1 1)",
     "(START m r ((role x)) soon 1)", "(ABORT)", "(PLAY m noop)", "(START m r () -1 5)"],
)  # fmt: skip
def test_what_is_no_message_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ProtocolError):
        parse_message(text)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        parse_message(text)
    except ProtocolError:
        return


def test_a_player_plays_a_match_by_messages() -> None:
    player = Player(make_random)
    assert player.answer(f"(START m1 player1 ({RULES}) 5 5)") == "ready"
    assert "busy" in player.answer("(INFO)")
    assert player.answer(f"(START m2 player1 ({RULES}) 5 5)") == "busy"
    assert player.answer("(PLAY other NIL)") == "busy"
    move = player.answer("(PLAY m1 NIL)")
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    assert move in [str(m) for m in game.initial().legal("player1")]
    assert player.answer(f"(PLAY m1 ({move} noop))") == "noop"
    assert player.answer("(ABORT m1)") == "aborted"
    assert "available" in player.answer("(info)")


def test_a_player_keeps_the_game_of_its_last_match() -> None:
    games = list[Game]()

    def make(game: Game, role: Role) -> Agent:
        games.append(game)
        return make_random(game, role)

    player = Player(make)
    others = " ".join(to_kif(load_sheet("nim:1,2")).split())
    for number, rules in enumerate((RULES, RULES, others, RULES)):
        assert player.answer(f"( START m{number} player1 ( {rules} ) 60 60 )") == "ready"
        assert player.answer(f"( STOP m{number} NIL )") == "done"
    assert games[0] is games[1]
    assert len({id(game) for game in games}) == 3


def test_a_joint_move_told_twice_or_wrongly_changes_nothing() -> None:
    log: list[str] = []
    player = Player(make_random, log=log.append)
    player.answer(f"(START m1 player2 ({RULES}) 5 5)")
    assert player.answer("(PLAY m1 NIL)") == "noop"
    first = player.answer("(PLAY m1 ((reduce d 0) noop))")
    again = player.answer("(PLAY m1 ((reduce d 0) noop))")
    wrong = player.answer("(PLAY m1 ((reduce z 9) noop))")
    state = CompiledGame(load_sheet("nim:1,2,4,5")).initial().step(["(reduce d 0)", "noop"])
    assert {first, again, wrong} <= {str(m) for m in state.legal("player2")}
    assert len(log) == 1
    assert player.answer("(STOP m1 (noop noop))") == "done"


def test_rules_with_errors_do_not_leave_the_player_busy() -> None:
    player = Player(make_random)
    with pytest.raises(KibitzError):
        player.answer("(START m1 x ((role x) (init ?y)) 5 5)")
    with pytest.raises(KibitzError, match="no role nobody"):
        player.answer(f"(START m1 nobody ({RULES}) 5 5)")
    assert "available" in player.answer("(INFO)")


class _Slow(Agent):
    """Thinks for longer than it has."""

    name = "slow"

    def __init__(self, enough: threading.Event) -> None:
        self.enough = enough

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        self.enough.wait(120)
        return line.state.legal(self.role)[0]


def test_a_legal_move_goes_out_in_time_whatever_the_agent_does() -> None:
    enough = threading.Event()
    player = Player(lambda game, role: _Slow(enough))
    player.answer(f"(START m1 player1 ({RULES}) 2 1)")
    begin = time.monotonic()
    move = player.answer("(PLAY m1 NIL)")
    assert time.monotonic() - begin < 60
    assert move.startswith("(reduce")
    enough.set()
    player.answer("(ABORT m1)")


def test_a_server_that_vanished_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(make_random)
    player.answer(f"(START m1 player1 ({RULES}) 1 1)")
    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + 1000)
    assert "available" in player.answer("(INFO)")
    assert player.answer("(PLAY m1 NIL)") == "busy"


@contextmanager
def listening(
    make: Callable[[Game, Role], Agent], *, host: str = "127.0.0.1", allowed: Iterable[str] = ()
) -> Iterator[tuple[Player, str]]:
    player = Player(make)
    with serve_player(player, host=host, port=0, allowed=frozenset(allowed)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield player, f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
            player.close()


@pytest.mark.parametrize("hide", [False, True])
def test_players_meet_over_the_network(hide: bool) -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    scrambler = Scrambler(game.sheet, seed=4) if hide else None
    with listening(make_random) as (_, one), listening(make_random) as (_, two):
        agents = {
            role: RemoteAgent(url, "m1", play_s=30, scrambler=scrambler)
            for role, url in zip(game.roles, (one, two), strict=True)
        }
        match = play_match(game, agents, clocks=Clocks(60, 30), together=True)
        assert match.is_finished
        assert [step.errors for step in match.steps if step.errors] == []
        assert "available" in agents["player1"].describe()


def test_a_player_that_is_not_there_loses_its_moves_only() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"127.0.0.1:{unused.getsockname()[1]}"
        agents: dict[str, Agent] = {
            "player1": RemoteAgent(url, "m1", play_s=1),
            "player2": RandomAgent(),
        }
        match = play_match(game, agents, clocks=Clocks(1, 1))
    assert match.is_finished
    assert any("no answer" in error for step in match.steps for error in step.errors)


def raw(url: str, request: bytes) -> bytes:
    host, port = url.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(request)
        link.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: link.recv(4096), b""))


def test_odd_requests_get_an_answer_or_a_closed_door() -> None:
    with listening(make_random) as (_, url):
        assert b"available" in raw(url, b"GET /%28INFO%29 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"available" in raw(url, b"POST / HTTP/1.0\ncontent-length: 8\n\n( INFO )")
        assert raw(url, b"OPTIONS / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.0 200")
        assert raw(url, b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello").startswith(
            b"HTTP/1.0 400"
        )
        lengths = (b"x", b"\xb2", b"9" * 9, b"9" * 5000)
        heads = [b"POST / HTTP/1.0\r\nContent-Length: " + length for length in lengths]
        for broken in (b"", b"\x00\xff", *(head + b"\r\n\r\n" for head in heads)):
            assert raw(url, broken) == b""
        assert "available" in ask(url, "( INFO )", seconds=60)


@pytest.mark.parametrize("length", [b"\xb2", b"9" * 9, b"9" * 5000, b"-1"])
def test_an_answer_of_no_honest_length_is_told_at_once(length: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            link, _ = server.accept()
            with link, contextlib.suppress(OSError):
                link.recv(4096)
                link.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: " + length + b"\r\n\r\nbusy")
                link.recv(1)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(InputError, match="no answer"):
            ask(f"127.0.0.1:{server.getsockname()[1]}", "( INFO )", seconds=60)
        thread.join(60)
        assert not thread.is_alive()


def test_many_messages_some_of_them_broken_are_all_answered() -> None:
    source = random.Random(1)
    with listening(make_random) as (_, url):
        ask(url, f"( START m player1 ( {RULES} ) 5 5 )", seconds=60)
        for number in range(200):
            if number % 10 == 0:
                good = "( PLAY m NIL )"
                cut = source.randrange(1, len(good) - 1)
                assert "\n" in ask(url, good[:cut], seconds=60) or cut < 2
            else:
                assert ask(url, "( PLAY m NIL )", seconds=60).startswith("(reduce")
        assert ask(url, "( ABORT m )", seconds=60) == "aborted"


def test_threads_do_not_pile_up_over_many_matches() -> None:
    player = Player(make_random)
    before = threading.active_count()
    for number in range(8):
        player.answer(f"(START m{number} player1 ({RULES}) 2 2)")
        player.answer(f"(PLAY m{number} NIL)")
        player.answer(f"(ABORT m{number})")
    end = time.monotonic() + 60
    while threading.active_count() > before + 2 and time.monotonic() < end:
        time.sleep(0.02)
    assert threading.active_count() <= before + 2


@given(st.integers(0, 100))
def test_hidden_names_come_back_and_rules_stay_rules(seed: int) -> None:
    sheet = load_sheet("tictactoe")
    scrambler = Scrambler(sheet, seed=seed)
    assert "xplayer" not in scrambler.rules
    assert scrambler.reveal(scrambler.hide("(mark 1 2)")) == "(mark 1 2)"
    assert "(role " in scrambler.rules


@pytest.mark.slow
@pytest.mark.parametrize("make", [make_random, make_auto])
def test_a_thousand_messages_are_answered_in_time_and_memory_does_not_grow(
    make: Callable[[Game, Role], Agent],
) -> None:
    """A fifth of them are broken; 200 matches are begun and ended on the way."""
    source = random.Random(3)
    with listening(make) as (_, url):
        sizes = []
        sent = 0
        for number in range(200):
            ask(url, f"( START m{number} player1 ( {RULES} ) 30 30 )", seconds=60)
            for _ in range(2):
                begin = time.monotonic()
                assert ask(url, f"( PLAY m{number} NIL )", seconds=60).startswith("(reduce")
                assert time.monotonic() - begin < 30
            broken = f"( PLAY m{number} NIL )"[: source.randrange(2, 10)]
            assert ask(url, broken, seconds=60)
            assert ask(url, f"( ABORT m{number} )", seconds=60) == "aborted"
            sent += 5
            if number % 20 == 19:
                sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        assert sent == 1000
        assert sizes[-1] < sizes[len(sizes) // 2] * 1.05


def raw_answer(address: str, head: str) -> str:
    host, _, port = address.partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        found = b""
        while part := link.recv(4096):
            found += part
    return found.decode()


BY_PAGES = [
    "Host: evil.example",
    "Host: 127.0.0.1:9147\nOrigin: http://evil.example",
    "Origin: http://[::1",
    "Origin: null",
    "Referer: http://evil.example/page",
    "Host: localhost:9147\nSec-Fetch-Site: cross-site",
    "Host: localhost:9147\nSec-Fetch-Site: same-site",
]


@pytest.mark.parametrize("headers", BY_PAGES)
def test_pages_of_other_hosts_start_no_matches(headers: str) -> None:
    with listening(make_random) as (_, address):
        for request in ("GET /(INFO)", "OPTIONS /", "POST /"):
            found = raw_answer(address, f"{request} HTTP/1.1\n{headers}\nContent-Length: 0")
            assert found.startswith("HTTP/1.0 403 ")
            assert "Access-Control" not in found
            assert "--allow" in found


@pytest.mark.parametrize(
    "headers",
    [
        "Accept: text/delim\nSender: GAMESERVER\nReceiver: KIBITZ",
        "Host: 127.0.0.1:9147",
        "Host: LOCALHOST",
        "Host: [::1]:9147",
        "Host: localhost\nSec-Fetch-Site: none",
    ],
)
def test_match_servers_are_answered(headers: str) -> None:
    with listening(make_random) as (_, address):
        found = raw_answer(address, f"GET /(INFO) HTTP/1.0\n{headers}")
        assert found.startswith("HTTP/1.0 200 ")
        assert "status available" in found
        assert "Access-Control" not in found


def test_allowed_pages_and_names_are_answered() -> None:
    with listening(make_random, allowed=["Manager.example"]) as (_, address):
        for headers in (
            "Host: manager.example:9147",
            "Host: localhost\nOrigin: https://manager.example:8000\nSec-Fetch-Site: cross-site",
        ):
            found = raw_answer(address, f"GET /(INFO) HTTP/1.0\n{headers}")
            assert found.startswith("HTTP/1.0 200 "), found
        assert "Access-Control-Allow-Origin: https://manager.example:8000\r\n" in found
        refused = raw_answer(address, "GET / HTTP/1.0\nOrigin: https://example")
        assert refused.startswith("HTTP/1.0 403 ")


def test_a_player_for_the_network_answers_to_any_name_and_to_no_page() -> None:
    with listening(make_random, host="0.0.0.0") as (_, address):
        found = raw_answer(address, "GET /(INFO) HTTP/1.0\nHost: player.example")
        assert found.startswith("HTTP/1.0 200 ")
        found = raw_answer(address, "GET /(INFO) HTTP/1.0\nOrigin: http://evil.example")
        assert found.startswith("HTTP/1.0 403 ")


def test_a_match_with_chance_is_played_as_one_where_all_moves_are_told() -> None:
    player = Player(make_auto)
    assert player.answer(f"(START m1 caller ({COIN}) 20 5)") == "ready"
    assert player.answer("(PLAY m1 nil)") == "noop"
    assert player.answer("(PLAY m1 ((throw tails) noop))") == "(call tails)"
    player.answer("(STOP m1 (noop (call tails)))")
