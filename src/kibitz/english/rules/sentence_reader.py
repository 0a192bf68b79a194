"""The text of a sentence in, its tree out: the inverse of `sentence_writer`, for one scene."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from kibitz.english.places import CellPhrase
from kibitz.english.rules.formula_phrases import parts_of
from kibitz.english.rules.formulas import ConditionReader, read_at
from kibitz.english.rules.leaving import lengthen
from kibitz.english.rules.phrases import (
    AFTER,
    AFTER_WHICH,
    ALL_MOVES,
    ANY_MOVE,
    BY_ANY_MOVE,
    SHORT,
    Action,
    Asked,
    Clause,
    Fact,
    Occupies,
    PlainRule,
    Sentence,
    which_of,
)
from kibitz.english.rules.sentence_writer import line_place, meaning
from kibitz.english.rules.spots import Naming
from kibitz.english.scene import Scene
from kibitz.errors import InputError

_GLUE = re.compile(r", | and ")


def read_back(scene: Scene, text: str) -> frozenset[PlainRule]:
    """Return the rules that a sentence means, from its text alone."""
    return meaning(scene, Reader(scene).sentence(text))


class Reader:
    """Reads sentences in the words of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.letters: tuple[str, ...] = ()

    def sentence(self, text: str) -> Sentence:
        """Read a sentence; raise InputError if it does not belong to this scene."""
        rest = text.removesuffix(".")
        likewise = ""
        if self.scene.likewise and rest.endswith(self.scene.likewise):
            likewise = self.scene.likewise
            rest = rest.removesuffix(likewise)
        rest, _, points = rest.partition(", for any points ")
        self.letters = tuple(re.findall("[A-Z]", points))
        for start in (rest[:1].lower() + rest[1:], rest):
            for cut in re.finditer(" if ", start):
                actions = self._actions(start[: cut.start()])
                clauses = self._clauses(start[cut.end() :])
                if actions is not None and clauses is not None:
                    made, which = actions
                    return Sentence(made, (*clauses, *which), likewise, self.letters)
        raise InputError(f"this is not a sentence about {self.scene.game.sheet.name}: {text}")

    @cached_property
    def _place(self) -> str:
        return _any_of(self.scene.places) + r"|line [A-Z][A-Z]"

    def _find_place(self, text: str) -> CellPhrase:
        if text in self.scene.places and not self.letters:
            return self.scene.places[text]
        return line_place(self.scene.boards[0], tuple(text[-2:]))

    def _actions(self, text: str) -> tuple[tuple[Action, ...], list[Clause]] | None:
        """Read moves, and formulas that follow them."""
        which = self._which(text)
        if which is not None:
            if text.startswith(ALL_MOVES):
                return (Action(ALL_MOVES, moves=self.scene.all_moves),), which
            return (Action(ANY_MOVE, moves=self.scene.every_move),), which
        actions: list[Action] = []
        while text:
            found = self._one_action(text)
            if found is None:
                return None
            action, size = found
            actions.append(action)
            text = text[size:]
            if text and not text.startswith(" or "):
                return None
            text = text.removeprefix(" or ")
        return tuple(actions), []

    def _which(self, text: str) -> list[Clause] | None:
        if text.startswith(BY_ANY_MOVE):
            text = lengthen(text.removeprefix(BY_ANY_MOVE)).replace(ANY_MOVE, ALL_MOVES, 1)
        text = next((long for long, short in SHORT.items() if short == text), lengthen(text))
        if not text.startswith((ANY_MOVE, ALL_MOVES)):
            return None
        found: list[Clause] = []
        rest = text.removeprefix(ANY_MOVE).removeprefix(ALL_MOVES).removeprefix(" ")
        known = {which: (f, phrase) for f, (phrase, which) in self.scene.formulas.items() if which}
        for part in rest.split(" and ") if rest else []:
            if part in known:
                found.append(Asked(*known[part], part))
                continue
            phrase = AFTER + part.removeprefix(AFTER_WHICH)
            result = read_at(self._reader, phrase) if part.startswith(AFTER_WHICH) else None
            if result is None or result[1] < len(phrase):
                return None
            found.append(Asked(parts_of(result[0]), phrase, part))
        return found

    def _one_action(self, text: str) -> tuple[Action, int] | None:
        for key, verb in self.scene.verbs.items():
            pattern = re.escape(verb.template).replace(r"\{v\}", "(?P<v>[\\w -]+?)")
            count = 0
            while rf"\{{{count + 1}\}}" in pattern:
                count += 1
                pattern = pattern.replace(rf"\{{{count}\}}", f"(?P<p{count}>{self._place})")
            match = re.match(rf"(?:{pattern})(?= or |$)", text)
            if match:
                places = tuple(self._find_place(match[f"p{n}"]) for n in range(1, count + 1))
                value = match["v"] if "v" in match.groupdict() else ""
                return Action(match[0], key, places, value), match.end()
        written = {f"play {w}": m for m in self.scene.moves for w in self.scene.writings(m)}
        match = re.match(rf"(?:{_any_of(written)})(?= or |$)", text)
        if match:
            return Action(match[0], moves=frozenset({written[match[0]]})), match.end()
        return None

    def _clauses(self, text: str) -> list[Clause] | None:
        if text == "you can":
            return []
        found: list[Clause] = []
        while text:
            read = self._one_clause(text)
            if read is None:
                return None
            clause, size = read
            found.append(clause)
            text = text[size:]
            glue = _GLUE.match(text)
            if text and not glue:
                return None
            text = text[glue.end() :] if glue else text
        return found

    @cached_property
    def _facts(self) -> dict[str, Fact]:
        found: dict[str, Fact] = {}
        for fluent in self.scene.fluents:
            for plain in self.scene.writings(fluent):
                for text, sign in ((f"{plain} holds", True), (f"{plain} does not hold", False)):
                    found[text] = Fact(fluent, sign, text)
        for fluent, phrase in self.scene.facts.items():
            for text, sign in zip(phrase, (True, False), strict=True):
                found[text] = Fact(fluent, sign, text)
        return found

    @cached_property
    def _fact_pattern(self) -> str:
        return rf"(?:{_any_of(self._facts)})(?=, | and |$)"

    def _one_clause(self, text: str) -> tuple[Clause, int] | None:
        match = re.match(self._fact_pattern, text)
        if match:
            return self._facts[match[0]], match.end()
        for formula, (phrase, which) in self.scene.formulas.items():
            if re.match(rf"{re.escape(phrase)}(?=, | and |$)", text):
                return Asked(formula, phrase, which), len(phrase)
        match = re.match(r"«([^»]*)» holds", text)
        if match:
            return Asked(self.scene.read_formula(match[1]), match[0]), match.end()
        stands = self._stands(text)
        if stands is not None:
            return stands
        result = read_at(self._reader, text)
        if result is None:
            return None
        asked, size = result
        return Asked(parts_of(asked), text[:size], which_of(text[:size])), size

    @cached_property
    def _reader(self) -> ConditionReader:
        return ConditionReader(Naming(self.scene, 0))

    def _stands(self, text: str) -> tuple[Clause, int] | None:
        one = rf"(?:{self._place})"
        several = rf"{one}(?:, {one})*(?: and {one})?"
        for content in self.scene.contents.values():
            forms = (
                (rf"({one}) {re.escape(content.one)}", True),
                (rf"({one}) {re.escape(content.negated())}", False),
                (rf"({several}) {re.escape(content.many)}", True),
                (rf"neither ({one} nor {one}) {re.escape(content.one)}", False),
                (rf"none of ({several}) {re.escape(content.one)}", False),
            )
            for form, sign in forms:
                match = re.match(rf"(?:{form})(?=, | and |$)", text)
                if match:
                    names = re.findall(one, match[1])
                    places = tuple(map(self._find_place, names))
                    return Occupies(places, content, sign), match.end()
        return None


def _any_of(texts: Iterable[str]) -> str:
    """Make a pattern that matches any of some texts, the longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True)) or "(?!)"
