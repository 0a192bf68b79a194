"""Rule lists of literals on large spaces: images of rules as lists of columns for native loops.

A fluent that a network hides holds where none of some others does; so a literal says that one of
some bits is set, or that none is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct, vectors
from kibitz.engine import Move, Role
from kibitz.gdl import Function
from kibitz.space import graph_of
from kibitz.strategy.evaluation.columns import Bools, Columns
from kibitz.strategy.evaluation.rule_images import Choices, elements_of, symmetries_of
from kibitz.strategy.tree import And, Const, Formula, Holds, Not

Decider = npt.NDArray[np.int32]


def are_literal(rules: Iterable[Choices]) -> bool:
    """Return whether rules have one choice each, of fluents and their negations, and one move."""
    return all(
        len(rule) == 1
        and len(rule[0][1]) == 1
        and all(_is_literal(part) for part in _parts(rule[0][0]))
        for rule in rules
    )


def _is_literal(part: Formula) -> bool:
    return isinstance(part.formula if isinstance(part, Not) else part, Holds | Const)


def _parts(condition: Formula) -> tuple[Formula, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


def decide_natively(
    rules: tuple[Choices, ...], columns: Columns, role: Role, symmetry: str
) -> tuple[Bools, Decider]:
    """Return the edges that a rule list chooses, and the rule that decides in each state."""
    space = columns.space
    program = _Program(columns, role, symmetry)
    for rule in rules:
        ((condition, (move,)),) = rule
        program.add(condition, move)
    chosen = np.zeros(space.edges, dtype=np.bool_)
    decider = np.full(len(space), -1, dtype=np.int32)
    column_ptr, column_bits = program.columns()
    moves, literals = len(program.moves), len(column_ptr) - 1

    def numbers(values: Sequence[int]) -> npt.NDArray[np.int64]:
        return np.array(values, dtype=np.int64)

    run = Struct(
        "rules", states=space.states, words=space.states.shape[1],
        edge_move=columns.move_number(role)[space.action].astype(np.int64),
        is_turn=columns.to_move(role), moves=moves, column_ptr=column_ptr, column_count=literals,
        column_bits=column_bits, literal_ptr=numbers(program.literal_ptr),
        literals=numbers(program.literals), image_move=numbers(program.image_move),
        group_ptr=numbers(program.group_ptr), groups=len(program.group_rule),
        group_rule=numbers(program.group_rule), chosen=chosen, decider=decider,
        square=vectors(64), columns=vectors(2 * literals), legal=vectors(moves),
        found=vectors(moves),
    )  # fmt: skip
    core.function("rules_decide")(graph_of(space), run)
    return chosen, decider


class _Program:
    """Images of rules in groups; with symmetry *first*, every image is a separate group."""

    def __init__(self, columns: Columns, role: Role, symmetry: str) -> None:
        game = columns.game
        self.symmetry = symmetry
        self.network = game.network
        index = game.roles.index(role)
        self.moves = {move: i for i, move in enumerate(self.network.moves[index])}
        names = [*self.network.fluents, *(hidden.fluent for hidden in self.network.hidden)]
        self.fluents = {fluent: i for i, fluent in enumerate(names)}
        self.literal_ptr = [0]
        self.literals: list[int] = []
        self.image_move: list[int] = []
        self.group_ptr = [0]
        self.group_rule: list[int] = []
        self.rule = 0
        if symmetry == "none":
            self.carried = np.arange(len(names))[None, :]
            self.carried_moves = np.arange(len(self.moves))[None, :]
        else:
            found = symmetries_of(game)
            where = np.array([self.fluents[f] for f in found.fluents])
            elements = elements_of(game)
            images = where[np.array([e.fluents for e in elements], dtype=np.int64)]
            self.carried = np.empty_like(images)
            self.carried[:, where] = images
            self.carried_moves = np.array([e.moves[index] for e in elements])

    def add(self, condition: Formula, move: Move) -> None:
        """Add a rule with its images, each once."""
        signed: list[tuple[Function, bool]] = []
        holds = True
        for part in _parts(condition):
            inner, sign = (part.formula, False) if isinstance(part, Not) else (part, True)
            if isinstance(inner, Const):
                holds &= inner.value is sign
            elif isinstance(inner, Holds):
                if inner.fluent in self.fluents:
                    signed.append((inner.fluent, sign))
                else:
                    holds &= not sign
        if holds:
            self.add_images(signed, move)
        self.rule += 1

    def add_images(self, signed: list[tuple[Function, bool]], move: Move) -> None:
        numbers = [self.fluents[fluent] for fluent, _ in signed]
        signs = np.array([0 if sign else 1 for _, sign in signed], dtype=np.int64)
        # A hidden fluent holds where its bits are clear.
        is_hidden = np.arange(len(self.fluents)) >= len(self.network.fluents)
        carried = self.carried[:, numbers]
        literals = np.sort(2 * carried + (signs ^ is_hidden[carried]), axis=1)
        made = self.carried_moves[:, self.moves[move]]
        rows = dict.fromkeys(zip(map(tuple, literals.tolist()), made.tolist(), strict=True))
        for row, image_move in rows:
            self.literals += row
            self.literal_ptr.append(len(self.literals))
            self.image_move.append(image_move)
            if self.symmetry == "first":
                self.close_group()
        if self.symmetry != "first":
            self.close_group()

    def close_group(self) -> None:
        self.group_ptr.append(len(self.image_move))
        self.group_rule.append(self.rule)

    def columns(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the bits of each fluent: its own, or those that must be clear if it is hidden."""
        bits = [(i,) for i in range(len(self.network.fluents))]
        groups = [*bits, *(hidden.unless for hidden in self.network.hidden)]
        sizes = [len(group) for group in groups]
        flat = [bit for group in groups for bit in group]
        return np.cumsum([0, *sizes]), np.array(flat, dtype=np.int64)
