"""Phrase preferences that compare moves, and what both sides have.

*You have more pieces than the opponent*, in place of numbers that are more than other numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from kibitz.attached import Attached
from kibitz.board import Cell
from kibitz.engine import Move
from kibitz.english.rules.spots import Naming
from kibitz.english.scene import Scene
from kibitz.english.verbs import plain_words
from kibitz.errors import StrategyError
from kibitz.gdl import Function
from kibitz.strategy import (
    NumberIs,
    Preference,
    chances_of,
    goal_steps,
    keys_in_any_order,
    neighbouring_pairs,
    owned_things,
    progress_of,
    read_strategy,
    scores_of,
    standing_preference,
    things_of,
    ways_to_win,
    write_term,
)
from kibitz.wording import number_word

_KNOWN: Attached[Scene, dict[str, Preference]] = Attached()
_SAFE_REPLIES = (
    "fewest M in moves(opponent): next can(opponent, does(opponent, M) & "
    "next not can(me, next wins(me)))"
)
_STRAIGHT = 1e-6
"""How far from a line, as an area, a place may be to stand in it."""
_NEAR, _TOUCHING = "are at most one row and one column apart", 1.1
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def comparisons(scene: Scene) -> dict[str, Preference]:
    """Return the phrases for comparisons of moves, to stand after *one*; each means one thing."""
    if scene not in _KNOWN:
        found: dict[str, Preference] = {}
        for phrase, text in _phrases(scene):
            preference = read_comparison(scene, text)
            if preference and phrase not in found:
                found[phrase] = preference
        _KNOWN[scene] = found
    return _KNOWN[scene]


def phrase_for(scene: Scene, preference: Preference) -> str | None:
    """Return the phrase for a comparison: that for its text, or another of the same meaning."""
    texts: dict[str, str] = {}
    for phrase, text in _phrases(scene):
        texts.setdefault(phrase, text)
    for phrase, text in texts.items():
        if text == preference.text:
            return phrase
    own = keys_in_any_order(preference.formulas)
    for phrase, known in comparisons(scene).items():
        if len(known.formulas) == len(own) and keys_in_any_order(known.formulas) == own:
            return phrase
    return None


def read_comparison(scene: Scene, text: str) -> Preference | None:
    """Read a comparison of moves as the strategy language writes it; None if it is not one."""
    try:
        strategy = read_strategy(f"true => any also {text}", scene.game)
    except StrategyError:
        return None
    rules = strategy.rules_for(scene.role)
    found = rules[0].preferences if len(rules) == 1 else ()
    return found[0] if len(found) == 1 and found[0].text else None


def _phrases(scene: Scene) -> Iterator[tuple[str, str]]:
    """Walk phrases with their texts, those about the board before those about arguments."""
    yield from _counting(scene)
    yield from _ways(scene)
    yield from _scores(scene)
    yield from _numbers(scene)
    kinds = sorted({(move.name, len(move.args)) for move in scene.moves})
    for name, arity in kinds:
        kind = _kind(scene, name)
        places = [_Place.of(scene, name, index) for index in range(1, arity + 1)]
        for index, place in enumerate(places, start=1):
            if place is None:
                continue
            for phrase, text in place.extremes(_argument(name, index)):
                yield kind + phrase, text
            yield kind + place.nearest(place.middle), f"middle {_argument(name, index)}"
            after = places[index] if index < arity else None
            if after and place.makes_cell_with(after):
                both = f"middle {_argument(name, index)}, {_argument(name, index + 1)}"
                yield kind + place.nearest("of the board"), both
    for name, arity in kinds:
        kind = _kind(scene, name)
        for index, ordinal in zip(range(1, arity + 1), _ORDINALS, strict=False):
            what = f"{ordinal} number" if arity > 1 else "number"
            yield f"{kind}with the largest {what}", f"most {_argument(name, index)}"
            yield f"{kind}with the smallest {what}", f"least {_argument(name, index)}"
            yield f"{kind}whose {what} is nearest the middle", f"middle {_argument(name, index)}"
        for index, (one, other) in enumerate(pairwise(_ORDINALS[:arity]), start=1):
            both = f"middle {_argument(name, index)}, {_argument(name, index + 1)}"
            yield f"{kind}whose {one} and {other} numbers are nearest the middle", both


def _kind(scene: Scene, name: str) -> str:
    """Say of which kind a move is, where others are made with something too."""
    others = {move.name for move in scene.moves if move.args} - {name}
    return f"of the kind {name} " if others else ""


def has_plain_words(scene: Scene, name: str, index: int) -> bool:
    """Return whether people see what an argument of moves is: a row, a column, or a number.

    On a board it is seen where the move is made, and not what numbers name the cell.
    """
    moves = [move for move in scene.moves if move.name == name and index <= len(move.args)]
    is_drawn = any(scene.layout.gesture(move).cells for move in moves)
    return not is_drawn or _Place.of(scene, name, index) is not None


def _counting(scene: Scene) -> Iterator[tuple[str, str]]:
    """Walk phrases that count moves, and places with something on them."""
    for word in ("fewest", "most"):
        if len(scene.game.roles) == 2:
            legal = f"{word} M in moves(opponent): next legal(opponent, M)"
            yield f"that leaves the opponent the {word} moves", legal
    if len(scene.game.roles) == 2:
        moves = "moves after which you cannot win at once"
        yield f"that leaves the opponent the fewest {moves}", _SAFE_REPLIES
    for word in ("most", "fewest"):
        mine = f"{word} M in moves(me): next next legal(me, M)"
        yield f"that leaves you the {word} moves after any reply", mine
    if len(scene.boards) != 1:
        return
    noun = Naming(scene, 0).noun
    for content in scene.contents.values():
        held = [f for f, (_, on_it) in scene.on_board.items() if on_it == content]
        listed = ", ".join(f"next {write_term(fluent)}" for fluent in held)
        for word in ("most", "fewest"):
            yield f"after which the {word} {noun}s {content.many}", f"{word} of ({listed})"


def _ways(scene: Scene) -> Iterator[tuple[str, str]]:
    """Walk phrases that count open ways to win, by how much they lack."""
    if len(scene.game.roles) != 2:
        return
    (other,) = set(scene.game.roles) - {scene.role}
    things = things_noun(scene)
    for who, has, role in (("me", "you have", scene.role), ("opponent", "the opponent has", other)):
        ways = ways_to_win(scene.game, role)
        noun = _ways_noun(scene)
        for missing in range(1, max(map(len, ways), default=0)):
            for word in ("most", "fewest"):
                lacking = f"{number_word(missing)} more {things if missing > 1 else things[:-1]}"
                need = "that need only" if missing == 1 else "that need"
                phrase = f"after which {has} the {word} open {noun} {need} {lacking}"
                yield phrase, f"{word} ways({who}, {missing})"


def _numbers(scene: Scene) -> Iterator[tuple[str, str]]:
    """Walk phrases about what each role has after the move, and still needs."""
    if len(scene.game.roles) != 2:
        return
    (other,) = set(scene.game.roles) - {scene.role}
    things = things_noun(scene)
    sides = [("me", "you", "", "your", scene.role)]
    sides += [("opponent", "the opponent", "s", "the opponent's", other)]
    if all(goal_steps(scene.game, role) for role in scene.game.roles):
        for who, name, s, _, _ in sides:
            few = f"after which {name} need{s} the fewest further {things} to win"
            many = f"after which {name} still need{s} the most {things} to win"
            for word, phrase in (("lowest", few), ("highest", many)):
                yield phrase, f"{word} steps({who})"
                if who == "me":
                    compared = f"{word} steps(me) - steps(opponent)"
                    yield f"{phrase} compared with the opponent", compared
    if all(things_of(scene.game, role) for role in scene.game.roles):
        for who, name, s, _, _ in sides:
            has = "has" if s else "have"
            for word, amount in (("lowest", "fewest"), ("highest", "most")):
                yield f"after which {name} {has} the {amount} {things}", f"{word} things({who})"
        for word, amount in (("lowest", "fewest"), ("highest", "most")):
            phrase = f"after which you have the {amount} {things} compared with the opponent"
            yield phrase, f"{word} things(me) - things(opponent)"
    near = _near(scene)
    for who, _, _, whose, role in sides:
        if neighbouring_pairs(scene.game, role):
            for word, amount in (("lowest", "fewest"), ("highest", "most")):
                phrase = f"after which the {amount} pairs of {whose} {things} {near}"
                yield phrase, f"{word} pairs({who})"
    if all(neighbouring_pairs(scene.game, role) for role in scene.game.roles):
        for word, amount in (("lowest", "fewest"), ("highest", "most")):
            phrase = f"after which the {amount} pairs of your {things} {near}"
            compared = f"{phrase}, compared with the opponent's"
            yield compared, f"{word} pairs(me) - pairs(opponent)"
    yield from _ways_gone(scene, sides, things)
    if all(chances_of(scene.game, role) for role in scene.game.roles):
        noun = _ways_noun(scene)
        way = noun.split()[0].removesuffix("s")
        twice = f"(a {things[:-1]} in two {way}s counts twice)"
        for word, amount in (("lowest", "fewest"), ("highest", "most")):
            for who, name, s, _, _ in sides:
                phrase = f"after which {name} {'has' if s else 'have'} the {amount} {things}"
                yield f"{phrase} in open {noun} {twice}", f"{word} chances({who})"
            phrase = f"after which you have the {amount} {things} in open {noun}"
            compared = f"{phrase} {twice} compared with the opponent"
            yield compared, f"{word} chances(me) - chances(opponent)"


def _scores(scene: Scene) -> Iterator[tuple[str, str]]:
    """Walk phrases about what roles would get if play ended, and about their scores."""
    roles = (scene.role, *(set(scene.game.roles) - {scene.role}))
    sides = (("me", "you"), ("opponent", "the opponent"))
    if len(roles) <= 2:
        for (who, name), role in zip(sides, roles, strict=False):
            for word in ("most", "fewest"):
                text = standing_preference(scene.game, role, who, word=word)
                if text is not None:
                    yield f"that would give {name} the {word} points if play ended after it", text
    scores = scores_of(scene.game, scene.role)
    named = {
        whose: [(_score_words(scene, pattern, whose), write_term(pattern)) for pattern in patterns]
        for whose, patterns in scores.items()
    }
    for word in ("highest", "lowest"):
        for listed in named.values():
            for words, text in listed:
                yield f"after which {words} is {word}", f"{word} largest({text})"
        if all(len(named.get(whose, ())) == 1 for whose in ("me", "opponent")):
            (mine, own), (theirs, other) = named["me"][0], named["opponent"][0]
            compared = f"after which {mine} is {word} compared with {theirs}"
            yield compared, f"{word} largest({own}) - largest({other})"


def _score_words(scene: Scene, pattern: Function, whose: str) -> str:
    """Return what a number is called: that of a role by the name of its fluent, else as it is."""
    names = [str(arg) for arg in pattern.args if str(arg) != "_"]
    if names in ([scene.role], *([role] for role in scene.game.roles)):
        owner = {"me": "your", "opponent": "the opponent's"}.get(whose, "the")
        return f"{owner} {plain_words(pattern.name)}"
    return f"the number in {plain_words(' '.join([pattern.name, *names]))}"


def _ways_gone(
    scene: Scene, sides: list[tuple[str, str, str, str, str]], things: str
) -> Iterator[tuple[str, str]]:
    """Walk phrases about how far each role's things are on the way to its goal."""
    is_for_all = all(progress_of(scene.game, role) for role in scene.game.roles)
    for who, _, _, whose, role in sides:
        if not progress_of(scene.game, role):
            continue
        for word, all_, one in (
            ("highest", "farthest", "nearest"),
            ("lowest", "least far", "farthest from"),
        ):
            together = (
                f"after which {whose} {things} are {all_} on the way to their goal, all together"
            )
            yield together, f"{word} progress({who})"
            first = f"after which {whose} foremost {things[:-1]} is {one} its goal"
            yield first, f"{word} foremost({who})"
            if who == "me" and is_for_all:
                yield (
                    f"{together}, compared with the opponent's",
                    f"{word} progress(me) - progress(opponent)",
                )
                yield (
                    f"{first} compared with the opponent's",
                    f"{word} foremost(me) - foremost(opponent)",
                )


def things_noun(scene: Scene) -> str:
    """Return what all things of the players are called: pieces where each stands on a cell."""
    for role in scene.game.roles:
        for owned in owned_things(scene.game, role).values():
            for thing in owned:
                place = scene.layout.place(thing)
                if place is None or place.cell is None or place.shows != "piece":
                    return "things"
                if scene.layout.cell(place.cell).ends:
                    return "things"
    return "pieces"


def _near(scene: Scene) -> str:
    """Say of things that they are neighbours: that they touch, where just these do as drawn."""
    for role in scene.game.roles:
        number = neighbouring_pairs(scene.game, role)
        if number is None:
            continue
        cells = [_square_of(scene, thing) for thing, _ in number.things]
        pairs = [place >> 1 for place in number.table if place >= 0]
        near = {frozenset(pair) for pair in zip(pairs[::2], pairs[1::2], strict=True)}
        for (a, one), (b, other) in combinations(enumerate(cells), 2):
            if one is None or other is None or one.key == other.key:
                return _NEAR
            touch = max(abs(one.x - other.x), abs(one.y - other.y)) < _TOUCHING
            if touch != (frozenset((a, b)) in near):
                return _NEAR
    return "touch, also at corners"


def _square_of(scene: Scene, thing: Function) -> Cell | None:
    """Return the cell of a thing on a board of rows and columns."""
    place = scene.layout.place(thing)
    if place is None or place.cell is None:
        return None
    board = scene.layout.boards[place.cell.board]
    return scene.layout.cell(place.cell) if board.kind == "grid" and not board.lines else None


def _ways_noun(scene: Scene) -> str:
    """Return what all ways to win are called."""
    ways = [way for role in scene.game.roles for way in ways_to_win(scene.game, role)]
    return "lines" if _are_lines(scene, tuple(ways)) else "ways to win"


def _are_lines(scene: Scene, ways: tuple[frozenset[Function], ...]) -> bool:
    """Return whether the places of each way stand in a line, and not all of the board does."""
    if not all(fluent in scene.on_board for way in ways for fluent in way):
        return False
    every = frozenset().union(*ways)
    return all(_is_line(scene, way) for way in ways) and not _is_line(scene, every)


def _is_line(scene: Scene, fluents: frozenset[Function]) -> bool:
    """Return whether the places of fluents stand in a line."""
    return _stand_in_line([scene.layout.cell(scene.on_board[fluent][0]) for fluent in fluents])


def _stand_in_line(cells: list[Cell]) -> bool:
    first, last = min(cells, key=_at, default=None), max(cells, key=_at, default=None)
    if first is None or last is None:
        return True
    across, down = last.x - first.x, last.y - first.y
    return all(
        abs((cell.x - first.x) * down - (cell.y - first.y) * across) <= _STRAIGHT for cell in cells
    )


def _at(cell: Cell) -> tuple[float, float]:
    return cell.x, cell.y


def _argument(name: str, index: int) -> str:
    return f"{write_term(Function(name))}.{index}"


class _Place:
    """What an argument of moves says of the board: the row or column of a cell of theirs."""

    def __init__(self, axis: str, which: str, values: set[str], is_centred: bool) -> None:
        self.axis, self.which, self.values, self.is_centred = axis, which, values, is_centred

    @property
    def middle(self) -> str:
        """What the middle of the values is: that of the board, or of the lines that moves reach."""
        if self.is_centred:
            return self.axis
        return f"of all {self.axis}s where moves {self.which.removesuffix('s') or 'are made'}"

    def nearest(self, where: str) -> str:
        near = f"nearest the middle {where}"
        return f"that {self.which} {near}" if self.which else near

    def extremes(self, argument: str) -> Iterator[tuple[str, str]]:
        near = f"that {self.which} nearest {self.axis}" if self.which else f"nearest {self.axis}"
        yield f"{near} {max(self.values, key=_order)}", f"most {argument}"
        yield f"{near} {min(self.values, key=_order)}", f"least {argument}"

    def makes_cell_with(self, other: _Place) -> bool:
        """Return whether both arguments name a cell, and each is centred."""
        is_cell = self.axis != other.axis and self.which == other.which
        return is_cell and self.is_centred and other.is_centred

    @classmethod
    def of(cls, scene: Scene, name: str, index: int) -> _Place | None:
        """Find the row or column that the index-th argument of moves is."""
        moves = [m for m in scene.moves if m.name == name and index <= len(m.args)]
        cells = {move: _cells(scene, move) for move in moves}
        if not moves or not all(cells.values()):
            return None
        is_drag = all(scene.layout.gesture(move).kind == "drag" for move in moves)
        boards = {ref.board for move in moves for ref in scene.layout.gesture(move).cells}
        if len(boards) != 1:
            return None
        board = scene.layout.boards[min(boards)]
        if board.kind not in ("grid", "hex"):
            return None
        every = [cell for cell in board.cells if len(cell.key) == 2]
        carries = is_drag and _carries(scene, name)
        for which, end in (("starts", 0), ("ends", -1)) if is_drag else (("", None),):
            for key in (0, 1):
                found = {move: own if end is None else [own[end]] for move, own in cells.items()}
                if not all(
                    len(cell.key) == 2 and cell.key[key] == str(move.args[index - 1])
                    for move, own in found.items()
                    for cell in own
                ):
                    continue
                axis = _axis(every, key, board.kind == "hex")
                if axis:
                    values = {str(move.args[index - 1]) for move in moves}
                    if is_drag and not carries:
                        covered = {move: [cell.key[key] for cell in cells[move]] for move in moves}
                        if not _are_in_step(covered.values()):
                            return None
                        which = ""
                        values = {value for both in covered.values() for value in both}
                    if not all(map(_has_order, values)):
                        return None
                    return cls(axis, which, values, _is_even(every, key, values))
        return None


def _cells(scene: Scene, move: Move) -> list[Cell]:
    return [scene.layout.cell(ref) for ref in scene.layout.gesture(move).cells]


def _carries(scene: Scene, name: str) -> bool:
    """Return whether moves carry something from a cell to another, and do not cover both."""
    verbs = [verb for (called, _), verb in scene.verbs.items() if called == name]
    return all("from {1}" in verb.template for verb in verbs)


def _are_in_step(covered: Iterable[list[str]]) -> bool:
    """Return whether moves on two cells are in the same order by the one and by the other."""
    pairs = {(both[0], both[-1]) for both in covered}
    if not all(_has_order(name) for pair in pairs for name in pair):
        return False
    ordered = sorted((_order(one), _order(other)) for one, other in pairs)
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(ordered))


def _axis(cells: list[Cell], key: int, is_hexagonal: bool) -> str:
    """Return what cells share that have the same name at a place of their keys.

    The columns of a hexagonal board lean.
    """
    lines: dict[str, list[Cell]] = {}
    for cell in cells:
        lines.setdefault(cell.key[key], []).append(cell)
    if len(lines) < 2:
        return ""
    if all(len({cell.x for cell in line}) == 1 for line in lines.values()):
        return "column"
    if all(len({cell.y for cell in line}) == 1 for line in lines.values()):
        return "row"
    return "column" if is_hexagonal and all(map(_stand_in_line, lines.values())) else ""


def _is_even(cells: list[Cell], key: int, values: set[str]) -> bool:
    """Return whether the names of all lines follow one another, and the outer ones are values."""
    names = {cell.key[key] for cell in cells}
    if not all(map(_has_order, names)):
        return False
    placed = {_order(name): name for name in names}
    outer = {placed[min(placed)], placed[max(placed)]}
    return len(placed) == max(placed) - min(placed) + 1 and outer <= values


def _has_order(name: str) -> bool:
    """Return whether people see which of such names comes first: numbers, and letters."""
    return name.isdecimal() or (len(name) == 1 and name.isalpha())


def _order(name: str) -> int:
    return int(name) if name.isdecimal() else ord(name)


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
    return _side_phrases(scene).get(f"{left} {formula.comparison} {right}")


def read_sides(scene: Scene, text: str, place: int) -> tuple[str, int] | None:
    """Read such a phrase from a place in a text; return what it means, and where it ends."""
    if len(scene.game.roles) == 2:
        for written, phrase in _side_phrases(scene).items():
            if text.startswith(phrase, place):
                return written, place + len(phrase)
    return None


def _side_phrases(scene: Scene) -> dict[str, str]:
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
