"""A Sentence in, the rules it can mean out: one for each reading of its places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from kibitz.board import CellRef
from kibitz.engine import Move
from kibitz.english.places import CellPhrase, Target
from kibitz.english.rules.phrases import Action, Asked, Content, Fact, Occupies, PlainRule, Sentence
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import Formula

__all__ = ["meaning"]

_MOST = 20_000

Letters = dict[str, str]


def meaning(scene: Scene, sentence: Sentence) -> frozenset[PlainRule]:
    """Return all rules that a sentence can mean; none where it can mean too many."""
    found: set[PlainRule] = set()
    for letters in _lettered(scene, sentence.letters):
        for anchor, moves in _actions(scene, sentence.actions, letters):
            for literals, asked in _conditions(scene, sentence, anchor, letters):
                rule = PlainRule(literals, asked, moves)
                if sentence.likewise:
                    found |= scene.images(rule)
                else:
                    found.add(rule)
                if len(found) > _MOST:
                    return frozenset()
    return frozenset(found)


def _lettered(scene: Scene, letters: tuple[str, ...]) -> Iterator[Letters]:
    """Walk the ways to assign different points to letters."""
    if not letters:
        yield {}
        return
    points = [name for name, _, _ in scene.layout.boards[0].points]
    for chosen in permutations(points, len(letters)):
        yield dict(zip(letters, chosen, strict=True))


def _targets(
    scene: Scene, place: CellPhrase, anchor: Target | None, letters: Letters
) -> tuple[Target, ...]:
    if not place.letters:
        return place.targets(anchor)
    words = scene.boards[0]
    ends = tuple(letters[letter] for letter in place.letters)
    for key in (ends, ends[::-1]):
        if key in words.board.index:
            return ((CellRef(words.number, words.board.index[key]),),)
    return ()


def _actions(
    scene: Scene, actions: tuple[Action, ...], letters: Letters
) -> Iterator[tuple[Target | None, frozenset[Move]]]:
    """Walk the moves of a sentence, each with the cell that its conditions refer to."""
    if len(actions) == 1:
        yield from _one_action(scene, actions[0], letters)
        return
    moves: set[Move] = set()
    for action in actions:
        ways = list(_one_action(scene, action, letters))
        if len(ways) != 1:
            return
        moves |= ways[0][1]
    yield None, frozenset(moves)


def _one_action(
    scene: Scene, action: Action, letters: Letters
) -> Iterator[tuple[Target | None, frozenset[Move]]]:
    if action.pattern is None:
        yield None, action.moves
        return
    made = scene.verbs[action.pattern].moves
    ways: list[tuple[Target, ...]] = [()]
    for place in action.places:
        ways = [(*way, t) for way in ways for t in _targets(scene, place, None, letters)]
    for way in ways:
        move = made.get((way, action.value))
        if move is not None:
            yield (way[0] if len(way) == 1 else None), frozenset({move})


Said = tuple[frozenset[tuple[Function, bool]], frozenset[Formula]]


def _conditions(
    scene: Scene, sentence: Sentence, anchor: Target | None, letters: Letters
) -> Iterator[Said]:
    """Walk what the conditions can mean, once the move is known."""
    fixed = {(c.fluent, c.holds) for c in sentence.clauses if isinstance(c, Fact)}
    asked = frozenset(f for c in sentence.clauses if isinstance(c, Asked) for f in c.formulas)
    mentions = [
        (place, clause.content, clause.holds)
        for clause in sentence.clauses
        if isinstance(clause, Occupies)
        for place in clause.places
    ]
    for literals in _ways(scene, mentions, anchor, letters):
        yield frozenset({*fixed, *literals}), asked


def _ways(
    scene: Scene,
    mentions: list[tuple[CellPhrase, Content, bool]],
    anchor: Target | None,
    letters: Letters,
) -> Iterator[set[tuple[Function, bool]]]:
    def walk(
        number: int, taken: dict[str, list[Target]], literals: tuple[tuple[Function, bool], ...]
    ) -> Iterator[set[tuple[Function, bool]]]:
        if number == len(mentions):
            yield set(literals)
            return
        place, content, sign = mentions[number]
        targets = _targets(scene, place, anchor, letters)
        before = taken.get(place.group, []) if place.group else []
        if place.is_other:
            targets = tuple(target for target in targets if target not in before)
        chosen = [targets] if place.is_both else [(target,) for target in targets]
        for group in chosen:
            said = [scene.fluent_at.get((target[0], content)) for target in group]
            if not said or any(fluent is None for fluent in said):
                continue
            more = tuple((fluent, sign) for fluent in said if fluent is not None)
            now = {**taken, place.group: [*before, *group]} if place.group else taken
            yield from walk(number + 1, now, (*literals, *more))

    yield from walk(0, {}, ())
