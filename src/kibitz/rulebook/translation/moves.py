"""Sentences about moves in, rules for what is legal and what changes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.translation import choices, moving, piles, placing, removing
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.scoring import event_points
from kibitz.rulebook.translation.turning import enclosed_pieces_turn, flip, push

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


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
        self.again = translation.rules.one(m.JumpAgain)
        self.parts = [rule for rule in translation.rules.all(m.MoveRule) if rule.then]
        self._part = ("", "")
        if self.parts and self.must_capture:
            message = "where turns have two parts, captures are not compulsory"
            raise RulesProblem("ENG005", message, self.parts[0])
        for rule in translation.rules.all(m.MoveRule):
            if not rule.then and any(_begin_alike(rule, part) for part in self.parts):
                message = "a turn of two parts begins alike, and it is not said which it is"
                hint = "leave one of them out, or let them begin with different pieces"
                raise RulesProblem("ENG005", message, rule, hint)
        self._check_jumps(translation.single(m.JumpsInMove))
        trail = translation.single(m.Trail)
        self.left_behind = trail.kind if trail else "b"
        """What a piece that moves leaves on its cell."""
        self.effects: list[Callable[[], None]] = []
        self._done: set[str] = set()

    def write(self) -> None:
        """Write options and effects of all moves."""
        t, sheet = self.t, self.sheet
        for number, rule in enumerate(t.rules.all(m.MoveRule), start=1):
            sheet.section(GRAMMAR.sentence(rule))
            self._part = (f"first_part {number}" if rule.then else "", "in_second_part")
            for move in rule.moves:
                _WRITERS[type(move)](self, rule, move)
            self._part = (f"second_part {number}", "")
            for move in rule.then or ():
                _WRITERS[type(move)](self, rule, move)
        self._legal()
        sheet.section("What moves change.")
        turning = t.rules.one(m.TurnOver)
        if turning is not None:
            self.effect("turning", lambda: enclosed_pieces_turn(self, turning))
        for effect in self.effects:
            effect()
        event_points(self)
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
        if self.parts:
            self._two_parts()
        if self.again is not None:
            self._jumps_go_on(self.again)
        sheet.rule("(legal ?player ?move)", turn, "(option ?player ?move)")
        sheet.rule("(can_move ?player)", "(option ?player ?move)")
        if t.rules.one(m.PassIfStuck):
            sheet.rule("(legal ?player pass)", turn, "(role ?player)", "(not (can_move ?player))")

    def _two_parts(self) -> None:
        """Write what the second part of a turn allows; who can do nothing in it skips it."""
        sheet = self.sheet
        sheet.rule("in_second_part", "(true (part ?number))")
        sheet.rule("(option ?player ?move)", "(first_part ?number ?player ?move)")
        sheet.rule("(begins_part ?number)", "(does ?player ?move)",
                   "(first_part ?number ?player ?move)")  # fmt: skip
        sheet.rule("(next (part ?number))", "(begins_part ?number)")
        second = ["(true (part ?number))", "(second_part ?number ?player ?move)"]
        sheet.rule("(option ?player ?move)", second)
        sheet.rule("(can_finish ?player)", second)
        sheet.rule("(option ?player skip)", "(role ?player)", "in_second_part",
                   "(not (can_finish ?player))")  # fmt: skip

    def _jumps_go_on(self, again: m.JumpAgain) -> None:
        """Write that the piece that jumped may jump on, or stop."""
        t, sheet, cell = self.t, self.sheet, self.t.at()
        if not any(isinstance(move, m.Jump) for _, move in t.moves):
            hint = 'write such as "On your turn, jump with a piece straight over a piece."'
            raise RulesProblem("ENG002", "no piece jumps", again, hint)
        t.use_places()
        sheet.rule("is_jumping", f"(true (jumping {cell}))")
        sheet.rule(f"(may_jump_from {cell})", f"(square {cell})", "(not is_jumping)")
        sheet.rule(f"(may_jump_from {cell})", f"(true (jumping {cell}))")
        sheet.rule(f"(next (jumping {cell}))", f"(jumps_to {cell})")
        sheet.rule(
            "(option ?player stop)",
            "(role ?player)",
            "is_jumping",
            "(not (can_jump ?player))" if again.must else "",
        )

    def _check_jumps(self, several: m.JumpsInMove | None) -> None:
        if several is None:
            return
        if not 2 <= several.count <= 4:
            raise RulesProblem("ENG004", "a move has at most 2 to 4 jumps", several)
        if self.again is not None:
            message = "a piece jumps on in the same move, or with another move of the same turn"
            raise RulesProblem("ENG005", message, several)
        if not any(isinstance(move, m.Jump) for _, move in self.t.moves):
            raise RulesProblem("ENG002", "no piece jumps", several)

    def allow(
        self,
        rule: m.MoveRule,
        action: str,
        *body: Any,
        captures: bool = False,
        jumps_from: str = "",
    ) -> None:
        """Write that a player has an option."""
        who = self.t.who(rule.player)
        before = [f"(role {who})"] if who.startswith("?") else []
        if rule.condition is not None:
            if not self.hand:
                raise RulesProblem("ENG002", "it is not said what players have in hand", rule)
            kinds = {hand.kind for hand in self.t.rules.all(m.Hand)}
            before += [f"(true ({self.t.hand(who, kind)} 0))" for kind in sorted(kinds)]
        if self.again is not None and jumps_from:
            before.append(f"(may_jump_from {jumps_from})")
            self.sheet.rule(f"(can_jump {who})", before, *body)
        elif self.again is not None:
            before.append("(not is_jumping)")
        part, other = self._part
        if self.parts and other:
            before.append(f"(not {other})")
        if self.must_capture:
            relation = "capture" if captures else "quiet"
        else:
            relation = part if self.parts and part else "option"
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
        if rule.player != YOU and "ward" in name:  # the others have another way forward
            name = f"{roles[0]}_{name}"
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

    def takes(self, cell: str, *body: str) -> None:
        """Write that a move captures what is on a cell, where that gives points."""
        if self.t.rules.all(m.CaptureWorth):
            self.sheet.rule(f"(takes ?player {cell})", *body)

    def vanishes(self, verb: str) -> None:
        """Write that a move empties the cell that it names."""
        cell = self.t.at()
        self.sheet.rule(f"(becomes {cell} b)", f"(does ?player ({verb} {cell}))")
        self.takes(cell, f"(does ?player ({verb} {cell}))")

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


_PLACED = (m.Put, m.PutLow, m.Drop)
_MOVED = (m.Step, m.Slide, m.Jump, m.DoubleStep, m.Push)


def _begin_alike(rule: m.MoveRule, other: m.MoveRule) -> bool:
    """Return whether turns by two rules may begin with the same move."""

    def action(move: Any) -> tuple[Any, str]:
        family = next((one for one in (_PLACED, _MOVED) if isinstance(move, one)), type(move))
        return family, getattr(move, "kind", "")

    ours, theirs = ({action(move) for move in one.moves} for one in (rule, other))
    return bool(ours & theirs) and (
        YOU in (rule.player, other.player) or rule.player == other.player
    )


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
