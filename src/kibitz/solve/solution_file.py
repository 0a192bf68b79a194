"""Keep a Solution, with its StateSpace and the rules it belongs to, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.gdl import Function, parse_terms, read, to_kif
from kibitz.solve.retrograde import Solution
from kibitz.space import Array, StateSpace, Symmetries, Symmetry, read_arrays, write_arrays


def store_solution(solution: Solution, path: str | Path) -> None:
    """Write a solution to a file."""
    space = solution.space
    network = space.game.network
    arrays: dict[str, Array] = {
        "states": space.states,
        "first_edge": space.first_edge,
        "target": space.target,
        "action": space.action,
        "turn": space.turn,
        "terminal": space.terminal,
        "goals": space.goals,
        "value": solution.values,
        "distance": solution.distance,
    }
    notes = {
        "name": space.game.sheet.name,
        "rules": to_kif(space.game.sheet),
        "fluents": [str(fluent) for fluent in network.fluents],
        "joint_moves": [[str(move) for move in joint] for joint in space.joint_moves],
        "layers": space.layers,
        "is_layered": space.is_layered,
        "symmetries": _symmetry_notes(space.symmetries),
        "total": solution.total,
        "seconds": [space.seconds, solution.seconds],
    }
    write_arrays(path, arrays, notes)


def load_solution(path: str | Path) -> Solution:
    """Read a solution from a file; its arrays are mapped into memory, not copied."""
    arrays, notes = read_arrays(path)
    try:
        game = CompiledGame(read(notes["rules"], name=notes["name"], form="kif"))
        if [str(fluent) for fluent in game.network.fluents] != notes["fluents"]:
            raise InputError(
                f"{path} was made by another version of Kibitz", hint="solve the game again"
            )
        space = StateSpace(
            game=game,
            states=arrays["states"],
            first_edge=arrays["first_edge"],
            target=arrays["target"],
            action=arrays["action"],
            joint_moves=tuple(tuple(map(_term, joint)) for joint in notes["joint_moves"]),
            turn=arrays["turn"],
            terminal=arrays["terminal"],
            goals=arrays["goals"],
            layers=tuple(notes["layers"]),
            is_layered=notes["is_layered"],
            stopped=None,
            symmetries=_symmetries(notes["symmetries"]),
            seconds=notes["seconds"][0],
        )
        return Solution(
            space, arrays["value"], arrays["distance"], notes["total"], notes["seconds"][1]
        )
    except (KeyError, TypeError, IndexError) as error:
        raise InputError(
            f"{path} is damaged: {error} is missing", hint="solve the game again"
        ) from None


def _symmetry_notes(found: Symmetries | None) -> dict[str, Any] | None:
    """Return symmetries as values for JSON."""
    if found is None:
        return None
    return {
        "fluents": [str(fluent) for fluent in found.fluents],
        "moves": [[str(move) for move in moves] for moves in found.moves],
        "generators": [[each.fluents, each.moves] for each in found.generators],
        "order": found.order,
    }


def _symmetries(notes: dict[str, Any] | None) -> Symmetries | None:
    """Read what `_symmetry_notes` gives."""
    if notes is None:
        return None
    return Symmetries(
        tuple(map(_term, notes["fluents"])),
        tuple(tuple(map(_term, moves)) for moves in notes["moves"]),
        tuple(
            Symmetry(tuple(fluents), tuple(map(tuple, moves)))
            for fluents, moves in notes["generators"]
        ),
        notes["order"],
    )


def _term(text: str) -> Function:
    return parse_terms(text)[0]
