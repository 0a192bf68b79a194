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

__all__ = ["needs_no_rule", "paraphrased"]

_IGNORED = (
    "player take turn",
    "the player take turn",
    "both player take turn",
    "they take turn",
    "player alternate turn",
    "player alternate",
    "player move in turn",
    "the player move in turn",
    "player move alternately",
)
"""Sentences that say what holds anyway."""

_WORDS = {
    "their": "your",
    "theirs": "yours",
    "his": "your",
    "her": "your",
    "they": "you",
    "he": "you",
    "she": "you",
    "occupy": "take",
    "claim": "take",
}

_PHRASES = (
    ("the opponent", "your opponent"),
    ("an opponent", "your opponent"),
    ("the other player", "your opponent"),
    ("another player", "your opponent"),
    ("from one pile", "from a pile"),
    ("from any pile", "from a pile"),
    ("from a single pile", "from a pile"),
    ("all of", "all"),
    ("can not", "cannot"),
    ("is unable to", "cannot"),
    ("who has", "with"),
    ("at the same moment", "at the same time"),
    ("simultaneously", "at the same time"),
)

_TURNS = (
    "a placed piece turns over each line of pieces of your opponent between it and another of "
    "yours | a placed piece must turn over a piece"
)
_AT_ONCE = "all players move at the same time | you may choose"
_SWITCH = "on your turn switch the light on a cell and on the cells next to it"
_RULES = (
    # Several things, said in one sentence.
    ("@ start * , @ start *", "*1 starts *2 | *3 starts *4"),
    ("@ start * and @ start *", "*1 starts *2 | *3 starts *4"),
    ("@ start * , and @ start *", "*1 starts *2 | *3 starts *4"),
    ("@ have * and @ have *", "*1 has *2 | *3 has *4"),
    ("a player with * or who * loses", "a player with *1 loses | a player who *2 loses"),
    ("a player who * or who * loses", "a player who *1 loses | a player who *2 loses"),
    ("@ moves * or jumps *", "*1 moves *2 | *1 jumps *3"),
    ("a ? moves * or jumps *", "a *1 moves *2 | a *1 jumps *3"),
    ("a ? moves * or captures *", "a *1 moves *2 | a *1 captures *3"),
    ("a ? moves * and captures *", "a *1 moves *2 | a *1 captures *3"),
    ("a ? steps *", "a *1 moves one step *2"),
    ("? step *", "a *1 moves one step *2"),
    ("the ? step *", "a *1 moves one step *2"),
    ("@ 's ? start in * @ 's in *", "*1 's *2 start on *3 | *4 's *2 start on *5"),
    ("@ 's ? start on * @ 's on *", "*1 's *2 start on *3 | *4 's *2 start on *5"),
    ("@ 's ? start in *", "*1 's *2 start on *3"),
    ("? if * or if *", "*1 if *2 | *1 if *3"),
    ("* if * or if *", "*1 if *2 | *1 if *3"),
    ("* if * or *", "*1 if *2 | *1 if *3"),
    ("two players * take turns *", "players: *1 | on your turn *2-ing"),
    # Boards and players.
    ("the game is played on a * board by two players *", "the board is *1 | players: *2"),
    ("the game is played by two players * on a * board", "players: *1 | the board is *2"),
    ("it is a game for two players", "players: First and Second"),
    ("this is a game for two players", "players: First and Second"),
    ("there are two players", "players: First and Second"),
    ("* is played by two players * on a * board", "name: *1 | players: *2 | the board is *3"),
    ("* is played on a * board by two players *", "name: *1 | the board is *2 | players: *3"),
    ("the game is played on a * board", "the board is *1"),
    ("the game is played on *", "the board is *1"),
    ("it is played on *", "the board is *1"),
    ("we play on *", "the board is *1"),
    ("there is a * board", "the board is *1"),
    ("there is a board of *", "the board is *1"),
    ("the board is a hexagonal grid of *", "the board is a rhombus of *1 hexagons"),
    ("the board is a * hexagonal grid", "the board is a rhombus of *1 hexagons"),
    ("the board is a * grid of hexagons", "the board is a rhombus of *1 hexagons"),
    ("there are * points *", "points: *2"),
    ("two players * take turns", "players: *1"),
    ("two players *", "players: *1"),
    ("three players *", "players: *1"),
    ("three players * take turns", "players: *1"),
    ("two players * play", "players: *1"),
    ("there are two players *", "players: *1"),
    ("there are three players *", "players: *1"),
    ("the two players are *", "players: *1"),
    ("the game has two players *", "players: *1"),
    ("it is a game for two players *", "players: *1"),
    ("there are * in a pile", "there is a pile of *1"),
    ("there is one pile of *", "there is a pile of *1"),
    ("a pile has *", "there is a pile of *1"),
    ("there are two piles of ? and ? ?", "there are piles of *1 and *2 *3"),
    ("there are three piles of ? ? and ? ?", "there are piles of *1 *2 and *3 *4"),
    ("there are two piles of ? ?", "there are piles of *1 and *1 *2"),
    ("there are three piles of ? ?", "there are piles of *1 *1 and *1 *2"),
    ("there are four piles of ? ?", "there are piles of *1 *1 *1 and *1 *2"),
    ("there are * piles with *", "there are *1 piles of *2"),
    ("there is a row of * pins", "the board is a row of *1 cells | there are pins on every cell"),
    ("there are * pins in a row", "the board is a row of *1 cells | there are pins on every cell"),
    # Pieces of several kinds, said in one sentence.
    *(
        (
            f"{who} {has} * {joined} {which}? on *",
            f"{whom} {has} *{n} | {whom} {has} {which}*{n + 1} on *{n + 2}",
        )
        for who, whom, n in (("@", "*1", 2), ("each player", "each player", 1))
        for has in ("start with", "begin with", "have")
        for joined in ("and", ",", ", and")
        for which in ("", "a ", "the ", "two ", "three ", "four ", "five ", "six ", "eight ")
    ),
    ("both players start *", "each player starts *1"),
    ("both players have *", "each player has *1"),
    ("every player *", "each player *1"),
    # Choices at the same time.
    ("both players choose at the same time *", f"{_AT_ONCE} *1"),
    ("the players choose at the same time *", f"{_AT_ONCE} *1"),
    ("two players choose * at the same time", f"{_AT_ONCE} *1"),
    ("both players choose * at the same time", f"{_AT_ONCE} *1"),
    ("the players choose * at the same time", f"{_AT_ONCE} *1"),
    ("players choose * at the same time", f"{_AT_ONCE} *1"),
    ("all players choose * at the same time", f"{_AT_ONCE} *1"),
    ("? beats ? ? beats ? and ? beats ?", "*1 beats *2 | *3 beats *4 | *5 beats *6"),
    ("? beats ? and ? beats ?", "*1 beats *2 | *3 beats *4"),
    ("the winner of a round get * point", "a choice that beats the other gives *1 points"),
    ("whoever wins a round get * point", "a choice that beats the other gives *1 points"),
    # Turns and moves.
    ("players take turns to *", "on your turn *1"),
    ("players take turns *", "on your turn *1-ing"),
    ("the players take turns *", "on your turn *1-ing"),
    ("take turns *", "on your turn *1-ing"),
    ("on each turn a player *", "on your turn *1"),
    ("in each turn a player *", "on your turn *1"),
    ("on a turn a player *", "on your turn *1"),
    ("each turn a player *", "on your turn *1"),
    ("on each turn *", "on your turn *1"),
    ("in each turn *", "on your turn *1"),
    ("on every turn *", "on your turn *1"),
    ("each turn *", "on your turn *1"),
    ("every turn *", "on your turn *1"),
    ("each player in turn *", "on your turn *1"),
    ("in turn each player *", "on your turn *1"),
    ("in turn *", "on your turn *1"),
    ("* take one two or three *", "*1 take one to three *2"),
    ("* take 1 2 or 3 *", "*1 take one to three *2"),
    ("* take 1 2 3 or 4 *", "*1 take one to four *2"),
    ("* remove one two or three *", "*1 remove one to three *2"),
    ("* remove 1 2 or 3 *", "*1 remove one to three *2"),
    ("on your turn may *", "on your turn *1"),
    ("on your turn can *", "on your turn *1"),
    ("on your turn must *", "on your turn *1"),
    ("on your turn you must *", "on your turn *1"),
    ("on your turn you can *", "on your turn *1"),
    ("on your turn you either *", "on your turn *1"),
    ("on a turn *", "on your turn *1"),
    ("a move is to *", "on your turn *1"),
    ("a turn is to *", "on your turn *1"),
    ("your move is to *", "on your turn *1"),
    ("you must *", "on your turn *1"),
    ("you can *", "on your turn *1"),
    ("a player may *", "on your turn *1"),
    ("a player can *", "on your turn *1"),
    ("a player must *", "on your turn *1"),
    ("players may *", "on your turn *1"),
    ("players *", "on your turn *1"),
    ("both players *", "on your turn *1"),
    ("each player *", "on your turn *1"),
    ("place two * on empty cells", "you may place a *1 on an empty cell | a turn has two moves"),
    (
        "on your turn place two * on empty cells",
        "on your turn place a *1 on an empty cell | a turn has two moves",
    ),
    (
        "on your turn place * pieces on empty cells",
        "on your turn place a piece on an empty cell | a turn has *1 moves",
    ),
    ("on your turn move twice", "a turn has two moves"),
    (
        "on your turn place a * so that it flips at least one *",
        f"on your turn place a *1 | {_TURNS}",
    ),
    (
        "on your turn place a * so that it turns over at least one *",
        f"on your turn place a *1 | {_TURNS}",
    ),
    ("you move twice in a turn", "a turn has two moves"),
    ("on your turn make * moves", "a turn has *1 moves"),
    ("on your turn press a cell it and its neighbours switch", _SWITCH),
    ("press a cell it and its neighbours switch", _SWITCH),
    ("on your turn move ? to capture", "on your turn move *1 to capture a piece of your opponent"),
    ("on your turn move your ? *", "on your turn move one of your *1 *2"),
    ("the ? move *", "a *1 moves *2"),
    ("your ? move *", "a *1 moves *2"),
    ("the ? may *", "a *1 may *2"),
    ("the ? can *", "a *1 may *2"),
    ("? may move *", "a *1 may move *2"),
    ("? may jump *", "a *1 may jump *2"),
    ("? jump *", "a *1 jumps *2"),
    ("? slide *", "a *1 slides *2"),
    ("the ? slide *", "a *1 slides *2"),
    ("the ? jump *", "a *1 jumps *2"),
    ("* capturing it", "*1 and capture it"),
    ("* and captures it", "*1 and capture it"),
    ("* capturing a enemy piece you land on", "*1 to an empty cell or to capture"),
    ("* capturing any enemy piece there", "*1 to an empty cell or to capture"),
    ("* and capture in the same way", "*1 or to capture"),
    ("* and capture the same way", "*1 or to capture"),
    ("* and may capture", "*1 to an empty cell or to capture"),
    ("a ? may move *", "on your turn move a *1 *2"),
    ("a ? can move *", "on your turn move a *1 *2"),
    ("a ? may jump *", "on your turn jump with a *1 *2"),
    ("a ? can jump *", "on your turn jump with a *1 *2"),
    ("a ? jump *", "on your turn jump with a *1 *2"),
    ("a ? slide *", "on your turn slide a *1 *2"),
    ("a ? can slide *", "on your turn slide a *1 *2"),
    ("a ? capture one step *", "on your turn move a *1 one step *2 to capture"),
    ("a ? capture one cell *", "on your turn move a *1 one step *2 to capture"),
    ("a ? capture one square *", "on your turn move a *1 one step *2 to capture"),
    ("a ? capture *", "on your turn move a *1 one step *2 to capture"),
    ("a ? move one cell *", "on your turn move a *1 one step *2"),
    ("a ? move one square *", "on your turn move a *1 one step *2"),
    ("a ? move *", "on your turn move a *1 *2"),
    ("@ moves *", "on *1 's turn move a piece *2"),
    ("@ may move *", "on *1 's turn move a piece *2"),
    ("@ can move *", "on *1 's turn move a piece *2"),
    ("@ may *", "on *1 's turn *2"),
    ("@ can *", "on *1 's turn *2"),
    ("@ jumps *", "on *1 's turn jump with a piece *2"),
    ("@ slides *", "on *1 's turn slide a piece *2"),
    ("? move *", "on your turn move a *1 *2"),
    ("pieces move *", "on your turn move a piece *1"),
    ("the ? capture *", "a *1 captures *2"),
    ("? capture *", "a *1 captures *2"),
    ("pieces capture *", "on your turn move a piece one step *1 to capture"),
    ("pieces slide *", "on your turn slide a piece *1"),
    ("* one square *", "*1 one step *2"),
    ("* one space *", "*1 one step *2"),
    ("* one cell *", "*1 one step *2"),
    ("capture are mandatory", "you must capture if you can"),
    ("capture is mandatory", "you must capture if you can"),
    ("capturing is mandatory", "you must capture if you can"),
    ("capture are compulsory", "you must capture if you can"),
    ("capture are forced", "you must capture if you can"),
    ("you must capture when you can", "you must capture if you can"),
    ("you have to capture if you can", "you must capture if you can"),
    ("if you cannot move you must pass", "if you cannot move you pass"),
    ("if you cannot move your turn is skipped", "if you cannot move you pass"),
    ("if you cannot move you skip your turn", "if you cannot move you pass"),
    ("a ? promotes to a ? on *", "a *1 that reaches *3 becomes a *2"),
    ("a ? on * becomes a ?", "a *1 that reaches *2 becomes a *3"),
    # Ends.
    ("when *", "if *1"),
    ("* when *", "*1 if *2"),
    ("* if your ? ? stand in a *", "*1 if you have *2 *3 in a *4"),
    ("* if your ? ? are in a *", "*1 if you have *2 *3 in a *4"),
    ("once *", "if *1"),
    ("as soon as *", "if *1"),
    ("* as soon as *", "*1 if *2"),
    ("after * turns *", "if *1 turns have been played *2"),
    ("after * moves *", "if *1 turns have been played *2"),
    ("* after * turns", "*1 if *2 turns have been played"),
    ("* after * moves", "*1 if *2 turns have been played"),
    ("the game ends in a draw *", "the game is a draw *1"),
    ("it is a tie *", "the game is a draw *1"),
    ("the game is a tie *", "the game is a draw *1"),
    ("the game is drawn *", "the game is a draw *1"),
    ("nobody wins if *", "the game is a draw if *1"),
    ("if * nobody wins", "if *1 the game is a draw"),
    ("if * no one wins", "if *1 the game is a draw"),
    ("if * it is a tie", "if *1 the game is a draw"),
    ("if * the game ends in a draw", "if *1 the game is a draw"),
    ("if * the game ends as a draw", "if *1 the game is a draw"),
    ("if * the game is tied", "if *1 the game is a draw"),
    ("if * the player with more * wins", "if *1 whoever has more *2 wins"),
    ("if * the player with the most * wins", "if *1 whoever has more *2 wins"),
    ("if * the player with the fewest * wins", "if *1 whoever has fewer *2 wins"),
    ("at the end * wins", "*1 wins"),
    ("if the game ends * wins", "*1 wins"),
    ("whoever has the most *", "whoever has more *1"),
    ("the winner is whoever has the most *", "whoever has more *1 wins"),
    ("the winner is the player with the most *", "whoever has more *1 wins"),
    ("the most * wins", "whoever has more *1 wins"),
    ("most * wins", "whoever has more *1 wins"),
    ("the game is over if *", "the game ends if *1"),
    ("the game is over when *", "the game ends if *1"),
    ("play ends if *", "the game ends if *1"),
    ("play ends when *", "the game ends if *1"),
    ("the game continues until *", "the game ends if *1"),
    ("play continues until *", "the game ends if *1"),
    ("the winner is whoever *", "you win if you *1"),
    ("the winner is the player who *", "you win if you *1"),
    ("the winner is the first player to *", "you win if you *1"),
    ("the winner is the first to *", "you win if you *1"),
    ("the loser is the player who *", "you lose if you *1"),
    ("the loser is whoever *", "you lose if you *1"),
    ("the goal is to *", "you win if you *1"),
    ("the aim is to *", "you win if you *1"),
    ("your goal is to *", "you win if you *1"),
    ("the object is to *", "you win if you *1"),
    ("the first player to * wins", "you win if you *1"),
    ("the first to * wins", "you win if you *1"),
    ("the first player who * wins", "you win if you *1"),
    ("the first player with * wins", "you win if you have *1"),
    ("the player who first * wins", "you win if you *1"),
    ("the player who * wins", "you win if you *1"),
    ("the player who * loses", "you lose if you *1"),
    ("the first player to * loses", "you lose if you *1"),
    ("the player with * loses", "you lose if you have *1"),
    ("the player with * wins", "you win if you have *1"),
    ("a player who * wins", "you win if you *1"),
    ("a player who * loses", "you lose if you *1"),
    ("a player with * wins", "you win if you have *1"),
    ("a player with * loses", "you lose if you have *1"),
    ("whoever * first wins", "you win if you *1"),
    ("whoever * wins", "you win if you *1"),
    ("whoever * loses", "you lose if you *1"),
    ("a player wins if *", "you win if *1"),
    ("a player loses if *", "you lose if *1"),
    ("a player wins by *", "you win if you *1-ing"),
    ("you win by *", "you win if you *1-ing"),
    ("you lose by *", "you lose if you *1-ing"),
    ("? wins if ? captures ?", "*1 wins if *3 is captured"),
    ("? wins if it captures ?", "*1 wins if *2 is captured"),
    ("? wins by capturing ?", "*1 wins if *2 is captured"),
    ("you win if you capture your opponent", "you win if your opponent is captured"),
    ("? wins by *", "*1 wins if *1 *2-ing"),
    ("? loses by *", "*1 loses if *1 *2-ing"),
    ("? wins if it *", "*1 wins if *1 *2"),
    ("? wins if you *", "*1 wins if *1 *2"),
    ("? loses if it *", "*1 loses if *1 *2"),
    ("? loses if you *", "*1 loses if *1 *2"),
    ("you win if you have the first *", "you win if you have *1"),
)
"""What is read as what.

A star is one or more words, a question mark one, @ a player's name; a comma is a comma.
"""

_DEEPEST = 4
_SPLITS = 3
"""In how many ways the words of a sentence are shared among the stars of a pattern."""


def needs_no_rule(tokens: list[Token]) -> bool:
    """Return whether a sentence only says what holds in any case, such as *players take turns*."""
    return " ".join(token.stem for token in tokens) in _IGNORED


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
        found.append(replace(token, text=_WORDS[word]) if word in _WORDS else token)
    for left, right in _PHRASES:
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
    for left, right in _RULES:
        for stars in islice(_matches(left.split(), tokens, names), _SPLITS):
            yield [_filled(one.split(), stars, tokens) for one in right.split(" | ")]


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
