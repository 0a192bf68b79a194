"""A space in which roles choose at the same time, or are many, in; sentences about it out."""

from __future__ import annotations

from fractions import Fraction

from kibitz.engine import CompiledGame
from kibitz.english import names_of
from kibitz.solve import MaxnSolution, Mix, Stage, first_stage, goals_held, round_stage
from kibitz.space import StateSpace
from kibitz.wording import join_words

__all__ = ["choice_sentences", "held_sentences", "line_sentence"]

_MOST_CELLS = 16
_MOST_EDGES = 2_000_000


def held_sentences(game: CompiledGame, space: StateSpace) -> tuple[str, ...]:
    """Say what each role can hold against all others; nothing where that is too much work."""
    if not space.edges or space.edges > _MOST_EDGES or space.is_reduced or not space.is_complete:
        return ()
    names = names_of(game)
    held = [f"{names[role]} {goal}" for role, goal in goals_held(space).items()]
    whatever = "the other does" if len(game.roles) == 2 else "the others do"
    return (
        f"Whatever {whatever}, each can hold at least this without leaving moves to chance: "
        f"{join_words(held)}.",
    )


def line_sentence(game: CompiledGame, solution: MaxnSolution) -> str:
    """Show one line of play in which each role maximises its own goal."""
    shown = []
    for joint in solution.line(0):
        made = [game.write(move) for move in joint if move.args] or [game.write(joint[0])]
        shown.append(" and ".join(made))
    return f"One line of such play: {'; '.join(shown)}." if shown else ""


def choice_sentences(game: CompiledGame, space: StateSpace) -> tuple[str, ...]:
    """Describe the first choice of two roles, or a round: payoffs, dominated moves, equilibria.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("roshambo"))
    >>> choice_sentences(game, explore(game))[-1].partition(":")[0]
    'Equilibria with chance, found by making the moves that are mixed equally good'
    """
    stage = first_stage(space)
    if stage is not None and any(len(moves) > 1 for moves in stage.moves):
        later = "" if stage.is_last else ", if later choices are the equilibria that were found"
        pays = f"The first choice pays {_roles(game, stage)}{later}"
        return tuple(_lines(game, stage, pays, "first moves", "as the first choice"))
    found = round_stage(space)
    if found is None or all(len(moves) < 2 for moves in found[0].moves):
        return ()
    stage, rounds = found
    pays = f"Each of {rounds} rounds pays {_roles(game, stage)} by the same table, and they add up"
    lines = _lines(game, stage, pays, "moves of a round", "in a round by itself")
    if stage.pure_equilibria() or stage.mixed_equilibria():
        lines.append(
            "To play one of these in every round, whatever happened before, is an equilibrium of "
            "the whole game; there may be others."
        )
    return tuple(lines)


def _roles(game: CompiledGame, stage: Stage) -> str:
    names = names_of(game)
    return " and ".join(names[role] for role in stage.roles)


def _lines(game: CompiledGame, stage: Stage, pays: str, moves: str, when: str) -> list[str]:
    names = names_of(game)
    lines = []
    if len(stage.payoffs) * len(stage.payoffs[0]) <= _MOST_CELLS:
        cells = [
            f"{game.write(mine)} against {game.write(other)} {_pays(stage.payoffs[r][c])}"
            for r, mine in enumerate(stage.moves[0])
            for c, other in enumerate(stage.moves[1])
        ]
        lines.append(f"{pays}: {'; '.join(cells)}.")
    for role, worse, better in stage.dominated():
        lines.append(
            f"{names[role]} never gains by {game.write(worse)} {when}: "
            f"{game.write(better)} pays more whatever the other chooses."
        )
    pure = [_said(game, stage, mix) for mix in stage.pure_equilibria()]
    mixed = [_said(game, stage, mix) for mix in stage.mixed_equilibria()]
    lines.append(
        f"Equilibria without chance, found by trying all pairs of {moves}: {'; '.join(pure)}."
        if pure
        else f"No pair of {moves} is an equilibrium; all were tried."
    )
    if mixed:
        how = "Equilibria with chance, found by making the moves that are mixed equally good"
        lines.append(f"{how}: {'; '.join(mixed)}.")
    return lines


def _said(game: CompiledGame, stage: Stage, mix: Mix) -> str:
    names = names_of(game)
    plays = []
    for role, moves, chances in zip(stage.roles, stage.moves, mix.chances, strict=True):
        shares = [
            game.write(move) if chance == 1 else f"{game.write(move)} {chance}"
            for move, chance in zip(moves, chances, strict=True)
            if chance
        ]
        plays.append(f"{names[role]} {join_words(shares)}")
    return f"{', '.join(plays)}, which pays {_pays(mix.payoff)}"


def _pays(payoff: tuple[Fraction, ...]) -> str:
    return " and ".join(map(str, payoff))
