"""English in, conditions out: the inverse of `formula_writer`, phrase by phrase."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial

from kibitz.english.rules.formula_phrases import carry_fluents, normal
from kibitz.english.rules.formula_writer import NOT_SO, who
from kibitz.english.rules.number_phrases import COMPARING, read_number_condition
from kibitz.english.rules.phrases import Content
from kibitz.english.rules.spot_names import Naming
from kibitz.english.rules.spots import Spot, at, filled
from kibitz.english.scene import Scene
from kibitz.errors import KibitzError
from kibitz.gdl import Function, parse_terms
from kibitz.strategy import (
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
    Previous,
    Terminal,
    Turn,
    Wins,
    at_least,
    conjunction,
    disjunction,
    negation,
    write_formula,
)
from kibitz.wording import NUMBER_WORDS

__all__ = ["ConditionReader", "read_at", "read_condition"]

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
