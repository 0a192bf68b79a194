"""Map rules by the symmetries of a game, and join their images as the list's setting says.

With *any*, every image of a rule that applies may be played. With *first*, images are tried in the
order of the group's elements, and the first that applies is played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from kibitz.attached import Attached
from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, Move, Role
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.space import Generators, Symmetries, Symmetry, find_generators, list_symmetries
from kibitz.strategy import tree

Choices = tuple[tuple[tree.Formula, tuple[Move, ...]], ...]
"""A rule: conditions, each with the moves it allows."""

MOST_IMAGES = 100_000

Image = TypeVar("Image", bound=Hashable)
T = TypeVar("T")

_FOUND: Attached[Game, Generators | BudgetExceededError] = Attached()
_KNOWN: Attached[Game, Symmetries | BudgetExceededError] = Attached()
_ELEMENTS: Attached[Game, list[Symmetry]] = Attached()
_GENERATING: Attached[Game, list[Carrier]] = Attached()
_CARRIERS: Attached[Game, list[Carrier]] = Attached()


def symmetries_of(game: Game, *, budget: Budget | None = None) -> Symmetries:
    """Find the symmetries of a game, once; where that fails, raise the same error again."""
    if not isinstance(game, CompiledGame):
        raise KibitzError(
            f"the symmetries of {game.sheet.name} are not known: it is not compiled",
            hint="begin the strategy with: symmetric none",
        )
    return _once(game, _KNOWN, lambda: list_symmetries(generators_of(game, budget=budget)))


def generators_of(game: CompiledGame, *, budget: Budget | None = None) -> Generators:
    """Find what generates the symmetries of a game, once, also where they are too many to list."""
    return _once(game, _FOUND, lambda: find_generators(game, budget=budget))


def _once(game: Game, known: Attached[Game, T | BudgetExceededError], find: Callable[[], T]) -> T:
    if game not in known:
        try:
            known[game] = find()
        except BudgetExceededError as error:
            known[game] = error
    found = known[game]
    if isinstance(found, BudgetExceededError):
        raise found
    return found


def elements_of(game: Game) -> list[Symmetry]:
    """List the symmetries of a game, the identity first, once."""
    if game not in _ELEMENTS:
        _ELEMENTS[game] = symmetries_of(game).elements()
    return _ELEMENTS[game]


class Carrier:
    """Maps formulas and moves by one symmetry."""

    def __init__(self, symmetries: Generators, symmetry: Symmetry, roles: tuple[Role, ...]) -> None:
        names = symmetries.fluents
        self.fluents = {f: names[i] for f, i in zip(names, symmetry.fluents, strict=True)}
        moved = any(image != fluent for fluent, image in self.fluents.items())
        self.renaming = tree.Renaming(self.fluents) if moved else None
        self.moves: dict[Role, dict[Move, Move]] = {
            role: {m: moves[i] for m, i in zip(moves, images, strict=True)}
            for role, moves, images in zip(roles, symmetries.moves, symmetry.moves, strict=True)
        }
        self.is_identity = not moved and all(
            move == image for moves in self.moves.values() for move, image in moves.items()
        )

    def formula(self, formula: tree.Formula) -> tree.Formula:
        """Return the image of a formula."""
        match formula:
            case tree.Holds():
                return tree.Holds(self.fluents.get(formula.fluent, formula.fluent))
            case tree.Does() | tree.Legal():
                move = self.moves[formula.role].get(formula.move, formula.move)
                return type(formula)(formula.role, move)
            case tree.Derived(atom):
                return tree.Derived(atom, self.renaming)
            case tree.NumberIs(left, comparison, right):
                return tree.NumberIs(
                    left.carried(self.fluents), comparison, right.carried(self.fluents)
                )
            case tree.Unchanged():
                return formula.carried(self.fluents)
            case tree.Before(moves, leaf):
                carried = self.formula(leaf)
                assert isinstance(carried, tree.Leaf)
                return tree.Before(moves, carried)
            case _:
                return tree.with_children(formula, self.formula)

    def choices(self, choices: Choices, role: Role) -> Choices:
        """Return the image of a rule."""
        moves = self.moves[role]
        return tuple(
            (
                self.formula(condition),
                allowed
                if isinstance(allowed, tree.AllMoves)
                else tuple(moves[move] for move in allowed),
            )
            for condition, allowed in choices
        )

    def preferences(self, preferences: Iterable[tree.Preference]) -> tuple[tree.Preference, ...]:
        """Return the images of preferences; they have no text."""
        return tuple(tree.Preference(self.chain(p.formulas)) for p in preferences)

    def chain(self, formulas: tuple[tree.Formula, ...]) -> tuple[tree.Formula, ...]:
        """Return the images of formulas; what all of them count is mapped once."""
        counted = {id(f.parts): f.parts for f in formulas if isinstance(f, tree.AtLeast)}
        images = {key: tuple(map(self.formula, parts)) for key, parts in counted.items()}
        return tuple(
            tree.AtLeast(f.count, images[id(f.parts)])
            if isinstance(f, tree.AtLeast)
            else self.formula(f)
            for f in formulas
        )

    def plan(self, plan: tree.Plan) -> tree.Plan:
        """Return the image of a plan."""
        if isinstance(plan, tree.Simple):
            return tree.Simple(self.formula(plan.formula))
        return type(plan)(tuple(map(self.plan, plan.parts)))


def carriers_of(game: Game) -> list[Carrier]:
    """Return a carrier for each symmetry of a game, the identity first."""
    if game not in _CARRIERS:
        found = symmetries_of(game)
        _CARRIERS[game] = [Carrier(found, s, game.roles) for s in elements_of(game)]
    return _CARRIERS[game]


def image_carriers(game: Game) -> list[Carrier]:
    """Return the carriers for all images of a rule: one for each symmetry, the identity first.

    Where there are too many symmetries to list, return carriers for generators.
    """
    try:
        return carriers_of(game)
    except BudgetExceededError:
        assert isinstance(game, CompiledGame)
    if game not in _GENERATING:
        found = generators_of(game)
        _GENERATING[game] = [Carrier(found, s, game.roles) for s in found.generators]
    return _GENERATING[game]


def all_images(
    first: Image, carriers: Sequence[Carrier], carry: Callable[[Carrier, Image], Image]
) -> list[Image]:
    """Return the distinct images of something under the group that carriers are or generate."""
    if carriers and carriers[0].is_identity:
        return list(dict.fromkeys(carry(carrier, first) for carrier in carriers))
    found = {first: None}
    queue = deque(found)
    while queue:
        image = queue.popleft()
        for carrier in carriers:
            other = carry(carrier, image)
            if other not in found:
                if len(found) == MOST_IMAGES:
                    raise BudgetExceededError(
                        f"a rule has more than {MOST_IMAGES:,} images under the game's symmetries",
                        hint="begin the strategy with: symmetric none",
                    )
                found[other] = None
                queue.append(other)
    return list(found)


def check_carried(formulas: Iterable[tree.Formula], carriers: Sequence[Carrier]) -> None:
    """Raise KibitzError if formulas need single symmetries, and the carriers are generators.

    A relation of the rule sheet is mapped with the whole state, by one symmetry at a time.
    """
    if not carriers or carriers[0].is_identity:
        return
    if any(isinstance(leaf, tree.Derived) for formula in formulas for leaf in tree.leaves(formula)):
        raise BudgetExceededError(
            "a rule uses a relation of the rule sheet, and the game has too many symmetries to "
            "take its images one by one",
            hint="begin the strategy with: symmetric none",
        )


def plan_images(plan: tree.Plan, carriers: Sequence[Carrier]) -> list[tree.Plan]:
    """Return the distinct images of a plan under the group that carriers are or generate."""
    check_carried(tree.plan_formulas(plan), carriers)
    return all_images(plan, carriers, lambda carrier, image: carrier.plan(image))


def images(choices: Choices, game: Game, role: Role) -> list[Choices]:
    """Return the distinct images of a rule, itself first.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.strategy.tree import TRUE
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> corner = ((TRUE, tuple(parse_terms("(mark 1 1)"))),)
    >>> [str(moves[0]) for ((_, moves),) in images(corner, game, "xplayer")]
    ['(mark 1 1)', '(mark 3 1)', '(mark 1 3)', '(mark 3 3)']
    """
    carriers = image_carriers(game)
    check_carried([condition for condition, _ in choices], carriers)
    return all_images(choices, carriers, lambda carrier, image: carrier.choices(image, role))


def join_images(
    rule: Choices,
    game: Game,
    role: Role,
    symmetry: str,
    preferences: tuple[tree.Preference, ...] = (),
) -> tree.Plan:
    """Combine a rule and its images, each with its preferences, into one plan."""
    if symmetry == "none":
        return rule_plan(rule, role, preferences)
    carriers = image_carriers(game)
    check_carried((condition for condition, _ in rule), carriers)
    check_carried((formula for p in preferences for formula in p.formulas), carriers)
    found = all_images(
        (rule, preferences),
        carriers,
        lambda carrier, image: (carrier.choices(image[0], role), carrier.preferences(image[1])),
    )
    plans = _in_some_order(rule_plan(image, role, preferred) for image, preferred in found)
    if len(plans) == 1:
        return plans[0]
    return tree.Else(plans) if symmetry == "first" else tree.Either(plans)


def _in_some_order(plans: Iterable[tree.Plan]) -> tuple[tree.Plan, ...]:
    """Drop plans that differ from another one only in the order of what their formulas join."""
    found: dict[Hashable, tree.Plan] = {}
    for plan in plans:
        found.setdefault(tree.keys_in_any_order(tree.plan_formulas(plan)), plan)
    return tuple(found.values())


def rule_plan(
    choices: Choices, role: Role, preferences: Iterable[tree.Preference] = ()
) -> tree.Plan:
    """Turn a rule into a formula, or with preferences into a plan."""
    plan: tree.Plan = tree.Simple(
        tree.disjunction(
            condition
            if isinstance(moves, tree.AllMoves)
            else tree.conjunction(
                [condition, tree.disjunction(tree.Does(role, move) for move in moves)]
            )
            for condition, moves in choices
        )
    )
    for preference in preferences:
        plan = preference.among(plan)
    return plan
