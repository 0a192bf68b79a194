"""Check moves of an agent against proofs, in positions of a game too large to be solved.

    python tools/check_moves.py connectfour --plies 14 --positions 12 --play-clock 10

Positions are reached by players who only win and parry at once. Those count in which every move is
proved, and some give something away. `kibitz solve GAME --search --moves` proves one in the same
way.
"""

from __future__ import annotations

import argparse
import random
import time

from kibitz.cli.common.inputs import find_sheet
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.play import CarefulAgent, make_agent
from kibitz.play.agents.agent import MatchSoFar
from kibitz.policy import share_interval
from kibitz.prove import Analyser, mover_of


def reached(game: CompiledGame, plies: int, seed: int) -> MatchSoFar:
    """Return a match of so many moves that has not ended, by players who win and parry at once."""
    source = random.Random(seed)
    while True:
        line = MatchSoFar((game.initial(),))
        while len(line.moves) < plies and not line.state.is_terminal:
            joint = [_careful_move(line, role, source) for role in game.roles]
            line = line.then(joint)
        if not line.state.is_terminal:
            return line


def _careful_move(line: MatchSoFar, role: Role, source: random.Random) -> Move:
    agent = CarefulAgent(source.randrange(10**9), playouts=1)
    agent.start(line.state.game, role, 0)
    return agent.choose(line, time.monotonic() + 60)


def move_values(analyser: Analyser, state: State, seconds: float) -> dict[str, int] | None:
    """Return what each move is proved to give who makes it; None if some move is not proved."""
    mover = mover_of(state)
    found = {}
    for move in state.legal(mover):
        after = state.play(move)
        if after.is_terminal:
            low = high = after.goals[mover] or 0
        else:
            low, high = analyser.bounds_of(after, seconds=seconds)[mover]
        if low != high:
            return None
        found[str(move)] = low
    return found


def main() -> None:
    """Read the options, ask the agent, and compare its moves with the proofs."""
    options = _options()
    try:
        sheet = find_sheet(options.game)
        game, judged = CompiledGame(sheet), CompiledGame(sheet)
        analyser = Analyser(judged, memory=400_000_000)
    except KibitzError as error:
        raise SystemExit(str(error)) from None
    kept = asked = open_ = 0
    seed = options.seed
    while asked < options.positions:
        line = reached(judged, options.plies, seed)
        seed += 1
        values = move_values(analyser, line.state, options.proof_seconds)
        if values is None:
            open_ += 1
        if values is None or len(set(values.values())) == 1:
            continue
        move = _asked(game, line, options, seed)
        asked += 1
        kept += values[move] == max(values.values())
        print(f"{asked}. {move} gives {values[move]} of {max(values.values())}", flush=True)
    low, high = (round(100 * bound) for bound in share_interval(kept, asked))
    print(f"{kept} of {asked} moves keep the value (95 %: {low} to {high} %)")
    print(f"{open_} positions were left out, with a move that was not proved")


def _asked(game: CompiledGame, line: MatchSoFar, options: argparse.Namespace, seed: int) -> str:
    """Return the move of a new agent after a match so far."""
    mine = MatchSoFar((game.initial(),))
    for joint in line.moves:
        mine = mine.then([str(move) for move in joint])
    agent = make_agent(options.agent)(seed)
    agent.start(game, mover_of(mine.state), time.monotonic() + options.start_clock)
    try:
        return str(agent.choose(mine, time.monotonic() + options.play_clock))
    finally:
        agent.stop(mine)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check moves of an agent against proofs.")
    parser.add_argument("game", help="A game of two roles that take turns, by name or path.")
    parser.add_argument("--agent", default="auto")
    parser.add_argument("--plies", type=int, default=14, help="Moves before the agent's.")
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--start-clock", type=float, default=3.0)
    parser.add_argument("--play-clock", type=float, default=10.0)
    parser.add_argument("--proof-seconds", type=float, default=30.0, help="For each move.")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
