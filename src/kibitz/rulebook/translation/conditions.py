"""A condition in, the literals that ask whether it holds out, with the rules they need."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from kibitz.rulebook import model as m
from kibitz.rulebook.model import ANYONE, OPPONENT, YOU
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.scoring import amounts, amounts_there

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


def condition_literals(
    t: Translation, end: m.Sentence, condition: m.Condition, who: str
) -> list[str]:
    """Return literals that hold where a condition does, for a player."""
    if isinstance(condition, _OF_NOBODY):
        return _OF_NOBODY_LITERALS[type(condition)](t, end, condition)
    if isinstance(condition, m.Choice):
        return _choice(t, end, who)
    holder, bound = _holder(t, condition.owner, who)
    return [*bound, *_OF_PLAYER[type(condition)](t, end, condition, holder)]


def _holder(t: Translation, owner: str, who: str) -> tuple[str, list[str]]:
    """Return the term for an owner, and the literals that bind it."""
    if owner == YOU:
        return who, []
    if owner == OPPONENT:
        other = t.fresh("other")
        return other, [f"(role {other})", f"(distinct {other} {who})"]
    return t.role(owner), []


# Of the board as a whole


def _full(t: Translation, end: m.Sentence, condition: m.BoardFull) -> list[str]:
    t.board  # noqa: B018 - raises where there is none
    t.sheet.rule("open", t.empty(t.at()))
    return ["(not open)"]


def _nothing_left(t: Translation, end: m.Sentence, condition: m.BoardEmpty) -> list[str]:
    if t.heaps():
        t.sheet.rule("left", "(true (heap ?heap ?size))", "(distinct ?size 0)")
    else:
        t.board  # noqa: B018
        t.sheet.rule("left", f"(true (cell {t.at()} ?content))", "(distinct ?content b)")
    return ["(not left)"]


def _turns(t: Translation, end: m.Sentence, condition: m.TurnsPlayed) -> list[str]:
    return [f"(true (turns {condition.count}))"]


def _repeated(t: Translation, end: m.Sentence, condition: m.Repeated) -> list[str]:
    """Remember the board of so many turns, and compare the oldest with what is there."""
    turns, players = condition.turns, len(t.roles)
    if not 2 <= turns <= 12 or turns % players:
        message = f"a position is compared with one 2 to 12 turns ago, a multiple of {players}"
        raise RulesProblem("ENG005", message, end)
    _remember_boards(t, end, turns)
    return _same_as(t, turns)


def _seen_before(t: Translation, end: m.Sentence, condition: m.SeenBefore) -> list[str]:
    """Remember the boards of so many turns, and compare each with what is there."""
    turns, players = condition.turns, len(t.roles)
    if not players <= turns <= 20:
        message = f"a position is compared with those of the last {players} to 20 turns"
        raise RulesProblem("ENG005", message, end)
    _remember_boards(t, end, turns)
    for ago in range(players, turns + 1, players):
        t.sheet.rule(f"seen_in_{turns}", _same_as(t, ago))
    return [f"seen_in_{turns}"]


def _remember_boards(t: Translation, end: m.Sentence, turns: int) -> None:
    if t.rules.all(m.Hand) or t.has_long_turns:
        raise RulesProblem("ENG005", "positions are compared on the board alone", end)
    cell = f"{t.board and t.at()} ?content"
    t.sheet.rule(f"(next (was 1 {cell}))", f"(true (cell {cell}))")
    for ago in range(1, turns):
        t.sheet.rule(f"(next (was {ago + 1} {cell}))", f"(true (was {ago} {cell}))")


def _same_as(t: Translation, ago: int) -> list[str]:
    cell = f"{t.at()} ?content"
    was = f"(true (was {ago} {cell}))"
    t.sheet.rule(f"differs_from_{ago}_ago", was, f"(not (true (cell {cell})))")
    t.sheet.rule(f"remembers_{ago}_ago", was)
    return [f"remembers_{ago}_ago", f"(not differs_from_{ago}_ago)"]


def _line_there(t: Translation, end: m.Sentence, line: m.LineThere) -> list[str]:
    t.known_kind(line.kind)
    name = f"{line.kind}s_in_line_{line.count}" + ("" if line.ways == "line" else f"_{line.ways}")
    for cells, steps in _chain(t, end, line.ways, line.count):
        if line.kind == "piece":
            held = [f"(true (cell {cell} ?content))" for cell in cells]
            held.append("(distinct ?content b)")
        else:
            held = [one for cell in cells for one in t.holds(cell, ANYONE, line.kind, "?player")]
        t.sheet.rule(name, held, steps)
    return [name]


def _count_there(t: Translation, end: m.Sentence, condition: m.CountThere) -> list[str]:
    most = amounts_there(t, condition.kind)
    return _compared(t, condition, most, "", f"{condition.kind}_there")


def _nobody_can_move(t: Translation, end: m.Sentence, condition: m.NobodyCanMove) -> list[str]:
    t.sheet.rule("somebody_can_move", "(can_move ?player)")
    return ["(not somebody_can_move)"]


def _choice(t: Translation, end: m.Sentence, who: str) -> list[str]:
    if not t.rules.all(m.Beats):
        hint = 'write such as "Rock beats scissors."'
        raise RulesProblem("ENG002", "it is not said what beats what", end, hint)
    t.sheet.rule("(next (beat ?player))", "(beaten_by ?other ?player)")
    return [f"(true (beat {who}))"]


# Of a player


def _cannot_move(
    t: Translation, end: m.Sentence, condition: m.CannotMove, holder: str
) -> list[str]:
    turn = [f"(true (control {holder}))"] if t.has_control else []
    return [*turn, f"(not (can_move {holder}))"]


def _moved_last(t: Translation, end: m.Sentence, condition: m.MovedLast, holder: str) -> list[str]:
    if not t.has_control:
        raise RulesProblem("ENG005", "only players that take turns move last", end)
    if t.has_long_turns:
        return [f"(true (moved {holder}))"]
    for role, after in zip(t.roles, (*t.roles[1:], t.roles[0]), strict=True):
        t.later(f"(followed_by {role} {after})")
    t.sheet.rule("(moved_last ?player)", "(followed_by ?player ?next)", "(true (control ?next))")
    return [f"(moved_last {holder})"]


def _chain(
    t: Translation, end: m.Sentence, ways: str, count: int
) -> list[tuple[list[str], list[str]]]:
    """Return for each way of a line its cells, and the literals that bind them."""
    if not 2 <= count <= 20:
        raise RulesProblem("ENG004", "a line has 2 to 20 pieces", end)
    found = []
    for way in t.board.line_ways(ways, end):
        cells = [t.at(number) for number in range(1, count + 1)]
        pairs = itertools.pairwise(cells)
        found.append((cells, [t.step(way, a, b, [way]) for a, b in pairs]))
    return found


def _line(t: Translation, end: m.Sentence, line: m.Line, holder: str) -> list[str]:
    name = f"line_of_{line.count}" + ("" if line.ways == "line" else f"_{line.ways}")
    if line.kind != "piece":
        t.known_kind(line.kind)
        name += "" if t.is_plain else f"_{line.kind}s"
    for cells, steps in _chain(t, end, line.ways, line.count):
        held = [t.holds(cell, YOU, line.kind, "?player") for cell in cells]
        body = list(held[0])
        for step, own in zip(steps, held[1:], strict=True):
            body += [step, *own]
        t.sheet.rule(f"({name} ?player)", "(role ?player)", body)
    return [f"({name} {holder})"]


def _sum(t: Translation, end: m.Sentence, condition: m.Sum, holder: str) -> list[str]:
    if not isinstance(t.board.board, m.Row | m.Ring):
        raise RulesProblem("ENG005", "only cells in a row or a ring have numbers", end)
    if not 2 <= condition.count <= 4 or len(t.board.cells) > 20:
        raise RulesProblem("ENG004", "2 to 4 numbers of at most 20 are added up", end)
    name = f"add_up_to_{condition.total}"
    numbers = range(1, len(t.board.cells) + 1)
    for chosen in combinations(numbers, condition.count):
        if sum(chosen) == condition.total:
            t.later(f"({name} {' '.join(map(str, chosen))})")
    cells = [t.at(number) for number in range(1, condition.count + 1)]
    held = [one for cell in cells for one in t.holds(cell, YOU, "piece", "?player")]
    has = f"has_sum_{condition.count}_{condition.total}"
    t.sheet.rule(f"({has} ?player)", "(role ?player)", f"({name} {' '.join(cells)})", held)
    return [f"({has} {holder})"]


def _connected(t: Translation, end: m.Sentence, condition: m.Connected, holder: str) -> list[str]:
    grid = t.board.board
    if not isinstance(grid, m.Grid):
        raise RulesProblem("ENG005", "only a grid has sides to connect", end)
    columns = sorted({cell[0] for cell in t.board.cells})
    sides = (
        (f"{columns[0]} ?y", f"{columns[-1]} ?y")
        if condition.sides == "sideways"
        else ("?x 1", f"?x {grid.rows}")
    )
    chain = f"chain_{condition.sides}"
    one, two = t.at(1), t.at(2)
    first = t.holds(sides[0], YOU, "piece", "?player")
    t.sheet.rule(f"({chain} ?player {sides[0]})", "(role ?player)", first)
    beside = t.adjacent(one, two, end)
    held = t.holds(two, YOU, "piece", "?player")
    t.sheet.rule(f"({chain} ?player {two})", f"({chain} ?player {one})", beside, held)
    t.sheet.rule(f"(connects_{condition.sides} ?player)", f"({chain} ?player {sides[1]})")
    return [f"(connects_{condition.sides} {holder})"]


def _no_piece(t: Translation, end: m.Sentence, condition: m.NoPiece, holder: str) -> list[str]:
    return [f"(not {_has(t, condition.kind, holder)})"]


def _has(t: Translation, kind: str, holder: str) -> str:
    """Return the literal: a player has a piece of a kind."""
    t.known_kind(kind)
    held = t.holds(t.at(), YOU, kind, "?player")
    t.sheet.rule(f"(has_{kind} ?player)", "(role ?player)", held)
    return f"(has_{kind} {holder})"


def _stands(t: Translation, end: m.Sentence, condition: m.Stands, holder: str) -> list[str]:
    region = condition.region
    if isinstance(region, m.Cells) and len(region.names) == 1:
        cell = t.board.find(region.names[0])
        return t.holds(" ".join(cell), YOU, condition.kind, holder)
    at = t.at(t.fresh("at")[3:])
    held = t.holds(at, YOU, condition.kind, holder)
    where = t.region(f"goal_{_short(region)}", lambda n: t.board.region(region, n, end), at, holder)
    return [*held, where]


def _all_on(t: Translation, end: m.Sentence, condition: m.AllOn, holder: str) -> list[str]:
    region, kind = condition.region, condition.kind
    has = _has(t, kind, holder)
    name = f"{kind}_off_{_short(region)}"
    where = t.region(
        f"goal_{_short(region)}", lambda n: t.board.region(region, n, end), t.at(), "?player"
    )
    held = t.holds(t.at(), YOU, kind, "?player")
    t.sheet.rule(f"({name} ?player)", "(role ?player)", held, f"(not {where})")
    return [has, f"(not ({name} {holder}))"]


def _count(t: Translation, end: m.Sentence, condition: m.Count, holder: str) -> list[str]:
    return _compared(t, condition, amounts(t, condition.kind, end), holder, condition.kind)


def _count_on(t: Translation, end: m.Sentence, condition: m.CountOn, holder: str) -> list[str]:
    region = condition.region
    on = (_short(region), lambda number: t.board.region(region, number, end))
    most = amounts(t, condition.kind, end, on)
    return _compared(t, condition, most, holder, f"{condition.kind}_on_{_short(region)}")


def _compared(
    t: Translation, condition: m.Count | m.CountOn | m.CountThere, most: int, holder: str, noun: str
) -> list[str]:
    whose = f"{holder} " if holder else ""
    if condition.how == "exactly":
        return [f"(amount_{noun} {whose}{condition.count})"]
    number = t.fresh("n")
    counted = f"(amount_{noun} {whose}{number})"
    if condition.how == "least":
        name = f"at_least_{condition.count}"
        t.later(*(f"({name} {n})" for n in range(condition.count, most + 1)))
    else:
        name = f"fewer_than_{condition.count}"
        t.later(*(f"({name} {n})" for n in range(condition.count)))
    return [counted, f"({name} {number})"]


_OF_NOBODY_LITERALS: dict[type, Callable[[Translation, m.Sentence, Any], list[str]]] = {
    m.BoardFull: _full,
    m.BoardEmpty: _nothing_left,
    m.TurnsPlayed: _turns,
    m.Repeated: _repeated,
    m.SeenBefore: _seen_before,
    m.LineThere: _line_there,
    m.CountThere: _count_there,
    m.NobodyCanMove: _nobody_can_move,
}
_OF_NOBODY = (
    m.BoardFull
    | m.BoardEmpty
    | m.TurnsPlayed
    | m.Repeated
    | m.SeenBefore
    | m.LineThere
    | m.CountThere
    | m.NobodyCanMove
)
_OF_PLAYER: dict[type, Callable[[Translation, m.Sentence, Any, str], list[str]]] = {
    m.CannotMove: _cannot_move,
    m.MovedLast: _moved_last,
    m.Line: _line,
    m.Sum: _sum,
    m.Connected: _connected,
    m.NoPiece: _no_piece,
    m.Stands: _stands,
    m.AllOn: _all_on,
    m.Count: _count,
    m.CountOn: _count_on,
}


def _short(region: m.Region) -> str:
    """Return a name for a region in the rule sheet."""
    if isinstance(region, m.Rows):
        return "row_" + "_".join(map(str, region.numbers))
    if isinstance(region, m.Columns):
        return "column_" + "_".join(region.letters)
    if isinstance(region, m.Cells):
        return "_".join(region.names)
    if isinstance(region, m.Side):
        return f"{region.side}_side"
    if isinstance(region, m.NthRow):
        return f"own_row_{region.number}"
    if isinstance(region, m.HomeRows):
        return f"first_{region.count}_rows"
    names = {
        m.FarRow: "far_row",
        m.HomeRow: "home_row",
        m.Edge: "edge",
        m.Corners: "corner",
        m.Centre: "centre",
        m.TheirStart: "their_start",
    }
    return names.get(type(region), "cell")
