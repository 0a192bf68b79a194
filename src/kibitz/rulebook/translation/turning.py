"""Sentences about pieces that change hands or are pushed in, rules for them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.translation.problems import RulesProblem

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves


def enclosed_pieces_turn(moves: Moves, sentence: m.TurnOver) -> None:
    """Write that a placed piece turns over lines of opposing pieces that end at an own one."""
    t, sheet = moves.t, moves.sheet
    one, two = t.at(1), t.at(2)
    ways = _ways(moves, sentence)
    first = [f"(arrives ?player {one})", "(turning ?way)", t.step("?way", one, two, ways)]
    sheet.rule(f"(turns ?player ?way {two})", first, f"(bounded ?player ?way {two})")
    sheet.rule(
        f"(turns ?player ?way {two})",
        f"(turns ?player ?way {one})",
        f"(step ?way {one} {two})",
        f"(bounded ?player ?way {two})",
    )
    sheet.rule(f"(becomes {one} ?player)", f"(turns ?player ?way {one})")


def outflanking(moves: Moves, cell: str, who: str, sentence: m.Sentence) -> str:
    """Return the condition that a piece placed on a cell turns over another."""
    t, sheet = moves.t, moves.sheet
    one, two = t.at(1), t.at(2)
    ways = _ways(moves, sentence)

    def write() -> None:
        sheet.rule(
            f"(outflanks ?player {one})",
            "(turning ?way)",
            t.step("?way", one, two, ways),
            f"(bounded ?player ?way {two})",
        )

    moves.effect("outflanks", write)
    return f"(outflanks {who} {cell})"


def _ways(moves: Moves, sentence: m.Sentence) -> list[str]:
    """Write which pieces have an own one behind others in a direction; return the directions."""
    t, sheet = moves.t, moves.sheet
    if not t.is_plain:
        raise RulesProblem("ENG005", "only one kind of piece can be turned over", sentence)
    one, two = t.at(1), t.at(2)
    ways = list(t.board.heads(("in any direction",), 0, sentence))

    def write() -> None:
        opposing = t.holds(one, OPPONENT, "piece", "?player")
        step = ["(turning ?way)", t.step("?way", one, two, ways)]
        own = t.holds(two, YOU, "piece", "?player")
        head = f"(bounded ?player ?way {one})"
        sheet.rule(head, "(role ?player)", opposing, step, own)
        sheet.rule(head, "(role ?player)", opposing, step, f"(bounded ?player ?way {two})")
        t.later(*(f"(turning {way})" for way in ways))

    moves.effect("bounded", write)
    return ways


def flip(moves: Moves, rule: m.MoveRule, move: m.Flip) -> None:
    """Write the move that makes one piece of the opponent an own one."""
    t, who = moves.t, moves.t.who(rule.player)
    cell = t.at(1)
    if not t.is_plain:
        raise RulesProblem("ENG005", "only one kind of piece can be turned over", rule)
    body = list(t.holds(cell, OPPONENT, "piece", who))
    if move.near is not None:
        body.append(moves.near(move.near, cell, who, rule))
    moves.allow(rule, f"(flip {cell})", body)
    moves.effect(
        "flip",
        lambda: moves.sheet.rule(f"(becomes {cell} ?player)", f"(does ?player (flip {cell}))"),
    )


def push(moves: Moves, rule: m.MoveRule, move: m.Push) -> None:
    """Write the move of a piece onto a neighbour, which goes one step on."""
    t, who = moves.t, moves.t.who(rule.player)
    one, two, three = t.at(1), t.at(2), t.at(3)
    heads = moves.heading(rule, move.directions, one, two, who)
    way = heads[-1].split()[1]
    own = t.holds(one, YOU, move.kind, who)
    pushed = t.holds(two, move.other.owner, move.other.kind, who)
    on = f"(step {way} {two} {three})"
    action = f"(push {one} {two})"
    moves.allow(rule, action, own, heads, pushed, on, t.empty(three))
    if move.off:
        moves.allow(rule, action, own, heads, pushed, f"(not (goes_on {way} {two}))")

    def pushes() -> None:
        does = f"(does ?player {action})"
        moves.sheet.rule(f"(becomes {one} b)", does)
        moves.sheet.rule(f"(becomes {two} ?piece)", does, f"(true (cell {one} ?piece))")
        moves.sheet.rule(
            f"(becomes {three} ?piece)",
            does,
            f"(true (cell {two} ?piece))",
            f"(step ?way {one} {two})",
            f"(step ?way {two} {three})",
        )
        if move.off:
            moves.sheet.rule(f"(goes_on ?way {one})", f"(step ?way {one} {two})")

    moves.effect("push", pushes)


def clashes(moves: Moves, action: str) -> str:
    """Return the condition that nobody else places a piece on the same cell at once."""
    cell = moves.t.at()
    moves.sheet.rule(
        f"(clash {cell})",
        f"(does ?player {action})",
        f"(does ?other {action})",
        "(distinct ?player ?other)",
    )
    return f"(not (clash {cell}))"
