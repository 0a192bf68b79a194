"""Columns of a space: where formulas hold, one truth value for each state or edge.

Relations of the rule sheet are literals of a game with one more role. A strategy that refers to the
past is evaluated on a space that is unfolded: its states also know the last moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.engine import FALSE, Blocks, CompiledGame, Hidden, Literal, Network, Role
from kibitz.errors import BudgetExceededError
from kibitz.gdl import Atom, Function, Rule, RuleSheet
from kibitz.rows import pack_key, unpack_key
from kibitz.space import SEVERAL, StateSpace, choices_on, roles_to_move
from kibitz.strategy import tree
from kibitz.strategy.syntax.numbers import Number, number_column

ASKER = "kibitz asker"
_IDLE = Function("kibitz idle")


@dataclass(frozen=True, slots=True)
class DerivedGame:
    """A game with one more role, and the literals of its network for atoms."""

    game: CompiledGame
    literals: list[Literal]


def asking_sheet(sheet: RuleSheet, atoms: Sequence[Function]) -> RuleSheet:
    """Add a role whose legal moves are the atoms that hold, and one that is always legal."""
    asker = Function(ASKER)
    rules = [Rule(Atom("role", (asker,))), Rule(Atom("legal", (asker, _IDLE)))]
    rules += [
        Rule(Atom("legal", (asker, atom)), (Atom(atom.name, atom.args),))
        for atom in dict.fromkeys(atoms)
    ]
    return replace(sheet, rules=(*sheet.rules, *rules))


def derived_game(game: CompiledGame, atoms: Sequence[Function]) -> DerivedGame:
    """Compile a game that can be asked for atoms; one that can never hold is the literal false.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> made = derived_game(game, parse_terms("(wins xplayer) (wins z)"))
    >>> [literal > 1 for literal in made.literals]
    [True, False]
    """
    made = CompiledGame(asking_sheet(game.sheet, atoms), backend="interpreter")
    index = made.roles.index(ASKER)
    network = made.network
    literal = dict(zip(network.moves[index], network.legal[index], strict=True))
    return DerivedGame(made, [literal.get(atom, FALSE) for atom in atoms])


Numbers = npt.NDArray[np.int64]

MOST_EDGES = 200_000_000


@dataclass(frozen=True)
class UnfoldedSpace(StateSpace):
    """A space whose states know the last move. State 1 + e is the target of edge e of `base`."""

    base: StateSpace
    origin: Numbers
    """For each state, the state of the original space that it stands for."""
    origin_edge: Numbers
    """For each edge, the edge of the original space that it stands for."""


def depth_of(space: StateSpace) -> int:
    """Return how many moves back the states of a space know."""
    return 1 + depth_of(space.base) if isinstance(space, UnfoldedSpace) else 0


def root_of(space: StateSpace) -> StateSpace:
    """Return the original space."""
    return root_of(space.base) if isinstance(space, UnfoldedSpace) else space


def unfold(space: StateSpace, depth: int) -> StateSpace:
    """Return a space whose states know at least `depth` moves; the same object each time.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:2")))
    >>> len(space), space.edges, len(unfold(space, 1))
    (4, 3, 4)
    """
    while depth_of(space) < depth:
        kept = vars(space)
        if "_unfolded" not in kept:
            kept["_unfolded"] = _once(space)
        space = kept["_unfolded"]
    return space


def _once(space: StateSpace) -> UnfoldedSpace:
    space.require_all_states("a strategy that refers to the past")
    before = np.concatenate([np.zeros(1, dtype=np.int64), space.target.astype(np.int64)])
    sizes = np.diff(space.first_edge)[before]
    if int(sizes.sum()) > MOST_EDGES:
        raise BudgetExceededError(
            f"{space.game.sheet.name} has too many moves to distinguish its states by the past"
        )
    first_edge = np.zeros(len(before) + 1, dtype=np.int64)
    np.cumsum(sizes, out=first_edge[1:])
    edges = np.repeat(space.first_edge[before] - first_edge[:-1], sizes)
    edges += np.arange(len(edges))
    origin, origin_edge = before, edges
    if isinstance(space, UnfoldedSpace):
        origin, origin_edge = space.origin[before], space.origin_edge[edges]
    given = {f.name: getattr(space, f.name) for f in fields(StateSpace)}
    given |= {
        "states": space.states[before],
        "first_edge": first_edge,
        "target": (1 + edges).astype(np.uint32),
        "action": space.action[edges],
        "turn": space.turn[before],
        "terminal": space.terminal[before],
        "goals": space.goals[before],
        "layers": (0, *(1 + int(space.first_edge[state]) for state in space.layers)),
    }
    return UnfoldedSpace(**given, base=space, origin=origin, origin_edge=origin_edge)


Bools = npt.NDArray[np.bool_]


def fluent_columns(
    network: Network, states: npt.NDArray[np.uint64]
) -> Iterator[tuple[Function, Bools]]:
    """Return in which of some states each fluent of a game holds."""
    for index, fluent in enumerate(network.fluents):
        yield fluent, _bit_column(states, index)
    for hidden in network.hidden:
        yield hidden.fluent, _hidden_column(states, hidden)


_AT_ONCE = 1 << 16
"""States whose legal moves are asked for at a time."""


def _bit_column(states: npt.NDArray[np.uint64], index: int) -> Bools:
    return (states[:, index // 64] >> np.uint64(index % 64) & np.uint64(1)).astype(bool)


def _hidden_column(states: npt.NDArray[np.uint64], hidden: Hidden) -> Bools:
    column = np.zeros(len(states), dtype=bool)
    for other in hidden.unless:
        column |= _bit_column(states, other)
    return ~column


class Columns:
    """Columns of a space, each made when it is first asked for."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.game = space.game
        self._states: dict[tree.Leaf, Bools] = {}
        self._numbers: dict[Number, Numbers] = {}
        self._does: dict[tree.Does, Bools] = {}
        self.compound: dict[tree.Formula, Bools] = {}
        self.counts: dict[tuple[tree.Formula, ...], Numbers] = {}

    def __call__(self, leaf: tree.Leaf) -> Bools:
        """Return the column of states of a leaf other than `Does`."""
        if leaf not in self._states:
            self._states[leaf] = self._make(leaf)
        return self._states[leaf]

    def ask(self, leaves: Iterable[tree.Leaf]) -> None:
        """Make the columns of many leaves at once, which is quicker for those that need gates."""
        new = [leaf for leaf in dict.fromkeys(leaves) if leaf not in self._states]
        atoms = [leaf for leaf in new if isinstance(leaf, tree.Derived)]
        if atoms:
            asking = derived_game(self.game, [leaf.atom for leaf in atoms])
            literal = dict(zip(atoms, asking.literals, strict=True))
            network = asking.game.network
            for renaming in dict.fromkeys(leaf.renaming for leaf in atoms):
                names = renaming.fluents if renaming else {}
                inputs = [self.fluent(names.get(f, f)) for f in network.fluents]
                alike = [leaf for leaf in atoms if leaf.renaming is renaming]
                columns = _evaluate(network, inputs, len(self.space), [literal[x] for x in alike])
                self._states.update(zip(alike, columns, strict=True))
        legal = [leaf for leaf in new if isinstance(leaf, tree.Legal)]
        for role in {leaf.role: None for leaf in legal}:
            self._ask_legal(role, [leaf for leaf in legal if leaf.role == role])

    def _ask_legal(self, role: Role, asked: list[tree.Legal]) -> None:
        """Make columns of moves of a role; the engine answers for many states at a time."""
        number = {
            move: n for n, move in enumerate(self.game.network.moves[self.game.roles.index(role)])
        }
        wanted = [number[leaf.move] for leaf in asked]
        blocks, states = Blocks(self.game), self.space.states
        table = np.concatenate(
            [
                np.zeros((0, len(wanted)), dtype=bool),
                *(
                    blocks.legal(states[start : start + _AT_ONCE], role)[:, wanted]
                    for start in range(0, len(states), _AT_ONCE)
                ),
            ]
        )
        for leaf, column in zip(asked, table.T, strict=True):
            self._states[leaf] = column & ~self.space.terminal

    def does(self, leaf: tree.Does) -> Bools:
        """Return for each joint move whether the role makes the move in it."""
        if leaf not in self._does:
            role = self.game.roles.index(leaf.role)
            made = [joint[role] == leaf.move for joint in self.space.joint_moves]
            self._does[leaf] = np.array(made, dtype=bool)
        return self._does[leaf]

    def _make(self, leaf: tree.Leaf) -> Bools:
        space = self.space
        match leaf:
            case tree.Holds():
                return self.fluent(leaf.fluent)
            case tree.Terminal():
                return space.terminal
            case tree.Initial():
                row = space.game.rows([space.game.initial()])
                return np.asarray((space.states == row).all(axis=1))
            case tree.Wins():
                return np.asarray(space.terminal & (self._goal(leaf.role) == 100))
            case tree.GoalIs():
                goal = self._goal(leaf.role)
                return np.asarray(tree.COMPARE[leaf.comparison](goal, leaf.number)) & (goal >= 0)
            case tree.NumberIs(left, comparison, right):
                one, other = self._number(left), self._number(right)
                return np.asarray(tree.COMPARE[comparison](one, other))
            case tree.Unchanged(_, pairs):
                alike = np.ones(len(space), dtype=bool)
                for a, b in pairs:
                    alike &= self.fluent(a) == self.fluent(b)
                return alike
            case tree.Turn():
                return self.to_move(leaf.role)
            case tree.Derived() | tree.Legal():
                self.ask([leaf])
                return self._states[leaf]
            case tree.Made(moves):
                return (
                    self._earlier(tree.Made(moves - 1))
                    if moves
                    else np.ones(len(space), dtype=bool)
                )
            case tree.Before(moves, inner):
                return self._earlier(tree.Before(moves - 1, inner) if moves > 1 else inner)
            case _:
                raise TypeError("does has no column of states")

    def _number(self, number: Number) -> Numbers:
        """Return a number of each state; one that is compared is so with several others."""
        if number not in self._numbers:
            self._numbers[number] = number_column(number, self.fluent, len(self.space))
        return self._numbers[number]

    def _earlier(self, leaf: tree.Leaf) -> Bools:
        """Return where a leaf held one move earlier; false where no move was made."""
        assert isinstance(self.space, UnfoldedSpace), "unfold the space first"
        base = columns_of(self.space.base)
        if isinstance(leaf, tree.Does):
            held = base.does(leaf)[base.space.action]
        else:
            held = base(leaf)[base.source]
        return np.concatenate([np.zeros(1, dtype=bool), held])

    def _goal(self, role: Role) -> npt.NDArray[np.int16]:
        return self.space.goals[:, self.game.roles.index(role)].astype(np.int16)

    def fluent(self, fluent: Function) -> Bools:
        """Return in which states a fluent holds."""
        states = self.space.states
        if fluent in self._bit:
            return _bit_column(states, self._bit[fluent])
        for hidden in self.game.network.hidden:
            if hidden.fluent == fluent:
                return _hidden_column(states, hidden)
        return np.zeros(len(self.space), dtype=bool)

    @cached_property
    def _bit(self) -> dict[Function, int]:
        return {fluent: i for i, fluent in enumerate(self.game.network.fluents)}

    @cached_property
    def source(self) -> Numbers:
        """The state that each edge leads from."""
        counts = np.diff(self.space.first_edge)
        return np.repeat(np.arange(len(self.space), dtype=np.int64), counts)

    def move_number(self, role: Role) -> npt.NDArray[np.int32]:
        """Return for each joint move the number of the role's move in it."""
        index = self.game.roles.index(role)
        where = {move: i for i, move in enumerate(self.game.network.moves[index])}
        return np.array([where[joint[index]] for joint in self.space.joint_moves], dtype=np.int32)

    @cached_property
    def several_choose(self) -> bool:
        """Whether more than one role has a choice somewhere."""
        return bool((self.space.turn == SEVERAL).any())

    @cached_property
    def _choosing(self) -> dict[Role, Bools]:
        """Return for each role where it has more than one legal move."""
        space = self.space
        if not self.several_choose:
            return {role: space.turn == i for i, role in enumerate(self.game.roles)}
        inner = np.flatnonzero(np.diff(space.first_edge))
        starts = space.first_edge[inner]
        found = {}
        for role in self.game.roles:
            moves = self.move_number(role)[space.action]
            column = np.zeros(len(space), dtype=bool)
            lowest, highest = np.minimum.reduceat(moves, starts), np.maximum.reduceat(moves, starts)
            column[inner] = lowest != highest
            found[role] = column
        return found

    @cached_property
    def _moving(self) -> dict[Role, Bools]:
        """Return for each role where it has the turn, as `turns` says, for all states at once."""
        space = self.space
        if isinstance(space, UnfoldedSpace):
            base = columns_of(space.base)
            before = np.concatenate([np.zeros(1, dtype=np.int64), space.base.target])
            return {role: base.to_move(role)[before] for role in self.game.roles}
        kept: dict[Role, Bools] | None = vars(space).get("_turns")
        if kept is not None:
            return kept
        goes_on = np.diff(space.first_edge) > 0
        choosing = self._choosing
        moving = {role: column & goes_on for role, column in choosing.items()}
        forced = goes_on & ~np.logical_or.reduce(list(choosing.values()))
        here = np.flatnonzero(forced)
        if len(here):
            choices = choices_on(space)
            legal = [
                dict(zip(self.game.roles, ((move,) for move in joint), strict=True))
                for joint in space.joint_moves
            ]
            to_move = [roles_to_move(moves, choices) for moves in legal]
            action = space.action[space.first_edge[here]]
            for role, column in moving.items():
                column[here] = np.array([role in roles for roles in to_move])[action]
        return moving

    def keep_turns_of(self, other: Columns, states: Numbers) -> None:
        """Take over the turns of states of another space, of which this is a subspace."""
        vars(self.space)["_turns"] = {role: other.to_move(role)[states] for role in self.game.roles}

    def to_move(self, role: Role) -> Bools:
        """Return where it is a role's turn, as `turns` defines it."""
        return self._moving[role]


def _evaluate(
    network: Network, inputs: list[Bools], count: int, literals: list[Literal]
) -> list[Bools]:
    """Evaluate literals that need no moves, for all states at once: columns as long numbers."""
    ones = (1 << count) - 1
    values: dict[int, int] = {0: 0}
    for node, column in enumerate(inputs, start=1):
        values[node] = pack_key(column)

    def value(literal: Literal) -> int:
        return values[literal >> 1] ^ (ones if literal & 1 else 0)

    needed = bytearray(network.first_gate + len(network.gates))
    for literal in literals:
        needed[literal >> 1] = 1
    for index in range(len(network.gates) - 1, -1, -1):
        if needed[network.first_gate + index]:
            for literal in network.gates[index]:
                needed[literal >> 1] = 1
    for index, (a, b) in enumerate(network.gates):
        if needed[network.first_gate + index]:
            values[network.first_gate + index] = value(a) & value(b)
    return [unpack_key(value(literal), count).astype(bool) for literal in literals]


def columns_of(space: StateSpace) -> Columns:
    """Return the columns of a space, the same object each time; they live as long as the space.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> columns = columns_of(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> int(columns(tree.Wins("xplayer")).sum()), int(columns.to_move("xplayer").sum())
    (626, 2423)
    """
    kept = vars(space)
    if "_columns" not in kept:
        kept["_columns"] = Columns(space)
    columns: Columns = kept["_columns"]
    return columns
