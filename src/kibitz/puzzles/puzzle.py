"""Puzzle: a position, the question, and the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from math import log10

from kibitz.engine import Move, Role, State
from kibitz.puzzles.proved.attempts import Attempt
from kibitz.puzzles.skill.hardness import Level
from kibitz.solve import Place, Solution
from kibitz.space import StateId
from kibitz.wording import counted


@dataclass(frozen=True, slots=True)
class Refutation:
    """A wrong move, the line that shows it, and how that ends."""

    move: str
    line: tuple[str, ...]
    result: str

    def as_json(self) -> dict[str, object]:
        """Return it as plain values."""
        return {"move": self.move, "line": list(self.line), "result": self.result}

    def __str__(self) -> str:
        replies = f", {', '.join(self.line)}" if self.line else ""
        return f"{self.move}{replies}: {self.result}"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position from which a role plays.

    `first_moves` are the answers: those that win with `win_in` own moves before the one that wins;
    `slower_moves` win as well, but later. `line` is one line of best play, `chances` are those to
    win by the role's skill. `remoteness` counts the moves of all to the end; `number` is that of
    the state in the space it was chosen from. A balanced position has no `win_in`, its
    `first_moves` keep the value, and `score` is what the role expects: 1 for a win, 1/2 for a draw.
    A puzzle that was searched for has no chances to win, but `attempts` of players to find its
    first move, `refutations` of wrong ones, and a `claim`: what is proved of the answer.
    `alternates` is False where a role may choose twice in a row, and `played` are the joint moves
    of a match that led to the position. `plays` says from how many plays a score is estimated.
    """

    name: str
    state: State = field(repr=False)
    role: Role
    win_in: int | None
    level: Level
    chances: tuple[tuple[str, float], ...]
    first_moves: tuple[str, ...]
    line: tuple[str, ...]
    remoteness: int | None
    score: float | None = None
    number: StateId = field(default=0, repr=False, compare=False)
    slower_moves: tuple[str, ...] = ()
    task: str = "win"
    themes: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    claim: str = ""
    alternates: bool = True
    played: tuple[tuple[Move, ...], ...] = field(default=(), repr=False)
    plays: int = 0

    @property
    def rating(self) -> int:
        """A number that grows with difficulty: 1500 where skills win half of their plays.

        400 more for ten times the odds, as in Elo's ratings; chances beyond 1 in 100 count as 1 in
        100.
        """
        chances = [chance for _, chance in self.chances] or [one.share for one in self.attempts]
        mean = sum(chances) / max(1, len(chances))
        if self.score is not None:
            mean = self.score
        mean = min(0.99, max(0.01, mean))
        return round(1500 + 400 * log10((1 - mean) / mean))

    @property
    def opening(self) -> tuple[str, ...]:
        """The moves of a match that led to the position, of the roles that had a choice."""
        state, game = self.state.game.initial(), self.state.game
        moves = []
        for joint in self.played:
            for role, move in zip(game.roles, joint, strict=True):
                if len(state.legal(role)) > 1:
                    moves.append(game.write(move))
            state = state.step(joint)
        return tuple(moves)

    def as_json(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "id": self.name,
            "position": [str(fluent) for fluent in self.state.fluents],
            "role": self.role,
            "win_in": self.win_in,
            "level": self.level.value,
            "rating": self.rating,
            "chances": dict(self.chances),
            "winning_first_moves": list(self.first_moves),
            "slower_winning_moves": list(self.slower_moves),
            "solution": list(self.line),
            "remoteness": self.remoteness,
            **({} if self.score is None else {"score": self.score}),
            **({"plays": self.plays} if self.plays else {}),
            **({"opening": list(self.opening)} if self.played else {}),
            **({"themes": list(self.themes)} if self.themes else {}),
            **(self._proved() if self.claim else {}),
        }

    def _proved(self) -> dict[str, object]:
        """Return what a puzzle has that was searched for."""
        return {
            "task": self.task,
            "proved": self.claim,
            "finds": [one.as_json() for one in self.attempts],
            "refutations": [one.as_json() for one in self.refutations],
            "played": [[self.state.game.write(move) for move in joint] for joint in self.played],
        }

    def _repr_svg_(self) -> str:
        """Draw the position in a notebook."""
        from kibitz.board import svg_board

        return svg_board(self.state)

    def _repr_html_(self) -> str:
        """Show the puzzle in a notebook, with the answer collapsed."""
        from kibitz.puzzles.sheets import html_of

        return html_of(self)


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """Puzzles from easy to hard, and how many candidates there were.

    The `way` is listing all states, or a search in positions of `matches`, which took `seconds`.
    """

    game: str
    role: Role
    own: str
    other: str
    puzzles: tuple[Puzzle, ...]
    positions: int
    of_level: int
    why: str = ""
    hint: str = ""
    way: str = "listing"
    matches: int = 0
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.puzzles)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def _repr_html_(self) -> str:
        """Show the puzzles in a notebook, with the answers collapsed."""
        from kibitz.puzzles.sheets import html_of_set

        return html_of_set(self)


def make_puzzle(
    solution: Solution,
    state: StateId,
    *,
    role: int,
    win_in: int | None,
    level: Level,
    chances: tuple[tuple[str, float], ...],
    score: float | None = None,
) -> Puzzle:
    """Make a puzzle of a state of a solved space."""
    space = solution.space
    game = space.game
    turn = int(space.turn[state])
    mover = turn if turn >= 0 else role
    most = None if win_in is None else plies_of(win_in)
    first: set[str] = set()
    slower: set[str] = set()
    for joint, _, known in solution.keeping(state):
        is_in_time = most is None or (known.length is not None and known.length < most)
        (first if is_in_time else slower).add(game.write(joint[mover]))
    position = space.state(state)
    return Puzzle(
        name=puzzle_name(position),
        state=position,
        role=game.roles[role],
        win_in=win_in,
        level=level,
        chances=chances,
        first_moves=tuple(sorted(first)),
        line=tuple(_line(solution, state, mover)),
        remoteness=solution.plies(state),
        score=score,
        number=state,
        slower_moves=tuple(sorted(slower - first)),
    )


def puzzle_name(state: State) -> str:
    """Return the name of a puzzle, which depends on its game and its position alone."""
    raw = f"{state.game.sheet.name} {state.key}".encode()
    return blake2b(raw, digest_size=5).hexdigest()


def plies_of(rounds: int) -> int:
    """Return the most plies of a win in so many more rounds: the others may have to finish it.

    >>> plies_of(0), plies_of(2)
    (2, 6)
    """
    return 2 * rounds + 2


def within_text(rounds: int, *, alternates: bool = True) -> str:
    """Say how long a win takes: in rounds, or in moves of both where turns do not alternate.

    >>> within_text(2), within_text(0), within_text(2, alternates=False)
    ('within 2 more rounds', 'at once', 'within 6 moves of both players')
    """
    if not alternates:
        return f"within {plies_of(rounds)} moves of both players"
    return f"within {counted(rounds, 'more round')}" if rounds else "at once"


def _line(solution: Solution, state: Place, mover: int) -> Iterator[str]:
    """Walk one line of best play; yield the move of the role to move."""
    space = solution.space
    roles = len(space.game.roles)
    for made in solution.follow(state):
        turn = int(space.turn[solution.number(state)])
        mover = turn if turn >= 0 else mover
        yield space.game.write(made.joint[mover])
        state = made.to
        mover = (mover + 1) % roles
