"""Moves in; out what they always leave on their places, as the gates of the next state prove."""

from __future__ import annotations

from kibitz.engine import Move
from kibitz.english.rules.phrases import Content
from kibitz.english.scene import Scene
from kibitz.english.verbs import Verb
from kibitz.gdl import Function

__all__ = ["left_behind"]

_MOST_WORK = 40_000_000


def left_behind(scene: Scene, verb: Verb) -> list[Content | None]:
    """Return for each place of a verb's moves what is there afterwards, if always the same.

    All moves are evaluated side by side, one bit for each: what every node of the network can be
    when the move is legal and made, whatever else holds.
    """
    network = scene.game.network
    moves = list(verb.moves.items())
    places = len(moves[0][0][0])
    if len(moves) * len(network.gates) > _MOST_WORK or not all(
        len(target) == 1 for (targets, _), _ in moves for target in targets
    ):
        return [None] * places
    can = _Possible(scene, [move for _, move in moves])
    found: list[Content | None] = []
    for index in range(places):
        refs = [targets[index][0] for (targets, _), _ in moves]
        found.append(
            next(
                (
                    content
                    for content in scene.contents.values()
                    if all(
                        can.stands(bit, scene.pieces_at.get((ref, content.piece)))
                        for bit, ref in enumerate(refs)
                    )
                ),
                None,
            )
        )
    return found


class _Possible:
    """What nodes can be once each of some moves is made: a bit for each move."""

    def __init__(self, scene: Scene, moves: list[Move]) -> None:
        self.network = network = scene.game.network
        role = scene.game.roles.index(scene.role)
        first = network.first_move + sum(map(len, network.moves[:role]))
        every = (1 << len(moves)) - 1
        known: dict[int, int] = {}
        """Literals that hold when a move is legal and made, by the bits of these moves."""
        for bit, move in enumerate(moves):
            number = network.moves[role].index(move)
            for other in range(len(network.moves[role])):
                literal = 2 * (first + other) + (other != number)
                known[literal] = known.get(literal, 0) | 1 << bit
            for literal in _conditions(scene, network.legal[role][number]):
                known[literal] = known.get(literal, 0) | 1 << bit
        self._fill(every, known)
        node = network.first_move
        for place, (others, legal) in enumerate(zip(network.moves, network.legal, strict=True)):
            for number in range(len(others)):
                if place != role:
                    known[2 * node + 1] = every & ~self.true(legal[number])
                node += 1
        self._fill(every, known)
        self.number = {fluent: index for index, fluent in enumerate(network.fluents)}
        self.hidden = {hidden.fluent: hidden.unless for hidden in network.hidden}

    def _fill(self, every: int, known: dict[int, int]) -> None:
        self.yes, self.no = [0], [every]
        for node in range(1, self.network.first_gate):
            self._add(node, every, every, known)
        for node, (a, b) in enumerate(self.network.gates, start=self.network.first_gate):
            yes = self.true(a) & self.true(b)
            self._add(node, yes, self.true(a ^ 1) | self.true(b ^ 1), known)

    def _add(self, node: int, yes: int, no: int, known: dict[int, int]) -> None:
        self.yes.append(yes & ~known.get(2 * node + 1, 0))
        self.no.append(no & ~known.get(2 * node, 0))

    def true(self, literal: int) -> int:
        """Return for which moves a literal can hold."""
        return (self.no if literal & 1 else self.yes)[literal >> 1]

    def stands(self, bit: int, fluent: Function | None) -> bool:
        """Return whether a fluent holds after a move, whatever else there is."""
        if fluent is None:
            return False
        if fluent in self.number:
            return not self.true(self.network.next[self.number[fluent]] ^ 1) >> bit & 1
        if fluent not in self.hidden:
            return False
        return not any(self.true(self.network.next[i]) >> bit & 1 for i in self.hidden[fluent])


def _conditions(scene: Scene, literal: int) -> list[int]:
    """Split a conjunction."""
    network = scene.game.network
    found, stack = [], [literal]
    while stack:
        top = stack.pop()
        found.append(top)
        node = (top >> 1) - network.first_gate
        if node >= 0 and not top & 1:
            stack += network.gates[node]
    return found
