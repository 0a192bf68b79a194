"""How turns, moves and their effects are spelled."""

from __future__ import annotations

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Pattern

__all__ = ["MOVES", "PLAY"]

P = Pattern

_PUSH = "push with a {kind:kind} {directions:direction/} {other:piece} to the empty cell behind it"
_JUMP = "jump with {kind} {{directions:direction/}} over {{over:piece}} to the empty cell behind it"
_ONE = {"directions": ("straight",)}

MOVES = (
    P(
        "move",
        "place a {kind:kind} on {cell:empty}",
        m.Put,
        also=(
            "put a {kind:kind} on {cell:empty}",
            "place a {kind:kind} of your own on {cell:empty}",
            "place one of your {kind:kinds} on {cell:empty}",
            "place one {kind:kind} on {cell:empty}",
            "place a {kind:kind} in {cell:empty}",
            "place one of your {kind:kinds} in {cell:empty}",
            "put a {kind:kind} in {cell:empty}",
            "put one of your {kind:kinds} on {cell:empty}",
            "put one {kind:kind} on {cell:empty}",
            "place a {kind:kind} of yours on {cell:empty}",
            "put a {kind:kind} of your own on {cell:empty}",
            ("mark {cell:empty}", {"kind": "piece"}),
            ("take {cell:empty}", {"kind": "piece"}),
            ("colour {cell:empty}", {"kind": "piece"}),
        ),
    ),
    P(
        "move",
        "drop a {kind:kind} into a column",
        m.Drop,
        also=(
            "drop a {kind:kind} in a column",
            "drop one of your {kind:kinds} into a column",
            "drop a {kind:kind} of your own into a column",
        ),
    ),
    P(
        "move",
        "place a {kind:kind} on one of the {count:number} lowest empty cells of a column",
        m.PutLow,
        also=("put a {kind:kind} on one of the {count:number} lowest empty cells of a column",),
    ),
    P(
        "move",
        "place a domino on two empty cells next to each other",
        m.Domino,
        {"way": "any"},
        also=(
            "place a domino on two adjacent empty cells",
            "put a domino on two empty cells next to each other",
        ),
    ),
    P(
        "move",
        "place a domino on two empty cells side by side",
        m.Domino,
        {"way": "flat"},
        also=(
            "place a domino horizontally on two empty cells",
            "place a horizontal domino on two empty cells",
        ),
    ),
    P(
        "move",
        "place a domino on two empty cells one above the other",
        m.Domino,
        {"way": "upright"},
        also=(
            "place a domino vertically on two empty cells",
            "place a vertical domino on two empty cells",
        ),
    ),
    P(
        "move",
        "move your domino to two cells next to each other, at least one of them new",
        m.LayDomino,
        also=(
            "lay your domino on two cells next to each other, at least one of them new",
            "move your domino to another place",
        ),
    ),
    P(
        "move",
        "move a {kind:kind} off the board from {region:region}",
        m.Leave,
        also=(
            "move one of your {kind:kinds} off the board from {region:region}",
            "move a {kind:kind} from {region:region} off the board",
        ),
    ),
    P(
        "move",
        "move a {kind:kind} like a knight {target:target}",
        m.Step,
        {"directions": ("like a knight",)},
        also=("move one of your {kind:kinds} like a knight {target:target}",),
    ),
    P(
        "move",
        "move a {kind:kind} forward like a knight {target:target}",
        m.Step,
        {"directions": ("forward like a knight",)},
        also=("move one of your {kind:kinds} forward like a knight {target:target}",),
    ),
    P(
        "move",
        "move a {kind:kind} one step {directions:direction/} {target:target}",
        m.Step,
        also=(
            "move one of your {kind:kinds} one step {directions:direction/} {target:target}",
            "move a {kind:kind} of yours one step {directions:direction/} {target:target}",
            "move a {kind:kind} {directions:direction/} {target:target}",
            "step with a {kind:kind} {directions:direction/} {target:target}",
            ("move a {kind:kind} one step {directions:direction/}", {"target": "empty"}),
            ("move one of your {kind:kinds} one step {directions:direction/}", {"target": "empty"}),
            ("move a {kind:kind} {directions:direction/}", {"target": "empty"}),
            ("move a {kind:kind} to a neighbouring empty cell", {**_ONE, "target": "empty"}),
            (
                "move one of your {kind:kinds} to a neighbouring empty cell",
                {**_ONE, "target": "empty"},
            ),
            ("move a {kind:kind} to a empty cell next to it", {**_ONE, "target": "empty"}),
            ("move a {kind:kind} to a adjacent empty cell", {**_ONE, "target": "empty"}),
            (
                "move one of your {kind:kinds} to a empty cell next to it",
                {**_ONE, "target": "empty"},
            ),
            ("move one of your {kind:kinds} to a adjacent empty cell", {**_ONE, "target": "empty"}),
        ),
    ),
    P(
        "move",
        "move a {kind:kind} two steps {directions:direction/} from {region:region} over an empty "
        "cell to a empty cell",
        m.DoubleStep,
        also=(
            "move a {kind:kind} two steps {directions:direction/} from {region:region} over empty "
            "cells",
        ),
    ),
    P(
        "move",
        "slide a {kind:kind} {directions:direction/} over empty cells {target:target}",
        m.Slide,
        also=(
            "slide a {kind:kind} {directions:direction/} {target:target}",
            "slide one of your {kind:kinds} {directions:direction/} {target:target}",
            ("slide a {kind:kind} {directions:direction/}", {"target": "empty"}),
            "move a {kind:kind} any number of steps {directions:direction/} {target:target}",
        ),
    ),
    P(
        "move",
        _JUMP.format(kind="a {kind:kind}"),
        m.Jump,
        {"captures": False},
        also=(_JUMP.format(kind="one of your {kind:kinds}"),),
    ),
    P(
        "move",
        _JUMP.format(kind="a {kind:kind}") + ", which captures it",
        m.Jump,
        {"captures": True},
        also=(
            _JUMP.format(kind="a {kind:kind}") + " and capture it",
            "capture {over:piece} by jumping over it {directions:direction/} with a {kind:kind}",
        ),
    ),
    P(
        "move",
        "remove two {kind:kinds} next to each other",
        m.RemovePair,
        also=("remove two adjacent {kind:kinds}",),
    ),
    P(
        "move",
        "remove a {kind:kind} with everything above it and to its right",
        m.Bite,
        also=(
            "bite a {kind:kind} with everything above it and to its right",
            "bite off a {kind:kind} with everything above it and to its right",
        ),
    ),
    P("move", "remove {piece:piece}", m.Remove, also=("take {piece:piece} off the board",)),
    P(
        "move",
        "switch the {kind:kind} on a cell and on the cells next to it",
        m.Switch,
        {"neighbours": True},
    ),
    P("move", "switch the {kind:kind} on a cell", m.Switch, {"neighbours": False}),
    P(
        "move",
        "swap a {kind:kind} with {other:piece} next to it",
        m.Swap,
        also=("swap one of your {kind:kinds} with {other:piece} next to it",),
    ),
    P(
        "move",
        "turn over a piece of your opponent",
        m.Flip,
        also=("flip a piece of your opponent",),
    ),
    P(
        "move",
        "turn over a piece of your opponent {near:near}",
        m.Flip,
        also=("flip a piece of your opponent {near:near}",),
    ),
    P("move", _PUSH, m.Push, {"off": False}),
    P("move", _PUSH + " or off the board", m.Push, {"off": True}),
    P(
        "move",
        "take any number of counters from a pile",
        m.Take,
        {"least": 1, "most": 0},
        also=(
            "take any number of counters from one pile",
            "take as many counters as you like from one pile",
            "take one or more counters from a pile",
            "remove any number of counters from one pile",
            "remove any number of counters from a pile",
            "remove one or more counters from a pile",
            "take any number of counters",
        ),
    ),
    P(
        "move",
        "take {least:number} to {most:number} counters from a pile",
        m.Take,
        also=(
            "take {least:number} to {most:number} counters from one pile",
            "take {least:number} or {most:number} counters from a pile",
            ("take up to {most:number} counters from a pile", {"least": 1}),
            ("take up to {most:number} counters", {"least": 1}),
            "take {least:number} to {most:number} counters",
            "take {least:number} or {most:number} counters",
            "remove {least:number} to {most:number} counters from a pile",
            "remove {least:number} or {most:number} counters from a pile",
            ("remove up to {most:number} counters from a pile", {"least": 1}),
        ),
    ),
    P(
        "move",
        "take the same number of counters from every pile",
        m.TakeEach,
        also=(
            "take the same number of counters from both piles",
            "take the same number of counters from each pile",
            "take the same number from both piles",
        ),
    ),
    P(
        "move",
        "sow the seeds of one of your pits",
        m.Sow,
        also=("take all seeds from one of your pits and sow them one by one into the next pits",),
    ),
    P("move", "choose {choices:word/}", m.Choose),
    P("move", "pass", m.Pass, also=("do nothing",)),
    P(
        "situation",
        "you have no piece in hand",
        m.NoneInHand,
        also=("you have placed all your pieces", "your hand is empty"),
    ),
)

PLAY = (
    P(
        "sentence",
        "on {player:whose} turn, {moves:move/}",
        m.MoveRule,
        also=(
            "on {player:whose} turn you {moves:move/}",
            "on {player:whose} turn you may {moves:move/}",
            "on {player:whose} turn, either {moves:move/}",
            "{player:who} may {moves:move/}",
        ),
    ),
    P(
        "sentence",
        "on {player:whose} turn, if {condition:situation}, {moves:move/}",
        m.MoveRule,
        also=("if {condition:situation}, on {player:whose} turn, {moves:move/}",),
    ),
    P(
        "sentence",
        "you must capture if you can",
        m.MustCapture,
        also=("capturing is compulsory", "if you can capture, you must"),
    ),
    P(
        "sentence",
        "if you cannot move, you pass",
        m.PassIfStuck,
        also=(
            "a player who cannot move passes",
            "whoever cannot move passes",
            "if you cannot move, you must pass",
        ),
    ),
    P("sentence", "a {kind:kind} that reaches {region:region} becomes a {new:kind}", m.Promotion),
    P(
        "sentence",
        "a move captures each piece of your opponent between the moved piece and another of yours",
        m.Enclose,
        also=(
            "a move captures every piece of your opponent between the moved piece and another "
            "of yours",
        ),
    ),
    P(
        "sentence",
        "a placed piece turns over each line of pieces of your opponent between it and another of "
        "yours",
        m.TurnOver,
        also=(
            "a placed piece turns over all pieces of your opponent in a line between it and "
            "another of yours",
            "a placed piece flips each line of pieces of your opponent between it and another of "
            "yours",
        ),
    ),
    P(
        "sentence",
        "a placed piece must turn over a piece",
        m.MustTurnOver,
        also=("a placed piece must flip a piece", "you must turn over a piece"),
    ),
    P(
        "sentence",
        "if players choose the same cell, it stays empty",
        m.Clash,
        also=(
            "if two players choose the same cell, it stays empty",
            "if both players choose the same cell, it stays empty",
        ),
    ),
    P("sentence", "{choice:word} gives {count:number} {noun:kinds}", m.Gain, {"verb": "gives"}),
    P("sentence", "{choice:word} costs {count:number} {noun:kinds}", m.Gain, {"verb": "costs"}),
    P("sentence", "{choice:word} beats {others:word+}", m.Beats),
    P(
        "sentence",
        "a choice that beats the other gives {count:number} {noun:kinds}",
        m.Score,
        also=("whoever beats the other gets {count:number} {noun:kinds}",),
    ),
)
