"""Ask clingo about a game: what can follow a state, and which match is the best for someone.

Both programs are grounded once. A question is a solve under assumptions, which costs microseconds
where grounding anew costs milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import clingo

from kibitz.engine import Game, Goal, Move, Role, State
from kibitz.engine.compiled import CompiledGame
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import Function, RuleSheet
from kibitz.ground import ground
from kibitz.learn.programs import Names, explicit_time_program, one_step_program
from kibitz.space import Limits, explore

__all__ = ["BestMatches", "Choice", "Matched", "Successors", "find_horizon"]

Fluents = frozenset[Function]
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Choice:
    """A joint move from a state, and the fluents of the state after it."""

    joint: tuple[Move, ...]
    fluents: Fluents


def _control(*options: str) -> clingo.Control:
    return clingo.Control(["--warn=none", *options], logger=lambda _code, _text: None)


class Successors:
    """Gives everything that can follow a state, one answer set for each joint move."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = Names.of_sheet(game.sheet)
        self.fluents = _all_fluents(game.sheet)
        self.control = _control("--models=0")
        facts = "\n".join(f"{{ true({self.names.term(f)}) }}." for f in self.fluents)
        shown = "#show next/1. #show does/2."
        self.control.add(
            "base", [], f"{one_step_program(game.sheet, self.names)}\n{facts}\n{shown}"
        )
        self.control.ground([("base", [])])
        atoms = self.control.symbolic_atoms
        self.literal = {}
        for fluent in self.fluents:
            found = atoms[clingo.Function("true", [self.names.symbol(fluent)])]
            if found is not None:
                self.literal[fluent] = found.literal
        self.known: dict[Fluents, tuple[Choice, ...]] = {}

    def of(self, state: State) -> tuple[Choice, ...]:
        """Give the choices in a state, in the order of their text."""
        fluents = frozenset(state.fluents)
        if fluents not in self.known:
            self.known[fluents] = self._ask(fluents)
        return self.known[fluents]

    def _ask(self, fluents: Fluents) -> tuple[Choice, ...]:
        assumptions = [
            literal if fluent in fluents else -literal for fluent, literal in self.literal.items()
        ]
        choices = []
        with self.control.solve(assumptions=assumptions, yield_=True) as handle:
            for model in handle:
                does: dict[str, Move] = {}
                after = []
                for symbol in model.symbols(shown=True):
                    term = self.names.read(symbol.arguments[-1])
                    if symbol.name == "next":
                        after.append(term)
                    else:
                        does[str(self.names.read(symbol.arguments[0]))] = term
                if does:
                    joint = tuple(does[role] for role in self.game.roles)
                    choices.append(Choice(joint, frozenset(after)))
        return tuple(sorted(choices, key=lambda choice: tuple(map(str, choice.joint))))


def _all_fluents(sheet: RuleSheet) -> tuple[Function, ...]:
    network = ground(sheet).network
    return (*network.fluents, *(hidden.fluent for hidden in network.hidden))


def find_horizon(game: Game, state: State, *, most: int = _LONGEST) -> int:
    """Find how long the longest match from a state is; raise KibitzError where there is no end.

    Takes it from the states that can be reached where these can be listed. Elsewhere it asks clingo
    for a match that is not over after so many moves, doubling the number until there is none.
    """
    if isinstance(game, CompiledGame):
        space = explore(game, starts=[state], limits=Limits(states=5_000_000, seconds=30))
        if space.is_complete and space.is_layered:
            return len(space.layers) - 1
    fluents = sorted(state.fluents, key=str)
    high = 1
    while _goes_on(game.sheet, fluents, high):
        high *= 2
        if high > most:
            raise BudgetExceededError(
                f"{game.sheet.name} has matches of more than {most} moves, or without an end",
                hint="give the longest that counts with --horizon",
            )
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if _goes_on(game.sheet, fluents, middle) else (low, middle)
    return high


def _goes_on(sheet: RuleSheet, fluents: list[Function], moves: int) -> bool:
    """Tell whether some match is not over after so many moves."""
    control = _control()
    control.add("base", [], explicit_time_program(sheet, fluents, moves, must_end=False))
    control.add("base", [], f":- not on({moves}). :- terminal({moves}).")
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


@dataclass(frozen=True, slots=True)
class Matched:
    """A match that clingo found: its joint moves, and the goals at its end."""

    joints: tuple[tuple[Move, ...], ...]
    goals: tuple[Goal, ...]


class BestMatches:
    """Finds matches from a state that maximise or minimise the first role's goal."""

    def __init__(self, game: Game, state: State, *, horizon: int | None = None) -> None:
        self.game, self.start = game, frozenset(state.fluents)
        self.names = Names.of_sheet(game.sheet)
        self.horizon = horizon or find_horizon(game, state)
        self.control = _control("--opt-mode=opt")
        first = self.names.term(Function(game.roles[0]))
        self.control.add(
            "base",
            [],
            explicit_time_program(game.sheet, sorted(self.start, key=str), self.horizon, self.names)
            + f"""
            {{ upwards }}.
            #maximize {{ V,T : goal({first},V,T), terminal(T), upwards;
                        -V,T : goal({first},V,T), terminal(T), not upwards }}.
            #show does/3. #show ended(R,V) : goal(R,V,T), terminal(T).
            """,
        )
        self.control.ground([("base", [])])
        self.calls = 0

    @cached_property
    def _upwards(self) -> int:
        atom = self.control.symbolic_atoms[clingo.Function("upwards")]
        assert atom is not None
        return int(atom.literal)

    def require(self, name: str, text: str) -> None:
        """Add constraints that hold while their name is not withdrawn."""
        self.control.add(name, [], f"#external use_{name}.\n{text}")
        self.control.ground([(name, [])])
        self.control.assign_external(clingo.Function(f"use_{name}"), True)

    def withdraw(self, name: str) -> None:
        """Take constraints back."""
        self.control.release_external(clingo.Function(f"use_{name}"))

    def find(
        self,
        prefix: Sequence[tuple[Move, ...]],
        *,
        barred: Sequence[tuple[int, Role, Move]] = (),
        upwards: bool,
    ) -> Matched | None:
        """Find the best match that begins with some joint moves and avoids some moves.

        `barred` are moves that a role does not make at a time. None where no match is left.
        """
        assumptions = [self._upwards if upwards else -self._upwards]
        for time, joint in enumerate(prefix):
            for role, move in zip(self.game.roles, joint, strict=True):
                assumptions.append(self._does(role, move, time))
        assumptions += [-self._does(role, move, time) for time, role, move in barred]
        self.calls += 1
        found: list[clingo.Symbol] | None = None
        with self.control.solve(assumptions=assumptions, yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(shown=True))
        return None if found is None else self._read(found)

    def _does(self, role: Role, move: Move, time: int) -> int:
        symbol = clingo.Function(
            "does",
            [self.names.symbol(Function(role)), self.names.symbol(move), clingo.Number(time)],
        )
        atom = self.control.symbolic_atoms[symbol]
        if atom is None:
            raise KibitzError(f"{move} can never be made by {role} in move {time + 1}")
        return int(atom.literal)

    def _read(self, symbols: list[clingo.Symbol]) -> Matched:
        joints: dict[int, dict[str, Move]] = {}
        goals: dict[str, Goal] = {}
        for symbol in symbols:
            role = str(self.names.read(symbol.arguments[0]))
            if symbol.name == "ended":
                goals[role] = symbol.arguments[1].number
            else:
                time = symbol.arguments[2].number
                joints.setdefault(time, {})[role] = self.names.read(symbol.arguments[1])
        return Matched(
            tuple(tuple(joints[t][role] for role in self.game.roles) for t in range(len(joints))),
            tuple(goals.get(role) for role in self.game.roles),
        )
