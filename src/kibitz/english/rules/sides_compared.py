"""A Scene in; out phrases that compare what both sides have, each with the condition it means.

*You have more pieces than the opponent*, in place of numbers that are more than other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.attached import Attached
from kibitz.english.rules.comparison_phrases import things_noun
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import NumberIs, write_term

__all__ = ["read_sides", "say_sides"]

_MORE = {
    ">": "more {} than",
    "<": "fewer {} than",
    "=": "as many {} as",
    ">=": "at least as many {} as",
    "<=": "at most as many {} as",
}
_NEARER = {
    ">": "nearer its goal than",
    "<": "farther from its goal than",
    "=": "as near its goal as",
    ">=": "at least as near its goal as",
    "<=": "at most as near its goal as",
}
_PHRASES: Attached[Scene, dict[str, str]] = Attached()


def say_sides(scene: Scene, formula: NumberIs) -> str | None:
    """Write a comparison of one's own number with the opponent's; None if there are no such words.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.english import scene_of
    >>> from kibitz.games import load_sheet
    >>> scene = scene_of(CompiledGame(load_sheet("breakthrough:4x4")), "white")
    >>> (formula,) = scene.read_formula("things(me) >= things(opponent)")
    >>> say_sides(scene, formula)
    'you have at least as many pieces as the opponent'
    """
    if len(scene.game.roles) != 2:
        return None
    (other,) = set(scene.game.roles) - {scene.role}
    left, right = formula.left.text, formula.right.text
    for role, who in ((scene.role, "me"), (other, "opponent")):
        written = f"({write_term(Function(role))})"
        left, right = left.replace(written, f"({who})"), right.replace(written, f"({who})")
    return _phrases(scene).get(f"{left} {formula.comparison} {right}")


def read_sides(scene: Scene, text: str, place: int) -> tuple[str, int] | None:
    """Read such a phrase from a place in a text; return what it means, and where it ends."""
    if len(scene.game.roles) == 2:
        for written, phrase in _phrases(scene).items():
            if text.startswith(phrase, place):
                return written, place + len(phrase)
    return None


def _phrases(scene: Scene) -> dict[str, str]:
    if scene not in _PHRASES:
        _PHRASES[scene] = dict(_walk(things_noun(scene)))
    return _PHRASES[scene]


def _walk(things: str) -> Iterator[tuple[str, str]]:
    for sign, words in _MORE.items():
        more = words.format(things)
        yield f"things(me) {sign} things(opponent)", f"you have {more} the opponent"
        further = words.format(f"further {things}")
        yield f"steps(me) {sign} steps(opponent)", f"you need {further} the opponent to win"
    for sign, words in _NEARER.items():
        phrase = f"your foremost {things[:-1]} is {words} the opponent's"
        yield f"foremost(me) {sign} foremost(opponent)", phrase
