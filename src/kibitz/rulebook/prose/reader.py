"""A sentence as people write it in, sentences of the table out; or nothing, never a guess.

Every word of a sentence must be read. Sentences that join several are split where a comma or *and*
stands; what cannot be said in the words of the table is not understood.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from kibitz.errors import Place
from kibitz.rulebook.grammar import RESERVED, Grammar, Token, Work
from kibitz.rulebook.model import Sentence
from kibitz.rulebook.prose.act_phrases import ACTS, HOW
from kibitz.rulebook.prose.boards import board_leaf
from kibitz.rulebook.prose.conditions import ENDINGS, nobody_leaf
from kibitz.rulebook.prose.ends import ENDS
from kibitz.rulebook.prose.leaves import leaves
from kibitz.rulebook.prose.lines import line_leaf, sides_leaf
from kibitz.rulebook.prose.piles import PILES
from kibitz.rulebook.prose.play import PLAY
from kibitz.rulebook.prose.remarks import remark_of
from kibitz.rulebook.prose.starts import STARTS
from kibitz.rulebook.prose.tables import word_set
from kibitz.rulebook.prose.words import VERBS, plain_words
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.slots import BUILTINS

MAX_PARSES = 80
"""Clauses that are tried for one sentence."""

_GOALS = word_set("""
    goal aim objective object winning win end ending victory
    """)
_JOINTS = ("and", "but", "while", "whereas", "so", "then")
_TIES = [
    one.split()
    for one in (
        "in other words",
        "that is",
        "in this case",
        "in that case",
        "so",
        "therefore",
        "this means that",
        "remember that",
        "note that",
        "of course",
    )
]


class Prose:
    """Reads the sentences of one text, whose players have these names."""

    def __init__(self, names: tuple[str, ...], *, is_hexagonal: bool = False) -> None:
        self.grammar = _grammar(names, is_hexagonal)
        self._subject: list[Token] = []
        self.work = Work()
        self.reached = 0
        """Where in the text the words begin that were not understood last."""

    def read(self, tokens: list[Token], heading: str = "") -> list[Sentence] | None:
        """Return what a sentence says, or None; under the heading *Goal* it says what wins."""
        words = self._with_subject(plain_words(tokens))
        self.reached = 0
        self._parses = 0
        found = self._read(words)
        if found is None and heading in _GOALS:
            found = self._read([*_words("you win by", words[0].place), *words])
        self._subject = _subject(words) or self._subject
        return found

    def _read(self, tokens: list[Token], depth: int = 0) -> list[Sentence] | None:
        if not tokens:
            return []
        tokens = self._begun(tokens)
        if not tokens:
            return []
        found = _remark(tokens) or self._whole(tokens)
        if found is not None or depth > 5:
            return found
        for at in range(1, len(tokens)):
            joint = tokens[at].text.lower() in _JOINTS
            if not joint and not tokens[at].is_apart:
                continue
            before = self._read(tokens[:at], depth + 6)
            if before is None:
                continue
            rest = at + joint
            while rest < len(tokens) and tokens[rest].text.lower() in _JOINTS:
                rest += 1
            after = self._after(tokens[:at], tokens[rest:], depth + 1)
            if after is not None:
                return before + after
        return None

    def _after(self, before: list[Token], tokens: list[Token], depth: int) -> list[Sentence] | None:
        """Read a clause after another; one that begins with a verb has the subject of that."""
        subject = _subject(before)
        if tokens and tokens[0].stem in VERBS and subject and _remark(tokens) is None:
            return self._read([*subject, *tokens], depth)
        return self._read(tokens, depth)

    def _with_subject(self, tokens: list[Token]) -> list[Token]:
        """Write *the wolf* for *it* at the head of a clause, if the words before are about it."""
        found: list[Token] = []
        subject = self._subject
        for at, token in enumerate(tokens):
            is_head = at == 0 or token.is_apart or tokens[at - 1].text.lower() in _JOINTS
            after = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
            if is_head and at == 0:
                subject = _subject(tokens) or subject
            if is_head and token.text.lower() == "it" and subject and after not in ("is", "'s"):
                found += [
                    replace(one, place=token.place, is_apart=token.is_apart and n == 0)
                    for n, one in enumerate(subject)
                ]
            else:
                found.append(token)
        return found

    def _begun(self, tokens: list[Token]) -> list[Token]:
        """Return a clause without words that only tie it to others, *it* as what that is."""
        lows = [token.text.lower() for token in tokens]
        for words in _TIES:
            if lows[: len(words)] == words:
                return tokens[len(words) :]
        return [one for one in tokens if one.text != "at-start"] if "at-start" in lows else tokens

    def _whole(self, tokens: list[Token]) -> list[Sentence] | None:
        self._parses += 1
        if self._parses > MAX_PARSES:
            return None
        value, _, _ = GRAMMAR.parse(tokens)
        if value is not None:
            return [value]
        said, reached, _ = self.grammar.parse(tokens, "says", work=self.work)
        if said is None:
            end = tokens[reached].place.start if reached < len(tokens) else tokens[-1].place.end
            self.reached = max(self.reached, end)
        return None if said is None else list(said)


def _words(text: str, place: Place) -> list[Token]:
    return [Token(word, place) for word in text.split()]


def _remark(tokens: list[Token]) -> list[Sentence] | None:
    return remark_of(" ".join(token.stem for token in tokens))


def _subject(tokens: list[Token]) -> list[Token]:
    """Return what a later sentence may call *it*: the noun that a sentence begins with."""
    if len(tokens) > 2 and tokens[0].text.lower() in ("a", "the", "each", "your"):
        return [Token("the", tokens[0].place), tokens[1]]
    is_noun = len(tokens) > 1 and tokens[0].stem not in RESERVED and tokens[0].stem not in VERBS
    if is_noun and tokens[1].stem in VERBS:
        return [tokens[0]]
    return []


@lru_cache(maxsize=16)
def _grammar(names: tuple[str, ...], is_hexagonal: bool) -> Grammar:
    patterns = (*GRAMMAR.patterns, *HOW, *ACTS, *PLAY, *STARTS, *PILES, *ENDINGS, *ENDS)
    builtins = {
        **BUILTINS,
        **leaves(names),
        "board": board_leaf(is_hexagonal),
        "line": line_leaf(),
        "two_sides": sides_leaf(),
        "nobody_said": nobody_leaf(),
    }
    return Grammar(patterns, builtins)
