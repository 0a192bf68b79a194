"""Make larger relatives of a game, and count on how many a strategy holds.

The numbers at an argument are numerals or a chain of facts. The chain is made longer, and every
fact and rule that names its constants goes on as it began: rules that differ only in them are one
group, and which of them there are is read off how near numbers are to either end and to one
another. If that does not say what becomes of some rule, the sheet cannot be grown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from kibitz.attached import Attached
from kibitz.board import chains_of
from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError, KibitzError
from kibitz.games import larger_games, load_sheet
from kibitz.gdl import Function, RuleSheet, parse
from kibitz.solve import Solution, solve
from kibitz.space import Limits, explore
from kibitz.strategy import Strategy, number_arguments, numbers_of_values, read_strategy, verify

_MOST_TUPLES = 300_000
_TOKEN = re.compile(r"[()]|[^\s()]+")

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Growing:
    """A sheet whose numbers go from `low` to `high`, under their names in order."""

    sheet: RuleSheet
    argument: str
    names: tuple[str, ...]
    low: int
    start: int | None
    """The largest number at the start, where the chain is longer than that."""

    @property
    def size(self) -> int:
        """The number that grows."""
        return self.low + len(self.names) - 1 if self.start is None else self.start

    def grown(self, step: int) -> RuleSheet | None:
        """Return the relative that is larger by a number; None where there is none.

        >>> from kibitz.games import load_sheet
        >>> made = growing(CompiledGame(load_sheet("kayles:4")), "pin.1").grown(2)
        >>> sum(rule.head.relation == "init" for rule in made.rules) >= 1
        True
        """
        name = f"{self.sheet.name}, {self.argument} up to {self.size + step}"
        if self.start is not None:
            text = self._started(self.start + step)
            return None if text is None else parse(text, name=name)
        names = [*self.names, *self._more(step)]
        groups: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
        for rule in self.sheet.rules:
            template, numbers = self._template(str(rule))
            groups.setdefault(template, []).append(numbers)
        lines = []
        for template, members in groups.items():
            found = _extended(sorted(set(members)), len(self.names), step)
            if found is None:
                return None
            for member in found:
                words = iter(names[number] for number in member)
                lines.append(" ".join(next(words) if word == "_" else word for word in template))
        return parse("\n".join(lines), name=name)

    def _more(self, step: int) -> list[str]:
        if self.names[-1].isdecimal():
            return [str(int(self.names[-1]) + more) for more in range(1, step + 1)]
        return [f"{self.names[-1]}_{more}" for more in range(1, step + 1)]

    def _template(self, text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Split a rule into its words, with `_` for numbers, and these; goals are no numbers."""
        place = {name: number for number, name in enumerate(self.names)}
        words, numbers = [], []
        tokens = _TOKEN.findall(text)
        for index, token in enumerate(tokens):
            is_name = index > 0 and tokens[index - 1] == "("
            is_goal = index > 2 and tokens[index - 3 : index - 1] == ["(", "goal"]
            is_goal = is_goal or (index > 2 and tokens[index - 2] == "goal")
            if token in place and not is_name and not is_goal:
                words.append("_")
                numbers.append(place[token])
            else:
                words.append(token)
        return tuple(words), tuple(numbers)

    def _started(self, number: int) -> str | None:
        """Write the rules with a larger number at the start."""
        assert self.start is not None
        if number - self.low >= len(self.names):
            return None
        old, new = self.names[self.start - self.low], self.names[number - self.low]
        name, _, argument = self.argument.partition(".")
        lines, found = [], False
        for rule in self.sheet.rules:
            fluent = rule.head.args[0] if rule.head.relation == "init" else None
            if isinstance(fluent, Function) and fluent.name == name and not rule.body:
                place = int(argument) - 1
                if str(fluent.args[place]) == old:
                    args = (*fluent.args[:place], Function(new), *fluent.args[place + 1 :])
                    lines.append(f"(init {Function(name, args)})")
                    found = True
                    continue
            lines.append(str(rule))
        return "\n".join(lines) if found else None


def growing(game: CompiledGame, argument: str) -> Growing:
    """Find the numbers at an argument, written NAME.N as in `heap.2`, and how they may grow.

    >>> from kibitz.games import load_sheet
    >>> growing(CompiledGame(load_sheet("nim:3,5")), "heap.2").size
    5
    """
    known = [f"{name}.{place}" for name, place in number_arguments(game)]
    if argument not in known:
        raise InputError(
            f"{argument!r} is no argument of numbers in {game.sheet.name}",
            hint="such arguments are " + (", ".join(known) or "missing: no size can grow"),
        )
    name, _, place = argument.partition(".")
    network = game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    values = {
        value
        for fluent in fluents
        if fluent.name == name and isinstance(value := fluent.args[int(place) - 1], Function)
    }
    numbers = numbers_of_values(values, game.sheet)
    assert numbers is not None
    ordered = [value.name for value in sorted(numbers, key=numbers.__getitem__)]
    for chain in chains_of(game.sheet):
        if set(ordered) <= set(chain):
            whole = numbers_of_values([Function(name) for name in chain], game.sheet)
            if whole is not None:
                ordered = [value.name for value in sorted(whole, key=whole.__getitem__)]
                numbers = whole
            break
    low = min(numbers.values())
    top = max(
        (
            numbers[value]
            for fluent in game.initial().fluents
            if fluent.name == name and isinstance(value := fluent.args[int(place) - 1], Function)
        ),
        default=low,
    )
    is_whole = top == low + len(ordered) - 1 or top == low
    return Growing(game.sheet, argument, tuple(ordered), low, None if is_whole else top)


def _extended(
    members: list[tuple[int, ...]], count: int, step: int
) -> list[tuple[int, ...]] | None:
    """Return which tuples of numbers there are in a larger game; None if that is not clear.

    Of several ways to know them from others, the one by the fewest features counts, and of these
    the one that counts from the end at which they are.
    """
    width = len(members[0])
    if width == 0:
        return members
    if (count + step) ** width > _MOST_TUPLES:
        return None
    here, there = _tuples(count, width), _tuples(count + step, width)
    held = np.zeros(len(here), dtype=bool)
    held[[int(np.ravel_multi_index(member, (count,) * width)) for member in members]] = True
    costs = _costs(members, count)
    best: tuple[int, list[tuple[int, ...]]] | None = None
    for margin in range(1, count + 1):
        seen = _features(here, count, margin)
        kept = list(range(seen.shape[1]))
        if (2 * margin + 1) ** len(kept) >= 2**62:
            break
        if not _decides(seen, kept, margin, held):
            continue
        for column in sorted(kept, key=lambda column: -costs.get(column, 1)):
            fewer = [other for other in kept if other != column]
            if _decides(seen, fewer, margin, held):
                kept = fewer
        after = _keys(_features(there, count + step, margin), kept, margin)
        before = _keys(seen, kept, margin)
        cost = sum(costs.get(column, 1) for column in kept)
        if np.isin(after, before).all() and (best is None or cost < best[0]):
            chosen = np.isin(after, before[held])
            best = cost, [tuple(row) for row in there[chosen].tolist()]
    return best[1] if best else None


def _costs(members: list[tuple[int, ...]], count: int) -> dict[int, int]:
    """Return which features cost more: the end at which a number never is, of those it has."""
    width = len(members[0])
    costs = {}
    for column in range(width):
        values = {member[column] for member in members}
        costs[column] = 1 if count - 1 in values and 0 not in values else 2
        costs[width + column] = 3 - costs[column]
    return costs


def _tuples(count: int, width: int) -> Numbers:
    return np.indices((count,) * width, dtype=np.int64).reshape(width, -1).T


def _features(tuples: Numbers, count: int, margin: int) -> Numbers:
    """Say how near numbers are to the top, to the bottom, and to sums and one another.

    First come distances from the top, then those from the bottom, then the others.
    """
    columns = tuples.T
    found = [np.minimum(count - 1 - column, margin) for column in columns]
    found += [np.minimum(column, margin) for column in columns]
    if len(columns) == 3:
        found += [
            np.clip(columns[a] - columns[b] - columns[c], -margin, margin)
            for a, b, c in permutations(range(3))
            if b < c
        ]
    pairs = combinations(range(len(columns)), 2)
    found += [np.clip(columns[a] - columns[b], -margin, margin) for a, b in pairs]
    return np.column_stack(found)


def _keys(features: Numbers, kept: list[int], margin: int) -> Numbers:
    """Return one number for each row of some features."""
    key = np.zeros(len(features), dtype=np.int64)
    for column in kept:
        key = key * (2 * margin + 1) + features[:, column] + margin
    return key


def _decides(features: Numbers, kept: list[int], margin: int, held: npt.NDArray[np.bool_]) -> bool:
    keys = _keys(features, kept, margin)
    return not np.isin(keys[held], keys[~held]).any()


_STATES = 20_000
"""Larger games than this are not solved; a number of states is the same on any machine."""
_STEPS = 8
"""How much larger sizes of a sheet are tried."""


@dataclass(frozen=True, slots=True)
class Grown:
    """In how many larger games a strategy plays perfectly, in words too, and whether in none."""

    games: int
    text: str
    failed: bool


_SOLVED: dict[str, Solution | None] = {}
_GROWN: Attached[CompiledGame, dict[str, list[Solution | None]]] = Attached()


def check_larger(strategy: Strategy, game: CompiledGame, role: Role, value: int) -> Grown:
    """Follow a strategy in larger games of its family in which the role has the same value.

    It fails if it plays perfectly in none of the directions in which the game can grow.

    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> strategy = read_strategy("symmetric none\\nnext nimsum(heap.2) = 0 => any", game)
    >>> check_larger(strategy, game, "player1", 100).failed
    False
    """
    texts, count, tried = [], 0, 0
    for names in larger_games(game.sheet.name):
        right, last = 0, ""
        for name in names:
            solution = _solved(name)
            if solution is None:
                break
            if role not in solution.space.game.roles or solution.value()[role] != value:
                continue
            if not _plays_perfectly(strategy, solution, role):
                right = 0
                tried += 1
                break
            right, last = right + 1, name
        if right:
            count += right
            tried += 1
            texts.append(last if right == 1 else f"{right} larger ones up to {last}")
    text = f", and {', '.join(texts)} from the start" if texts else ""
    return Grown(count, text, failed=bool(tried and not count))


def check_grown(
    strategy: Strategy, game: CompiledGame, role: Role, value: int, argument: str
) -> Grown:
    """Follow a strategy in relatives of a sheet in which a size is larger, as far as states allow.

    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> strategy = read_strategy("symmetric none\\nnext nimsum(heap.2) = 0 => any", game)
    >>> check_grown(strategy, game, "player1", 100, "heap.2").failed
    False
    """
    sizes = growing(game, argument)
    right: list[int] = []
    wrong: int | None = None
    known = _GROWN.setdefault(game, {}).setdefault(argument, [])
    for step in range(1, _STEPS + 1):
        if step > len(known):
            sheet = sizes.grown(step)
            known.append(None if sheet is None else _solve(sheet))
        solution = known[step - 1]
        if solution is None:
            break
        if solution.value().get(role) != value:
            continue
        if not _plays_perfectly(strategy, solution, role):
            wrong = sizes.size + step
            break
        right.append(sizes.size + step)
    count = f"{len(right)} larger one{'s' * (len(right) != 1)}"
    text = f", and {count} with {argument} up to {right[-1]} from the start" if right else ""
    if wrong is not None:
        text += f", but not with {argument} up to {wrong}"
    elif not right:
        text += f", and no larger one with another {argument}"
    return Grown(len(right), text, failed=wrong is not None and not right)


def _solved(name: str) -> Solution | None:
    """Solve a game of the library, once; None if it has too many states."""
    if name not in _SOLVED:
        _SOLVED[name] = _solve(load_sheet(name))
    return _SOLVED[name]


def _solve(sheet: RuleSheet) -> Solution | None:
    try:
        space = explore(CompiledGame(sheet), limits=Limits(states=_STATES))
        return solve(space) if space.is_complete else None
    except KibitzError:
        return None


def _plays_perfectly(strategy: Strategy, solution: Solution, role: Role) -> bool:
    try:
        there = read_strategy(strategy.text, solution.space.game)
        verdict = verify(there, solution, role)
    except KibitzError:
        return False
    return bool(verdict.perfect)
