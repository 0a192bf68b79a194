"""Explain a rule sheet: its rules, value, strategies, examples, proofs or matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kibitz.board import layout_of, svg_board, text_board
from kibitz.budget import Budget, limited_to, time_left, time_to_work
from kibitz.engine import CompiledGame, Role, out_of_reach
from kibitz.english import RuleBook, names_of, scene_of
from kibitz.errors import BudgetExceededError, InputError, KibitzError, NoChoiceError
from kibitz.gdl import RuleSheet, require_gdl1
from kibitz.present.explanation import role_advice
from kibitz.present.explanation.disguise import disguise_of, disguise_sentence
from kibitz.present.explanation.explanation import Explanation, RoleAdvice, StudyOptions
from kibitz.present.explanation.measured_advice import MeasuredAdvice, measured_advice, plan_advice
from kibitz.present.explanation.role_advice import advise
from kibitz.present.explanation.rule_pictures import SynthesisedRules
from kibitz.present.explanation.rules_text import describe_rules, find_rule_book
from kibitz.present.explanation.value_sentences import (
    choice_sentences,
    describe_ungrounded,
    held_sentences,
    least_goal,
    line_sentence,
    no_rules,
    proved_sentences,
    random_sentence,
    search_start,
    size_sentences,
    undecided,
    value_sentences,
    what_can_be_held,
)
from kibitz.present.measured_search import search_by_matches
from kibitz.solve import (
    Listed,
    Solution,
    solve,
    solve_any,
)
from kibitz.space import (
    Limits,
    StateSpace,
    Symmetries,
    broken_text,
    explore,
    fault_text,
    faults_of,
)
from kibitz.strategy import symmetries_of
from kibitz.synth import Prepared, lacks_time
from kibitz.wording import join_words, result_text, value_text

_FEW_EDGES = 4_000_000
_MOST_GATES = 100_000
"""Symmetries of larger games are not searched for, which could take long."""

_NOT_COMPILED = "Its rules are long: there was no time to compile them, which all else rests on."
_MEANS_LITTLE = "No value is given, for it would mean little."
_AFTER_MISTAKES = "After a mistake of the opponent the rules here keep all that it gives."
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
        kept: Callable[[Explanation], None] | None = None,
    ) -> None:
        """Prepare it; `seen` gets what is known as soon as later work only adds to it.

        `kept` gets what is known whenever that changes. `draft` gets rules for a role, proved to
        play perfectly, while shorter ones are looked for. Lists of an explanation from `before` are
        checked again instead of being searched for.
        """
        self.sheet, self.options = sheet, options
        self.before = {part.role: part for part in before.parts if part.rules} if before else {}
        self.report = report or (lambda message: None)
        self.seen = seen or (lambda known: None)
        self.draft = draft
        self.kept = kept or (lambda known: None)
        self.known = Explanation(sheet.name, _title(sheet.name), ())
        self.synthesised: dict[Role, SynthesisedRules] = {}
        self.measured: MeasuredAdvice | None = None
        self.game: CompiledGame | None = None
        self.book: RuleBook | None = None
        self.is_planned = False
        """Whether a plan for a puzzle gets its highest goal, so that no rules are needed."""
        self.space: StateSpace | None = None
        self.reduced: StateSpace | None = None
        self.symmetries: Symmetries | None = None
        self.lacks_time = False

    @property
    def known(self) -> Explanation:
        """Explanation as far as it is worked out."""
        return self._known

    @known.setter
    def known(self, known: Explanation) -> None:
        self._known = known
        self.kept(known)

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
        require_gdl1(self.sheet)
        self.report("reading the rules")
        heads = [rule.head for rule in self.sheet.rules if not rule.body]
        roles = tuple(str(head.args[0]) for head in heads if head.relation == "role")
        self.known = replace(self.known, roles=roles, limits=(_NOT_COMPILED,))
        try:
            game = CompiledGame(self.sheet, budget=self._share(2))
        except BudgetExceededError as error:
            for known in describe_ungrounded(
                self.sheet, self.known, error, self.options.budget, self.report
            ):
                self.known = known
            return
        self.game = game
        if prepare:
            prepare(game)
        if role is not None:
            game.check_role(role)
        self._begin(game)
        solution = self._solve(game)
        self.seen(self.known)
        whom = game.roles[0] if role is None and one_is_enough else role
        if solution is None or solution.kind != "exact":
            if not self.is_planned and not self.known.faults:
                self._measure(game, whom)
            return
        wanted = [role] if role is not None else list(game.roles)
        prepared = self._prepare(game, solution)
        for number, name in enumerate(wanted):
            self.report(f"looking for rules for {name}")
            with limited_to(time_left() / (len(wanted) - number)):
                part = self._part(game, name, solution, prepared, is_asked=role is not None)
            self.known = replace(self.known, parts=(*self.known.parts, part))
            self.seen(self.known)
            if part.was_interrupted:
                raise KeyboardInterrupt
            if part.rules and one_is_enough:
                break
        if any(part.time_ended and not part.rules for part in self.known.parts):
            self._measure(game, whom)
        else:
            self.known = replace(self.known, is_whole=True)

    def _begin(self, game: CompiledGame) -> None:
        layout = layout_of(game)
        start = game.initial()
        self.report("putting the rules into sentences")
        self.book = find_rule_book(game)
        self.known = replace(self.known, title=self.book.title or self.known.title)
        description, story = describe_rules(game, self.book)
        self.known = replace(
            self.known,
            roles=game.roles,
            story=story,
            description=description,
            board=text_board(start, layout),
            svg=svg_board(start, layout),
            limits=(),
        )
        lost = out_of_reach(game) if len(game.roles) == 1 else None
        if lost is not None:
            self.known = replace(self.known, faults=broken_text(lost.text))
        if description.complete and not description.has_letters:  # no more will be known of them
            self.seen(self.known)

    def _share(self, parts: int) -> Budget:
        budget = self.options.budget
        return replace(budget, seconds=min(budget.seconds, time_left()) / parts)

    def _explore(self, game: CompiledGame) -> StateSpace | None:
        """List all positions, and describe the rules by them; None where there are too many."""
        options = self.options

        def show(found: int, done: int) -> None:
            self.report(f"{found:,} positions found")

        limits = Limits(
            states=options.max_states,
            seconds=self._share(4).seconds,
            bytes=options.budget.bytes // 2,
        )
        self.symmetries, self.lacks_time = _symmetries(game, self._share(8))
        many = self.symmetries is not None and self.symmetries.order > 1
        try:
            space = explore(
                game, symmetries=self.symmetries if many else None, limits=limits, progress=show
            )
        except InputError as error:
            self.seen(self.known)
            self._play_randomly(game)
            line = f"Its positions were not listed: {error.message}."
            self.known = replace(self.known, limits=(line,))
            return None
        if not space.is_complete:
            self.seen(self.known)
            self._too_large(game, space)
            return None
        count = _all_positions(space)
        if many:
            self.reduced = space
            few = replace(limits, states=role_advice.FEW_STATES)
            whole = explore(game, limits=few, progress=show)
            if whole.is_complete:
                space = whole
                count = _all_positions(space)
            else:
                count += ", turned, mirrored or otherwise alike ones counted once"
        self.space = space
        assert self.book is not None
        whole_space = space if space.edges <= _FEW_EDGES else None
        description, story = describe_rules(game, self.book, whole_space)
        self.known = replace(
            self.known,
            story=story,
            description=description,
            states=len(space),
            faults=fault_text(faults_of(space)) or self.known.faults,
        )
        self.seen(self.known)
        self.known = replace(self.known, known_from=f"This is known from {count}.")
        return space

    def _solve(self, game: CompiledGame) -> Listed | None:
        """Work out what each role gets with best play; None where that is not known."""
        space = self._explore(game)
        if space is None:
            return None
        self.report("working out the value of every position")
        try:
            solution = solve_any(space)
        except KibitzError as error:
            self._play_randomly(game)
            worth = (*choice_sentences(game, space), *held_sentences(game, space))
            self.known = replace(
                self.known,
                limits=(f"Its value with best play is not known: {error.message}.",),
                worth=worth,
                is_whole=True,
                known_from=self.known.known_from if worth else "",
            )
            return None
        if self.known.faults:
            self._play_randomly(game)
            self.known = replace(self.known, limits=(_MEANS_LITTLE,), is_whole=True, known_from="")
            return None
        if solution.kind != "exact":
            self._play_randomly(game)
        described = solution.as_json()
        self.known = replace(
            self.known,
            value=described["value"],
            distance=described["distance"],
            worth=_value_lines(game, solution),
        )
        return solution

    def _too_large(self, game: CompiledGame, space: StateSpace) -> None:
        self._play_randomly(game)
        found = f"It has more than {len(space):,} positions; not all of them were listed."
        if self.known.faults:
            self.known = replace(self.known, limits=(found, _MEANS_LITTLE), is_whole=True)
            return
        self._plan(game)
        if self.is_planned:
            self.known = replace(self.known, limits=(found,))
            return
        self.report("searching the first position")
        proof = search_start(game, self._share(8))
        limits = size_sentences(space)
        if proof and proof.value is not None:
            worth = proved_sentences(game, proof)
            self.known = replace(self.known, value=proof.value, worth=worth, limits=limits)
        else:
            lines = (undecided(proof),) if proof else ()
            self.known = replace(self.known, limits=(limits[0], *lines, limits[1]))

    def _plan(self, game: CompiledGame) -> None:
        """Look for a plan where a puzzle of one role is too large to solve."""
        if len(game.roles) > 1:
            return
        self.report("looking for a plan")
        advice, goal = plan_advice(game, self._share(6).seconds)
        if advice is None:
            return
        self.known = replace(self.known, parts=(advice,))
        if goal is not None:
            self.is_planned = True
            value = {game.roles[0]: goal}
            worth = f"With best play {result_text(value, names_of(game))}, by the plan below."
            self.known = replace(self.known, value=value, worth=(worth,), is_whole=True)

    def _measure(self, game: CompiledGame, role: Role | None) -> None:
        """Find rules by matches where none are proved, or say why there are none.

        Where no list serves all roles, as where they have different moves, each looks for its own.
        """
        if not self.options.measured:
            self.known = replace(self.known, is_whole=self.space is not None)
            return
        self.report("looking for rules by matches")
        refusal = self._measure_for(game, role, 1)
        if refusal is not None and role is None and len(game.roles) > 1:
            for number, one in enumerate(game.roles):
                if time_to_work() > 0:
                    self._measure_for(game, one, len(game.roles) - number)
        if refusal is not None and self.measured is None:
            self._not_measured(refusal)

    def _measure_for(self, game: CompiledGame, role: Role | None, share: int) -> KibitzError | None:
        """Find rules by matches for a role, or for all, in a share of the time; or say why not."""
        whom = join_words(game.roles if role is None else [role])
        before, known, measured = self.before.get(whom), self.known, self.measured
        seconds = self.options.seconds
        if seconds is not None:
            seconds = min(seconds, time_to_work()) / share

        def keep(advice: MeasuredAdvice, *, is_whole: bool = False) -> None:
            self.measured = advice
            self.known = replace(known, parts=(*known.parts, advice.advice), is_whole=is_whole)

        try:
            found = search_by_matches(
                lambda options, report, seen: measured_advice(
                    game, role, options, before=before, report=report, seen=seen
                ),
                budget=self.options.budget,
                seconds=seconds,
                seed=self.options.seed,
                report=self.report,
                seen=keep,
            )
        except BudgetExceededError as error:
            return error if self.measured is measured else None
        except KibitzError as error:
            self.known, self.measured = known, measured  # What was shown did not stand.
            return error
        keep(found, is_whole=True)
        return None

    def _not_measured(self, error: KibitzError) -> None:
        is_whole = self.space is not None and not isinstance(error, BudgetExceededError)
        limits = self.known.limits
        if self.space is None:  # Otherwise its value is the answer.
            limits += (f"No rules were found by matches: {error.message}.",)
        self.known = replace(self.known, limits=limits, is_whole=is_whole)

    def _play_randomly(self, game: CompiledGame) -> None:
        self.report("playing at random")
        self.known = replace(
            self.known, random=(random_sentence(game, self._share(20).seconds, self.options.seed),)
        )

    def _prepare(self, game: CompiledGame, solution: Solution) -> Prepared:
        """Make what synthesis needs of the solution, without solving the game again."""
        if self.reduced is None or self.reduced is solution.space:
            return Prepared(game, self.symmetries, solution, solution, self.lacks_time)
        self.report("looking at one position of each kind")
        found = solve(self.reduced)
        return Prepared(game, self.symmetries, found, solution, self.lacks_time)

    def _part(
        self,
        game: CompiledGame,
        role: Role,
        solution: Solution,
        prepared: Prepared,
        *,
        is_asked: bool,
    ) -> RoleAdvice:
        """Find rules for a role; for one that loses, if it is asked for, those after a mistake."""
        scene = scene_of(game, role)
        value = solution.value()[role]
        index = game.roles.index(role)
        least = least_goal(solution, index)
        held = what_can_be_held(scene.named(role), solution, index)
        loses = value <= least and len(game.roles) > 1
        if loses and not is_asked:
            note = f"With --role {role}, rules are looked for that punish a mistake."
            return RoleAdvice(role, held, note=note)
        search = role_advice.RuleSearch(
            game,
            role,
            solution,
            prepared,
            self.options,
            self.report,
            self.before.get(role),
            self.draft,
        )
        try:
            found = search.run()
        except NoChoiceError:
            note = "Any moves will do: none of them gives up that result."
            return RoleAdvice(role, held, note=note)
        except BudgetExceededError as error:
            note = f"No rules were found in time: {error.message}."
            return RoleAdvice(role, held, note=note, time_ended=True)
        self.report("looking for an example of every rule")
        decisions = found.strategy.decide(prepared.judging.space, role)
        self.synthesised[role] = SynthesisedRules(found, prepared.judging, decisions)
        worth = f"{held} {_AFTER_MISTAKES}" if loses else held
        return advise(game, role, worth, self.synthesised[role])


def _value_lines(game: CompiledGame, solution: Listed) -> tuple[str, ...]:
    """Say what each role gets with best play, and what is known beside it."""
    space = solution.space
    disguise = disguise_of(space)
    known_as = () if disguise is None else (disguise_sentence(disguise),)
    if solution.kind == "exact":
        return (*value_sentences(game, solution), *known_as)
    value = value_text(solution.as_json(), names_of(game))
    lines = [f"With best play {value}.", *known_as]
    if len(game.roles) > 2:
        line = line_sentence(game, solution) if solution.kind == "outcomes" else ""
        lines += [_ONLY_MAXN, *([line] if line else [])]
    if len(game.roles) > 2 or solution.kind == "average":
        lines += [*choice_sentences(game, space), *held_sentences(game, space)]
    return (*lines, no_rules(game))


def _symmetries(game: CompiledGame, budget: Budget) -> tuple[Symmetries | None, bool]:
    """Return the symmetries, and whether time was too short for them."""
    if len(game.network.gates) > _MOST_GATES:
        return None, False
    try:
        return symmetries_of(game, budget=budget), False
    except KibitzError as error:
        return None, lacks_time(error)


def _title(name: str) -> str:
    files = [one.replace("\\", "/").rsplit("/", 1)[-1] for one in name.split(" --position ")]
    return " from ".join(file.removesuffix(".kif") for file in files)


def _all_positions(space: StateSpace) -> str:
    return (
        "the one position there is"
        if len(space) == 1
        else f"all {len(space):,} positions there are"
    )
