"""Solution and role in, ideas out: places in pairs; answering in the partner stops all ways.

If every way of the opponent to win has both places of some pair, and pairs have no place in common,
the role that fills the partner of whatever the opponent fills stops every way. It wins if the
opponent's ways are all that there is to win, and else has a draw, and more by threats of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.strategy import owned_things, ways_to_win, write_term
from kibitz.synth.insight.ideas import Idea
from kibitz.synth.insight.threats import forcing_rules, threat_rules

__all__ = ["empty_places", "pair_rules", "pairing_ideas", "pairs_within"]

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
