"""A Game in, a sheet in the language of Ludii that is the same game out, or why there is none.

The game's rules in sentences, which were compared with it, are written in ludemes. The sheet is
read again, and the game that this makes is compared with that of the sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import kibitz.rulebook as m
from kibitz.engine import Game, State
from kibitz.english.ludemes.ends import ends_of
from kibitz.english.ludemes.moves import play_of
from kibitz.english.ludemes.terms import NoLudeme, Terms
from kibitz.english.rulebooks.comparison import Comparison, Reader, compare_games
from kibitz.english.rulebooks.positions import Contents
from kibitz.english.rulebooks.recognition import made_game, rule_book_of
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, read
from kibitz.ludii import Ludeme, build_board, parse_ludemes, read_ludii, site_names

__all__ = ["LudiiSheet", "compared_with_sentences", "ludii_sheet_of", "write_ludii"]

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
