"""Play a match between agents in this process, and parse the moves that people type."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

from kibitz.engine import CompiledGame, Game, Goal, Move, Role
from kibitz.errors import InputError, KibitzError
from kibitz.play.agents.agent import Agent, MatchSoFar, foreign_errors
from kibitz.wording import end_text, stuck_text

_LONGEST = 10_000
_GRACE_S = 1.0
"""How late a move may be, as servers allow."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Seconds to get ready in, and seconds for each move."""

    start_s: float = 10.0
    play_s: float = 1.0


class NoClock:
    """Marks agents without a time limit, such as a person at the terminal."""


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One joint move: the moves, the seconds each role thought, and what was wrong.

    `remarks` has what each agent said of its move, empty texts for nothing.
    """

    joint: tuple[Move, ...]
    seconds: tuple[float, ...]
    errors: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A match that has been played: its moves and the goals it ended with.

    An unfinished match has no goals, and `stuck` names the roles that had no legal move, if any.
    """

    game: Game
    agents: dict[Role, str]
    steps: tuple[MatchStep, ...]
    goals: dict[Role, Goal]
    is_finished: bool
    stuck: tuple[Role, ...] = ()

    @property
    def result(self) -> str:
        """Describe how it ended: with which goals, or why with none."""
        if self.is_finished:
            return end_text(self.goals)
        if self.stuck:
            return stuck_text(self.stuck)
        return f"no result: broken off after {len(self.steps):,} moves"

    @property
    def remarks(self) -> list[str]:
        """Remarks of agents on their moves, each with the number of the move and the role."""
        return [
            f"move {number}, {role}: {text}"
            for number, step in enumerate(self.steps, start=1)
            for role, text in zip(self.agents, step.remarks, strict=False)
            if text
        ]

    def as_json(self) -> dict[str, object]:
        """Return the transcript as plain data."""
        write = self.game.write
        return {
            "game": self.game.sheet.name,
            "roles": dict(self.agents),
            "goals": dict(self.goals),
            "finished": self.is_finished,
            "stuck": list(self.stuck),
            "moves": [[write(move) for move in step.joint] for step in self.steps],
            "seconds": [[round(s, 4) for s in step.seconds] for step in self.steps],
            "errors": [error for step in self.steps for error in step.errors],
            "remarks": self.remarks,
        }

    def __str__(self) -> str:
        write = self.game.write
        lines = [
            f"{number}. {' '.join(write(move) for move in step.joint)}"
            for number, step in enumerate(self.steps, start=1)
        ]
        players = ", ".join(f"{role}: {name}" for role, name in self.agents.items())
        return "\n".join([f"{self.game.sheet.name} ({players})", *lines, self.result])


def play_match(
    game: Game,
    agents: Mapping[Role, Agent],
    *,
    clocks: Clocks | None = None,
    seed: int = 1,
    together: bool = False,
    watch: Callable[[MatchSoFar], None] | None = None,
) -> Match:
    """Let agents play; a move that is late, illegal or an error is replaced by a random one.

    They think one after the other, each with the whole machine, or all at the same time with
    `together`, as remote players do.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.play import OptimalAgent, RandomAgent
    >>> game = CompiledGame(load_sheet("nim:1,2,4,5"))
    >>> match = play_match(game, {"player1": OptimalAgent(), "player2": RandomAgent()})
    >>> match.goals
    {'player1': 100, 'player2': 0}
    """
    clocks = clocks or Clocks()
    missing = [role for role in game.roles if role not in agents]
    if missing:
        raise InputError(f"no agent plays {' '.join(missing)}", hint="give an agent for every role")
    source = random.Random(seed)
    steps: list[MatchStep] = []
    stuck: tuple[Role, ...] = ()
    line = MatchSoFar((game.initial(),))
    pool = ThreadPoolExecutor(len(game.roles)) if together else None
    each = pool.map if pool else map

    def get_ready(role: Role) -> None:
        with _errors_of(agents[role]):
            agents[role].start(game, role, time.monotonic() + clocks.start_s)

    try:
        list(each(get_ready, game.roles))
        while not line.state.is_terminal and len(steps) < _LONGEST:
            if stuck := tuple(role for role in game.roles if not line.state.legal(role)):
                break
            answers = list(each(partial(_ask, agents, line, clocks), game.roles))
            remarks = tuple(agents[role].remark for role in game.roles)
            step = replace(_step(line, answers, source), remarks=remarks)
            steps.append(step)
            line = line.then(step.joint)
            if watch:
                watch(line)
    finally:
        for role in game.roles:
            with _errors_of(agents[role]):
                agents[role].stop(line)
        if pool:
            pool.shutdown(cancel_futures=True)
    names = {role: agents[role].name for role in game.roles}
    is_finished = line.state.is_terminal
    goals = line.state.goals if is_finished else dict.fromkeys(game.roles)
    return Match(game, names, tuple(steps), goals, is_finished, stuck)


def _ask(
    agents: Mapping[Role, Agent], line: MatchSoFar, clocks: Clocks, role: Role
) -> tuple[Move | None, float, str]:
    """Ask one agent: its move, the seconds it took, and what is wrong with it."""
    begin = time.monotonic()
    try:
        with _errors_of(agents[role]):
            move = agents[role].choose(line, begin + clocks.play_s)
    except KibitzError as error:
        return None, time.monotonic() - begin, error.message
    spent = time.monotonic() - begin
    if move not in line.state.legal(role):
        return move, spent, f"{move} is not legal"
    is_late = spent > clocks.play_s + _GRACE_S and not isinstance(agents[role], NoClock)
    return move, spent, f"{spent:.1f} s is too late" if is_late else ""


def _errors_of(agent: Agent) -> AbstractContextManager[None]:
    """Turn any error of an agent that others wrote into one with a message."""
    return foreign_errors(agent.name) if agent.is_foreign else nullcontext()


def _step(
    line: MatchSoFar, answers: list[tuple[Move | None, float, str]], source: random.Random
) -> MatchStep:
    joint, errors = [], []
    for role, (move, _, problem) in zip(line.state.game.roles, answers, strict=True):
        if problem or move is None:
            errors.append(f"{role}: {problem}")
            move = source.choice(line.state.legal(role))
        joint.append(move)
    return MatchStep(tuple(joint), tuple(seconds for _, seconds, _ in answers), tuple(errors))


def describe_moves(game: Game, role: Role, moves: tuple[Move, ...]) -> dict[Move, str]:
    """Return moves with their words; as in the rule sheet where the game is not compiled.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> list(describe_moves(game, "xplayer", game.initial().legal("xplayer")).values())[:2]
    ['take the top left corner', 'take the top edge']
    """
    if not isinstance(game, CompiledGame):
        return {move: game.write(move) for move in moves}
    from kibitz.english import say_move, scene_of

    scene = scene_of(game, role)
    return {move: say_move(scene, move) for move in moves}


def moves_meant(text: str, described: Mapping[Move, str]) -> tuple[Move, ...]:
    """Return the moves that a text can mean; several where it is ambiguous.

    A text is a move's number in the list, its text in the rule sheet, its words, the names in it
    alone, or some of its words in their order; cells may be written together, as in `b3-a4`.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> described = describe_moves(game, "xplayer", game.initial().legal("xplayer"))
    >>> [moves_meant(text, described) for text in ("5", "mark 2 2", "2,2", "centre")]
    [((mark 2 2),), ((mark 2 2),), ((mark 2 2),), ((mark 2 2),)]
    >>> moves_meant("bottom corner", described)
    ((mark 3 1), (mark 3 3))
    >>> from kibitz.gdl import parse_terms
    >>> first, second = parse_terms("(move b 3 a 4) (move b 3 c 4)")
    >>> moves_meant("B3xC4", {first: "move from b3 to a4", second: "move from b3 to c4"})
    ((move b 3 c 4),)
    """
    moves = list(described)
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= len(moves):
        return (moves[int(text) - 1],)
    typed = _words(text)
    if not typed:
        return ()
    texts = {move: (_words(str(move)), _words(described[move])) for move in moves}
    for matches in (
        [move for move in moves if typed in texts[move]],
        [move for move in moves if typed == texts[move][0][1:]],
        [move for move in moves if any(_is_part(typed, words) for words in texts[move])],
    ):
        if matches:
            return tuple(matches)
    cells = _letters_and_numbers(text)
    return tuple(
        move
        for move in moves
        if cells
        and any(_is_part(cells, _letters_and_numbers(one)) for one in (str(move), described[move]))
    )


def _words(text: str) -> list[str]:
    return re.sub(r"[(),]", " ", text).lower().split()


def _letters_and_numbers(text: str) -> list[str]:
    """Split a text into words and numbers, at each change between them: b3-a4, b3a4 and b3xa4."""
    return re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=\d)x(?=[a-z]*\d)", " ", text.lower()))


def _is_part(typed: list[str], words: list[str]) -> bool:
    """Return whether all typed words are among some words, in their order."""
    left = iter(words)
    return all(word in left for word in typed)
