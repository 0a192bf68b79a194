"""Words of a text in, plainer words that say the same out; each keeps its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kibitz.rulebook.grammar import Token, number_of
from kibitz.rulebook.prose.tables import word_set


def _pairs(lines: str) -> list[list[str]]:
    """Return what stands left and right of each arrow."""
    return [
        [side.strip() for side in line.split("->")] for line in lines.split("\n") if "->" in line
    ]


_WORDS = {
    word: plain
    for words, plain in _pairs("""
    his her their our -> your
    he she they we i someone anyone somebody anybody -> you
    theirs -> yours
    vacant free unoccupied open blank -> empty
    neighbouring neighboring adjoining surrounding touching -> adjacent
    opposing hostile -> enemy
    square squares space spaces field fields spot spots -> cell
    box boxes hexagon hexagons hexes hole holes intersection intersections cells -> cell
    rank -> row
    grid grids -> board
    ranks -> rows
    file -> column
    files -> columns
    color colours colors -> colour
    center middle -> centre
    hop hops leap leaps jumps jumping hopping leaping -> jump
    shall -> must
    can might -> may
    1st -> first
    2nd -> second
    opponents adversary rival -> opponent
    tie stalemate -> draw
    tied -> drawn
    alternatingly -> alternately
    crawl crawls shuffle shuffles -> move
    should -> if
    checkerboard draughtboard draughtsboard -> chessboard
    """)
    for word in words.split()
}

VERBS = sorted(
    word_set("""
    advance add bite block bring build capture contain choose claim colour complete connect
    cover create draw drop eat fill finish flip follow form get go have hold jump kill land
    lay leave line lose make mark move occupy pass pick place play push put reach remove
    score shift slide sow stand start step swap switch take travel turn walk win write
    replace crawl open
    """)
)


def _gerund(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1] + "ing"
    return verb + verb[-1] * (verb in ("drop", "flip", "get", "put", "step", "swap", "win")) + "ing"


_WORDS |= {_gerund(verb): verb for verb in VERBS}

_FILLERS = word_set("""
    simply just always also immediately directly instantly thereby too instead legally
    normal usual usually ordinary already yet still afterwards immediately however
    whole entire actually either orthogonal please completely alike
    """)
_SPLIT = dict(
    _pairs("""
    don't -> do not
    doesn't -> do not
    isn't -> is not
    aren't -> is not
    can't -> cannot
    won't -> cannot
    mustn't -> must not
    nobody -> nobody
    noone -> nobody
    you've -> you have
    they've -> you have
    """)
)


_PHRASES = tuple(
    (tuple(left.split()), tuple(right.split()))
    for left, right in _pairs("""
    it 's -> it is
    succeeds in ->
    manages to ->
    one 's own -> your own
    knock down -> remove
    knocks down -> remove
    knocking down -> remove
    one after the other ->
    to him -> to you
    to her -> to you
    to them -> to you
    nearest them -> nearest you
    closest them -> closest you
    that 's -> that is
    can not -> cannot
    may not -> cannot
    must not -> cannot
    may never -> cannot
    must never -> cannot
    do not -> cannot
    cannot ever -> cannot
    is unable to -> cannot
    are unable to -> cannot
    is not able to -> cannot
    is not allowed to -> cannot
    is allowed to -> may
    are allowed to -> may
    has to -> must
    have to -> must
    had to -> must
    is forced to ->
    no one -> nobody
    none of the players -> nobody
    neither of the players -> nobody
    neither of them -> nobody
    neither -> nobody
    is not permitted to -> cannot
    it is not permitted to -> it is forbidden to
    it is not allowed to -> it is forbidden to
    the rest of the game ->
    for the rest of the game ->
    for good ->
    one at a time ->
    left-hand -> left
    right-hand -> right
    is blocked for -> is blocked for
    call it a draw -> it is a draw
    the result is -> it is
    counts as a draw -> is a draw
    means that -> then
    wins you the game -> wins
    the other person 's -> your opponent 's
    the other person -> your opponent
    our own -> your own
    whose opponent -> your opponent
    is left without -> has no
    left without -> with no
    without any -> with no
    without moves -> with no moves
    without pieces -> with no pieces
    in each case ->
    by replace it -> to capture it
    by move onto it -> to capture it
    all the way across -> to the far side
    all the way to -> to
    makes it to -> reaches
    make it to -> reach
    arrives at -> reaches
    arrives on -> reaches
    arrive at -> reach
    gets filled -> is full
    becomes full -> is full
    is filled up -> is full
    has been filled -> is full
    be filled -> is full
    are filled -> are full
    each time ->
    from your own point of view ->
    your choice ->
    whichever you like ->
    in the same direction ->
    regardless of who placed you ->
    nothing is there -> it is empty
    nothing is on it -> it is empty
    it 's your go -> it is your turn
    each go -> each turn
    a go -> a turn
    no player -> nobody
    neither player -> nobody
    neither side -> nobody
    his or her -> your
    your or your -> your
    you or you -> you
    a single -> one
    any one of -> one of
    any of your -> one of your
    either of your -> one of your
    one of the pieces -> a piece
    the other player -> your opponent
    the other one -> your opponent
    the other side 's -> your opponent 's
    another player -> your opponent
    other player -> your opponent
    the opponent -> your opponent
    an opponent -> your opponent
    the enemy 's -> your opponent 's
    one 's opponent -> your opponent
    of your own colour ->
    of your own color ->
    of your colour ->
    in your own colour ->
    in your colour ->
    with your colour up ->
    of the same colour -> of yours
    the same colour -> yours
    of the other colour -> of your opponent
    of the opposite colour -> of your opponent
    in a straight line of -> in a line of
    is the winner -> wins
    are the winner -> wins
    is the loser -> loses
    has won -> wins
    has lost the game -> loses
    you have won -> you win
    you have lost -> you lose
    player has lost -> player loses
    wins the game -> wins
    win the game -> win
    wins the match -> wins
    win the match -> win
    loses the game -> loses
    lose the game -> lose
    wins at once -> wins
    win at once -> win
    to begin with ->
    at the start -> at-start
    at the beginning -> at-start
    in the beginning -> at-start
    to start with -> at-start
    initially -> at-start
    of all ->
    of either player ->
    of either colour ->
    of any colour ->
    all of -> all
    each of your -> all your
    right next to -> next to
    right behind -> behind
    right beyond -> behind
    right in front -> in front
    take away -> remove
    takes away -> remove
    pick up -> remove
    picks up -> remove
    turn it is -> turn-it-is
    up to and including -> to
    per turn -> on your turn
    in one go ->
    if you like ->
    if you want ->
    if you wish ->
    side by side -> side-by-side
    as soon as -> if
    provided that -> if
    as long as -> if
    so long as -> if
    assuming that -> if
    the moment -> if
    in case -> if
    """)
)

_OWN_PLACES = ("home", "first", "back", "last", "own", "turn", "far", "opponent", "player")
_CONDITIONS = {"when": "if", "once": "if", "whenever": "if", "provided": "if"}


def without_heading(tokens: list[Token], text: str) -> tuple[list[Token], str]:
    """Return a sentence without a heading such as *Setup:*, and the last word of the heading.

    A heading is at most three words before a colon.
    """
    for number in range(1, min(4, len(tokens))):
        between = text[tokens[number - 1].place.end : tokens[number].place.start]
        if ":" in between:
            return tokens[number:], tokens[number - 1].text.lower()
    return tokens, ""


def plain_words(tokens: list[Token]) -> list[Token]:
    """Write a sentence in few and plain words: *he* as *you*, *vacant square* as *empty cell*."""
    found: list[Token] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        low = token.text.lower()
        if low == "'s" and found and len(found[-1].text) == 1:
            continue  # X's in a row
        if low == "its" and after is not None and after.text.lower() in _OWN_PLACES:
            low = "his"
        range_ = re.fullmatch(r"(\d+)-(\d+)", low)
        times = re.fullmatch(r"(\w+)-by-(\w+)", low)
        if range_:
            words: Iterable[str] = (range_[1], "to", range_[2])
        elif times and number_of(times[1]):
            words = (times[1], "by", times[2])
        elif low in _SPLIT:
            words = _SPLIT[low].split()
        elif low in _FILLERS:
            words = ()
        else:
            words = (_CONDITIONS.get(low) or _WORDS.get(low) or token.text,)
        if token.text == "hex":
            words = ("cell",)
        for number, word in enumerate(words):
            found.append(replace(token, text=word, is_apart=token.is_apart and number == 0))
    for left, right in _PHRASES:
        found = _replaced(found, left, right)
    return found


def _replaced(tokens: list[Token], left: tuple[str, ...], right: tuple[str, ...]) -> list[Token]:
    lows = [token.text.lower() for token in tokens]
    if left[0] not in lows:
        return tokens
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        is_one = not any(one.is_apart for one in tokens[at + 1 : at + len(left)])
        if is_one and tuple(lows[at : at + len(left)]) == left:
            first = tokens[at]
            found += [
                replace(first, text=word, is_apart=first.is_apart and n == 0)
                for n, word in enumerate(right)
            ]
            at += len(left)
        else:
            found.append(tokens[at])
            at += 1
    return found
