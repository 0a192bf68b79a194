"""A proved position in, a certificate out; and a checker that needs the rules alone.

A certificate says how a role reaches a goal: one move in each of its positions, and what follows
each reply of the other. Positions are numbered, the first is 0. Where the role moves, a position is
the number of the move and that of the position after it; where the other moves, the positions after
all replies, in the order of their text. -1 stands for an end, and -2 for a position that was left
out because the certificate would be too long.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.engine import Game, Move, Role, State
from kibitz.errors import IllegalMoveError, InputError, KibitzError
from kibitz.gdl import parse_terms
from kibitz.prove.movers import mover_of
from kibitz.prove.proof import Proof
from kibitz.prove.search import Prover

__all__ = ["CheckedCertificate", "certificate_of", "check_certificate"]

FORMAT = "kibitz proof 1"
_END, _CUT = -1, -2


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """What a checker found: goals that roles are proved to reach, and how much it looked at."""

    goals: Mapping[Role, int]
    positions: int
    cut: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return self.cut == 0


def certificate_of(prover: Prover, proof: Proof, *, most: int = 100_000) -> dict[str, Any]:
    """Write down how each role reaches its value; at most so many positions for each.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2")))
    >>> made = certificate_of(prover, prover.prove(prover.game.initial()))
    >>> check_certificate(prover.game, made).goals
    {'player1': 100, 'player2': 0}
    """
    value = proof.value
    if value is None:
        raise InputError(
            "there is no certificate of a value that is not proved", hint="allow more --timeout"
        )
    game = prover.game
    parts = []
    for role in game.roles:
        part = _Part(prover, role, value, most)
        parts.append({"role": role, "at_least": value[role], "positions": part.write(proof.state)})
    return {
        "format": FORMAT,
        "game": game.sheet.name,
        "start": [game.write(fluent) for fluent in proof.state.fluents],
        "moves": [[game.write(move) for move in moves] for moves in game.network.moves],
        "parts": parts,
    }


class _Part:
    """Writes the positions of one role's way to its goal."""

    def __init__(self, prover: Prover, role: Role, value: Mapping[Role, int], most: int) -> None:
        self.prover = prover
        self.role = role
        self.index = prover.values.index(value[prover.game.roles[0]])
        self.most = most
        self.number: dict[Hashable, int] = {}
        self.open: list[State] = []
        self.lists: dict[int, list[int]] = {}

    def write(self, start: State) -> list[list[int]]:
        """Walk from a position in a random order, so that what is cut off lies everywhere."""
        source = random.Random(0)
        self.place(start)
        while self.open:
            at = source.randrange(len(self.open)) if len(self.number) >= self.most else -1
            state = self.open.pop(at)
            self.lists[self.number[state.key]] = self.look(state)
        return [self.lists[number] for number in range(len(self.lists))]

    def place(self, state: State) -> int:
        if state.is_terminal:
            return _END
        if state.key not in self.number:
            if len(self.number) >= self.most:
                return _CUT
            self.number[state.key] = len(self.number)
            self.open.append(state)
        return self.number[state.key]

    def look(self, state: State) -> list[int]:
        game = self.prover.game
        mover = mover_of(state)
        moves = state.legal(mover)
        if mover != self.role:
            return [self.place(state.play(move)) for move in moves]
        kept = next((m for m in moves if self.prover.keeps(state, m, self.index)), None)
        if kept is None:
            raise KibitzError(
                "the table of the search lost a part of the proof, and no time is left to find it "
                "again",
                hint="allow more --memory or --timeout",
            )
        number = game.network.moves[game.roles.index(mover)].index(kept)
        return [number, self.place(state.play(kept))]


def check_certificate(game: Game, made: Mapping[str, Any]) -> CheckedCertificate:
    """Follow a certificate by the rules; raise InputError where it proves nothing."""
    try:
        if made["format"] != FORMAT:
            raise InputError(f"{made['format']!r} is no format of certificates that is known")
        start = game.state(parse_terms(" ".join(made["start"])))
        if len(made["moves"]) != len(game.roles):
            raise InputError("the certificate is of a game with other roles")
        moves = {
            role: parse_terms(" ".join(texts))
            for role, texts in zip(game.roles, made["moves"], strict=True)
        }
        goals, seen, cut = {}, 0, 0
        for part in made["parts"]:
            role, least = part["role"], int(part["at_least"])
            if role not in game.roles:
                raise InputError(f"{game.sheet.name} has no role {role}")
            checker = _Checker(role, least, moves[role], part["positions"])
            checker.check(start)
            goals[role] = least
            seen += len(checker.state)
            cut += checker.cut
    except IllegalMoveError as error:
        raise InputError(f"the certificate makes an illegal move: {error.message}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(f"the certificate is damaged: {error!r}") from None
    return CheckedCertificate(goals, seen, cut)


class _Checker:
    """Follows one role's way, each position once, and sees that every line of it ends well."""

    def __init__(
        self, role: Role, least: int, moves: Sequence[Move], lists: Sequence[Sequence[int]]
    ) -> None:
        self.role, self.least, self.moves, self.lists = role, least, moves, lists
        self.state: dict[int, Hashable] = {}
        self.is_done: set[int] = set()
        self.cut = 0

    def check(self, start: State) -> None:
        """Go through all positions from the first one, depth first."""
        if start.is_terminal:
            self.meet(start, _END)
            return
        stack = [(0, start, iter(self.after(start, 0)))]
        self.state[0] = start.key
        while stack:
            number, _, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                self.is_done.add(number)
                stack.pop()
                continue
            state, to = following
            if self.meet(state, to):
                stack.append((to, state, iter(self.after(state, to))))

    def meet(self, state: State, number: int) -> bool:
        """Look at a position that a line comes to; return whether to go on from there."""
        if number == _CUT:
            self.cut += 1
            return False
        if state.is_terminal != (number == _END):
            raise InputError("the certificate ends a line that goes on, or goes on after an end")
        if number == _END:
            goal = state.goals[self.role]
            if goal is None or goal < self.least:
                raise InputError(f"a line of the certificate ends with {goal} for {self.role}")
            return False
        if number in self.state:
            if self.state[number] != state.key:
                raise InputError(f"position {number} of the certificate is two positions")
            if number not in self.is_done:
                raise InputError(f"the certificate leads from position {number} back to it")
            return False
        self.state[number] = state.key
        return True

    def after(self, state: State, number: int) -> list[tuple[State, int]]:
        """Return what follows a position, each with its number."""
        if number < 0:
            raise InputError(f"the certificate has no position {number}")
        listed = self.lists[number]
        mover = mover_of(state)
        if mover == self.role:
            made, to = listed
            chosen, numbers = [self.moves[made]], [to]
        else:
            chosen, numbers = list(state.legal(mover)), list(listed)
        return [(state.play(m), int(to)) for m, to in zip(chosen, numbers, strict=True)]
