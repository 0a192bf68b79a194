"""Sentences about the start in, the facts of the initial state out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import YOU
from kibitz.rulebook.translation.geometry import Cell
from kibitz.rulebook.translation.problems import RulesProblem

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


MAX_PILE = 40


def write_start(t: Translation) -> None:
    """Write who begins, what is on the board, in hands and in piles."""
    sheet, rules = t.sheet, t.rules
    sheet.section("The start.")
    if t.has_control:
        begins = t.single(m.Begins)
        first = t.role(begins.player) if begins else t.roles[0]
        sheet.fact(f"(init (control {first}))")
    elif (begins := rules.one(m.Begins)) is not None:
        t.role(begins.player)
    if t.geometry is not None and not rules.all(m.Pits):
        _cells(t)
    for hand in rules.all(m.Hand):
        if not 1 <= hand.count <= 60:
            raise RulesProblem("ENG004", "a hand has 1 to 60 pieces", hand)
        if hand.kind != "piece":
            t.known_kind(hand.kind)
        for role in t.each(hand.player):
            sheet.fact(f"(init ({t.hand(role, hand.kind)} {hand.count}))")
            t.later(*(f"(succ {n} {n + 1})" for n in range(hand.count)))
    piles = rules.one(m.Piles)
    if piles:
        if len(piles.sizes) > 20 or max(piles.sizes) > MAX_PILE:
            raise RulesProblem("ENG004", f"at most 20 piles of at most {MAX_PILE} counters", piles)
        sheet.fact(*(f"(init (heap {h} {n}))" for h, n in t.heaps()))


def _cells(t: Translation) -> None:
    filled: dict[Cell, str] = {}
    for start in t.rules.all(m.Start):
        for role in [""] if start.player == YOU else t.each(start.player):
            number = t.number(role) if role else 0
            cells = t.board.region(start.region, number, start)
            if start.count not in (None, len(cells)):
                message = f"{start.count} {start.kind}s are on {len(cells)} cells"
                hint = "name the cells, such as a1, b1 and c1"
                raise RulesProblem("ENG005", message, start, hint)
            for cell in cells:
                content = t.content(role, start.kind) if role else start.kind
                if filled.get(cell, content) != content:
                    name = t.board.name(cell)
                    raise RulesProblem("ENG005", f"two pieces start on {name}", start)
                filled[cell] = content
    for cell, content in filled.items():
        t.sheet.fact(f"(init (cell {' '.join(cell)} {content}))")
    free = [cell for cell in t.board.cells if cell not in filled]
    if not free:
        return
    if not filled:
        t.sheet.rule(f"(init (cell {t.at()} b))", f"(square {t.at()})")
        t.use_places()
    else:
        t.sheet.fact(*(f"(init (cell {' '.join(cell)} b))" for cell in free))
