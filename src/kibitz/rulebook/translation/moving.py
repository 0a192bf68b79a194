"""Sentences about moving pieces in, rules for what is legal and what changes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.translation.scoring import arrival_points

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves
    from kibitz.rulebook.translation.translator import Translation


def step(moves: Moves, rule: m.MoveRule, move: m.Step) -> None:
    """Write the move of a piece to a neighbour, or like a knight."""
    who = moves.t.who(rule.player)
    way = moves.heading(rule, move.directions, moves.t.at(1), moves.t.at(2), who)
    _travel(moves, rule, move, way)


def slide(moves: Moves, rule: m.MoveRule, move: m.Slide) -> None:
    """Write the move of a piece over empty cells."""
    t, who = moves.t, moves.t.who(rule.player)
    one, two, three = t.at(1), t.at(2), t.at(3)
    heads = moves.heading(rule, move.directions, one, two, who)
    way = heads[-1].split()[1]
    path = f"(path {way} {one} {two})"
    _travel(moves, rule, move, [*heads[:-1], path])

    def paths() -> None:
        moves.sheet.rule(f"(path ?way {one} {two})", f"(step ?way {one} {two})")
        moves.sheet.rule(
            f"(path ?way {one} {three})",
            f"(path ?way {one} {two})",
            t.empty(two),
            f"(step ?way {two} {three})",
        )

    moves.effect("slide", paths)


def double_step(moves: Moves, rule: m.MoveRule, move: m.DoubleStep) -> None:
    """Write the move of a piece two steps ahead from some cells."""
    t, who = moves.t, moves.t.who(rule.player)
    one, two, three = t.at(1), t.at(2), t.at(3)
    heads = moves.heading(rule, move.directions, one, two, who)
    way = heads[-1].split()[1]
    start = t.region(
        f"two_steps_{move.kind}" if rule.player == YOU else f"two_steps_{who}",
        lambda number: t.board.region(move.region, number, rule),
        one,
        who,
    )
    moves.allow(
        rule, f"(move {one} {three})", _own(moves, rule, move.kind, one), start, heads,
        t.empty(two), f"(step {way} {two} {three})", t.empty(three),
    )  # fmt: skip
    moves.effect("move", lambda: _moved(moves, f"(move {one} {two})"))


def jump(moves: Moves, rule: m.MoveRule, move: m.Jump) -> None:
    """Write the move of a piece over a neighbour, and over several where one move may do so."""
    t = moves.t
    one, two, three = t.at(1), t.at(2), t.at(3)
    name = "jump" if move.captures else "hop"
    _jump_chain(moves, rule, move, 1)

    def jumps() -> None:
        does = f"(does ?player ({name} {one} {three}))"
        over = [does, f"(step ?way {one} {two})", f"(step ?way {two} {three})"]
        moves.sheet.rule(f"(becomes {one} {moves.left_behind})", does)
        _arrives(moves, does, f"(true (cell {one} ?piece))", three)
        if move.captures:
            moves.sheet.rule(f"(becomes {two} b)", over)
            moves.takes(two, *over)
        arrival_points(moves, three, does, f"(true (cell {one} ?piece))")
        if moves.again is not None:
            again = t.holds(one, YOU, moves.again.kind, "?player")
            moves.sheet.rule(f"(jumps_to {three})", does, again)

    moves.effect(name, jumps)
    several = t.single(m.JumpsInMove)
    for count in range(2, 1 + (several.count if several else 1)):
        _jump_chain(moves, rule, move, count)
        if move.captures:
            moves.effect(f"{count} jumps", lambda count=count: _jumped(moves, count))  # type: ignore[misc]


def _chain_cells(t: Translation, count: int) -> tuple[list[str], list[str]]:
    """Return the cells on which a piece that jumps so often lands, and those that it jumps over."""
    numbers = range(1, 2 * count + 2)
    cells = [t.at(number) for number in numbers]
    return cells[::2], cells[1::2]


def _jump_chain(moves: Moves, rule: m.MoveRule, move: m.Jump, count: int) -> None:
    """Write that a piece may make so many jumps in one move, none straight back."""
    t, who = moves.t, moves.t.who(rule.player)
    lands, over = _chain_cells(t, count)
    body: list[object] = [_own(moves, rule, move.kind, lands[0])]
    before = ""
    for start, middle, end in zip(lands, over, lands[1:], strict=False):
        heads = moves.heading(rule, move.directions, start, middle, who)
        way = heads[-1].split()[1]
        jumped = t.holds(middle, move.over.owner, move.over.kind, who)
        body += [heads, jumped, f"(step {way} {middle} {end})", t.empty(end)]
        if before:
            body.append(f"(not (turns_back {before} {way}))")
        before = way
    # A piece that captures nothing is where it is, whatever way it came.
    path = [lands[0], lands[-1]] if not move.captures else lands
    name = ("jump" if move.captures else "hop") + (str(count) if len(path) > 2 else "")
    moves.allow(
        rule, f"({name} {' '.join(path)})", *body,
        captures=move.captures, jumps_from=lands[0],
    )  # fmt: skip
    if count > 1:
        ways = {
            way
            for role in t.each(rule.player)
            for way in t.board.heads(move.directions, t.number(role), rule)
        }
        t.later(
            *(
                f"(turns_back {one} {other})"
                for one in sorted(ways)
                for other in sorted(ways)
                if any(t.board.steps[other].get(b) == a for a, b in t.board.steps[one].items())
            ),
            "(turns_back nowhere nowhere)",
        )


def _jumped(moves: Moves, count: int) -> None:
    """Write what several jumps in one move change."""
    lands, over = _chain_cells(moves.t, count)
    does = f"(does ?player (jump{count} {' '.join(lands)}))"
    piece = f"(true (cell {lands[0]} ?piece))"
    moves.sheet.rule(f"(becomes {lands[0]} {moves.left_behind})", does)
    _arrives(moves, does, piece, lands[-1])
    arrival_points(moves, lands[-1], does, piece)
    for start, middle, end in zip(lands, over, lands[1:], strict=False):
        between = [does, f"(step ?way {start} {middle})", f"(step ?way {middle} {end})"]
        moves.sheet.rule(f"(becomes {middle} b)", between)
        moves.takes(middle, *between)


def leave(moves: Moves, rule: m.MoveRule, move: m.Leave) -> None:
    """Write the move of a piece off the board."""
    t, who = moves.t, moves.t.who(rule.player)
    cell = t.at()
    exit_of = t.region(
        f"exit_{move.kind}" if rule.player == YOU else f"exit_{who}",
        lambda number: t.board.region(move.region, number, rule),
        cell,
        who,
    )
    moves.allow(rule, f"(leave {cell})", _own(moves, rule, move.kind, cell), exit_of)
    moves.effect("leave", lambda: moves.vanishes("leave"))


def swap(moves: Moves, rule: m.MoveRule, move: m.Swap) -> None:
    """Write the move that exchanges two neighbours."""
    t, who = moves.t, moves.t.who(rule.player)
    one, two = t.at(1), t.at(2)
    other = t.holds(two, move.other.owner, move.other.kind, who)
    beside = t.adjacent(one, two, rule)
    moves.allow(rule, f"(swap {one} {two})", _own(moves, rule, move.kind, one), beside, other)

    def swaps() -> None:
        does = f"(does ?player (swap {one} {two}))"
        moves.sheet.rule(f"(becomes {one} ?piece)", does, f"(true (cell {two} ?piece))")
        moves.sheet.rule(f"(becomes {two} ?piece)", does, f"(true (cell {one} ?piece))")

    moves.effect("swap", swaps)


def _travel(moves: Moves, rule: m.MoveRule, move: m.Step | m.Slide, way: list[str]) -> None:
    t, who = moves.t, moves.t.who(rule.player)
    start, end = t.at(1), t.at(2)
    own = _own(moves, rule, move.kind, start)
    action = f"(move {start} {end})"
    if move.target != "capture":
        moves.allow(rule, action, own, way, t.empty(end))
    if move.target != "empty" or _captures(moves, move.kind):
        seen = t.holds(end, OPPONENT, "piece", who)
        moves.allow(rule, action, own, way, seen, captures=True)
    moves.effect("move", lambda: _moved(moves, action))


def _captures(moves: Moves, kind: str) -> bool:
    """Return whether pieces of a kind capture what they move onto."""
    kinds = {one for said in moves.t.rules.all(m.MoveCaptures) for one in said.kinds}
    return bool(kinds & {kind, "piece"})


def _moved(moves: Moves, action: str) -> None:
    t = moves.t
    start, end = t.at(1), t.at(2)
    does = f"(does ?player {action})"
    moves.sheet.rule(f"(becomes {start} {moves.left_behind})", does)
    _arrives(moves, does, f"(true (cell {start} ?piece))", end)
    moves.takes(end, does)
    arrival_points(moves, end, does, f"(true (cell {start} ?piece))")
    if t.rules.one(m.Enclose):
        moves.sheet.rule(f"(arrives ?player {end})", does)
        moves.sheet.rule(f"(leaves {start})", does)


def _arrives(moves: Moves, does: str, piece: str, end: str) -> None:
    t = moves.t
    promotions = t.rules.all(m.Promotion)
    if not promotions:
        moves.sheet.rule(f"(becomes {end} ?piece)", does, piece)
        return
    moves.sheet.rule(f"(becomes {end} ?piece)", does, piece, f"(not (promoted ?piece {end}))")
    moves.sheet.rule(f"(becomes {end} ?new)", does, piece, f"(promotes ?piece {end} ?new)")
    cell = t.at()
    moves.sheet.rule(f"(promoted ?piece {cell})", f"(promotes ?piece {cell} ?new)")
    for promotion in promotions:
        t.known_kind(promotion.kind)
        for number, role in enumerate(t.roles):
            if promotion.kind in t.kinds[role]:
                old, new = (t.content(role, k) for k in (promotion.kind, promotion.new))
                for at in t.board.region(promotion.region, number, promotion):
                    t.later(f"(promotes {old} {' '.join(at)} {new})")


def _own(moves: Moves, rule: m.MoveRule, kind: str, cell: str) -> list[str]:
    return moves.t.holds(cell, YOU, kind, moves.t.who(rule.player))
