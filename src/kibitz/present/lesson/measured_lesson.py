"""Make a lesson from measured rules: positions of matches in which a rule decides.

Where a search proves what every move gives, the right moves are those that keep the value; where it
does not, the question is which move the rule asks for.
"""

from __future__ import annotations

import random

import numpy as np

from kibitz.cache import digest_of
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.policy import Policy, RandomPolicy, compile_strategy, play_matches
from kibitz.present.explanation.explanation import Explanation
from kibitz.present.explanation.measured_advice import Decision, MeasuredAdvice
from kibitz.present.lesson.lesson import (
    EXERCISES,
    MATCHES,
    REVISION,
    Exercise,
    Lesson,
    LessonStep,
    kind_of,
    show_exercise,
)
from kibitz.prove import Analyser
from kibitz.strategy import Strategy, read_strategy

_LOOKED_AT = 12
"""Positions for each rule that are searched."""
_SEARCHED, _SEARCH_S, _MEMORY = 50_000, 5.0, 100_000_000


def measured_lesson(
    game: CompiledGame,
    explanation: Explanation,
    measured: MeasuredAdvice,
    role: Role,
    *,
    seed: int = 0,
) -> Lesson:
    """Make a lesson for a role of rules that were found by matches, in the order of the list."""
    advice = measured.advice
    chooser = _Chooser(game, role, measured)
    strategy = read_strategy(advice.strategy, game)
    means = [
        _mean_against_random(game, role, strategy.first(count) if count else None)
        for count in range(len(advice.rules) + 1)
    ]
    steps: list[LessonStep] = []
    left: list[Exercise] = []
    for rule, (told, mean) in enumerate(zip(advice.rules, means[1:], strict=True), start=1):
        found = chooser.exercises(rule)
        left += found[EXERCISES:]
        steps.append(LessonStep(rule, told, mean, None, tuple(found[:EXERCISES])))
    random.Random(seed).shuffle(left)
    return Lesson(
        explanation.game,
        explanation.title,
        role,
        explanation.story,
        (*explanation.worth, advice.worth),
        explanation.svg,
        advice,
        (means[0], None),
        tuple(steps),
        tuple(left[:REVISION]),
        digest_of([explanation.game, advice.strategy])[:16],
    )


def _mean_against_random(game: CompiledGame, role: Role, strategy: Strategy | None) -> float:
    """Return the mean of matches against random play, by a list or at random."""
    mine: Policy = compile_strategy(strategy, role) if strategy else RandomPolicy()
    goals = play_matches(game, {role: mine}, MATCHES, seed=1, threads=1).of(role)
    return float(np.where(np.isnan(goals), 50.0, goals).mean())


class _Chooser:
    """Chooses exercises among the positions of matches, no two of which are images."""

    def __init__(self, game: CompiledGame, role: Role, measured: MeasuredAdvice) -> None:
        self.game, self.role = game, role
        self.decisions = [
            one for match in measured.matches if match.role == role for one in match.decisions
        ]
        self.used: set[object] = set()
        self.analyser: Analyser | None = None
        try:
            self.analyser = Analyser(game, memory=_MEMORY, threads=1)
        except KibitzError:  # such as more than two roles
            return

    def exercises(self, rule: int) -> list[Exercise]:
        """Return positions that need a rule, those with proved answers first.

        Where none does, they are those in which the rule decides and leaves some moves out. A
        position in which the rule's move is proved to be a mistake is left out.
        """
        decided = sorted(
            (one for one in self.decisions if one.rule == rule),
            key=lambda one: (len(one.allowed), -one.ply),
        )
        needed = [one for one in decided if one.is_needed]
        return self._shown(needed, _LOOKED_AT, are_needed=True) or self._shown(
            decided, EXERCISES, are_needed=False
        )

    def _shown(self, decisions: list[Decision], most: int, *, are_needed: bool) -> list[Exercise]:
        proved: list[Exercise] = []
        others: list[Exercise] = []
        for one in decisions:
            if len(proved) + len(others) >= most:
                break
            state = State(self.game, one.key)
            kind, legal = kind_of(state), set(state.legal(self.role))
            if kind in self.used or set(one.allowed) == legal:
                continue
            right = self._right_moves(state)
            if right is None or (right == legal and not are_needed):
                found, group = one.allowed, others
            elif set(one.allowed) <= right and not (are_needed and set(one.otherwise) <= right):
                found, group = tuple(right), proved
            else:
                continue
            self.used.add(kind)
            group.append(
                self._show(state, one, found, is_proved=group is proved, is_needed=are_needed)
            )
        return [*proved, *others]

    def _right_moves(self, state: State) -> set[Move] | None:
        """Return the moves that keep the value of a position, if a search proves all of them."""
        if self.analyser is None:
            return None
        try:
            *_, last = self.analyser.analyse(state, seconds=_SEARCH_S, positions=_SEARCHED)
        except KibitzError:
            return None
        value, most = last.bounds[self.role]
        if value != most:
            return None
        right = {one.move for one in last.moves if one.bounds[self.role][0] >= value}
        wrong = {one.move for one in last.moves if one.bounds[self.role][1] < value}
        return right if len(right) + len(wrong) == len(last.moves) else None

    def _show(
        self,
        state: State,
        one: Decision,
        right: tuple[Move, ...],
        *,
        is_proved: bool,
        is_needed: bool,
    ) -> Exercise:
        choices = []
        for move in state.legal(self.role):
            joint = [move if r == self.role else state.legal(r)[0] for r in self.game.roles]
            choices.append((joint, move in right, move in one.allowed))
        return show_exercise(
            state, self.role, one.rule, choices, is_proved=is_proved, is_needed=is_needed
        )
