"""End rules in, rules for outcomes out: seen after a move, or when the next turn begins."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.gdl import Atom, Function, Not, Term, Variable
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import player_number
from kibitz.ludii.translation.expressions import condition, players
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.ranking import RankedEnd, emit_ranks
from kibitz.ludii.translation.values import compared

__all__ = ["End", "emit_endings", "ends_of"]


_NOBODY = "nobody"
"""Who wins a draw."""

Outcomes = dict[str, dict[int, int]]
"""The goals of all players, by who wins."""


@dataclass
class _Level:
    """Ends that are looked for at the same time: after a move, or when the next turn begins."""

    ends: list[int]
    is_late: bool
    suffix: str
    has_draw: bool = False

    @property
    def is_ordered(self) -> bool:
        """Whether there are several of them, of which the first decides."""
        return len(self.ends) + self.has_draw > 1

    def head(self, number: object, outcome: Term) -> Atom:
        """Return the literal that says that an end rule applies, by its number among several."""
        if self.is_late:
            return Atom(f"won_by_block{self.suffix}", (outcome,))
        first = number if isinstance(number, Variable) else constant(number)
        return Atom(f"won_by{self.suffix}", (first, outcome) if self.is_ordered else (outcome,))


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
    outcomes: Outcomes = {_NOBODY: dict.fromkeys(range(1, count + 1), nobody)}
    levels = _levels(ends)
    for number, level in enumerate(levels):
        for index in level.ends:
            try:
                _emit_end(c, index, ends[index], level, outcomes)
            except Unsupported as problem:
                c.problems.add(problem)
        if number == len(levels) - 1:
            c.rule(level.head(len(ends), constant(_NOBODY)), [(Atom("all_passed"),)])
        _decide(c, number, level)
    c.rule(Atom("terminal"), [(Atom("outcome", (c.fresh("o"),)),)])
    for name, goals in outcomes.items():
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


def _levels(ends: list[End]) -> list[_Level]:
    """Sort ends by when they show; the draw when all pass comes last, with those after a move."""
    levels: list[_Level] = []
    for index, end in enumerate(ends):
        if not levels or end.is_late or levels[-1].is_late:
            alike = sum(level.is_late == end.is_late for level in levels)
            levels.append(_Level([], end.is_late, f"_{alike + 1}" * (alike > 0)))
        levels[-1].ends.append(index)
    if not levels or levels[-1].is_late:
        early = sum(not level.is_late for level in levels)
        levels.append(_Level([], False, f"_{early + 1}" * (early > 0)))
    levels[-1].has_draw = True
    return levels


def _decide(c: Compiler, number: int, level: _Level) -> None:
    """Let the first end rule that applies decide, and what comes first before what comes later."""
    n, o = c.fresh("n"), c.fresh("o")
    found = level.head(n, o)
    if not level.is_late:
        first: Body = (found,)
        if level.is_ordered:
            numbers = [*level.ends, *([level.ends[-1] + 1] if level.has_draw else [])]
            rows = [(a, b) for b in numbers for a in numbers if a < b]
            a, b = c.fresh("a"), c.fresh("o")
            before = Atom(c.fact_relation("before", rows), (a, n))
            earlier = Atom(f"won_before{level.suffix}", (n,))
            c.rule(earlier, [(before, level.head(a, b))])
            first = (found, Not(earlier))
        winner = f"winner{level.suffix}"
        c.rule(Atom("next", (Function(winner, (o,)),)), [first])
        found = c.fluent(winner, o)
    # What an earlier level found decides.
    known = [Atom(f"decided{f'_{k}' * (k > 1)}") for k in range(number + 2)]
    free: Body = (Not(known[number]),) if number else ()
    c.rule(Atom("outcome", (o,)), [(found, *free)])
    c.rule(known[number + 1], [(found,), *([(known[number],)] if number else [])])


def _emit_end(c: Compiler, index: int, end: End, level: _Level, outcomes: Outcomes) -> None:
    count = c.equipment.players
    for mover in range(1, count + 1):
        if end.is_late:
            context = Context(mover, 0, {}, end.player, settled=True)
            turn = _last_mover(c, mover)
        else:
            context = Context(mover, c.last_stage, {}, end.player, ending=True)
            turn = [(c.control(mover),)]
        bodies = joined(turn, c.phase_of_move(end.phase, mover, is_over=end.is_late))
        if end.test is not None:
            bodies = joined(bodies, condition(c, end.test, context))
        for body, name, goals in _outcome(c, end, context):
            outcomes.setdefault(name, goals)
            c.rule(level.head(index, constant(name)), joined(bodies, [body]))


def _last_mover(c: Compiler, mover: int) -> Bodies:
    """Return what says who made the last move, in the position after it."""
    count = c.equipment.players
    if "moveAgain" not in c.uses and count > 1:
        return [(c.control(mover % count + 1),)]
    if count == 1:
        return [()]
    c.needed.add("last_mover")
    return [(c.fluent("last_mover", c.role(mover)),)]


def _outcome(c: Compiler, end: End, context: Context) -> list[tuple[Body, str, dict[int, int]]]:
    """Return the outcomes of a rule: what must hold, a name, and the goals of all players."""
    count = c.equipment.players
    result = end.results[0]
    if result.name in ("score", "byScore"):
        return _by_score(c, end, context)
    who, what = result.items[:2]
    everyone = range(1, count + 1)
    if what.name in ("Draw", "Tie"):
        return [((), _NOBODY, dict.fromkeys(everyone, 50))]
    if what.name not in ("Win", "Loss"):
        raise Unsupported(result)
    if who.name == "All":
        raise Unsupported(result)
    found = []
    for body, player in players(c, who, context):
        if count == 1:
            won = what.name == "Win"
            found.append((body, "p1" if won else _NOBODY, {1: 100 if won else 0}))
            continue
        winner = player if what.name == "Win" else 3 - player
        goals = {p: 100 if p == winner else 0 for p in everyone}
        found.append((body, f"p{winner}", goals))
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
        ("p1", {1: 100, 2: 0}, ">"),
        ("p2", {1: 0, 2: 100}, "<"),
        (_NOBODY, {1: 50, 2: 50}, "="),
    ]
    return [
        (body, name, goals)
        for name, goals, operator in results
        for body in compared(c, operator, scores[0], scores[1], context)
    ]
