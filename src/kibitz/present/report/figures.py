"""Data model of a Report: plain values, one small class for each question that designers ask."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from kibitz.engine import Role

OPPOSED = "opposed roles in turn"
"""The kind of a game of two roles that take turns, and one gains what the other loses."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Moves of a match; `longest` is None where a match need not end, `mean` where too few do.

    `chances[n]` is the chance of a match of n moves, `unfinished` that of a match that was still
    going on when it was broken off.
    """

    shortest: int | None
    longest: int | None
    mean: float | None
    unfinished: float
    chances: tuple[float, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Branching:
    """Joint moves to choose from: over all states, over random matches, and at most.

    `forced` is the share of a random match's moves that leave no role a choice.
    """

    over_states: float
    in_random_play: float
    most: int
    forced: float


@dataclass(frozen=True, slots=True)
class OutcomeChances:
    """How matches end when each role is played so: chances to be alone first, or all alike.

    With one role, `wins` is the chance to get as much as best play does.
    """

    players: dict[Role, str]
    goals: dict[Role, float]
    wins: dict[Role, float]
    drawn: float
    unfinished: float


@dataclass(frozen=True, slots=True)
class DecisionFigures:
    """States in which a role has a choice, and those of them in which some moves are mistakes.

    Best play comes to `on_best_play` of these and not to `off_best_play`. A random match has
    `per_random_match` of them on average, and a match of best play `per_best_match`.
    """

    with_choice: int
    that_matter: int
    by_role: dict[Role, int]
    on_best_play: int
    off_best_play: int
    only_move: int
    per_random_match: float
    per_best_match: float
    mistakes: float
    """The chance that any move is a mistake where it matters, as random play comes there."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A first move, its value, and what the mover gets when two of a kind go on.

    `alike` first moves are the same but for symmetry. One that is dominant is no worse than any
    other at every skill, and better than each that is not its equal at one.
    """

    move: str
    alike: int
    value: dict[Role, Any]
    distance: int | None
    keeps_value: bool
    scores: dict[str, float]
    is_dominant: bool


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many rules a role needs for perfect play: at least, and as many as were found."""

    role: Role
    rules: int | None = None
    literals: int | None = None
    lower_bound: int | None = None
    proved_minimal: bool = False
    strategy: str = ""
    why: str = ""
    time_ended: bool = False
    """Whether time ended the search or a proof, so that another run may find more."""


@dataclass(frozen=True, slots=True)
class HardPosition:
    """A position in which optimal moves are hard to find; `picture` is SVG, `board` is text."""

    role: Role
    position: tuple[str, ...]
    good: tuple[str, ...]
    moves: int
    distance: int | None
    chances: dict[str, float]
    picture: str = field(repr=False)
    board: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class DeadRule:
    """A rule that makes no difference, where it stands, and why.

    `sentence` is the author's, where the rules were written in English; `is_part` says that other
    rules that it stands for are of use.
    """

    line: int
    rule: str
    why: str
    sentence: str = ""
    is_part: bool = False

    @property
    def text(self) -> str:
        """Say which rule it is, as its author knows it, and why."""
        if self.sentence:
            return f"{'a part of ' * self.is_part}“{self.sentence}”: {self.why}"
        return f"line {self.line}: {self.why}: {self.rule}"


@dataclass(frozen=True, slots=True)
class Deadwood:
    """Dead parts of the rule sheet, which no match ever needs.

    All that is here is proved. Where not all states were seen, or there was no time, it is not
    known whether `unsettled` more rules ever fire, and fluents, moves and goals are left out.
    """

    rules: tuple[DeadRule, ...]
    fluents_never: tuple[str, ...]
    fluents_always: tuple[str, ...]
    moves_never: dict[Role, tuple[str, ...]]
    goals_never: dict[Role, tuple[int, ...]]
    unsettled: int

    @property
    def is_empty(self) -> bool:
        """Whether everything in the sheet is needed."""
        return not (
            self.rules
            or self.fluents_never
            or any(self.moves_never.values())
            or any(self.goals_never.values())
        )


@dataclass(frozen=True, slots=True)
class SymmetryGroup:
    """How many symmetries there are, and what generators of them carry where."""

    order: int
    generators: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean from a sample, and the interval that holds the true one in 95 of 100 samples."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sampled:
    """Sample of matches by one kind of player, where states are too many to enumerate."""

    player: str
    matches: int
    length: Estimate
    shortest: int
    longest: int
    branching: Estimate
    goals: dict[Role, Estimate]
    wins: dict[Role, Estimate]
    drawn: Estimate
    unfinished: int
    time_ended: bool = False
    """Whether time ended it before all matches were played, so that another run may play more."""


@dataclass(frozen=True)
class Report:
    """All that is known about a game; None or empty where it is not.

    `missing` says what was left out, and why.
    """

    game: str
    roles: tuple[Role, ...]
    kind: str
    states: int
    terminal_states: int
    moves: int
    is_complete: bool
    first: Role | None
    matches: float | None = None
    value: dict[str, Any] | None = None
    why_unsolved: str = ""
    values_of_states: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, Lengths] = field(default_factory=dict)
    branching: Branching | None = None
    outcomes: tuple[OutcomeChances, ...] = ()
    decisions: DecisionFigures | None = None
    openings: tuple[Opening, ...] = ()
    rule_counts: tuple[RuleCount, ...] = ()
    deadwood: Deadwood | None = None
    symmetries: SymmetryGroup | None = None
    hardest: tuple[HardPosition, ...] = ()
    sampled: tuple[Sampled, ...] = ()
    measured: dict[str, Any] | None = None
    """Rules that were found by matches where the game is too large, and what was measured."""
    missing: dict[str, str] = field(default_factory=dict)
    picture: str = field(default="", repr=False)
    seconds: float = 0.0
    was_interrupted: bool = False

    @property
    def title(self) -> str:
        """The name of the game, without the folders of its file."""
        return self.game.rpartition("/")[2]

    @property
    def drawn_states(self) -> float | None:
        """The share of all states from which best play ends in a draw; None if not known."""
        drawn = self.values_of_states.get("drawn")
        return None if drawn is None else drawn / max(1, sum(self.values_of_states.values()))

    @property
    def players(self) -> list[str]:
        """The kinds of players that met, from the weakest on."""
        met = [name for outcome in self.outcomes for name in outcome.players.values()]
        return list(dict.fromkeys([*met, *(sampled.player for sampled in self.sampled)]))

    def outcome(self, player: str) -> OutcomeChances | None:
        """Return how matches end when every role is played by one kind of player."""
        return next((o for o in self.outcomes if set(o.players.values()) == {player}), None)

    def advantage(self, player: str) -> float | None:
        """Return the first mover's chance to win less the others', among players of one kind.

        None where it is not known, or where intervals of played matches leave open who is ahead.
        """
        if self.first is None or len(self.roles) < 2:
            return None
        found = self.outcome(player)
        sampled = next((s for s in self.sampled if s.player == player), None)
        if found is not None:
            wins = found.wins
        elif sampled is not None:
            mine = sampled.wins[self.first]
            theirs = [share for role, share in sampled.wins.items() if role != self.first]
            low = sum(share.low for share in theirs) / len(theirs)
            high = sum(share.high for share in theirs) / len(theirs)
            if mine.low <= high and low <= mine.high:
                return None
            wins = {role: share.mean for role, share in sampled.wins.items()}
        else:
            return None
        others = [chance for role, chance in wins.items() if role != self.first]
        return wins[self.first] - sum(others) / len(others)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON, without pictures."""
        plain = asdict(self)
        for entry in plain["hardest"]:
            del entry["picture"]
        del plain["picture"]
        plain["drawn_states"] = self.drawn_states
        plain["first_mover_advantage"] = {name: self.advantage(name) for name in self.players}
        return plain
