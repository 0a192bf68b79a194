"""Synthesise a short rule list that plays a role of a game perfectly, with a lower bound.

The list is written in the strategy language, read again, and checked by `kibitz.strategy.verify`,
with none of the code that found it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kibitz.engine import CompiledGame, Role, State
from kibitz.errors import BudgetExceededError, InputError, KibitzError, NoChoiceError
from kibitz.solve import Solution, solve
from kibitz.space import Limits, Symmetries, explore, find_symmetries
from kibitz.strategy import Strategy, Verdict, read_strategy, rule_list, verify
from kibitz.synth.problem.features import (
    Feature,
    features_for,
    given_feature,
    place_features,
    relation_features,
)
from kibitz.synth.problem.problem import ANY_OF_THEM, Problem, make_problem
from kibitz.synth.problem.situation_bits import Reading, Vocabulary
from kibitz.synth.search.lifted_rules import write_any_move, write_lifted
from kibitz.synth.search.lists import (
    ANY_MOVE,
    NO_SILENCE,
    Bench,
    CandidateRule,
    features_of,
    is_simple,
    literals_of,
    moves_of,
    start_features,
    start_rules,
)
from kibitz.synth.search.schedule import SearchResult, find_minimum, run_search, too_few_words
from kibitz.wording import join_words

Method = Literal["search", "exact", "paper", "naive"]
Objective = Literal["rules", "literals", "easy"]
Report = Callable[[str], None]

_MOST_JUDGED = 50_000_000
"""Up to how many states times images a list is checked on all states, not one of each orbit."""

_USUAL_S = 10.0
_ROUNDS_A_SECOND, _CONFLICTS_A_SECOND = 8, 25_000
"""A round takes 0.05 to 0.1 CPU-seconds, and so do 5,000 conflicts."""

_HINT = (
    "allow more with --max-states if memory suffices, or take a part of the game: --position FILE "
    "starts from a later state"
)


@dataclass(frozen=True, slots=True)
class Options:
    """How to look for a list, and what counts as short.

    The search makes a number of `rounds`, and proofs take `proof_conflicts` at most, so that the
    result is the same on any machine; if they are not given, as many as usually fit into `seconds`.
    Time only cuts this short. With `must_answer` the list gives a move in every state that it leads
    to.
    """

    reading: Reading = "any"
    must_answer: bool = False
    seed: int = 0
    seconds: float | None = None
    rounds: int | None = None
    proof_conflicts: int | None = None
    literals: Vocabulary = "all"
    method: Method = "search"
    objective: Objective = "rules"
    order: Literal["random", "end", "start"] = "end"
    is_greedy: bool = True
    max_states: int = 20_000_000
    features: bool = False
    actions: bool = False
    lift: str | None = None
    formulas: tuple[str, ...] = ()
    """Features beside the general ones, as formulas."""

    def all_features(self, game: CompiledGame, symmetries: Symmetries | None) -> list[Feature]:
        """Return the features that rules may ask for."""
        general = features_for(len(game.roles)) if self.features else ()
        places = place_features(symmetries, game.write) if self.features and symmetries else ()
        # Under any, a relation need not hold alike in the states that one state represents.
        relations = relation_features(game) if self.features and self.reading == "none" else ()
        return [*general, *places, *relations, *map(given_feature, self.formulas)]

    @property
    def language(self) -> str:
        """Description of the rule language that a bound is about."""
        about = {"all": ["the position"], "positive": ["what holds in the position"], "none": []}
        words = [*about[self.literals], *["one or two moves ahead"] * self.features]
        words += ["given conditions"] * bool(self.formulas)
        text = f"rules about {join_words(words)}" if words else "rules without conditions"
        text += " for one or two moves" * self.actions
        text += f" with variables for {self.lift}" if self.lift else ""
        text += f" read with --symmetry {self.reading}" if self.reading != "any" else ""
        return text + " that always have an answer" * self.must_answer

    @property
    def rounds_to_make(self) -> int:
        """How many rounds each phase of the search may have."""
        return self.rounds or math.ceil(_ROUNDS_A_SECOND * (self.seconds or _USUAL_S))

    @property
    def conflicts_to_make(self) -> int:
        """How many conflicts a proof may cost."""
        if self.proof_conflicts is not None:
            return self.proof_conflicts
        usual = self.seconds is None or self.rounds is not None
        return int(_CONFLICTS_A_SECOND * (_USUAL_S if usual else self.seconds or 0))

    @property
    def silence(self) -> int:
        """Where the list may say nothing, as a number for the benches."""
        return NO_SILENCE if self.must_answer else ANY_MOVE


@dataclass(frozen=True)
class Synthesis:
    """A list, its verdict by the checker, and what is known about shorter ones."""

    role: Role
    strategy: Strategy
    verdict: Verdict
    reading: Reading
    language: str
    """What lists the bounds are about are made of."""
    lower_bound: int
    literals_lower_bound: int
    """How many literals every list of this length needs; 0 if it may not be the shortest."""
    seconds: float
    seed: int
    states: int
    rules: tuple[CandidateRule, ...] = field(repr=False)
    problem: Problem = field(repr=False)
    was_interrupted: bool = False
    time_ended: bool = False
    """Whether time cut the search or a proof short: another run may find more."""

    @property
    def proved_minimal(self) -> bool:
        """Whether no list of the same language with fewer rules exists."""
        return self.lower_bound >= self.verdict.rules

    @property
    def proved_fewest_literals(self) -> bool:
        """Whether also no list of the same length has fewer literals."""
        return self.proved_minimal and self.literals_lower_bound >= self.literals

    @property
    def rule_texts(self) -> list[str]:
        """The rules one by one, in the strategy language."""
        lines = self.strategy.text.splitlines()
        return [line for line in lines if not line.startswith("symmetric ")]

    @property
    def literals(self) -> int:
        """How many literals the rules have in all."""
        return sum(len(rule.literals) for rule in self.rules)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "role": self.role,
            "strategy": self.strategy.text,
            "rules": len(self.rules),
            "literals": self.literals,
            "verdict": self.verdict.as_json(),
            "symmetry": self.reading,
            "language": self.language,
            "lower_bound": self.lower_bound,
            "proved_minimal": self.proved_minimal,
            "literals_lower_bound": self.literals_lower_bound,
            "proved_fewest_literals": self.proved_fewest_literals,
            "seconds": self.seconds,
            "seed": self.seed,
            "states": self.states,
            "time_ended": self.time_ended,
        }


@dataclass(frozen=True)
class Prepared:
    """A game solved for synthesis: once for finding lists, and once for checking them."""

    game: CompiledGame
    symmetries: Symmetries | None
    solution: Solution
    judging: Solution
    time_ended: bool = False
    """Whether symmetries were not found in time."""


def lacks_time(error: KibitzError) -> bool:
    """Return whether more time could have helped."""
    return isinstance(error, BudgetExceededError) and "--timeout" in error.options


def prepare(
    game: CompiledGame,
    *,
    reading: Reading = "any",
    starts: Sequence[State] = (),
    max_states: int = 20_000_000,
) -> Prepared:
    """Explore and solve a game; raise IncompleteError if it is too large.

    Under *any*, one state of each orbit is enough for finding lists, and for checking them where
    all states would be too many.
    """
    symmetries: Symmetries | None = None
    time_ended = False
    if reading != "none":
        try:
            symmetries = find_symmetries(game)
            symmetries.elements()
        except KibitzError as error:
            symmetries, time_ended = None, lacks_time(error)
    limits = Limits(states=max_states, hint=_HINT)
    order = symmetries.order if symmetries is not None else 1
    is_reduced = reading == "any" and order > 1
    used = symmetries if is_reduced else None
    solution = judging = solve(explore(game, starts=starts, symmetries=used, limits=limits))
    if is_reduced and len(solution.space) * order * order <= _MOST_JUDGED:
        judging = solve(explore(game, starts=starts))
    return Prepared(game, symmetries, solution, judging, time_ended)


def _with_all_states(prepared: Prepared, starts: Sequence[State], *, for_finding: bool) -> Prepared:
    """Check on all states: formulas that look ahead need them."""
    judging = prepared.judging
    if judging.space.is_reduced:
        judging = solve(explore(prepared.game, starts=starts))
    return replace(
        prepared, judging=judging, solution=judging if for_finding else prepared.solution
    )


def synthesise(
    game: CompiledGame,
    role: Role,
    options: Options | None = None,
    *,
    prepared: Prepared | None = None,
    starts: Sequence[State] = (),
    start: Strategy | None = None,
    locked: bool = True,
    report: Report | None = None,
    seen: Callable[[Strategy], None] | None = None,
) -> Synthesis:
    """Find a short rule list that plays perfectly, and prove that it does.

    The rules of `start` come first; they stay as they are if `locked`, and may otherwise be
    simplified. While shorter lists are searched for, `seen` gets those found so far, each of them
    proved to play perfectly.

    >>> from kibitz.games import load_sheet
    >>> found = synthesise(CompiledGame(load_sheet("nim:1,2")), "player1", Options(rounds=2))
    >>> print(found.strategy.text, end="")
    true => (reduce b 1)
    >>> found.verdict.perfect
    True
    """
    begin = time.perf_counter()
    options = options or Options()
    game.check_role(role)
    prepared = prepared or prepare(
        game, reading=options.reading, starts=starts, max_states=options.max_states
    )
    written = start_features(start.with_symmetry(options.reading), role) if start else []
    features = [*options.all_features(game, prepared.symmetries), *written]
    if features:
        prepared = _with_all_states(prepared, starts, for_finding=bool(written or options.formulas))
    problem = make_problem(
        prepared.solution,
        role,
        symmetries=prepared.symmetries,
        reading=options.reading,
        literals=options.literals,
        features=features,
        actions=options.actions,
        lift=options.lift,
    )
    if Bench(problem).is_right([]):
        value = prepared.judging.value()[role]
        raise NoChoiceError(
            f"{role} has nothing to decide in {game.sheet.name}: whatever it plays, "
            f"it gets {value} against best play",
            hint="roles: " + " ".join(game.roles),
        )
    given: list[CandidateRule] = []
    kept = 0
    if start is not None:
        given = start_rules(problem, start)
        simple = [is_simple(rule) and not rule.is_locked for rule in start.rules_for(role)]
        # Rules of blocks, and rules that exist only as text, are never changed.
        kept = len(given) if locked else max([i + 1 for i, s in enumerate(simple) if not s] or [0])

    def show(rules: list[CandidateRule]) -> None:
        strategy = write_list(problem, rules)
        if seen and verify(strategy, prepared.judging, role).perfect:
            seen(strategy)

    outcome = _find(problem, options, given, kept, report, show if seen else None)
    strategy = write_list(problem, outcome.rules)
    verdict = verify(strategy, prepared.judging, role)
    if not verdict.perfect:
        raise KibitzError(
            f"the list that was found for {role} is refuted by the checker",
            hint="please report it with the command and the rule sheet",
        )
    return Synthesis(
        role=role,
        strategy=strategy,
        verdict=verdict,
        reading=options.reading,
        language=options.language + " and conditions of the list given" * bool(written),
        lower_bound=outcome.least_rules,
        literals_lower_bound=outcome.least_literals,
        seconds=time.perf_counter() - begin,
        seed=options.seed,
        states=len(prepared.judging.space),
        rules=tuple(outcome.rules),
        problem=problem,
        was_interrupted=outcome.was_interrupted,
        time_ended=outcome.time_ended or prepared.time_ended,
    )


def write_list(problem: Problem, rules: Sequence[CandidateRule]) -> Strategy:
    """Write rules in the strategy language."""
    if not problem.features and problem.lift is None:
        return rule_list(
            [(literals_of(problem, rule), moves_of(problem, rule)) for rule in rules],
            game=problem.game,
            symmetry=problem.reading,
            name="synthesis",
        )
    lines = [] if problem.reading == "any" else [f"symmetric {problem.reading}"]
    for rule in rules:
        if problem.lift is not None and not any(f.is_rule for f in features_of(problem, rule)):
            literals, made = literals_of(problem, rule), moves_of(problem, rule)
            more = " and ".join(feature.formula for feature in features_of(problem, rule))
            if problem.orbit_moves[rule.orbit] == ANY_OF_THEM:
                lines.append(write_any_move(made, more or "true"))
            else:
                lines.append(write_lifted(problem.lift, literals, made, more))
            continue
        plain = [(literals_of(problem, rule), moves_of(problem, rule))]
        text = rule_list(plain, game=problem.game, symmetry="any").text.strip()
        asked = [feature.formula for feature in features_of(problem, rule)]
        if any(feature.is_rule for feature in features_of(problem, rule)):
            lines += asked
            continue
        condition, _, moves = text.partition(" => ")
        if problem.orbit_moves[rule.orbit] == ANY_OF_THEM:
            moves = "any"
        parts = [*asked, *([condition] if condition != "true" else [])]
        lines.append(f"{' & '.join(parts) or 'true'} => {moves}")
    return read_strategy("\n".join(lines) + "\n", problem.game, name="synthesis")


def headline(found: Synthesis) -> str:
    """Describe what the list guarantees, and how short a list can be."""
    rules, literals = len(found.rules), found.literals
    count = f"{rules} rule{'s' * (rules != 1)} and {literals} literal{'s' * (literals != 1)}"
    goal = found.verdict.guarantees[found.role]
    return (
        f"{found.problem.game.sheet.name}, {found.role}: {count}, never less than {goal} "
        f"against any play; {_bound_text(found)}"
    )


def _bound_text(found: Synthesis) -> str:
    """Describe how short a list can be."""
    if found.proved_fewest_literals:
        return f"no shorter list of {found.language} exists, and none as short has fewer literals"
    if found.proved_minimal:
        return f"no shorter list of {found.language} exists"
    return f"lists of {found.language} need at least {found.lower_bound}"


def sentence(found: Synthesis, rule: CandidateRule) -> str:
    """Describe a rule in English.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.synth import Options, synthesise
    >>> found = synthesise(CompiledGame(load_sheet("nim:1,2")), "player1", Options(rounds=1))
    >>> sentence(found, found.rules[0])
    'Reduce heap b to 1 if you can.'
    """
    from kibitz.english import say_rule, scene_of

    written = found.strategy.rules_for(found.role)[found.rules.index(rule)]
    scene = scene_of(found.problem.game, found.role)
    return say_rule(scene, written, symmetric=found.reading != "none")


def _find(
    problem: Problem,
    options: Options,
    given: list[CandidateRule],
    kept: int,
    report: Report | None,
    seen: Callable[[list[CandidateRule]], None] | None,
) -> SearchResult:
    """Find a list by one of the methods."""
    from kibitz.synth.paper import naive_synthesis, paper_synthesis

    least = 1
    if options.method == "search":
        return run_search(problem, options, given, kept, least, report, seen)
    if options.method == "exact":
        return find_minimum(problem, options, given, report)
    if options.must_answer:
        raise InputError(
            "the paper's algorithms give lists that may be silent where every move is optimal",
            hint="remove --optimal weak, or use --method search",
        )
    if options.method == "naive":
        rules = naive_synthesis(problem, seed=options.seed, order=options.order)
    else:
        rules = paper_synthesis(
            problem,
            seed=options.seed,
            order=options.order,
            is_greedy=options.is_greedy,
            start=given,
            locked=kept,
        )
    if not Bench(problem).is_right(rules):
        raise too_few_words(options)
    return SearchResult(rules, least)
