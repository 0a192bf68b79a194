"""Recognise the themes of a proved puzzle.

GDL knows no passing. But in most games two fluents that exclude one another say whose turn it is,
and exchanging them passes the turn. They are found by trying them out in positions of matches.

=============== ==================================================================================
theme           holds if
=============== ==================================================================================
win             the answer wins at once
parry           after some other move the opponent wins at once, and after the answer it does not
doubleThreat    at some move of the line every reply lets the role win at once, and no one move
                wins after all replies
zugzwang        at some move of the line the role would win later or not at all if the opponent
                could pass
sacrifice       the answer takes nothing, and the man that it brought can be taken at once
forcing         after the answer one reply alone keeps the role from winning at once
quiet           after the answer most replies keep the role from winning at once
rule1, rule2, … of a given list this rule is the first that applies, and all its moves are answers
=============== ==================================================================================
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import cast

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import Function
from kibitz.prove import Prover, Spending
from kibitz.puzzles.proved.tasks import LOOKS, Examiner, Found
from kibitz.puzzles.puzzle import Puzzle
from kibitz.puzzles.state_variables import Variables
from kibitz.strategy import Strategy, owned_things

_MATCHES, _LONGEST = 8, 60
_turns: Attached[CompiledGame, int] = Attached()


def passed(state: State) -> State | None:
    """Return the position as it is if the role to move passes; None if that is not known.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> then = passed(game.initial())
    >>> then and [len(then.legal(role)) for role in game.roles]
    [1, 9]
    """
    game = cast(CompiledGame, state.game)
    if game not in _turns:
        _turns[game] = _turn_bits(game)
    if not _turns[game]:
        return None
    then = _exchanged(state, _turns[game])
    return None if then.is_terminal or not all(map(then.legal, game.roles)) else then


def _turn_bits(game: CompiledGame) -> int:
    """Return the bits of a state that say whose turn it is; 0 if there are none."""
    variables = [one.fluents for one in Variables(game).listed if len(one.values) == 2]
    candidates = [sum(1 << fluent for fluent in fluents) for fluents in variables]
    shown: set[int] = set()
    for state in _positions(game):
        mover = _choosers(state)
        for bits in list(candidates):
            then = _exchanged(state, bits)
            other = [] if then.is_terminal else _choosers(then)
            if other and other != mover and len(other) == 1:
                shown.add(bits)
            elif other or not all(map(then.legal, game.roles)):
                candidates.remove(bits)
    found = [bits for bits in candidates if bits in shown]
    return found[0] if len(found) == 1 else 0


def _positions(game: CompiledGame) -> list[State]:
    """Return positions of random matches in which one role has a choice."""
    source = random.Random(1)
    found = []
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            if sum(len(moves) > 1 for moves in legal) == 1:
                found.append(state)
            state = game.successor(state.key, tuple(map(source.choice, legal)))
    return found


def _exchanged(state: State, bits: int) -> State:
    return State(state.game, cast(int, state.key) ^ bits)


def _choosers(state: State) -> list[str]:
    return [role for role in state.game.roles if len(state.legal(role)) > 1]


THEMES = ("win", "parry", "doubleThreat", "zugzwang", "sacrifice", "forcing", "quiet")
"""All themes there are, but for those of rules."""
_MEMORY = 10_000_000


def check_theme(theme: str | None, rules: Strategy | None, role: Role) -> None:
    """Refuse a theme that no puzzle can have."""
    if theme is None or theme in THEMES:
        return
    number = re.fullmatch(r"rule([1-9]\d{0,5})", theme)
    if not number:
        raise InputError(f"no theme {theme}", hint=f"one of {' '.join(THEMES)}, or rule1, rule2, …")
    if rules is None:
        raise InputError(f"the theme {theme} is of a list of rules", hint="name it with --rules")
    if int(number[1]) > len(rules.rules_for(role)):
        raise InputError(f"{rules.name} has {len(rules.rules_for(role))} rules, and no {theme}")


def themes_for(game: CompiledGame, role: Role, rules: Strategy | None = None) -> Themes | None:
    """Make what finds themes for a role; None in games that a search for wins does not take.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> themes_for(game, "xplayer") is None, themes_for(CompiledGame(load_sheet("hanoi")), "player")
    (False, None)
    """
    if len(game.roles) != 2:
        return None
    try:
        prover = Prover(game, Spending(memory=_MEMORY, threads=1))
    except KibitzError:
        return None
    return Themes(Examiner(prover, game.roles.index(role)), rules)


class Themes:
    """Finds the themes of puzzles of one role."""

    def __init__(self, examiner: Examiner, rules: Strategy | None = None) -> None:
        self.examiner, self.rules = examiner, rules

    def of(self, found: Found) -> tuple[str, ...]:
        """Return the themes of a puzzle, by its first answer."""
        examiner, state = self.examiner, found.state
        then = examiner.step(state, found.answers[0])
        if then.is_terminal:
            return ("win", *self._rule(found))
        themes = []
        if self._is_parry(found, then):
            themes.append("parry")
        if self._is_double_threat(found):
            themes.append("doubleThreat")
        if self._is_zugzwang(found):
            themes.append("zugzwang")
        replies = self._replies(then)
        if self._is_sacrifice(state, then, replies):
            themes.append("sacrifice")
        held = sum(not self._can_finish(reply) for reply in replies)
        if len(replies) > 1 and held == 1:
            themes.append("forcing")
        if 2 * held > len(replies) > 1:
            themes.append("quiet")
        return (*themes, *self._rule(found))

    def of_written(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Return the themes of a puzzle whose moves are written down."""
        examiner, write = self.examiner, self.examiner.game.write
        legal = {write(move): move for move in puzzle.state.legal(examiner.name)}
        answers = tuple(legal[text] for text in puzzle.first_moves)
        line: list[Move] = []
        state = puzzle.state
        for text in puzzle.line:
            named = [m for m in state.legal(examiner.mover(state)) if write(m) == text]
            if not named:  # a move of a role that has no choice
                break
            line += named
            state = examiner.step(state, named[0])
        found = Found(puzzle.state, tuple(legal.values()), answers, line=tuple(line))
        return self.of(replace(found, plies=len(line)) if state.is_terminal else found)

    def _is_parry(self, found: Found, then: State) -> bool:
        """Return whether some other move lets the opponent win at once, and the answer does not."""
        other = self.examiner.other
        if self._wins_at_once(then, other):
            return False
        afters = (
            self.examiner.step(found.state, move)
            for move in found.moves
            if move not in found.answers
        )
        return any(not after.is_terminal and self._wins_at_once(after, other) for after in afters)

    def _is_double_threat(self, found: Found) -> bool:
        """Return whether a move of the line leaves two threats, of which no reply parries both."""
        examiner = self.examiner
        for state, _ in self._own_moves(found):
            if not examiner.wins.within(examiner.prover.row(state), examiner.role, 2):
                continue
            replies = self._replies(state)
            winning = [self._finishing(reply) for reply in replies]
            if len(replies) > 1 and all(winning) and not set.intersection(*winning):
                return True
        return False

    def _is_zugzwang(self, found: Found) -> bool:
        """Return whether the opponent would like to pass after a move of a forced win."""
        if found.plies is None:
            return False
        examiner = self.examiner
        for state, left in self._own_moves(found):
            then = passed(state)
            if then is None or left < 2:
                continue
            row = examiner.prover.row(then)
            if examiner.wins.within(row, examiner.role, left - 1, positions=LOOKS) is False:
                return True
        return False

    def _own_moves(self, found: Found) -> list[tuple[State, int]]:
        """Return the states after the role's moves of the line, and how many plies are left."""
        examiner, state = self.examiner, found.state
        actor = examiner.name
        states = []
        for number, move in enumerate(found.line, start=1):
            before, state = actor, examiner.step(state, move)
            if state.is_terminal:
                break
            choosers = [role for role in examiner.game.roles if len(state.legal(role)) > 1]
            other = next(role for role in examiner.game.roles if role != before)
            actor = choosers[0] if choosers else other
            if before == examiner.name != actor:
                states.append((state, len(found.line) - number))
        return states

    def _is_sacrifice(self, state: State, then: State, replies: list[State]) -> bool:
        """Return whether the answer takes nothing, and its man can be taken at once."""
        examiner = self.examiner
        mine = self._things(examiner.name)
        others = self._things(examiner.game.roles[examiner.other])
        own = mine & set(then.fluents)
        new = own - set(state.fluents)
        if not new or len(others & set(then.fluents)) < len(others & set(state.fluents)):
            return False
        return any(
            not new <= (left := mine & set(reply.fluents)) and len(left) < len(own)
            for reply in replies
        )

    def _things(self, role: Role) -> set[Function]:
        """Return the fluents that say what a role has where."""
        owned = owned_things(self.examiner.game, role)
        return {thing for things in owned.values() for thing in things}

    def _rule(self, found: Found) -> tuple[str, ...]:
        """Return the theme of the first rule that applies, if it solves the puzzle."""
        if self.rules is None:
            return ()
        name = self.examiner.name
        for number in range(1, len(self.rules.rules_for(name)) + 1):
            moves = self.rules.first(number).moves(found.state, name)
            if moves:
                return (f"rule{number}",) if set(moves) <= set(found.answers) else ()
        return ()

    def _wins_at_once(self, state: State, winner: int) -> bool:
        """Return whether a role wins in one ply."""
        return self.examiner.wins.within(self.examiner.prover.row(state), winner, 1) is True

    def _can_finish(self, reply: State) -> bool:
        """Return whether the role has won, or wins with its next move."""
        if reply.is_terminal:
            return self.examiner.wins.is_won(reply, self.examiner.role)
        return self._wins_at_once(reply, self.examiner.role)

    def _replies(self, state: State) -> list[State]:
        examiner = self.examiner
        return [examiner.step(state, move) for move in state.legal(examiner.mover(state))]

    def _finishing(self, state: State) -> set[Move]:
        """Return the moves of the role that win at once."""
        examiner = self.examiner
        if state.is_terminal or examiner.mover(state) != examiner.name:
            return set()
        return {
            move
            for move in state.legal(examiner.name)
            if (after := examiner.step(state, move)).is_terminal
            and examiner.wins.is_won(after, examiner.role)
        }
