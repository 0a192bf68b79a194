"""End rules in, rules for outcomes out: seen after a move, or when the next turn begins."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.gdl import Atom, Function, Not, Variable
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import player_number
from kibitz.ludii.translation.expressions import condition, players
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.ranking import RankedEnd, emit_ranks
from kibitz.ludii.translation.values import compared

__all__ = ["End", "emit_endings", "ends_of"]


@dataclass(frozen=True)
class End:
    """One end rule: the phase it belongs to (or all), its condition, and its results."""

    phase: str | None
    test: Ludeme | None
    results: tuple[Ludeme, ...]
    player: int | None = None

    @property
    def is_late(self) -> bool:
        """Whether it asks if the next player can move, which shows on that turn."""
        return self.test is not None and any(
            (one.kind == "no Moves" and one.items[1].name == "Next")
            or (one.kind == "can Move" and any(_is_of_next(inner) for inner in one.walk()))
            for one in self.test.walk()
        )


def _is_of_next(ludeme: Ludeme) -> bool:
    return ludeme.kind == "forEach Piece" and any(item.name == "Next" for item in ludeme.items)


def ends_of(ludeme: Ludeme, phase: str | None, players: int) -> list[End]:
    """Return the end rules of `(end …)`, in order."""
    found: list[End] = []
    for item in ludeme.items:
        if item.shape == "list":
            found += [end for one in item.items for end in _end(one, phase, players)]
        else:
            found += _end(item, phase, players)
    return found


def _end(ludeme: Ludeme, phase: str | None, players: int) -> list[End]:
    if ludeme.name == "if" and len(ludeme.items) in (2, 3):
        test, *branches = ludeme.items
        # What follows further conditions is for the case that none of them holds.
        return [end for branch in branches for end in _under(test, branch, phase, players)]
    if ludeme.kind in ("forEach Player", "forEach NonMover"):
        condition = ludeme.get("if")
        outcome = next((item for item in ludeme.items if item.name == "result"), None)
        if condition is None or outcome is None:
            raise Unsupported(ludeme)
        return [End(phase, condition, (outcome,), p) for p in range(1, players + 1)]
    raise Unsupported(ludeme)


def _under(test: Ludeme, ludeme: Ludeme, phase: str | None, players: int) -> list[End]:
    """Return the end rules of a branch, each under a further condition."""
    if ludeme.shape != "list" and ludeme.name not in ("if", "forEach"):
        return [End(phase, test, _results(ludeme))]
    found = []
    for item in ludeme.items if ludeme.shape == "list" else (ludeme,):
        for end in (
            _end(item, phase, players)
            if item.name != "result"
            else [End(phase, None, _results(item))]
        ):
            both = test
            if end.test is not None:
                both = Ludeme("call", "and", (test, end.test), "", test.place)
            found.append(End(phase, both, end.results, end.player))
    return found


def _results(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    if ludeme.name == "result":
        return (ludeme,)
    if ludeme.name == "byScore" and not ludeme.items:
        return (ludeme,)
    if ludeme.name == "byScore" and len(ludeme.items) == 1 and ludeme.items[0].shape == "list":
        return ludeme.items[0].items
    raise Unsupported(ludeme)


def emit_endings(c: Compiler, ends: list[End]) -> None:
    """Add the rules for outcomes, terminal and goal."""
    count = c.equipment.players
    if count > 2:
        _emit_ranked(c, ends)
        return
    nobody = 50 if count > 1 else 0  # who plays alone and cannot go on has lost
    outcomes: dict[str, dict[int, int]] = {"draw": dict.fromkeys(range(1, count + 1), nobody)}
    early = [(index, end) for index, end in enumerate(ends) if not end.is_late]
    late = [(index, end) for index, end in enumerate(ends) if end.is_late]
    for index, end in enumerate(ends):
        try:
            _emit_end(c, index, end, outcomes)
        except Unsupported as problem:
            c.problems.add(problem)
    c.rule(Atom("ends", (constant(len(ends)), constant("draw"))), [(Atom("all_passed"),)])
    _order(c, early, late, len(ends))
    c.rule(Atom("terminal"), [(Atom("outcome", (Variable("result"),)),)])
    for name, goals in sorted(outcomes.items()):
        for player, value in goals.items():
            outcome = Atom("outcome", (constant(name),))
            if not c.has_swap:
                c.rule(Atom("goal", (c.role(player), constant(value))), [(outcome,)])
                continue
            who = c.fresh("w")
            seat = c.fluent("seat", who, c.role(player))
            c.rule(Atom("goal", (who, constant(value))), [(outcome, seat)])


def _emit_ranked(c: Compiler, ends: list[End]) -> None:
    """Let each player have a rank: after the first result the others play on."""
    if late := [end for end in ends if end.is_late]:
        c.problems.add(Unsupported(late[0].results[0], "with more than two players"))
        return
    numbers: dict[int, int] = {}
    ranked: list[RankedEnd] = []
    for end in ends:
        number = numbers.setdefault(id(end.test), len(numbers))
        if end.results[0].name != "result":
            c.problems.add(Unsupported(end.results[0], "with more than two players"))
            return
        ranked.append((number, end.phase, end.test, end.results[0], end.player))
    try:
        emit_ranks(c, ranked)
    except Unsupported as problem:
        c.problems.add(problem)


def _order(
    c: Compiler, early: list[tuple[int, End]], late: list[tuple[int, End]], last: int
) -> None:
    """Let the first end rule that applies decide."""
    n, o = c.fresh("n"), c.fresh("o")
    numbers = [*(index for index, _ in early), last]
    rows = [(a, b) for b in numbers for a in numbers if a < b]
    stored: Bodies = [(Atom("ends", (n, o)),)]
    if rows:
        a, b = c.fresh("a"), c.fresh("o")
        before = Atom(c.fact_relation("before", rows), (a, n))
        c.rule(Atom("ends_before", (n,)), [(before, Atom("ends", (a, b)))])
        stored = [(Atom("ends", (n, o)), Not(Atom("ends_before", (n,))))]
    if not late:
        c.rule(Atom("next", (Function("result", (o,)),)), stored)
        c.rule(Atom("outcome", (o,)), [(c.fluent("result", o),)])
        return
    c.rule(Atom("next", (Function("result", (n, o)),)), stored)
    ordered = [*numbers, *(index for index, _ in late)]
    rows = [(a, b) for b in ordered for a in ordered if a < b]
    a, b = c.fresh("a"), c.fresh("o")
    first = Atom(c.fact_relation("before", rows), (a, n))
    c.rule(Atom("found", (n, o)), [(c.fluent("result", n, o),), (Atom("blocked", (n, o)),)])
    c.rule(Atom("found_before", (n,)), [(first, Atom("found", (a, b)))])
    c.rule(Atom("outcome", (o,)), [(Atom("found", (n, o)), Not(Atom("found_before", (n,))))])


def _emit_end(c: Compiler, index: int, end: End, outcomes: dict[str, dict[int, int]]) -> None:
    count = c.equipment.players
    for mover in range(1, count + 1):
        if end.is_late:
            context = Context(mover, 0, {}, end.player, settled=True)
            turn = _last_mover(c, mover)
            head = "blocked"
        else:
            context = Context(mover, c.last_stage, {}, end.player, ending=True)
            turn = [(c.control(mover),)]
            head = "ends"
        bodies = joined(turn, c.in_phase(end.phase, mover))
        if end.test is not None:
            bodies = joined(bodies, condition(c, end.test, context))
        for body, name, goals in _outcome(c, end, context):
            outcomes.setdefault(name, goals)
            c.rule(Atom(head, (constant(index), constant(name))), joined(bodies, [body]))


def _last_mover(c: Compiler, mover: int) -> Bodies:
    """Return what says who made the last move, in the position after it."""
    count = c.equipment.players
    if "moveAgain" not in c.uses and count > 1:
        return [(c.control(mover % count + 1),)]
    if count == 1:
        return [()]
    c.needed.add("previous")
    return [(c.fluent("previous", c.role(mover)),)]


def _outcome(c: Compiler, end: End, context: Context) -> list[tuple[Body, str, dict[int, int]]]:
    """Return the outcomes of a rule: what must hold, a name, and the goals of all players."""
    count = c.equipment.players
    result = end.results[0]
    if result.name in ("score", "byScore"):
        return _by_score(c, end, context)
    who, what = result.items[:2]
    everyone = range(1, count + 1)
    if what.name in ("Draw", "Tie"):
        return [((), "draw", dict.fromkeys(everyone, 50))]
    if what.name not in ("Win", "Loss"):
        raise Unsupported(result)
    if who.name == "All":
        raise Unsupported(result)
    found = []
    for body, player in players(c, who, context):
        if count == 1:
            goals = {1: 100 if what.name == "Win" else 0}
            found.append((body, "won" if what.name == "Win" else "lost", goals))
            continue
        winner = player if what.name == "Win" else 3 - player
        goals = {p: 100 if p == winner else 0 for p in everyone}
        found.append((body, f"p{winner}_wins", goals))
    return found


def _by_score(c: Compiler, end: End, context: Context) -> list[tuple[Body, str, dict[int, int]]]:
    """Compare what two players have counted; who has more wins."""
    first = end.results[0]
    if c.equipment.players != 2 or len(end.results) != (1 if first.name == "byScore" else 2):
        raise Unsupported(first)
    if first.name == "byScore":
        if context.settled:
            raise Unsupported(first)
        roles = [Ludeme("word", f"P{player}") for player in (1, 2)]
        scores = [Ludeme("call", "score", (role,), "", first.place) for role in roles]
    else:
        if [player_number(score.items[0]) for score in end.results] != [1, 2]:
            raise Unsupported(first)
        scores = [score.items[1] for score in end.results]
    results = [
        ("p1_wins", {1: 100, 2: 0}, ">"),
        ("p2_wins", {1: 0, 2: 100}, "<"),
        ("draw", {1: 50, 2: 50}, "="),
    ]
    return [
        (body, name, goals)
        for name, goals, operator in results
        for body in compared(c, operator, scores[0], scores[1], context)
    ]
