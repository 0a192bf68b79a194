"""Game in; out a game that also answers which relations of its rule sheet hold in a state.

Grounding keeps only what legal moves, the next state, goals and the end depend on. So the rules get
one more role, whose legal moves are exactly the atoms that are asked for and hold. Every engine
then answers, and the compiled one has the atoms as literals of its network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.engine import FALSE, CompiledGame, Literal
from kibitz.gdl import Atom, Function, Rule, RuleSheet

__all__ = ["ASKER", "DerivedGame", "asking_sheet", "derived_game"]

ASKER = "kibitz asker"
_IDLE = Function("kibitz idle")


@dataclass(frozen=True, slots=True)
class DerivedGame:
    """A game with one more role, and the literals of its network for atoms."""

    game: CompiledGame
    literals: list[Literal]


def asking_sheet(sheet: RuleSheet, atoms: Sequence[Function]) -> RuleSheet:
    """Add a role whose legal moves are the atoms that hold, and one that is always legal."""
    asker = Function(ASKER)
    rules = [Rule(Atom("role", (asker,))), Rule(Atom("legal", (asker, _IDLE)))]
    rules += [
        Rule(Atom("legal", (asker, atom)), (Atom(atom.name, atom.args),))
        for atom in dict.fromkeys(atoms)
    ]
    return replace(sheet, rules=(*sheet.rules, *rules))


def derived_game(game: CompiledGame, atoms: Sequence[Function]) -> DerivedGame:
    """Compile a game that can be asked for atoms; one that can never hold is the literal false.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> made = derived_game(game, parse_terms("(wins xplayer) (wins z)"))
    >>> [literal > 1 for literal in made.literals]
    [True, False]
    """
    made = CompiledGame(asking_sheet(game.sheet, atoms), backend="interpreter")
    index = made.roles.index(ASKER)
    network = made.network
    literal = dict(zip(network.moves[index], network.legal[index], strict=True))
    return DerivedGame(made, [literal.get(atom, FALSE) for atom in atoms])
