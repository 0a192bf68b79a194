"""Write conditions in English, and read them back.

`formula_reader` is the inverse: it reads each phrase that this module writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

from kibitz.engine import Role
from kibitz.english.places import CellPhrase
from kibitz.english.rules.formula_phrases import carry_fluents, normal
from kibitz.english.rules.number_phrases import (
    COMPARING,
    read_number_condition,
    say_number_condition,
)
from kibitz.english.rules.phrases import Content, Occupies
from kibitz.english.rules.spots import Naming, Spot, at, filled, spots_in, symbolic
from kibitz.english.scene import Scene
from kibitz.errors import KibitzError
from kibitz.gdl import Function, parse_terms
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
    Leaf,
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
    at_least,
    conjunction,
    disjunction,
    negation,
    write_formula,
    write_term,
)
from kibitz.wording import NUMBER_WORDS, join_words, number_word

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


_COUNTED = re.compile(r"at least (\d+) of these hold: ")
_END = re.compile(r"(?=, | and | or |$)")

Heard = tuple[Formula, int]


def read_condition(scene: Scene, text: str) -> Formula | None:
    """Read one condition without letters, if this is one."""
    result = read_at(ConditionReader(Naming(scene, 0)), text)
    return result[0] if result is not None and result[1] == len(text) else None


def read_at(reader: ConditionReader, text: str) -> Heard | None:
    """Read a condition without letters at the start of a text."""
    result = reader.condition(text, 0)
    if result is None:
        return None
    return normal(carry_fluents(result[0], lambda f: filled(reader.scene, f, {}))), result[1]


class ConditionReader:
    """Reads conditions in the words of a naming, from a place in a text."""

    def __init__(self, naming: Naming) -> None:
        self.naming, self.scene = naming, naming.scene

    def parts(self, text: str) -> list[Formula] | None:
        """Read conditions that hold together, to the end of the text."""
        found: list[Formula] = []
        place = 0
        while True:
            result = self.condition(text, place)
            if result is None:
                return None
            found.append(result[0])
            place = result[1]
            if place == len(text):
                return found
            glue = re.compile(r", | and ").match(text, place)
            if glue is None:
                return None
            place = glue.end()

    def condition(self, text: str, place: int) -> Heard | None:
        """Read one condition."""
        for read in (
            self._fixed,
            self._prefixed,
            self._listed,
            self._relation,
            self._numbered,
            self._whole,
            self._stands,
        ):
            result = read(text, place)
            if result is not None:
                return result
        return None

    @cached_property
    def _known(self) -> list[tuple[str, Formula]]:
        """Phrases that are always the same, the longest first."""
        found: list[tuple[str, Formula]] = [
            ("play has ended", Terminal()),
            ("play has not ended", Not(Terminal())),
            ("no move was made yet", Initial()),
            ("some move was made", Not(Initial())),
        ]
        for role in self.scene.game.roles:
            name, has, is_ = who(self.scene, role)
            found += [(f"{has} won", Wins(role)), (f"{has} not won", Not(Wins(role)))]
            found += [(f"{is_} to move", Turn(role)), (f"{is_} not to move", Not(Turn(role)))]
            index = self.scene.game.roles.index(role)
            for move in self.scene.game.network.moves[index]:
                for written in self.scene.writings(move):
                    found.append((f"{name} may play {written}", Legal(role, move)))
                    found.append((f"the move of {name} is {written}", Does(role, move)))
        for formulas, (phrase, _) in self.scene.formulas.items():
            found.append((phrase, conjunction(sorted(formulas, key=write_formula))))
        for fluent in self.scene.fluents:
            yes, no = self.scene.facts.get(fluent, ("", ""))
            found += [(yes, Holds(fluent)), (no, Not(Holds(fluent)))] if yes else []
            for written in self.scene.writings(fluent):
                found.append((f"{written} holds", Holds(fluent)))
                found.append((f"{written} does not hold", Not(Holds(fluent))))
        return sorted(found, key=lambda pair: -len(pair[0]))

    def _fixed(self, text: str, place: int) -> Heard | None:
        for phrase, formula in self._known:
            if text.startswith(phrase, place) and _END.match(text, place + len(phrase)):
                return formula, place + len(phrase)
        return None

    @cached_property
    def _prefixes(self) -> list[tuple[str, Callable[[Formula], Formula]]]:
        found: list[tuple[str, Callable[[Formula], Formula]]] = [
            (NOT_SO, negation),
            ("before the last move ", Previous),
        ]
        for role in self.scene.game.roles:
            name = who(self.scene, role)[0]
            found.append((f"{name} can move so that ", partial(Can, role)))
        return found

    def _prefixed(self, text: str, place: int) -> Heard | None:
        for prefix, make in self._prefixes:
            if text.startswith(prefix, place):
                return self._inner(text, place + len(prefix), make)
        match = re.compile(r"after the move(?: and (\w+) more)? ").match(text, place)
        if match:
            word = match[1] or "no"
            depth = 1 + (NUMBER_WORDS.index(word) if word in NUMBER_WORDS else int(word))

            def later(formula: Formula) -> Formula:
                for _ in range(depth):
                    formula = Next(formula)
                return formula

            return self._inner(text, match.end(), later)
        match = re.compile(r"(\d+) moves ago ").match(text, place)
        if match:
            moves = int(match[1])

            def before(formula: Formula) -> Formula:
                assert isinstance(formula, Leaf)
                return Before(moves, formula)

            return self._inner(text, match.end(), before)
        return None

    def _inner(self, text: str, place: int, make: Callable[[Formula], Formula]) -> Heard | None:
        result = self.condition(text, place)
        return None if result is None else (make(result[0]), result[1])

    def _listed(self, text: str, place: int) -> Heard | None:
        """Read *either … or …*, *both … and …*."""
        starts: list[tuple[str, str, Callable[[list[Formula]], Formula]]] = [
            ("either ", " or ", disjunction),
            ("both ", " and ", conjunction),
            ("all of these hold: ", " and ", conjunction),
        ]
        if counted := _COUNTED.match(text, place):
            starts = [(counted[0], " and ", partial(at_least, int(counted[1])))]
        for start, last, join in starts:
            if not text.startswith(start, place):
                continue
            found: list[Formula] = []
            here, is_last = place + len(start), False
            while True:
                result = self.condition(text, here)
                if result is None:
                    break
                found.append(result[0])
                here = result[1]
                if is_last:
                    return join(found), here
                is_last = text.startswith(last, here)
                if not is_last and not text.startswith(", ", here):
                    break
                here += len(last) if is_last else 2
        return None

    def _relation(self, text: str, place: int) -> Heard | None:
        pattern = re.compile(r"the relation (\S+)(?: of (.+?))? (holds|does not hold)")
        match = pattern.match(text, place)
        if match and _END.match(text, match.end()):
            listed = match[2].split(" or of ") if match[2] else [""]
            atoms = []
            for args in listed:
                try:
                    terms = parse_terms(" ".join(re.split(r", | and ", args)))
                except KibitzError:
                    return None
                atoms.append(Derived(Function(match[1], tuple(terms))))
            either = disjunction(atoms)
            return (either if match[3] == "holds" else negation(either)), match.end()
        for name, given in self.scene.lexicon.relations.items():
            asked = re.sub(r"\\\{(\d)\\\}", r"(?P<a\1>\\S+)", re.escape(given))
            match = re.compile(asked).match(text, place)
            if match:
                groups = match.groupdict()
                terms = parse_terms(" ".join(groups[key] for key in sorted(groups)))
                return Derived(Function(name, tuple(terms))), match.end()
        return None

    def _numbered(self, text: str, place: int) -> Heard | None:
        match = re.compile(r"at least (\d+) moves were made").match(text, place)
        if match:
            return Made(int(match[1])), match.end()
        for role in self.scene.game.roles:
            mine = role == self.scene.role
            whose = "your" if mine else f"{who(self.scene, role)[0]}'s"
            for sign, words in COMPARING.items():
                match = re.compile(rf"{re.escape(whose)} goal is {words}(\d+)").match(text, place)
                if match:
                    return GoalIs(role, sign, int(match[1])), match.end()
        return read_number_condition(self.scene, text, place)

    def _whole(self, text: str, place: int) -> Heard | None:
        """Read a condition about some, no or every place of the board."""
        noun = self.naming.noun
        for word in ("some", "no", "every"):
            start = f"{word} {noun} "
            if not text.startswith(start, place):
                continue
            for content, size in self._contents(text, place + len(start), "one"):
                piece = content.piece
                held = [
                    Holds(fluent)
                    for fluent, (_, c) in self.scene.on_board.items()
                    if c.piece == piece
                ]
                joined = conjunction(held) if word == "every" else disjunction(held)
                return (negation(joined) if word == "no" else joined), size
        return None

    def _contents(self, text: str, place: int, form: str) -> Iterator[tuple[Content, int]]:
        """Walk the contents of a place that can be read here, the longest first."""
        contents = list(self.scene.contents.values())
        contents += [self.naming.content(f"?{n}") for n in range(1, 5)]
        phrases = [(_form(content, form), content) for content in contents]
        for phrase, content in sorted(phrases, key=lambda pair: -len(pair[0])):
            if text.startswith(phrase, place) and _END.match(text, place + len(phrase)):
                yield content, place + len(phrase)

    def _stands(self, text: str, place: int) -> Heard | None:
        """Read what is on one place or several."""
        forms: tuple[tuple[str, str, str, bool, Callable[[list[Formula]], Formula]], ...] = (
            ("", "", "one", True, conjunction),
            ("", "", "negated", False, conjunction),
            ("", " and ", "many", True, conjunction),
            ("neither ", " nor ", "one", False, conjunction),
            ("none of ", " and ", "one", False, conjunction),
            ("one of ", " and ", "one", True, disjunction),
            ("not one of ", " and ", "one", True, lambda parts: negation(disjunction(parts))),
        )
        for start, last, form, sign, join in forms:
            if not text.startswith(start, place):
                continue
            for spots, here in self._places(text, place + len(start), last):
                if not text.startswith(" ", here):
                    continue
                for content, end in self._contents(text, here + 1, form):
                    held: list[Formula] = [Holds(at(spot, content.piece)) for spot in spots]
                    return join(held if sign else [Not(each) for each in held]), end
        return None

    def _places(self, text: str, place: int, last: str) -> Iterator[tuple[list[Spot], int]]:
        """Walk the lists of places that can be read here: one place where nothing joins them."""
        phrases = self._phrases
        first = [phrase for phrase in phrases if text.startswith(phrase, place)]
        for phrase in first:
            spot, here = self.naming.phrases[phrase], place + len(phrase)
            if not last:
                yield [spot], here
                continue
            for glue in (last, ", "):
                if text.startswith(glue, here):
                    after = "" if glue == last else last
                    for spots, end in self._places(text, here + len(glue), after):
                        yield [spot, *spots], end

    @cached_property
    def _phrases(self) -> list[str]:
        return sorted(self.naming.phrases, key=len, reverse=True)


def _form(content: Content, form: str) -> str:
    match form:
        case "many":
            return content.many
        case "negated":
            return content.negated()
        case _:
            return content.one
