"""A rule sheet in, its Explanation out: rules, value, strategies, examples, proofs or matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kibitz.board import (
    layout_of,
    svg_board,
    text_board,
)
from kibitz.budget import Budget, run_within, time_left
from kibitz.engine import CompiledGame, Role, UngroundedGame, overview, simulate
from kibitz.english import RuleBook, names_of, say_rule, scene_of
from kibitz.errors import BudgetExceededError, KibitzError, NoChoiceError
from kibitz.gdl import RuleSheet
from kibitz.present.explanation.choice_sentences import (
    choice_sentences,
    held_sentences,
    line_sentence,
)
from kibitz.present.explanation.disguise import disguise_of, disguise_sentence
from kibitz.present.explanation.examples import (
    example_lines,
    positions_decided,
)
from kibitz.present.explanation.explanation import Explanation, RoleAdvice
from kibitz.present.explanation.known_lists import KnownList, known_list
from kibitz.present.explanation.measured_advice import MeasuredAdvice, measured_advice
from kibitz.present.explanation.options import StudyOptions
from kibitz.present.explanation.plan_advice import plan_advice
from kibitz.present.explanation.rule_order import in_teaching_order
from kibitz.present.explanation.rule_pictures import SynthesisedRules, show_example, show_rule
from kibitz.present.explanation.rules_text import describe_rules, find_rule_book
from kibitz.present.explanation.value_sentences import (
    first_moves,
    least_goal,
    no_rules,
    value_sentences,
    what_can_be_held,
)
from kibitz.present.measured_search import search_by_matches
from kibitz.prove import Spending, prove
from kibitz.solve import (
    AnySolution,
    MaxnSolution,
    MixedSolution,
    Solution,
    describe_value,
    solve,
    solve_any,
)
from kibitz.space import (
    Limits,
    StateSpace,
    Symmetries,
    explore,
    fault_text,
    faults_of,
    find_symmetries,
)
from kibitz.strategy import Strategy
from kibitz.synth import (
    Insight,
    Options,
    Prepared,
    Synthesis,
    check_choice,
    find_insight,
    sizes_sentence,
    synthesise,
)
from kibitz.wording import join_words, result_text, value_text

__all__ = ["Study"]

_FEW_STATES = 300_000
"""The most states with which rules may look ahead, which is evaluated in all states."""
_ROUNDS = 10
_FEW_RULES = 8
_QUICK_PROOF = 30_000
_PROOF = 150_000
"""Rounds and conflicts for a list at first, and for one of few rules more of both."""
_FEW_EDGES = 4_000_000
_PLAYOUTS = 2000
_SEARCHED = 1_000_000
_TABLE_BYTES = 200_000_000
"""Positions that a search of the first one looks at, and what its table takes."""
_MOST_GATES = 100_000
"""Symmetries of larger games are not searched for, which could take long."""

_ONLY_MAXN = (
    "That is what they get if each maximises its own goal and expects the others to do so; it is "
    "no guarantee, for others may play differently."
)

Report = Callable[[str], None]


class Study:
    """Works out an explanation step by step; `known` is what is known so far."""

    def __init__(
        self,
        sheet: RuleSheet,
        options: StudyOptions,
        report: Report | None = None,
        seen: Callable[[Explanation], None] | None = None,
        before: Explanation | None = None,
        draft: Callable[[Role, list[str]], None] | None = None,
    ) -> None:
        """Prepare it; `seen` gets what is known as soon as later work only adds to it.

        `draft` gets rules for a role, proved to play perfectly, while shorter ones are looked for.
        Lists of an explanation from `before` are checked again instead of being searched for.
        """
        self.sheet, self.options = sheet, options
        self.before = {part.role: part for part in before.parts if part.rules} if before else {}
        self.report = report or (lambda message: None)
        self.seen = seen or (lambda known: None)
        self.draft = draft
        self.known = Explanation(sheet.name, sheet.name, ())
        self.synthesised: dict[Role, SynthesisedRules] = {}
        self.measured: MeasuredAdvice | None = None
        self.game: CompiledGame | None = None
        self.book: RuleBook | None = None
        self.is_planned = False
        """Whether a plan for a puzzle gets its highest goal, so that no rules are needed."""
        self.space: StateSpace | None = None
        self.reduced: StateSpace | None = None
        self.symmetries: Symmetries | None = None

    def run(
        self,
        role: Role | None = None,
        *,
        prepare: Callable[[CompiledGame], None] | None = None,
        one_is_enough: bool = False,
    ) -> None:
        """Work out everything, for one role or for all, or until one has rules.

        `prepare` may change the game's looks.
        """
        self.report("reading the rules")
        try:
            game = CompiledGame(self.sheet, budget=self._share(2))
        except BudgetExceededError as error:
            self._without_gates(error)
            return
        self.game = game
        if prepare:
            prepare(game)
        if role is not None:
            game.check_role(role)
        self._begin(game)
        solution = self._solve(game)
        self.seen(self.known)
        if solution is None:
            if self.space is None and not self.is_planned:
                whom = game.roles[0] if role is None and one_is_enough else role
                self._measure(game, whom)
            return
        wanted = [role] if role is not None else list(game.roles)
        if not isinstance(solution, Solution):
            self.known = replace(self.known, is_whole=True)
            return
        prepared = self._prepare(game, solution)
        for name in wanted:
            self.report(f"looking for rules for {name}")
            part = self._part(game, name, solution, prepared)
            self.known = replace(self.known, parts=(*self.known.parts, part))
            self.seen(self.known)
            if part.was_interrupted:
                raise KeyboardInterrupt
            if part.rules and one_is_enough:
                break
        self.known = replace(self.known, is_whole=True)

    def _begin(self, game: CompiledGame) -> None:
        layout = layout_of(game)
        start = game.initial()
        self.report("putting the rules into sentences")
        self.book = find_rule_book(game)
        description, story = describe_rules(game, self.book)
        self.known = replace(
            self.known,
            title=_title(self.sheet.name),
            roles=game.roles,
            story=story,
            description=description,
            board=text_board(start, layout),
            svg=svg_board(start, layout),
        )

    def _share(self, parts: int) -> Budget:
        budget = self.options.budget
        return replace(budget, seconds=budget.seconds / parts)

    def _without_gates(self, error: BudgetExceededError) -> None:
        """Describe a game that cannot be compiled as far as possible: each item, or why not."""
        name = self.sheet.name

        def draw() -> tuple[tuple[str, ...], str, str]:
            game = UngroundedGame(self.sheet)
            return game.roles, text_board(game.initial()), svg_board(game.initial())

        def look() -> str:
            return overview(UngroundedGame(self.sheet)).as_text(_title(name))

        self.known = replace(
            self.known,
            title=_title(name),
            limits=(
                f"Its value is not known: {error.message}.",
                "Rules are found by matches only where the game is compiled.",
            ),
        )
        self.report("drawing the board")
        try:
            roles, board, svg = run_within(self._share(6), draw, doing=f"drawing {name}")
        except BudgetExceededError:
            what = "memory" if "--memory" in error.options else "time"
            raise self.options.budget.exceeded(what, f"explaining {name}") from None
        self.known = replace(self.known, roles=roles, board=board, svg=svg)
        self.report("looking at some matches")
        try:
            story = run_within(self._share(6), look, doing=f"looking at {name}")
            self.known = replace(self.known, story=tuple(story.splitlines()))
        except BudgetExceededError as reason:
            limits = (*self.known.limits, f"Its play is not described: {reason.message}.")
            self.known = replace(self.known, limits=limits)

    def _solve(self, game: CompiledGame) -> AnySolution | None:
        options = self.options

        def show(found: int, done: int) -> None:
            self.report(f"{found:,} positions found")

        limits = Limits(
            states=options.max_states,
            seconds=options.budget.seconds / 4,
            bytes=options.budget.bytes // 2,
        )
        self.symmetries = _symmetries(game, self._share(8))
        many = self.symmetries is not None and self.symmetries.order > 1
        space = explore(
            game, symmetries=self.symmetries if many else None, limits=limits, progress=show
        )
        if not space.is_complete:
            self._too_large(game, space)
            return None
        self.space = space
        count = _all_positions(space)
        if many:
            self.reduced = space
            whole = explore(game, limits=replace(limits, states=_FEW_STATES), progress=show)
            if whole.is_complete:
                self.space = space = whole
                count = _all_positions(space)
            else:
                count += ", turned, mirrored or otherwise alike ones counted once"
        assert self.book is not None
        whole_space = space if space.edges <= _FEW_EDGES else None
        description, story = describe_rules(game, self.book, whole_space)
        self.known = replace(
            self.known,
            story=story,
            description=description,
            states=len(space),
            known_from=f"This is known from {count}.",
        )
        faults = faults_of(space)
        self.known = replace(self.known, faults=fault_text(faults))
        self.report("working out the value of every position")
        try:
            solution = solve_any(space)
        except KibitzError as error:
            self._play_randomly(game)
            limits_ = (f"Its value with best play is not known: {error.message}.",)
            worth = (*choice_sentences(game, space), *held_sentences(game, space))
            known_from = self.known.known_from if worth else ""
            self.known = replace(
                self.known, limits=limits_, worth=worth, is_whole=True, known_from=known_from
            )
            return None
        if faults:
            self._play_randomly(game)
            line = "No value is given, for it would mean little."
            self.known = replace(self.known, limits=(line,), is_whole=True, known_from="")
            return None
        described = describe_value(solution)
        worth = (
            value_sentences(game, solution)
            if isinstance(solution, Solution)
            else (f"With best play {value_text(described, names_of(game))}.",)
        )
        disguise = disguise_of(space)
        if disguise is not None:
            worth = (*worth, disguise_sentence(disguise))
        if not isinstance(solution, Solution):
            self._play_randomly(game)
            if len(game.roles) > 2:
                line = line_sentence(game, solution) if isinstance(solution, MaxnSolution) else ""
                worth = (*worth, _ONLY_MAXN, *([line] if line else []))
            if len(game.roles) > 2 or isinstance(solution, MixedSolution):
                worth = (*worth, *choice_sentences(game, space), *held_sentences(game, space))
            worth = (*worth, no_rules(game))
        self.known = replace(
            self.known,
            value=described["value"],
            distance=described["distance"],
            worth=worth,
        )
        return solution

    def _too_large(self, game: CompiledGame, space: StateSpace) -> None:
        self._play_randomly(game)
        self._plan(game)
        if self.is_planned:
            found = f"It has more than {len(space):,} positions; not all of them were listed."
            self.known = replace(self.known, limits=(found,))
            return
        undecided = self._search_start(game)
        layers = [b - a for a, b in zip(space.layers, space.layers[1:], strict=False)]
        full = layers[:-1] if len(layers) > 1 else layers
        each = space.bytes / max(1, len(space))
        growth = ""
        if len(full) > 2 and full[-2]:
            growth = (
                f" After {len(full) - 1} moves alone there are {full[-1]:,}, "
                f"{full[-1] / full[-2]:.1f} times as many as a move earlier."
            )
        found = (
            f"It is too large to be solved here: {len(space):,} positions were found, and there "
            f"are more.{growth}"
        )
        needed = (
            f"Each position takes about {each:.0f} bytes with its moves: a billion would need "
            f"{each:.0f} GB. Allow more with --max-states, --timeout and --memory, or solve it "
            "by decision diagrams: kibitz solve --symbolic."
        )
        self.known = replace(self.known, limits=(found, *undecided, needed))

    def _plan(self, game: CompiledGame) -> None:
        """Look for a plan where a puzzle of one role is too large to solve."""
        if len(game.roles) > 1:
            return
        self.report("looking for a plan")
        advice, goal = plan_advice(game, self.options.budget.seconds / 6)
        if advice is None:
            return
        self.known = replace(self.known, parts=(advice,))
        if goal is not None:
            self.is_planned = True
            value = {game.roles[0]: goal}
            worth = f"With best play {result_text(value, names_of(game))}, by the plan below."
            self.known = replace(self.known, value=value, worth=(worth,), is_whole=True)

    def _measure(self, game: CompiledGame, role: Role | None) -> None:
        """Find rules by matches where a game is too large to solve, or say why there are none."""
        if not self.options.measured:
            return
        self.report("looking for rules by matches")
        whom = join_words(game.roles if role is None else [role])
        before = self.before.get(whom)
        try:
            self.measured = search_by_matches(
                lambda options, report: measured_advice(
                    game, role, options, before=before, report=report
                ),
                budget=self.options.budget,
                seconds=self.options.seconds,
                seed=self.options.seed,
                report=self.report,
            )
        except KibitzError as error:
            line = f"No rules were found by matches: {error.message}."
            self.known = replace(self.known, limits=(*self.known.limits, line))
            return
        is_whole = time_left() == float("inf")
        parts = (*self.known.parts, self.measured.advice)
        self.known = replace(self.known, parts=parts, is_whole=is_whole)

    def _search_start(self, game: CompiledGame) -> tuple[str, ...]:
        """Look for the value of the first position by search, where search takes the game."""
        self.report("searching the first position")
        budget = self.options.budget
        spending = Spending(
            seconds=budget.seconds / 4,
            memory=min(_TABLE_BYTES, budget.bytes // 4),
            positions=_SEARCHED,
            threads=1,
        )
        try:
            proof = prove(game, spending=spending, listing=False)
        except KibitzError:
            return ()
        if proof.value is None:
            line = (
                f"A search of {proof.positions:,} positions did not decide the first one; "
                "kibitz solve --search goes on for longer."
            )
            return (line,)
        result = result_text(proof.value, names_of(game))
        worth = [f"A search proves that with best play from the start {result}."]
        if proof.are_best_all and proof.best:
            first = game.initial()
            role = next(one for one in game.roles if proof.best[0] in first.legal(one))
            worth.append(first_moves(game, role, proof.best, len(first.legal(role))))
        self.known = replace(self.known, value=proof.value, worth=tuple(filter(None, worth)))
        return ()

    def _play_randomly(self, game: CompiledGame) -> None:
        self.report("playing at random")
        played = simulate(
            game,
            playouts=_PLAYOUTS,
            seconds=self.options.budget.seconds / 6,
            seed=self.options.seed + 1,
            threads=1,
        )
        if not played.playouts:
            self.known = replace(self.known, random=("No random match came to an end.",))
            return
        goals = [
            f"{scene_of(game, role).named(role)} gets {mean:.0f}"
            for role, mean in played.mean_goals.items()
            if mean is not None
        ]
        length = ""
        if played.mean_length and not played.stuck:
            length = f", and they last {played.mean_length:.0f} moves"
        line = f"In {played.playouts:,} random matches {join_words(goals)} on average{length}."
        if played.stuck:
            line += f" {played.stuck:,} more got stuck, and are not counted."
        if played.playouts < _PLAYOUTS:
            line += " There was no time for more."
        self.known = replace(self.known, random=(line,))

    def _prepare(self, game: CompiledGame, solution: Solution) -> Prepared:
        """Make what synthesis needs of the solution, without solving the game again."""
        if self.reduced is None or self.reduced is solution.space:
            return Prepared(game, self.symmetries, solution, solution)
        self.report("looking at one position of each kind")
        return Prepared(game, self.symmetries, solve(self.reduced), solution)

    def _part(
        self, game: CompiledGame, role: Role, solution: Solution, prepared: Prepared
    ) -> RoleAdvice:
        scene = scene_of(game, role)
        value = solution.values()[role]
        index = game.roles.index(role)
        least = least_goal(solution, index)
        held = what_can_be_held(scene.named(role), solution, index)
        if value <= least and len(game.roles) > 1:
            return RoleAdvice(role, held)
        try:
            found = self._search(game, role, solution, prepared)
        except NoChoiceError:
            return RoleAdvice(
                role, held, note="Any moves will do: none of them gives up that result."
            )
        except BudgetExceededError as error:
            return RoleAdvice(role, held, note=f"No rules were found in time: {error.message}.")
        self.report("looking for an example of every rule")
        strategy = found.strategy
        decisions = strategy.decide(prepared.judging.space, role)
        self.synthesised[role] = SynthesisedRules(found, prepared.judging, decisions)
        counts = positions_decided(decisions, len(found.rules))
        rules = tuple(
            show_rule(self.synthesised[role], number, count) for number, count in enumerate(counts)
        )
        lines = example_lines(decisions, len(rules))
        fired = frozenset().union(*(line.fired for line in lines))
        return RoleAdvice(
            role,
            held,
            rules=rules,
            bound=_bound(found),
            lower_bound=found.lower_bound,
            proved_minimal=found.proved_minimal,
            was_interrupted=found.was_interrupted,
            time_ended=found.time_ended,
            strategy=strategy.text,
            sure=_proof(found, len(game.roles), is_reduced=prepared.judging.space.is_reduced),
            command=_command(self.sheet.name, role),
            verdict=found.verdict.as_json(),
            examples=tuple(show_example(game, role, line) for line in lines),
            unseen=tuple(n for n in range(1, len(rules) + 1) if n not in fired),
            holds_for=found.holds_for.as_json() if isinstance(found, Insight) else None,
        )

    def _search(
        self, game: CompiledGame, role: Role, solution: Solution, prepared: Prepared
    ) -> Synthesis | Insight | KnownList:
        """Look first for rules that people remember; for others if these are not general."""
        insight = None
        if not solution.space.is_reduced and len(solution.space) <= _FEW_STATES:
            check_choice(solution, role)
            self.report(f"rules for {role}: numbers and symmetry")
            insight = find_insight(solution, role)
        if insight is not None and insight.is_general:
            return insight
        before = self.before.get(role)
        if insight and before and insight.strategy.text == before.strategy:
            return insight
        found: Synthesis | KnownList | None = None
        if before and before.holds_for is None:
            found = known_list(before, prepared.judging)
        if found is None:
            found = self._synthesise(game, role, solution, prepared)
        return insight if insight and insight.length < len(found.rules) else found

    def _synthesise(
        self, game: CompiledGame, role: Role, solution: Solution, prepared: Prepared
    ) -> Synthesis:
        """Look for a list by rounds, so that it is the same on any machine, or for a time."""
        given = self.options.seconds
        options = Options(
            seconds=given or 10.0,
            seed=self.options.seed,
            objective="easy",
            features=self.space is not self.reduced and len(solution.space) <= _FEW_STATES,
        )
        report, seen = self._searching(role), self._drafting(game, role)
        if given is None:
            quick = replace(options, rounds=_ROUNDS, proof_conflicts=_QUICK_PROOF)
            found = synthesise(game, role, quick, prepared=prepared, report=report, seen=seen)
            if len(found.rules) > _FEW_RULES or found.was_interrupted:
                return found
            options = replace(options, rounds=4 * _ROUNDS, proof_conflicts=_PROOF)
        found = synthesise(game, role, options, prepared=prepared, report=report, seen=seen)
        return in_teaching_order(found, prepared.judging)

    def _searching(self, role: Role) -> Report:
        return lambda message: self.report(f"rules for {role}: {message}")

    def _drafting(self, game: CompiledGame, role: Role) -> Callable[[Strategy], None] | None:
        """Return what puts lists into words as they are found, those shorter than the last one."""
        draft, scene = self.draft, scene_of(game, role)
        fewest = float("inf")

        def show(strategy: Strategy) -> None:
            nonlocal fewest
            rules = strategy.rules_for(role)
            if draft and len(rules) < fewest:
                fewest = len(rules)
                draft(role, [say_rule(scene, rule, symmetric=True) for rule in rules])

        return show if draft else None


def _symmetries(game: CompiledGame, budget: Budget) -> Symmetries | None:
    if len(game.network.gates) > _MOST_GATES:
        return None
    try:
        found = find_symmetries(game, budget=budget)
        found.elements()
    except KibitzError:
        return None
    return found


def _title(name: str) -> str:
    files = [one.replace("\\", "/").rsplit("/", 1)[-1] for one in name.split(" --position ")]
    return " from ".join(file.removesuffix(".kif") for file in files)


def _bound(found: Synthesis | Insight | KnownList) -> str:
    if isinstance(found, Insight):
        return sizes_sentence(found.holds_for)
    if found.proved_minimal:
        return "Fewer rules of this kind are not enough; that is proved as well."
    more = " Time ended the search; more --time may find fewer." if found.time_ended else ""
    if found.lower_bound > 1:
        return f"At least {found.lower_bound} rules of this kind are needed; that is proved.{more}"
    return f"It is not known whether fewer rules are enough.{more}"


def _all_positions(space: StateSpace) -> str:
    return (
        "the one position there is"
        if len(space) == 1
        else f"all {len(space):,} positions there are"
    )


def _proof(found: Synthesis | Insight | KnownList, roles: int, *, is_reduced: bool) -> str:
    checked = found.verdict.states_checked
    alike = ", one of those that are symmetric," if is_reduced else ""
    against = ", whatever the opponent plays" if roles > 1 else ""
    return (
        f"Proved: the checker followed these rules through all {checked:,} positions{alike} that "
        f"they can lead to{against}, and no move ever gives up value."
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
