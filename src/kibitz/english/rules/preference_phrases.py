"""Preferences of a rule in, English out, and back: *; of these, one nearest the middle column*.

What is asked among the moves that are left then begins otherwise: *; if several are left, one …*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.english.rules.comparison_phrases import comparisons, phrase_for, read_comparison
from kibitz.english.rules.formula_phrases import parts_of
from kibitz.english.rules.formulas import UnspeakableError, read_condition, say_condition
from kibitz.english.rules.phrases import AFTER, AFTER_WHICH, which_of
from kibitz.english.rules.spots import Naming, symbolic
from kibitz.english.scene import Scene
from kibitz.errors import InputError
from kibitz.strategy import Formula, Preference, conjunction, keys_in_any_order, write_formula

_ONE = "; if possible one "
_BEST, _STILL = "; of these, one ", "; if several are left, one "
_THEN = ", and of these one "
_OF_ALL = {
    f"Make a move if you can{_BEST}": "Of all moves, make one ",
    f"Make any move if you can{_BEST}": "Of all moves, waiting too, make one ",
}
"""How a sentence begins that prefers among all moves: as it is put together, and as it is said."""
_SUCH = "such that "
_BY = re.compile(r"best by «([^»]*)»")
_WRITTEN = re.compile(r"«([^»]*)» holds")


@dataclass(frozen=True, slots=True)
class PreferringText:
    """A sentence with preferences, taken apart: the sentence without them, and what they mean."""

    first: str
    preferences: tuple[Preference, ...]
    is_symmetric: bool


def say_preferences(scene: Scene, preferences: Iterable[Preference]) -> str:
    """Write preferences, to stand after the sentence of their rule."""
    said, best = "", _BEST
    for preference in preferences:
        if preference.text:
            said += best + (phrase_for(scene, preference) or f"best by «{preference.text}»")
            best = _STILL
        else:
            said += _ONE + _THEN.join(_which(scene, formula) for formula in preference.formulas)
    return said


def shorten(sentence: str) -> str:
    """Say a sentence that prefers among all moves as people do.

    >>> shorten("Make a move if you can; of these, one in the middle.")
    'Of all moves, make one in the middle.'
    """
    for whole, short in _OF_ALL.items():
        if sentence.startswith(whole):
            return short + sentence.removeprefix(whole)
    return sentence


def read_preferences(scene: Scene, text: str) -> PreferringText:
    """Read a sentence with preferences; raise InputError where one of them means nothing."""
    rest = text.removesuffix(".")
    for whole, short in _OF_ALL.items():
        if rest.startswith(short):
            rest = whole + rest.removeprefix(short)
            break
    is_symmetric = bool(scene.likewise) and rest.endswith(scene.likewise)
    if is_symmetric:
        rest = rest.removesuffix(scene.likewise)
    first, *others = re.split(f"({_ONE}|{_BEST}|{_STILL})", rest)
    pairs = zip(others[::2], others[1::2], strict=True)
    found = tuple(
        _read_comparison(scene, phrase)
        if start in (_BEST, _STILL)
        else Preference(tuple(_read(scene, part) for part in phrase.split(_THEN)))
        for start, phrase in pairs
    )
    return PreferringText(f"{first}.", found, is_symmetric)


def _read_comparison(scene: Scene, phrase: str) -> Preference:
    known = comparisons(scene).get(phrase)
    if known is not None:
        return known
    written = _BY.fullmatch(phrase)
    found = written and read_comparison(scene, written[1])
    if not found:
        raise InputError(f"this compares no moves of {scene.game.sheet.name}: {phrase}")
    return found


def normal_preferences(preferences: Iterable[Preference]) -> tuple[tuple[object, ...], ...]:
    """Return preferences so that those are equal that say the same in another order."""
    return tuple(keys_in_any_order(p.formulas) for p in preferences)


def _which(scene: Scene, formula: Formula) -> str:
    """Write a formula as a clause of *one*."""
    parts = parts_of(formula)
    _, which = scene.formulas.get(parts, ("", ""))
    if which:
        return which
    try:
        asked = conjunction(sorted(parts, key=write_formula))
        phrase = say_condition(Naming(scene, 0), symbolic(scene, asked))
        read = read_condition(scene, phrase)
        if read is not None and parts_of(read) == parts and _THEN not in phrase:
            return which_of(phrase) or _SUCH + phrase
    except UnspeakableError:
        pass
    return f"{_SUCH}«{write_formula(formula)}» holds"


def _read(scene: Scene, text: str) -> Formula:
    for formulas, (_, which) in scene.formulas.items():
        if which == text:
            return conjunction(sorted(formulas, key=write_formula))
    phrase = text.removeprefix(_SUCH)
    if text.startswith(AFTER_WHICH):
        phrase = AFTER + text.removeprefix(AFTER_WHICH)
    if written := _WRITTEN.fullmatch(phrase):
        return conjunction(sorted(scene.read_formula(written[1]), key=write_formula))
    found = read_condition(scene, phrase)
    if found is None:
        raise InputError(f"this is no preference in {scene.game.sheet.name}: {text}")
    return found
