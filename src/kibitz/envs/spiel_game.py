"""A game as a Python game of OpenSpiel, so that its algorithms run on any rule sheet.

Once this module is imported, `pyspiel.load_game("kibitz", {"game": "tictactoe"})` finds the games
of the library, too; in texts of OpenSpiel a semicolon stands for a comma, as in
`kibitz(game=connect:3;4x4)`. It needs the extra `openspiel`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.board import text_board
from kibitz.engine import Game, Move, State
from kibitz.envs.arrays import StateArrays, arrays_of, playable
from kibitz.envs.facts import MatchFacts, match_facts
from kibitz.errors import InputError
from kibitz.facade import AnyGame, load
from kibitz.optional import optional
from kibitz.space import turns_at

with optional("openspiel", "pyspiel", "open_spiel"):
    import pyspiel


_LONGEST = 10_000
"""The longest match that is announced for games whose matches need not end."""

_PARAMETERS = {"game": "tictactoe"}
_GIVEN: dict[str, Game] = {}
"""Games that were given as objects, as paths or as text, by the name they are loaded with."""


def openspiel(game: AnyGame) -> Any:
    """Return a game of OpenSpiel.

    It takes turns or moves at once, and has a constant sum or not, as `match_facts` finds it.

    >>> tictactoe = openspiel("tictactoe")
    >>> state = tictactoe.new_initial_state()
    >>> state.current_player(), len(state.legal_actions()), tictactoe.max_game_length()
    (0, 9, 9)
    """
    if isinstance(game, str) and not any(letter in game for letter in "()=\n /#."):
        name = game
    else:
        made = game if isinstance(game, Game) else load(game)
        known = next((name for name, one in _GIVEN.items() if one is made), None)
        name = known or re.sub(r"[(),=\s]", ";", f"{made.sheet.name}#{len(_GIVEN)}")
        _GIVEN[name] = made
    return pyspiel.load_game("kibitz", {"game": name.replace(",", ";")})


def _type(facts: MatchFacts | None, roles: int) -> Any:
    kinds = pyspiel.GameType
    takes_turns = facts is None or facts.takes_turns
    total = None if facts is None else _utility_sum(facts, roles)
    utility = kinds.Utility.ZERO_SUM if total == 0 else kinds.Utility.CONSTANT_SUM
    if total is None:
        utility = kinds.Utility.GENERAL_SUM
    return kinds(
        short_name="kibitz",
        long_name="Any rule sheet, played by Kibitz",
        dynamics=kinds.Dynamics.SEQUENTIAL if takes_turns else kinds.Dynamics.SIMULTANEOUS,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(roles, 20) if facts is None else roles,
        min_num_players=1 if facts is None else roles,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _utility_sum(facts: MatchFacts, roles: int) -> float | None:
    """Return what the rewards of all roles add up to; None if that varies, or for one role."""
    return None if roles == 1 or facts.goal_sum is None else facts.goal_sum / 50 - roles


class _Shared:
    """Data shared by all states of a game; copies of a state share it, and files only name it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arrays = playable(arrays_of(_GIVEN.get(name) or load(name.replace(";", ","))))
        self.game = self.arrays.game
        self.facts = match_facts(self.game)

    def __deepcopy__(self, memo: dict[int, object]) -> _Shared:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _shared, (self.name,)


@lru_cache(maxsize=16)
def _shared(name: str) -> _Shared:
    return _Shared(name)


class KibitzGame(pyspiel.Game):  # type: ignore[misc]
    """A rule sheet as a game of OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        name = (params or _PARAMETERS)["game"]
        self.shared = _shared(name)
        arrays, facts = self.shared.arrays, self.shared.facts
        roles = len(arrays.game.roles)
        longest = _LONGEST
        if facts.longest is not None:
            longest = facts.longest if facts.is_proved else min(_LONGEST, 4 * facts.longest)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(arrays.actions),
            max_chance_outcomes=0,
            num_players=roles,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=_utility_sum(facts, roles),
            max_game_length=longest,
        )
        super().__init__(_type(facts, roles), info, {"game": name})

    def new_initial_state(self, *_: object) -> KibitzState:
        """Return the first state of a match."""
        return KibitzState(self, self.shared)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return what makes arrays and texts of states."""
        has_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return _Observer(self.shared.arrays, has_recall=bool(has_recall))


class KibitzState(pyspiel.State):  # type: ignore[misc]
    """A state of a match; a copy of it copies only a number."""

    def __init__(self, game: KibitzGame, shared: _Shared) -> None:
        super().__init__(game)
        self._shared = shared
        self._key = shared.game.initial().key

    @property
    def match_state(self) -> State:
        """The state in Kibitz."""
        return State(self._shared.game, self._key)

    def current_player(self) -> Any:
        """Return the role to move, by its number."""
        state = self.match_state
        if state.is_terminal:
            return pyspiel.PlayerId.TERMINAL
        if not self._shared.facts.takes_turns:
            return pyspiel.PlayerId.SIMULTANEOUS
        return self._shared.game.roles.index(self._turn(state))

    def _turn(self, state: State) -> str:
        turn = turns_at(state)
        several = [role for role in turn if len(state.legal(role)) > 1]
        name = state.game.sheet.name
        if len(several) > 1:
            raise InputError(
                f"{' and '.join(several)} choose at the same time in {name}, which was not seen "
                "when its matches were looked at",
                hint="kibitz.envs.pettingzoo can play it",
            )
        if not turn:
            raise InputError(f"a role of {name} has no legal move, and play has not ended")
        return turn[0]

    def _legal_actions(self, player: int) -> list[int]:
        state = self.match_state
        number = self._shared.arrays.number
        return sorted(number[move] for move in state.legal(state.game.roles[player]))

    def _apply_action(self, action: int) -> None:
        state = self.match_state
        mover = self._turn(state)
        made = self._shared.arrays.move(action)
        joint = [made if role == mover else state.legal(role)[0] for role in state.game.roles]
        self._key = state.step(joint).key

    def _apply_actions(self, actions: list[int]) -> None:
        joint = [self._shared.arrays.move(action) for action in actions]
        self._key = self.match_state.step(joint).key

    def apply_joint(self, joint: tuple[Move, ...]) -> None:
        """Make a joint move, as matches of Kibitz have it."""
        number = self._shared.arrays.number
        player = self.current_player()
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            self.apply_actions([number[move] for move in joint])
        else:
            self.apply_action(number[joint[player]])

    def _action_to_string(self, _player: int, action: int) -> str:
        return self._shared.game.write(self._shared.arrays.move(action))

    def is_terminal(self) -> bool:
        """Return whether play has ended."""
        return self.match_state.is_terminal

    def returns(self) -> list[float]:
        """Return the reward of each role so far: zeros before the end."""
        state = self.match_state
        if not state.is_terminal:
            return [0.0] * len(state.game.roles)
        return list(self._shared.arrays.rewards(state).values())

    def __str__(self) -> str:
        return text_board(self.match_state)


class _Observer:
    """Makes arrays and texts of states; every role sees the whole state."""

    def __init__(self, arrays: StateArrays, *, has_recall: bool) -> None:
        self._arrays, self._has_recall = arrays, has_recall
        self.tensor = np.zeros(int(np.prod(arrays.shape)), dtype=np.float32)
        self.dict = {"observation": self.tensor.reshape(arrays.shape)}

    def set_from(self, state: KibitzState, _player: int) -> None:
        """Fill the array with a state."""
        self.tensor[:] = self._arrays.observe(state.match_state).ravel()

    def string_from(self, state: KibitzState, _player: int) -> str:
        """Return the state as text, or the match so far where all of it is to be remembered."""
        if self._has_recall:
            return " ".join(map(str, state.history()))
        return str(state.match_state)


pyspiel.register_game(_type(None, 1), KibitzGame)
