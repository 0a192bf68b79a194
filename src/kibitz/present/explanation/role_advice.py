"""Find and order the rules to teach a role, with examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kibitz.engine import CompiledGame, Role
from kibitz.english import say_rule, scene_of
from kibitz.present.explanation.explanation import RoleAdvice, StudyOptions
from kibitz.present.explanation.rule_pictures import (
    KnownList,
    SynthesisedRules,
    example_lines,
    known_list,
    positions_decided,
    rule_causes,
    show_example,
    show_rule,
)
from kibitz.solve import Solution, endless_goal
from kibitz.space import StateSpace
from kibitz.strategy import Strategy, verify
from kibitz.synth import (
    Bench,
    CandidateRule,
    Insight,
    Options,
    Prepared,
    Synthesis,
    check_choice,
    features_of,
    find_insight,
    sizes_sentence,
    synthesise,
    write_list,
)

_FIRST = ("win", "block", "fork", "block fork")


def in_teaching_order(found: Synthesis, judging: Solution) -> Synthesis:
    """Put winning first, then parrying, wherever the list stays perfect; the checker verifies it.

    The rules themselves stay as they are.
    """
    problem = found.problem
    if any(feature.is_rule for feature in problem.features) or problem.lift is not None:
        return found
    bench = Bench(problem)
    ordered = list(found.rules)
    for rule in sorted(found.rules, key=lambda r: (_rank(found, r), found.rules.index(r))):
        if _rank(found, rule) == len(_FIRST):
            break
        here = ordered.index(rule)
        for place in range(here):
            if _rank(found, ordered[place]) <= _rank(found, rule):
                continue
            tried = [*ordered[:here], *ordered[here + 1 :]]
            tried.insert(place, rule)
            if bench.is_right(tried):
                ordered = tried
                break
    if ordered == list(found.rules):
        return found
    strategy = write_list(problem, ordered)
    verdict = verify(strategy, judging, found.role)
    if not verdict.perfect or verdict.dead_rules:
        return found
    return replace(found, rules=tuple(ordered), strategy=strategy, verdict=verdict)


def _rank(found: Synthesis, rule: CandidateRule) -> int:
    """Rank a rule by what it asks of its move, if that is all it asks."""
    names = [feature.name for feature in features_of(found.problem, rule)]
    ranks = [_FIRST.index(name) for name in names if name in _FIRST]
    return min(ranks, default=len(_FIRST))


FEW_STATES = 300_000
"""The most states with which rules may look ahead, which is evaluated in all states."""
_ROUNDS = 10
_FEW_RULES = 8
_QUICK_PROOF = 30_000
_PROOF = 150_000
"""Rounds and conflicts for a list at first, and for one of few rules more of both."""

FoundRules = Synthesis | Insight | KnownList
Report = Callable[[str], None]
Draft = Callable[[Role, list[str]], None]


def _looks_ahead(space: StateSpace) -> bool:
    return not space.is_reduced and len(space) <= FEW_STATES


def explained_language(space: StateSpace) -> str:
    """Return what lists are made of that are looked for in a space."""
    return Options(features=_looks_ahead(space)).language


@dataclass(frozen=True)
class RuleSearch:
    """Looks for the rules of one role; `draft` gets lists in words while shorter ones are sought.

    `before` is advice from an earlier explanation, whose list is checked instead of being sought.
    """

    game: CompiledGame
    role: Role
    solution: Solution
    prepared: Prepared
    options: StudyOptions
    report: Report
    before: RoleAdvice | None = None
    draft: Draft | None = None

    def run(self) -> FoundRules:
        """Look first for rules that people remember; for others if these are not general."""
        insight = None
        before = self.before
        if _looks_ahead(self.solution.space):
            check_choice(self.solution, self.role)
            self._say("numbers and symmetry")
            insight = find_insight(self.solution, self.role)
        if insight is not None and insight.is_general:
            return insight
        if insight and before and insight.strategy.text == before.strategy:
            return insight
        found: Synthesis | KnownList | None = None
        if before and before.holds_for is None:
            found = known_list(before, self.prepared.judging)
        if found is None:
            found = self._synthesise()
        return insight if insight and insight.length < len(found.rules) else found

    def _synthesise(self) -> Synthesis:
        """Look for a list by rounds, so that it is the same on any machine, or for a time."""
        given = self.options.seconds
        options = Options(
            seconds=given,
            seed=self.options.seed,
            objective="easy",
            features=_looks_ahead(self.solution.space),
        )
        seen = self._drafting()
        if given is None:
            quick = replace(options, rounds=_ROUNDS, proof_conflicts=_QUICK_PROOF)
            found = self._list(quick, seen)
            if len(found.rules) > _FEW_RULES or found.was_interrupted:
                return found
            options = replace(options, rounds=4 * _ROUNDS, proof_conflicts=_PROOF)
        return in_teaching_order(self._list(options, seen), self.prepared.judging)

    def _list(self, options: Options, seen: Callable[[Strategy], None] | None) -> Synthesis:
        return synthesise(
            self.game, self.role, options, prepared=self.prepared, report=self._say, seen=seen
        )

    def _say(self, message: str) -> None:
        self.report(f"rules for {self.role}: {message}")

    def _drafting(self) -> Callable[[Strategy], None] | None:
        """Return what puts lists into words as they are found, those shorter than the last one."""
        draft, scene = self.draft, scene_of(self.game, self.role)
        fewest = float("inf")

        def show(strategy: Strategy) -> None:
            nonlocal fewest
            rules = strategy.rules_for(self.role)
            if draft and len(rules) < fewest:
                fewest = len(rules)
                draft(
                    scene.named(self.role),
                    [say_rule(scene, rule, symmetric=True) for rule in rules],
                )

        return show if draft else None


def advise(game: CompiledGame, role: Role, held: str, synthesised: SynthesisedRules) -> RoleAdvice:
    """Show a list: each rule with its picture, matches that follow it, and how it is proved.

    `held` is what the role can hold.
    """
    found, decisions = synthesised.found, synthesised.decisions
    counts = positions_decided(decisions, len(found.rules))
    causes = rule_causes(synthesised, len(counts))
    rules = tuple(
        show_rule(synthesised, number, count, cause)
        for number, (count, cause) in enumerate(zip(counts, causes, strict=True))
    )
    lines = example_lines(decisions, len(rules))
    fired = frozenset().union(*(line.fired for line in lines))
    judging = synthesised.judging
    index = game.roles.index(role)
    must_end = judging.value()[role] > endless_goal(judging.total, index)
    return RoleAdvice(
        role,
        held,
        rules=rules,
        bound=_bound(found, explained_language(judging.space)),
        lower_bound=found.lower_bound,
        proved_minimal=found.proved_minimal,
        was_interrupted=found.was_interrupted,
        time_ended=found.time_ended,
        strategy=found.strategy.text,
        sure=_proof(found, judging.space, must_end=must_end),
        command=_command(game.sheet.name, role),
        verdict=found.verdict.as_json(),
        examples=tuple(show_example(game, role, line) for line in lines),
        unseen=tuple(n for n in range(1, len(rules) + 1) if n not in fired),
        holds_for=found.holds_for.as_json() if isinstance(found, Insight) else None,
    )


def _bound(found: FoundRules, language: str) -> str:
    if isinstance(found, Insight):
        return sizes_sentence(found.holds_for)
    if found.proved_minimal:
        return f"Fewer {language} are not enough; that is proved as well."
    more = " Time ended the search; more --time may find fewer." if found.time_ended else ""
    if found.lower_bound > 1:
        return f"At least {found.lower_bound} {language} are needed; that is proved.{more}"
    return f"It is not known whether fewer rules are enough.{more}"


def _proof(found: FoundRules, space: StateSpace, *, must_end: bool) -> str:
    checked = found.verdict.states_checked
    alike = ", one of those that are symmetric," if space.is_reduced else ""
    against = ", whatever the opponent plays" if len(space.game.roles) > 1 else ""
    ends = ""
    if must_end and not space.is_layered and found.verdict.makes_progress:
        ends = ", nor do they let play go on for ever"
    return (
        f"Proved: the checker followed these rules through all {checked:,} positions{alike} that "
        f"they can lead to{against}, and no move ever gives up value{ends}."
    )


def _command(name: str, role: Role) -> str:
    file = f"{role}.strategy"
    show = ""
    if " --position " in name:
        show, name = f"kibitz show {name} > start.kif && ", "start.kif"
    return (
        f"{show}kibitz explain {name} --role {role} -o {file} && "
        f"kibitz verify {name} {file} --role {role} --engine reference"
    )
