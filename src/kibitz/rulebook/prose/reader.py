"""A sentence as people write it in, sentences of the table out; or nothing, never a guess.

Every word of a sentence must be read. Sentences that join several are split where a comma or *and*
stands; what cannot be said in the words of the table is not understood.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from kibitz.errors import Place
from kibitz.rulebook.grammar import Grammar, Token, stem_of
from kibitz.rulebook.model import Sentence
from kibitz.rulebook.prose.ends import END_SENTENCES, line_leaf, nobody_leaf, sides_leaf
from kibitz.rulebook.prose.leaves import leaves
from kibitz.rulebook.prose.moves import ACTS, MOVE_SENTENCES
from kibitz.rulebook.prose.starts import START_SENTENCES, board_leaf
from kibitz.rulebook.prose.words import plain_words
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.slots import BUILTINS

__all__ = ["Prose"]

_GOALS = frozenset("goal aim objective object winning win end ending victory".split())
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
_PEOPLE = r"(?:(?:the |both |all )?(?:two |2 |three |3 )?(?:player|child|children|people|person|side|you) (?:then )?)?"
_REMARKS = tuple(
    re.compile(one)
    for one in (
        rf"(?:then )?{_PEOPLE}(?:take (?:it in )?turn(?: move| play)?|alternate(?: turn| move)?|(?:move|play) (?:alternately|in turn|by turn)"
        r"|go in turn|move in that order|take turn to move)",
        r"turn alternate|and so on(?: in turn)?|in that order|on your turn",
        r"(?:at-start )?(?:the board|it) (?:start|begin|is)(?: out)? empty(?: at-start)?|all empty(?: at-start)?",
        r"(?:a |the |all |any )?captured \w+ is (?:removed|taken off)(?: from the board)?",
        r"there is no (?:\w+ ){1,3}?(?:(?:and|or) no (?:\w+ ?){1,3})*",
        r"there is no \w+(?: \w+)?",
        r"no (?:capture|draw|king|promotion|pass|jump)(?: \w+)?(?: is| are)?(?: allowed| possible)?",
        r"(?:a )?draw (?:is|are) (?:impossible|not possible)|the game cannot end in (?:a )?draw",
        r"(?:pass|passing|capture|jump) (?:is|are) not (?:allowed|permitted|compulsory|mandatory|required|obligatory|forced)",
        r"(?:only )?one jump (?:is allowed|may be made)(?: on your turn)?",
        r"(?:the )?(?:\w+ )?(?:disc|piece|counter|stone|token|checker|it) (?:fall|drop|slide)s? (?:down )?to the lowest (?:empty )?cell(?: (?:in|of) (?:that|the) column)?",
        r"(?:and )?(?:the )?(?:other|others|other two|your opponent)(?: player)? (?:win|lose)s?",
        r"at least one \w+ must be (?:removed|taken)|at least one(?: and up to the (?:whole |entire )?\w+)?",
        r"(?:only )?(?:one|a) (?:piece|man|stone|\w+) (?:may|can) be on (?:a|one|each) cell",
        r"\w+ cannot overlap",
        r"(?:if (?:both|you both) choose the same )?nobody score",
        r"\w+ is never (?:removed|captured|moved|taken)(?: from the board)?",
        r"\w+ (?:never|cannot) move (?:again|if (?:you are |it is )?placed|after (?:that|you are placed))",
        r"nobody may (?:use|enter|go to) it(?: again)?",
        r"(?:you|\w+) cannot (?:move|land|jump|go) (?:to|onto|on) (?:a cell (?:occupied by|with) )?your own \w+",
        r"(?:this|that) be? ?all",
        r"(?:piece|men|man|they|you)s? (?:only )?move (?:only )?to empty cell",
        r"in that case|otherwise|in other word",
        r"you cannot (?:get to )?jump (?:twice|again|more than once).*|you must move if you (?:can|may)",
        r"there is no \w+ or \w+|equal \w+ is a draw|\w+ each is a draw|if (?:the |your )?\w+ is equal (?:it|the game) is a draw",
        r"(?:the )?jumped \w+ stay (?:there|where it is|on the board)",
        r"corner cell count as belong to both.*|one on your turn|of course.*",
        r"(?:\w+ )?(?:cell )?(?:wide|across|tall|high|long|deep)(?: and)? (?:\w+ )(?:cell )?(?:wide|across|tall|high|long|deep|row|column)",
        r"\w+ (?:cell )?(?:wide|across|tall|high|long|deep)|\w+ (?:row|column)",
        r"(?:the )?(?:\w+ )?(?:row|cell|column)s? (?:is|are) (?:left )?empty|the centre row is (?:left )?empty",
        r"(?:capture|jump|capturing) (?:is|are) (?:optional|not forced|voluntary)",
        r"(?:only )?one \w+ (?:is|may be) captured(?: on your turn| in a turn)?",
        r"(?:stone|piece|counter|disc|token|mark|wall)s? (?:is|are) (?:never|not) (?:moved|removed|moved or removed|moved or taken off)",
        r"(?:wall|stone|piece|it|counter)s? (?:stay|remain)(?: there| where it is| on the board)*",
        r"it (?:make|do) no difference .*|it cannot matter .*|(?:diagonal|order|colour) cannot matter",
        r"nobody capture|two piece cannot be on the same cell|no \w+ may move onto (?:them|it)",
        r"then \w+(?: then \w+)*|and round again|then the next player",
        r"you cannot (?:take|remove) more \w+ than there is|no pass(?: is allowed)?",
        r"all (?:the )?cell is used|all (?:the |of the )?\w+ is the same colour",
        r"two cell in one direction and one cell to the side|and one cell to the side|two cell in one direction",
    )
)


class Prose:
    """Reads the sentences of one text, whose players have these names."""

    def __init__(self, names: tuple[str, ...], *, is_hexagonal: bool = False) -> None:
        self.grammar = _grammar(names, is_hexagonal)
        self._subject: list[Token] = []

    def read(self, tokens: list[Token], heading: str = "") -> list[Sentence] | None:
        """Return what a sentence says, or None; under the heading *Goal* it says what wins."""
        words = plain_words(tokens)
        words = self._with_subject(words)
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
        text = " ".join(token.stem for token in tokens)
        if any(one.fullmatch(text) for one in _REMARKS):
            return []
        found = self._whole(tokens)
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
            after = self._read(tokens[rest:], depth + 1)
            if after is not None:
                return before + after
        return None

    def _with_subject(self, tokens: list[Token]) -> list[Token]:
        """Write *the wolf* for *it* where a clause begins, and the clause or sentence before has it."""
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
        value, _, _ = GRAMMAR.parse(tokens)
        if value is not None:
            return [value]
        said, _, _ = self.grammar.parse(tokens, "says")
        return None if said is None else list(said)


def _words(text: str, place: Place) -> list[Token]:
    return [Token(word, place) for word in text.split()]


def _subject(tokens: list[Token]) -> list[Token]:
    """Return what a later sentence may call *it*: the noun that a sentence begins with."""
    if len(tokens) > 2 and tokens[0].text.lower() in ("a", "the", "each", "your"):
        return [Token("the", tokens[0].place), tokens[1]]
    return []


@lru_cache(maxsize=16)
def _grammar(names: tuple[str, ...], is_hexagonal: bool) -> Grammar:
    patterns = (*GRAMMAR.patterns, *ACTS, *MOVE_SENTENCES, *START_SENTENCES, *END_SENTENCES)
    builtins = {
        **BUILTINS,
        **leaves(names),
        "board": board_leaf(is_hexagonal),
        "line": line_leaf(),
        "two_sides": sides_leaf(),
        "nobody_said": nobody_leaf(),
    }
    return Grammar(patterns, builtins)
