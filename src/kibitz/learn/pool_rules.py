"""Generalise valued positions of matches into rules and trees.

The tree has the start, the lines that led to the positions, and every move in them. A score goes up
to a position from all of its moves, and is proved where all of these are.

A rule of a decision names the whole state, and says nothing about others. Where positions cannot be
listed, a rule starts from what its move needs and takes on fluents of one position, one at a time,
the one with which it is right most surely in positions of the pool: by the lower end of the
interval of its share, in which certain positions weigh more. It is kept if it is right in two
positions or more and more often, as sure as that, than a move at random would be.
Positions that symmetries of the game make from one another are taken together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from kibitz.budget import is_over
from kibitz.engine import CompiledGame, Move, State
from kibitz.errors import KibitzError
from kibitz.gdl import Function, Names, Variable
from kibitz.learn.advice import read_advice
from kibitz.learn.minimax.trees import Node
from kibitz.learn.preferences.pool import CERTAIN, Pool, ValuedPosition
from kibitz.learn.rules import BestRule, Mask, learn_rule, said_moves, variables_in
from kibitz.policy import share_interval
from kibitz.space import find_symmetries


def pool_tree(start: State, positions: Iterable[ValuedPosition]) -> Node:
    """Build the tree of some positions of matches that began in a state.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.preferences.pool import make_pool
    >>> game = CompiledGame(load_sheet("nim:2,3"))
    >>> pool = make_pool(game.initial(), positions=8)
    >>> tree = pool_tree(game.initial(), pool.learned_from)
    >>> tree.count() > len(pool.learned_from), any(node.is_estimated for node in tree.walk())
    (True, False)
    """
    root = Node(start)
    for position in positions:
        node = root
        for state in position.line[1:]:
            node = node.child(_joint(node.state, state))
        index = start.game.roles.index(position.role)
        best = (max if index == 0 else min)(position.scores)
        node.score, node.is_estimated = best, not position.is_proved
        for move, score in zip(position.moves, position.scores, strict=True):
            child = node.child(_with(node.state, index, move))
            # A proved score, or one from the moves behind it, is better than an estimate.
            if child.score is None or (child.is_estimated and position.is_proved):
                child.score, child.is_estimated = score, not position.is_proved
    return root


def _joint(state: State, after: State) -> tuple[Move, ...]:
    """Find the joint move that leads from a state to one that followed it in a match."""
    for joint in product(*(state.legal(role) for role in state.game.roles)):
        if state.step(joint).key == after.key:
            return joint
    raise KibitzError("this state does not follow the one before it")


def _with(state: State, index: int, move: Move) -> tuple[Move, ...]:
    """Return the joint move in which only one role has a choice."""
    roles = state.game.roles
    return tuple(move if i == index else state.legal(role)[0] for i, role in enumerate(roles))


_FEWEST = 2
"""Positions that a rule must be right in."""
_MOST_IMAGES = 16
_LONGEST = 8
"""Fluents that a rule takes on."""
_Example = tuple[int, frozenset[Function], str, dict[Move, int]]
"""Which position it is, what holds, who chooses, and the weight of each move: below 0 if wrong."""


@dataclass(frozen=True, slots=True)
class PoolRule:
    """A rule with its images, and in how many positions of the pool it is right, and is wrong.

    `sure` is the least share of right moves that these positions allow, by weight.
    """

    images: tuple[BestRule, ...]
    right: int
    wrong: int
    sure: float


@dataclass(frozen=True, slots=True)
class JudgedRules:
    """How many positions rules speak of that were held out, and how often they are right there.

    They are right where they recommend best moves only. `chance` is the share of best moves among
    all legal moves of these positions.
    """

    positions: int
    spoken: int
    right: int
    chance: float

    def as_json(self) -> dict[str, object]:
        """Return it as plain values, with the 95 % interval of the share."""
        low, high = share_interval(self.right, self.spoken)
        return {
            "positions": self.positions,
            "spoken": self.spoken,
            "right": self.right,
            "share": self.right / self.spoken if self.spoken else None,
            "low": low,
            "high": high,
            "chance": self.chance,
        }


def learn_pool_rules(
    pool: Pool,
    mask: Mask,
    *,
    deadline: float = math.inf,
    progress: Callable[[str], None] = lambda _: None,
) -> list[PoolRule]:
    """Learn rules that hold in several positions of a pool, the surest first, until a deadline.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.learn.preferences.pool import make_pool
    >>> from kibitz.learn.rules import find_mask
    >>> game = CompiledGame(load_sheet("nim:1,2,3"))
    >>> rules = learn_pool_rules(make_pool(game.initial()), find_mask(game.sheet))
    >>> all(found.right >= 2 for found in rules)
    True
    """
    images = _images(pool.learned_from)
    examples = [
        image(example) for example in _examples(pool.learned_from) for image in (_same, *images)
    ]
    chance = _chance(pool.learned_from)
    found: list[PoolRule] = []
    explained: set[int] = set()
    step = 1 + len(images)
    surest = [-max(weights.values()) for _, _, _, weights in examples[::step]]
    for number in sorted(range(len(surest)), key=surest.__getitem__):
        if number in explained:
            continue
        if is_over(deadline):
            break
        position = pool.learned_from[number]
        move = position.moves[position.values.index(max(position.values))]
        rule = _grown(examples, position, move, mask)
        good, bad = _judged(rule, examples)
        right = {examples[i][0] for i in good}
        sure = _share(good, bad)
        if len(right) < _FEWEST or sure <= chance:
            continue
        explained |= right
        wrong = len({examples[i][0] for i in bad})
        same = tuple(dict.fromkeys(_mapped(rule, image) for image in (_same, *images)))
        if same[0] not in {one for known in found for one in known.images}:
            found.append(PoolRule(same, len(right), wrong, sure))
        progress(f"{len(found)} rules")
    return sorted(found, key=lambda known: -known.sure)


def rule_lines(rules: Sequence[PoolRule], names: Names) -> list[str]:
    """Write rules for clingo; each one speaks where none before it does."""
    lines = []
    for number, known in enumerate(rules, 1):
        lines.append(f"% right in {known.right} of {known.right + known.wrong} positions")
        for rule in known.images:
            head, _, body = rule.text(names, timed=False).rstrip(".").partition(" :- ")
            given = [body] if body else []
            before = [f"not said({number - 1})"] if number > 1 else []
            lines.append(_clause(head, [*given, *before]))
            if number < len(rules):
                lines.append(_clause(f"said({number})", given))
        if 1 < number < len(rules):
            lines.append(f"said({number}) :- said({number - 1}).")
    return lines


def _clause(head: str, body: list[str]) -> str:
    return f"{head} :- {', '.join(body)}." if body else f"{head}."


def judge_rules(rules: Sequence[PoolRule], pool: Pool) -> JudgedRules:
    """Count the positions held out in which rules, read back, recommend best moves only."""
    positions = pool.judged_by
    chance = _chance(positions)
    if not rules or not positions:
        return JudgedRules(len(positions), 0, 0, chance)
    game = positions[0].state.game
    names = Names.of_sheet(game.sheet)
    advice = read_advice("\n".join(rule_lines(rules, names)), game)
    spoken = right = 0
    for position in positions:
        said = advice.moves(position.state, position.role)
        spoken += bool(said)
        right += bool(said) and all(position.is_best(position.moves.index(m)) for m in said)
    return JudgedRules(len(positions), spoken, right, chance)


def _chance(positions: Sequence[ValuedPosition]) -> float:
    """Return how often a move at random is among the best."""
    shares = [sum(map(p.is_best, range(len(p.moves)))) / len(p.moves) for p in positions]
    return sum(shares) / len(shares) if shares else 0.0


def _examples(positions: Sequence[ValuedPosition]) -> Iterator[_Example]:
    for number, position in enumerate(positions):
        is_best = list(map(position.is_best, range(len(position.moves))))
        worse = [position.weight(i) for i, best in enumerate(is_best) if not best]
        weights = {
            move: min(worse, default=1) if is_best[i] else -position.weight(i)
            for i, move in enumerate(position.moves)
        }
        yield number, frozenset(position.state.fluents), position.role, weights


_Image = Callable[[_Example], _Example]


def _same(example: _Example) -> _Example:
    return example


def _images(positions: Sequence[ValuedPosition]) -> list[_Image]:
    """Return what symmetries of the game make of an example; none if they are many or unknown."""
    if not positions:
        return []
    game = positions[0].state.game
    assert isinstance(game, CompiledGame)
    try:
        found = find_symmetries(game)
        elements = found.elements()[1:] if found.order <= _MOST_IMAGES else []
    except KibitzError:  # too large, or too many
        return []

    def image(number: int) -> _Image:
        element = elements[number]
        fluents = dict(zip(found.fluents, (found.fluents[i] for i in element.fluents), strict=True))
        moves = {
            role: dict(zip(names, (names[i] for i in element.moves[r]), strict=True))
            for r, (role, names) in enumerate(zip(game.roles, found.moves, strict=True))
        }

        def carry(example: _Example) -> _Example:
            place, holds, role, weights = example
            return (
                place,
                frozenset(fluents.get(fluent, fluent) for fluent in holds),
                role,
                {moves[role][move]: weight for move, weight in weights.items()},
            )

        return carry

    return [image(number) for number in range(len(elements))]


def _mapped(rule: BestRule, image: _Image) -> BestRule:
    """Return the image of a rule; one with variables stands for its images already."""
    if rule.variables:
        return rule
    assert isinstance(rule.role, Function)
    _, fluents, _, moves = image((0, frozenset(rule.fluents), rule.role.name, {rule.move: 1}))
    return replace(rule, fluents=tuple(sorted(fluents, key=str)), move=next(iter(moves)))


def _grown(
    examples: Sequence[_Example], position: ValuedPosition, move: Move, mask: Mask
) -> BestRule:
    """Take on fluents of one position until a rule for its move is wrong nowhere."""
    state, role = position.state, position.role
    whole = learn_rule(state, role, move, mask)
    if not _needed(whole) <= {v for fluent in whole.fluents for v in variables_in(fluent)}:
        whole = learn_rule(state, role, move, frozenset())
    body: list[Function] = []
    for fluent in whole.fluents:  # the variables of the move must be bound
        bound = {v for one in body for v in variables_in(one)}
        if set(variables_in(fluent)) & _needed(whole) - bound:
            body.append(fluent)
    rule = replace(whole, fluents=tuple(body))
    alive = list(range(len(examples)))
    share = -1.0
    while len(rule.fluents) < len(body) + _LONGEST:
        good, bad = _judged(rule, examples, alive)
        now = _share(good, bad)
        if now <= share or not bad:
            break
        share = now
        alive = [*good, *bad]
        rest = [fluent for fluent in whole.fluents if fluent not in rule.fluents]
        tried = [replace(rule, fluents=(*rule.fluents, fluent)) for fluent in rest]
        if not tried:
            break
        better = max(tried, key=lambda one: _share(*_judged(one, examples, alive)))
        if _share(*_judged(better, examples, alive)) <= share:
            break
        rule = better
    return rule


def _share(good: dict[int, int], bad: dict[int, int]) -> float:
    """Return the least share of right moves that the positions allow, by weight.

    It is the lower end of the 95 % interval; a proved position counts as one, and an estimated one
    as less.
    """
    right, wrong = sum(good.values()) / CERTAIN, sum(bad.values()) / CERTAIN
    return share_interval(right, right + wrong)[0]


def _judged(
    rule: BestRule, examples: Sequence[_Example], among: Sequence[int] | None = None
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the weights of examples in which a rule is right, and of those in which it is wrong.

    Where it recommends several moves, the worst one counts.
    """
    good: dict[int, int] = {}
    bad: dict[int, int] = {}
    for index in range(len(examples)) if among is None else among:
        _, holds, role, weights = examples[index]
        said = [weights[move] for move in said_moves(rule, holds, role) if move in weights]
        if said and min(said) > 0:
            good[index] = min(said)
        elif said:
            bad[index] = -min(said)
    return good, bad


def _needed(rule: BestRule) -> set[Variable]:
    """Return the variables that the fluents must bind."""
    return {*variables_in(rule.role), *variables_in(rule.move)}
