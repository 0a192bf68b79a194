"""Comparisons of numbers of a state in, English out, and back: sums, remainders, nim-sums."""

from __future__ import annotations

import re

from kibitz.english.rules.comparison_phrases import read_sides, say_sides
from kibitz.english.rules.leaving import ATOM
from kibitz.english.scene import Scene
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.strategy import Formula, Number, NumberIs, write_number, write_term

COMPARING = {
    "=": "",
    "!=": "not ",
    ">=": "at least ",
    "<=": "at most ",
    ">": "more than ",
    "<": "less than ",
}
"""Words for comparisons, after *is*."""

_OVER = {
    "number": "the number in {}",
    "sum": "the sum of the numbers in {}",
    "nimsum": "the nim-sum of the numbers in {}",
    "largest": "the largest of the numbers in {}",
    "smallest": "the smallest of the numbers in {}",
    "count": "the count of {}",
    "groups": "the number of groups of {}",
    "dark": "the count on dark cells of {}",
    "light": "the count on light cells of {}",
}
_JOINED = {
    "plus": ("the total of {} with {}", "({} + {})"),
    "minus": ("what {} exceeds {} by", "({} - {})"),
    "times": ("the product of {} by {}", "({} * {})"),
    "distance": ("the difference of {} from {}", "distance({}, {})"),
    "remainder": ("the remainder of {} by {}", "({} % {})"),
}
_ROOM = ("the room from {} to {}", "(({1} - {0}) - 1)")
_NIM_SUM = "the nim-sum of "
_WITH = " with "
_PARITIES = {0: "an even number", 1: "an odd number"}
_RUNS = "the nim-sum of the values {} of the runs of {}"
_KINDS = {"nimsum": "nim-sum", "largest": "largest"}
_REMAINDERS = {
    kind: f"the {said} of the remainders by {{}} of the numbers in {{}}"
    for kind, said in _KINDS.items()
}
_VALUES = {
    kind: f"the {said} of the values {{}} of the numbers in {{}}" for kind, said in _KINDS.items()
}
"""Values of 0, 1, 2, …, repeated."""
_OF_ROLES = {
    "things": ("the number of your things", "the number of the opponent's things"),
    "pairs": (
        "the number of your neighbouring pairs",
        "the number of the opponent's neighbouring pairs",
    ),
    "steps": (
        "the number of things you lack to win",
        "the number of things the opponent lacks to win",
    ),
    "chances": (
        "the count of your things in open ways to win",
        "the count of the opponent's things in open ways to win",
    ),
    "progress": (
        "the sum of how far your things are on the way to their goal",
        "the sum of how far the opponent's things are on the way to their goal",
    ),
    "foremost": (
        "how far your foremost thing is on the way to its goal",
        "how far the opponent's foremost thing is on the way to its goal",
    ),
}
"""Words for what one has oneself, and for what the opponent has."""
_OVER_TEXT = re.compile(r"(\w+)\((.*)\)")


def say_number_condition(scene: Scene, formula: NumberIs) -> str | None:
    """Write a comparison of numbers, where there are words for it."""
    left, sign, right = formula.left, formula.comparison, formula.right
    if left.kind == "remainder" and right.kind == "constant" and sign in ("=", "!="):
        inner, by = (_say(scene, part) for part in left.parts)
        if inner is None or by is None:
            return None
        more = f"{right.constant} more than " if right.constant else ""
        rest = f"{more}a multiple of {by}"
        if by == "2":
            rest = _PARITIES.get(right.constant, rest)
        return f"{inner} is {'not ' if sign == '!=' else ''}{rest}"
    compared = say_sides(scene, formula)
    if compared is not None:
        return compared
    one, other = _say(scene, left), _say(scene, right)
    if one is None or other is None:
        return None
    return f"{one} is {COMPARING[sign]}{other}"


def _say(scene: Scene, number: Number) -> str | None:
    if number.kind == "constant":
        return str(number.constant)
    if number.kind == "entry":
        place = _say(scene, number.parts[0])
        table = "-".join("x" if entry < 0 else str(entry) for entry in number.table)
        return None if place is None or min(number.table) < -1 else f"what {table} has for {place}"
    if number.kind == "xor":
        said = [_say(scene, part) for part in _joined_by_xor(number)]
        return None if None in said else _NIM_SUM + _WITH.join(filter(None, said))
    if number.kind == "minus" and number.parts[0].kind == "minus":
        (high, low), less = number.parts[0].parts, number.parts[1]
        ends = [_say(scene, low), _say(scene, high)]
        if less.kind == "constant" and less.constant == 1 and None not in ends:
            return _ROOM[0].format(*ends)
    if number.parts:
        inner = [_say(scene, part) for part in number.parts]
        return None if None in inner else _JOINED[number.kind][0].format(*inner)
    text = write_number(number)
    of_role = re.fullmatch(rf"({'|'.join(_OF_ROLES)})\((.*)\)", text)
    if of_role and number.text:
        is_other = of_role[2] != write_term(Function(scene.role))
        return None if is_other and len(scene.game.roles) != 2 else _OF_ROLES[of_role[1]][is_other]
    if number.kind == "number" and "(" not in text:
        return _OVER["number"].format(_spoken(scene, text))
    match = re.fullmatch(r"runs\((\(.*\)), ([\d, ]+)\)", text)
    if match:
        return _RUNS.format("-".join(match[2].split(", ")), _spoken(scene, match[1]))
    match = re.fullmatch(r"(nimsum|largest)\((\S+) % (\d+)\)", text)
    if match:
        return _REMAINDERS[match[1]].format(match[3], _spoken(scene, match[2]))
    match = re.fullmatch(r"(nimsum|largest)\(table\((\(.*\)|[^\s,]+), ([\d, ]+)\)\)", text)
    if match:
        values = "-".join(match[3].split(", "))
        return _VALUES[match[1]].format(values, _spoken(scene, match[2]))
    match = _OVER_TEXT.fullmatch(text)
    if match is None or not re.fullmatch(ATOM, match[2]):
        return None
    return _OVER[match[1]].format(_spoken(scene, match[2]))


def _joined_by_xor(number: Number) -> list[Number]:
    if number.kind != "xor":
        return [number]
    one, other = number.parts
    return [*_joined_by_xor(one), other]


def _spoken(scene: Scene, argument: str) -> str:
    """Say what an argument or a pattern means; without the argument if it is the only number."""
    if argument in scene.pattern_words:
        return scene.pattern_words[argument]
    name = argument.rpartition(".")[0]
    return name if scene.numbered.get(name) == argument else argument


def _things(scene: Scene) -> str:
    """Write a pattern for arguments, fluents, and words for them."""
    said = sorted(scene.pattern_words.values(), key=len, reverse=True)
    return "|".join([*(rf"{re.escape(words)}\b" for words in said), ATOM])


def _meant(scene: Scene, words: str) -> str:
    """Undo `_spoken`."""
    for pattern, said in scene.pattern_words.items():
        if said == words:
            return pattern
    return scene.numbered.get(words, words)


def read_number_condition(scene: Scene, text: str, place: int) -> tuple[Formula, int] | None:
    """Read a comparison of numbers from a place in a text."""
    sides = read_sides(scene, text, place)
    if sides is not None:
        return _formula(scene, *sides)
    one = _read(scene, text, place)
    if one is None or not text.startswith(" is ", one[1]):
        return None
    place = one[1] + 4
    match = re.compile(r"(not )?(?:(\d+) more than )?a multiple of (\d+)").match(text, place)
    if match:
        sign = "!=" if match[1] else "="
        return _formula(scene, f"{one[0]} % {match[3]} {sign} {match[2] or 0}", match.end())
    match = re.compile(r"(not )?an (even|odd) number").match(text, place)
    if match:
        sign, rest = "!=" if match[1] else "=", int(match[2] == "odd")
        return _formula(scene, f"{one[0]} % 2 {sign} {rest}", match.end())
    for sign, words in sorted(COMPARING.items(), key=lambda pair: -len(pair[1])):
        if text.startswith(words, place):
            other = _read(scene, text, place + len(words))
            if other is not None:
                return _formula(scene, f"{one[0]} {sign} {other[0]}", other[1])
    return None


def _formula(scene: Scene, text: str, end: int) -> tuple[Formula, int] | None:
    try:
        parts = list(scene.read_formula(text))
    except KibitzError:
        return None
    return (parts[0], end) if len(parts) == 1 else None


def _read(scene: Scene, text: str, place: int) -> tuple[str, int] | None:
    """Read a number; return how it is written in the strategy language, and where it ends."""
    match = re.compile(r"\d+").match(text, place)
    if match:
        return match[0], match.end()
    for kind, (mine, other) in _OF_ROLES.items():
        for words, who in ((mine, "me"), (other, "opponent")):
            if text.startswith(words, place):
                return f"{kind}({who})", place + len(words)
    for kind, words in _OVER.items():
        match = re.compile(words.replace("{}", f"({_things(scene)})")).match(text, place)
        if match:
            things = _meant(scene, match[1])
            plain = kind == "number" and not things.startswith("(")
            return things if plain else f"{kind}({things})", match.end()
    tables = (
        *((words, f"{kind}({{}} % {{}})") for kind, words in _REMAINDERS.items()),
        *((words, f"{kind}(table({{}}, {{}}))") for kind, words in _VALUES.items()),
        (_RUNS, "runs({}, {})"),
    )
    for words, written in tables:
        pattern = words.replace("{}", r"([\d-]+)", 1).replace("{}", f"({_things(scene)})")
        match = re.compile(pattern).match(text, place)
        if match:
            things = _meant(scene, match[2])
            return written.format(things, match[1].replace("-", ", ")), match.end()
    match = re.compile(r"what ([\dx-]+) has for ").match(text, place)
    inner = _read(scene, text, match.end()) if match else None
    if match and inner:
        table = match[1].replace("-", ", ").replace("x", "-1")
        return f"entry({inner[0]}, {table})", inner[1]
    if text.startswith(_NIM_SUM, place):
        return _read_nim_sum(scene, text, place + len(_NIM_SUM))
    for words, written in (_ROOM, *_JOINED.values()):
        start, middle, end = words.split("{}")
        found = _read_between(scene, text, place, start, middle)
        if found is not None and text.startswith(end, found[2]):
            return written.format(found[0], found[1]), found[2] + len(end)
    return None


def _read_nim_sum(scene: Scene, text: str, place: int) -> tuple[str, int] | None:
    found = _read(scene, text, place)
    while found is not None and text.startswith(_WITH, found[1]):
        other = _read(scene, text, found[1] + len(_WITH))
        if other is None:
            return None
        found = f"xor({found[0]}, {other[0]})", other[1]
    return found


def _read_between(
    scene: Scene, text: str, place: int, start: str, middle: str
) -> tuple[str, str, int] | None:
    one = _read(scene, text, place + len(start)) if text.startswith(start, place) else None
    if one is None or not text.startswith(middle, one[1]):
        return None
    other = _read(scene, text, one[1] + len(middle))
    return None if other is None else (one[0], other[0], other[1])
