"""Build the Report on a rule sheet question by question, within a time; keep what is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kibitz.board import layout_of, svg_board
from kibitz.budget import Budget, run_within, time_left
from kibitz.engine import CompiledGame, Game, Role, make_game
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, require_gdl1
from kibitz.measured import find_measured_rules
from kibitz.present.explanation.value_sentences import proved_sentences, search_start
from kibitz.present.measured_search import search_by_matches
from kibitz.present.report.course_of_play import (
    PERFECT,
    anyhow,
    branching_of,
    count_matches,
    decisions_of,
    first_mover,
    lengths_of,
    meet,
    outcome_of,
    players_of,
    values_of_states,
    walk_forward,
)
from kibitz.present.report.dead_rules import find_deadwood
from kibitz.present.report.figures import OPPOSED, Report, RuleCount, SymmetryGroup
from kibitz.present.report.openings import find_hardest, find_openings
from kibitz.present.report.sampling import sample_random, sample_search
from kibitz.solve import (
    Listed,
    guaranteed_goals,
    solve_any,
)
from kibitz.space import (
    Limits,
    StateSpace,
    Symmetries,
    explore,
    find_stuck,
    find_symmetries,
    words_of_symmetry,
)
from kibitz.synth import Insight, Options, check_choice, find_insight, synthesise

Progress = Callable[[str], None]

_PATIENCE_S = 30.0
_ROUNDS = 60
_PROOF = 60_000
"""Rounds and conflicts for each role's rules where no time is given."""
_INSIGHT_STATES = 300_000
"""The most states in which rules about numbers and symmetry are looked for."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How much work a report may be.

    `rule_seconds` are for each role's rules, and 0 leaves them out; without them these are searched
    for in a number of rounds, with the same result on any machine. `seconds` are for all else.
    """

    seconds: float = 120.0
    bytes: int = 4_000_000_000
    max_states: int = 2_000_000
    rule_seconds: float | None = None
    positions: int = 3
    seed: int = 1


def make_report(
    sheet: RuleSheet, wish: Wish | None = None, *, progress: Progress | None = None
) -> Report:
    """Make a report, the most important answers first.

    >>> from kibitz.games import load_sheet
    >>> report = make_report(load_sheet("nim:1,2"), Wish(rule_seconds=1))
    >>> report.value, report.matches, report.decisions.that_matter
    ({'value': {'player1': 100, 'player2': 0}, 'distance': 3, 'own_moves': 2}, 5.0, 2)
    """
    require_gdl1(sheet)
    return _Making(sheet, wish or Wish(), progress or (lambda _: None)).report()


class _Making:
    """A report in the making; an interrupt ends it, and leaves what is there."""

    def __init__(self, sheet: RuleSheet, wish: Wish, progress: Progress) -> None:
        self.sheet, self.wish, self.progress = sheet, wish, progress
        self.begin = time.perf_counter()
        self.budget = Budget(wish.seconds, wish.bytes)
        self.symmetries: Symmetries | None = None
        self.solution: Listed | None = None
        self.found: dict[str, Any] = {"missing": {}}

    def report(self) -> Report:
        self.progress("reading the rules")
        game = make_game(self.sheet, budget=self.budget, note=self.progress)
        self.found |= {"game": self.sheet.name, "roles": game.roles, "kind": "not solved"}
        self.found |= {"states": 0, "terminal_states": 0, "moves": 0, "is_complete": False}
        self.found["first"] = _first_of(game)
        interrupted = False
        try:
            self.ask("picture", lambda: svg_board(game.initial(), layout_of(game)))
            if isinstance(game, CompiledGame):
                try:
                    self.look_at_states(game)
                except KibitzError as error:
                    self.found["why_unsolved"] = error.message
            else:
                self.found["why_unsolved"] = "it cannot be grounded, so its states are not listed"
            if not self.found["is_complete"]:
                self.sample(game)
                self.measure(game)
        except KeyboardInterrupt:
            interrupted = True
        return Report(
            **self.found,
            seconds=time.perf_counter() - self.begin,
            was_interrupted=interrupted,
        )

    def ask(self, name: str, question: Callable[[], Any]) -> None:
        """Answer one question; what cannot be answered says why."""
        self.progress(name.replace("_", " "))
        if time_left() <= 0:
            self.found["missing"][name] = "the time allowed by --timeout was over"
            return
        try:
            self.found[name] = question()
        except KibitzError as error:
            self.found["missing"][name] = error.message

    @property
    def left_s(self) -> float:
        return max(1.0, min(self.begin + self.wish.seconds - time.perf_counter(), time_left()))

    def look_at_states(self, game: CompiledGame) -> None:
        wish = self.wish
        limits = Limits(states=wish.max_states, seconds=wish.seconds / 2, bytes=wish.bytes)
        space = explore(
            game, limits=limits, progress=lambda found, _: self.progress(f"{found:,} states")
        )
        first = first_mover(space)
        self.found |= {
            "states": len(space),
            "terminal_states": int(space.terminal.sum()),
            "moves": space.edges,
            "is_complete": space.is_complete,
            "first": None if first is None else game.roles[first],
        }
        if space.is_complete:
            self.solve(space)
        else:
            self.found["why_unsolved"] = f"it has at least {len(space):,} states"
            self.ask("value", lambda: self.prove_value(game, space))
        self.ask("symmetries", lambda: self.find_symmetries(game))
        if space.is_complete:
            self.follow(space)
        self.ask("deadwood", lambda: find_deadwood(space, seconds=min(60.0, self.left_s)))
        if wish.rule_seconds != 0 and self.solution and self.solution.kind == "exact":
            self.count_rules(game)
        elif wish.rule_seconds != 0:
            self.found["missing"]["rule_counts"] = self.why_no_rules()

    def prove_value(self, game: CompiledGame, space: StateSpace) -> dict[str, Any]:
        """Search the first position, or say what ends guarantee."""
        proof = search_start(game, Budget(self.left_s, self.wish.bytes))
        if proof is None or proof.value is None:
            return {"sure": guaranteed_goals(space)}
        return {"sure": proof.value, "proved": proved_sentences(game, proof)}

    def why_no_rules(self) -> str:
        """Describe why no rules were searched for: there are no opposed roles that were solved."""
        if self.solution is not None:
            return "rules are found for opposed roles in turn only"
        return f"rules are found for solved games only; {self.found['why_unsolved']}"

    def solve(self, space: StateSpace) -> None:
        self.progress("solving")
        try:
            self.solution = solve_any(space)
        except KibitzError as error:
            self.found["why_unsolved"] = error.message
            return
        self.found["kind"] = _kind(self.solution)
        self.found["value"] = self.solution.as_json()
        self.found["values_of_states"] = values_of_states(self.solution)

    def find_symmetries(self, game: CompiledGame) -> SymmetryGroup:
        budget = Budget(min(_PATIENCE_S, self.left_s), self.wish.bytes)
        found = run_within(
            budget, lambda: find_symmetries(game, budget=budget), doing="finding symmetries"
        )
        self.symmetries = found
        words = (tuple(words_of_symmetry(found, i)) for i in range(len(found.generators)))
        return SymmetryGroup(found.order, tuple(words))

    def follow(self, space: StateSpace) -> None:
        """Follow random and best play, and all that rests on it."""
        self.progress("random play")
        random = walk_forward(space, anyhow(space))
        self.found["lengths"] = {"random": lengths_of(random)}
        self.found["branching"] = branching_of(space, random)
        self.ask("matches", lambda: count_matches(space))
        solution = self.solution
        if find_stuck(space) is not None:
            self.found["missing"]["outcomes"] = "matches that get stuck have no outcome"
            return
        if solution is None:
            names = ["random"] * len(space.game.roles)
            self.found["outcomes"] = (outcome_of(random, names),)
            return
        players = players_of(solution)
        if players[-1].name == PERFECT:
            best = walk_forward(space, players[-1].chances)
            self.found["lengths"]["best"] = lengths_of(best)
        self.ask("decisions", lambda: decisions_of(solution, random, players))
        self.ask("outcomes", lambda: tuple(meet(solution, players)))
        self.ask("openings", lambda: tuple(find_openings(solution, players, self.symmetries)))
        count = self.wish.positions
        self.ask("hardest", lambda: tuple(find_hardest(solution, self.symmetries, count=count)))

    def count_rules(self, game: CompiledGame) -> None:
        given = self.wish.rule_seconds
        options = Options(
            seed=self.wish.seed,
            max_states=self.wish.max_states,
            rounds=_ROUNDS,
            proof_conflicts=_PROOF,
        )
        if given is not None:
            options = replace(options, seconds=given, rounds=None)
        counts: list[RuleCount] = []
        for role in game.roles:
            self.progress(f"rules for {role}")
            try:
                found = self._insight(role) or synthesise(game, role, options, report=self.progress)
            except KibitzError as error:
                counts.append(RuleCount(role, why=error.message))
            else:
                counts.append(
                    RuleCount(
                        role,
                        len(found.rules),
                        found.verdict.literals if isinstance(found, Insight) else found.literals,
                        found.lower_bound,
                        found.proved_minimal,
                        found.strategy.text,
                        time_ended=found.time_ended,
                    )
                )
                if found.was_interrupted:
                    self.found["rule_counts"] = tuple(counts)
                    raise KeyboardInterrupt
            self.found["rule_counts"] = tuple(counts)

    def _insight(self, role: Role) -> Insight | None:
        """Find a list that people remember and that works for more than this game."""
        solution = self.solution
        if solution is None or solution.kind != "exact" or solution.space.is_reduced:
            return None
        if len(solution.space) > _INSIGHT_STATES:
            return None
        check_choice(solution, role)
        found = find_insight(solution, role)
        return found if found is not None and found.is_general else None

    def sample(self, game: Game) -> None:
        for sampler in (sample_random, sample_search):
            self.progress("matches")
            share = max(2.0, min(15.0, self.wish.seconds / 6))
            share = min(share, time_left() / 4)  # A match that was begun may take as long again.
            if share <= 0:
                self.found["missing"]["matches"] = "the time allowed by --timeout was over"
                return
            found = sampler(game, seconds=share, seed=self.wish.seed, progress=self.progress)
            if found is not None:
                self.found["sampled"] = (*self.found.get("sampled", ()), found)

    def measure(self, game: Game) -> None:
        """Find rules by matches, where there is nothing to prove them by."""
        if self.wish.rule_seconds == 0 or not isinstance(game, CompiledGame):
            return
        self.ask(
            "measured",
            lambda: search_by_matches(
                lambda options, report, _: find_measured_rules(
                    game, options=options, report=report
                ).as_json(),
                budget=self.budget,
                seconds=self.wish.rule_seconds,
                seed=self.wish.seed,
                report=self.progress,
            ),
        )
        if "measured" in self.found:
            self.found["missing"].pop("rule_counts", None)


def _kind(solution: Listed) -> str:
    if solution.kind == "outcomes":
        return "each role for itself"
    if solution.kind == "average":
        return "opposed roles that choose at the same time"
    roles = len(solution.space.game.roles)
    return "one role" if roles == 1 else OPPOSED


def _first_of(game: Game) -> str | None:
    state = game.initial()
    movers = [role for role in game.roles if len(state.legal(role)) > 1]
    return movers[0] if len(movers) == 1 else None
