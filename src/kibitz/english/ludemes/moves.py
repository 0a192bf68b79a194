"""Sentences about moves in, the `play` of a sheet of Ludii out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import kibitz.rulebook as m
from kibitz.english.ludemes.terms import MOVER, NoLudeme, Terms
from kibitz.rulebook import OPPONENT, YOU

_EMPTY = "(to if:(is Empty (to)))"
_ENEMY = "(is Enemy (who at:(to)))"
_CAPTURE = f"(to if:{_ENEMY} (apply (remove (to))))"
_EITHER = f"(to if:(or (is Empty (to)) {_ENEMY}) (apply (if {_ENEMY} (remove (to)))))"
_KNIGHT = "{{F F R F} {F F L F}}"
_GOES_ON = "(is Prev Mover)"


def play_of(terms: Terms, *, careful: bool) -> str:
    """Return what players may do.

    With `careful`, who can do nothing in the second part of a turn passes, and does not lose.
    """
    return _Play(terms, careful).text()


def joined(word: str, parts: Iterable[str]) -> str:
    """Return several parts as one ludeme, such as `(or {…})`; one part as it is.

    >>> joined("and", ["(is Full)"]), joined("and", ["a", "b", "c"])
    ('(is Full)', '(and {a b c})')
    """
    found = list(dict.fromkeys(parts))
    if len(found) == 1:
        return found[0]
    return f"({word} {' '.join(found)})" if len(found) == 2 else f"({word} {{{' '.join(found)}}})"


def _all_around(effect: str) -> str:
    """Return what happens to lines of enemies in any direction that end at an own piece."""
    between = f"(between if:(is Enemy (who at:(between))) (apply {effect}))"
    return f"Adjacent {between} (to if:(is Friend (who at:(to))))"


def _or_pass(moves: str) -> str:
    return f"(if (can Move {moves}) {moves} (move Pass))"


class _Play:
    def __init__(self, terms: Terms, careful: bool) -> None:
        self.terms, self.careful = terms, careful
        self.rules = terms.rules
        self.again = self.rules.one(m.JumpAgain)
        self.per_turn = self.rules.one(m.MovesPerTurn)
        self.must_capture = self.rules.one(m.MustCapture) is not None
        self.captures: list[str] = []

    def text(self) -> str:
        """Return the play of all players, or what each of two has."""
        texts = [self._of(role) for role in self.terms.translation.roles]
        if all(text == texts[0] for text in texts):
            return texts[0]
        if self.terms.first:
            texts.reverse()
        return f"(if (is Mover P1) {texts[0]} {texts[1]})"

    def _of(self, role: str) -> str:
        """Return what one player may do."""
        own = [
            rule
            for rule in self.rules.all(m.MoveRule)
            if rule.player == YOU or self.terms.translation.role(rule.player) == role
        ]
        if not own:
            raise NoLudeme(self.rules.all(m.MoveRule)[0])
        parts = [rule for rule in own if rule.then]
        if parts:
            if len(own) > 1:
                raise NoLudeme(parts[0])
            second = joined("or", self._moves(role, parts[0], parts[0].then or ()))
            first = joined("or", self._moves(role, parts[0], parts[0].moves, "(moveAgain)"))
            if self.careful:
                second = _or_pass(second)
            return f"(if {_GOES_ON} {second} {first})"
        self.captures = []
        found = [text for rule in own for text in self._moves(role, rule, rule.moves)]
        if self.must_capture:
            quiet = [text for text in found if text not in self.captures]
            if not quiet or not self.captures:
                raise NoLudeme(self.rules.all(m.MustCapture)[0])
            play = f"(priority {{{joined('or', self.captures)} {joined('or', quiet)}}})"
        else:
            play = joined("or", found)
        return f"(if {_GOES_ON} {self._jumps_on(role, own)} {play})" if self.again else play

    def _moves(
        self, role: str, rule: m.MoveRule, moves: Iterable[m.Move], goes_on: str = ""
    ) -> list[str]:
        """Return the ludemes of some moves."""
        found: list[str] = []
        for move in moves:
            writer = _WRITERS.get(type(move))
            if writer is None:
                raise NoLudeme(rule)
            for text in writer(self, role, rule, move, goes_on):
                if rule.condition is not None:
                    text = f"(if (= (count Cell at:(handSite Mover)) 0) {text})"
                found.append(text)
        return found

    def _jumps_on(self, role: str, own: Iterable[m.MoveRule]) -> str:
        """Return how the piece that jumped may go on."""
        assert self.again is not None
        found = [
            self._hop(rule, move, "(from (last To)) ")
            for rule in own
            for move in rule.moves
            if isinstance(move, m.Jump)
        ]
        if self.again.must:
            return _or_pass(joined("or", found))
        return joined("or", [*found, "(move Pass)"])

    # What follows a move

    def then(self, move: m.Move, rule: m.MoveRule, *effects: str, goes_on: str = "") -> str:
        """Return what a move brings with it, or nothing."""
        found = list(effects)
        if isinstance(move, m.Step | m.Slide | m.DoubleStep | m.Jump):
            found += [
                f'(add (piece "{self.terms.called(trail.kind)}0") (to (last From)))'
                for trail in self.rules.all(m.Trail)
            ]
            found += self._promotions(move.kind)
        if self.rules.one(m.Enclose) and isinstance(
            move, m.Step | m.Slide | m.DoubleStep | m.Put | m.Drop | m.PutLow
        ):
            found.append(
                f"(custodial (from (last To)) {self.terms.straight} (between (max 1)"
                " if:(is Enemy (who at:(between))) (apply (remove (between))))"
                " (to if:(is Friend (who at:(to)))))"
            )
        if self.rules.one(m.TurnOver) and isinstance(move, m.Put | m.Drop | m.PutLow):
            turned = f'(promote (between) (piece "{self._plain_name(rule)}") Mover)'
            found.append(f"(custodial (from (last To)) {_all_around(turned)})")
        if self.per_turn and self.per_turn.count > 1:
            last = self.per_turn.count - 1
            goes_on = f"(if (< (count MovesThisTurn) {last}) (moveAgain))"
        if goes_on:
            found.append(goes_on)
        return f" (then {joined('and', found)})" if found else ""

    def _plain_name(self, rule: m.MoveRule) -> str:
        """Return the name of the only kind of piece."""
        kinds = {kind for own in self.terms.translation.kinds.values() for kind in own}
        if len(kinds) != 1:
            raise NoLudeme(rule)
        return self.terms.called(kinds.pop())

    def _promotions(self, kind: str) -> list[str]:
        found = []
        for one in self.rules.all(m.Promotion):
            if kind not in (one.kind, "piece"):
                continue
            tests = [f"(is In (last To) {self.terms.region(one.region, MOVER, one)})"]
            if kind != one.kind:
                tests.append(f"(= (what at:(last To)) {self.terms.piece(one.kind, MOVER)})")
            new = self.terms.called(one.new)
            found.append(f'(if {joined("and", tests)} (promote (last To) (piece "{new}") Mover))')
        return found

    # Moves

    def by_pieces(self, kind: str, move: str) -> str:
        """Return the move of all pieces of a kind, which nobody may own."""
        if kind in self.terms.neutral:
            own = self.terms.occupied(m.ANYONE, kind, MOVER)
            start = re.sub(r"\(move (Step|Slide|Hop|Leap) ", r"(move \1 (from (site)) ", move)
            return f"(forEach Site {own} {start})"
        name = "" if kind == "piece" else f'"{self.terms.called(kind)}" '
        return f"(forEach Piece {name}{move})"

    def _hop(self, rule: m.MoveRule, move: m.Jump, start: str, then: str = "") -> str:
        over = self.terms.stands(move.over, "(between)")
        taken = " (apply (remove (between)))" if move.captures else ""
        ways = self.terms.ways(move.directions, rule)
        go_on = " (then (moveAgain))" if start and not then else then
        return f"(move Hop {start}{ways} (between if:{over}{taken}) {_EMPTY}{go_on})"

    def travel(self, role: str, rule: m.MoveRule, move: Any, goes_on: str) -> list[str]:
        """Write steps and slides, with and without captures."""
        kinds = {one for said in self.rules.all(m.MoveCaptures) for one in said.kinds}
        target = "either" if move.target == "empty" and kinds & {move.kind, "piece"} else None
        target = target or move.target
        is_slide = isinstance(move, m.Slide)
        split = target == "either" and self.must_capture
        if is_slide and (split or target == "capture"):
            raise NoLudeme(rule)
        found = []
        for one in ("capture", "empty") if split else (target,):
            to = {"empty": _EMPTY, "capture": _CAPTURE, "either": _EITHER}[one]
            if is_slide:
                to = "" if one == "empty" else f" {_CAPTURE}"
                start = f"(move Slide {self.terms.ways(move.directions, rule)}"
            elif any("knight" in word for word in move.directions):
                if len(move.directions) > 1:
                    raise NoLudeme(rule)
                ahead = " forward:True" if "forward" in move.directions[0] else ""
                start, to = f"(move Leap {_KNIGHT}{ahead}", f" {to}"
            else:
                start, to = f"(move Step {self.terms.ways(move.directions, rule)}", f" {to}"
            text = f"{start}{to}{self.then(move, rule, goes_on=goes_on)})"
            found.append(self.by_pieces(move.kind, text))
            if one == "capture":
                self.captures.append(found[-1])
        return found

    def jump(self, role: str, rule: m.MoveRule, move: m.Jump, goes_on: str) -> list[str]:
        """Write jumps over a neighbour."""
        then = self.then(move, rule, goes_on="(moveAgain)" if self.again else goes_on)
        text = self.by_pieces(move.kind, self._hop(rule, move, "", then))
        if move.captures:
            self.captures.append(text)
        return [text]

    def double_step(
        self, role: str, rule: m.MoveRule, move: m.DoubleStep, goes_on: str
    ) -> list[str]:
        """Write the move two steps ahead."""
        where = self.terms.region(move.region, MOVER, rule)
        ways = self.terms.ways(move.directions, rule)
        text = f"(move Hop {ways} (between if:(is Empty (between))) {_EMPTY}"
        hop = f"{text}{self.then(move, rule, goes_on=goes_on)})"
        return [self.by_pieces(move.kind, f"(if (is In (from) {where}) {hop})")]

    def put(self, role: str, rule: m.MoveRule, move: m.Put, goes_on: str) -> list[str]:
        """Write the move that places a piece on an empty cell."""
        where = "(sites Empty)"
        if move.cell.region is not None:
            region = self.terms.region(move.cell.region, MOVER, rule)
            where = f"(intersection {where} {region})"
        return self._placed(role, rule, move, self._near(where, move.cell.near), goes_on)

    def drop(self, role: str, rule: m.MoveRule, move: m.Drop, goes_on: str) -> list[str]:
        """Write the move that lets a piece fall down a column."""
        ground = "(is In (site) (sites Bottom))"
        lowest = f"(or {ground} (is Occupied (ahead (site) S)))"
        where = f"(forEach (sites Empty) if:{lowest})"
        return self._placed(role, rule, move, where, goes_on)

    def put_low(self, role: str, rule: m.MoveRule, move: m.PutLow, goes_on: str) -> list[str]:
        """Write the move that places a piece on one of the lowest empty cells of a column."""
        below = "(intersection (sites Empty) (sites Direction from:(site) S))"
        where = f"(forEach (sites Empty) if:(< (count Sites in:{below}) {move.count}))"
        return self._placed(role, rule, move, where, goes_on)

    def _near(self, where: str, near: m.Near | None) -> str:
        if near is None:
            return where
        beside = self.terms.beside(self.terms.occupied(near.piece.owner, near.piece.kind, MOVER))
        return f"({'intersection' if near.is_near else 'difference'} {where} {beside})"

    def _placed(
        self, role: str, rule: m.MoveRule, move: m.Put | m.Drop | m.PutLow, where: str, goes_on: str
    ) -> list[str]:
        if self.rules.one(m.MustTurnOver):
            add = f'(add (piece (id "{self._plain_name(rule)}" Mover)) (to (site)))'
            turned = f'(promote (between) (piece "{self._plain_name(rule)}") Mover)'
            lines = _all_around(f"(allCombinations {add} {turned})")
            return [f"(forEach Site {where} (append (custodial (from (site)) {lines})))"]
        hands = {hand.kind for hand in self.rules.all(m.Hand)}
        then = self.then(move, rule, goes_on=goes_on)
        if hands & {move.kind, "piece"} or (hands and move.kind == "piece"):
            if len(self.terms.translation.kinds[role]) > 1 or move.kind in self.terms.neutral:
                raise NoLudeme(rule)
            return [f"(move (from (handSite Mover)) (to {where}){then})"]
        is_plain = self.terms.translation.is_plain and move.kind not in self.terms.neutral
        what = "" if is_plain else f"(piece {self.terms.piece(move.kind, MOVER)}) "
        if move.kind in self.terms.neutral:
            what = f'(piece "{self.terms.called(move.kind)}0") '
        return [f"(move Add {what}(to {where}){then})"]

    def domino(self, role: str, rule: m.MoveRule, move: m.Domino, goes_on: str) -> list[str]:
        """Write the move that covers two empty neighbours."""
        lay = [f'(add (piece "Domino0") (to (last {end})))' for end in ("From", "To")]
        ways = {"any": ("E", "N"), "flat": ("E",), "upright": ("N",)}[move.way]
        return self._pairs(rule, move, "(sites Empty)", "(is Empty (to))", lay, ways, goes_on)

    def remove_pair(
        self, role: str, rule: m.MoveRule, move: m.RemovePair, goes_on: str
    ) -> list[str]:
        """Write the move that takes two neighbours off the board."""
        piece = m.Whose(m.ANYONE, move.kind)
        start = self.terms.occupied(piece.owner, piece.kind, MOVER)
        take = [f"(remove (last {end}))" for end in ("From", "To")]
        ends = self.terms.stands(piece, "(to)")
        return self._pairs(rule, move, start, ends, take, ("E", "N"), goes_on)

    def _pairs(
        self,
        rule: m.MoveRule,
        move: m.Move,
        start: str,
        ends: str,
        effects: list[str],
        ways: tuple[str, ...],
        goes_on: str,
    ) -> list[str]:
        if self.terms.straight != "Orthogonal":
            ways = ("E",)
            if not isinstance(self.terms.board_sentence, m.Row):
                raise NoLudeme(rule)
        then = self.then(move, rule, *effects, goes_on=goes_on)
        return [
            f"(move Select (from {start}) (to (sites Around (from) {way} if:{ends})){then})"
            for way in ways
        ]

    def remove(self, role: str, rule: m.MoveRule, move: m.Remove, goes_on: str) -> list[str]:
        """Write the move that takes a piece off the board."""
        where = self.terms.occupied(move.piece.owner, move.piece.kind, MOVER)
        return [f"(move Remove {where}{self.then(move, rule, goes_on=goes_on)})"]

    def leave(self, role: str, rule: m.MoveRule, move: m.Leave, goes_on: str) -> list[str]:
        """Write the move of a piece off the board."""
        own = self.terms.occupied(YOU, move.kind, MOVER)
        me = f"P{self.terms.number(role)}" if rule.player != YOU else MOVER
        where = f"(intersection {own} {self.terms.region(move.region, me, rule)})"
        return [f"(move Remove {where}{self.then(move, rule, goes_on=goes_on)})"]

    def bite(self, role: str, rule: m.MoveRule, move: m.Bite, goes_on: str) -> list[str]:
        """Write the move that removes all above a piece and to its right."""
        start = self.terms.occupied(m.ANYONE, move.kind, MOVER)
        beyond = " ".join(f"(>= ({one} of:(site)) ({one} of:(last To)))" for one in _LINES)
        effect = f"(forEach Site {start} (if (and {beyond}) (remove (site))))"
        return [f"(move Select (from {start}){self.then(move, rule, effect, goes_on=goes_on)})"]

    def switch(self, role: str, rule: m.MoveRule, move: m.Switch, goes_on: str) -> list[str]:
        """Write the move that turns a cell, and its neighbours, on or off."""
        cells = "(sites {(last To)})"
        if move.neighbours:
            cells = f"(union (sites {{(last To)}}) {self.terms.beside('(last To)')})"
        light = f'(add (piece "{self.terms.called(move.kind)}0") (to (site)))'
        effect = f"(forEach Site {cells} (if (is Empty (site)) {light} (remove (site))))"
        then = self.then(move, rule, effect, goes_on=goes_on)
        return [f"(move Select (from (sites Board)){then})"]

    def flip(self, role: str, rule: m.MoveRule, move: m.Flip, goes_on: str) -> list[str]:
        """Write the move that makes a piece of the opponent an own one."""
        where = self._near(self.terms.occupied(OPPONENT, "piece", MOVER), move.near)
        then = self.then(move, rule, goes_on=goes_on)
        return [f'(move Promote {where} (piece "{self._plain_name(rule)}") Mover{then})']

    def swap(self, role: str, rule: m.MoveRule, move: m.Swap, goes_on: str) -> list[str]:
        """Write the move that exchanges two neighbours."""
        start = self.terms.occupied(YOU, move.kind, MOVER)
        other = self.terms.stands(move.other, "(to)")
        beside = f"(sites Around (from) {self.terms.straight} if:{other})"
        then = self.then(move, rule, goes_on=goes_on)
        return [f"(move Swap Pieces {start} {beside}{then})"]

    def pass_turn(self, role: str, rule: m.MoveRule, move: m.Pass, goes_on: str) -> list[str]:
        """Write the move that does nothing."""
        return [f"(move Pass{self.then(move, rule, goes_on=goes_on)})"]


_LINES = ("row", "column")
_WRITERS: dict[type, Callable[[_Play, str, m.MoveRule, Any, str], list[str]]] = {
    m.Put: _Play.put,
    m.Drop: _Play.drop,
    m.PutLow: _Play.put_low,
    m.Domino: _Play.domino,
    m.Step: _Play.travel,
    m.Slide: _Play.travel,
    m.DoubleStep: _Play.double_step,
    m.Jump: _Play.jump,
    m.Leave: _Play.leave,
    m.Remove: _Play.remove,
    m.RemovePair: _Play.remove_pair,
    m.Bite: _Play.bite,
    m.Switch: _Play.switch,
    m.Flip: _Play.flip,
    m.Swap: _Play.swap,
    m.Pass: _Play.pass_turn,
}
