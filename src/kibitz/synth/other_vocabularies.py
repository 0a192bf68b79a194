"""Check whether another vocabulary gives fewer rules than a list that was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.synth.insight.insight import Insight, find_insight
from kibitz.synth.synthesis import Options, Prepared, Synthesis, synthesise
from kibitz.wording import counted

_MOST_STATES = 300_000
_ROUNDS = 10
"""As many as `explain` makes at first; one second for a game of some thousand states."""


@dataclass(frozen=True, slots=True)
class FewerRules:
    """How many rules are enough with another vocabulary, and the option of `synth` for it."""

    option: str
    rules: int

    @property
    def sentence(self) -> str:
        """That they are enough, which the checker proved."""
        are = "is" if self.rules == 1 else "are"
        return f"With {self.option} {counted(self.rules, 'rule')} {are} enough."


def fewer_elsewhere(
    game: CompiledGame, found: Synthesis, options: Options, prepared: Prepared
) -> FewerRules | None:
    """Look quickly for fewer rules about numbers and symmetry, then for some that look ahead."""
    if len(found.rules) < 2 or len(prepared.judging.space) > _MOST_STATES:
        return None
    ahead = replace(options, features=True, rounds=_ROUNDS, proof_conflicts=0)
    ways: list[tuple[str, Callable[[], Synthesis | Insight | None]]] = []
    if not prepared.judging.space.is_reduced and not options.must_answer:
        ways.append(("--insight", lambda: find_insight(prepared.judging, found.role)))
    if not options.features and options.reading != "first":
        ways.append(("--features", lambda: synthesise(game, found.role, ahead, prepared=prepared)))
    fewest: FewerRules | None = None
    for option, find in ways:
        try:
            other = find()
        except KibitzError:
            continue
        if other and len(other.rules) < (fewest.rules if fewest else len(found.rules)):
            fewest = FewerRules(option, len(other.rules))
    return fewest
