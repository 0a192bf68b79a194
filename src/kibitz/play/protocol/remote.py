"""Play against a remote player, with the symbols of the rules renamed."""

from __future__ import annotations

import random
import re
import time

from kibitz.engine import Game, Move, Role
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import KEYWORD_ARITY, RESERVED, RuleSheet, parse_terms, to_kif
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.protocol.messages import Abort, Info, Play, Start, Stop, ask

_SYMBOL = re.compile(r"[^\s();]+")
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


class Scrambler:
    """Scrambles symbols and restores them. Keywords, variables and numbers stay as they are.

    >>> from kibitz.games import load_sheet
    >>> scrambler = Scrambler(load_sheet("tictactoe"), seed=1)
    >>> hidden = scrambler.hide("(mark 1 2)")
    >>> hidden != "(mark 1 2)", scrambler.reveal(hidden)
    (True, '(mark 1 2)')
    """

    def __init__(self, sheet: RuleSheet, *, seed: int = 1) -> None:
        source = random.Random(seed)
        text = to_kif(sheet)
        symbols = sorted({name for name in _SYMBOL.findall(text) if _is_plain(name)})
        names: set[str] = set()
        while len(names) < len(symbols):
            names.add("".join(source.choices(_SYLLABLES, k=3)))
        order = sorted(names)
        source.shuffle(order)
        self._hidden = dict(zip(symbols, order, strict=True))
        self._revealed = {new: old for old, new in self._hidden.items()}
        self.rules = self.hide(text)

    def hide(self, text: str) -> str:
        """Write a text in the scrambled names."""
        return _renamed(text, self._hidden)

    def reveal(self, text: str) -> str:
        """Write a text in the names of the rule sheet."""
        return _renamed(text, self._revealed)


def _is_plain(name: str) -> bool:
    word = name.lower()
    return not (word in KEYWORD_ARITY or word in RESERVED or name.startswith("?") or name.isdigit())


def _renamed(text: str, names: dict[str, str]) -> str:
    return _SYMBOL.sub(lambda found: names.get(found.group(), found.group()), text)


_GRACE_S = 1.0
"""How long servers wait beyond the play clock."""


class RemoteAgent(Agent):
    """Passes a match to a player at an address, in the rule sheet's names or in scrambled ones."""

    def __init__(
        self, url: str, match: str, *, play_s: float, scrambler: Scrambler | None = None
    ) -> None:
        self.url, self.match, self.play_s = url, match, play_s
        self.scrambler = scrambler
        self.name = url
        self.is_started = False

    def describe(self) -> str:
        """Ask the player for its name; return the answer as it is, or why there is none."""
        try:
            return ask(self.url, str(Info()), seconds=5.0).strip()
        except KibitzError as error:
            return error.message

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Send the rules; a player that does not get ready in time may still play."""
        super().start(game, role, deadline)
        rules = self.scrambler.rules if self.scrambler else to_kif(game.sheet)
        clock = deadline - time.monotonic()
        one_line = " ".join(rules.split())
        message = Start(self.match, self._hide(role), one_line, round(clock), round(self.play_s))
        self.is_started = True
        try:
            self.send(str(message), clock + _GRACE_S)
        except InputError:
            return

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Send the last joint move and return the player's answer."""
        seconds = deadline - time.monotonic() + _GRACE_S
        text = self.send(str(Play(self.match, self._last(line))), seconds)
        terms = parse_terms(self._reveal(text), name=f"the answer of {self.name}")
        if len(terms) != 1:
            raise InputError(f"{text.strip()[:80]!r} is not a move")
        return terms[0]

    def stop(self, line: MatchSoFar | None = None) -> None:
        """Inform the player that the match is over, or will not be finished."""
        if not self.is_started:
            return
        self.is_started = False
        message: Stop | Abort = Abort(self.match)
        if line is not None and line.state.is_terminal:
            message = Stop(self.match, self._last(line))
        try:
            self.send(str(message), max(1.0, self.play_s))
        except InputError:
            return

    def send(self, message: str, seconds: float) -> str:
        """Send a message and return the answer; raise InputError if none comes in time."""
        return ask(self.url, message, seconds=seconds)

    def _last(self, line: MatchSoFar) -> tuple[str, ...] | None:
        if not line.moves:
            return None
        write = line.state.game.write
        return tuple(self._hide(write(move)) for move in line.moves[-1])

    def _hide(self, text: str) -> str:
        return self.scrambler.hide(text) if self.scrambler else text

    def _reveal(self, text: str) -> str:
        return self.scrambler.reveal(text) if self.scrambler else text
