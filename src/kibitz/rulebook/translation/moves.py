"""Sentences about moves in, rules for what is legal and what changes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.rulebook import model as m
from kibitz.rulebook.model import ANYONE, OPPONENT, YOU
from kibitz.rulebook.translation.problems import RulesProblem, closest
from kibitz.rulebook.translation.turning import (
    clashes,
    enclosed_pieces_turn,
    flip,
    outflanking,
    push,
)

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
        write = getattr(self, f"_{type(move).__name__.lower()}")
        write(rule, move)

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

    # Placing

    def _put(self, rule: m.MoveRule, move: m.Put) -> None:
        t, who = self.t, self.t.who(rule.player)
        cell = t.at()
        body = [t.empty(cell)]
        if move.cell.region is not None:
            region = move.cell.region
            name = f"place_for_{move.kind}" if len(self.placed) > 1 else "place_allowed"
            body.append(
                t.region(name, lambda number: t.board.region(region, number, rule), cell, who)
            )
        if move.cell.near is not None:
            body.append(self.near(move.cell.near, cell, who, rule))
        must_turn = t.rules.one(m.MustTurnOver)
        if must_turn is not None:
            body.append(outflanking(self, cell, who, must_turn))
        if t.is_simultaneous and t.rules.one(m.Clash) is None:
            hint = 'write such as "If players choose the same cell, it stays empty."'
            message = "it is not said what happens if players choose the same cell"
            raise RulesProblem("ENG002", message, rule, hint)
        action = f"(place {cell}{self._kind(move.kind)})"
        self._placing(rule, action, body, move.kind)
        self.effect(f"put {move.kind}", lambda: self._lands(move.kind, action, []))

    def near(self, near: m.Near, cell: str, who: str, rule: m.MoveRule) -> str:
        """Return the condition that a cell is next to a piece, or to none."""
        t = self.t
        name = f"near_{near.piece.owner or 'own'}_{near.piece.kind}"
        literals = t.holds(t.at(9), near.piece.owner, near.piece.kind, "?player")
        beside = t.adjacent(cell, t.at(9), rule)
        self.sheet.rule(f"({name} ?player {cell})", "(role ?player)", beside, literals)
        literal = f"({name} {who} {cell})"
        return literal if near.is_near else f"(not {literal})"

    def _flip(self, rule: m.MoveRule, move: m.Flip) -> None:
        flip(self, rule, move)

    def _push(self, rule: m.MoveRule, move: m.Push) -> None:
        push(self, rule, move)

    def _kind(self, kind: str) -> str:
        return f" {kind}" if len(self.placed) > 1 else ""

    def _placing(self, rule: m.MoveRule, action: str, body: list[str], kind: str) -> None:
        t, who = self.t, self.t.who(rule.player)
        for role in t.each(rule.player):
            t.content(role, kind)
        if self.hand:
            left = [f"(true (hand {who} ?hand))", "(distinct ?hand 0)"]
            self.allow(rule, action, left, body)
            verb = action[1:].split()[0]
            self.effect(f"hand {verb}", lambda: self._from_hand(action))
            self.effect("hand", self._keep_hand)
        else:
            self.allow(rule, action, body)

    def _from_hand(self, action: str) -> None:
        self.sheet.rule("(places ?player)", f"(does ?player {action})")

    def _keep_hand(self) -> None:
        self.sheet.rule(
            "(next (hand ?player ?less))",
            "(places ?player)",
            "(true (hand ?player ?hand))",
            "(succ ?less ?hand)",
        )
        self.sheet.rule(
            "(next (hand ?player ?hand))", "(true (hand ?player ?hand))", "(not (places ?player))"
        )

    def _lands(self, kind: str, action: str, where: list[str]) -> None:
        """Write that a piece of a kind arrives at the cell of the variables without a number."""
        t = self.t
        does = f"(does ?player {action})"
        cell = t.at()
        if t.is_simultaneous:
            where = [*where, clashes(self, action)]
        if kind in t.neutral:
            self.sheet.rule(f"(becomes {cell} {kind})", does, where)
        elif t.is_plain:
            self.sheet.rule(f"(becomes {cell} ?player)", does, where)
        else:
            real = kind if kind != "piece" else next(k[0] for k in t.kinds.values() if k)
            self.sheet.rule(
                f"(becomes {cell} ?piece)", does, where, f"(owns ?player {real} ?piece)"
            )
        if t.rules.one(m.Enclose) or t.rules.one(m.TurnOver):
            self.sheet.rule(f"(arrives ?player {cell})", does, where)

    def _drop(self, rule: m.MoveRule, move: m.Drop) -> None:
        t = self.t
        if not t.board.is_grid:
            raise RulesProblem("ENG005", "only a grid has columns to drop pieces into", rule)
        action = f"(drop ?x{self._kind(move.kind)})"
        self._placing(rule, action, ["(lands ?x ?y)"], move.kind)

        def lands() -> None:
            below = t.step("north", "?x ?y1", "?x ?y", ["north"])
            self.sheet.rule("(lands ?x ?y)", "(true (cell ?x ?y b))", "(not (above_empty ?x ?y))")
            self.sheet.rule("(above_empty ?x ?y)", below, "(true (cell ?x ?y1 b))")
            self._lands(move.kind, action, ["(lands ?x ?y)"])

        self.effect(f"drop {move.kind}", lands)

    def _putlow(self, rule: m.MoveRule, move: m.PutLow) -> None:
        t = self.t
        if not t.board.is_grid or t.rules.all(m.Missing):
            raise RulesProblem("ENG005", "only a whole grid has columns with lowest cells", rule)
        if not 1 <= move.count <= 20:
            raise RulesProblem("ENG004", "1 to 20 lowest cells are counted", rule)
        action = f"(place ?x ?y{self._kind(move.kind)})"
        reach = f"within_{move.count}"
        self._placing(rule, action, [t.empty("?x ?y"), f"({reach} ?x ?y ?beneath)"], move.kind)

        def counts() -> None:
            below = t.step("north", "?x ?y1", "?x ?y", ["north"])
            t.use_places()
            self.sheet.rule(f"({reach} ?x 1 0)", "(square ?x 1)")
            before = f"({reach} ?x ?y1 ?n)"
            held = "(true (cell ?x ?y1 b))"
            self.sheet.rule(f"({reach} ?x ?y ?n)", before, below, f"(not {held})")
            self.sheet.rule(
                f"({reach} ?x ?y ?more)", before, below, held, f"(one_more_{move.count} ?n ?more)"
            )
            t.later(*(f"(one_more_{move.count} {n} {n + 1})" for n in range(move.count - 1)))
            self._lands(move.kind, action, [])

        self.effect(f"put low {move.kind} {move.count}", counts)

    def _domino(self, rule: m.MoveRule, move: m.Domino) -> None:
        t = self.t
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
            self.allow(rule, f"(cover {one} {two})", t.empty(one), t.empty(two), beside)

        def covers() -> None:
            does = f"(does ?player (cover {one} {two}))"
            self.sheet.rule(f"(becomes {one} domino)", does)
            self.sheet.rule(f"(becomes {two} domino)", does)

        self.effect("domino", covers)

    def _laydomino(self, rule: m.MoveRule, move: m.LayDomino) -> None:
        t, who = self.t, self.t.who(rule.player)
        one, two = t.at(1), t.at(2)
        own = [t.holds(cell, YOU, "piece", who) for cell in (one, two)]
        for way in t.board.line_ways("straight", rule) if t.board.is_grid else t.board.directions:
            beside = t.step(way, one, two, [way])
            action = f"(lay {one} {two})"
            self.allow(rule, action, beside, t.empty(one), t.empty(two))
            self.allow(rule, action, beside, own[0], t.empty(two))
            self.allow(rule, action, beside, t.empty(one), own[1])

        def lays() -> None:
            does = f"(does ?player (lay {one} {two}))"
            if not t.is_plain:
                raise RulesProblem("ENG005", "a domino is made of one kind of piece", rule)
            self.sheet.rule(f"(becomes {one} ?player)", does)
            self.sheet.rule(f"(becomes {two} ?player)", does)
            self.sheet.rule(f"(covered {one})", does)
            self.sheet.rule(f"(covered {two})", does)
            self.sheet.rule(
                f"(becomes {t.at(3)} b)",
                does,
                f"(true (cell {t.at(3)} ?player))",
                f"(not (covered {t.at(3)}))",
            )

        self.effect("lay", lays)

    # Moving

    def _own(self, rule: m.MoveRule, kind: str, cell: str) -> list[str]:
        return self.t.holds(cell, YOU, kind, self.t.who(rule.player))

    def _travel(self, rule: m.MoveRule, move: m.Step | m.Slide, way: list[str]) -> None:
        t, who = self.t, self.t.who(rule.player)
        start, end = t.at(1), t.at(2)
        own = self._own(rule, move.kind, start)
        action = f"(move {start} {end})"
        if move.target != "capture":
            self.allow(rule, action, own, way, t.empty(end))
        if move.target != "empty":
            seen = t.holds(end, OPPONENT, "piece", who)
            self.allow(rule, action, own, way, seen, captures=True)
        self.effect("move", lambda: self._moved(action))

    def _moved(self, action: str) -> None:
        t = self.t
        start, end = t.at(1), t.at(2)
        does = f"(does ?player {action})"
        self.sheet.rule(f"(becomes {start} b)", does)
        self._arrives(does, f"(true (cell {start} ?piece))", end)
        if t.rules.one(m.Enclose):
            self.sheet.rule(f"(arrives ?player {end})", does)
            self.sheet.rule(f"(leaves {start})", does)

    def _arrives(self, does: str, piece: str, end: str) -> None:
        t = self.t
        promotions = t.rules.all(m.Promotion)
        if not promotions:
            self.sheet.rule(f"(becomes {end} ?piece)", does, piece)
            return
        self.sheet.rule(f"(becomes {end} ?piece)", does, piece, f"(not (promoted ?piece {end}))")
        self.sheet.rule(f"(becomes {end} ?new)", does, piece, f"(promotes ?piece {end} ?new)")
        cell = t.at()
        self.sheet.rule(f"(promoted ?piece {cell})", f"(promotes ?piece {cell} ?new)")
        for promotion in promotions:
            t.known_kind(promotion.kind)
            for number, role in enumerate(t.roles):
                if promotion.kind in t.kinds[role]:
                    old, new = (t.content(role, k) for k in (promotion.kind, promotion.new))
                    for at in t.board.region(promotion.region, number, promotion):
                        t.later(f"(promotes {old} {' '.join(at)} {new})")

    def _step(self, rule: m.MoveRule, move: m.Step) -> None:
        who = self.t.who(rule.player)
        way = self.heading(rule, move.directions, self.t.at(1), self.t.at(2), who)
        self._travel(rule, move, way)

    def _slide(self, rule: m.MoveRule, move: m.Slide) -> None:
        t, who = self.t, self.t.who(rule.player)
        one, two, three = t.at(1), t.at(2), t.at(3)
        heads = self.heading(rule, move.directions, one, two, who)
        way = heads[-1].split()[1]
        path = f"(path {way} {one} {two})"
        self._travel(rule, move, [*heads[:-1], path])

        def paths() -> None:
            self.sheet.rule(f"(path ?way {one} {two})", f"(step ?way {one} {two})")
            self.sheet.rule(
                f"(path ?way {one} {three})",
                f"(path ?way {one} {two})",
                t.empty(two),
                f"(step ?way {two} {three})",
            )

        self.effect("slide", paths)

    def _doublestep(self, rule: m.MoveRule, move: m.DoubleStep) -> None:
        t, who = self.t, self.t.who(rule.player)
        one, two, three = t.at(1), t.at(2), t.at(3)
        heads = self.heading(rule, move.directions, one, two, who)
        way = heads[-1].split()[1]
        start = t.region(
            f"two_steps_{move.kind}" if rule.player == YOU else f"two_steps_{who}",
            lambda number: t.board.region(move.region, number, rule),
            one,
            who,
        )
        self.allow(
            rule, f"(move {one} {three})", self._own(rule, move.kind, one), start, heads,
            t.empty(two), f"(step {way} {two} {three})", t.empty(three),
        )  # fmt: skip
        self.effect("move", lambda: self._moved(f"(move {one} {two})"))

    def _jump(self, rule: m.MoveRule, move: m.Jump) -> None:
        t, who = self.t, self.t.who(rule.player)
        one, two, three = t.at(1), t.at(2), t.at(3)
        heads = self.heading(rule, move.directions, one, two, who)
        way = heads[-1].split()[1]
        on = f"(step {way} {two} {three})"
        over = t.holds(two, move.over.owner, move.over.kind, who)
        own = self._own(rule, move.kind, one)
        name = "jump" if move.captures else "hop"
        self.allow(
            rule, f"({name} {one} {three})", own, heads, over, on, t.empty(three),
            captures=move.captures,
        )  # fmt: skip

        def jumps() -> None:
            does = f"(does ?player ({name} {one} {three}))"
            self.sheet.rule(f"(becomes {one} b)", does)
            self._arrives(does, f"(true (cell {one} ?piece))", three)
            if move.captures:
                self.sheet.rule(
                    f"(becomes {two} b)",
                    does,
                    f"(step ?way {one} {two})",
                    f"(step ?way {two} {three})",
                )

        self.effect(name, jumps)

    def _leave(self, rule: m.MoveRule, move: m.Leave) -> None:
        t, who = self.t, self.t.who(rule.player)
        cell = t.at()
        exit_of = t.region(
            f"exit_{move.kind}" if rule.player == YOU else f"exit_{who}",
            lambda number: t.board.region(move.region, number, rule),
            cell,
            who,
        )
        self.allow(rule, f"(leave {cell})", self._own(rule, move.kind, cell), exit_of)
        self.effect("leave", lambda: self._vanishes("leave"))

    def _vanishes(self, verb: str) -> None:
        cell = self.t.at()
        self.sheet.rule(f"(becomes {cell} b)", f"(does ?player ({verb} {cell}))")

    def _swap(self, rule: m.MoveRule, move: m.Swap) -> None:
        t, who = self.t, self.t.who(rule.player)
        one, two = t.at(1), t.at(2)
        other = t.holds(two, move.other.owner, move.other.kind, who)
        beside = t.adjacent(one, two, rule)
        self.allow(rule, f"(swap {one} {two})", self._own(rule, move.kind, one), beside, other)

        def swaps() -> None:
            does = f"(does ?player (swap {one} {two}))"
            self.sheet.rule(f"(becomes {one} ?piece)", does, f"(true (cell {two} ?piece))")
            self.sheet.rule(f"(becomes {two} ?piece)", does, f"(true (cell {one} ?piece))")

        self.effect("swap", swaps)

    # Removing and switching

    def _remove(self, rule: m.MoveRule, move: m.Remove) -> None:
        cell = self.t.at()
        held = self.t.holds(cell, move.piece.owner, move.piece.kind, self.t.who(rule.player))
        self.allow(rule, f"(remove {cell})", held)
        self.effect("remove", lambda: self._vanishes("remove"))

    def _removepair(self, rule: m.MoveRule, move: m.RemovePair) -> None:
        t = self.t
        one, two = t.at(1), t.at(2)
        held = [
            *t.holds(one, ANYONE, move.kind, t.who(rule.player)),
            *t.holds(two, ANYONE, move.kind, t.who(rule.player)),
        ]
        hexagonal = isinstance(t.board.board, m.Grid) and t.board.board.shape == "hexagon"
        for way in t.board.line_ways("line" if hexagonal else "straight", rule):
            beside = t.step(way, one, two, [way])
            self.allow(rule, f"(remove_two {one} {two})", beside, held)

        def removes() -> None:
            does = f"(does ?player (remove_two {one} {two}))"
            self.sheet.rule(f"(becomes {one} b)", does)
            self.sheet.rule(f"(becomes {two} b)", does)

        self.effect("pair", removes)

    def _bite(self, rule: m.MoveRule, move: m.Bite) -> None:
        t = self.t
        if not t.board.is_grid:
            raise RulesProblem("ENG005", "only a grid has cells above and to the right", rule)
        held = t.holds("?x ?y", ANYONE, move.kind, t.who(rule.player))
        self.allow(rule, "(bite ?x ?y)", held)

        def bites() -> None:
            north = t.step("north", "?x1 ?y1", "?x1 ?y", ["north"])
            east = t.step("east", "?x1 ?y1", "?x ?y1", ["east"])
            self.sheet.rule("(bitten ?x ?y)", "(does ?player (bite ?x ?y))")
            self.sheet.rule("(bitten ?x1 ?y)", "(bitten ?x1 ?y1)", north)
            self.sheet.rule("(bitten ?x ?y1)", "(bitten ?x1 ?y1)", east)
            self.sheet.rule("(becomes ?x ?y b)", "(bitten ?x ?y)")

        self.effect("bite", bites)

    def _switch(self, rule: m.MoveRule, move: m.Switch) -> None:
        t = self.t
        cell, other = t.at(1), t.at(2)
        t.use_places()
        self.allow(rule, f"(switch {cell})", f"(square {cell})")

        def switches() -> None:
            self.sheet.rule(f"(switched {cell})", f"(does ?player (switch {cell}))")
            if move.neighbours:
                beside = t.adjacent(cell, other, rule)
                self.sheet.rule(f"(switched {other})", f"(does ?player (switch {cell}))", beside)
            self.sheet.rule(f"(becomes {cell} {move.kind})", f"(switched {cell})", t.empty(cell))
            self.sheet.rule(
                f"(becomes {cell} b)", f"(switched {cell})", f"(true (cell {cell} {move.kind}))"
            )

        self.effect("switch", switches)

    # Piles, pits and choices

    def _take(self, rule: m.MoveRule, move: m.Take) -> None:
        t = self.t
        heaps = t.heaps()
        if not heaps:
            hint = 'write such as "There are piles of 3, 4 and 5 counters."'
            raise RulesProblem("ENG002", "it is not said what piles there are", rule, hint)
        most = max(size for _, size in heaps)
        last = move.most or most
        if not 1 <= move.least <= last:
            raise RulesProblem("ENG005", f"from {move.least} to {move.most} is no number", rule)
        limited = move.least > 1 or last < most
        self.allow(
            rule, "(take ?heap ?count)", "(true (heap ?heap ?size))", "(minus ?size ?count ?left)",
            ["(may_take ?count)"] if limited else [],
        )  # fmt: skip
        if limited:
            t.later(*(f"(may_take {n})" for n in range(move.least, min(last, most) + 1)))
        self._minus(most)

        def takes() -> None:
            self.sheet.rule(
                "(next (heap ?heap ?left))",
                "(does ?player (take ?heap ?count))",
                "(true (heap ?heap ?size))",
                "(minus ?size ?count ?left)",
            )
            self.sheet.rule("(reduced ?heap)", "(does ?player (take ?heap ?count))")

        self.effect("take", takes)
        self.effect("heaps", self._keep_heaps)

    def _minus(self, most: int) -> None:
        self.t.later(
            *(f"(minus {n} {k} {n - k})" for n in range(1, most + 1) for k in range(1, n + 1))
        )

    def _keep_heaps(self) -> None:
        self.sheet.rule(
            "(next (heap ?heap ?size))", "(true (heap ?heap ?size))", "(not (reduced ?heap))"
        )

    def _takeeach(self, rule: m.MoveRule, move: m.TakeEach) -> None:
        heaps = self.t.heaps()
        if not heaps:
            raise RulesProblem("ENG002", "it is not said what piles there are", rule)
        body = [
            literal
            for name, _ in heaps
            for literal in (f"(true (heap {name} ?{name}))", f"(minus ?{name} ?count ?{name}left)")
        ]
        self.allow(rule, "(take_each ?count)", body)
        self._minus(max(size for _, size in heaps))

        def takes() -> None:
            self.sheet.rule(
                "(next (heap ?heap ?left))",
                "(does ?player (take_each ?count))",
                "(true (heap ?heap ?size))",
                "(minus ?size ?count ?left)",
            )
            self.sheet.rule(
                "(reduced ?heap)", "(does ?player (take_each ?count))", "(true (heap ?heap ?size))"
            )

        self.effect("take each", takes)
        self.effect("heaps", self._keep_heaps)

    def _sow(self, rule: m.MoveRule, move: m.Sow) -> None:
        t = self.t
        pits, stores = t.rules.all(m.Pits), t.rules.all(m.Store)
        if not isinstance(t.board.board, m.Ring) or not pits:
            hint = 'write such as "White has the pits 1, 2 and 3 with 2 seeds each."'
            raise RulesProblem("ENG002", "seeds are sown on a ring of pits", rule, hint)
        ring = [t.board.name(cell) for cell in t.board.cells]
        seeds = dict.fromkeys(ring, 0)
        for pit in pits:
            for name in pit.cells:
                t.board.find(name)
                seeds[str(name)] = pit.seeds
                t.later(f"(pit_of {t.role(pit.player)} {name})")
        for store in stores:
            t.board.find(store.cell)
        total = sum(seeds.values())
        if total > 30 or len(ring) > 16:
            raise RulesProblem("ENG004", "at most 30 seeds in at most 16 pits are sown", rule)
        self.allow(
            rule, "(sow ?pit)", f"(pit_of {t.who(rule.player)} ?pit)", "(true (pit ?pit ?seeds))",
            "(distinct ?seeds 0)",
        )  # fmt: skip

        def sows() -> None:
            sheet = self.sheet
            sheet.fact(*(f"(init (pit {name} {count}))" for name, count in seeds.items()))
            does = "(does ?player (sow ?from))"
            held = "(true (pit ?from ?seeds))"
            sheet.rule("(gets ?to ?more)", does, held, "(sown ?from ?seeds ?to ?more)")
            sheet.rule("(receives ?to)", "(gets ?to ?more)")
            sheet.rule("(emptied ?from)", does)
            sheet.rule(
                "(next (pit ?to ?after))",
                "(gets ?to ?more)",
                "(not (emptied ?to))",
                "(true (pit ?to ?before))",
                "(plus ?before ?more ?after)",
            )
            sheet.rule("(next (pit ?from ?more))", "(emptied ?from)", "(gets ?from ?more)")
            sheet.rule("(next (pit ?from 0))", "(emptied ?from)", "(not (receives ?from))")
            sheet.rule(
                "(next (pit ?pit ?seeds))",
                "(true (pit ?pit ?seeds))",
                "(not (emptied ?pit))",
                "(not (receives ?pit))",
            )
            sowing = [name for pit in pits for name in pit.cells]
            for start in sowing:
                first = ring.index(start)
                for count in range(1, total + 1):
                    landed = [ring[(first + n) % len(ring)] for n in range(1, count + 1)]
                    for name in dict.fromkeys(landed):
                        t.later(f"(sown {start} {count} {name} {landed.count(name)})")
            t.later(
                *(f"(plus {a} {b} {a + b})" for a in range(total) for b in range(1, total + 1 - a))
            )

        self.effect("sow", sows)

    def _choose(self, rule: m.MoveRule, move: m.Choose) -> None:
        t, who = self.t, self.t.who(rule.player)
        for choice in move.choices:
            if choice in ("noop", "pass"):
                raise RulesProblem("ENG005", f"{choice} cannot be a choice", choice)
            costs = [g for g in t.rules.all(m.Gain) if g.choice == choice and g.verb == "costs"]
            body = [
                literal
                for gain in costs
                for literal in (
                    f"(true ({gain.noun} {who} ?{gain.noun}))",
                    f"(minus ?{gain.noun} {gain.count} ?{gain.noun}_left)",
                )
            ]
            self.allow(rule, choice, body)
        self.effect("choose", self._chosen)

    def _chosen(self) -> None:
        t, sheet = self.t, self.sheet
        choices = {c for _, move in t.moves if isinstance(move, m.Choose) for c in move.choices}
        stocks = {stock.noun: stock for stock in t.rules.all(m.Stock)}
        words = [gain.choice for gain in t.rules.all(m.Gain)]
        for beats in t.rules.all(m.Beats):
            words += [beats.choice, *beats.others]
        for word in words:
            if word not in choices:
                raise RulesProblem("ENG003", f"{word} is no choice", word, closest(word, choices))
        gained = [gain.noun for gain in t.rules.all(m.Gain)]
        scored = [score.noun for score in t.rules.all(m.Score)]
        for noun in (*gained, *scored):
            if noun not in stocks:
                hint = f'write such as "Each player starts with 0 {noun}s and can hold 3."'
                raise RulesProblem("ENG003", f"it is not said who has {noun}s", noun, hint)
        for beats in t.rules.all(m.Beats):
            t.later(*(f"(beats {beats.choice} {other})" for other in beats.others))
        if t.rules.all(m.Beats):
            if not t.is_simultaneous:
                raise RulesProblem(
                    "ENG005",
                    "a choice beats another where players choose at the same time",
                    t.rules.all(m.Beats)[0],
                    'add "All players move at the same time."',
                )
            sheet.rule(
                "(beaten_by ?other ?player)",
                "(does ?player ?mine)",
                "(does ?other ?theirs)",
                "(distinct ?player ?other)",
                "(beats ?mine ?theirs)",
            )
        for noun, stock in stocks.items():
            if not 0 <= stock.count <= stock.most <= 60:
                raise RulesProblem("ENG004", f"players hold 0 to 60 {noun}s", stock)
            sheet.fact(*(f"(init ({noun} {role} {stock.count}))" for role in t.roles))
            self._minus(stock.most)
            before = f"(true ({noun} ?player ?before))"
            for gain in [g for g in t.rules.all(m.Gain) if g.noun == noun]:
                does = f"(does ?player {gain.choice})"
                sheet.rule(f"(changes_{noun} ?player)", does)
                change = (
                    f"(minus ?before {gain.count} ?after)"
                    if gain.verb == "costs"
                    else f"(up_{noun} ?before {gain.count} ?after)"
                )
                sheet.rule(f"(next ({noun} ?player ?after))", does, before, change)
                self._up(stock, gain.count)
            for score in [one for one in t.rules.all(m.Score) if one.noun == noun]:
                if noun in gained:
                    raise RulesProblem("ENG005", f"two sentences change {noun}s", score)
                sheet.rule(f"(changes_{noun} ?player)", "(beaten_by ?other ?player)")
                sheet.rule(
                    f"(next ({noun} ?player ?after))",
                    f"(changes_{noun} ?player)",
                    before,
                    f"(up_{noun} ?before {score.count} ?after)",
                )
                self._up(stock, score.count)
            kept = f"(not (changes_{noun} ?player))" if noun in (*gained, *scored) else ""
            sheet.rule(f"(next ({noun} ?player ?before))", before, kept)

    def _up(self, stock: m.Stock, count: int) -> None:
        self.t.later(
            *(
                f"(up_{stock.noun} {n} {count} {min(n + count, stock.most)})"
                for n in range(stock.most + 1)
            )
        )

    def _pass(self, rule: m.MoveRule, move: m.Pass) -> None:
        self.allow(rule, "pass")

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


def _sentence(rule: m.MoveRule) -> str:
    from kibitz.rulebook.sentences import GRAMMAR

    return GRAMMAR.sentence(rule)
