"""Write a game as a sheet in the language of Ludii.

In a sheet an end is looked at after a move, and Mover has made it. A sentence about you becomes one
about Mover, or about Next where only the player to move can be meant. Where a move can bring about
what the other player wins or loses by, ends are written for both with `careful`.

The game's rules in sentences, which were compared with it, are written in ludemes. The sheet is
read again, and the game that this makes is compared with that of the sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import kibitz.rulebook as m
from kibitz.engine import Game, State
from kibitz.english.ludemes.moves import joined, play_of
from kibitz.english.ludemes.terms import MOVER, NEXT, NoLudeme, Terms
from kibitz.english.rulebooks.comparison import Comparison, Reader, compare_games
from kibitz.english.rulebooks.positions import Contents
from kibitz.english.rulebooks.recognition import made_game, rule_book_of
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, read
from kibitz.ludii import Ludeme, build_board, parse_ludemes, read_ludii, site_names
from kibitz.rulebook import YOU

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


_WIDTH = 100
_UNKNOWN = (
    m.Simultaneous, m.Pits, m.Stock, m.Clash, m.Worth, m.LineWorth, m.CaptureWorth, m.ArrivalWorth,
)  # fmt: skip


@dataclass(frozen=True)
class LudiiSheet:
    """A game in the language of Ludii, the number of states it was compared on, what is missing.

    `text` is empty where the game has no such sheet, and `missing` says why.
    """

    text: str = ""
    states: int = 0
    is_exhaustive: bool = False
    missing: str = ""


def ludii_sheet_of(game: Game, *, title: str, moves: int = 6_000) -> LudiiSheet:
    """Write the rules of a game for Ludii; `moves` bounds how many moves are compared.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> sheet = ludii_sheet_of(make_game(load_sheet("mnk:2,2,2")), title="Two in a line")
    >>> print(next(line.strip() for line in sheet.text.splitlines() if "(play " in line))
    (play (move Add (to (sites Empty))))
    """
    book = rule_book_of(game, moves=moves)
    if book.rules is None or book.has_letters:
        return LudiiSheet(missing="its rules have no sentences without letters")
    found = LudiiSheet()
    for careful in (False, True):
        try:
            text = write_ludii(book.rules, title=title, careful=careful)
        except NoLudeme as problem:
            return LudiiSheet(missing=f'no ludemes are known for "{problem}"')
        compared = compared_with_sentences(book.rules, text, moves=moves)
        if compared.agree:
            states = min(book.states, compared.states) if book.states else compared.states
            return LudiiSheet(text, states, book.is_exhaustive and compared.is_complete)
        found = LudiiSheet(missing=f"ludemes for it differ in {compared.difference}")
    return found


def write_ludii(rules: m.Rules, *, title: str, careful: bool = False) -> str:
    """Write rules in ludemes; raise NoLudeme with the first sentence that has none.

    With `careful`, also what happens rarely is written out: ends that a move brings about for the
    other player, and passes where a turn cannot go on.

    >>> rules = m.read_sentences('''Size: 3 by 3. Players: White and Black. On your turn, place a
    ... piece on an empty cell. You win if you have three in a line.''').rules
    >>> print(write_ludii(rules, title="Line"))
    (game "Line"
        (players 2)
        (equipment {(board (square 3)) (piece "Disc" Each)})
        (rules
            (play (move Add (to (sites Empty))))
            (end {(if (is Line 3) (result Mover Win)) (if (no Moves Next) (result Mover Draw))})
        )
    )
    """
    for sentence in rules.sentences:
        if isinstance(sentence, _UNKNOWN):
            raise NoLudeme(sentence)
    terms = Terms(rules)
    named = rules.one(m.Title)
    title = (named.name if named else title).replace('"', "'")
    play = play_of(terms, careful=careful)
    end = ends_of(terms, play, careful=careful)
    hands = ["(hand Each)"] if rules.all(m.Hand) else []
    equipment = [terms.board, *hands, *terms.pieces(), *terms.region_ludemes()]
    start = _start(terms)
    started = f"(start {{{' '.join(start)}}}) " if start else ""
    text = (
        f'(game "{title}" {terms.players()}'
        f" (equipment {{{' '.join(equipment)}}}) (rules {started}(play {play}) {end}))"
    )
    return _laid_out(parse_ludemes(text, name="sheet"), 0)


def _start(terms: Terms) -> list[str]:
    """Return what stands on the board and is in hands at the start."""
    found = []
    for start in terms.rules.all(m.Start):
        roles = [""] if start.player == m.YOU else terms.translation.each(start.player)
        for role in roles:
            number = terms.translation.number(role) if role else 0
            cells = terms.geometry.region(start.region, number, start)
            kind = terms.kind_of(role, start.kind) if role else start.kind
            owner = terms.number(role) if role else 0
            suffix = str(owner) if terms.count > 1 or not role else ""
            found.append(f'(place "{terms.called(kind)}{suffix}" {terms.sites(cells)})')
    for hand in terms.rules.all(m.Hand):
        for role in terms.translation.each(hand.player):
            kind = terms.called(terms.kind_of(role, hand.kind))
            number = terms.number(role)
            suffix = str(number) if terms.count > 1 else ""
            found.append(f'(place "{kind}{suffix}" "Hand{number}" count:{hand.count})')
    return found


def _laid_out(ludeme: Ludeme, indent: int) -> str:
    """Return a ludeme on one line, or if that is long with its parts on lines of their own."""
    text, margin = str(ludeme), " " * indent
    is_short = len(text) + indent <= _WIDTH and ludeme.name not in ("game", "rules")
    if is_short or ludeme.shape not in ("call", "list"):
        return margin + text
    label = f"{ludeme.label}:" if ludeme.label else ""
    opening, closing = ("{", "}") if ludeme.shape == "list" else (f"({ludeme.name}", ")")
    items = list(ludeme.items)
    while items and items[0].shape in ("word", "text") and not items[0].label:
        opening += f" {items.pop(0)}"
    if len(items) == 1 and items[0].shape == "list":
        inner = _laid_out(items[0], indent).removeprefix(margin)
        return f"{margin}{label}{opening} {inner}{closing}"
    parts = [_laid_out(item, indent + 4) for item in items]
    return "\n".join([f"{margin}{label}{opening}", *parts, f"{margin}{closing}"])


def compared_with_sentences(rules: m.Rules, text: str, *, moves: int) -> Comparison:
    """Compare the games that sentences and ludemes make."""
    terms = Terms(rules)
    try:
        games = (
            made_game(_begun_by_first(read(m.gdl_of(rules), name="sentences"), terms)),
            made_game(read_ludii(text, name="sheet.lud")),
        )
    except KibitzError:
        return Comparison(False, 0, False, "that they are not read")
    cells = terms.geometry.cells
    board = site_names(build_board(parse_ludemes(terms.board, name="board")))
    labels = {token.strip('"').lower(): cell for cell, token in terms.token.items()}
    place = {
        name: cells.index(labels.get(name, labels.get(str(number), cells[0])))
        for number, name in enumerate(board)
    }
    contents = terms.contents()
    order = {cell: number for number, cell in enumerate(cells)}

    def read_sentences(arguments: tuple[str, ...]) -> tuple[int, str]:
        *cell, content = arguments
        return order[tuple(cell)], "" if content == "b" else content

    def read_ludemes(arguments: tuple[str, ...]) -> tuple[int, str]:
        site, content = arguments
        return place[site], contents.get(content, "")

    readers: list[Reader] = []
    for reading in (read_sentences, read_ludemes):

        def contents_of(state: State, reading=reading) -> Contents:  # type: ignore[no-untyped-def]
            held = [""] * len(cells)
            for fluent in state.fluents:
                if fluent.name == "cell":
                    number, content = reading(tuple(map(str, fluent.args)))
                    held[number] = content
            return tuple(held)

        readers.append(contents_of)
    return compare_games(*games, *readers, moves=moves)


def _begun_by_first(sheet: RuleSheet, terms: Terms) -> RuleSheet:
    """Return a sheet with its roles in the order of turns, from the one who begins."""
    roles = [rule for rule in sheet.rules if rule.head.relation == "role"]
    others = [rule for rule in sheet.rules if rule.head.relation != "role"]
    return replace(sheet, rules=(*roles[terms.first :], *roles[: terms.first], *others))
