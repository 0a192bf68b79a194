"""Sentences about ends in, the `end` of a sheet of Ludii out.

In a sheet an end is looked at after a move, and Mover has made it. A sentence about you becomes one
about Mover, or about Next where only the player to move can be meant. Where a move can bring about
what the other player wins or loses by, ends are written for both with `careful`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kibitz.rulebook as m
from kibitz.english.ludemes.moves import joined
from kibitz.english.ludemes.terms import MOVER, NEXT, NoLudeme, Terms
from kibitz.rulebook import YOU

__all__ = ["ends_of"]

_RESULTS = {"wins": "Win", "loses": "Loss", "draws": "Draw"}
_NEVER = "never"
"""Stands for a condition that cannot hold of a player."""


def ends_of(terms: Terms, play: str, *, careful: bool) -> str:
    """Return how play ends, and who then wins; `play` is what players may do."""
    return _Ends(terms, play, careful).text()


class _Ends:
    def __init__(self, terms: Terms, play: str, careful: bool) -> None:
        self.terms, self.rules, self.play, self.careful = terms, terms.rules, play, careful

    def text(self) -> str:
        """Return the ends in their order, draws after the others."""
        for kind in (m.Graded, m.Result, m.Payoff, m.SamePayoff):
            if found := self.rules.one(kind):
                raise NoLudeme(found)
        ends = [one for one in self.rules.sentences if isinstance(one, m.End | m.Most)]
        stops = self.rules.all(m.GameEnds)
        leader = self.rules.one(m.Leader)
        if leader is not None:
            stops = stops or [m.GameEnds((m.CannotMove(YOU),))]
            ends += [m.Most(one.conditions, leader.how, leader.noun) for one in stops]
        else:
            ends += [m.End(YOU, "draws", one.conditions) for one in stops]
        ends.sort(key=lambda end: isinstance(end, m.End) and end.result == "draws")
        texts = [text for end in ends for text in self._end(end)]
        texts += self._stuck(ends)
        return f"(end {{{' '.join(dict.fromkeys(texts))}}})"

    def _stuck(self, ends: list[m.End | m.Most]) -> list[str]:
        """Return the end of play where the player to move cannot, if no sentence says it."""
        moves = [move for _, move in self.terms.translation.moves]
        said = any(len(end.conditions) == 1 and end.conditions[0] == m.CannotMove(YOU)
                   for end in ends)  # fmt: skip
        if said or self.rules.one(m.PassIfStuck) or any(isinstance(x, m.Pass) for x in moves):
            return []
        if self.terms.count == 1:
            return ["(if (no Moves Next) (result Mover Loss))"]
        return ["(if (no Moves Next) (result Mover Draw))"]

    def _end(self, end: m.End | m.Most) -> list[str]:
        if isinstance(end, m.Most):
            return self._most(end)
        if end.player != YOU:
            me = self.terms.who(end.player, MOVER)
            return [f"(if {self._all(end, me)} (result {me} {_RESULTS[end.result]}))"]
        found = []
        for me in self._spoken_of(end):
            test = self._all(end, me)
            if _NEVER not in test:
                whom = MOVER if end.result == "draws" else me
                found.append(f"(if {test} (result {whom} {_RESULTS[end.result]}))")
        if not found:
            raise NoLudeme(end)
        return found

    def _spoken_of(self, end: m.End) -> list[str]:
        """Return who "you" may be: the player who moved, the one to move, or either of them."""
        if self.terms.count == 1:
            return [MOVER]
        if any(isinstance(one, m.CannotMove) and one.owner == YOU for one in end.conditions):
            return [NEXT]
        whose = [one.owner for one in end.conditions if hasattr(one, "owner")]
        if not self.careful and set(whose) <= {YOU}:
            return [MOVER]
        return [MOVER, NEXT] if whose else [MOVER]

    def _most(self, end: m.Most) -> list[str]:
        if self.terms.count == 1 or end.how != "more" or end.noun in self.terms.neutral:
            raise NoLudeme(end)
        kinds = {kind for own in self.terms.translation.kinds.values() for kind in own}
        if end.noun != "piece" and end.noun not in kinds:
            raise NoLudeme(end)
        me = NEXT if any(isinstance(one, m.CannotMove) for one in end.conditions) else MOVER
        counts = [f"(count Sites in:{self.terms.occupied(YOU, end.noun, f'P{n}')})" for n in (1, 2)]
        scores = " ".join(f"(score P{n} {count})" for n, count in enumerate(counts, start=1))
        return [f"(if {self._all(end, me)} (byScore {{{scores}}}))"]

    # Conditions

    def _all(self, end: m.End | m.Most, me: str) -> str:
        texts = [self._condition(end, one, me) for one in end.conditions]
        return joined("and", [text for text in texts if text] or ["(is Mover Mover)"])

    def _condition(self, end: m.End | m.Most, condition: m.Condition, me: str) -> str:
        writer = _WRITERS.get(type(condition))
        if writer is None:
            raise NoLudeme(end)
        owner = getattr(condition, "owner", YOU)
        return writer(self, end, condition, self.terms.who(owner, me))

    def _has_moved(self, who: str) -> str:
        """Return the condition that a player made the last move; nothing where that is so."""
        return {MOVER: "", NEXT: _NEVER}.get(who, f"(is Mover {who})")

    def line(self, end: m.End, one: m.Line, who: str) -> str:
        """Write that own pieces are in a line, which the last move completed."""
        what = f" what:{self.terms.piece(one.kind, MOVER)}" if one.kind != "piece" else ""
        line = f"(is Line {one.count}{self._line_ways(end, one.ways)}{what})"
        return joined("and", [text for text in (self._has_moved(who), line) if text])

    def line_there(self, end: m.End, one: m.LineThere, who: str) -> str:
        """Write that equal pieces are in a line, which the last move completed."""
        if one.kind not in self.terms.neutral:
            raise NoLudeme(end)
        what = self.terms.piece(one.kind, MOVER)
        return f"(is Line {one.count}{self._line_ways(end, one.ways)} what:{what})"

    def _line_ways(self, end: m.End, ways: str) -> str:
        if not self.terms.geometry.is_grid or self.terms.is_hexagonal:
            return ""
        words = {"straight": "Orthogonal", "diagonal": "Diagonal", "horizontal": "E",
                 "vertical": "N"}  # fmt: skip
        return f" {words[ways]}" if ways in words else ""

    def stands(self, end: m.End, one: m.Stands, who: str) -> str:
        """Write that a piece is on some cells: the one that moved, or any."""
        where = self.terms.region(one.region, who, end)
        if self.careful or who != MOVER:
            own = f"(intersection {self.terms.occupied(YOU, one.kind, who)} {where})"
            return f"(> (count Sites in:{own}) 0)"
        tests = [f"(is In (last To) {where})"]
        if one.kind != "piece" and not self.terms.translation.is_plain:
            tests.append(f"(= (what at:(last To)) {self.terms.piece(one.kind, MOVER)})")
        return joined("and", tests)

    def all_on(self, end: m.End, one: m.AllOn, who: str) -> str:
        """Write that there are pieces, and all of them on some cells."""
        own = self.terms.occupied(YOU, one.kind, who)
        where = self.terms.region(one.region, who, end)
        return f"(and (> (count Sites in:{own}) 0) (all Sites {own} if:(is In (site) {where})))"

    def connected(self, end: m.End, one: m.Connected, who: str) -> str:
        """Write that pieces join two opposite sides."""
        board = self.terms.board_sentence
        if not isinstance(board, m.Grid) or self.rules.all(m.Missing):
            raise NoLudeme(end)
        names = ("left", "right") if one.sides == "sideways" else ("bottom", "top")
        sides = [self.terms.region(m.Side(name), MOVER, end) for name in names]
        way = "" if self.terms.is_hexagonal else " Orthogonal"
        joins = f"(is Connected{way} {{{' '.join(sides)}}})"
        return joined("and", [text for text in (self._has_moved(who), joins) if text])

    def no_piece(self, end: m.End, one: m.NoPiece, who: str) -> str:
        """Write that a player has no piece of a kind."""
        return f"(= (count Sites in:{self.terms.occupied(YOU, one.kind, who)}) 0)"

    def count(self, end: m.End, one: m.Count, who: str) -> str:
        """Write how many pieces a player has."""
        return self._compared(one, self.terms.occupied(YOU, one.kind, who))

    def count_on(self, end: m.End, one: m.CountOn, who: str) -> str:
        """Write how many pieces a player has on some cells."""
        own = self.terms.occupied(YOU, one.kind, who)
        return self._compared(
            one, f"(intersection {own} {self.terms.region(one.region, who, end)})"
        )

    def count_there(self, end: m.End, one: m.CountThere, who: str) -> str:
        """Write how many pieces there are."""
        return self._compared(one, self.terms.occupied(m.ANYONE, one.kind, who))

    def _compared(self, one: m.Count | m.CountOn | m.CountThere, where: str) -> str:
        sign = {"exactly": "=", "least": ">=", "fewer": "<"}.get(one.how, "<")
        return f"({sign} (count Sites in:{where}) {one.count})"

    def cannot_move(self, end: m.End, one: m.CannotMove, who: str) -> str:
        """Write that the player to move cannot."""
        if who == MOVER and self.terms.count > 1:
            return _NEVER
        to_move = "" if who in (MOVER, NEXT) else f"(is Next {who})"
        return joined("and", [text for text in (to_move, "(no Moves Next)") if text])

    def nobody_can_move(self, end: m.End, one: m.NobodyCanMove, who: str) -> str:
        """Write that nobody can move; of who has moved that is asked as if it were their turn."""
        if self.terms.count == 1:
            return "(no Moves Next)"
        return f"(and (no Moves Next) (not (can Move {self.play})))"

    def moved_last(self, end: m.End, one: m.MovedLast, who: str) -> str:
        """Write who moved last."""
        return self._has_moved(who)

    def full(self, end: m.End, one: m.BoardFull, who: str) -> str:
        """Write that no cell is empty."""
        return "(is Full)"

    def nothing_left(self, end: m.End, one: m.BoardEmpty, who: str) -> str:
        """Write that all cells are empty."""
        return "(all Sites (sites Board) if:(is Empty (site)))"

    def turns(self, end: m.End, one: m.TurnsPlayed, who: str) -> str:
        """Write that so many moves were made."""
        if self.terms.translation.has_long_turns:
            raise NoLudeme(end)
        return f"(>= (count Moves) {one.count})"


_WRITERS: dict[type, Callable[[_Ends, Any, Any, str], str]] = {
    m.Line: _Ends.line,
    m.LineThere: _Ends.line_there,
    m.Stands: _Ends.stands,
    m.AllOn: _Ends.all_on,
    m.CountOn: _Ends.count_on,
    m.Connected: _Ends.connected,
    m.NoPiece: _Ends.no_piece,
    m.Count: _Ends.count,
    m.CountThere: _Ends.count_there,
    m.CannotMove: _Ends.cannot_move,
    m.NobodyCanMove: _Ends.nobody_can_move,
    m.MovedLast: _Ends.moved_last,
    m.BoardFull: _Ends.full,
    m.BoardEmpty: _Ends.nothing_left,
    m.TurnsPlayed: _Ends.turns,
}
