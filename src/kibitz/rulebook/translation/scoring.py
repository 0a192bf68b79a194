"""What players have so many of in, rules that count it out: pieces, seeds, stocks, points.

Pieces and points are added up one after the other: the cells, or whatever gives points, have an
order, and `(tally_NOUN ROLE N AMOUNT)` is what a player has of the first N of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import ANYONE, OPPONENT, YOU
from kibitz.rulebook.translation.geometry import Cell
from kibitz.rulebook.translation.problems import RulesProblem, closest

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves
    from kibitz.rulebook.translation.translator import Translation


MAX_COUNTED = 100
MAX_POINTS = 200
_POINT = "point"
_EVENTS = m.CaptureWorth | m.ArrivalWorth

Region = tuple[str, Callable[[int], Iterable[Cell]]]
"""Cells by the number of a player, and what they are called."""


def amounts(
    t: Translation, noun: str, where: m.Sentence | None, region: Region | None = None
) -> int:
    """Write `(amount_NOUN ROLE N)`: what a player has, on a region only; return the largest N."""
    stocks = {stock.noun: stock.most for stock in t.rules.all(m.Stock)}
    stores = t.rules.all(m.Store)
    if noun == _POINT and gives_points(t.rules):
        return _points(t, where)
    if noun in stocks:
        t.sheet.rule(f"(amount_{noun} ?player ?n)", f"(true ({noun} ?player ?n))")
        return stocks[noun]
    if noun == "seed" and stores:
        for store in stores:
            role = t.role(store.player)
            t.sheet.rule(f"(amount_seed {role} ?n)", f"(true (pit {store.cell} ?n))")
        return sum(len(pit.cells) * pit.seeds for pit in t.rules.all(m.Pits))
    if t.geometry is None or t.rules.all(m.Pits):
        raise RulesProblem("ENG003", f"nobody has {noun}s", noun, closest(noun, stocks))
    t.known_kind(noun)
    if noun in t.neutral and len(t.roles) > 1:
        raise RulesProblem("ENG005", f"{noun}s belong to nobody", noun)
    return _pieces(t, noun, region)


def amounts_there(t: Translation, kind: str) -> int:
    """Write `(amount_KIND_there N)`: the pieces of a kind, whoever they belong to."""
    t.known_kind(kind)
    count = _number_cells(t)
    there = f"(there_{kind} {t.at()})"
    t.sheet.rule(there, t.holds(t.at(), ANYONE, kind, "?player"))
    _tally(t, f"{kind}_there", f"(nth ?i ?j {t.at()})", there, "(succ ?n ?more)", count, who="")
    return count


def _number_cells(t: Translation) -> int:
    """Number the cells, and return how many there are."""
    cells = t.board.cells
    if len(cells) > MAX_COUNTED:
        message = f"pieces are counted on boards of at most {MAX_COUNTED} cells"
        raise RulesProblem("ENG004", message, None)
    for number, cell in enumerate(cells):
        t.later(f"(nth {number} {number + 1} {' '.join(cell)})")
    t.later(*(f"(succ {n} {n + 1})" for n in range(len(cells))))
    return len(cells)


def _pieces(t: Translation, kind: str, region: Region | None) -> int:
    """Count pieces of a kind cell by cell."""
    count = _number_cells(t)
    noun = kind if region is None else f"{kind}_on_{region[0]}"
    inside = [] if region is None else [t.region(f"goal_{region[0]}", region[1], t.at(), "?player")]
    mine = f"(mine_{noun} ?player {t.at()})"
    t.sheet.rule(mine, "(role ?player)", t.holds(t.at(), YOU, kind, "?player"), inside)
    _tally(t, noun, f"(nth ?i ?j {t.at()})", mine, "(succ ?n ?more)", count)
    return count


def _tally(
    t: Translation, noun: str, item: str, has: str, more: str, count: int, who: str = "?player "
) -> None:
    before = f"(tally_{noun} {who}?i ?n)"
    t.sheet.rule(f"(tally_{noun} {who}0 0)", "(role ?player)" if who else "")
    t.sheet.rule(f"(tally_{noun} {who}?j ?more)", before, item, has, more)
    t.sheet.rule(f"(tally_{noun} {who}?j ?n)", before, item, f"(not {has})")
    t.sheet.rule(f"(amount_{noun} {who}?n)", f"(tally_{noun} {who}{count} ?n)")


def gives_points(rules: m.Rules) -> bool:
    """Return whether anything on the board, or a capture, is worth points."""
    return any(isinstance(one, m.Worth | m.LineWorth | _EVENTS) for one in rules.sentences)


def _points(t: Translation, where: m.Sentence | None) -> int:
    """Add up the points of what is on the board, and those that moves gave."""
    values = [*_worth_of_pieces(t), *_worth_of_lines(t)]
    moved = _most_of_events(t)
    most = sum(values) + moved
    if len(values) > MAX_COUNTED or most > MAX_POINTS:
        raise RulesProblem(
            "ENG004",
            f"at most {MAX_COUNTED} cells and lines with {MAX_POINTS} points are counted, here "
            f"there are {len(values)} with {most}",
            where,
        )
    if not values:
        t.sheet.rule("(amount_point ?player ?n)", "(true (score ?player ?n))")
        return moved
    t.later(*(f"(item {n} {n + 1} {value})" for n, value in enumerate(values)))
    _addition(t, most, {*values, *range(moved + 1)})
    _tally(
        t, "board", "(item ?i ?j ?value)", "(scored ?player ?j)", "(add ?n ?value ?more)",
        len(values),
    )  # fmt: skip
    on_board = "(amount_board ?player ?n)"
    if moved:
        score = "(true (score ?player ?k))"
        t.sheet.rule("(amount_point ?player ?sum)", on_board, score, "(add ?n ?k ?sum)")
    else:
        t.sheet.rule("(amount_point ?player ?n)", on_board)
    return most


def _addition(t: Translation, most: int, values: Iterable[int]) -> None:
    for value in sorted(set(values)):
        t.later(*(f"(add {n} {value} {n + value})" for n in range(most + 1 - value)))


def _worth_of_pieces(t: Translation) -> list[int]:
    """Write which pieces on which cells give points; return the points of each."""
    values: list[int] = []
    for worth in t.rules.all(m.Worth):
        name = f"gives_points_{len(values)}"
        number = len(values)
        places = [_cells_of(t, worth, n) for n in range(len(t.roles))]
        cells = list(dict.fromkeys(cell for own in places for cell in own))
        for at, cell in enumerate(cells, start=number + 1):
            for role, own in zip(t.roles, places, strict=True):
                if cell in own:
                    t.later(f"({name} {role} {at} {' '.join(cell)})")
        held = t.holds(t.at(), YOU, worth.kind, "?player")
        t.sheet.rule("(scored ?player ?item)", f"({name} ?player ?item {t.at()})", held)
        values += [worth.points] * len(cells)
    return values


def _cells_of(t: Translation, worth: m.Worth, player: int) -> list[Cell]:
    """Return the cells on which pieces of a player have a worth."""
    if not isinstance(worth.region, m.Others):
        return t.board.region(worth.region or m.Every(), player, worth)
    named = {
        cell
        for other in t.rules.all(m.Worth)
        if other.kind == worth.kind and not isinstance(other.region, m.Others)
        for cell in _cells_of(t, other, player)
    }
    return [cell for cell in t.board.cells if cell not in named]


def _worth_of_lines(t: Translation) -> list[int]:
    """Write which lines of pieces give points; return the points of each."""
    values: list[int] = []
    before = sum(
        len({cell for n in range(len(t.roles)) for cell in _cells_of(t, worth, n)})
        for worth in t.rules.all(m.Worth)
    )
    for number, worth in enumerate(t.rules.all(m.LineWorth)):
        if not 2 <= worth.count <= 8:
            raise RulesProblem("ENG004", "a line has 2 to 8 pieces", worth)
        lines = _lines(t, worth)
        name = f"scoring_line_{number}"
        for at, line in enumerate(lines, start=before + len(values) + 1):
            t.later(f"({name} {at} {' '.join(' '.join(cell) for cell in line)})")
        cells = [t.at(n) for n in range(1, worth.count + 1)]
        held = [one for cell in cells for one in t.holds(cell, YOU, worth.kind, "?player")]
        item = f"({name} ?item {' '.join(cells)})"
        t.sheet.rule("(scored ?player ?item)", "(role ?player)", item, held)
        values += [worth.points] * len(lines)
    return values


def _lines(t: Translation, worth: m.LineWorth) -> list[list[Cell]]:
    found: list[list[Cell]] = []
    for way in t.board.line_ways(worth.ways, worth):
        steps = t.board.steps[way]
        for cell in t.board.cells:
            line: list[Cell] = [cell]
            while len(line) < worth.count and line[-1] in steps:
                line.append(steps[line[-1]])
            if len(line) == worth.count and len(set(line)) == len(line):
                found.append(line)
    return found


def _most_of_events(t: Translation) -> int:
    """Return the most points that are counted of captures and arrivals."""
    events = [one for one in t.rules.sentences if isinstance(one, _EVENTS)]
    asked = [
        condition.count
        for end in t.rules.sentences
        if isinstance(end, m.End | m.Most | m.GameEnds | m.Graded)
        for condition in end.conditions
        if isinstance(condition, m.Count) and condition.kind == _POINT
    ]
    return max(asked, default=MAX_POINTS // 2) if events else 0


def _prices(t: Translation) -> dict[str, int]:
    """Return the points for capturing each kind; what is said of pieces holds for all others."""
    named = {worth.kind: worth.points for worth in t.rules.all(m.CaptureWorth)}
    rest = named.pop("piece", None)
    if rest is not None and not named:
        return {"piece": rest}
    kinds = dict.fromkeys(kind for own in t.kinds.values() for kind in own)
    others = {} if rest is None else dict.fromkeys(kinds, rest)
    return {**others, **named}


def arrival_points(moves: Moves, cell: str, *body: str) -> None:
    """Write that a piece that arrives at a cell gives points, where a sentence says so."""
    t = moves.t
    for number, worth in enumerate(t.rules.all(m.ArrivalWorth)):
        region = worth.region
        name = f"arrival_{number}"
        cells = [t.board.region(region, n, worth) for n in range(len(t.roles))]
        where = t.region(name, cells.__getitem__, cell, "?player")
        t.known_kind(worth.kind)
        is_any = t.is_plain or worth.kind == "piece"
        kind = [] if is_any else [f"(owns ?player {worth.kind} ?piece)"]
        moves.sheet.rule(f"(arrives_for ?player {worth.points})", *body, where, kind)


def event_points(moves: Moves) -> None:
    """Write how captures, of one piece at a time, and arrivals add to a score."""
    t, sheet = moves.t, moves.sheet
    events = [one for one in t.rules.sentences if isinstance(one, _EVENTS)]
    if not events:
        return
    if t.rules.one(m.Enclose):
        message = "points for captures are counted where a move captures one piece"
        raise RulesProblem("ENG005", message, events[0])
    most = _most_of_events(t)
    sheet.fact(*(f"(init (score {role} 0))" for role in t.roles))
    cell = t.at()
    for kind, points in _prices(t).items():
        held = t.holds(cell, OPPONENT, kind, "?player")
        sheet.rule(f"(captures_for ?player {points})", f"(takes ?player {cell})", held)
    before, after = "(true (score ?player ?n))", "(next (score ?player ?sum))"
    gains = ["captures_for"] if t.rules.all(m.CaptureWorth) else []
    gains += ["arrives_for"] if t.rules.all(m.ArrivalWorth) else []
    for name in gains:
        sheet.rule(f"(some_{name} ?player)", f"({name} ?player ?points)")
        sheet.rule(f"(gets_{name} ?player ?points)", f"({name} ?player ?points)")
        sheet.rule(f"(gets_{name} ?player 0)", "(role ?player)", f"(not (some_{name} ?player))")
    if len(gains) == 1:
        sheet.rule(after, before, f"(gets_{gains[0]} ?player ?points)", "(gain ?n ?points ?sum)")
    else:
        sheet.rule(
            after, before, f"(gets_{gains[0]} ?player ?a)", "(gain ?n ?a ?m)",
            f"(gets_{gains[1]} ?player ?b)", "(gain ?m ?b ?sum)",
        )  # fmt: skip
    for points in sorted({0, *(event.points for event in events)}):
        t.later(*(f"(gain {n} {points} {min(n + points, most)})" for n in range(most + 1)))
