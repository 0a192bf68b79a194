"""What designers write, and the sentence of the table that says the same.

A star is one or more words, a question mark one, @ a player's name; a comma is a comma. A sentence
may stand for several, with bars between them; `*1-ing` is a gerund that becomes a plain verb.
"""

from __future__ import annotations

IGNORED = (
    "player take turn",
    "the player take turn",
    "both player take turn",
    "they take turn",
    "player alternate turn",
    "player alternate",
    "player move in turn",
    "the player move in turn",
    "player move alternately",
    "a piece cannot capture",
    "piece cannot capture",
    "there is no capture",
    "there are no capture",
)
"""Sentences that say what holds anyway."""

WORDS = {
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

PHRASES = (
    ("the opponent", "your opponent"),
    ("an opponent", "your opponent"),
    ("the other player", "your opponent"),
    ("another player", "your opponent"),
    ("from one pile", "from a pile"),
    ("from any pile", "from a pile"),
    ("from a single pile", "from a pile"),
    ("from any one pile", "from a pile"),
    ("on any empty", "on an empty"),
    ("into an empty", "to an empty"),
    ("into the empty", "to the empty"),
    ("that is next to", "next to"),
    ("next to no", "not next to a"),
    ("of the same colour", "of yours"),
    ("of your own colour", ""),
    ("of your colour", ""),
    ("column that is not full", "column"),
    ("in a row horizontally vertically or diagonally", "in a line"),
    ("horizontally vertically or diagonally", "in any direction"),
    ("is filled", "is full"),
    ("all cells are full", "the board is full"),
    ("all squares are full", "the board is full"),
    ("all fields are filled", "the board is full"),
    ("all squares are filled", "the board is full"),
    ("all cells are filled", "the board is full"),
    ("all of", "all"),
    ("can not", "cannot"),
    ("is unable to", "cannot"),
    ("who has", "with"),
    ("at the same moment", "at the same time"),
    ("simultaneously", "at the same time"),
)

RULES = (
    ("a player with * or who * loses", "a player with *1 loses | a player who *2 loses"),
    ("players are *", "players: *1"),
    ("there are ? piles of ? ? ? and ? ?", "there are piles of *3 *4 and *5 *6"),
    ("two players *", "players: *1"),
    ("there are * in a pile", "there is a pile of *1"),
    (
        "two players called * choose at the same time",
        "players: *1 | all players move at the same time",
    ),
    ("each choose *", "on your turn choose *1"),
    (
        "the player who wins ? rounds first wins the game",
        "a choice that beats the other gives one point | you win if you have at least *1 points",
    ),
    (
        "a enemy ? that is sandwiched between two of your ? is removed",
        "a move captures each piece of your opponent between the moved piece and another of yours",
    ),
    ("when *", "if *1"),
    ("* when *", "*1 if *2"),
    ("* if your ? ? stand in a *", "*1 if you have *2 *3 in a *4"),
    ("after * turns *", "if *1 turns have been played *2"),
    ("* after * turns", "*1 if *2 turns have been played"),
    ("the first player with * wins", "you win if you have *1"),
    ("a player with * loses", "you lose if you have *1"),
)
"""What is read as what; the first that leads to sentences of the table is taken."""
