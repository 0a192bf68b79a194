"""Write the certificate of a proved position, and check certificates by the rules alone.

A certificate says how each role reaches its goal: one move in each position where it has a choice,
and what follows each reply of the other. Positions are numbered, the first is 0. Where the role has
a choice, a position is the text of its move and the number of the position after it; elsewhere it
is the positions after all replies, in the order of their text. -1 stands for an end, and -2 for a
position that was left out because the certificate would be too long: a proof that is too large is
written for so many moves from its start as fit. Since no goal is less than 0, a part that claims no
more may have no positions, if another part shows ends.

Nothing in the file is believed: `standalone_checker.py`, which shares no code with this, refuses
what `check_certificate` refuses. What was left out can be proved anew, by `regenerate`, one
position after another; what a search says there is not believed either.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec

from kibitz.engine import Game, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import RuleSheet, require_gdl1
from kibitz.prove.proof import Proof, mover_of
from kibitz.prove.search import Prover
from kibitz.reading import bounded

_FORMAT = "kibitz proof 2"
_END, _CUT = -1, -2


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    role: str
    at_least: Annotated[int, msgspec.Meta(ge=0, le=100)]
    positions: list[list[Annotated[int, msgspec.Meta(ge=_CUT, le=10**9)] | str]]


class _Certificate(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["kibitz proof 2"]
    rules: str
    start: list[str]
    parts: list[_Part]


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """Result of a checker: goals that roles are proved to reach, and how many positions it read.

    `goals` are proved from `start` if nothing was left out, or else if in each position of
    `left_out` the role beside it can guarantee what it does in `goals`. Each line that is left out
    has at least `depth` moves before that.
    """

    start: State
    goals: Mapping[Role, int]
    positions: int
    left_out: tuple[tuple[Role, State], ...] = ()
    depth: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return not self.left_out


def certificate_of(
    prover: Prover, proof: Proof, *, most: int = 100_000, depth: int | None = None
) -> dict[str, Any]:
    """Write down how each role reaches its value; at most so many positions for each.

    What does not fit, or comes after more than `depth` moves, is left out.

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
    parts = [
        {
            "role": role,
            "at_least": value[role],
            "positions": _Writer(prover, role, value, most, depth).write(proof.state)
            if value[role] > 0 or len(value) < 2
            else [],
        }
        for role in game.roles
    ]
    return {
        "format": _FORMAT,
        "rules": _digest(game.sheet),
        "start": _texts(proof.state),
        "parts": parts,
    }


def _digest(sheet: RuleSheet) -> str:
    """Name the rules, whatever their notation, spaces and comments."""
    return hashlib.sha256(" ".join(map(str, sheet.rules)).encode()).hexdigest()


def _texts(state: State) -> list[str]:
    return sorted(map(str, state.fluents))


class _Writer:
    """Writes the positions of one role's way to its goal.

    Where the role has a choice, the first move that keeps the value does. If play can then go in
    circles for ever, positions from which it can are given their next such move. Positions are
    looked at in the order of how many moves lead there, and left out from some number of moves on.
    """

    def __init__(
        self, prover: Prover, role: Role, value: Mapping[Role, int], most: int, depth: int | None
    ) -> None:
        self.prover = prover
        self.role = role
        self.index = prover.values.index(value[prover.game.roles[0]])
        least = 0 if role == prover.game.roles[0] else len(prover.values) - 1
        self.needs_no_proof = self.index == least
        self.most, self.most_moves, self.layer = most, depth, 0
        self.number: dict[Hashable, int] = {}
        self.moves: list[int] = []
        """By number, how many moves lead there."""
        self.open: deque[State] = deque()
        self.left_out: set[int] = set()
        self.after: dict[int, list[tuple[str, int]]] = {}
        self.kept: dict[int, Iterator[tuple[str, int]]] = {}

    def write(self, start: State) -> list[list[int | str]]:
        """Walk from a position until each line ends or has as many moves as it may have."""
        first = self.place(start, 0)
        ending: dict[int, list[tuple[str, int]]] = {_END: []}
        while first not in ending:
            while self.open:
                self.look(self.open.popleft())
            ending = self.ending()
            open_ended = [number for number in self.kept if number not in ending]
            if first not in ending and not sum(map(self.widen, open_ended)):
                if self.needs_no_proof:
                    raise KibitzError(
                        f"{self.role} gets no less at any end of play, but cannot force one, and a "
                        "certificate shows ends"
                    )
                raise KibitzError(
                    "the table of the search lost a part of the proof, and no time is left to find "
                    "it again",
                    hint="allow more --memory or --timeout",
                )
        order = [] if first == _END else [first]
        place = {_END: _END} | dict.fromkeys(self.left_out, _CUT) | dict.fromkeys(order, 0)
        lists: list[list[int | str]] = []
        for number in order:
            for _, to in ending[number]:
                if to not in place:
                    place[to] = len(order)
                    order.append(to)
            made = [move for move, _ in ending[number] if number in self.kept]
            lists.append([*made, *(place[to] for _, to in ending[number])])
        return lists

    def place(self, state: State, moves: int) -> int:
        if state.is_terminal:
            return _END
        if state.key not in self.number:
            self.number[state.key] = len(self.number)
            self.moves.append(moves)
            self.open.append(state)
        return self.number[state.key]

    def look(self, state: State) -> None:
        number = self.number[state.key]
        moves_made = self.moves[number]
        if moves_made > self.layer:  # all positions after so many moves have their numbers
            self.layer = moves_made
            if self.most_moves is None and len(self.number) > self.most:
                self.most_moves = moves_made
        if moves_made == self.most_moves:
            self.left_out.add(number)
            return
        mover = mover_of(state)
        moves = sorted(state.legal(mover), key=str)
        if mover == self.role and len(moves) > 1:
            # the move that is found soonest first, for others may take as long as the whole search
            found = self.prover.keeping(state, self.index)
            moves.sort(key=lambda move: move != found)
            keeps = (m for m in moves if m == found or self.prover.keeps(state, m, self.index))
            self.kept[number] = (
                (str(move), self.place(state.play(move), moves_made + 1)) for move in keeps
            )
            self.after[number] = []
            self.widen(number)
        else:
            self.after[number] = [
                (str(move), self.place(state.play(move), moves_made + 1)) for move in moves
            ]

    def widen(self, number: int) -> bool:
        """Try one more move in a position; return whether there was one."""
        more = list(islice(self.kept[number], 1))
        self.after[number] += more
        return bool(more)

    def ending(self) -> dict[int, list[tuple[str, int]]]:
        """Return the positions from which play must end, each with its one move or all replies."""
        before: dict[int, list[tuple[int, tuple[str, int]]]] = {}
        left = {number: 1 if number in self.kept else len(a) for number, a in self.after.items()}
        for number, after in self.after.items():
            for one in after:
                before.setdefault(one[1], []).append((number, one))
        found: dict[int, list[tuple[str, int]]] = {number: [] for number in (_END, *self.left_out)}
        order = list(found)
        for to in order:
            for number, one in before.get(to, ()):
                left[number] -= 1
                if left[number] == 0:
                    found[number] = [one] if number in self.kept else self.after[number]
                    order.append(number)
        return found


@bounded("reading the certificate")
def read_certificate(text: str) -> Any:
    """Read the JSON of a certificate; raise InputError where it is none or has a field twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise InputError(f"the certificate is damaged: {error}") from None
    except (ValueError, RecursionError):
        raise InputError(
            "the certificate is damaged: it is nested too deep or has a huge number"
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise InputError("the certificate is damaged: it has a field twice")
    return dict(pairs)


def check_certificate(game: Game, made: Any, *, start: State | None = None) -> CheckedCertificate:
    """Follow a certificate by the rules from the first state or another; raise InputError.

    An error says that the certificate proves nothing, and why.
    """
    require_gdl1(game.sheet)
    try:
        claim = msgspec.convert(made, _Certificate)
    except msgspec.ValidationError as error:
        raise InputError(f"the certificate is damaged: {str(error)[:200]}") from None
    if claim.rules != _digest(game.sheet):
        raise InputError(f"the certificate is for other rules than those of {game.sheet.name}")
    whence = "the position given" if start else f"the first state of {game.sheet.name}"
    start = start or game.initial()
    if claim.start != _texts(start):
        raise InputError(
            f"the certificate does not begin at {whence}",
            hint="--position FILE checks one that begins elsewhere",
        )
    roles = [part.role for part in claim.parts]
    if sorted(roles) != sorted(game.roles):
        raise InputError("the certificate needs exactly one part for each role")
    checkers = [
        _Checker(part)
        for part in claim.parts
        if part.positions or part.at_least > 0 or len(roles) != 2
    ]
    for checker in checkers:
        checker.check(start)
    goals = {part.role: part.at_least for part in claim.parts}
    sums = set[int]().union(*(checker.sums for checker in checkers))
    is_shown = bool(sums) or not any(checker.left_out for checker in checkers)
    if len(goals) == 2 and is_shown and sums != {sum(goals.values())}:
        raise InputError("the goals of the certificate do not add up as they do where play ends")
    return CheckedCertificate(
        start,
        goals,
        sum(len(checker.lists) for checker in checkers),
        tuple((c.role, state) for c in checkers for state in c.left_out.values()),
        min((checker.depth() for checker in checkers if checker.left_out), default=None),
    )


@dataclass(slots=True)
class Regenerated:
    """Which of the positions that a certificate leaves out were proved anew.

    `done` are those whose own certificates were checked, with so many `positions`; for `left` none
    was asked or there was no time.
    """

    done: int = 0
    positions: int = 0
    left: int = 0


def regenerate(
    prover: Prover,
    checked: CheckedCertificate,
    *,
    most: int | None = None,
    seed: int = 0,
    keep: Callable[[State, dict[str, Any]], None] | None = None,
) -> Regenerated:
    """Prove what a certificate leaves out, or so many positions of it drawn at random.

    Each is searched, a certificate is written of it, and checked by the rules, by the engine that
    the certificate was checked with; what that leaves out comes next. `keep` gets every one of
    them. Raise InputError if a position is worth less than the certificate claims.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> proof = prover.prove(prover.game.initial())
    >>> checked = check_certificate(prover.game, certificate_of(prover, proof, depth=2))
    >>> len(checked.left_out), checked.depth, regenerate(prover, checked).left
    (6, 2, 0)
    """
    waiting = list(checked.left_out)
    random.Random(seed).shuffle(waiting)
    found = Regenerated(left=len(waiting))
    for role, state in waiting[:most]:
        parts = [state]
        while parts:
            state = parts.pop()
            proof = prover.prove(prover.game.state(state.fluents), weak=True)
            try:
                made = certificate_of(prover, proof)
            except KibitzError:  # its time was up, before it was proved or while it was written
                return found
            part = check_certificate(state.game, made, start=state)
            total, part_total = sum(checked.goals.values()), sum(part.goals.values())
            if len(part.goals) == 2 and part_total != total:
                raise InputError("the goals of the certificate do not add up as they do elsewhere")
            if part.goals[role] < checked.goals[role]:
                raise InputError(
                    f"the certificate leaves out a position in which {role} gets "
                    f"{part.goals[role]}, not {checked.goals[role]}: "
                    + " ".join(map(str, state.fluents))
                )
            if keep is not None:
                keep(state, made)
            found.positions += part.positions
            parts += [below for whose, below in part.left_out if whose == role]
        found.done, found.left = found.done + 1, found.left - 1
    return found


class _Checker:
    """Follows one role's way, each position once, and sees that every line of it ends well."""

    def __init__(self, part: _Part) -> None:
        self.role, self.claimed, self.lists = part.role, part.at_least, part.positions
        self.state: dict[int, Hashable] = {}
        self.number: dict[Hashable, int] = {}
        self.is_done: set[int] = set()
        self.left_out: dict[Hashable, State] = {}
        self.least = 101
        self.sums: set[int] = set()

    def check(self, start: State) -> None:
        """Go through all positions from the first one, depth first."""
        stack = [(_END, iter([(start, 0 if self.lists else _END)]))]
        while stack:
            number, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                self.is_done.add(number)
                stack.pop()
                continue
            state, to = following
            if self.meet(state, to):
                stack.append((to, iter(self.after(state, to))))
        if not self.sums and not self.left_out:
            raise InputError(f"the certificate shows no end of play for {self.role}")
        if len(self.state) < len(self.lists):
            raise InputError("no line of the certificate comes to some of its positions")
        # What is left out may end with less, so that the least of the rest is a bound alone.
        if self.least < self.claimed or (self.least > self.claimed and not self.left_out):
            raise InputError(
                f"the certificate claims {self.claimed} for {self.role}, and its lines end with at "
                f"least {self.least}"
            )

    def depth(self) -> int:
        """Return the least number of moves after which a position is left out."""
        moves, order = {0: 1}, [0]
        for number in order:
            for to in self.lists[number]:
                if to == _CUT:
                    return moves[number]
                if isinstance(to, int) and to not in moves and to != _END:
                    moves[to] = moves[number] + 1
                    order.append(to)
        raise AssertionError("nothing is left out")

    def meet(self, state: State, number: int) -> bool:
        """Look at a position that a line comes to; return whether to go on from there."""
        if state.is_terminal != (number == _END):
            raise InputError("the certificate ends a line that goes on, or goes on after an end")
        if number == _END:
            goals = [goal for goal in state.goals.values() if goal is not None]
            if len(goals) < len(state.goals):
                raise InputError("a line of the certificate ends without a goal for each role")
            self.sums.add(sum(goals))
            self.least = min(self.least, state.goals[self.role] or 0)
            return False
        if self.number.setdefault(state.key, number) != number:
            raise InputError(f"a state has two numbers in the certificate, one of them {number}")
        if number == _CUT:
            self.left_out[state.key] = state
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
        if not 0 <= number < len(self.lists):
            raise InputError(f"the certificate has no position {number}")
        listed = self.lists[number]
        mover = mover_of(state)
        moves = sorted(state.legal(mover), key=str)
        if mover == self.role and len(moves) > 1:
            moves, listed = [move for move in moves if [str(move)] == listed[:1]], listed[1:]
        numbers = [to for to in listed if isinstance(to, int)]
        if not moves or len(moves) != len(listed) or len(moves) != len(numbers):
            raise InputError(
                f"position {number} of the certificate makes no legal move, or lacks a reply"
            )
        return [(state.play(move), to) for move, to in zip(moves, numbers, strict=True)]
