"""Build a lesson: rules one at a time with exercises, and its sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.board import layout_of, mark_fluent, svg_board, text_board
from kibitz.cache import digest_of
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.english import say_move, scene_of
from kibitz.errors import KibitzError
from kibitz.present.explanation.explanation import (
    IN_PART,
    IN_SHORT,
    Explanation,
    RoleAdvice,
    RuleText,
)
from kibitz.present.explanation.rule_pictures import SynthesisedRules, allowed_edges
from kibitz.space import StateId, reachable_under
from kibitz.strategy import Bools, Decisions, Strategy, carriers_of, columns_of, verify
from kibitz.synth import expected_goal
from kibitz.wording import counted, either_text, side_name

EXERCISES = 3
MATCHES = 512
"""Matches against random play that show what measured rules gain, after each of them."""
REVISION = 8
_MANY_RULES = 12
_MOST_CANDIDATES = 400


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """A legal move: its text, whether it keeps the value, whether the rule asks for it."""

    text: str
    is_good: bool
    is_told: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position in which one rule is needed: without it the list may give up value.

    Where no position needs a rule, it is one in which the rule decides. `answer_svg` is the board
    after a move that the rule asks for. Where it is not proved which moves keep the value, or all
    of them do, the good ones are those that the rule asks for.
    """

    name: str
    rule: int
    position: tuple[str, ...]
    board: str
    svg: str
    answer_svg: str
    choices: tuple[AnswerChoice, ...]
    is_proved: bool = True
    is_needed: bool = True

    @property
    def answer(self) -> str:
        """The moves that the rule asks for."""
        return either_text([choice.text for choice in self.choices if choice.is_told])


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A rule to learn: its place in the list, what it gains, and exercises for it.

    `against_random` and `guaranteed` are results of a player who knows the rules up to this one;
    of a list that was measured, the mean of matches, and nothing is guaranteed.
    """

    rule: int
    told: RuleText
    against_random: float
    guaranteed: int | None
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """All that a learner needs, in order."""

    game: str
    title: str
    role: str
    story: tuple[str, ...]
    worth: tuple[str, ...]
    svg: str
    part: RoleAdvice
    nothing: tuple[float, int | None]
    """The mean against random play, and the guarantee, of a player who knows no rule."""
    steps: tuple[LessonStep, ...]
    revision: tuple[Exercise, ...]
    name: str = ""

    @property
    def exercises(self) -> list[Exercise]:
        """All exercises in the order of their numbers."""
        return [*(e for step in self.steps for e in step.exercises), *self.revision]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values, without pictures."""
        import msgspec

        found: dict[str, Any] = _without_pictures(msgspec.to_builtins(self))
        return found


def _without_pictures(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_pictures(v) for k, v in value.items() if not k.endswith("svg")}
    if isinstance(value, list | tuple):
        return [_without_pictures(item) for item in value]
    return value


def make_lesson(
    explanation: Explanation, advice: RoleAdvice, synthesised: SynthesisedRules, *, seed: int = 0
) -> Lesson:
    """Make a lesson of a list that was found for a role."""
    maker = _Maker(synthesised, advice, seed)
    order, gains, nothing = maker.order()
    steps = []
    for rule, (mean, guaranteed) in zip(order, gains, strict=True):
        exercises = maker.exercises(rule, EXERCISES)
        steps.append(LessonStep(rule, advice.rules[rule - 1], mean, guaranteed, exercises))
    return Lesson(
        explanation.game,
        explanation.title,
        advice.role,
        explanation.story,
        (*explanation.worth, advice.worth),
        explanation.svg,
        advice,
        nothing,
        tuple(steps),
        maker.revision(order),
        digest_of([explanation.game, advice.strategy])[:16],
    )


@dataclass
class _Maker:
    synthesised: SynthesisedRules
    part: RoleAdvice
    seed: int
    used: set[object] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.role: Role = self.synthesised.found.role
        self.strategy: Strategy = self.synthesised.found.strategy
        self.judging = self.synthesised.judging
        self.space = self.judging.space
        self.game: CompiledGame = self.space.game
        self.index = self.game.roles.index(self.role)
        self.source = columns_of(self.space).source
        value = self.judging.values
        self.optimal: Bools = value[self.space.target] == value[self.source]
        self.reached = reachable_under(self.space, allowed_edges(self.synthesised.decisions)).seen
        self.source_of_chance = random.Random(self.seed)

    def only(self, rules: Iterable[int]) -> Decisions:
        """Decide by some of the rules alone, in the order of the list."""
        kept = sorted(rules)
        lines = tuple(
            (role, tuple(known[n - 1] for n in kept)) for role, known in self.strategy.lines
        )
        return replace(self.strategy, lines=lines).decide(self.space, self.role)

    def order(self) -> tuple[list[int], list[tuple[float, int]], tuple[float, int]]:
        """Order rules by what each gains, next after those already known.

        The gain is exact: the mean result against random play of a player who follows the known
        rules and else plays at random; where there are many, those that decide most come first.
        """
        count = len(self.part.rules)
        if count > _MANY_RULES:
            order = sorted(range(1, count + 1), key=lambda n: -self.part.rules[n - 1].decides)
        else:
            order = []
            while len(order) < count:
                left = [n for n in range(1, count + 1) if n not in order]
                order.append(max(left, key=lambda n: (round(self.mean([*order, n]), 6), -n)))
        whole = list(range(count + 1)) if count <= _MANY_RULES else [0, count]
        measured = {n: (self.mean(order[:n]), self.guaranteed(order[:n])) for n in whole}
        gains = [measured.get(n, measured[count]) for n in range(1, count + 1)]
        return order, gains, measured[0]

    def mean(self, rules: Sequence[int]) -> float:
        chosen = self.only(rules).moves.chosen if rules else np.zeros(self.space.edges, dtype=bool)
        return expected_goal(self.judging, self.role, chosen)

    def guaranteed(self, rules: Sequence[int]) -> int:
        if rules:
            moves = self.only(rules).moves
        else:
            moves = replace(self.only([1]).moves, chosen=np.zeros(self.space.edges, dtype=bool))
        return verify(moves, self.judging, self.role).guarantees[self.role]

    def candidates(self, rule: int) -> tuple[list[StateId], bool]:
        """Return positions in which a rule is the first to apply, and whether it is needed there.

        Where none needs it, they are those in which it leaves some moves out.
        """
        decider = self.synthesised.decisions.decider
        others = [n for n in range(1, len(self.part.rules) + 1) if n != rule]
        if others:
            allowed = allowed_edges(self.only(others))
        else:
            allowed = np.ones(self.space.edges, dtype=bool)
        wrong = np.zeros(len(self.space), dtype=bool)
        wrong[self.source[allowed & ~self.optimal]] = True
        # Where play never comes with the list, what it says may be wrong.
        chosen = self.synthesised.decisions.moves.chosen
        misled = np.zeros(len(self.space), dtype=bool)
        misled[self.source[chosen & ~self.optimal]] = True
        decides = (decider == rule - 1) & ~misled
        here = np.flatnonzero(decides & wrong)
        is_needed = bool(here.size)
        if not is_needed:
            left_out = np.zeros(len(self.space), dtype=bool)
            left_out[self.source[~chosen]] = True
            here = np.flatnonzero(decides & left_out)
        # Positions that play comes to first, then those in which few moves are optimal.
        moves = np.diff(self.space.first_edge)[here]
        right = np.bincount(self.source[self.optimal], minlength=len(self.space))[here]
        order = np.lexsort((here, right / np.maximum(moves, 1), ~self.reached[here]))
        return [int(state) for state in here[order][:_MOST_CANDIDATES]], is_needed

    def exercises(self, rule: int, count: int) -> tuple[Exercise, ...]:
        """Choose positions for a rule, no two of which are images of each other."""
        found: list[Exercise] = []
        states, is_needed = self.candidates(rule)
        for state in states:
            kind = kind_of(self.space.state(state))
            if kind not in self.used:
                self.used.add(kind)
                found.append(self.exercise(rule, state, is_needed=is_needed))
            if len(found) == count:
                break
        return tuple(found)

    def exercise(self, rule: int, number: StateId, *, is_needed: bool) -> Exercise:
        edges = slice(int(self.space.first_edge[number]), int(self.space.first_edge[number + 1]))
        chosen = self.synthesised.decisions.moves.chosen[edges]
        optimal = self.optimal[edges]
        is_proved = not optimal.all()  # where every move is right, the question is what it says
        joints = (self.space.joint_moves[action] for action in self.space.action[edges])
        moves = zip(
            joints, map(bool, optimal if is_proved else chosen), map(bool, chosen), strict=True
        )
        state = self.space.state(number)
        return show_exercise(
            state, self.role, rule, moves, is_proved=is_proved, is_needed=is_needed
        )

    def revision(self, order: list[int]) -> tuple[Exercise, ...]:
        """Choose further positions for all rules, and mix them."""
        each = max(1, -(-REVISION // max(1, len(order))))
        found = [e for rule in order for e in self.exercises(rule, each)]
        self.source_of_chance.shuffle(found)
        return tuple(found[:REVISION])


def kind_of(state: State) -> object:
    """Return a key that a position shares with its images under the symmetries of the game."""
    fluents = state.fluents
    try:
        carriers = carriers_of(state.game)
    except KibitzError:
        return frozenset(fluents)
    return min(
        tuple(sorted(str(carrier.fluents.get(f, f)) for f in fluents)) for carrier in carriers
    )


def show_exercise(
    state: State,
    role: Role,
    rule: int,
    choices: Iterable[tuple[Sequence[Move], bool, bool]],
    *,
    is_proved: bool = True,
    is_needed: bool = True,
) -> Exercise:
    """Show a position: its joint moves, each with whether it keeps the value and is asked for."""
    game = state.game
    assert isinstance(game, CompiledGame)
    layout = layout_of(game)
    scene = scene_of(game, role)
    moves: dict[str, tuple[bool, bool]] = {}
    shown = ""
    for joint, is_good, is_chosen in choices:
        text = say_move(scene, joint[game.roles.index(role)])
        good, chosen = moves.get(text, (True, False))
        moves[text] = (good and is_good, chosen or is_chosen)
        if is_chosen and not shown:
            after = state.step(joint)
            new = [f for f in after.fluents if f not in set(state.fluents)]
            marks = [mark_fluent(layout, f, "last") for f in new]
            shown = svg_board(after, layout, marks=[mark for mark in marks if mark.cells])
    return Exercise(
        digest_of([game.sheet.name, role, str(state.key)])[:10],
        rule,
        tuple(map(game.write, state.fluents)),
        text_board(state, layout),
        svg_board(state, layout),
        shown,
        tuple(AnswerChoice(text, good, chosen) for text, (good, chosen) in moves.items()),
        is_proved,
        is_needed,
    )


_COMMENT = re.compile(
    r"(The rule sheet says) of itself: “(?:[\w:,]+: )?(.*?)"
    r"(?: (?:Roles|Fluents|Moves): .*| \+--.*)?”"
)
"""What a sheet says of itself: its name, then words, then terms or a drawing in letters."""


def contents_of_lesson(lesson: Lesson) -> str:
    """Describe in brief what a lesson has."""
    rules, tasks = counted(len(lesson.steps), "rule"), counted(len(lesson.exercises), "position")
    return f"{lesson.title}, a lesson for {side_name(lesson.role)}, {rules} and {tasks}"


def story_lines(story: Iterable[str]) -> tuple[str, ...]:
    """Return the rules in words without what is for those who read rule sheets.

    >>> story_lines(["A game.", "The rule sheet says of itself: “hex: Join sides. Roles: a, b.”"])
    ('A game.', 'The rule sheet says: “Join sides.”')
    """
    return tuple(
        _COMMENT.sub(r"\1: “\2”", line) for line in story if line not in (IN_SHORT, IN_PART)
    )


def intro_sentence(lesson: Lesson, *, is_alone: bool = False) -> str:
    """Describe what a player gains by the lesson, and in which order its rules come."""
    mean, least = lesson.nothing
    last = lesson.steps[-1]
    rules = len(lesson.steps)
    known = "the rule" if rules == 1 else f"the {rules} rules"
    order = "the order of the list" if lesson.part.measured else "the order in which they help most"
    order = f" They come in {order}." if rules > 1 else ""
    if lesson.part.measured:
        return (
            f"In {MATCHES} matches against random play, somebody who moves at random gets "
            f"{mean:.0f} of 100 points on average, and somebody who follows {known} of this lesson "
            f"{last.against_random:.0f}.{order}"
        )
    gets = (
        "on average, and {} at worst"
        if is_alone
        else ("on average against random play, and {} against a good player")
    )
    learned = f"get {last.against_random:.0f}, and never less than {last.guaranteed}"
    if last.guaranteed == 100:
        learned = "always get 100"
    return (
        f"Of 100 points, somebody who moves at random gets {mean:.0f} {gets.format(least)}. "
        f"With {known} of this lesson you {learned}.{order}"
    )


def place_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe where a rule stands in the list."""
    count = len(lesson.part.rules)
    if count == 1:
        return "It is the only rule of the list."
    if step.rule == 1:
        return "It is the first rule of the list: where it applies, it goes before all others."
    if step.rule == count:
        return f"It is rule {count}, the last of the list: follow it where no other rule applies."
    before = "rule 1" if step.rule == 2 else f"any of rules 1 to {step.rule - 1}"
    return f"It is rule {step.rule} of {count}: follow it unless {before} applies."


def gain_sentence(lesson: Lesson, step: LessonStep, *, is_alone: bool = False) -> str:
    """Describe what a player gets who knows the rules up to this one."""
    gets = f"With the rules so far you get {step.against_random:.0f} of 100 on average"
    if lesson.part.measured:
        return f"{gets} in {MATCHES} matches against random play."
    if step.guaranteed == 100:
        return "With the rules so far you always get 100."
    against = "" if is_alone else " against random play"
    if step.guaranteed == lesson.nothing[1]:
        return f"{gets}{against}, but may still end with {step.guaranteed}."
    return f"{gets}{against}, and never less than {step.guaranteed}."


def task_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Describe the positions of a step."""
    if not all(one.is_needed for one in step.exercises):
        return "In these positions it decides. Where do you move?"
    if lesson.part.measured:
        return (
            "In these positions of matches it decides, and the list without it allows other moves. "
            "Where do you move?"
        )
    return "These positions need it. Where do you move?"


def note_sentence(lesson: Lesson, step: LessonStep) -> str:
    """Say if few positions need a rule, or none; nothing where a step has as many as others."""
    needed = sum(one.is_needed for one in step.exercises)
    if needed >= EXERCISES:
        return ""
    verb = "needs" if needed == 1 else "need"
    if lesson.part.measured:
        if needed:
            return f"In the matches were only {counted(needed, 'position')} that {verb} this rule."
        return "In the matches was no position that needs this rule alone."
    if needed:
        return f"Only {counted(needed, 'kind')} of position {verb} this rule."
    return "No position needs this rule alone: without it the others give nothing away."
