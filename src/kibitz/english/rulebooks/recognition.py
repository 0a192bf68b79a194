"""Recognise a rule book that is the same game.

A sheet that was made from English has them there. They are read again and translated; if the
clauses are those of the sheet, the sentences are the whole game, whatever its size.

Sentences are proposed from what moves change and where play ends in some states, whatever things
are called in the rule sheet. A proposal is translated into GDL, and the game that this makes is
compared with the original. A state at which they differ is looked at as well, and sentences are
proposed again. What is left over is no rule book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice

import kibitz.rulebook as m
from kibitz.board import layout_of
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, State, UngroundedGame
from kibitz.english.rulebooks.changes import Actors, moves_by_player
from kibitz.english.rulebooks.choices import choice_book_of
from kibitz.english.rulebooks.comparison import Comparison, compare_games
from kibitz.english.rulebooks.ends import propose_ends
from kibitz.english.rulebooks.lettered_ends import Boards, with_lettered_ends
from kibitz.english.rulebooks.moves import MoveSentences, are_known, propose_moves
from kibitz.english.rulebooks.names import piece_kinds, player_names
from kibitz.english.rulebooks.positions import (
    Contents,
    Position,
    Sample,
    View,
    board_of,
    positions_from,
    region_of,
    remembered,
    views_of,
)
from kibitz.english.rulebooks.statements import statements_of
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import Function, RuleSheet, clauses_of, parse, read


def own_sentences(sheet: RuleSheet) -> m.Rules | None:
    """Return the rules that a sheet's first comment says, if they are those of the sheet.

    >>> text = m.rulebook_gdl('''There is a pile of 7 counters. Players: Ann and Bob. On your turn,
    ... take one to three counters from a pile. You lose if you cannot move.''')
    >>> print(m.write_rulebook(own_sentences(parse(text))).splitlines()[0])
    There is a pile of 7 counters.
    >>> own_sentences(parse(text.replace("(heap a 7)", "(heap a 6)"))) is None
    True
    """
    comment = _first_comment(sheet)
    _, _, after_title = comment.partition("\n\n")
    comment = after_title or comment
    if not m.looks_english(comment):
        return None
    try:
        rules = m.read_sentences(comment).rules
        made = clauses_of(parse(m.gdl_of(rules)))
    except KibitzError:
        return None
    return rules if set(made) == set(clauses_of(sheet)) else None


def _first_comment(sheet: RuleSheet) -> str:
    """Return the comment lines before the first rule."""
    lines = []
    for line in sheet.source.text.splitlines():
        found = re.match(r"\s*;+\s?(.*)", line)
        if found is None:
            break
        lines.append(found[1])
    return "\n".join(lines)


_ROUNDS = 4
_FEW = 20
_COMPARISONS = 8
_OPENINGS = 2
_RARELY = 2
_BUDGET = Budget(seconds=10)


@dataclass(frozen=True)
class RuleBook:
    """A game in sentences: the rules, the number of states they were compared on, what is missing.

    `rules` is None where sentences for the whole game were not found; `missing` then names what
    could not be said. `is_exhaustive` says that all states were compared. Sentences with letters
    alone are compared rule for rule, so with no states; what `is_own` are the sentences that the
    sheet was made from.
    """

    rules: m.Rules | None
    states: int = 0
    is_exhaustive: bool = False
    missing: tuple[str, ...] = ()
    is_own: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the sentences are the whole game."""
        return self.rules is not None

    @property
    def has_letters(self) -> bool:
        """Whether the sentences are those with letters, for which others come first."""
        return self.rules is not None and bool(self.rules.all(m.Statement))

    @property
    def title(self) -> str:
        """The name that the rules give the game; empty where they give none."""
        named = self.rules.one(m.Title) if self.rules else None
        return named.name if named else ""

    @property
    def plain_sentences(self) -> tuple[str, ...]:
        """The sentences before those with letters, where these say no more than the end."""
        return m.before_letters(self.text.splitlines()) if self.has_letters else ()

    @property
    def is_mixed(self) -> bool:
        """Whether sentences with and without letters stand side by side."""
        return bool(self.plain_sentences)

    @property
    def text(self) -> str:
        """The sentences, one a line."""
        return "" if self.rules is None else m.write_rulebook(self.rules)

    @property
    def text_below_title(self) -> str:
        """The sentences without the name of the game, which stands above them."""
        if self.rules is None:
            return ""
        return m.write_rulebook(
            m.Rules(tuple(one for one in self.rules.sentences if not isinstance(one, m.Title)))
        )


def rule_book_of(game: Game, *, moves: int = 6_000) -> RuleBook:
    """Put the rules of a game into sentences: its own, patterned ones, else those with letters.

    `moves` bounds how many moves are compared.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> book = rule_book_of(make_game(load_sheet("nim:1,2")))
    >>> print(book.text)
    There are piles of 1 and 2 counters.
    Players: Player 1 and Player 2.
    Player 1 begins.
    On your turn, take any number of counters from a pile.
    You lose if you cannot move.
    >>> book.is_complete, book.states, book.is_exhaustive
    (True, 8, True)
    """
    if (own := own_sentences(game.sheet)) is not None:
        return RuleBook(own, is_exhaustive=True, is_own=True)
    book = (
        RuleBook(None, missing=("what moves do",))  # played too slowly to be compared
        if isinstance(game, UngroundedGame)
        else _patterned_book(game, moves)
    )
    if not book.is_complete:
        names = dict(zip(game.roles, player_names(game.roles), strict=True))
        lettered = statements_of(game.sheet, names)
        if lettered is not None:
            return RuleBook(lettered, is_exhaustive=True)
    return book


def _patterned_book(game: Game, moves: int) -> RuleBook:
    names = player_names(game.roles)
    sample = Sample(game)
    first = sample.first_mover()
    if first is None:
        at_once = sample.has_simultaneous_moves()
        choices = choice_book_of(game, names, moves=moves) if at_once else None
        if choices is not None:
            return RuleBook(choices.rules, choices.states, choices.is_exhaustive)
        what = "moves that players make at the same time" if at_once else "whose turn it is"
        return RuleBook(None, missing=(what,))
    missing = "the board"
    comparisons = 0
    is_full = False
    in_part: list[_Seen] = []
    for view in views_of(layout_of(game)):
        start = view.contents(game.initial().fluents)
        if start is None or not _has_board(view, start):
            continue
        if not view.blank:
            is_full = all(start)
        elif not is_full:  # an empty cell is one without a content
            continue
        if not _is_promising(game, view, sample, names, first):
            missing = max(missing, "the moves", key=_PROGRESS.index)
            continue
        seen = _Seen(game, view, first)
        if not seen.add(sample.states):
            continue
        in_part.append(seen)
        for _ in range(_ROUNDS):
            proposal = _Proposal(game, view, seen.positions, names, first)
            missing = max(missing, proposal.missing, key=_PROGRESS.index)
            differ: list[tuple[State, int]] = []
            for rules in proposal.rules():
                comparisons += 1
                if comparisons > _COMPARISONS:
                    break
                compared = _compare(game, view, proposal.actors, rules, moves)
                missing = max(missing, proposal.missing, key=_PROGRESS.index)
                if compared.agree:
                    return RuleBook(rules, compared.states, compared.is_complete)
                differ += seen.new(compared)
            missing = max(missing, proposal.missing, key=_PROGRESS.index)
            if not differ or not seen.add(differ):
                break
    for seen in in_part:
        mixed = _with_lettered_ends(seen, sample.turn_fluent(first), names, moves)
        if mixed is not None:
            return mixed
    return RuleBook(None, missing=(_named_missing(missing, game),))


class _Seen:
    """States of a game, each with its depth, and as positions of a view."""

    def __init__(self, game: Game, view: View, first: int) -> None:
        self.game, self.view, self.first = game, view, first
        self.states: list[tuple[State, int]] = []
        self.positions: list[Position] = []

    def add(self, states: list[tuple[State, int]]) -> bool:
        """Add states; return whether the view fits them."""
        positions = positions_from(self.game, self.view, states, self.first)
        if positions is None or not _fits(self.view, positions):
            return False
        self.states += states
        self.positions += positions
        return True

    def new(self, compared: Comparison) -> list[tuple[State, int]]:
        """Return the state at which games differ, if it is not known."""
        known = {state.key for state, _ in self.states}
        where = compared.where
        return [] if where is None or where[0].key in known else [where]


def _with_lettered_ends(
    seen: _Seen, turn: str, names: tuple[str, ...], moves: int
) -> RuleBook | None:
    """Put all but the end into sentences without letters, if the whole is the game then."""
    game, view = seen.game, seen.view
    for _ in range(_ROUNDS):
        proposal = _Proposal(game, view, seen.positions, names, seen.first)
        new: list[tuple[State, int]] = []
        for opening in islice(proposal.openings(), _OPENINGS):
            boards = proposal.boards(seen.states, turn)
            for rules in with_lettered_ends(game.sheet, opening, boards):
                compared = _compare(game, view, proposal.actors, rules, moves)
                if compared.agree:
                    return RuleBook(rules, compared.states, compared.is_complete)
                new = seen.new(compared)
                if new or compared.is_about_moves:  # whatever is said of the end
                    break
            if new:
                break
        if not new or not seen.add(new):
            return None
    return None


def _is_promising(
    game: Game, view: View, sample: Sample, names: tuple[str, ...], first: int
) -> bool:
    """Return whether the changes of the first moves have names, before more are looked at."""
    positions = positions_from(game, view, sample.states[:_FEW], first)
    if positions is None or not _fits(view, positions):
        return positions is None
    board = board_of(view, positions[0].contents)
    geometry = m.geometry_of(m.Rules.of(board))
    return are_known(positions, view, geometry, _actors(positions, view, names))


def _has_board(view: View, start: Contents) -> bool:
    """Return whether the board of a view can be put into a sentence."""
    if view.kind == "piles" and not all((content or "0").isdecimal() for content in start):
        return False
    try:
        m.geometry_of(m.Rules.of(board_of(view, start)))
    except KibitzError:
        return False
    return True


def _fits(view: View, positions: list[Position]) -> bool:
    """Return whether piles hold numbers that can be written."""
    if view.kind != "piles":
        return True
    held = {content for one in positions for content in one.contents}
    return all((content or "0").isdecimal() and int(content or 0) <= 40 for content in held)


_PROGRESS = ["the board", "the moves", "the end", "something rare"]
"""What is missing, the least that was found first."""


def _named_missing(missing: str, game: Game) -> str:
    names = sorted({str(f.name) for f in game.initial().fluents})
    if missing == "the board":
        return f"what {', '.join(names[:8])} mean{'s' * (len(names) == 1)}"
    if missing == "the moves":
        roles = game.roles
        legal = {move.name for role in roles for move in game.initial().legal(role) if move.args}
        return f"what moves do ({', '.join(sorted(legal)[:8])})" if legal else "what moves do"
    if missing == "the end":
        return "when play ends, and who then wins"
    return "a rule that was not recognised"


class _Proposal:
    """Rule books that fit the positions of a view."""

    def __init__(
        self,
        game: Game,
        view: View,
        positions: list[Position],
        names: tuple[str, ...],
        first: int,
    ) -> None:
        self.game, self.view, self.positions, self.first = game, view, positions, first
        self.actors = _actors(positions, view, names)
        self.missing = "the moves"

    def rules(self) -> Iterator[m.Rules]:
        """Yield rule books, the simplest first."""
        board = board_of(self.view, self.positions[0].contents)
        geometry = m.geometry_of(m.Rules.of(board))
        for moves in self._moves(geometry):
            self.missing = max(self.missing, "the end", key=_PROGRESS.index)
            ends = propose_ends(self.positions, self.view, geometry, self.actors)
            if ends is None:
                return
            self.missing = "something rare"
            yield m.Rules.of([*board, *self._players(moves), *moves.rules, *ends])

    def _moves(self, geometry: m.Geometry | None) -> Iterator[MoveSentences]:
        heads = (rule.head for rule in self.game.sheet.rules if rule.head.relation == "legal")
        moves = (head.args[-1] for head in heads)
        sizes = {len(move.args) for move in moves if isinstance(move, Function)}
        return propose_moves(self.positions, self.view, geometry, self.actors, sizes)

    def openings(self) -> Iterator[m.Rules]:
        """Yield rule books without an end."""
        board = board_of(self.view, self.positions[0].contents)
        geometry = m.geometry_of(m.Rules.of(board))
        for moves in self._moves(geometry):
            yield m.Rules.of([*board, *self._players(moves), *moves.rules])

    def boards(self, states: list[tuple[State, int]], turn: str) -> Boards:
        """Return how the rule sheet speaks of the board, as far as some states show."""
        fluents = dict.fromkeys(fluent for state, _ in states for fluent in state.fluents)
        roles = zip(self.game.roles, self.actors.players, strict=True)
        held = {content: _held(content, self.actors) for content in self.actors.kind}
        everyone = moves_by_player(self.positions, self.view, None, self.actors)
        made = [
            (move, content, tuple(self.view.cells[n] for n in cells))
            for each in everyone.values()
            for one in each.seen
            for (move, _), change in zip(one.position.moves, one.changes, strict=True)
            for content, cells in each.cells_of(change)
        ]
        return Boards(self.view, held, dict(roles), tuple(fluents), turn, made)

    def _players(self, moves: MoveSentences) -> Iterator[m.Sentence]:
        names = self.actors.players
        yield m.Players(names)
        if len(names) > 1:
            yield m.Begins(names[self.first])
        if moves.hand:
            yield m.Hand(m.YOU, moves.hand)
        used = {
            one.kind
            for rule in moves.rules
            if isinstance(rule, m.MoveRule)
            for one in rule.moves
            if isinstance(one, m.Put | m.Drop | m.PutLow)
        }
        if self.view.kind == "piles":
            return
        start = self.positions[0].contents
        last = len(names)

        def rank(content: str) -> tuple[int, str, str]:
            owner = self.actors.owner.get(content, last)
            return owner, self.actors.kind[content], content

        for content in sorted({content for content in start if content}, key=rank):
            cells = [self.view.cells[n] for n, held in enumerate(start) if held == content]
            owner = self.actors.owner.get(content)
            player = m.YOU if owner is None else names[owner]
            alone = 1 if player and len(cells) == 1 else None
            yield m.Start(player, self.actors.kind[content], region_of(self.view, cells), alone)
            if owner is None:
                used.discard(self.actors.kind[content])
        for content, kind in sorted(self.actors.kind.items()):
            if content not in self.actors.owner and kind in used:
                yield m.Belongs(kind)


def _actors(positions: list[Position], view: View, names: tuple[str, ...]) -> Actors:
    """Find whose each content is: that of the only player who makes it appear or moves it."""
    contents: set[str] = set()
    makers: dict[str, set[int]] = {}
    for one in positions:
        contents |= set(one.contents) - {""}
        for _, after in one.moves:
            for old, new in zip(one.contents, after, strict=True):
                if new and new != old:
                    makers.setdefault(new, set()).add(one.mover)
    owner: dict[str, int] = {}
    if view.kind != "piles" and len(names) > 1:
        owner = {c: next(iter(who)) for c, who in makers.items() if len(who) == 1}
        if len(owner) == 1 and len(contents) == 1:
            owner = {}
    owned = piece_kinds(dict(sorted(owner.items())), names)
    kind = {c: owned.get(c) or _noun(c) for c in contents}
    if _covers_pairs(positions):
        kind = {c: "piece" if c in owner else "domino" for c in contents}
    return Actors(names, owner, kind)


def _covers_pairs(positions: list[Position]) -> bool:
    """Return whether every move fills two cells with the same."""
    for one in positions:
        for _, after in one.moves:
            new = [b for a, b in zip(one.contents, after, strict=True) if a != b]
            if len(new) != 2 or new[0] != new[1] or not new[0]:
                return False
    return True


def _noun(content: str) -> str:
    """Return a word for a content that is nobody's."""
    word = re.sub(r"[^a-z]", "", content.lower())
    known = {"x": "cross", "o": "nought", "on": "light", "up": "pin", "choc": "crumb"}
    word = known.get(word, word)
    return word if len(word) > 2 and not word.endswith("s") and word not in m.RESERVED else "stone"


def _compare(game: Game, view: View, actors: Actors, rules: m.Rules, moves: int) -> Comparison:
    """Translate rules and compare the game that they make with the original."""
    text = m.write_rulebook(rules)
    try:
        again = m.read_sentences(text).rules
        if again != rules:
            return Comparison(False, 0, False, "the sentences are read in another way")
        translated = made_game(read(m.gdl_of(again), name="rules"))
    except KibitzError:
        return Comparison(False, 0, False, "the sentences make no game")
    cells = {cell: number for number, cell in enumerate(view.cells)}
    shown = {_held(content, actors): content for content in actors.kind}

    known: dict[int, tuple[Function, tuple[int, str]]] = {}

    def place(fluent: Function) -> tuple[int, str]:
        if fluent.name not in ("cell", "heap"):
            return -1, ""
        *cell, content = map(str, fluent.args)
        number = cells[tuple(cell)]
        if fluent.name == "heap":
            return number, content
        return (-1, "") if content == "b" else (number, shown.get(content, content))

    def read_other(state: State) -> Contents | None:
        found = [""] * len(view.cells)
        for fluent in state.fluents:
            number, content = remembered(known, fluent, place)
            if number >= 0:
                found[number] = content
        return tuple(found)

    def read_one(state: State) -> Contents | None:
        held = view.contents(state.fluents)
        if held is not None and view.kind == "piles":
            return tuple(one or "0" for one in held)
        return held

    if rules.one(m.PassIfStuck):
        moves *= _RARELY  # that nobody can move is rare, and must be met for it to be compared
    return compare_games(game, translated, read_one, read_other, moves=moves)


def made_game(sheet: RuleSheet) -> Game:
    """Make a game of a translation: compiled, or if that takes long, not.

    It is played for some thousand moves, for which code of its own would take long to make.
    """
    backend = "interpreter" if find_spec("llvmlite") else "auto"
    try:
        return CompiledGame(sheet, budget=_BUDGET, backend=backend)
    except BudgetExceededError:
        return UngroundedGame(sheet)


def _held(content: str, actors: Actors) -> str:
    """Return what a content is in the translation."""
    if content in actors.owner:
        role = actors.players[actors.owner[content]].lower()
        return role if actors.is_plain else f"{role}_{actors.kind[content]}"
    return actors.kind[content]
