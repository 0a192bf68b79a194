"""Find ideas about replies: threats, pairs, mirror images, the other side of a ring.

If every way of the opponent to win has both places of some pair, and pairs have no place in common,
the role that fills the partner of whatever the opponent fills stops every way. It wins if the
opponent's ways are all that there is to win, and else has a draw, and more by threats of its own.

Places lie in a ring, and a move takes places wherever its shape fits around it. If no shape is
longer than half of the ring, a move never touches its image on the other side; so whoever moves
second can always copy. Shapes stay as they are when the ring grows, which makes that safer still.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from kibitz.board import layout_of
from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.solve import Solution, keeping_edges
from kibitz.space import StateSpace
from kibitz.strategy import (
    columns_of,
    exchanges,
    named_symmetries,
    owned_things,
    symmetry_words,
    unchanged,
    ways_to_win,
    write_term,
)
from kibitz.synth.insight.grids import Cell, LiveMoves, PlacedMove
from kibitz.synth.insight.heaps import movers_of
from kibitz.synth.insight.ideas import HoldsFor, Idea
from kibitz.synth.problem.features import Feature, features_for

PLAN = "can(me, next (wins(me) | not terminal & next can(me, next wins(me))))"
"""That one can win at once or make a double threat, which takes some search."""
_REASONS = {
    "win": "It ends play, and you have won.",
    "fork": "Whatever the opponent answers, you have a move that wins at once.",
}


def threat_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk lists of two threats, for a role that wins.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("crossdot:5,2"))))
    >>> next(threat_ideas(solution, "player1")).rules[0]
    'next wins(me) => any'
    """
    if len(solution.space.game.roles) != 2 or solution.value()[role] < 100:
        return
    yield Idea(*threat_rules())
    yield Idea(*forcing_rules())


def forcing_rules() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules to win at once, and to force a win within three moves, with reasons."""
    (win, _), (reason, _) = threat_rules()
    force = f"next (not terminal & next {PLAN}) => any"
    why = "Whatever the opponent answers, you can then win at once or make a double threat."
    return (win, force), (reason, why)


def threat_rules() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules to win at once, and to make a double threat, each with its reason."""
    known = {f.name: f.formula for f in features_for(2) if isinstance(f, Feature)}
    return tuple(f"{known[name]} => any" for name in _REASONS), tuple(_REASONS.values())


_MOST_NODES = 20_000
_MOST_PAIRS = 6
"""More pairs than this nobody remembers where no row of boxes puts them in order."""

Pair = tuple[Function, Function]


def pairing_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the rules to answer in the partner, for a role that does not lose.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("crossdot:5,2"))))
    >>> list(pairing_ideas(solution, "player1"))
    []
    """
    game: CompiledGame = solution.space.game
    if len(game.roles) != 2 or not solution.value()[role]:
        return
    opponent = next(other for other in game.roles if other != role)
    ways = ways_to_win(game, opponent)
    pairs = pairs_within(ways) if ways else None
    if not pairs or len(pairs) > _MOST_PAIRS:
        return
    empty = empty_places(game, opponent)
    if all(thing in empty for pair in pairs for thing in pair):
        yield from pair_rules(pairs, empty)


def pair_rules(
    pairs: Sequence[Pair], empty: Mapping[Function, Function], beyond: str = ""
) -> Iterator[Idea]:
    """Walk lists that leave no pair half the opponent's and half empty, alone and after threats."""
    asked = [
        f"next (not {write_term(one)} or not {write_term(empty[other])})"
        for pair in pairs
        for one, other in (pair, pair[::-1])
    ]
    why = (
        "Every way of the opponent to win needs both places of a pair. Whichever of them the "
        "opponent fills, you can fill the other, so that no way is ever completed."
    )
    rule = " and ".join(asked) + " => any"
    yield Idea((rule,), (why,), must_answer=True, beyond=beyond)
    threats, reasons = threat_rules()
    for count in range(1, len(threats) + 1):
        yield Idea((*threats[:count], rule), (*reasons[:count], why), beyond=beyond)
    threats, reasons = forcing_rules()
    yield Idea((*threats, rule), (*reasons, why), beyond=beyond)


def pairs_within(ways: Sequence[frozenset[Function]]) -> list[Pair] | None:
    """Choose pairs without a place in common so that every way has one; None if none are found.

    >>> a, b, c, d = map(Function, "abcd")
    >>> pairs_within([frozenset((a, b, c)), frozenset((b, c, d))])
    [(b, c)]
    """
    nodes = 0

    def choose(chosen: list[Pair]) -> list[Pair] | None:
        nonlocal nodes
        nodes += 1
        left = [way for way in ways if not any(way.issuperset(pair) for pair in chosen)]
        if not left:
            return chosen
        used = {thing for pair in chosen for thing in pair}
        free = {way: sorted(way - used, key=str) for way in left}
        way = min(left, key=lambda way: (len(free[way]), sorted(map(str, way))))
        # Pairs that serve the most ways come first.
        tried = sorted(
            combinations(free[way], 2), key=lambda pair: -sum(w.issuperset(pair) for w in left)
        )
        for pair in tried:
            if nodes > _MOST_NODES:
                return None
            found = choose([*chosen, pair])
            if found is not None:
                return found
        return None

    return choose([])


def empty_places(game: CompiledGame, role: Role) -> dict[Function, Function]:
    """Return for each thing that a role can put somewhere what is there at the start."""
    start = game.initial().fluents
    found: dict[Function, Function] = {}
    for (name, arity, place), things in owned_things(game, role).items():
        for thing in things:
            for fluent in start:
                if (fluent.name, len(fluent.args)) == (name, arity) and all(
                    one == other
                    for index, (one, other) in enumerate(zip(fluent.args, thing.args, strict=True))
                    if index != place
                ):
                    found[thing] = fluent
    return found


_MOST_STATES = 100_000

Bools = npt.NDArray[np.bool_]


def mirror_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the mirror strategies that symmetries suggest, alone or with a condition or two more.

    They are for a role that wins. What gives up value, or says nothing, in its first decisions is
    left out.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("kayles:3"))))
    >>> next(mirror_ideas(solution, "player1")).rules
    ('next unchanged(left_right) => any',)
    """
    space = solution.space
    if len(space) > _MOST_STATES or space.is_reduced or solution.value()[role] < 100:
        return
    columns = columns_of(space)
    first = _First(solution, role)
    goes_on = ~space.terminal
    for name, same in _mirrors(space):
        asked = f"next unchanged({name})"
        tried: list[tuple[str, Bools]] = [("", same), (" and next not terminal", same & goes_on)]
        for more, held in list(tried):
            for fluent in space.game.network.fluents:
                column = columns.fluent(fluent)
                text = write_term(fluent)
                tried.append((f"{more} and next {text}", held & column))
                tried.append((f"{more} and next not {text}", held & ~column))
        for more, held in tried:
            # With a condition more, a move that ends play at once is no mirror strategy.
            if first.are_right(held) and (not more or first.are_right(held & goes_on)):
                yield Idea((f"{asked}{more} => any",), (_why(name),), must_answer=True)


def threatening_mirror_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the mirror strategies of a role that wins at once where it can."""
    space = solution.space
    if len(space) > _MOST_STATES or space.is_reduced or solution.value()[role] < 100:
        return
    first = _First(solution, role)
    (win, *_), (reason, *_) = threat_rules()
    for name, same in _mirrors(space):
        if first.are_right(same):
            why = (reason, _why(name))
            yield Idea((win, f"next unchanged({name}) => any"), why, must_answer=True)


def _mirrors(space: StateSpace) -> Iterator[tuple[str, Bools]]:
    """Walk symmetries, with the states that are their own images."""
    game = space.game
    plain = {name: carrier.fluents for name, carrier in named_symmetries(game).items()}
    for name, images in (plain | exchanges(game)).items():
        yield name, columns_of(space)(unchanged(name, images))


def _why(name: str) -> str:
    return (
        f"Whatever the opponent does to a position that looks the same after "
        f"{symmetry_words(name)}, you can do to its image; so you have a move whenever the "
        "opponent had one."
    )


class _First:
    """The first decisions of a role: in the initial state, or after each first move."""

    def __init__(self, solution: Solution, role: Role) -> None:
        space = solution.space
        mine = columns_of(space).to_move(role)
        after = space.target[space.first_edge[0] : space.first_edge[1]]
        states = [0] if mine[0] else [int(s) for s in np.unique(after) if mine[s]]
        good = keeping_edges(solution)
        self.decisions = []
        for state in states:
            edges = slice(space.first_edge[state], space.first_edge[state + 1])
            self.decisions.append((space.target[edges], good[edges]))

    def are_right(self, held: Bools) -> bool:
        """Return whether moves that leave such states exist and keep the value, in each of them."""
        for targets, good in self.decisions:
            chosen = held[targets]
            if (chosen & ~good).any() or not (chosen.any() or good.all()):
                return False
        return bool(self.decisions)


_MOST_EDGES = 2_000_000


def ring_ideas(solution: Solution, role: str) -> Iterator[Idea]:
    """Return the mirror strategy of the role that moves second on a ring of even length."""
    space = solution.space
    if len(space.game.roles) != 2 or not 0 < space.edges <= _MOST_EDGES or space.is_reduced:
        return
    if not space.is_complete or solution.value()[role] < 100 or columns_of(space).to_move(role)[0]:
        return
    mover = movers_of(space)
    if mover is None or "half_turn" not in named_symmetries(space.game):
        return
    for fluents in _rings(space):
        placed = LiveMoves(space, mover.tolist(), fluents).placed()
        if placed is None or placed[1] is not None or len(fluents) % 2:
            continue
        reach = _reach(placed[0], len(fluents))
        if reach is not None and 2 * reach <= len(fluents):
            yield _idea(reach)


def _rings(space: StateSpace) -> Iterator[dict[Cell, Function]]:
    """Walk the fluents of a name that hold at the start on a whole ring, in its order."""
    try:
        layout = layout_of(space.game)
    except KibitzError:
        return
    boards = [n for n, board in enumerate(layout.boards) if board.kind == "points" and board.points]
    by_name: dict[tuple[int, str], dict[Cell, Function]] = {}
    for fluent in space.game.initial().fluents:
        place = layout.place(fluent)
        if place is not None and place.cell is not None and place.cell.board in boards:
            cells = by_name.setdefault((place.cell.board, fluent.name), {})
            cells[0, place.cell.cell] = fluent
    for (board, _), cells in sorted(by_name.items()):
        if len(cells) == len(layout.boards[board].cells):
            yield cells


def _reach(placed: list[PlacedMove], length: int) -> int | None:
    """Return over how many places the longest move goes; None if moves differ around the ring."""
    moves = [tuple(frozenset(c for _, c in cells) for cells in move) for move in placed]
    known = set(moves)
    longest = 0
    for needs, takes in moves:
        turned = tuple(frozenset((c + 1) % length for c in cells) for cells in (needs, takes))
        if turned not in known or not needs:
            return None
        touched = sorted(needs | takes)
        gaps = [b - a for a, b in pairwise(touched)]
        gaps.append(touched[0] + length - touched[-1])
        longest = max(longest, length - max(gaps) + 1)
    return longest


def _idea(reach: int) -> Idea:
    least = f", at least {2 * reach}" if reach > 1 else ""
    sizes = (
        f"every ring of an even number of places{least}, as long as moves need and take the same "
        "shapes anywhere around it"
    )
    why = (
        "Whatever the opponent takes, its image on the other side is still there for you to take, "
        "since no move reaches that far; so the opponent is the first who finds no move."
    )
    return Idea(("next unchanged(half_turn) => any",), (why,), HoldsFor(True, sizes))
