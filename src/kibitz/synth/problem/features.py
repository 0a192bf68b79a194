"""List the features of moves: what they lead to, take, or derive.

A feature is a formula of the strategy language about later moves or about the state. It holds for a
move if it holds whatever happens afterwards, so the condition of a rule can contain it, for one
move or for all of them: `next wins(me) => {…}` is any move that wins at once. Here the truth of
features is read off the space; the checker evaluates the formulas themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError
from kibitz.gdl import Function, Variable
from kibitz.space import StateSpace, Symmetries
from kibitz.strategy import (
    ASKER,
    LANGUAGE,
    asking_sheet,
    columns_of,
    read_strategy,
    something_is_taken,
    vocabulary_of,
    write_term,
)

_MOST_ALIKE = 12
_MOST_PLACES = 30
"""The most kinds of similar places for which there are features."""

Truth = npt.NDArray[np.bool_]


class Ahead:
    """Lookahead in a space: what a role and its opponent can reach from each state and edge."""

    def __init__(self, space: StateSpace, role: int) -> None:
        self.space, self.role = space, role
        self.target = space.target
        self.source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
        self.opponent = 1 - role

    def wins(self, role: int) -> Truth:
        """Return in which states a role has won."""
        won: Truth = self.space.terminal & (self.space.goals[:, role] == 100)
        return won

    def all_after(self, holds: Truth) -> Truth:
        """Return in which states every move leads to where something holds."""
        result = np.ones(len(holds), dtype=bool)
        result[self.source[~holds[self.target]]] = False
        return result

    def can(self, role: int, edges: Truth) -> Truth:
        """Return in which states a role has a move whose edges are all among these."""
        names = {move: i for i, move in enumerate(self.space.game.network.moves[role])}
        numbers = np.array([names[joint[role]] for joint in self.space.joint_moves])
        key = self.source * len(names) + numbers[self.space.action]
        refuted = np.zeros(len(self.space) * len(names), dtype=bool)
        refuted[key[~edges]] = True
        result = np.zeros(len(self.space), dtype=bool)
        result[self.source[~refuted[key]]] = True
        return result

    def can_win(self, role: int) -> Truth:
        """Return in which states a role can win at once."""
        return self.can(role, self.wins(role)[self.target])

    def forks(self, role: int) -> Truth:
        """Return which edges let the role win with its next move, whatever comes in between."""
        after = ~self.space.terminal & self.all_after(self.can_win(role))
        return after[self.target]

    @cached_property
    def threatened(self) -> Truth:
        """Where some move lets the opponent win at once."""
        return self.can(self.role, self.can_win(self.opponent)[self.target])

    @cached_property
    def can_be_forked(self) -> Truth:
        """In which states the opponent can make two threats."""
        return self.can(self.opponent, self.forks(self.opponent))

    @cached_property
    def fork_looms(self) -> Truth:
        """Where some move lets the opponent make two threats."""
        return self.can(self.role, self.can_be_forked[self.target])


@dataclass(frozen=True, slots=True)
class Feature:
    """A formula with a name and a phrase about a move; `truth` gives the edges for which it holds.

    Without `truth`, the strategy language evaluates it. One that `is_rule` is a complete rule that
    the user wrote, and is kept as it is.
    """

    formula: str
    words: str
    name: str = ""
    truth: Callable[[Ahead], Truth] | None = None
    is_rule: bool = False


_FORK = "next (not terminal & next can({0}, next wins({0})))"
_MY_FORK, _THEIR_FORK = _FORK.format("me"), _FORK.format("opponent")

_ALONE = (
    Feature("next wins(me)", "it wins at once", "win", lambda a: a.wins(a.role)[a.target]),
    Feature(
        _MY_FORK,
        "it makes two threats: you can win next time whatever comes in between",
        "fork",
        lambda a: a.forks(a.role),
    ),
)

_AGAINST = (
    Feature(
        "can(me, next can(opponent, next wins(opponent))) & next next not wins(opponent)",
        "it stops the opponent, who threatens to win at once",
        "block",
        lambda a: a.threatened[a.source] & a.all_after(~a.wins(a.opponent))[a.target],
    ),
    Feature(
        f"can(me, next can(opponent, {_THEIR_FORK})) & next not can(opponent, {_THEIR_FORK})",
        "it keeps the opponent from making two threats",
        "block fork",
        lambda a: a.fork_looms[a.source] & ~a.can_be_forked[a.target],
    ),
    Feature(
        "next not wins(opponent)",
        "it does not lose at once",
        "not lost",
        lambda a: ~a.wins(a.opponent)[a.target],
    ),
    Feature(
        "next next not wins(opponent)",
        "the opponent cannot win at once afterwards",
        "safe",
        lambda a: a.all_after(~a.wins(a.opponent))[a.target],
    ),
    Feature(
        f"next not can(opponent, {_THEIR_FORK})",
        "the opponent cannot make two threats afterwards",
        "quiet",
        lambda a: ~a.can_be_forked[a.target],
    ),
    Feature(
        "next next wins(me)",
        "the opponent cannot but lose afterwards",
        "trap",
        lambda a: a.all_after(a.wins(a.role))[a.target],
    ),
)


def features_for(roles: int) -> tuple[Feature, ...]:
    """Return the features of games with a number of roles; an opponent is the other one of two."""
    return (*_ALONE, *_AGAINST) if roles == 2 else _ALONE


def place_features(symmetries: Symmetries, write: Callable[[Function], str]) -> list[Feature]:
    """Make features of similar places, such as the corners of a board: some hold a thing, or none.

    Places are similar if a symmetry maps one to the other.
    """
    elements = symmetries.elements()
    images = np.array([element.fluents for element in elements], dtype=np.int64)
    least = images.min(axis=0)
    orbits = [np.flatnonzero(least == number) for number in sorted(set(least.tolist()))]
    fitting = [orbit for orbit in orbits if 2 <= len(orbit) <= _MOST_ALIKE]
    if len(fitting) > _MOST_PLACES:
        return []
    found = []
    for orbit in fitting:
        fluents = [symmetries.fluents[number] for number in orbit]
        first, either = write(fluents[0]), " | ".join(map(write, fluents))
        found += [
            Feature(f"({either})", f"one like {first} holds", f"some {first}", _some(fluents)),
            Feature(f"not ({either})", f"none like {first} holds", f"no {first}", _none(fluents)),
        ]
    return found


def _some(fluents: Sequence[Function]) -> Callable[[Ahead], Truth]:
    def truth(ahead: Ahead) -> Truth:
        columns = [columns_of(ahead.space).fluent(fluent) for fluent in fluents]
        held: Truth = np.logical_or.reduce(columns)[ahead.source]
        return held

    return truth


def _none(fluents: Sequence[Function]) -> Callable[[Ahead], Truth]:
    return lambda ahead: ~_some(fluents)(ahead)


def given_feature(formula: str) -> Feature:
    """Make a feature of a formula that the user wrote."""
    return Feature(f"({formula})", f"{formula} holds")


def feature_truth(
    space: StateSpace,
    role: int,
    edges: npt.NDArray[np.int64],
    features: Sequence[Feature],
    reading: str,
) -> Truth:
    """Return which features hold for which edges: a row per edge, a column per feature."""
    ahead = Ahead(space, role)
    columns = [
        feature.truth(ahead) if feature.truth else _asked(space, role, feature, reading)
        for feature in features
    ]
    return np.stack([column[edges] for column in columns], axis=1)


def _asked(space: StateSpace, role: int, feature: Feature, reading: str) -> Truth:
    """Evaluate where a formula, or a rule, allows a move, by the strategy language."""
    game = space.game
    text = f"symmetric {reading}\n{feature.formula}"
    if not feature.is_rule:
        moves = ", ".join(map(game.write, game.network.moves[role]))
        text = f"symmetric none\n{feature.formula} => {{{moves}}}"
    strategy = read_strategy(text, game, name="feature")
    chosen: Truth = strategy.on(space, game.roles[role]).chosen
    return chosen


_RETAKE = "can(opponent, taken(me))"


def capture_features(game: CompiledGame, role: Role) -> list[Feature]:
    """Make features about taking and being taken; none where nothing is seen to be taken.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> for feature in capture_features(game, "white"):
    ...     print(feature.name)
    takes
    takes safely
    nothing lost
    something at risk
    """
    if len(game.roles) != 2 or not something_is_taken(game):
        return []
    return [
        Feature("taken(opponent)", "it takes something of the opponent", "takes"),
        Feature(
            f"taken(opponent) & next not {_RETAKE}",
            "it takes something, and the opponent can take nothing back at once",
            "takes safely",
        ),
        Feature(f"next not {_RETAKE}", "the opponent can take nothing afterwards", "nothing lost"),
        Feature(
            f"can(me, next {_RETAKE})",
            "some move would let the opponent take something",
            "something at risk",
        ),
    ]


_MOST_SINGLE = 6
"""How many instances a relation may have for each to be a separate feature."""

_MOST_INSTANCES = 40
_MOST_FEATURES = 60


def relation_features(game: CompiledGame) -> list[Feature]:
    """Make features of the relations that depend on the state; one for all instances if many.

    >>> from kibitz.games import load_sheet
    >>> made = relation_features(CompiledGame(load_sheet("nim:1,2,digits")))
    >>> print(*(feature.formula for feature in made[:4]), sep=" | ")
    next left | next not left | next (odd 1) | next not (odd 1)
    """
    words = vocabulary_of(game)
    signatures = [
        (name, arity)
        for name, arity in sorted(words.relations, key=lambda s: (s[1], s[0]))
        if words.needs_state(name) and not words.needs_moves(name) and name not in LANGUAGE
    ]
    together: list[Feature] = []
    single: list[Feature] = []
    for name, arity in signatures:
        atoms = _instances(game, name, arity)
        if 1 <= len(atoms) <= _MOST_SINGLE:
            for atom in map(write_term, atoms):
                single += _both(atom, f"{atom} holds", f"{atom} does not hold")
        if 1 < len(atoms) <= _MOST_INSTANCES:
            together += _both(_some_relation(atoms), f"some {name} holds", f"no {name} holds")
    return [*single, *together][:_MOST_FEATURES]


def _instances(game: CompiledGame, name: str, arity: int) -> list[Function]:
    """List the atoms of a relation that can hold."""
    asked = Function(name, tuple(Variable(f"x{i}") for i in range(arity)))
    try:
        made = CompiledGame(asking_sheet(game.sheet, [asked]), backend="interpreter")
    except KibitzError:
        return []
    moves = made.network.moves[made.roles.index(ASKER)]
    return [move for move in moves if move.name == name and len(move.args) == arity]


def _some_relation(atoms: Sequence[Function]) -> str:
    """Write that one of the atoms holds."""
    if all(len(atom.args) == 1 for atom in atoms):
        values = ", ".join(write_term(atom.args[0]) for atom in atoms)
        return f"(any X in {{{values}}}: {write_term(Function(atoms[0].name))}(X))"
    return f"({' | '.join(map(write_term, atoms))})"


def _both(formula: str, holds: str, fails: str) -> list[Feature]:
    return [
        Feature(f"next {formula}", f"{holds} afterwards", f"then {holds}"),
        Feature(f"next not {formula}", f"{fails} afterwards", f"then {fails}"),
    ]
