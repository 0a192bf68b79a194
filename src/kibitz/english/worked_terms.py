"""A condition and a move in; out what shows on the board that it holds, and its figures in words.

What is counted gets numbers, groups get the number of their group, runs and heaps what they count,
images under a symmetry and the places of a pair the same letter, threats a sign. Only what holds is
shown: of several alternatives those that are so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase

from kibitz.board import CellRef, Layout, Mark, Style, decisive_cells
from kibitz.engine import CompiledGame, Role, State
from kibitz.english.rules.number_phrases import COMPARING
from kibitz.gdl import Function
from kibitz.strategy import (
    COMPARE,
    And,
    AtLeast,
    Formula,
    Holds,
    Next,
    Not,
    Number,
    NumberIs,
    Or,
    Unchanged,
    Wins,
    group_places,
    leaves,
    next_depth,
    number_in,
    symmetry_words,
    things_at,
    ways_to_win,
)
from kibitz.wording import join_words

_MOST_LABELS = 60
"""More labels than this hide a board."""


@dataclass(frozen=True, slots=True)
class WorkedTerms:
    """Labels on the cells that a condition is about, and sentences with the figures.

    `is_after` says that they are about the state after the move.
    """

    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    is_after: bool = False

    def __bool__(self) -> bool:
        return bool(self.marks or self.notes)


def work_out(formula: Formula, before: State, after: State, layout: Layout) -> WorkedTerms:
    """Show what a condition says of the state after a move; if nothing, of the one before.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> from kibitz.strategy import read_strategy
    >>> start = kibitz.load("nim:3,4,5").initial()
    >>> (rule,) = read_strategy("next nimsum(heap.2) = 0 => any", start.game).rules
    >>> after = start.play("(reduce a 1)")
    >>> work_out(rule.condition, start, after, layout_of(start.game)).notes
    ('The nim-sum of 1, 4 and 5 is 0: 4 + 1 is 5.',)
    """
    for is_after, state in ((True, after), (False, before)):
        worked = _Worked(state, layout)
        for part in _about(formula, is_after):
            worked.add(part)
        worked.threats(_later_winners(formula))
        if worked.notes or worked.labels or worked.framed:
            return WorkedTerms(worked.marks(), tuple(dict.fromkeys(worked.notes)), is_after)
    return WorkedTerms()


def _about(formula: Formula, is_after: bool) -> Iterator[Formula]:
    """Walk what a condition asks of the state after the move, or before it."""
    if next_depth(formula) == 0:
        if not is_after:
            yield formula
        return
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _about(part, is_after)
        case Next(inner) if is_after and next_depth(inner) == 0:
            yield inner


def _later_winners(formula: Formula) -> set[Role]:
    """Return the roles that a condition wants to win after the move, but not with it."""
    match formula:
        case And(parts) | Or(parts):
            return set().union(*map(_later_winners, parts))
        case Next(inner) if next_depth(inner):
            return {leaf.role for leaf in leaves(inner) if isinstance(leaf, Wins)}
    return set()


class _Worked:
    """Labels and sentences in the making, for one state."""

    def __init__(self, state: State, layout: Layout) -> None:
        self.state, self.layout = state, layout
        self.known = frozenset(state.fluents)
        self.labels: dict[CellRef, tuple[str, Style]] = {}
        self.framed: dict[CellRef, None] = {}
        self.notes: list[str] = []
        self.letters = map(_letters, count())

    def marks(self) -> tuple[Mark, ...]:
        """Return frames and labels; no frames around all cells, and only frames for many labels."""
        if len(self.labels) > _MOST_LABELS:
            return tuple(Mark((cell,), "outline") for cell in {**self.framed, **self.labels})
        sizes = {n: len(board.cells) for n, board in enumerate(self.layout.boards)}
        framed = [cell for cell in self.framed if cell not in self.labels]
        count = Counter(cell.board for cell in framed)
        frames = (
            Mark((cell,), "outline") for cell in framed if count[cell.board] < sizes[cell.board]
        )
        labels = (Mark((cell,), style, text) for cell, (text, style) in self.labels.items())
        return (*frames, *labels)

    def add(self, formula: Formula) -> None:
        """Show a condition that holds."""
        match formula:
            case NumberIs(left, comparison, right):
                if COMPARE[comparison](self.value(left), self.value(right)):
                    self.number(left, "label")
                    self.number(right, "second")
                    self.notes += self.comparison(formula)
            case Not(NumberIs(left, comparison, right)):
                if not COMPARE[comparison](self.value(left), self.value(right)):
                    self.number(left, "label")
                    self.number(right, "second")
            case Unchanged():
                self.images(formula)
            case Or((Not(Holds(one)), Not(Holds(other)))):
                if self.pair(one, other):
                    self.notes.append("Places with the same letter are a pair.")
            case And(parts) | Or(parts) | AtLeast(_, parts):
                for part in parts:
                    self.add(part)
            case Holds(fluent) if fluent in self.known:
                self.frame(fluent)
            case Wins() if self.state.is_terminal:
                self.framed |= dict.fromkeys(decisive_cells(self.state, self.layout))

    def threats(self, winners: set[Role]) -> None:
        """Mark the places that would complete a role's way to win."""
        game = self.state.game
        if not isinstance(game, CompiledGame) or self.state.is_terminal:
            return
        taken = things_at(game)
        for role in winners:
            for way in ways_to_win(game, role):
                missing = [thing for thing in way if thing not in self.known]
                if len(missing) == 1 and self.known.isdisjoint(taken[missing[0]]):
                    self.label(missing[0], "!")
        if "!" in {text for text, _ in self.labels.values()}:
            self.notes.append("A place with ! would complete a win.")

    def value(self, number: Number) -> int:
        return number_in(number, self.known)

    def cell(self, fluent: Function) -> CellRef | None:
        place = self.layout.place(fluent)
        return place.cell if place else None

    def frame(self, fluent: Function) -> None:
        cell = self.cell(fluent)
        if cell:
            self.framed[cell] = None

    def label(self, fluent: Function, text: str, style: Style = "label") -> None:
        cell = self.cell(fluent)
        if cell:
            self.labels.setdefault(cell, (text, style))

    def images(self, formula: Unchanged) -> None:
        """Give cells that changed since the start, and their images, the same letter."""
        if any((one in self.known) != (other in self.known) for one, other in formula.pairs):
            return
        changed = self.known ^ frozenset(self.state.game.initial().fluents)
        before = len(self.labels)
        for one, other in formula.pairs:
            if one in changed or other in changed:
                self.pair(one, other)
        if formula.name:
            has_letters = len(self.labels) > before
            start = "Places with the same letter change places" if has_letters else "No place moves"
            self.notes.append(f"{start} in {symmetry_words(formula.name)}.")

    def pair(self, one: Function, other: Function) -> bool:
        """Give two places the same letter; return whether they have none yet."""
        cells = {self.cell(one), self.cell(other)}
        if None in cells or len(cells) < 2 or cells & self.labels.keys():
            return False
        letter = next(self.letters)
        self.label(one, letter)
        self.label(other, letter)
        return True

    def number(self, number: Number, style: Style) -> None:
        """Label the cells that a number is made of."""
        held = [(fluent, value) for fluent, value in number.things if fluent in self.known]
        match number.kind:
            case "count":
                for n, (fluent, _) in enumerate(held, start=1):
                    self.label(fluent, str(n), style)
            case "groups":
                places = [fluent for fluent, _ in number.things]
                pairs = zip(number.table[::2], number.table[1::2], strict=True)
                groups = group_places([fluent in self.known for fluent in places], pairs)
                for n, group in enumerate(groups, start=1):
                    for index in group:
                        self.label(places[index], str(n), style)
            case "runs":
                for run in _runs(held):
                    for fluent in run:
                        self.label(fluent, str(number.table[len(run)]), style)
            case "nimsum" | "largest":
                for fluent, value in held:
                    place = self.layout.place(fluent)
                    if place and str(value) != place.piece:
                        self.label(fluent, str(value), style)
            case "cases":
                for case in number.cases():
                    if all((fluent in self.known) == asked for fluent, asked in case):
                        for fluent, asked in case:
                            if asked:
                                self.frame(fluent)
            case "steps":
                pass
            case _:
                for fluent, _ in held:
                    self.frame(fluent)
        for part in number.parts:
            self.number(part, style)

    def comparison(self, formula: NumberIs) -> Iterator[str]:
        """Write a comparison with the numbers of the state; nothing where that says nothing new."""
        left, right = formula.left, formula.right
        if left.kind == "remainder" and right.kind == "constant" and formula.comparison == "=":
            inner, by = map(self.value, left.parts)
            times, more = divmod(inner, by)
            worked = self.said(left.parts[0])
            start = worked if worked == str(inner) else f"{worked} is {inner}, which"
            rest = f", and {more} more" if more else ""
            yield _sentence(f"{start} is {times} times {by}{rest}.")
            return
        one, other = self.said(left), self.said(right)
        values = str(self.value(left)), str(self.value(right))
        if (one, other) == values:
            if right.kind != "constant":
                same = formula.comparison == "="
                rest = f"{one} is {COMPARING[formula.comparison]}{other}"
                yield f"Here both are {one}." if same else f"Here {rest}."
            return
        powers = self.powers(left) if formula.comparison == "=" and values[1] == "0" else ""
        if formula.comparison == "=" and other == values[1]:
            yield _sentence(f"{one} is {other}{powers}.")
            return
        first = one if one == values[0] else f"{one} is {values[0]}, which"
        is_plain = formula.comparison == "=" or other == values[1]
        second = other if is_plain else f"{values[1]}, {other}"
        yield _sentence(f"{first} is {COMPARING[formula.comparison]}{second}.")

    def powers(self, number: Number) -> str:
        """Show why a nim-sum is 0: larger numbers as sums of powers of two."""
        numbers = sorted(n for n in self.summed(number) if n & (n - 1))
        listed = [f"{' + '.join(map(str, _powers(n)))} is {n}" for n in dict.fromkeys(numbers)]
        return f": {join_words(listed)}" if listed and len(set(self.summed(number))) > 2 else ""

    def summed(self, number: Number) -> list[int]:
        """Return the numbers of which a nim-sum is taken; none of any other number."""
        held = [(fluent, value) for fluent, value in number.things if fluent in self.known]
        match number.kind:
            case "nimsum":
                return [value for _, value in held]
            case "runs":
                return [number.table[len(run)] for run in _runs(held)]
            case "xor":
                return [
                    value
                    for part in number.parts
                    for value in (self.summed(part) if part.kind == "xor" else [self.value(part)])
                ]
        return []

    def said(self, number: Number) -> str:
        """Write how a number is worked out."""
        value = str(self.value(number))
        held = [(fluent, n) for fluent, n in number.things if fluent in self.known]
        values = [str(n) for _, n in held]
        parts = [self.said(part) for part in number.parts]
        match number.kind:
            case "sum" if len(held) > 1:
                return " + ".join(values)
            case "largest" | "smallest" if len(held) > 1:
                return f"the {number.kind} of {join_words(values)}"
            case "nimsum" | "xor" | "runs":
                summed = list(map(str, self.summed(number)))
                return f"the nim-sum of {join_words(summed)}" if len(summed) > 1 else value
            case "plus" | "minus" | "times":
                sign = {"plus": "+", "minus": "-", "times": "times"}[number.kind]
                return f" {sign} ".join(
                    f"({part})" if " " in part and n else part for n, part in enumerate(parts)
                )
            case "distance":
                return f"the distance from {parts[0]} to {parts[1]}"
            case "remainder":
                return f"the remainder of {parts[0]} by {parts[1]}"
            case "entry":
                return f"what the table has for {parts[0]}"
        return value


def _runs(held: Iterable[tuple[Function, int]]) -> list[list[Function]]:
    """Return the runs of fluents that hold at numbers which follow one another."""
    found: list[list[Function]] = []
    last = None
    for fluent, place in sorted(held, key=lambda thing: thing[1]):
        if last is None or place != last + 1:
            found.append([])
        found[-1].append(fluent)
        last = place
    return found


def _powers(number: int) -> list[int]:
    """Return the powers of two that a number is the sum of, from the largest."""
    return [1 << bit for bit in reversed(range(number.bit_length())) if number >> bit & 1]


def _letters(number: int) -> str:
    """Return a, b, … z, a2, b2, …"""
    again, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(again + 1) if again else "")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
