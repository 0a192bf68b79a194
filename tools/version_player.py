"""Play one seat for tools/versions.py, with the Kibitz that PYTHONPATH names, by CPU-seconds.

One line of JSON comes in for each request, and one goes out for each answer:
{"rules", "name", "agent"} makes the game, {"role", "seed", "seconds"} starts a match, {"moves",
"seconds"} asks for a move after those joint moves, and {} ends the match. Answers say how many
CPU-seconds of this process were used, and what went wrong, if anything. Agents see one processor,
and its time as the clock, so that other work on the machine takes nothing from them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

time.monotonic = time.process_time
os.sched_getaffinity = lambda _process: {0}

from kibitz.engine import Game, make_game  # noqa: E402 - after the clock was replaced
from kibitz.gdl import read  # noqa: E402
from kibitz.play import Agent, make_agent  # noqa: E402
from kibitz.play.agents.agent import MatchSoFar  # noqa: E402


class Seat:
    """A game, and the agent that plays a match of it."""

    def __init__(self, rules: str, name: str, agent: str) -> None:
        self.game: Game = make_game(read(rules, name=name))
        self.make: Callable[[int], Agent] = make_agent(agent)
        self.agent: Agent | None = None
        self.line = MatchSoFar((self.game.initial(),))

    def start(self, role: str, seed: int, seconds: float) -> None:
        """Get ready for a match."""
        self.agent = self.make(seed)
        self.line = MatchSoFar((self.game.initial(),))
        self.agent.start(self.game, role, time.monotonic() + seconds)

    def choose(self, moves: list[list[str]], seconds: float) -> str:
        """Return a move after some joint moves."""
        deadline = time.monotonic() + seconds
        assert self.agent is not None
        for joint in moves[len(self.line.moves) :]:
            self.line = self.line.then(joint)
        return str(self.agent.choose(self.line, deadline))

    def stop(self) -> None:
        """End the match."""
        if self.agent is not None:
            self.agent.stop(self.line)
            self.agent = None


def main() -> None:
    """Answer requests until there are no more."""
    seat: Seat | None = None
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        begin = time.process_time()
        answer: dict[str, object] = {}
        try:
            if "rules" in request:
                seat = Seat(**request)
            elif seat is not None and "role" in request:
                seat.start(**request)
            elif seat is not None and "moves" in request:
                answer["move"] = seat.choose(**request)
            elif seat is not None:
                seat.stop()
        except Exception as error:  # the other side counts it
            answer["error"] = f"{type(error).__name__}: {error}"
        answer["seconds"] = time.process_time() - begin
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
