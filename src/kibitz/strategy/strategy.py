"""Strategy: a text in the strategy language, read for a game; asked at a state, or on a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.engine import Game, Move, Role, State
from kibitz.errors import Diagnostic, InputError, Source, StrategyError
from kibitz.gdl import Function
from kibitz.space import StateId, StateSpace
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import columns_of, unfold
from kibitz.strategy.evaluation.literal_rules import are_literal, decide_natively
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.evaluation.rule_images import Choices, image_carriers, join_images
from kibitz.strategy.evaluation.validity import Evaluator
from kibitz.strategy.syntax.meaning import RuleLine, read_meaning
from kibitz.strategy.syntax.printer import write_rule
from kibitz.strategy.syntax.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from kibitz.strategy.evaluation.one_state import History


SYMMETRIES = ("any", "first", "none")


@dataclass(frozen=True, slots=True)
class StrategyRule:
    """A rule of a rule list: where the condition holds, one of the moves is played.

    A rule with variables has several `choices`, conditions each with its own moves; `condition` and
    `moves` then combine them all. A locked rule belongs to a block, whose name it has. `text` is
    the rule as written, and `atoms` how many atoms its condition has there. Among the moves that it
    allows, those are played that `preferences` choose.
    """

    choices: Choices
    name: str = ""
    is_locked: bool = False
    text: str = field(default="", compare=False)
    atoms: int = field(default=0, compare=False)
    preferences: tuple[tree.Preference, ...] = ()

    @property
    def condition(self) -> tree.Formula:
        """Where the rule applies, if its move is legal."""
        return tree.disjunction(condition for condition, _ in self.choices)

    @property
    def is_for_any_move(self) -> bool:
        """Whether a choice of it allows any move."""
        return any(isinstance(moves, tree.AllMoves) for _, moves in self.choices)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that the rule may lead to; none are known of a game that is not compiled."""
        return tuple(dict.fromkeys(move for _, moves in self.choices for move in moves))


@dataclass(frozen=True)
class Strategy:
    """A strategy for every role that its text can be read for.

    `plans` has the meaning of the text for each of these roles, without the images of rules under
    symmetries; `rules` are its rules if it is a rule list.
    """

    game: Game = field(repr=False, compare=False)
    source: Source = field(compare=False)
    symmetry: str
    plans: tuple[tuple[Role, tree.Plan], ...] = field(repr=False)
    lines: tuple[tuple[Role, tuple[RuleLine, ...]], ...] = field(repr=False)
    settings: tuple[str, ...] = field(default=(), compare=False, repr=False)
    failures: tuple[StrategyError, ...] = field(default=(), compare=False, repr=False)

    @property
    def text(self) -> str:
        """The text that was read."""
        return self.source.text

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.source.name

    @property
    def is_list(self) -> bool:
        """Whether it is a rule list, perhaps without rules."""
        return bool(self.lines)

    @property
    def rules(self) -> tuple[StrategyRule, ...]:
        """The rules, first to last; none if it is not a rule list."""
        for _, lines in self.lines:
            return _rules(lines)
        return ()

    def rules_for(self, role: Role) -> tuple[StrategyRule, ...]:
        """Return the rules for one role."""
        return _rules(dict(self.lines).get(role, ()))

    def is_literal(self, role: Role) -> bool:
        """Return whether it is a rule list of literals, each rule with one move."""
        rules = self.rules_for(role)
        is_plain = self.is_list and not any(rule.preferences for rule in rules)
        return is_plain and are_literal(rule.choices for rule in rules)

    def first(self, rules: int) -> Strategy:
        """Return the rule list of the first rules alone."""
        lines = tuple((role, known[:rules]) for role, known in self.lines)
        return replace(self, lines=lines)

    def with_symmetry(self, symmetry: str | None) -> Strategy:
        """Return the rule list with another reading of symmetry; None keeps the present one."""
        if symmetry is None or symmetry == self.symmetry:
            return self
        if symmetry not in SYMMETRIES:
            raise InputError(f"no symmetry {symmetry}", hint=f"one of {' '.join(SYMMETRIES)}")
        if not self.lines and symmetry != "none":
            raise InputError(f"{self.name} is not a rule list, so symmetry cannot be {symmetry}")
        return replace(self, symmetry=symmetry)

    def _plain(self, role: Role) -> tree.Plan:
        """Return its meaning for a role, without the images of rules."""
        self.game.check_role(role)
        plans = dict(self.plans)
        if role not in plans:
            raise self.failures[0]
        return plans[role]

    def parts(self, role: Role) -> tuple[tree.Plan, ...]:
        """Return the plans that `else` joins at the top, one for each rule if it is a rule list."""
        kept: dict[Role, tuple[tree.Plan, ...]] = vars(self).setdefault("_parts", {})
        if role not in kept:
            plan = self._plain(role)
            if self.lines:
                kept[role] = tuple(
                    join_images(rule.choices, self.game, role, self.symmetry, rule.preferences)
                    for rule in self.rules_for(role)
                )
            else:
                kept[role] = plan.parts if isinstance(plan, tree.Else) else (plan,)
        return kept[role]

    def plan(self, role: Role) -> tree.Plan:
        """Return its meaning for a role, with the images of rules under symmetries."""
        parts = self.parts(role)
        return parts[0] if len(parts) == 1 else tree.Else(parts)

    def moves(self, state: State, role: Role, *, history: History = ()) -> tuple[Move, ...]:
        """Return the moves it allows a role in a state, looking ahead through the state's engine.

        `history` has the states before this one with the joint moves made in them, the last one
        last; only strategies that refer to the past need it.

        >>> from kibitz.engine.compiled.game import CompiledGame
        >>> from kibitz.games import load_sheet
        >>> game = CompiledGame(load_sheet("tictactoe"))
        >>> corner = read_strategy("true => (mark 1 1)", game)
        >>> [str(move) for move in corner.moves(game.initial(), "xplayer")]
        ['(mark 1 1)', '(mark 1 3)', '(mark 3 1)', '(mark 3 3)']
        """
        from kibitz.strategy.evaluation.one_state import moves_at

        return moves_at(self.plan(role), state, role, history)

    def on(self, space: StateSpace, role: Role) -> MoveSet:
        """Return the moves it allows a role in all states of a space.

        >>> from kibitz.engine.compiled.game import CompiledGame
        >>> from kibitz.games import load_sheet
        >>> from kibitz.space import explore
        >>> game = CompiledGame(load_sheet("tictactoe"))
        >>> len(read_strategy("true => (mark 2 2)", game).on(explore(game), "xplayer"))
        999
        """
        return self.decide(space, role).moves

    def decide(self, space: StateSpace, role: Role) -> Decisions:
        """Return the moves it allows on a space, and which rule or subplan decides in each state.

        If it refers to the past, both are on a space unfolded as far as needed.
        """
        formulas = list(tree.plan_formulas(self._plain(role)))
        is_symmetric = (
            self.lines and self.symmetry == "any" and all(map(tree.is_timeless, formulas))
        )
        if not is_symmetric:
            space.require_all_states(
                f"{self.name}, which may choose differently in symmetric states,"
            )
        space = unfold(space, max(map(tree.past_depth, formulas), default=0))
        columns = columns_of(space)
        if self.lines and self.is_literal(role):
            rules = tuple(rule.choices for rule in self.rules_for(role))
            is_alone = self.symmetry == "none" or not rules  # then there are no images to look for
            if is_alone or image_carriers(self.game)[0].is_identity:
                symmetry = "none" if is_alone else self.symmetry
                chosen, decider = decide_natively(rules, columns, role, symmetry)
                return Decisions(MoveSet(space, role, chosen), decider)
        evaluator = Evaluator(columns, role)
        parts = self.parts(role)
        for part in parts:
            for formula in tree.plan_formulas(part):
                evaluator.prepare(formula)
        chosen = np.zeros(space.edges, dtype=bool)
        decider = np.full(len(space), -1, dtype=np.int32)
        states = np.flatnonzero(columns.to_move(role))
        for number, part in enumerate(parts):
            if not len(states):
                break
            edges, allowed = evaluator.plan(part, states)
            chosen[edges[allowed]] = True
            done = np.zeros(len(space), dtype=bool)
            done[columns.source[edges[allowed]]] = True
            decider[done] = number
            states = states[~done[states]]
        return Decisions(MoveSet(space, role, chosen), decider)

    def _repr_svg_(self) -> str:
        """Draw its rules in a notebook."""
        from kibitz.board import to_svg
        from kibitz.strategy.pictures import draw_rules

        return to_svg(draw_rules(self))

    def _repr_html_(self) -> str:
        """Show its rules in a notebook."""
        from kibitz.strategy.pictures import html_of

        return html_of(self)


def _rules(lines: tuple[RuleLine, ...]) -> tuple[StrategyRule, ...]:
    return tuple(
        StrategyRule(
            line.choices, line.block, bool(line.block), line.text, line.atoms, line.preferences
        )
        for line in lines
    )


@dataclass(frozen=True)
class Decisions:
    """A MoveSet, and for each state the rule or subplan that decides there; -1 for none."""

    moves: MoveSet
    decider: npt.NDArray[np.int32]

    def arrays_on(self, space: StateSpace) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32]]:
        """Return edges chosen and deciders without the space, to cross process borders.

        Nothing is chosen and no rule decides where the past matters, as the states of a space that
        was not unfolded then are too few.
        """
        if self.moves.space is not space:
            return np.zeros(space.edges, dtype=bool), np.zeros(0, dtype=np.int32)
        return self.moves.chosen, self.decider

    def at(self, state: StateId) -> tuple[int, tuple[Move, ...]]:
        """Return the number of what decides in a state, -1 for none, and the moves."""
        if not len(self.decider):
            return -1, ()
        return int(self.decider[state]), tuple(self.moves.moves(state))


def read_strategy(
    text: str, game: Game, *, name: str = "strategy", part: str | None = None
) -> Strategy:
    """Read a strategy for a game; raise StrategyError where the text has an error.

    With `part`, read what the text defines by that name instead of the whole; a parameter is the
    role.

    A text that can be read for one role and not for another, whose moves have other names, is
    valid; the error is raised when it is used for the other role.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(read_strategy("cell(1,1,x) => mark(2,2)", game).rules)
    1
    >>> read_strategy("cell(1,1,x) => mark(2,4)", game)
    Traceback (most recent call last):
    kibitz.errors.StrategyError: strategy:1:16: STR002: xplayer has no move (mark 2 4)
       1 | cell(1,1,x) => mark(2,4)
         |                ^^^^^^^^^
      hint: did you mean (mark 2 3) or (mark 2 2) or (mark 2 1)?
    """
    from kibitz.strategy.syntax.grammar import parse

    source = Source(name, text.replace("\r\n", "\n").removeprefix("\ufeff"))
    root = parse(source)
    words = vocabulary_of(game)
    plans: list[tuple[Role, tree.Plan]] = []
    lines: list[tuple[Role, tuple[RuleLine, ...]]] = []
    failures: list[StrategyError] = []
    symmetry: str | None = None
    settings: tuple[str, ...] = ()
    for role in game.roles:
        try:
            meaning = read_meaning(root, source, words, role, part)
        except StrategyError as error:
            failures.append(error)
            continue
        plans.append((role, meaning.plan))
        symmetry, settings = meaning.symmetry, meaning.settings
        if meaning.lines is not None:
            lines.append((role, meaning.lines))
        elif symmetry not in (None, "none"):
            raise StrategyError(
                source,
                Diagnostic.error(
                    "STR008",
                    "symmetric is for rule lists, and this is not one",
                    meaning.symmetry_place,
                    "remove it, or write the strategy as rules, one per line",
                ),
            )
    if not plans:
        raise failures[0]
    symmetry = symmetry or ("any" if lines else "none")
    return Strategy(game, source, symmetry, tuple(plans), tuple(lines), settings, tuple(failures))


def rule_list(
    rules: Sequence[tuple[Sequence[tuple[Function, bool]], Sequence[Move]]],
    *,
    game: Game,
    symmetry: str = "any",
    name: str = "strategy",
) -> Strategy:
    """Make a rule list of literals and moves; its text, read again, gives an equal strategy.

    A literal is a fluent and whether it holds.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> cell, move = parse_terms("(cell 1 1 x) (mark 3 3)")
    >>> print(rule_list([([(cell, False)], [move]), ([], [move])], game=game).text, end="")
    not (cell 1 1 x) => (mark 3 3)
    true => (mark 3 3)
    """
    if symmetry not in SYMMETRIES:
        raise InputError(f"no symmetry {symmetry}", hint=f"one of {' '.join(SYMMETRIES)}")
    header = "" if symmetry == "any" else f"symmetric {symmetry}\n"
    texts: list[str] = []
    made: list[Choices] = []
    for literals, moves in rules:
        parts = [
            tree.Holds(fluent) if sign else tree.negation(tree.Holds(fluent))
            for fluent, sign in literals
        ]
        made.append(((tree.conjunction(parts), tuple(dict.fromkeys(moves))),))
        texts.append(write_rule(made[-1]))
    text = header + "".join(f"{line}\n" for line in texts)
    return read_strategy(text, game, name=name)
