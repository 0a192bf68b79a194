"""Sentences about moves in, rules for what is legal and what changes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.translation import choices, moving, piles, placing, removing
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.turning import enclosed_pieces_turn, flip, push

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation

__all__ = ["Moves"]


class Moves:
    """Writes the options of the players, and their effects on cells, piles and stocks."""

    def __init__(self, translation: Translation) -> None:
        self.t = translation
        self.sheet = translation.sheet
        self.must_capture = translation.rules.one(m.MustCapture) is not None
        self.hand = bool(translation.rules.all(m.Hand))
        self.placed = {
            one.kind for _, one in translation.moves if isinstance(one, m.Put | m.Drop | m.PutLow)
        }
        self.effects: list[Callable[[], None]] = []
        self._done: set[str] = set()

    def write(self) -> None:
        """Write options and effects of all moves."""
        t, sheet = self.t, self.sheet
        for rule in t.rules.all(m.MoveRule):
            sheet.section(_sentence(rule))
            for move in rule.moves:
                self._option(rule, move)
        self._legal()
        sheet.section("What moves change.")
        turning = t.rules.one(m.TurnOver)
        if turning is not None:
            self.effect("turning", lambda: enclosed_pieces_turn(self, turning))
        for effect in self.effects:
            effect()
        if t.geometry is not None and not t.rules.all(m.Pits):
            self._frame()

    def _legal(self) -> None:
        t, sheet = self.t, self.sheet
        sheet.section("Legal moves.")
        turn = ["(true (control ?player))"] if t.has_control else []
        if self.must_capture:
            sheet.rule("(option ?player ?move)", "(capture ?player ?move)")
            sheet.rule(
                "(option ?player ?move)", "(quiet ?player ?move)", "(not (can_capture ?player))"
            )
            sheet.rule("(can_capture ?player)", "(capture ?player ?move)")
        sheet.rule("(legal ?player ?move)", turn, "(option ?player ?move)")
        sheet.rule("(can_move ?player)", "(option ?player ?move)")
        if t.rules.one(m.PassIfStuck):
            sheet.rule("(legal ?player pass)", turn, "(role ?player)", "(not (can_move ?player))")

    def _option(self, rule: m.MoveRule, move: m.Move) -> None:
        _WRITERS[type(move)](self, rule, move)

    def allow(
        self, rule: m.MoveRule, action: str, *body: Any, captures: bool = False, who: str = ""
    ) -> None:
        """Write that a player has an option."""
        who = who or self.t.who(rule.player)
        relation = ("capture" if captures else "quiet") if self.must_capture else "option"
        before = [f"(role {who})"] if who.startswith("?") else []
        if rule.condition is not None:
            if not self.hand:
                raise RulesProblem("ENG002", "it is not said what players have in hand", rule)
            before.append(f"(true (hand {who} 0))")
        self.sheet.rule(f"({relation} {who} {action})", before, *body)

    def effect(self, key: str, write: Callable[[], None]) -> None:
        """Have an effect written once, whatever number of sentences lead to it."""
        if key not in self._done:
            self._done.add(key)
            self.effects.append(write)

    def heading(
        self, rule: m.MoveRule, words: tuple[str, ...], start: str, end: str, who: str
    ) -> list[str]:
        """Return literals: a step in one of the directions that words mean to the player."""
        t = self.t
        roles = t.each(rule.player)
        ways = {role: t.board.heads(words, t.number(role), rule) for role in roles}
        same = all(one == ways[roles[0]] for one in ways.values())
        every = sorted({way for one in ways.values() for way in one})
        if same and len(every) == 1:
            return [t.step(every[0], start, end, every)]
        name = "_or_".join(words).replace(" ", "_").replace("in_any_direction", "any_way")
        way = t.fresh("way")
        if same:
            t.later(*(f"({name} {one})" for one in ways[roles[0]]))
            return [f"({name} {way})", t.step(way, start, end, every)]
        for role in t.roles:
            heads = t.board.heads(words, t.number(role), rule)
            t.later(*(f"({name} {role} {one})" for one in heads))
        return [f"({name} {who} {way})", t.step(way, start, end, every)]

    def near(self, near: m.Near, cell: str, who: str, rule: m.MoveRule) -> str:
        """Return the condition that a cell is next to a piece, or to none."""
        t = self.t
        name = f"near_{near.piece.owner or 'own'}_{near.piece.kind}"
        literals = t.holds(t.at(9), near.piece.owner, near.piece.kind, "?player")
        beside = t.adjacent(cell, t.at(9), rule)
        self.sheet.rule(f"({name} ?player {cell})", "(role ?player)", beside, literals)
        literal = f"({name} {who} {cell})"
        return literal if near.is_near else f"(not {literal})"

    def vanishes(self, verb: str) -> None:
        """Write that a move empties the cell that it names."""
        cell = self.t.at()
        self.sheet.rule(f"(becomes {cell} b)", f"(does ?player ({verb} {cell}))")

    def _frame(self) -> None:
        t, cell = self.t, self.t.at()
        if t.rules.one(m.Enclose):
            one, two, three = t.at(1), t.at(2), t.at(3)
            ways = t.board.heads(("straight",), 0, t.rules.all(m.Enclose)[0])
            t.later(*(f"(encloses {way})" for way in ways))
            self.sheet.rule(
                f"(becomes {two} b)",
                f"(arrives ?player {one})",
                "(encloses ?way)",
                t.step("?way", one, two, ways),
                t.holds(two, OPPONENT, "piece", "?player"),
                f"(step ?way {two} {three})",
                t.holds(three, YOU, "piece", "?player"),
                f"(not (leaves {three}))" if "move" in self._done else "",
            )
        if not t.is_plain:
            for role, kinds in t.kinds.items():
                t.later(*(f"(owns {role} {kind} {t.content(role, kind)})" for kind in kinds))
        if "becomes" not in str(self.sheet):
            self.sheet.rule(f"(next (cell {cell} ?content))", f"(true (cell {cell} ?content))")
            return
        self.sheet.rule(f"(next (cell {cell} ?content))", f"(becomes {cell} ?content)")
        self.sheet.rule(
            f"(next (cell {cell} ?content))",
            f"(true (cell {cell} ?content))",
            f"(not (changes {cell}))",
        )
        self.sheet.rule(f"(changes {cell})", f"(becomes {cell} ?content)")


_WRITERS: dict[type, Callable[[Moves, m.MoveRule, Any], None]] = {
    m.Put: placing.put,
    m.Drop: placing.drop,
    m.PutLow: placing.put_low,
    m.Domino: placing.cover,
    m.LayDomino: placing.lay_domino,
    m.Step: moving.step,
    m.Slide: moving.slide,
    m.DoubleStep: moving.double_step,
    m.Jump: moving.jump,
    m.Leave: moving.leave,
    m.Swap: moving.swap,
    m.Remove: removing.remove,
    m.RemovePair: removing.remove_pair,
    m.Bite: removing.bite,
    m.Switch: removing.switch,
    m.Flip: flip,
    m.Push: push,
    m.Take: piles.take,
    m.TakeEach: piles.take_each,
    m.Sow: piles.sow,
    m.Choose: choices.choose,
    m.Pass: choices.pass_turn,
}


def _sentence(rule: m.MoveRule) -> str:
    from kibitz.rulebook.sentences import GRAMMAR

    return GRAMMAR.sentence(rule)
