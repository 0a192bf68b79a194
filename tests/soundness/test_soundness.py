"""Kibitz agrees with plain code on random games, and every comparison notices a fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.effort import quick
from tests.soundness import comparisons
from tests.soundness.comparisons import COMPARISONS, Case
from tests.soundness.fuzzing import Tally, examine, fuzz, shrink
from tests.soundness.generator import KINDS, random_game, rules_of

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding.invariants import Status
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.gdl import diagnose
from kibitz.solve import CompactSolution
from kibitz.strategy import Strategy
from kibitz.wording import value_text

SEEDS = range(1000, 1006)
MORE_SEEDS = range(1006, 1014)


def skip_without_prover(name: str) -> None:
    if name == "axioms" and not shutil.which("eprover"):
        pytest.skip("the prover E is not installed")


@cache
def case_of(seed: int) -> Case:
    return Case(random_game(Random(seed)))


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(MORE_SEEDS, marks=pytest.mark.slow)], ids=["few", "more"]
)
@pytest.mark.parametrize("name", COMPARISONS)
def test_both_sides_of_a_comparison_agree(name: str, seeds: range) -> None:
    skip_without_prover(name)
    found = [(seed, examine(case_of(seed), name, seed)) for seed in seeds]
    differing = [f"seed {seed}: {one.difference}" for seed, one in found if one.difference]
    assert not differing, "\n".join(differing)
    refusals = [one.refusal for _, one in found]
    assert not all(refusals), f"never compared: {refusals}"


@pytest.mark.parametrize("kind", KINDS)
def test_random_games_are_valid_and_the_seed_decides(kind: str) -> None:
    texts = [random_game(Random(seed), kind) for seed in range(40)]
    for text in texts:
        sheet, found = diagnose(text, name="random", form="kif")
        errors = [d.render(sheet.source) for d in found if d.severity.value == "error"]
        assert not errors, f"{text}\n{errors[0]}"
    assert texts[7] == random_game(Random(7), kind)
    assert len(set(texts)) > 20


Fault = Callable[[pytest.MonkeyPatch], None]


def changed(name: str, change: Callable[[Any], Any]) -> Fault:
    """Change what a function gives to the comparisons."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = getattr(comparisons, name)
        patch.setattr(comparisons, name, lambda *args, **options: change(real(*args, **options)))

    return plant


def replaced(name: str, make: Callable[[Any], Callable[..., Any]]) -> Fault:
    """Replace a function of the comparisons by one made from it."""
    return lambda patch: patch.setattr(comparisons, name, make(getattr(comparisons, name)))


def wrong_goals(kind: type, only: str = "") -> Fault:
    def plant(patch: pytest.MonkeyPatch) -> None:
        real = kind.goals  # type: ignore[attr-defined]

        def goals(self: Any, key: Any) -> Any:
            is_wrong = not only or not self.machine.is_straight
            return {r: 1 if is_wrong else g for r, g in real(self, key).items()}

        patch.setattr(kind, "goals", goals)

    return plant


def forgetful(patch: pytest.MonkeyPatch) -> None:
    real = Strategy.moves
    patch.setattr(Strategy, "moves", lambda self, state, role, history=(): real(self, state, role))


def contrary(patch: pytest.MonkeyPatch) -> None:
    real = Strategy.on
    patch.setattr(Strategy, "on", lambda self, space, role: ~real(self, space, role))


def late(kind: type) -> Fault:
    """Let best play take one ply more."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = kind.plies  # type: ignore[attr-defined]
        patch.setattr(kind, "plies", lambda self, state=None: real(self, state) + 1)

    return plant


def lengthened(patch: pytest.MonkeyPatch) -> None:
    """Say of best play that it takes ten plies more."""

    def text(described: dict[str, Any], names: Any = None) -> str:
        more = {key: described[key] + 10 for key in ("distance", "own_moves") if described.get(key)}
        return value_text(described | more, names)

    patch.setattr("kibitz.present.explanation.value_sentences.value_text", text)


FAULTS: dict[str, Fault] = {
    "engines": wrong_goals(CompiledGame),
    "ungrounded": wrong_goals(UngroundedGame),
    "backends": wrong_goals(CompiledGame, only="interpreter"),
    "perft": changed("perft", lambda found: replace(found, per_depth=(*found.per_depth, 0))),
    "frame": changed(
        "translate", lambda t: replace(t, sheet=replace(t.sheet, rules=t.sheet.rules[:-1]))
    ),
    "printing": changed("to_ruleform", lambda text: text.replace("role(", "init(", 1)),
    "space": changed("explore", lambda space: replace(space, terminal=~space.terminal)),
    "solution": changed("solve", lambda found: replace(found, distance=found.distance + 1)),
    "symbolic": changed("solve_symbolically", lambda found: replace(found, total=found.total + 7)),
    "symmetries": replaced("explore", lambda real: lambda game, **_: real(game)),
    "maxn": changed("solve_maxn", lambda found: replace(found, possible=found.possible[::-1])),
    "mixed": changed("solve_mixed", lambda s: replace(s, low=s.low + 1, high=s.high + 1)),
    "winning-sets": changed("winning_sets", lambda found: replace(found, sets=found.sets[1:])),
    "invariants": changed(
        "find_invariants",
        lambda all_: replace(
            all_, found=tuple(replace(one, status=Status.PROVED) for one in all_.found)
        ),
    ),
    "moves": contrary,
    "past": forgetful,
    "verify": changed("verify", lambda v: replace(v, weakly_optimal=True)),
    "verify-reduced": changed("verify", lambda v: replace(v, deterministic=True)),
    "encoding": changed("asp_encoding", lambda text: text + ":- does(_,_,1).\n"),
    "axioms": replaced("tptp_encoding", lambda real: lambda game, _, **__: real(game, {})),
    "comply": replaced(
        "comply", lambda real: lambda space, _moves, text, **_: real(space, [], text)
    ),
    "rule-printing": changed("write_rule", lambda text: text.replace("not ", "")),
    "synthesis": changed(
        "synthesise", lambda s: replace(s, verdict=replace(s.verdict, valid=False))
    ),
    "compact": late(CompactSolution),
    "reduced": changed("solve", lambda found: replace(found, distance=found.distance + 1)),
    "certificates": changed("by_kibitz", lambda _: "proved"),
    "explain": lengthened,
    "english": changed("as_gdl", lambda text: text.replace("100", "40")),
    "measured": changed("allowed_moves", lambda found: found[::-1]),
}


@pytest.mark.parametrize("name", quick(list(COMPARISONS), set(COMPARISONS) - {"axioms"}))
def test_every_comparison_finds_a_planted_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_prover(name)
    FAULTS[name](monkeypatch)
    seeds = range(SEEDS.start, SEEDS.start + 60)
    found = (examine(Case(random_game(Random(seed))), name, seed) for seed in seeds)
    difference = next((one.difference for one in found if one.difference), "")
    assert difference
    assert "internal error" not in difference, difference


def test_a_difference_is_shrunk_and_written_with_how_to_see_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong_goals(UngroundedGame)(monkeypatch)
    told: list[str] = []
    tally = fuzz(iter([1001]), only=["ungrounded"], folder=tmp_path / "found", note=told.append)
    assert tally.differing["ungrounded"] == 1
    text = (tmp_path / "found" / "ungrounded-1001.kif").read_text("utf-8")
    assert "tools/fuzz --only ungrounded --seed 1001 --games 1" in text
    rules = "\n".join(line for line in text.splitlines() if not line.startswith(";"))
    assert len(rules_of(rules)) < len(rules_of(random_game(Random(1001)))) / 2
    assert examine(Case(rules), "ungrounded", 1001).difference
    assert str(tmp_path) in told[0]


def test_shrinking_keeps_only_what_the_difference_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong_goals(CompiledGame)(monkeypatch)
    least = shrink("(role a) (init p) (init q) (legal a wait) (<= terminal (true q))"
                   "(<= (goal a 100) (true p) (true q))", "engines", 0)  # fmt: skip
    assert len(rules_of(least)) <= 2


def test_refusals_are_counted_by_their_reason(tmp_path: Path) -> None:
    tally = fuzz(
        iter(range(1000, 1003)), only=["mixed"], folder=tmp_path, note=print, tally=Tally()
    )
    assert tally.games == 3
    lines = list(tally.lines())
    assert lines[0].startswith("3 games")
    assert tally.made["mixed"] + sum(tally.refused.get("mixed", {}).values()) == 3
