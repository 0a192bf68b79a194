"""An instance of a rule in, Templates out: the ways to put letters into it, the freest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

from kibitz.engine import Move
from kibitz.english.rules.formula_phrases import carry_fluents
from kibitz.english.rules.spots import (
    Coordinate,
    Doing,
    Instance,
    Spot,
    Template,
    at,
    spot_of,
    spots_in,
    symbolic,
)
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import Derived, Formula, Holds, Not, leaves, write_formula

__all__ = ["mentioned_in", "richness", "templates"]

_MOST_LIFTED = 7


def richness(scene: Scene, instance: Instance) -> tuple[bool, int, int]:
    """Count the different things that an instance mentions, and its conditions.

    Images of relations cannot be described, so instances with these are the poorest.
    """
    items = _items(scene, *_fixed(scene, *instance))
    every_leaf = (leaf for part in instance[0] for leaf in leaves(part))
    is_image = any(isinstance(leaf, Derived) and leaf.renaming for leaf in every_leaf)
    return not is_image, len(items), len(instance[0])


def templates(scene: Scene, parts: frozenset[Formula], move: Move) -> Iterator[Template]:
    """Walk the ways to put letters into an instance, the freest first."""
    doing, condition = _fixed(scene, parts, move)
    items = _items(scene, doing, condition)
    mentioned = mentioned_in(doing, condition)
    if not items or len({spot.board for spot, _ in mentioned}) != 1:
        return
    axes = list(dict.fromkeys(axis for axis, _ in items))
    subsets: Iterable[tuple[tuple[str, int | str], ...]]
    if len(items) <= _MOST_LIFTED:
        subsets = (s for n in range(len(items), 0, -1) for s in combinations(items, n))
    else:
        groups = (g for n in range(len(axes), 0, -1) for g in combinations(axes, n))
        subsets = (tuple(item for item in items if item[0] in group) for group in groups)
    for subset in subsets:
        letters: dict[tuple[str, int | str], int] = {}
        for axis, value in subset:
            letters[axis, value] = 1 + sum(a == axis for a, _ in letters)
        made = _lettered(doing, condition, letters)
        several = [axis for axis in axes if sum(a == axis for a, _ in subset) > 1]
        for chosen in product((False, True), repeat=len(several)):
            free = frozenset(axis for axis, is_free in zip(several, chosen, strict=True) if is_free)
            yield replace(made, free=free)
    if scene.boards[mentioned[0][0].board].board.kind != "heaps":
        yield from _shifted(doing, condition, mentioned)


def _fixed(scene: Scene, parts: frozenset[Formula], move: Move) -> tuple[Doing, frozenset[Formula]]:
    """Return an instance with spots for its cells, none of them with letters yet."""
    condition = frozenset(symbolic(scene, part) for part in parts)
    key = (move.name, len(move.args))
    verb = scene.verbs.get(key)
    if verb is not None:
        targets, value = next(k for k, made in verb.moves.items() if made == move)
        spots = [spot_of(scene, target) for target in targets]
        if all(spots):
            return Doing(key, tuple(spot for spot in spots if spot), value), condition
    return Doing(None, moves=frozenset({move})), condition


def mentioned_in(doing: Doing, parts: Iterable[Formula]) -> list[tuple[Spot, str]]:
    """List the spots of a rule, those of the move first."""
    ordered = sorted(parts, key=lambda part: (isinstance(part, Not), write_formula(part)))
    found = [(spot, "") for spot in doing.spots]
    return found + [each for part in ordered for each in spots_in(part)]


def _items(scene: Scene, doing: Doing, parts: frozenset[Formula]) -> list[tuple[str, int | str]]:
    """List what letters could mean: rows, columns and cells, and numbers on heaps."""
    found: dict[tuple[str, int | str], None] = {}
    mentioned = mentioned_in(doing, parts)
    for spot, _ in mentioned:
        for axis, c in spot.where:
            if scene.boards[spot.board].board.kind != "graph":
                found[axis, c.number] = None
    boards = {spot.board for spot, _ in mentioned}
    if boards and all(scene.boards[board].board.kind == "heaps" for board in boards):
        for piece in (doing.value, *(piece for _, piece in mentioned)):
            if piece:
                found["value", piece] = None
    return list(found)


def _lettered(
    doing: Doing, parts: frozenset[Formula], letters: dict[tuple[str, int | str], int]
) -> Template:
    def spot(given: Spot) -> Spot:
        where = tuple(
            (axis, Coordinate(n, 0) if (n := letters.get((axis, c.number), 0)) else c)
            for axis, c in given.where
        )
        return Spot(given.board, where)

    def piece(given: str) -> str:
        number = letters.get(("value", given), 0) if given else 0
        return f"?{number}" if number else given

    return _changed(doing, parts, spot, piece)


def _changed(
    doing: Doing,
    parts: frozenset[Formula],
    spot: Callable[[Spot], Spot],
    piece: Callable[[str], str],
) -> Template:
    def carry(fluent: Function) -> Function:
        held = spots_in(Holds(fluent))
        return at(spot(held[0][0]), piece(held[0][1])) if held else fluent

    spots = tuple(map(spot, doing.spots))
    condition = frozenset(carry_fluents(part, carry) for part in parts)
    return Template(replace(doing, spots=spots, value=piece(doing.value)), condition)


def _shifted(
    doing: Doing, parts: frozenset[Formula], mentioned: list[tuple[Spot, str]]
) -> Iterator[Template]:
    """Place all other cells relative to the first one, wherever that is."""
    anchor = dict(mentioned[0][0].where)
    if len({tuple(axis for axis, _ in spot.where) for spot, _ in mentioned}) != 1:
        return

    def spot(given: Spot) -> Spot:
        where = tuple(
            (axis, Coordinate(1, c.number - anchor[axis].number)) for axis, c in given.where
        )
        return Spot(given.board, where)

    yield _changed(doing, parts, spot, lambda piece: piece)
    numbers: dict[Spot, tuple[str, int]] = {}
    for given in dict.fromkeys(spot(each) for each, _ in mentioned):
        apart = [abs(c.number) for _, c in given.where]
        if any(apart):
            axis = {"0 1": "next", "1 0": "next", "1 1": "diagonal"}.get(
                " ".join(map(str, apart)), ""
            )
            numbers[given] = axis, 1 + sum(a == axis for a, _ in numbers.values())
    if not numbers or any(not axis for axis, _ in numbers.values()):
        return

    def near(given: Spot) -> Spot:
        shifted = spot(given)
        if shifted not in numbers:
            return shifted
        axis, number = numbers[shifted]
        here = tuple((axis, Coordinate(1, 0)) for axis, _ in shifted.where)
        return Spot(given.board, (*here, (axis, Coordinate(number, 0))))

    yield _changed(doing, parts, near, lambda piece: piece)
