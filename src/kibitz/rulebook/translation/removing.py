"""Sentences about removing and switching pieces in, rules for them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import ANYONE
from kibitz.rulebook.translation.problems import RulesProblem

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves


def remove(moves: Moves, rule: m.MoveRule, move: m.Remove) -> None:
    """Write the move that takes a piece off the board."""
    cell = moves.t.at()
    held = moves.t.holds(cell, move.piece.owner, move.piece.kind, moves.t.who(rule.player))
    moves.allow(rule, f"(remove {cell})", held)
    moves.effect("remove", lambda: moves.vanishes("remove"))


def remove_pair(moves: Moves, rule: m.MoveRule, move: m.RemovePair) -> None:
    """Write the move that takes two neighbours off the board."""
    t = moves.t
    one, two = t.at(1), t.at(2)
    held = [
        *t.holds(one, ANYONE, move.kind, t.who(rule.player)),
        *t.holds(two, ANYONE, move.kind, t.who(rule.player)),
    ]
    hexagonal = isinstance(t.board.board, m.Grid) and t.board.board.shape == "hexagon"
    for way in t.board.line_ways("line" if hexagonal else "straight", rule):
        beside = t.step(way, one, two, [way])
        moves.allow(rule, f"(remove_two {one} {two})", beside, held)

    def removes() -> None:
        does = f"(does ?player (remove_two {one} {two}))"
        moves.sheet.rule(f"(becomes {one} b)", does)
        moves.sheet.rule(f"(becomes {two} b)", does)

    moves.effect("pair", removes)


def bite(moves: Moves, rule: m.MoveRule, move: m.Bite) -> None:
    """Write the move that removes all above and to the right."""
    t = moves.t
    if not t.board.is_grid:
        raise RulesProblem("ENG005", "only a grid has cells above and to the right", rule)
    held = t.holds("?x ?y", ANYONE, move.kind, t.who(rule.player))
    moves.allow(rule, "(bite ?x ?y)", held)

    def bites() -> None:
        north = t.step("north", "?x1 ?y1", "?x1 ?y", ["north"])
        east = t.step("east", "?x1 ?y1", "?x ?y1", ["east"])
        moves.sheet.rule("(bitten ?x ?y)", "(does ?player (bite ?x ?y))")
        moves.sheet.rule("(bitten ?x1 ?y)", "(bitten ?x1 ?y1)", north)
        moves.sheet.rule("(bitten ?x ?y1)", "(bitten ?x1 ?y1)", east)
        moves.sheet.rule("(becomes ?x ?y b)", "(bitten ?x ?y)")

    moves.effect("bite", bites)


def switch(moves: Moves, rule: m.MoveRule, move: m.Switch) -> None:
    """Write the move that turns a cell, and its neighbours, on or off."""
    t = moves.t
    cell, other = t.at(1), t.at(2)
    t.use_places()
    moves.allow(rule, f"(switch {cell})", f"(square {cell})")

    def switches() -> None:
        moves.sheet.rule(f"(switched {cell})", f"(does ?player (switch {cell}))")
        if move.neighbours:
            beside = t.adjacent(cell, other, rule)
            moves.sheet.rule(f"(switched {other})", f"(does ?player (switch {cell}))", beside)
        moves.sheet.rule(f"(becomes {cell} {move.kind})", f"(switched {cell})", t.empty(cell))
        moves.sheet.rule(
            f"(becomes {cell} b)", f"(switched {cell})", f"(true (cell {cell} {move.kind}))"
        )

    moves.effect("switch", switches)
