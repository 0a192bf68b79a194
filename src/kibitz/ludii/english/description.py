"""Describe a game in sentences, from its expanded sheet and its rules in GDL.

Players, pieces and the start come from the rules in GDL, and every other sentence from a ludeme; it
can be read in one way only, which gives that ludeme again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from kibitz.gdl import Function, RuleSheet
from kibitz.ludii.english.move_sentences import move_sentences
from kibitz.ludii.english.place_phrases import PLACES, WORDS
from kibitz.ludii.english.rule_phrases import RULES
from kibitz.ludii.english.templates import Grammar
from kibitz.ludii.tokens import Ludeme

_BOARDS = {
    "square": "The board is a square of {0} by {0} {1}.",
    "rectangle": "The board is a grid of {0} rows and {2} columns of {1}.",
    "hex": "The board is a hexagon of hexagons with {0} on each side.",
}


@cache
def grammar() -> Grammar:
    """Return the phrases for ludemes, made once."""
    return Grammar([*PLACES, *RULES], WORDS)


def describe(game: Ludeme, sheet: RuleSheet) -> list[str]:
    """Describe a game in sentences.

    >>> from kibitz.ludii.expansion import expand
    >>> from kibitz.ludii.reader import read_ludii
    >>> text = '''(game "Fill" (players 2)
    ...     (equipment {(board (square 2)) (piece "Disc" Each)})
    ...     (rules (play (move Add (to (sites Empty))))
    ...            (end (if (is Line 2) (result Mover Win)))))'''
    >>> for line in describe(expand(text, name="fill.lud")[1], read_ludii(text)):
    ...     print(line)
    Two players take turns; Player 1 begins.
    The board is a square of 2 by 2 cells.
    On your turn, place a piece on an empty place.
    You win if the last move makes a line of two.
    A player who cannot move passes, and the game is a draw if all pass in turn.
    """
    return [_tidy(line) for line in _sentences(game, sheet) if line]


def _sentences(game: Ludeme, sheet: RuleSheet) -> Iterator[str]:
    roles = [str(r.head.args[0]).upper() for r in sheet.rules if r.head.relation == "role"]
    rules = next(iter(game.calls("rules")))
    items = _items(next(iter(game.calls("equipment"))))
    yield _players(roles, is_fixed=not any(one.name == "moveAgain" for one in rules.walk()))
    yield _board(next(item for item in items if item.name in ("board", "mancalaBoard")), sheet)
    yield from _start(sheet)
    for item in items:
        if item.name == "regions":
            yield _region(item)
    phases = rules.get("phases")
    for phase in phases.items if phases else (rules,):
        name = next((i.name for i in phase.items if i.shape == "text"), "") if phases else ""
        yield from _phase(phase, name)
    moving = [item for item in items if item.name == "piece"]
    for item in moving:
        yield from _piece(item)
    if phases:
        yield from _ends(rules, "")
    if any(one.name == "swap" for meta in rules.calls("meta") for one in meta.items):
        yield "Instead of a first move, P2 may swap places with P1."
    if len(roles) > 2:
        yield "Where someone has won or lost, the others play on for the places that are left."
    if len(roles) == 1:
        yield "If you cannot move and have not won, you have lost."
    else:
        yield "A player who cannot move passes, and the game is a draw if all pass in turn."


def _items(equipment: Ludeme) -> list[Ludeme]:
    return [
        one for item in equipment.items for one in (item.items if item.shape == "list" else [item])
    ]


def _players(roles: list[str], is_fixed: bool) -> str:
    if len(roles) == 1:
        return "A puzzle for one player."
    count = {2: "Two", 3: "Three", 4: "Four"}.get(len(roles), str(len(roles)))
    turns = "take turns" if is_fixed else "take turns, unless a move says otherwise"
    return f"{count} players {turns}; {roles[0]} begins."


def _board(board: Ludeme, sheet: RuleSheet) -> str:
    shape = board.items[0]
    use = board.get("use")
    sites = "points" if use is not None and use.name == "Vertex" else "cells"
    numbers = [item.name for item in shape.items if item.shape == "word" and item.name.isdigit()]
    if board.name == "mancalaBoard":
        rows, columns = (item.name for item in board.items[:2])
        return f"The board has {rows} rows of {columns} holes."
    known = _BOARDS.get(shape.name)
    if known and numbers and all(item.shape == "word" for item in shape.items[:1]):
        diagonals = shape.get("diagonals")
        lines = f", with {diagonals.name.lower()} diagonals" if diagonals is not None else ""
        if shape.name == "square" or (shape.name == "rectangle" and len(numbers) == 2):
            text = known.format(numbers[0], sites, numbers[-1])
            return f"{text[:-1]}{lines}."
        if shape.name == "hex" and len(shape.items) == 1:
            return known.format(numbers[0])
    count = len({str(rule.head.args[0]) for rule in sheet.rules if rule.head.relation == "site"})
    return f"The board has {count} {sites}." if count else ""


def _start(sheet: RuleSheet) -> Iterator[str]:
    """Say what stands where, and what is in hand, when play begins."""
    held: dict[str, list[str]] = {}
    for rule in sheet.rules:
        fluent = rule.head.args[0] if rule.head.relation == "init" else None
        if not isinstance(fluent, Function):
            continue
        args = [str(arg) for arg in fluent.args]
        if fluent.name == "cell":
            held.setdefault(args[1], []).append(args[0])
        elif fluent.name == "hand":
            noun = _named(args[1])[1]
            count = "" if args[2] == "1" else f"{args[2]} "
            yield f"{args[0].upper()} starts with {count}{_plural(noun, args[2])} in hand."
    starts: dict[str, list[str]] = {}
    for piece, sites in held.items():
        whose, noun = _named(piece)
        places = _listed(sites) if len(sites) <= 16 else f"{len(sites)} places"
        if piece.isdigit():
            yield f"At first there are {piece} seeds on each of {places}."
        else:
            starts.setdefault(whose, []).append(f"{_plural(noun, str(len(sites)))} on {places}")
    for whose, pieces in sorted(starts.items()):
        yield f"{f'{whose} starts with' if whose else 'At first there are'} {'; '.join(pieces)}."


def _named(term: str) -> tuple[str, str]:
    """Return whose a piece is and what it is called: `pawn2` is a pawn of P2."""
    match = re.fullmatch(r"([a-z_]+?)([1-9])?((?:_v?\d+)*)", term)
    if match is None:
        return "", term
    state = match[3].replace("_", " ")
    noun = f"{match[1].replace('_', ' ')}{f' ({state.strip()})' if state else ''}"
    return f"P{match[2]}" if match[2] else "", noun


def _plural(noun: str, count: str) -> str:
    if count == "1" or noun.endswith(")"):
        return f"a {noun}" if count == "1" and not noun.endswith(")") else noun
    if noun.endswith("man"):
        return f"{noun[:-2]}en"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _region(item: Ludeme) -> str:
    owner = next(
        (i.name for i in item.items if i.shape == "word" and re.match(r"P\d$", i.name)), ""
    )
    name = next((i.name.lower() for i in item.items if i.shape == "text"), "")
    where = next((i for i in item.items if i.shape in ("list", "call")), None)
    if where is None:
        return ""
    regions = where.items if where.shape == "list" else (where,)
    if any(one.shape != "call" for one in regions):
        return ""
    texts = [grammar().write(one, "region1") for one in regions]
    called = f"the region “{name}”" if name else "the region"
    whose = f" of {owner}" if owner else ""
    noun = f"the sides of {owner} are" if owner and len(texts) > 1 and not name else ""
    return _sentence(f"{noun or f'{called}{whose} is'} {_listed(texts)}")


def _phase(phase: Ludeme, name: str) -> Iterator[str]:
    place = f"in the phase “{name.lower()}”, " if name else ""
    owner = next((i.name for i in phase.items if re.match(r"P\d$", i.name)), "") if name else ""
    who = f"on the turn of {owner}" if owner else "on your turn"
    for play in phase.calls("play"):
        for item in play.items:
            yield from _moves(item, lambda word: f"{place}{word or who}, ")
    for item in phase.calls("nextPhase"):
        yield _next_phase(item, name)
    yield from _ends(phase, place)


def _moves(ludeme: Ludeme, begin: Callable[[str], str]) -> Iterator[str]:
    return map(_sentence, move_sentences(grammar(), ludeme, begin))


def _next_phase(item: Ludeme, name: str) -> str:
    target = next((i.name.lower() for i in item.items if i.shape == "text"), "next")
    test = next((i for i in item.items if i.shape == "call"), None)
    role = next((i.name for i in item.items if i.shape == "word"), "")
    who = {"Mover": "you are", "": "all players are"}.get(
        role, f"{WORDS['player'].get(role, role)} is"
    )
    when = f"if {grammar().write(test, 'condition')}, " if test is not None else ""
    return _sentence(
        f"after a move in the phase “{name.lower()}”, {when}{who} in the phase “{target}”"
    )


def _ends(rules: Ludeme, place: str) -> Iterator[str]:
    for end in rules.calls("end"):
        for item in end.items:
            for one in item.items if item.shape == "list" else (item,):
                yield from _end(one, place)


def _end(ludeme: Ludeme, place: str) -> Iterator[str]:
    if ludeme.kind in ("forEach Player", "forEach NonMover") and ludeme.get("if") is not None:
        test = ludeme.get("if")
        result = next((item for item in ludeme.items if item.name == "result"), None)
        if test is not None and result is not None:
            each = "each player" if ludeme.kind == "forEach Player" else "each opponent"
            when = grammar().write(test, "condition1")
            yield _sentence(f"{place}for {each}, {grammar().write(result, 'result')} if {when}")
            return
    if ludeme.name == "if" and len(ludeme.items) == 2:
        test, result = ludeme.items
        text, when = grammar().write(result, "result1"), grammar().write(test, "condition")
        is_short = result.name == "result"
        yield _sentence(place + (f"{text} if {when}" if is_short else f"if {when}, {text}"))
        return
    yield _sentence(f"{place}{grammar().write(ludeme, 'result')}")


def _piece(item: Ludeme) -> Iterator[str]:
    name = next((i.name for i in item.items if i.shape == "text"), "")
    calls = [i for i in item.items if i.shape == "call" and not i.label and i.name != "flips"]
    if not calls or not name:
        return
    owner = next((i.name for i in item.items if re.match(r"P\d$", i.name)), "")
    whose = f" of {owner}" if owner else ""
    who = f"a {name.lower()}{whose} moves"
    yield from _moves(calls[0], lambda word: f"{word or who} like this: ")


def _listed(texts: Iterable[str]) -> str:
    *most, last = texts
    return f"{', '.join(most)} and {last}" if most else last


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _tidy(line: str) -> str:
    """Write *an* before vowels, no space before a comma, and players by their numbers."""
    parts = re.split(r"(“[({][^”]*”)", line)
    for n in range(0, len(parts), 2):  # what is quoted stays as it is
        part = re.sub(r"\bP([1-8])\b", r"Player \1", parts[n])
        part = re.sub(r"(?<!column )\b([Aa]) (?=[aeiou])", r"\1n ", part)
        parts[n] = part.replace(" ,", ",")
    return "".join(parts)
