"""Conditions in, English out: any formula of the strategy language, so that it can be read back.

`formula_reader` is the inverse: it reads each phrase that this module writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.engine import Role
from kibitz.english.places import CellPhrase
from kibitz.english.rules.formula_phrases import normal
from kibitz.english.rules.number_phrases import COMPARING, say_number_condition
from kibitz.english.rules.phrases import Occupies
from kibitz.english.rules.spot_names import Naming
from kibitz.english.rules.spots import spots_in, symbolic
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import (
    And,
    AtLeast,
    Before,
    Can,
    Derived,
    Does,
    Formula,
    GoalIs,
    Holds,
    Initial,
    Legal,
    Made,
    Next,
    Not,
    NumberIs,
    Or,
    Previous,
    Terminal,
    Turn,
    Wins,
    write_formula,
    write_term,
)
from kibitz.wording import join_words, number_word

__all__ = [
    "NOT_SO",
    "UnspeakableError",
    "relation_words",
    "say_condition",
    "say_parts",
    "who",
]

NOT_SO = "it is not true that "


class UnspeakableError(Exception):
    """Something cannot be put into words."""


def who(scene: Scene, role: Role) -> tuple[str, str, str]:
    """Return a role's name before a verb, with *have*, and with *be*."""
    if role == scene.role:
        return "you", "you have", "you are"
    name = "the opponent" if len(scene.game.roles) == 2 else scene.named(role)
    return name, f"{name} has", f"{name} is"


def say_parts(naming: Naming, parts: Iterable[Formula]) -> list[str]:
    """Write conditions that hold together; the same about several places at once."""
    groups: dict[tuple[str, bool], list[str]] = {}
    others = []
    known = []
    left = {normal(part) for part in parts}
    for formulas, (text, _) in naming.scene.formulas.items() if left else ():
        asked = {normal(symbolic(naming.scene, formula)) for formula in formulas}
        if asked <= left:
            left -= asked
            known.append(text)
    for part in sorted(left, key=_order):
        held, sign = (part.formula, False) if isinstance(part, Not) else (part, True)
        spots = spots_in(held) if isinstance(held, Holds) else []
        if spots:
            ((spot, piece),) = spots
            groups.setdefault((piece, sign), []).append(_place(naming.say(spot)))
        else:
            others.append(part)
    located = [
        Occupies(tuple(_named(name) for name in names), naming.content(piece), sign).text
        for (piece, sign), names in groups.items()
    ]
    return [*located, *known, *(say_condition(naming, part) for part in others)]


def _order(part: Formula) -> tuple[bool, bool, str]:
    """Put conditions about *it* first, while it is clear what that is, then those about places."""
    spots = [spot for spot, _ in spots_in(part)]
    is_it = [all(c == (1, 0) for _, c in spot.where) for spot in spots]
    return not (is_it and all(is_it)), isinstance(part, Not), write_formula(part)


def _named(text: str) -> CellPhrase:
    return CellPhrase(text, lambda anchor: ())


def _place(text: str | None) -> str:
    if text is None:
        raise UnspeakableError
    return text


def say_condition(naming: Naming, formula: Formula, holds: bool = True) -> str:
    """Write that a formula holds, or does not; raise UnspeakableError where that is impossible."""
    scene = naming.scene
    match formula:
        case Not(inner):
            return say_condition(naming, inner, not holds)
        case Holds(fluent):
            return _fluent(naming, fluent, holds)
        case Derived(atom):
            return relation_words(scene, [atom], holds)
        case Wins(role):
            return f"{who(scene, role)[1]} {'' if holds else 'not '}won"
        case Turn(role):
            return f"{who(scene, role)[2]} {'' if holds else 'not '}to move"
        case Terminal():
            return f"play has {'' if holds else 'not '}ended"
        case Initial():
            return "no move was made yet" if holds else "some move was made"
        case Or(parts):
            if (phrase := _some(naming, parts, holds)) is not None:
                return phrase
        case And(parts):
            if holds and (phrase := _every(naming, parts)) is not None:
                return phrase
            denied = [part.formula for part in parts if isinstance(part, Not)]
            if holds and len(denied) == len(parts) and _alike(denied) is not None:
                return _some(naming, denied, holds=False) or ""
    phrase = _compound(naming, formula)
    return phrase if holds else NOT_SO + phrase


def _compound(naming: Naming, formula: Formula) -> str:
    scene = naming.scene
    match formula:
        case GoalIs(role, comparison, number):
            whose = "your" if role == scene.role else f"{who(scene, role)[0]}'s"
            return f"{whose} goal is {COMPARING[comparison]}{number}"
        case NumberIs():
            phrase = say_number_condition(scene, formula)
            if phrase is not None:
                return phrase
        case Legal(role, move):
            return f"{who(scene, role)[0]} may play {scene.write(move)}"
        case Does(role, move):
            return f"the move of {who(scene, role)[0]} is {scene.write(move)}"
        case Made(moves):
            return f"at least {moves} moves were made"
        case Before(moves, leaf):
            return f"{moves} moves ago {say_condition(naming, leaf)}"
        case Next():
            depth = 0
            while isinstance(formula, Next):
                formula, depth = formula.formula, depth + 1
            more = f" and {number_word(depth - 1)} more" if depth > 1 else ""
            return f"after the move{more} {say_condition(naming, formula)}"
        case Previous(inner):
            return f"before the last move {say_condition(naming, inner)}"
        case Can(role, inner):
            return f"{who(scene, role)[0]} can move so that {say_condition(naming, inner)}"
        case Or(parts):
            phrases = [say_condition(naming, part) for part in parts]
            return f"either {', '.join(phrases[:-1])} or {phrases[-1]}"
        case AtLeast(count, parts):
            phrases = [say_condition(naming, part) for part in parts]
            return f"at least {count} of these hold: {join_words(phrases)}"
        case And(parts):
            phrases = [say_condition(naming, part) for part in parts]
            start = "both " if len(phrases) == 2 else "all of these hold: "
            return start + join_words(phrases)
    raise UnspeakableError


def _fluent(naming: Naming, fluent: Function, holds: bool) -> str:
    spots = spots_in(Holds(fluent))
    if spots:
        ((spot, piece),) = spots
        content = naming.content(piece)
        return f"{_place(naming.say(spot))} {content.one if holds else content.negated()}"
    known = naming.scene.facts.get(fluent)
    if known:
        return known[0 if holds else 1]
    return f"{naming.scene.write(fluent)} {'holds' if holds else 'does not hold'}"


def _some(naming: Naming, parts: Sequence[Formula], holds: bool) -> str | None:
    """Write that something is on one of several places, or that one of like relations holds."""
    if all(isinstance(part, Derived) and part.atom.args for part in parts):
        atoms = [part.atom for part in parts if isinstance(part, Derived)]
        if len({(atom.name, len(atom.args)) for atom in atoms}) == 1:
            return relation_words(naming.scene, atoms, holds)
    alike = _alike(parts)
    if alike is None:
        return None
    content = naming.content(alike)
    if _is_whole(naming, parts, alike):
        return f"{'some' if holds else 'no'} {naming.noun} {content.one}"
    names = [_place(naming.say(spot)) for part in parts for spot, _ in spots_in(part)]
    if holds:
        return f"one of {join_words(names)} {content.one}"
    return Occupies(tuple(map(_named, names)), content, holds=False).text


def _every(naming: Naming, parts: Sequence[Formula]) -> str | None:
    alike = _alike(parts)
    if alike is None or not _is_whole(naming, parts, alike):
        return None
    return f"every {naming.noun} {naming.content(alike).one}"


def _alike(parts: Sequence[Formula]) -> str | None:
    """Return what is on each of some places, if all parts say only that."""
    if not all(isinstance(part, Holds) and spots_in(part) for part in parts):
        return None
    pieces = {piece for part in parts for _, piece in spots_in(part)}
    return pieces.pop() if len(pieces) == 1 else None


def _is_whole(naming: Naming, parts: Sequence[Formula], piece: str) -> bool:
    """Return whether these are all places of the board that can hold a piece."""
    spots = {spot for part in parts for spot, _ in spots_in(part)}
    if {spot.board for spot in spots} != {naming.board} or len(naming.scene.boards) > 1:
        return False
    if any(c.letter for spot in spots for _, c in spot.where):
        return False
    return len(spots) == len({ref for ref, p in naming.scene.pieces_at if p == piece}) > 1


def relation_words(scene: Scene, atoms: Sequence[Function], holds: bool) -> str:
    """Write that a relation of the rule sheet holds for something, or for one of several things."""
    given = scene.lexicon.relations.get(atoms[0].name)
    if given is not None and len(atoms) == 1:
        for number, arg in enumerate(atoms[0].args, start=1):
            given = given.replace(f"{{{number}}}", write_term(arg))
        return given if holds else NOT_SO + given
    of = [join_words([write_term(arg) for arg in atom.args]) for atom in atoms if atom.args]
    things = f" of {' or of '.join(of)}" if of else ""
    return f"the relation {atoms[0].name}{things} {'holds' if holds else 'does not hold'}"
