"""A game with strategies in first-order logic: the Situation Calculus of paper 001, 7.1 to 7.3.

Actions are joint moves, situations are `s0` and `do(A,S)`. The rules come from the game's network,
so every fluent has one axiom for what makes it hold after an action. A formula with ○ is about all
paths: after the action it must hold where the path ends, and for every action that is possible
there. Most provers read TPTP's first-order form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

from kibitz.engine import FALSE, TRUE, CompiledGame, Literal, Move, Network, Role
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.space import SEVERAL, Limits, StateSpace, choices_on, explore
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import ASKER, derived_game
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.evaluation.paths import Paths, World
from kibitz.strategy.strategy import Strategy
from kibitz.strategy.syntax.numbers import number_literal

_MOST_WAYS = 200
"""In how many ways a number of formulas may be chosen that are written one by one."""


def tptp_encoding(
    game: CompiledGame,
    strategies: Mapping[Role, Strategy],
    *,
    role: Role | None = None,
    conjecture: bool = False,
    silence: str = "any",
) -> str:
    """Write axioms of a game and of strategies that roles follow.

    `win(S)` says that a role can bring about a win from S while the others follow their strategies,
    or do anything if they have none; the role is the first unless given. With `conjecture`, the
    text asks to prove `win(s0)`. `silence` is what happens where a strategy allows no move; see
    `MoveSet.under`.
    """
    check_silence(silence)
    role = role or game.roles[0]
    for name in (role, *strategies):
        game.check_role(name)
    limits = Limits(states=200_000, seconds=60, hint="encode a smaller instance")
    space = explore(game, limits=limits)
    space.require_complete()
    if not space.joint_moves:
        raise InputError(
            f"in {game.sheet.name} no move can be made, so there is no action to write",
            hint="kibitz solve describes its initial state",
        )
    writer = _Writer(game, space, {name: s.plan(name) for name, s in strategies.items()})
    writer.game_axioms()
    for name, strategy in strategies.items():
        writer.note(f"{name} follows {strategy.name}.")
        writer.strategy(name)
    writer.outcome_axioms(list(strategies), silence)
    writer.win_axioms(role)
    if conjecture:
        writer.lines.append("fof(win, conjecture, win(s0)).")
    return "\n".join(writer.lines) + "\n"


class _Writer:
    def __init__(
        self, game: CompiledGame, space: StateSpace, plans: Mapping[Role, tree.Plan]
    ) -> None:
        self.game, self.space, self.plans = game, space, plans
        formulas = [f for plan in plans.values() for f in tree.plan_formulas(plan)]
        found = [leaf for formula in formulas for leaf in tree.leaves(formula)]
        if any(isinstance(leaf, tree.Made | tree.Before) for leaf in found):
            raise InputError(
                "formulas about the past cannot be written in the Situation Calculus",
                hint="encode it with --to asp",
            )
        if any(map(tree.uses_can, formulas)):
            raise InputError(
                "can cannot be written in the Situation Calculus", hint="encode it with --to asp"
            )
        self.network: Network = game.network
        self.derived: dict[Function, Literal] = {}
        atoms = list(dict.fromkeys(leaf.atom for leaf in found if isinstance(leaf, tree.Derived)))
        if atoms:
            made = derived_game(game, atoms)
            self.network = made.game.network
            self.derived = dict(zip(atoms, made.literals, strict=True))
        self.lines: list[str] = []
        self.count = 0
        names = _Naming()
        self.fluents = [names(f"f_{fluent}") for fluent in self.network.fluents]
        self.hidden = {hidden.fluent: names(f"f_{hidden.fluent}") for hidden in self.network.hidden}
        self.actions = [names(f"a_{'_and_'.join(map(str, joint))}") for joint in space.joint_moves]
        self.gates: dict[int, str] = {}
        self.moving = _moving(self.network)
        self.numbers = _NumberGates(self)
        self.quantified = 0
        self.paths = Paths(_TextWorld(self))
        self.is_mixed = bool((space.turn == SEVERAL).any())

    # Writing

    def note(self, text: str) -> None:
        clean = re.sub(r"[^ -~]", "?", text)
        self.lines.append(f"% {clean}")

    def axiom(self, name: str, formula: str) -> None:
        self.count += 1
        self.lines.append(f"fof({name}_{self.count}, axiom, {formula}).")

    def variable(self, letter: str) -> str:
        self.quantified += 1
        return f"{letter}{self.quantified}"

    # The game

    def game_axioms(self) -> None:
        self.note(f"{self.game.sheet.name} in the Situation Calculus.")
        for one, other in _pairs(self.actions):
            self.axiom("names", f"{one} != {other}")
        known = _any(f"A = {action}" for action in self.actions)
        self.axiom("actions", f"! [A,S] : (poss(A,S) => {known})")
        network = self.network
        for name, is_on in zip(self.fluents, network.initial, strict=True):
            self.axiom("init", f"{'' if is_on else '~'}holds({name},s0)")
        for hidden in network.hidden:
            others = _any(f"holds({self.fluents[i]},S)" for i in hidden.unless)
            self.axiom("hidden", f"! [S] : (holds({self.hidden[hidden.fluent]},S) <=> ~{others})")
        for name, literal in zip(self.fluents, network.next, strict=True):
            after = self.literal(literal, "A", "S")
            self.axiom("change", f"! [A,S] : (holds({name},do(A,S)) <=> {after})")
        terminal = self.view(network.terminal, "S")
        self.axiom("terminal", f"! [S] : (terminal(S) <=> {terminal})")
        for action, joint in zip(self.actions, self.space.joint_moves, strict=True):
            legal = _all(
                self.legal(role, move, "S")
                for role, move in zip(self.game.roles, joint, strict=True)
            )
            self.axiom("poss", f"! [S] : (poss({action},S) <=> (~terminal(S) & {legal}))")
        self.turn_axioms()

    def literal(self, literal: Literal, action: str, situation: str) -> str:
        """Write a literal of the network for an action and a situation."""
        node = literal >> 1
        denied = "~" if literal & 1 else ""
        if node == 0:
            return "$true" if literal & 1 else "$false"
        if node < self.network.first_move:
            return f"{denied}holds({self.fluents[node - 1]},{situation})"
        if node < self.network.first_gate:
            return f"{denied}{self.made(node, action)}"
        return f"{denied}{self.applied(node, action, situation)}"

    def applied(self, node: int, action: str, situation: str) -> str:
        name = self.gate(node)
        return f"{name}({action},{situation})" if node in self.moving else f"{name}({situation})"

    def made(self, node: int, action: str) -> str:
        """Write that an action contains the move of a node."""
        at = node - self.network.first_move
        for role, moves in zip(self.network.roles, self.network.moves, strict=True):
            if at < len(moves):
                return self.does(role, moves[at], action)
            at -= len(moves)
        raise AssertionError("no such move")

    def does(self, role: Role, move: Move, action: str) -> str:
        if role == ASKER:
            return "$false"
        place = self.game.roles.index(role)
        fitting = [
            f"{action} = {name}"
            for name, joint in zip(self.actions, self.space.joint_moves, strict=True)
            if joint[place] == move
        ]
        return _any(fitting)

    def gate(self, node: int) -> str:
        """Return the predicate of a gate; write its axiom, and those of gates it needs, once."""
        if node not in self.gates:
            stack = [node]
            while stack:
                top = stack[-1]
                inside = self.network.gates[top - self.network.first_gate]
                missing = [
                    lit >> 1
                    for lit in inside
                    if lit >> 1 >= self.network.first_gate and lit >> 1 not in self.gates
                ]
                if missing:
                    stack += missing
                    continue
                stack.pop()
                if top not in self.gates:
                    self.gates[top] = f"g{top - self.network.first_gate + 1}"
                    left, right = (self.literal(lit, "A", "S") for lit in inside)
                    variables = "A,S" if top in self.moving else "S"
                    head = self.applied(top, "A", "S")
                    self.axiom("gate", f"! [{variables}] : ({head} <=> ({left} & {right}))")
        return self.gates[node]

    def view(self, literal: Literal, situation: str) -> str:
        """Write a literal that depends only on the situation, with any action."""
        return self.literal(literal, self.actions[0], situation)

    def legal(self, role: Role, move: Move, situation: str) -> str:
        place = self.network.roles.index(role)
        if move not in self.network.moves[place]:
            return "$false"
        index = self.network.moves[place].index(move)
        return self.view(self.network.legal[place][index], situation)

    def goal(self, role: Role, fits: Callable[[int], bool], situation: str) -> str:
        values = self.network.goals[self.network.roles.index(role)]
        written = [self.view(literal, situation) for _, literal in values]
        return _any(
            _all([written[i], *(f"~({other})" for k, other in enumerate(written) if k != i)])
            for i, (value, _) in enumerate(values)
            if value is not None and 0 <= value <= 100 and fits(value)
        )

    def turn(self, role: Role, situation: str) -> str:
        return f"turn{self.game.roles.index(role) + 1}({situation})"

    def turn_axioms(self) -> None:
        """Write whose turn it is, as `turns` says."""
        choices = choices_on(self.space)
        places = range(1, len(self.game.roles) + 1)
        for place, role in enumerate(self.game.roles, start=1):
            index = self.network.roles.index(role)
            moves = self.network.moves[index]
            legal = [self.view(lit, "S") for lit in self.network.legal[index]]
            acts = [text for move, text in zip(moves, legal, strict=True) if move in choices]
            several = _any(f"(({a}) & ({b}))" for a, b in _pairs(legal))
            self.axiom("able", f"! [S] : (able{place}(S) <=> {_any(legal)})")
            self.axiom("several", f"! [S] : (several{place}(S) <=> {several})")
            self.axiom("acts", f"! [S] : (acts{place}(S) <=> {_any(acts)})")
        goes_on = ["~terminal(S)", *(f"able{place}(S)" for place in places)]
        chosen = _any(f"several{place}(S)" for place in places)
        acting = _any(f"acts{place}(S)" for place in places)
        for place in places:
            forced = f"~({chosen}) & (acts{place}(S) | ~({acting}))"
            mine = _all([*goes_on, f"several{place}(S) | ({forced})"])
            self.axiom("turn", f"! [S] : (turn{place}(S) <=> {mine})")

    # Strategies

    def strategy(self, role: Role) -> None:
        """Write what a role's strategy allows, and whose turn it is."""
        place = self.game.roles.index(role) + 1
        allowed = self.plan(self.plans[role], role, "A", "S")
        self.axiom("follows", f"! [A,S] : (follows{place}(A,S) <=> {allowed})")

    def plan(self, plan: tree.Plan, role: Role, action: str, situation: str) -> str:
        match plan:
            case tree.Simple(formula):
                return self.valid(formula, role, action, situation)
            case tree.Either(parts):
                return _any(self.plan(part, role, action, situation) for part in parts)
            case tree.Else(parts):
                ways: list[str] = []
                before: list[tree.Plan] = []
                for part in parts:
                    none = [f"~({self.some([other], role, situation)})" for other in before]
                    ways.append(_all([self.plan(part, role, action, situation), *none]))
                    before.append(part)
                return _any(ways)
            case tree.Also(parts):
                joined: list[str] = []
                for number in range(1, len(parts) + 1):
                    mine = [self.plan(part, role, action, situation) for part in parts[:number]]
                    if number < len(parts):
                        mine.append(f"~({self.some(parts[: number + 1], role, situation)})")
                    joined.append(_all(mine))
                return _any(joined)

    def some(self, parts: Sequence[tree.Plan], role: Role, situation: str) -> str:
        other = self.variable("B")
        return f"? [{other}] : {_all(self.plan(part, role, other, situation) for part in parts)}"

    def valid(self, formula: tree.Formula, role: Role, action: str, situation: str) -> str:
        """Write that an action is possible and a formula is valid under the role's move in it."""
        if not self.is_mixed:
            inside = self.paths.valid(formula, _Situation(situation), action)
            return f"(poss({action},{situation}) & {inside})"
        other = self.variable("B")
        place = self.game.roles.index(role)
        moves = dict.fromkeys(joint[place] for joint in self.space.joint_moves)
        same = _all(
            f"({self.does(role, move, action)} <=> {self.does(role, move, other)})"
            for move in moves
        )
        inside = self.paths.valid(formula, _Situation(situation), other)
        every = f"! [{other}] : (({same} & poss({other},{situation})) => {inside})"
        return f"(poss({action},{situation}) & ({every}))"

    def leaf(self, leaf: tree.Leaf, situation: str) -> str:
        match leaf:
            case tree.Holds(fluent):
                if fluent in self.hidden:
                    return f"holds({self.hidden[fluent]},{situation})"
                if fluent not in self.network.fluents:
                    return "$false"
                return f"holds({self.fluents[self.network.fluents.index(fluent)]},{situation})"
            case tree.Derived(atom, None):
                return self.view(self.derived[atom], situation)
            case tree.Derived():
                return self.image(leaf, situation)
            case tree.Terminal():
                return f"terminal({situation})"
            case tree.Initial():
                pairs = zip(self.fluents, self.network.initial, strict=True)
                return _all(f"{'' if on else '~'}holds({f},{situation})" for f, on in pairs)
            case tree.Legal(role, move):
                return f"(~terminal({situation}) & {self.legal(role, move, situation)})"
            case tree.Wins(role):
                return f"(terminal({situation}) & {self.won(role, situation)})"
            case tree.GoalIs(role, comparison, number):
                return self.goal(role, lambda v: tree.COMPARE[comparison](v, number), situation)
            case tree.NumberIs(left, comparison, right):
                numbers = self.numbers
                compare = tree.COMPARE[comparison]
                literal = number_literal(left, compare, right, numbers.fluent, numbers)
                return numbers.write(literal, situation)
            case tree.Unchanged(_, pairs):
                held = ([self.leaf(tree.Holds(x), situation) for x in pair] for pair in pairs)
                return _all(f"({one} <=> {other})" for one, other in held)
            case tree.Turn(role):
                return self.turn(role, situation)
            case _:
                raise TypeError(f"{leaf} is written elsewhere")

    def image(self, leaf: tree.Derived, situation: str) -> str:
        """Write that the image of a relation holds, with gates over the images of its fluents."""
        network, numbers, asked = self.network, self.numbers, self.derived[leaf.atom]
        names = leaf.renaming.fluents if leaf.renaming else {}
        needed = {asked >> 1}
        for node in range(asked >> 1, network.first_gate - 1, -1):
            if node in needed:
                needed.update(lit >> 1 for lit in network.gates[node - network.first_gate])
        made = {0: FALSE}
        for node in sorted(needed - {0}):
            if node >= network.first_gate:
                a, b = network.gates[node - network.first_gate]
                made[node] = numbers.both(made[a >> 1] ^ (a & 1), made[b >> 1] ^ (b & 1))
            elif node < network.first_move:
                fluent = network.fluents[node - 1]
                made[node] = numbers.fluent(names.get(fluent, fluent))
            else:
                made[node] = FALSE  # no move is made in a state
        return numbers.write(made[asked >> 1] ^ (asked & 1), situation)

    def won(self, role: Role, situation: str) -> str:
        return self.goal(role, lambda value: value == 100, situation)

    # What follows from strategies

    def outcome_axioms(self, bound: Sequence[Role], silence: str) -> None:
        """Write what roles that follow strategies may do, and where that leads."""
        if bound:
            meaning = {"any": "any legal move may be made", "stop": "nothing may be done"}
            self.note(f"Where a strategy is silent, {meaning[silence]}.")
        self.note("What may be done, and the situations it leads to.")
        places = [self.game.roles.index(role) + 1 for role in bound]
        obeys = []
        for place in places:
            allowed = f"follows{place}(A,S)"
            if silence == "any":
                allowed = f"({allowed} | ~(? [B] : follows{place}(B,S)))"
            obeys.append(f"(turn{place}(S) => {allowed})")
        self.axiom("strat", f"! [A,S] : (strat(A,S) <=> {_all(['poss(A,S)', *obeys])})")
        self.axiom("strategic", "strategic(s0)")
        self.axiom("strategic", "! [A,S] : ((strategic(S) & strat(A,S)) => strategic(do(A,S)))")

    def win_axioms(self, role: Role) -> None:
        """Write when a role can bring about a win (paper 001, 7.1 to 7.3).

        Where others choose at the same time, it has a move that leads to a win whatever they do.
        """
        self.note(f"When {role} can bring about a win.")
        mine = self.turn(role, "S")
        won = self.won(role, "S")
        self.axiom("win", f"! [S] : ((terminal(S) & {won}) => win(S))")
        place = self.game.roles.index(role)
        moves = dict.fromkeys(joint[place] for joint in self.space.joint_moves)
        ways = ["? [A] : (strat(A,S) & win(do(A,S)))"]
        if self.is_mixed:
            ways = [_always_wins(self.does(role, move, "A")) for move in moves]
        self.axiom("win", f"! [S] : (({mine} & {_any(ways)}) => win(S))")
        self.axiom("win", f"! [S] : ((~terminal(S) & ~{mine} & {_always_wins('$true')}) => win(S))")


@dataclass(frozen=True, slots=True)
class _Situation:
    """A situation as text, and what is written of it."""

    text: str
    memo: dict[object, Any] = field(default_factory=dict, compare=False)


class _TextWorld(World[_Situation, str, str]):
    """Formulas of first-order logic; a joint move is the constant or variable of an action."""

    true, false = "$true", "$false"

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer

    def no(self, value: str) -> str:
        return f"~({value})"

    def all(self, values: Iterable[str]) -> str:
        return _all(values)

    def any(self, values: Iterable[str]) -> str:
        return _any(values)

    def tally(self, values: Sequence[str]) -> Sequence[str]:
        return values

    def reaches(self, tally: Sequence[str], count: int) -> str:
        asked = max(0, count)
        if comb(len(tally), asked) > _MOST_WAYS:
            raise InputError(
                f"counting {count} of {len(tally)} is too long for the Situation Calculus",
                hint="encode it with --to asp",
            )
        return _any(map(_all, combinations(tally, asked)))

    def decided(self, value: str) -> bool | None:
        return {self.true: True, self.false: False}.get(value)

    def leaf(self, leaf: tree.Leaf, at: _Situation) -> str:
        return self.writer.leaf(leaf, at.text)

    def does(self, role: Role, move: Move, at: _Situation, joint: str) -> str:
        return self.writer.does(role, move, joint)

    def step(self, at: _Situation, joint: str) -> _Situation:
        return _Situation(f"do({joint},{at.text})")

    def every(self, at: _Situation, ask: Callable[[str], str], where: str) -> str:
        action = self.writer.variable("B")
        return f"({where} & ! [{action}] : (poss({action},{at.text}) => {ask(action)}))"

    def can(self, at: _Situation, role: Role, ask: Callable[[str], str], is_own: bool) -> str:
        raise TypeError("can is not written")

    def memo(self, at: _Situation, joint: str | None) -> dict[object, Any]:
        memo: dict[object, Any] = at.memo if joint is None else at.memo.setdefault(joint, {})
        return memo


def _always_wins(made: str) -> str:
    """Write that such an action may be done, and that every such action leads to a win."""
    some = f"? [A] : ({made} & strat(A,S))"
    return f"(({some}) & (! [A] : (({made} & strat(A,S)) => win(do(A,S)))))"


def _moving(network: Network) -> set[int]:
    """Find the gates that depend on moves."""
    found: set[int] = set()
    for number, inside in enumerate(network.gates, start=network.first_gate):
        if any(
            network.first_move <= x >> 1 < network.first_gate or x >> 1 in found for x in inside
        ):
            found.add(number)
    return found


class _NumberGates:
    """Gates over fluents for numbers, each a predicate of a situation with its axiom."""

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer
        self.names: list[str] = []
        self.known: dict[object, int] = {}

    def fluent(self, fluent: Function) -> int:
        """Return the literal of a fluent."""
        writer = self.writer
        if fluent not in writer.hidden and fluent not in writer.network.fluents:
            return FALSE
        return self._named(fluent, writer.leaf(tree.Holds(fluent), "{}"))

    def both(self, a: int, b: int) -> int:
        """Return the AND of two literals, writing its axiom if it is new."""
        a, b = sorted((a, b))
        if a <= TRUE:
            return FALSE if a == FALSE else b
        if a ^ b <= 1:
            return a if a == b else FALSE
        if (a, b) not in self.known:
            made = self._named((a, b), f"n{len(self.names) + 1}({{}})")
            inside = f"{self.write(a, 'S')} & {self.write(b, 'S')}"
            self.writer.axiom("number", f"! [S] : ({self.write(made, 'S')} <=> ({inside}))")
        return self.known[a, b]

    def either(self, a: int, b: int) -> int:
        """Return the OR of two literals."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def write(self, literal: int, situation: str) -> str:
        """Write a literal."""
        if literal <= TRUE:
            return "$true" if literal == TRUE else "$false"
        name = self.names[(literal >> 1) - 1].format(situation)
        return f"~{name}" if literal & 1 else name

    def _named(self, key: object, name: str) -> int:
        if key not in self.known:
            self.names.append(name)
            self.known[key] = 2 * len(self.names)
        return self.known[key]


class _Naming:
    """Makes plain, unique names."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def __call__(self, text: str) -> str:
        name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
        while name in self.taken:
            name += "x"
        self.taken.add(name)
        return name


def _pairs(items: Sequence[str]) -> Iterable[tuple[str, str]]:
    return ((a, b) for i, a in enumerate(items) for b in items[i + 1 :])


def _all(parts: Iterable[str]) -> str:
    return _joined(parts, "&", "$true")


def _any(parts: Iterable[str]) -> str:
    return _joined(parts, "|", "$false")


def _joined(parts: Iterable[str], sign: str, neutral: str) -> str:
    listed = list(parts)
    if not listed:
        return neutral
    return listed[0] if len(listed) == 1 else f"({f' {sign} '.join(f'({p})' for p in listed)})"
