"""Check a strategy a second time, with clingo, dictionaries and recursion: no compiled code.

The reference engine evaluates the rules, one state at a time; formulas are evaluated path by path,
as definition 4 of paper 001 is printed; values are found by asking which goals can be forced.
Symmetries are given, and each is checked on every state and every move. The result is a Verdict as
`verify` gives it. For small games.

It is a program of its own on purpose: it shares the tree of formulas with `verify`, and neither
`evaluation.paths` nor the definitions of numbers in `syntax.numbers`, so that an error in those is
seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from operator import xor

from kibitz.engine import Move, ReferenceGame, Role, State
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import Function, RuleSheet, require_gdl1
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import ASKER, asking_sheet
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.evaluation.rule_images import Carrier, plan_images
from kibitz.strategy.strategy import Strategy, StrategyRule
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.verification.verdict import Counterexample, Verdict

Joint = tuple[Move, ...]
Key = frozenset[Function]


@dataclass(frozen=True)
class ReferenceState:
    """All that the rules say about one state."""

    terminal: bool
    goals: dict[Role, int | None]
    legal: dict[Role, tuple[Move, ...]]
    asked: frozenset[Function]
    next: dict[Joint, Key]


class ReferenceSpace:
    """All states with what the rules say about them, and which of the asked relations hold."""

    def __init__(self, sheet: RuleSheet, asked: list[Function], most_states: int) -> None:
        self.sheet = sheet
        self.game = ReferenceGame(sheet)
        self.nodes = self._explore(asked, most_states)
        self.initial = next(iter(self.nodes))
        self.turns = self._to_move()

    def _explore(self, asked: list[Function], most: int) -> dict[Key, ReferenceState]:
        game = self.game
        asking = ReferenceGame(asking_sheet(self.sheet, asked)) if asked else None
        first = game.initial()
        nodes: dict[Key, ReferenceState] = {}
        queue: deque[State] = deque([first])
        seen = {frozenset(first.fluents)}
        while queue:
            state = queue.popleft()
            key = frozenset(state.fluents)
            legal = {role: state.legal(role) for role in game.roles}
            after: dict[Joint, Key] = {}
            if not state.is_terminal:
                for joint in product(*(legal[role] for role in game.roles)):
                    successor = game.successor(state.key, joint)
                    after[joint] = frozenset(successor.fluents)
                    if after[joint] not in seen:
                        seen.add(after[joint])
                        queue.append(successor)
            if len(seen) > most:
                raise BudgetExceededError(
                    f"{self.sheet.name} has more than {most:,} states",
                    hint="the reference engine is for small games",
                )
            holding = asking.state(key).legal(ASKER) if asking else ()
            nodes[key] = ReferenceState(
                state.is_terminal, dict(state.goals), legal, frozenset(holding), after
            )
        return nodes

    def check_symmetries(self, carriers: Sequence[Carrier]) -> None:
        """Check that each symmetry maps the start, every state and every move correctly."""
        for carrier in carriers:

            def image(key: Key, carrier: Carrier = carrier) -> Key:
                return frozenset(carrier.fluents[fluent] for fluent in key)

            for key, node in self.nodes.items():
                other = self.nodes.get(image(key))
                fits = (
                    other is not None
                    and (node.terminal, node.goals) == (other.terminal, other.goals)
                    and other.next
                    == {
                        tuple(
                            carrier.moves[role][move]
                            for role, move in zip(self.game.roles, joint, strict=True)
                        ): image(after)
                        for joint, after in node.next.items()
                    }
                )
                if not fits:
                    raise KibitzError(f"a symmetry of {self.sheet.name} does not hold")
            if image(self.initial) != self.initial:
                raise KibitzError(f"a symmetry of {self.sheet.name} moves the initial state")

    def _to_move(self) -> dict[Role, set[Key]]:
        """Return the states in which it is each role's turn."""
        chosen = {
            move
            for node in self.nodes.values()
            if node.next
            for moves in node.legal.values()
            if len(moves) > 1
            for move in moves
        }
        turns: dict[Role, set[Key]] = {role: set() for role in self.game.roles}
        for key, node in self.nodes.items():
            if not node.next:
                continue
            active = [role for role in self.game.roles if len(node.legal[role]) > 1] or [
                role for role in self.game.roles if node.legal[role][0] in chosen
            ]
            for role in active or self.game.roles:
                turns[role].add(key)
        return turns

    def values(self, role: Role) -> tuple[dict[Key, int], int, int]:
        """Return the values of states for a role: the goals that can be forced, or else the middle.

        The middle and the sum of goals come after them.
        """
        if len(self.game.roles) > 2:
            raise KibitzError("the reference check is for one role or two")
        ends = {key: node.goals for key, node in self.nodes.items() if node.terminal}
        sums = {sum(goal or 0 for goal in goals.values()) for goals in ends.values()}
        if len(self.game.roles) == 2 and len(sums) > 1:
            raise KibitzError(f"the goals of {self.sheet.name} do not add up to one number")
        total = max(sums, default=100) if len(self.game.roles) == 2 else 100
        middle = total - total // 2 if self.game.roles.index(role) else total // 2
        goal_of = {key: goals[role] or 0 for key, goals in ends.items()}
        value = dict.fromkeys(self.nodes, middle)
        for bound in sorted({g for g in goal_of.values() if g > middle}):
            best = {key for key, goal in goal_of.items() if goal >= bound}
            for key in self._forced(best, role, mine=True):
                value[key] = bound
        for bound in sorted({g for g in goal_of.values() if g < middle}, reverse=True):
            for key in self._forced(
                {k for k, g in goal_of.items() if g <= bound}, role, mine=False
            ):
                value[key] = bound
        return value, middle, total

    def plies(self, role: Role, value: dict[Key, int], middle: int) -> dict[Key, int]:
        """Return how soon the role that is ahead can force the value of a state, if one is."""
        found = {key: 0 for key, node in self.nodes.items() if node.terminal}
        open_ = {key for key, here in value.items() if here != middle} - found.keys()
        for plies in range(1, len(self.nodes)):
            new = set()
            for key in open_:
                keeping = [to for to in self.nodes[key].next.values() if value[to] == value[key]]
                picks = (key in self.turns[role]) is (value[key] > middle)
                if (any if picks else all)(to in found for to in keeping):
                    new.add(key)
            if not new:
                break
            found |= dict.fromkeys(new, plies)
            open_ -= new
        return found

    def _forced(self, target: set[Key], role: Role, *, mine: bool) -> set[Key]:
        """Return the states from which a role, or else its opponent, can force play into others."""
        found = set(target)
        while True:
            new = set()
            for key, node in self.nodes.items():
                if key in found or not node.next:
                    continue
                into = [after in found for after in node.next.values()]
                picks = (key in self.turns[role]) is mine
                if any(into) if picks else all(into):
                    new.add(key)
            if not new:
                return found
            found |= new


def verify_by_reference(
    strategy: Strategy,
    role: Role,
    *,
    carriers: Sequence[Carrier] = (),
    silence: str = "any",
    most_states: int = 20_000,
) -> Verdict:
    """Check a strategy for a role; give up beyond a number of states.

    `carriers` are symmetries that generate the game's group. Strategies that refer to the past are
    refused: their choices depend on more than the state.

    >>> from kibitz.engine import ReferenceGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.strategy import read_strategy
    >>> strategy = read_strategy("true => (reduce a 0)", ReferenceGame(load_sheet("nim:2")))
    >>> verify_by_reference(strategy, "player1").perfect
    True
    """
    check_silence(silence)
    require_gdl1(strategy.game.sheet)
    formulas = tree.plan_formulas(strategy.with_symmetry("none").plan(role))
    if max(map(tree.past_depth, formulas), default=0):
        raise InputError(
            f"{strategy.name} refers to the past, which the reference check does not support",
            hint="check it with --engine compiled",
        )
    return _Reference(strategy, role, carriers, most_states).verdict(silence)


class _Reference:
    def __init__(
        self, strategy: Strategy, role: Role, carriers: Sequence[Carrier], most_states: int
    ) -> None:
        self.strategy, self.role = strategy, role
        self.roles = strategy.game.roles
        self.plans = self.images(carriers)
        asked = [
            leaf.atom
            for plans in self.plans
            for plan in plans
            for formula in tree.plan_formulas(plan)
            for leaf in tree.leaves(formula)
            if isinstance(leaf, tree.Derived)
        ]
        space = ReferenceSpace(strategy.game.sheet, asked, most_states)
        space.check_symmetries(carriers)
        self.nodes, self.initial, self.turns = space.nodes, space.initial, space.turns
        self.value, self.middle, self.total = space.values(role)
        self.plies = space.plies(role, self.value, self.middle)
        self.able: dict[tuple[Key, tree.Formula], bool] = {}

    def images(self, carriers: Sequence[Carrier]) -> list[list[tree.Plan]]:
        """Return for each rule the plans of its images; for other strategies, their subplans."""
        plain = self.strategy.with_symmetry("none")
        parts = list(plain.parts(self.role))
        if self.strategy.symmetry == "none" or not carriers:
            return [[part] for part in parts]
        return [plan_images(part, carriers) for part in parts]

    def chosen(self, key: Key) -> tuple[frozenset[Move], int]:
        """Return the moves that the strategy has in a state, and the rule that decides."""
        if key not in self.turns[self.role]:
            return frozenset(), -1
        moves = frozenset(self.nodes[key].legal[self.role])
        for number, images in enumerate(self.plans):
            found: frozenset[Move] = frozenset()
            for plan in images:
                found |= self.plan(plan, key, moves)
                if found and self.strategy.symmetry == "first":
                    break
            if found:
                return found, number
        return frozenset(), -1

    def plan(self, plan: tree.Plan, key: Key, moves: frozenset[Move]) -> frozenset[Move]:
        match plan:
            case tree.Simple(formula):
                return frozenset(m for m in moves if self.is_valid(formula, key, m))
            case tree.Either(parts):
                return frozenset().union(*(self.plan(part, key, moves) for part in parts))
            case tree.Else(parts):
                found = (self.plan(part, key, moves) for part in parts)
                return next((moves for moves in found if moves), frozenset())
            case tree.Also(parts):
                kept = self.plan(parts[0], key, moves)
                for part in parts[1:]:
                    both = kept & self.plan(part, key, moves)
                    if not both:
                        return kept
                    kept = both
                return kept

    def is_valid(
        self, formula: tree.Formula, key: Key, move: Move, role: Role | None = None
    ) -> bool:
        """Return whether all paths that begin with a role's move satisfy a formula."""
        index = self.roles.index(role or self.role)
        depth = tree.next_depth(formula)
        return all(
            self.satisfies(path, 0, formula)
            for joint, after in self.nodes[key].next.items()
            if joint[index] == move
            for path in self.paths([(key, joint)], after, depth)
        )

    def paths(
        self, start: list[tuple[Key, Joint | None]], end: Key, moves: int
    ) -> Iterator[list[tuple[Key, Joint | None]]]:
        yield [*start, (end, None)]
        if moves:
            for joint, after in self.nodes[end].next.items():
                yield from self.paths([*start, (end, joint)], after, moves - 1)

    def satisfies(
        self, path: list[tuple[Key, Joint | None]], at: int, formula: tree.Formula
    ) -> bool:
        key, joint = path[at]
        node = self.nodes[key]
        match formula:
            case tree.Const(value):
                return value
            case tree.Holds(fluent):
                return fluent in key
            case tree.Derived(atom, renaming):
                return atom in (self.nodes[renaming.undone(key)] if renaming else node).asked
            case tree.Does(role, move):
                return joint is None or joint[self.roles.index(role)] == move
            case tree.Legal(role, move):
                return not node.terminal and move in node.legal[role]
            case tree.Wins(role):
                return node.terminal and node.goals[role] == 100
            case tree.GoalIs(role, comparison, number):
                goal = node.goals[role]
                return goal is not None and _compares(goal, comparison, number)
            case tree.NumberIs(left, comparison, right):
                return _ordered(_count(left, key), comparison, _count(right, key))
            case tree.Unchanged(_, pairs):
                return not any((a in key) ^ (b in key) for a, b in pairs)
            case tree.Turn(role):
                return key in self.turns[role]
            case tree.Initial():
                return key == self.initial
            case tree.Terminal():
                return node.terminal
            case tree.Not(inner):
                return not self.satisfies(path, at, inner)
            case tree.And(parts):
                return all(self.satisfies(path, at, part) for part in parts)
            case tree.Or(parts):
                return any(self.satisfies(path, at, part) for part in parts)
            case tree.AtLeast(count, parts):
                return sum(self.satisfies(path, at, part) for part in parts) >= count
            case tree.Next(inner):
                return joint is None or self.satisfies(path, at + 1, inner)
            case tree.Can(role, inner):
                if (key, formula) not in self.able:
                    moves = node.legal[role] if node.next else ()
                    self.able[key, formula] = any(
                        self.is_valid(inner, key, move, role) for move in moves
                    )
                return self.able[key, formula]
            case tree.Previous() | tree.Made() | tree.Before():
                raise TypeError("strategies with a past were refused")

    def keeping(self, key: Key, *, progress: bool = False) -> frozenset[Move]:
        """Return the moves that keep the value, or those of them that make progress as well."""
        index = self.roles.index(self.role)
        value = self.value[key]
        return frozenset(
            joint[index]
            for joint, after in self.nodes[key].next.items()
            if self.value[after] == value
            and (not progress or value == self.middle or self.plies[after] == self.plies[key] - 1)
        )

    def reach(self, moves: dict[Key, frozenset[Move]]) -> dict[Key, tuple[Key, Joint] | None]:
        """Return the states reached by some moves of the role, with their paths, nearest first."""
        index = self.roles.index(self.role)
        found: dict[Key, tuple[Key, Joint] | None] = {self.initial: None}
        queue = deque([self.initial])
        while queue:
            key = queue.popleft()
            for joint, after in self.nodes[key].next.items():
                is_free = key not in self.turns[self.role]
                if (is_free or joint[index] in moves[key]) and after not in found:
                    found[after] = (key, joint)
                    queue.append(after)
        return found

    def verdict(self, silence: str) -> Verdict:
        decided = {key: self.chosen(key) for key in self.nodes}
        turns = self.turns[self.role]
        chosen = {key: decided[key][0] for key in turns}
        everything = {key: frozenset(self.nodes[key].legal[self.role]) for key in turns}
        maximal, careful = chosen, chosen
        if silence == "any":
            maximal = {key: chosen[key] or everything[key] for key in turns}
            careful = {key: chosen[key] or self.keeping(key) for key in turns}
        strong, weak = self.reach(maximal), self.reach(careful)
        bad = [k for k in strong if k in turns and not maximal[k] <= self.keeping(k)]
        circling = self.circles({k for k in strong if self.value[k] > self.middle}, maximal)
        idle = [
            k
            for k in strong
            if k in circling
            and k in turns
            and circling.intersection(
                self.followers(k, {k: maximal[k] - self.keeping(k, progress=True)})
            )
        ]
        silent = [k for k in strong if k in turns and not maximal[k]]
        reasons = {"strongly_optimal": bad, "makes_progress": idle, "complete": silent}
        against, states = next(((c, found) for c, found in reasons.items() if found), ("", []))
        rules = self.strategy.rules_for(self.role)
        deciding = {number for _, number in decided.values()}
        return Verdict(
            role=self.role,
            valid=any(chosen.values()),
            complete=all(chosen.values()),
            deterministic=all(len(moves) < 2 for moves in chosen.values()),
            weakly_optimal=all(chosen[k] <= self.keeping(k) for k in weak if k in turns),
            strongly_optimal=not bad,
            makes_progress=not circling,
            guarantees={self.role: 0} if silent else self.guarantees(set(strong), maximal),
            rules=len(rules),
            literals=sum(map(self.literals, rules)),
            dead_rules=tuple(n + 1 for n in range(len(rules)) if n not in deciding),
            states_checked=len(strong),
            bad_states=len(bad),
            value=self.value[self.initial],
            silence=silence,
            stops=bool(silent),
            against=against,
            counterexample=self.counterexample(states[0], strong, maximal) if against else None,
        )

    def circles(self, states: Iterable[Key], moves: dict[Key, frozenset[Move]]) -> set[Key]:
        """Return the states from which play can stay among these states forever."""
        left = set(states)
        while True:
            going = {key for key in left if any(a in left for a in self.followers(key, moves))}
            if going == left:
                return left
            left = going

    def followers(self, key: Key, moves: dict[Key, frozenset[Move]]) -> list[Key]:
        index = self.roles.index(self.role)
        is_free = key not in self.turns[self.role]
        pairs = self.nodes[key].next.items()
        return [after for joint, after in pairs if is_free or joint[index] in moves[key]]

    def guarantees(self, reached: set[Key], moves: dict[Key, frozenset[Move]]) -> dict[Role, int]:
        ends = [key for key in reached if self.nodes[key].terminal]
        goals = [self.nodes[key].goals[self.role] or 0 for key in ends]
        if any(not self.nodes[k].next and not self.nodes[k].terminal for k in self.nodes):
            raise KibitzError(
                "play can get stuck: a role has no legal move, so nothing is guaranteed"
            )
        if not goals or self.circles(reached, moves):
            goals.append(self.middle)
        found = {self.role: min(goals)}
        for other in self.roles:
            if other != self.role:
                found[other] = self.best_reply(other, reached, moves)
        return {role: found[role] for role in self.roles}

    def best_reply(self, other: Role, reached: set[Key], moves: dict[Key, frozenset[Move]]) -> int:
        """Return the goal guaranteed to the other role if the role keeps to its moves."""
        goal = {k: self.nodes[k].goals[other] or 0 for k in reached if self.nodes[k].terminal}
        best = middle = self.total - self.middle

        def can_force(target: set[Key], *, picks: Role) -> bool:
            found = set(target)
            while True:
                new = set()
                for key in reached - found:
                    into = [after in found for after in self.followers(key, moves)]
                    mine = key in self.turns[self.role]
                    test = any if (picks == self.role) is mine else all
                    if into and test(into):
                        new.add(key)
                if not new:
                    return self.initial in found
                found |= new

        for bound in sorted({g for g in goal.values() if g > middle}):
            if can_force({k for k, g in goal.items() if g >= bound}, picks=other):
                best = bound
        if best == middle:
            for bound in sorted({g for g in goal.values() if g < middle}, reverse=True):
                if can_force({k for k, g in goal.items() if g <= bound}, picks=self.role):
                    best = bound
        return best

    def literals(self, rule: StrategyRule) -> int:
        preferred = sum(preference.atoms for preference in rule.preferences)
        if len(rule.choices) != 1:
            return rule.atoms + preferred
        ((condition, moves),) = rule.choices
        index = self.roles.index(self.role)
        where = [
            (key, joint, after)
            for key in self.turns[self.role]
            for joint, after in self.nodes[key].next.items()
            if joint[index] in moves or isinstance(moves, tree.AllMoves)
        ]
        parts = condition.parts if isinstance(condition, tree.And) else (condition,)
        count = preferred
        for part in parts:
            is_implied = tree.next_depth(part) == 0 and all(
                self.satisfies([(key, joint), (after, None)], 0, part)
                for key, joint, after in where
            )
            count += 0 if is_implied else sum(1 for _ in tree.leaves(part))
        return count

    def counterexample(
        self,
        key: Key,
        reached: dict[Key, tuple[Key, Joint] | None],
        moves: dict[Key, frozenset[Move]],
    ) -> Counterexample:
        write = self.strategy.game.write
        path: list[Joint] = []
        at: Key = key
        while (step := reached[at]) is not None:
            at, joint = step
            path.append(joint)
        return Counterexample(
            state=list(self.nodes).index(key),
            fluents=tuple(sorted(map(write, key))),
            path=tuple(tuple(map(write, joint)) for joint in reversed(path)),
            moves_chosen=tuple(sorted(map(write, moves[key]))),
            optimal_moves=tuple(sorted(map(write, self.keeping(key, progress=True)))),
            keeping_moves=tuple(sorted(map(write, self.keeping(key)))),
        )


def _compares(goal: int, comparison: str, number: int) -> bool:
    return 0 <= goal <= 100 and _ordered(goal, comparison, number)


def _ordered(one: int, comparison: str, other: int) -> bool:
    order = (one > other) - (one < other)
    wanted = {"=": (0,), "!=": (-1, 1), "<": (-1,), ">": (1,), "<=": (-1, 0), ">=": (0, 1)}
    return order in wanted[comparison]


def _count(number: Number, key: Key) -> int:
    """Return a number of a state, digit by digit where it is a nim-sum."""
    if number.kind == "constant":
        return number.constant
    if number.kind == "entry":
        return dict(enumerate(number.table)).get(_count(number.parts[0], key), -1)
    if number.parts:
        one, other = (_count(part, key) for part in number.parts)
        match number.kind:
            case "plus":
                return one + other
            case "minus":
                return one - other
            case "times":
                return one * other
            case "remainder":
                return one - other * (one // other)
            case "xor":
                return (one | other) - (one & other)
            case _:
                return max(one - other, other - one)
    held = sorted(value for fluent, value in number.things if fluent in key)
    match number.kind:
        case "runs":
            runs = [
                last - first
                for first in held
                for last in range(first + 1, max(held) + 2)
                if first - 1 not in held
                and last not in held
                and set(range(first, last)) <= set(held)
            ]
            return reduce(xor, (number.table[run] for run in runs), number.table[0])
        case "nimsum":
            digits = range(max(held, default=0).bit_length())
            return sum(2**d for d in digits if sum(value // 2**d for value in held) % 2)
        case "largest":
            return held[-1] if held else 0
        case "smallest":
            return held[0] if held else 0
        case _:
            return sum(held)
