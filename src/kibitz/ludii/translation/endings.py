"""Translate end rules into outcomes, and into ranks for three and more players.

A player who wins gets the best rank that is left, one who loses the worst, and the others play on.
Play is over when one is left, or when all passed in turn; who is left then shares what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.gdl import Atom, Distinct, Formula, Function, Not, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import player_number
from kibitz.ludii.translation.expressions import condition, players
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import compared

RankedEnd = tuple[int, str | None, Ludeme | None, Ludeme, int | None]
"""Number of the rule, phase, condition, result, and the player if it is a rule for each."""

_MOST_PLAYERS = 4


def emit_ranks(c: Compiler, ends: list[RankedEnd]) -> None:
    """Add the rules for ranks, terminal and goal."""
    count = c.equipment.players
    if count > _MOST_PLAYERS:
        raise Unsupported(Ludeme("word", "players"), f"more than {_MOST_PLAYERS} that play on")
    c.needed.add("rank")
    p, q, r, a, b, n = (c.fresh(hint) for hint in ("p", "q", "r", "a", "b", "n"))
    rank = c.fluent("rank", p, r)
    c.rule(Atom("ranked", (p,)), [(rank,)])
    c.rule(Atom("active", (p,)), [(Atom("role", (p,)), Not(Atom("ranked", (p,))))])
    c.rule(Atom("next", (Function("rank", (p, r)),)), [(rank,)])
    for end in ends:
        _emit_end(c, end)
    what = c.fresh("w")
    first: tuple[Formula, ...] = (Atom("ends", (n, p, what)), Atom("active", (p,)))
    numbers = sorted({end[0] for end in ends})
    if rows := [(x, y) for y in numbers for x in numbers if x < y]:
        before = Atom(c.fact_relation("before", rows), (a, n))
        c.rule(Atom("ends_before", (n, p)), [(before, Atom("ends", (a, p, b)))])
        first = (*first, Not(Atom("ends_before", (n, p))))
    c.rule(Atom("finishes", (p, what, n)), [first])
    _emit_new_ranks(c, numbers)
    c.rule(Atom("is_through", (p,)), [(Atom("finishes", (p, what, n)),)])
    c.rule(Atom("plays_on", (p,)), [(Atom("active", (p,)), Not(Atom("is_through", (p,))))])
    two = (Atom("plays_on", (p,)), Atom("plays_on", (q,)), Distinct(p, q))
    c.rule(Atom("two_play_on"), [two])
    over = Atom("next", (Function("over", ()),))
    c.rule(over, [(Not(Atom("two_play_on")),), (Atom("all_passed"),), (Atom("drawn"),)])
    c.rule(Atom("terminal"), [(c.fluent("over"),)])
    goals = [
        (x, y, _goal((x + y) / 2, count)) for y in range(1, count + 1) for x in range(1, y + 1)
    ]
    of_rank = c.fact_relation("goal_of_ranks", goals)
    c.rule(Atom("goal", (p, n)), [(rank, Atom(of_rank, (r, r, n)))])
    left = (Atom("active", (p,)), Atom("best_left", (a,)), Atom("worst_left", (b,)))
    c.rule(Atom("goal", (p, n)), [(*left, Atom(of_rank, (a, b, n)))])


def _goal(rank: float, count: int) -> int:
    return round(50 + 50 * (1 - 2 * (rank - 1) / (count - 1)))


def _emit_end(c: Compiler, end: RankedEnd) -> None:
    number, phase, test, result, player = end
    who, what = result.items[:2]
    for mover in range(1, c.equipment.players + 1):
        context = Context(mover, c.last_stage, {}, player, ending=True)
        bodies = joined([(c.control(mover),)], c.in_phase(phase, mover))
        if test is not None:
            bodies = joined(bodies, condition(c, test, context))
        if what.name in ("Draw", "Tie"):
            c.rule(Atom("drawn"), bodies)
            continue
        if what.name not in ("Win", "Loss"):
            raise Unsupported(result)
        for body, one in players(c, who, context):
            head = Atom("ends", (constant(number), c.role(one), constant(what.name.lower())))
            c.rule(head, joined(bodies, [body]))


def _emit_new_ranks(c: Compiler, numbers: list[int]) -> None:
    """Give a player who wins the best rank that is left, and one who loses the worst."""
    count = c.equipment.players
    p, q, r, s, m, n = (c.fresh(hint) for hint in ("p", "q", "r", "s", "m", "n"))
    ranks = range(1, count + 1)
    number = c.fact_relation("rank_number", [(n,) for n in ranks])
    less = c.fact_relation("better_rank", [(x, y) for y in ranks for x in ranks if x < y])
    turns = sorted((number, f"p{player}") for number in numbers for player in ranks)
    earlier = c.fact_relation("comes_before", [(*x, *y) for y in turns for x in turns if x < y])
    c.rule(Atom("rank_taken", (r,)), [(c.fluent("rank", p, r),)])
    free = Atom("rank_left", (r,))
    c.rule(free, [(Atom(number, (r,)), Not(Atom("rank_taken", (r,))))])
    for name, order in (("best", (s, r)), ("worst", (r, s))):
        c.rule(Atom(f"not_{name}_left", (r,)), [(free, Atom("rank_left", (s,)), Atom(less, order))])
        c.rule(Atom(f"{name}_left", (r,)), [(free, Not(Atom(f"not_{name}_left", (r,))))])
    for what, name, step in (("win", "best", 1), ("loss", "worst", -1)):
        finishes = Atom("finishes", (p, constant(what), n))
        other = Atom("finishes", (q, constant(what), m))
        second = Atom(f"second_{what}", (p,))
        c.rule(second, [(finishes, other, Atom(earlier, (m, q, n, p)))])
        new = Atom("next", (Function("rank", (p, r)),))
        c.rule(new, [(finishes, Not(second), Atom(f"{name}_left", (r,)))])
        beside = c.fact_relation(
            f"rank_after_{name}", [(x, x + step) for x in ranks if x + step in ranks]
        )
        c.rule(new, [(finishes, second, Atom(f"{name}_left", (s,)), Atom(beside, (s, r)))])


def emit_turns(c: Compiler, again: bool) -> None:
    """Give the turn to the next player who played on before this move and has not just lost.

    As Ludii has it: a player who wins by another's move still has the next turn.
    """
    count = c.equipment.players
    p, n = c.fresh("p"), c.fresh("n")
    c.rule(Atom("just_lost", (p,)), [(Atom("finishes", (p, constant("loss"), n)),)])
    c.rule(Atom("has_turns", (p,)), [(Atom("active", (p,)), Not(Atom("just_lost", (p,))))])
    for player in range(1, count + 1):
        between: tuple[Formula, ...] = ()
        if again:
            stays = Atom("next", (Function("control", (c.role(player),)),))
            on = Atom("has_turns", (c.role(player),))
            c.rule(stays, [(c.control(player), Atom("again"), on)])
            c.rule(Atom("turn_passes"), [(Not(Atom("again")),), (c.control(player), Not(on))])
            between = (Atom("turn_passes"),)
        for ahead in range(1, count + 1):
            other = c.role((player + ahead - 1) % count + 1)
            on = Atom("has_turns", (other,))
            head = Atom("next", (Function("control", (other,)),))
            bodies: Bodies = [(c.control(player), on, *between)]
            c.rule(head, bodies)
            between = (*between, Not(on))


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
                _emit_plain_end(c, index, ends[index], level, outcomes)
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


def _emit_plain_end(c: Compiler, index: int, end: End, level: _Level, outcomes: Outcomes) -> None:
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
