"""A sentence in the words of a designer in, the same in the words of the table out.

Sentences are looked up in the table of `sentences.py` first. What is not found there is tried
again in other words: *the first player to get three in a row wins* as *you win if you get three in
a row*. Words keep their places in the text, so that errors point at what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from kibitz.rulebook.grammar import Token, number_of, singular_of, stem_of
from kibitz.rulebook.paraphrase_rules import IGNORED, PHRASES, RULES, WORDS

_DEEPEST = 4
_SPLITS = 3
"""In how many ways the words of a sentence are shared among the stars of a pattern."""


def needs_no_rule(tokens: list[Token]) -> bool:
    """Return whether a sentence only says what holds in any case, such as *players take turns*."""
    return " ".join(token.stem for token in tokens) in IGNORED


def paraphrased(
    tokens: list[Token], players: tuple[str, ...], understands: Callable[[list[Token]], bool]
) -> list[list[Token]] | None:
    """Return sentences that are understood and say the same, or None.

    `players` are the names that a text gives its players; `understands` tells a sentence of the
    table from another.
    """
    names = {name.lower() for name in players}
    waiting: list[tuple[list[list[Token]], int]] = [([_plain(tokens, names)], 0)]
    seen: set[tuple[str, ...]] = set()
    for sentences, depth in waiting:
        unclear = [n for n, one in enumerate(sentences) if not understands(one)]
        if not unclear:
            return sentences
        key = tuple(" ".join(t.text.lower() for t in one) for one in sentences)
        if depth >= _DEEPEST or key in seen or len(waiting) > 300:
            continue
        seen.add(key)
        number = unclear[0]
        before, after = sentences[:number], sentences[number + 1 :]
        waiting.extend(
            ([*before, *others, *after], depth + 1)
            for others in _reworded(sentences[number], names)
        )
    return None


def _plain(tokens: list[Token], names: set[str]) -> list[Token]:
    """Write *your* for *their*, and a player's name without an article."""
    found: list[Token] = []
    singular = {singular_of(name): name for name in names}
    for token in tokens:
        word = token.text.lower()
        before = [one.text.lower() for one in found[-2:] if one.text.lower() not in ("the", "a")]
        if word not in names and token.stem in singular and before[-1:] in ([], ["if"], ["when"]):
            token = replace(token, text=singular[token.stem])  # the goats win, of the player Goat
            word = singular[token.stem]
        if word in ("enemy", "opposing") and found and found[-1].text.lower() == "the":
            found[-1:] = [replace(found[-1], text=one) for one in ("your", "opponent", "'s")]
            continue
        article = found[-1].text.lower() if found else ""
        if word in names and (article == "the" or (article == "a" and len(found) == 1)):
            found.pop()
        found.append(replace(token, text=WORDS[word]) if word in WORDS else token)
    for left, right in PHRASES:
        words = left.split()
        at = 0
        while at + len(words) <= len(found):
            if [t.text.lower() for t in found[at : at + len(words)]] == words:
                made = [replace(found[at], text=word) for word in right.split()]
                found[at : at + len(words)] = made
                at += len(made)
            else:
                at += 1
    return found


def _reworded(tokens: list[Token], names: set[str]) -> Iterator[list[list[Token]]]:
    listed = _several_starts(tokens, names)
    if len(listed) > 1:
        yield listed
    for left, right in RULES:
        for stars in islice(_matches(left.split(), tokens, names), _SPLITS):
            yield [_filled(one.split(), stars, tokens) for one in right.split(" | ")]


def _several_starts(tokens: list[Token], names: set[str]) -> list[list[Token]]:
    """Split *White starts with a king on a1, a rook on b1 and pawns on row 2* by kinds."""
    stems = [token.stem for token in tokens]
    who = 1 if tokens[0].text.lower() in names else 2 if stems[:2] == ["each", "player"] else 0
    has = stems[who : who + 2]
    head = who + 2 if has in (["start", "with"], ["begin", "with"]) else who + (has[:1] == ["has"])
    if not who or head == who:
        return []
    begins = [head]
    for at in (n for n, stem in enumerate(stems) if stem == "on" and n > head):
        begin = (
            at - 1 if number_of(stems[at - 2]) is None and stems[at - 2] not in _BEFORE else at - 2
        )
        if begin > head and (tokens[begin].is_apart or stems[begin - 1] == "and"):
            begins.append(begin)
    ends = [n - (stems[n - 1] == "and") for n in (*begins[1:], len(tokens))]
    return [tokens[:head] + tokens[begin:end] for begin, end in zip(begins, ends, strict=True)]


_BEFORE = ("a", "the", "his", "her", "your")
"""Words before the name of a piece, beside numbers."""


def _matches(
    pattern: list[str], tokens: list[Token], names: set[str]
) -> Iterator[list[list[Token]]]:
    """Yield what the stars of a pattern stand for, the shortest first."""
    if not pattern:
        if not tokens:
            yield []
        return
    first, rest = pattern[0], pattern[1:]
    if first in ("*", "?", "@"):
        if first == "@" and tokens and tokens[0].text.lower() not in names:
            return
        for size in range(1, len(tokens) + 1 if first == "*" else 2):
            if size <= len(tokens):
                for more in _matches(rest, tokens[size:], names):
                    yield [tokens[:size], *more]
    elif first == ",":
        if tokens and tokens[0].is_apart:
            yield from _matches(rest, tokens, names)
    elif tokens and _is_same(first, tokens[0]):
        yield from _matches(rest, tokens[1:], names)


def _is_same(word: str, token: Token) -> bool:
    number = number_of(word)
    return token.stem == stem_of(word) or (number is not None and number_of(token.text) == number)


def _filled(words: list[str], stars: list[list[Token]], tokens: list[Token]) -> list[Token]:
    """Put what stars stand for into words; a gerund becomes a plain verb."""
    found: list[Token] = []
    for word in words:
        if word.startswith("*"):
            chosen = list(stars[int(word[1]) - 1])
            if word.endswith("-ing"):
                chosen = [_verb(token) for token in chosen]
            found += chosen
        else:
            near = found[-1] if found else tokens[0]
            found.append(Token(word.rstrip(":"), near.place))
    return found if words[0] != "there" else _apart(found)


def _apart(tokens: list[Token]) -> list[Token]:
    """Separate numbers that follow one another, as commas do."""
    found: list[Token] = []
    for token in tokens:
        is_apart = bool(found) and number_of(found[-1].text) is not None
        found.append(replace(token, is_apart=True) if is_apart else token)
    return found


_VERBS = re.findall(
    r"\w+",
    "bite capture choose colour complete connect drop flip form get have jump lose make mark move "
    "pass place push put reach remove slide sow swap switch take turn",
)


def _gerund(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1] + "ing"
    doubled = verb in ("drop", "flip", "get", "put", "swap")
    return verb + verb[-1] * doubled + "ing"


_BASES = {_gerund(verb): verb for verb in _VERBS}


def _verb(token: Token) -> Token:
    """Return *placing* as *place*, *dropping* as *drop*."""
    base = _BASES.get(token.text.lower())
    return replace(token, text=base) if base else token
