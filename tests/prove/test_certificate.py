"""Certificates are written, checked by two checkers that share no code, and not to be forged."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.soundness.certificates import (
    by_kibitz,
    by_standalone,
    forged_openings,
    forgeries,
    standalone_game,
    writer_of,
)

from kibitz.engine import CompiledGame, ReferenceGame, State
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms, read, to_kif, to_ruleform
from kibitz.prove import (
    Prover,
    Spending,
    certificate_of,
    check_certificate,
    read_certificate,
    regenerate,
    standalone_checker,
)

CHECKER = Path(standalone_checker.__file__)
SMALL = Spending(seconds=600, memory=20_000_000, positions=2_000_000, threads=1)


@cache
def compiled(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


@cache
def written(name: str) -> str:
    search = Prover(compiled(name), SMALL)
    return json.dumps(certificate_of(search, search.prove(search.game.initial())))


@pytest.mark.parametrize(
    "name", ["nim:1,2,4", "connect:3,3x3", "tictactoe", "hex:3", "hanoi:2", "lightsout:2x2"]
)
def test_two_checkers_accept_what_the_search_proved(name: str) -> None:
    search = Prover(compiled(name), SMALL)
    proof = search.prove(compiled(name).initial())
    made = json.loads(json.dumps(certificate_of(search, proof)))
    checked = check_certificate(ReferenceGame(load_sheet(name)), made)
    assert checked.goals == proof.value
    assert checked.is_whole
    assert checked.positions > 1
    assert by_standalone(standalone_game(load_sheet(name)), json.dumps(made)) == "proved"


GAMES = ["nim:1,2,4", "nim:1,2,3,misere", "kayles:4", "hex:2", "chomp:2x3", "domineering:3x3"]


@pytest.mark.parametrize("name", GAMES)
def test_no_forged_certificate_is_accepted(name: str) -> None:
    game = compiled(name)
    alone = standalone_game(game.sheet)
    count = 0
    for seed in range(2):
        writer = writer_of(ReferenceGame(game.sheet), Random(seed))
        true = json.dumps(writer.certificate(0, writer.sure(0)))
        assert by_kibitz(game, true) == by_standalone(alone, true) == "proved"
        for what, text in forgeries(writer):
            found = by_kibitz(game, text), by_standalone(alone, text)
            assert found in {("refused", "refused"), ("left out", "left out")}, (what, text)
            count += 1
    assert count >= 100  # 600 in all, each by both checkers


def test_a_proof_begins_at_the_position_that_is_asked_for() -> None:
    game = compiled("nim:1,2,4")
    state = game.initial().play("(reduce c 0)")
    search = Prover(game, SMALL)
    made = certificate_of(search, search.prove(state))
    assert check_certificate(game, made, start=state).goals == {"player1": 0, "player2": 100}
    with pytest.raises(InputError, match="does not begin at the first state of nim:1,2,4"):
        check_certificate(game, made)
    with pytest.raises(InputError, match="does not begin at the position given"):
        check_certificate(game, read_certificate(written("nim:1,2,4")), start=state)


@pytest.mark.parametrize(("limit", "depth"), [({"most": 20}, 4), ({"depth": 3}, 3)])
def test_a_long_certificate_says_what_it_leaves_out(limit: dict[str, int], depth: int) -> None:
    search = Prover(compiled("connect:3,4x4"), SMALL)
    made = certificate_of(search, search.prove(search.game.initial()), **limit)
    checked = check_certificate(search.game, made)
    assert not checked.is_whole
    assert checked.left_out
    assert checked.depth == depth
    assert checked.positions <= 20
    start = checked.start.fluents
    for role, state in checked.left_out:
        assert role == "xplayer"
        marks = {fluent for fluent in state.fluents if str(fluent).startswith("(cell")}
        assert len(marks - set(start)) == depth
    alone = standalone_game(search.game.sheet)
    assert by_standalone(alone, json.dumps(made)) == "left out"


@pytest.mark.parametrize("name", ["nim:1,2,4", "tictactoe", "connect:3,3x4", "hanoi:2"])
def test_what_was_left_out_is_proved_anew(name: str) -> None:
    search = Prover(compiled(name), SMALL)
    proof = search.prove(compiled(name).initial())
    made = certificate_of(search, proof, depth=2)
    checked = check_certificate(ReferenceGame(load_sheet(name)), made)
    assert checked.goals == proof.value
    assert not checked.is_whole
    kept: dict[str, int] = {}

    def keep(state: State, part: dict[str, Any]) -> None:
        text = " ".join(map(str, state.fluents))
        kept[text] = check_certificate(compiled(name), part, start=compiled(name).state(
            parse_terms(text))).positions  # fmt: skip

    found = regenerate(Prover(compiled(name), SMALL), checked, keep=keep)
    assert (found.left, found.done) == (0, len(checked.left_out))
    assert found.positions >= sum(kept.values()) > 0
    some = regenerate(search, checked, most=1)
    assert (some.done, some.left) == (1, len(checked.left_out) - 1)
    no_time = replace(SMALL, positions=0)
    none = regenerate(Prover(compiled(name), no_time, use_book=False), checked)
    assert (none.done, none.left) == (0, len(checked.left_out))


@pytest.mark.parametrize("name", GAMES)
def test_no_forged_opening_is_proved_by_proving_the_rest(name: str) -> None:
    game = compiled(name)
    search = Prover(game, SMALL)
    alone = standalone_game(game.sheet)
    count = 0
    for seed in range(4):
        for what, text in forged_openings(writer_of(ReferenceGame(game.sheet), Random(seed))):
            count += 1
            assert by_standalone(alone, text) != "proved", what
            try:
                checked = check_certificate(game, read_certificate(text))
            except InputError:
                continue
            assert not checked.is_whole, what
            with pytest.raises(InputError, match=r"a position in which|do not add up"):
                regenerate(search, checked)
    assert count >= 60  # 480 in all


def test_what_a_role_gets_at_every_end_but_cannot_force_has_no_certificate() -> None:
    sheet = read("""(role a) (role b) (init (turn a))
    (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
    (<= (legal a (stop 90)) (true (turn a))) (<= (legal a (stop 10)) (true (turn a)))
    (<= (legal ?r wait) (true (turn ?r))) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (over ?n)) (does a (stop ?n))) (<= terminal (true (over ?n)))
    (<= (goal a ?n) (true (over ?n)))
    (<= (goal b 10) (true (over 90))) (<= (goal b 90) (true (over 10)))""")
    game = CompiledGame(sheet)
    search = Prover(game, SMALL)
    proof = search.prove(game.initial())
    assert proof.value == {"a": 90, "b": 10}  # as listed: a can end play, and b cannot
    with pytest.raises(
        KibitzError, match="b gets no less at any end of play, but cannot force one"
    ):
        certificate_of(search, proof)
    writer = writer_of(ReferenceGame(sheet), Random(1))
    assert writer.sure(0) == {"a": 90, "b": -1}
    for claims in ({"a": 90, "b": 10}, {"a": 90, "b": 0}):
        text = json.dumps(writer.certificate(0, claims))
        assert by_kibitz(game, text) == by_standalone(standalone_game(sheet), text) == "refused"


def test_a_game_whose_roles_choose_at_once_has_no_certificate() -> None:
    game = ReferenceGame(load_sheet("roshambo"))
    made = read_certificate(written("nim:1,2,4"))
    made["rules"] = standalone_game(game.sheet).digest
    made["start"] = sorted(map(str, game.initial().fluents))
    for part, role in zip(made["parts"], game.roles, strict=True):
        part["role"] = role
    with pytest.raises(KibitzError, match="at the same time"):
        check_certificate(game, made)
    assert by_standalone(standalone_game(game.sheet), json.dumps(made)) == "refused"


@pytest.mark.parametrize("rules", ["(role random)", "(role b) (<= (sees b ?m) (does a ?m))"])
def test_chance_and_hidden_information_have_no_certificate(rules: str) -> None:
    text = f"{rules} (role a) (init p) (<= (legal ?r 1) (role ?r)) (<= terminal (true q))"
    sheet = read(f"{text} (<= (legal ?r 2) (role ?r)) (<= (next q) (does a ?m)) (goal a 100)")
    with pytest.raises(KibitzError, match="GDL-II"):
        check_certificate(ReferenceGame(sheet), read_certificate(written("nim:1,2,4")))
    with pytest.raises(ValueError, match="GDL-II"):
        standalone_game(sheet)


def test_the_digest_is_that_of_the_rules_and_not_of_their_layout() -> None:
    text = "; a comment\n(role me) (init (p  1)) (<= (next (p 1)) (or (true (p 1)) (does me (go))))"
    sheet = read(text + "(legal me go) (<= terminal (true (p 2))) (<= (goal me 100) terminal)")
    same = {sheet.rules, read(to_ruleform(sheet)).rules, read(to_kif(sheet)).rules}
    assert len(same) == 1
    assert standalone_game(sheet).digest == standalone_checker._Game(sheet.source.text).digest


def test_the_standalone_checker_is_short_and_imports_nothing_of_kibitz() -> None:
    text = CHECKER.read_text("utf-8")
    assert len(text.splitlines()) <= 200
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    names = {alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)
             for alias in node.names} | {node.module for node in imports}  # fmt: skip
    assert names - sys.stdlib_module_names - {"clingo"} == set()


def test_the_standalone_checker_is_a_program(tmp_path: Path) -> None:
    rules, proof, position = (tmp_path / name for name in ("nim.kif", "proof.json", "at.kif"))
    rules.write_text(to_kif(load_sheet("nim:1,2,4")), "utf-8")
    proof.write_text(written("nim:1,2,4"), "utf-8")
    position.write_text(" ".join(map(str, compiled("nim:1,2,4").initial().fluents)), "utf-8")

    def call(*paths: Path) -> tuple[int, str]:
        command = [sys.executable, "-I", str(CHECKER), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    fluents = "(control player1) (heap a 1) (heap b 2) (heap c 4)\n"
    said = "proved: at least player1 100, player2 0\n"
    assert call(rules, proof) == (0, f"{said}  from the first state: {fluents}")
    assert call(rules, proof, position) == (0, f"{said}  from the position: {fluents}")
    position.write_text("(heap a 1)")
    assert call(rules, proof, position) == (2, "refused: it begins in another state\n")
