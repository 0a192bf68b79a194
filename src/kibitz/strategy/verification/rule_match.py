"""A rule and a state in; out what the rule speaks of there, or what keeps it from applying."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.engine import Move, Role, State
from kibitz.gdl import Function
from kibitz.strategy.evaluation.rule_images import images
from kibitz.strategy.pictures import literals_of
from kibitz.strategy.strategy import StrategyRule

__all__ = ["RuleMatch", "match_rule"]

_MOST_CHOICES = 16


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Fluents and legal moves of the images of a rule that apply.

    Where none does, `failing` are the fluents, and `blocked` the moves, that keep the image from
    applying that lacks least.
    """

    fluents: tuple[Function, ...] = ()
    moves: tuple[Move, ...] = ()
    failing: tuple[Function, ...] = ()
    blocked: tuple[Move, ...] = ()


def match_rule(rule: StrategyRule, state: State, role: Role) -> RuleMatch | None:
    """Match all images of a rule; None where they are too many, or not all literals and moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> (rule,) = read_strategy("cell(1,1,x) => mark(2,2)", game).rules_for("oplayer")
    >>> match = match_rule(rule, game.initial(), "oplayer")
    >>> list(map(str, match.failing)), list(map(str, match.blocked))
    (['(cell 1 1 x)'], ['(mark 2 2)'])
    """
    if len(rule.choices) > _MOST_CHOICES or rule.preferences:
        return None
    holding = frozenset(state.fluents)
    legal = frozenset(state.legal(role))
    fluents: list[Function] = []
    applied: list[Move] = []
    lacking: list[tuple[int, list[Function], list[Move]]] = []
    for image in images(rule.choices, state.game, role):
        for condition, moves in image:
            literals = literals_of(condition)
            if literals is None:
                return None
            failing = [fluent for fluent, sign in literals if (fluent in holding) != sign]
            blocked = [move for move in moves if move not in legal]
            if len(blocked) < len(moves):
                blocked = []
            if not failing and not blocked:
                fluents += [fluent for fluent, _ in literals]
                applied += [move for move in moves if move in legal]
            lacking.append((len(failing) + bool(blocked), failing, blocked))
    if applied or not lacking:
        return RuleMatch(tuple(dict.fromkeys(fluents)), tuple(dict.fromkeys(applied)))
    _, failing, blocked = min(lacking, key=lambda found: found[0])
    return RuleMatch(failing=tuple(failing), blocked=tuple(blocked))
