"""Sentences about placing pieces in, rules for what is legal and what changes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import YOU
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.turning import clashes, outflanking

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves


def put(moves: Moves, rule: m.MoveRule, move: m.Put) -> None:
    """Write the move that places a piece on an empty cell."""
    t, who = moves.t, moves.t.who(rule.player)
    cell = t.at()
    body = [t.empty(cell)]
    if move.cell.region is not None:
        region = move.cell.region
        name = f"place_for_{move.kind}" if len(moves.placed) > 1 else "place_allowed"
        body.append(t.region(name, lambda number: t.board.region(region, number, rule), cell, who))
    if move.cell.near is not None:
        body.append(moves.near(move.cell.near, cell, who, rule))
    must_turn = t.rules.one(m.MustTurnOver)
    if must_turn is not None:
        body.append(outflanking(moves, cell, who, must_turn))
    if t.is_simultaneous and t.rules.one(m.Clash) is None:
        hint = 'write such as "If players choose the same cell, it stays empty."'
        message = "it is not said what happens if players choose the same cell"
        raise RulesProblem("ENG002", message, rule, hint)
    action = f"(place {cell}{_kind(moves, move.kind)})"
    _placing(moves, rule, action, body, move.kind)
    moves.effect(f"put {move.kind}", lambda: _lands(moves, move.kind, action, []))


def drop(moves: Moves, rule: m.MoveRule, move: m.Drop) -> None:
    """Write the move that lets a piece fall down a column."""
    t = moves.t
    if not t.board.is_grid:
        raise RulesProblem("ENG005", "only a grid has columns to drop pieces into", rule)
    action = f"(drop ?x{_kind(moves, move.kind)})"
    _placing(moves, rule, action, ["(lands ?x ?y)"], move.kind)

    def lands() -> None:
        below = t.step("north", "?x ?y1", "?x ?y", ["north"])
        moves.sheet.rule("(lands ?x ?y)", "(true (cell ?x ?y b))", "(not (above_empty ?x ?y))")
        moves.sheet.rule("(above_empty ?x ?y)", below, "(true (cell ?x ?y1 b))")
        _lands(moves, move.kind, action, ["(lands ?x ?y)"])

    moves.effect(f"drop {move.kind}", lands)


def put_low(moves: Moves, rule: m.MoveRule, move: m.PutLow) -> None:
    """Write the move that places a piece on one of the lowest empty cells of a column."""
    t = moves.t
    if not t.board.is_grid or t.rules.all(m.Missing):
        raise RulesProblem("ENG005", "only a whole grid has columns with lowest cells", rule)
    if not 1 <= move.count <= 20:
        raise RulesProblem("ENG004", "1 to 20 lowest cells are counted", rule)
    action = f"(place ?x ?y{_kind(moves, move.kind)})"
    reach = f"within_{move.count}"
    _placing(moves, rule, action, [t.empty("?x ?y"), f"({reach} ?x ?y ?beneath)"], move.kind)

    def counts() -> None:
        below = t.step("north", "?x ?y1", "?x ?y", ["north"])
        t.use_places()
        moves.sheet.rule(f"({reach} ?x 1 0)", "(square ?x 1)")
        before = f"({reach} ?x ?y1 ?n)"
        held = "(true (cell ?x ?y1 b))"
        moves.sheet.rule(f"({reach} ?x ?y ?n)", before, below, f"(not {held})")
        moves.sheet.rule(
            f"({reach} ?x ?y ?more)", before, below, held, f"(one_more_{move.count} ?n ?more)"
        )
        t.later(*(f"(one_more_{move.count} {n} {n + 1})" for n in range(move.count - 1)))
        _lands(moves, move.kind, action, [])

    moves.effect(f"put low {move.kind} {move.count}", counts)


def cover(moves: Moves, rule: m.MoveRule, move: m.Domino) -> None:
    """Write the move that covers two neighbours with a domino."""
    t = moves.t
    one, two = t.at(1), t.at(2)
    if "domino" not in t.neutral:
        t.neutral.append("domino")
    ways = {"any": ("east", "north"), "flat": ("east",), "upright": ("north",)}[move.way]
    if not t.board.is_grid:
        if move.way != "any":
            raise RulesProblem("ENG005", "only a grid has rows and columns", rule)
        ways = tuple(t.board.line_ways("line", rule))
    elif isinstance(t.board.board, m.Grid) and t.board.board.shape == "hexagon":
        ways = ("east", "north", "southeast")
    for way in ways:
        beside = t.step(way, one, two, [way])
        moves.allow(rule, f"(cover {one} {two})", t.empty(one), t.empty(two), beside)

    def covers() -> None:
        does = f"(does ?player (cover {one} {two}))"
        moves.sheet.rule(f"(becomes {one} domino)", does)
        moves.sheet.rule(f"(becomes {two} domino)", does)

    moves.effect("domino", covers)


def lay_domino(moves: Moves, rule: m.MoveRule, move: m.LayDomino) -> None:
    """Write the move that takes up the own two pieces and lays them elsewhere."""
    t, who = moves.t, moves.t.who(rule.player)
    one, two = t.at(1), t.at(2)
    own = [t.holds(cell, YOU, "piece", who) for cell in (one, two)]
    for way in t.board.line_ways("straight", rule) if t.board.is_grid else t.board.directions:
        beside = t.step(way, one, two, [way])
        action = f"(lay {one} {two})"
        moves.allow(rule, action, beside, t.empty(one), t.empty(two))
        moves.allow(rule, action, beside, own[0], t.empty(two))
        moves.allow(rule, action, beside, t.empty(one), own[1])

    def lays() -> None:
        does = f"(does ?player (lay {one} {two}))"
        if not t.is_plain:
            raise RulesProblem("ENG005", "a domino is made of one kind of piece", rule)
        moves.sheet.rule(f"(becomes {one} ?player)", does)
        moves.sheet.rule(f"(becomes {two} ?player)", does)
        moves.sheet.rule(f"(covered {one})", does)
        moves.sheet.rule(f"(covered {two})", does)
        moves.sheet.rule(
            f"(becomes {t.at(3)} b)",
            does,
            f"(true (cell {t.at(3)} ?player))",
            f"(not (covered {t.at(3)}))",
        )

    moves.effect("lay", lays)


def _placing(moves: Moves, rule: m.MoveRule, action: str, body: list[str], kind: str) -> None:
    t, who = moves.t, moves.t.who(rule.player)
    for role in t.each(rule.player):
        t.content(role, kind)
    hands = {hand.kind for hand in t.rules.all(m.Hand)}
    if not hands & {kind, "piece"} and not (hands and kind == "piece"):
        moves.allow(rule, action, body)
        return
    moves.allow(rule, action, f"(true ({t.hand(who, kind)} ?hand))", "(distinct ?hand 0)", body)
    places = "places ?player" if len(hands) == 1 else f"places ?player {kind}"
    moves.effect(
        f"{places} {action}", lambda: moves.sheet.rule(f"({places})", f"(does ?player {action})")
    )
    moves.effect("hand", lambda: _keep_hand(moves, len(hands) > 1))


def _keep_hand(moves: Moves, by_kind: bool) -> None:
    whose = "?player ?kind" if by_kind else "?player"
    held = f"(true (hand {whose} ?hand))"
    moves.sheet.rule(
        f"(next (hand {whose} ?less))", f"(places {whose})", held, "(succ ?less ?hand)"
    )
    moves.sheet.rule(f"(next (hand {whose} ?hand))", held, f"(not (places {whose}))")


def _lands(moves: Moves, kind: str, action: str, where: list[str]) -> None:
    """Write that a piece of a kind arrives at the cell of the variables without a number."""
    t = moves.t
    does = f"(does ?player {action})"
    cell = t.at()
    if t.is_simultaneous:
        where = [*where, clashes(moves, action)]
    if kind in t.neutral:
        moves.sheet.rule(f"(becomes {cell} {kind})", does, where)
    elif t.is_plain:
        moves.sheet.rule(f"(becomes {cell} ?player)", does, where)
    else:
        real = kind if kind != "piece" else next(k[0] for k in t.kinds.values() if k)
        moves.sheet.rule(f"(becomes {cell} ?piece)", does, where, f"(owns ?player {real} ?piece)")
    if t.rules.one(m.Enclose) or t.rules.one(m.TurnOver):
        moves.sheet.rule(f"(arrives ?player {cell})", does, where)


def _kind(moves: Moves, kind: str) -> str:
    return f" {kind}" if len(moves.placed) > 1 else ""
