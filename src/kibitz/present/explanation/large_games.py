"""A game too large to list in, what can be said of it out: how large, random play, a search."""

from __future__ import annotations

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, simulate
from kibitz.english import names_of, scene_of
from kibitz.errors import KibitzError
from kibitz.present.explanation.value_sentences import first_moves
from kibitz.prove import Proof, Spending, prove
from kibitz.space import StateSpace
from kibitz.wording import join_words, result_text

__all__ = ["proved_sentences", "random_sentence", "search_start", "size_sentences", "undecided"]

_PLAYOUTS = 2000
_SEARCHED = 1_000_000
_TABLE_BYTES = 200_000_000
"""Positions that a search of the first one looks at, and what its table takes."""


def size_sentences(space: StateSpace) -> tuple[str, str]:
    """Say how many positions were found, how fast they grow, and what a solution would take."""
    layers = [b - a for a, b in zip(space.layers, space.layers[1:], strict=False)]
    full = layers[:-1] if len(layers) > 1 else layers
    each = space.bytes / max(1, len(space))
    alike = ", turned, mirrored or otherwise alike ones counted once" if space.symmetries else ""
    growth = ""
    if len(full) > 2 and full[-2]:
        growth = (
            f" After {len(full) - 1} moves alone there are {full[-1]:,}, "
            f"{full[-1] / full[-2]:.1f} times as many as a move earlier{alike}."
        )
    found = (
        f"It is too large to be solved here: {len(space):,} positions were found, and there "
        f"are more{alike * (not growth)}.{growth}"
    )
    needed = (
        f"Each position takes about {each:.0f} bytes with its moves: a billion would need "
        f"{each:.0f} GB. Allow more with --max-states, --timeout and --memory, or solve it "
        "by decision diagrams: kibitz solve --symbolic."
    )
    return found, needed


def search_start(game: CompiledGame, budget: Budget) -> Proof | None:
    """Look for the value of the first position by search; None where search refuses the game."""
    spending = Spending(
        seconds=budget.seconds,
        memory=min(_TABLE_BYTES, budget.bytes // 4),
        positions=_SEARCHED,
        threads=1,
    )
    try:
        return prove(game, spending=spending, listing=False)
    except KibitzError:
        return None


def undecided(proof: Proof) -> str:
    """Say that a search did not find the value."""
    return (
        f"A search of {proof.positions:,} positions did not decide the first one; "
        "kibitz solve --search goes on for longer."
    )


def proved_sentences(game: CompiledGame, proof: Proof) -> tuple[str, ...]:
    """Say what a search proved, and with which first moves."""
    assert proof.value is not None
    result = result_text(proof.value, names_of(game))
    how = f" ({proof.book})" if proof.book else ""
    lines = [f"With best play {result}, as a search from the rules proves{how}."]
    if proof.best and proof.mover is not None:
        total = len(game.initial().legal(proof.mover))
        lines.append(first_moves(game, proof.mover, proof.best, total, proof.are_best_all))
    return tuple(filter(None, lines))


def random_sentence(game: CompiledGame, seconds: float, seed: int) -> str:
    """Play at random, and say what each role gets on average."""
    played = simulate(game, playouts=_PLAYOUTS, seconds=seconds, seed=seed + 1, threads=1)
    if not played.playouts:
        return "No random match came to an end."
    goals = [
        f"{scene_of(game, role).named(role)} gets {mean:.0f}"
        for role, mean in played.mean_goals.items()
        if mean is not None
    ]
    facts = [f"{join_words(goals)} on average"] if goals else []
    if played.mean_length and not played.stuck:
        facts.append(f"they last {played.mean_length:.0f} moves")
    matches = "match" if played.playouts == 1 else "matches"
    line = f"{played.playouts:,} random {matches} came to an end."
    if facts:
        line = f"In {played.playouts:,} random {matches} {', and '.join(facts)}."
    if played.stuck:
        line += f" {played.stuck:,} more got stuck, and are not counted."
    if played.unfinished:
        line += f" {played.unfinished:,} more did not end in time, and are not counted."
    if played.playouts < _PLAYOUTS:
        line += " There was no time for more."
    return line
