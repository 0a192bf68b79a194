"""A Solution in, who should win and how out, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import CompiledGame, Move, Role
from kibitz.english import PlainRule, Scene, names_of, say, say_move, scene_of
from kibitz.solve import Solution, endless_goal
from kibitz.wording import either_text, value_text

__all__ = ["first_moves", "least_goal", "no_rules", "value_sentences", "what_can_be_held"]


_LONG = 160
"""Letters of first moves that are still read."""


def value_sentences(game: CompiledGame, solution: Solution) -> tuple[str, ...]:
    """Describe who should win, how fast, and with which first moves."""
    lines = [f"With best play {value_text(solution.as_json(), names_of(game))}."]
    turn = int(solution.space.turn[0])
    if turn >= 0 and solution.value()[game.roles[turn]] > least_goal(solution, turn):
        # Where play can go round, a move may keep the value for ever and get no nearer to it.
        is_layered = solution.space.is_layered
        best = solution.keeping_moves() if is_layered else solution.best_moves()
        lines.append(first_moves(game, game.roles[turn], best, len(solution.space.moves(0))))
    return tuple(lines)


def least_goal(solution: Solution, index: int) -> int:
    """Return the least that a role can get: at an end, or by play that need not end."""
    ends = solution.space.goals[solution.space.terminal][:, index].tolist()
    if not solution.space.is_layered:
        ends.append(endless_goal(solution.total, index))
    return min(ends, default=0)


def first_moves(
    game: CompiledGame, role: Role, best: Sequence[Move], total: int, is_all: bool = True
) -> str:
    """Describe which of a role's first moves keep the value of the game, or some that do."""
    scene = scene_of(game, role)
    if len(best) == total:
        return "Any first move keeps that." if total > 1 else ""
    listed = list(dict.fromkeys(_in_words(scene, move) for move in best))
    if len(listed) > 5:
        return f"{len(best)} of the {total} first moves keep that."
    if sum(map(len, listed)) > _LONG:
        return f"{len(best)} of the {total} first moves keep that, such as: {listed[0]}."
    if not is_all:
        return f"A first move that keeps it: {listed[0]}."
    return f"The first move that keeps it: {either_text(listed)}."


def _in_words(scene: Scene, move: Move) -> str:
    """Say a first move as a rule would, "take a corner"; one of several cells by their names."""
    text = say(scene, PlainRule(frozenset(), frozenset(), frozenset({move}))).actions[0].text
    is_plain = len(scene.layout.gesture(move).cells) == 1 and not text.startswith(
        ("play (", "play “")
    )
    return text if is_plain else say_move(scene, move)


def what_can_be_held(name: str, solution: Solution, index: int) -> str:
    """Describe what a role, given by its number, is guaranteed from the start.

    50 is a draw only where the other role gets 50 as well, and play ends.
    """
    value = list(solution.value().values())[index]
    least = least_goal(solution, index)
    if len(solution.value()) == 1:
        return f"{name} can reach {value}."
    if value == 100:
        is_certain = least == 100 and solution.space.is_layered
        return f"{name} wins, come what may." if is_certain else f"{name} can force a win."
    if solution.plies() is None:
        return f"{name} never has to lose: play need never end."
    if value == least == 0:
        return f"Against best play {name} loses, come what may."
    if value <= least:
        return f"Against best play {name} gets {value}."
    if value == 50 and solution.total == 100:
        return f"{name} can always hold a draw."
    return f"{name} can always get at least {value}."


def no_rules(game: CompiledGame) -> str:
    """Describe why no rules are searched for."""
    if len(game.roles) > 2:
        return "Rules are proved for games of one or two players, and this one has more."
    return "Rules are proved for games in which the players move in turn and have opposed goals."
