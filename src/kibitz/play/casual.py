"""A person's role and agents in; out a match that waits for the person, with undo and hints."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.engine import CompiledGame, Game, Move, Role
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import require_gdl1
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.agents.plain_agents import CarefulAgent
from kibitz.play.agents.search_agents import SearchAgent
from kibitz.play.match import Clocks
from kibitz.play.search.plan_search import MovePlan, Planner
from kibitz.play.search.tree_search import Option


@dataclass(frozen=True, slots=True)
class MadeMove:
    """A move that was made, by whom, where that role had a choice."""

    role: Role
    move: Move


class CasualMatch:
    """A match of a person against agents; the person has no clock, and can take moves back.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.play import RandomAgent
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> match = CasualMatch(game, "player1", {"player2": RandomAgent()})
    >>> match.advance()
    []
    >>> [str(move) for move in match.legal]
    ['(reduce a 0)', '(reduce b 0)', '(reduce b 1)']
    >>> match.play(match.legal[1])
    []
    >>> [str(made.move) for made in match.advance()], match.line.state.is_terminal
    (['noop', '(reduce a 0)'], True)
    >>> match.undo(), len(match.legal)
    (True, 3)
    >>> match.close()
    """

    def __init__(
        self,
        game: Game,
        role: Role,
        agents: Mapping[Role, Agent],
        *,
        clocks: Clocks | None = None,
    ) -> None:
        game.check_role(role)
        self.game, self.role, self.agents = game, role, dict(agents)
        missing = set(game.roles) - {role} - set(agents)
        if missing:
            raise InputError(f"no agent plays {' '.join(sorted(missing))}")
        self.clocks = clocks or Clocks()
        self.line = MatchSoFar((game.initial(),))
        self.problems: list[str] = []
        """What went wrong with agents, whose moves `careful` made instead, and their remarks."""
        self._judge: SearchAgent | None = None
        self._planner: Planner | None = None
        for other, agent in self.agents.items():
            agent.start(game, other, time.monotonic() + self.clocks.start_s)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves that the person may make; none at the end."""
        return () if self.is_over else self.line.state.legal(self.role)

    @property
    def is_over(self) -> bool:
        """Whether play has ended, or a role has no legal move."""
        state = self.line.state
        return state.is_terminal or not all(map(state.legal, self.game.roles))

    def play(self, move: Move) -> list[MadeMove]:
        """Make a move of the person; return the moves that others made at the same time."""
        joint = [move if role == self.role else self._ask(role) for role in self.game.roles]
        made = self._choices(joint)
        self.line = self.line.then(joint)
        return [one for one in made if one.role != self.role]

    def advance(self) -> list[MadeMove]:
        """Let the others move until the person has a choice; return the moves that were chosen.

        A move of the person that is the only legal one is made, too.
        """
        made: list[MadeMove] = []
        while not self.is_over and len(self.legal) == 1:
            joint = [
                self.legal[0] if role == self.role else self._ask(role) for role in self.game.roles
            ]
            made += self._choices(joint)
            self.line = self.line.then(joint)
        return made

    def undo(self) -> bool:
        """Go back to the last choice of the person; return whether there was one."""
        for count in range(len(self.line.moves) - 1, -1, -1):
            if len(self.line.states[count].legal(self.role)) > 1:
                self.line = MatchSoFar(self.line.states[: count + 1], self.line.moves[:count])
                return True
        return False

    def options(self, seconds: float = 2.0) -> list[Option]:
        """Return what a search thinks of the person's moves, the best first."""
        require_gdl1(self.game.sheet)
        if self._judge is None:
            self._judge = SearchAgent()
            self._judge.start(self.game, self.role, time.monotonic())
        return self._judge.consider(self.line, time.monotonic() + seconds)

    def plan(self, seconds: float = 2.0) -> MovePlan | None:
        """Return a plan for the present state of a puzzle of one role, if one is found in time."""
        require_gdl1(self.game.sheet)
        game, state = self.game, self.line.state
        if len(game.roles) > 1 or not isinstance(game, CompiledGame):
            return None
        self._planner = self._planner or Planner(game)
        self._planner.search(state, time.monotonic() + seconds)
        plan = self._planner.plan
        return plan if plan and state.key in plan.moves else None

    def last_moves(self) -> tuple[Move, ...]:
        """Return the moves that led to the present state, of those roles that had a choice."""
        if not self.line.moves:
            return ()
        turn = self.line.states[-2].turn
        pairs = zip(self.game.roles, self.line.moves[-1], strict=True)
        return tuple(move for role, move in pairs if role in turn)

    def close(self) -> None:
        """Stop all agents."""
        for agent in (*self.agents.values(), *([self._judge] if self._judge else [])):
            agent.stop(self.line)

    def _ask(self, role: Role) -> Move:
        legal = self.line.state.legal(role)
        if len(legal) == 1:
            return legal[0]
        try:
            move = self.agents[role].choose(self.line, time.monotonic() + self.clocks.play_s)
            problem = "" if move in legal else f"{move} is not legal"
        except KibitzError as error:
            problem = error.message
        if problem:
            self.problems.append(f"{role}: {problem}")
            reserve = CarefulAgent(playouts=1)
            reserve.start(self.game, role, time.monotonic())
            return reserve.choose(self.line, time.monotonic() + self.clocks.play_s)
        if remark := self.agents[role].remark:
            self.problems.append(f"{role}: {remark}")
        return move

    def _choices(self, joint: list[Move]) -> list[MadeMove]:
        """Return the moves of a joint move; where all had one legal move, those of all roles."""
        turn = self.line.state.turn
        return [
            MadeMove(role, move)
            for role, move in zip(self.game.roles, joint, strict=True)
            if role in turn
        ]
