"""Translate comparisons of counts into literals: sites are traversed in order, and added up."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import cast

from kibitz.gdl import Atom, Distinct, Not, Term, Variable, variables_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.expressions import REGIONS, pieces_of, players, region, site
from kibitz.ludii.translation.problems import NotStatic, Unsupported

Counted = tuple[Body, Bodies, list[tuple[int, Piece]]]
"""What must hold, alternatives for one counted site (named by `_SITE`), and what hands add."""


def is_count(ludeme: Ludeme) -> bool:
    """Return whether a ludeme is a count that can be compared."""
    if ludeme.kind in ("size Group", "size Territory"):
        return True
    counts = ludeme.shape == "call" and ludeme.name in ("count", "counter")
    return counts and ludeme.kind != "count Steps"


def _counted(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> list[Counted]:
    """Return what a count counts: sites, and pieces in hands."""
    match ludeme.kind:
        case "count Sites":
            where = ludeme.get("in")
            if where is None:
                raise Unsupported(ludeme)
            return [((), region(c, where, context, term), [])]
        case "count" if (where := ludeme.get("in")) is not None:
            return [((), region(c, where, context, term), [])]
        case "count Pieces":
            return _pieces(c, ludeme, context, term)
    function = REGIONS.get(ludeme.kind)  # such as liberties, which are sites
    if function is None or ludeme.name == "sites":
        raise Unsupported(ludeme)
    return [((), cast("Callable[..., Bodies]", function)(c, ludeme, context, term), [])]


def _pieces(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> list[Counted]:
    rest = ludeme.unlabelled()[1:]
    owner = next((item for item in rest if item.shape in ("word", "call")), None)
    name = next((item for item in rest if item.shape == "text"), None)
    where = ludeme.get("in")
    if ludeme.get("of") or ludeme.get("if") or (owner is not None and owner.name in ("Cell",)):
        raise Unsupported(ludeme)
    groups: list[tuple[Body, list[Piece]]] = (
        pieces_of(c, owner, context) if owner is not None else [((), list(c.equipment.pieces))]
    )
    found: list[Counted] = []
    for body, pieces in groups:
        if name is not None:
            wanted = {p.term for p in c.equipment.named(name.name)}
            pieces = [p for p in pieces if p.term in wanted]
        piece = c.fresh("p")
        hint = "_".join(["counted", *(p.term for p in pieces[:2])])
        here: Bodies = [(c.cell(context, term, piece),)]
        bodies = joined(here, c.piece_in(hint, pieces, piece))
        if where is not None:
            bodies = joined(bodies, region(c, where, context, term))
        hands = [(p.owner, p) for p in pieces if p.owner in c.equipment.hands and where is None]
        found.append((body, bodies, hands))
    return found


def at_least(c: Compiler, ludeme: Ludeme, context: Context, least: int) -> Bodies:
    """Return what says that a count is at least a number."""
    if least <= 0:
        return [()]
    if ludeme.kind in MOVE_COUNTS:
        return _moves_made(c, ludeme, context, least)
    if ludeme.kind not in ("count Pieces", "count Liberties", "size Group") and ludeme.get("at"):
        return _at_site(c, ludeme, context, least)
    place = c.fresh("s")
    found: Bodies = []
    for body, bodies, hands in _counted(c, ludeme, context, place):
        if not hands and least == 1:
            found += [(*body, *one) for one in bodies]
        elif not hands and (least == 2 or (least <= 4 and _depends(bodies, context, place))):
            item = c.relation("counted", bodies, context, place)
            places = [place, *(c.fresh("s") for _ in range(least - 1))]
            items = [
                Atom(item.relation, tuple(one if a == place else a for a in item.args))
                for one in places
            ]
            apart = [Distinct(a, b) for a, b in itertools.combinations(places, 2)]
            found.append((*body, *items, *apart))
        else:
            name, known = total(c, bodies, context, place, least, hands)
            found.append((*body, Atom(name, (*known, constant(least)))))
    return found


MOVE_COUNTS = {
    "count Moves": "moves",
    "count MovesThisTurn": "moves_this_turn",
    "count Turns": "turns",
    "counter": "counter",
}
"""Counts of moves, and the fluents that keep them."""
_MOST_MOVES = 2_000


def _moves_made(c: Compiler, ludeme: Ludeme, context: Context, least: int) -> Bodies:
    """Compare the number of moves; the fluent counts no further than rules ask."""
    name = MOVE_COUNTS[ludeme.kind]
    if least > _MOST_MOVES:
        raise Unsupported(ludeme)
    c.counted[name] = max(c.counted.get(name, 0), least)
    number = c.fresh("n")
    # After a move there is one more than before it; consequences of a move still see the turn.
    # The counter goes on only after the end rules.
    if name == "counter" and context.ending:
        still = Not(Atom("counter_restarts"))
        return [(c.fluent(name, number), Atom(f"@at_least {least}", (number,)), still)]
    less = _ahead(name, context)
    if least - less <= 0:
        return [()]
    return [(c.fluent(name, number), Atom(f"@at_least {least - less}", (number,)))]


def _ahead(name: str, context: Context) -> int:
    """Return how much a count is ahead of its fluent: moves are counted as they are made."""
    if name == "turns":
        return 0
    return 1 if context.ending or (context.stage and name == "moves") else 0


def remainder(c: Compiler, ludeme: Ludeme, divisor: int, context: Context) -> tuple[Body, Term]:
    """Return the remainder of a count of moves or turns, for which a fluent goes round."""
    name = MOVE_COUNTS[ludeme.kind]
    if name not in ("moves", "turns") or not 1 < divisor <= _MOST_MOVES:
        raise Unsupported(ludeme)
    c.cycles.add((name, divisor))
    old, new = c.fresh("n"), c.fresh("n")
    literal = c.fluent(f"{name}_modulo_{divisor}", old)
    if not _ahead(name, context):
        return (literal,), old
    rows = [(n, (n + 1) % divisor) for n in range(divisor)]
    return (literal, Atom(c.fact_relation(f"round_{divisor}", rows), (old, new))), new


def value_of(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Return the value of a count."""
    place, number = c.fresh("s"), c.fresh("n")
    found: list[tuple[Body, Term]] = []
    for body, bodies, hands in _counted(c, ludeme, context, place):
        name, known = total(c, bodies, context, place, None, hands)
        found.append(((*body, Atom(name, (*known, number))), number))
    return found


def _at_site(c: Compiler, ludeme: Ludeme, context: Context, least: int) -> Bodies:
    """Compare how many pieces are at one place, which is a hand or a site with one piece."""
    at = ludeme.get("at")
    assert at is not None
    if c.equipment.has_counts:
        number = c.fresh("n")
        rows = [(n,) for n in range(least, c.most_pieces + 1)]
        enough = c.holds(f"at_least_{least}", rows, number)
        return [
            (*body, c.cell(context, term, number), *rest)
            for body, term in site(c, at, context)
            for rest in enough
        ]
    place = context.sites.get("site") if at.name == "site" else None
    if at.name == "handSite" or (place is not None and str(place).startswith("hand_")):
        owners = (
            players(c, at.items[0], context)
            if at.name == "handSite"
            else [((), int(str(place).removeprefix("hand_p")))]
        )
        found: Bodies = []
        for body, owner in owners:
            piece, number = c.fresh("p"), c.fresh("n")
            rows = [(n,) for n in range(least, c.most_in_hand + 1)]
            held: Bodies = [(*body, c.hand(context, owner, piece, number))]
            found += joined(held, c.holds(f"at_least_{least}", rows, number))
        return found
    if least > 1:
        return []
    return [(*body, c.occupied(context, term)) for body, term in site(c, at, context)]


def total(
    c: Compiler,
    bodies: Bodies,
    context: Context,
    place: Variable,
    cap: int | None,
    hands: Sequence[tuple[int, Piece]] = (),
) -> tuple[str, tuple[Term, ...]]:
    """Return the relation that holds of how many sites fulfil the alternatives, at most `cap`.

    Its first arguments are the sites of the move that the count depends on.
    """
    sites = c.equipment.sites
    item = c.relation("counted", bodies, context, place)
    known = tuple(arg for arg in item.args if arg != place)
    if known and hands:
        raise Unsupported(Ludeme("word", "count"), "a count that depends on a site")
    top = cap if cap is not None else len(sites) + c.most_in_hand * len(hands)
    key = ("total", item.relation, tuple(hands), cap, context.stage)
    is_new = key not in c.emitted
    name = c.name(f"total_{item.relation}", key)
    if not is_new:
        return name, known
    c.emitted.add(key)
    upto = c.name(f"upto_{item.relation}", (*key, "upto"))
    start = "start"
    succ = c.fact_relation(f"plus_one_{top}", [(n, min(n + 1, top)) for n in range(top + 1)])
    order = c.fact_relation("follows", [(start, sites[0]), *itertools.pairwise(sites)])
    a, s, n, m = (c.fresh(hint) for hint in ("a", "s", "n", "m"))
    here = Atom(item.relation, tuple(s if arg == place else arg for arg in item.args))
    step = (Atom(order, (a, s)), Atom(upto, (*known, a, n)))
    c.rule(Atom(upto, (*known, s, m)), [(*step, here, Atom(succ, (n, m)))])
    c.rule(Atom(upto, (*known, s, n)), [(*step, Not(here))])
    c.rule(Atom(name, (*known, n)), [(Atom(upto, (*known, constant(sites[-1]), n)),)])
    if known:
        ready = [c.worlds[context.imagined[0]].ready] if context.imagined else []
        bound = {v.name for one in ready for v in variables_of(one)}
        rest = [c.site_guard(arg) for arg in known if str(arg).lstrip("?") not in bound]
        guards = (*ready, *rest)
        c.rule(Atom(upto, (*known, constant(start), constant(0))), [guards])
    else:
        _add_hands(c, upto, start, hands, context, top)
    return name, known


def _add_hands(
    c: Compiler,
    upto: str,
    start: str,
    hands: Sequence[tuple[int, Piece]],
    context: Context,
    top: int,
) -> None:
    """Let a count begin with what is in hands."""
    if not hands:
        c.rule(Atom(upto, (constant(start), constant(0))), [()])
        return
    if len(hands) > 1:
        raise Unsupported(Ludeme("word", "count"), "counts of several kinds of pieces in hands")
    owner, piece = hands[0]
    n, m = c.fresh("n"), c.fresh("m")
    held = c.hand(context, owner, c.named(piece), n)
    capped = c.fact_relation(
        f"capped_at_{top}", [(k, min(k, top)) for k in range(c.most_in_hand + 1)]
    )
    c.rule(Atom(upto, (constant(start), m)), [(held, Atom(capped, (n, m)))])
    some = c.relation("in_hand", [(held,)], Context(owner))
    c.rule(Atom(upto, (constant(start), constant(0))), [(Not(some),)])


def number_of(c: Compiler, ludeme: Ludeme, context: Context) -> int | None:
    """Return a number that is known before play."""
    try:
        return c.statics.for_player(context.mover).integer(ludeme)
    except NotStatic:
        return None


def _depends(bodies: Bodies, context: Context, place: Variable) -> bool:
    """Return whether what is counted depends on a site of the move."""
    known = [v for v in context.variables() if v != place]
    return any(v in known for body in bodies for f in body for v in variables_of(f))
