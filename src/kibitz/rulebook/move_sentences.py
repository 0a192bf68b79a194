"""How turns, moves and their effects are spelled."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Pattern

P = Pattern

_PUSH = "push with {kind:own} {directions:direction/} {other:piece} to the empty cell behind it"
_ONE = {"directions": ("straight",)}
_LIKE = (("rook", "straight"), ("bishop", "diagonally"), ("queen", "in any direction"))
_OVER = "over {over:piece} to the empty cell behind it"
_BEHIND = "to the empty cell behind it"
_LOOSELY = (
    "over {over:piece} [to the empty cell behind it] [to the empty cell beyond it] "
    "[to a empty cell] [onto the empty cell behind it] [and land on the empty cell behind it]"
)


def _jumps(end: str) -> tuple[tuple[str, Mapping[str, object]], ...]:
    """Return the other ways to say that a piece jumps, with the same end."""
    return (
        (f"jump with {{kind:own}} {{directions:direction/}} {_LOOSELY}{end}", {}),
        (f"jump {{directions:direction/}} {_LOOSELY}{end}", {"kind": "piece"}),
        (f"jump with {{kind:own}} {_LOOSELY}{end}", _ONE),
        (f"jump {_LOOSELY}{end}", {**_ONE, "kind": "piece"}),
        (
            f"jump over {{over:piece}} {{directions:direction/}} [{_BEHIND}]{end}",
            {"kind": "piece"},
        ),
    )


MOVES = (
    P(
        "move",
        "place {kind:own} on {cell:empty}",
        m.Put,
        also=(
            "put {kind:own} on {cell:empty}",
            "place {kind:own} in {cell:empty}",
            "put {kind:own} in {cell:empty}",
            ("mark {cell:empty}", {"kind": "piece"}),
            ("take {cell:empty}", {"kind": "piece"}),
            ("colour {cell:empty}", {"kind": "piece"}),
        ),
    ),
    P(
        "move",
        "drop {kind:own} into a column",
        m.Drop,
        also=("drop {kind:own} in a column",),
    ),
    P(
        "move",
        "place {kind:own} on one of the {count:number} lowest empty cells of a column",
        m.PutLow,
        also=("put {kind:own} on one of the {count:number} lowest empty cells of a column",),
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
        "move {kind:own} off the board from {region:region}",
        m.Leave,
        also=("move {kind:own} from {region:region} off the board",),
    ),
    P(
        "move",
        "move {kind:own} like a knight {target:target}",
        m.Step,
        {"directions": ("like a knight",)},
        also=(("move {kind:own} like a knight", {"target": "empty"}),),
    ),
    P(
        "move",
        "move {kind:own} forward like a knight {target:target}",
        m.Step,
        {"directions": ("forward like a knight",)},
        also=(("move {kind:own} forward like a knight", {"target": "empty"}),),
    ),
    P(
        "move",
        "move {kind:own} one step {directions:direction/} {target:target}",
        m.Step,
        also=(
            "move {kind:own} {directions:direction/} {target:target}",
            "step with {kind:own} {directions:direction/} {target:target}",
            ("move {kind:own} one step {directions:direction/}", {"target": "empty"}),
            ("move {kind:own} {directions:direction/}", {"target": "empty"}),
            ("move {kind:own} one step", {**_ONE, "target": "empty"}),
            ("move {kind:own} one step {target:target}", _ONE),
            ("move {kind:own} to a neighbouring empty cell", {**_ONE, "target": "empty"}),
            ("move {kind:own} to a adjacent empty cell", {**_ONE, "target": "empty"}),
            ("move {kind:own} to any adjacent empty cell", {**_ONE, "target": "empty"}),
            ("move {kind:own} to a empty cell next to it", {**_ONE, "target": "empty"}),
        ),
    ),
    P(
        "move",
        "move {kind:own} two steps {directions:direction/} from {region:region} over an empty "
        "cell to a empty cell",
        m.DoubleStep,
        also=(
            "move {kind:own} two steps {directions:direction/} from {region:region} over empty "
            "cells",
        ),
    ),
    P(
        "move",
        "slide {kind:own} {directions:direction/} over empty cells {target:target}",
        m.Slide,
        also=(
            "slide {kind:own} {directions:direction/} {target:target}",
            ("slide {kind:own} {directions:direction/}", {"target": "empty"}),
            "move {kind:own} any number of steps {directions:direction/} {target:target}",
            *(
                (f"{verb} {{kind:own}} like a {man} {{target:target}}", {"directions": (ways,)})
                for verb in ("move", "slide")
                for man, ways in _LIKE
            ),
            *(
                (
                    f"{verb} {{kind:own}} like a {man}",
                    {"directions": (ways,), "target": "either"},
                )
                for verb in ("move", "slide")
                for man, ways in _LIKE
            ),
        ),
    ),
    P(
        "move",
        f"jump with {{kind:own}} {{directions:direction/}} {_OVER}",
        m.Jump,
        {"captures": False},
        also=_jumps(""),
    ),
    P(
        "move",
        f"jump with {{kind:own}} {{directions:direction/}} {_OVER}, which captures it",
        m.Jump,
        {"captures": True},
        also=(
            *_jumps(" and capture it"),
            *_jumps(" to capture it"),
            *_jumps(" which is captured"),
            "capture {over:piece} by jumping over it {directions:direction/} with {kind:own}",
            (
                "capture {over:piece} by jumping over it {directions:direction/}",
                {"kind": "piece"},
            ),
            ("capture {over:piece} by jumping over it", {**_ONE, "kind": "piece"}),
            ("capture {over:piece} by jumping over it with {kind:own}", _ONE),
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
        "swap {kind:own} with {other:piece} next to it",
        m.Swap,
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
        "on {player:whose} turn, {moves:move/}, then {then:move/}",
        m.MoveRule,
        also=(
            "on {player:whose} turn, {moves:move/} and then {then:move/}",
            "on {player:whose} turn, first {moves:move/}, then {then:move/}",
            "on {player:whose} turn, first {moves:move/} and then {then:move/}",
            "on {player:whose} turn you {moves:move/} and then {then:move/}",
            "on {player:whose} turn you {moves:move/} then {then:move/}",
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
    P(
        "sentence",
        "after a jump, you may jump again with the same {kind:kind}",
        m.JumpAgain,
        {"must": False},
        also=(
            "after a jump the same {kind:kind} may jump again",
            "after jumping you may jump again with the same {kind:kind}",
            "you may keep jumping with the same {kind:kind}",
            *(
                (f"{who} may {jumps} in {one} turn", {"kind": "piece"})
                for who in ("you", "a piece")
                for jumps in ("jump several times", "make several jumps", "jump more than once")
                for one in ("a", "one", "the same")
            ),
            ("several jumps may be made in one turn", {"kind": "piece"}),
        ),
    ),
    P(
        "sentence",
        "after a jump, you must jump again with the same {kind:kind} if you can",
        m.JumpAgain,
        {"must": True},
        also=(
            "after a jump the same {kind:kind} must jump again if it can",
            "you must keep jumping with the same {kind:kind} if you can",
            "you must keep jumping with the same {kind:kind} while you can",
        ),
    ),
    P(
        "sentence",
        "a move may have up to {count:number} jumps of the same piece",
        m.JumpsInMove,
        also=(
            "you may make up to {count:number} jumps in one move",
            "a piece may jump up to {count:number} times in one move",
        ),
    ),
    P(
        "sentence",
        "{kinds:kinds+} capture by moving onto a piece of your opponent",
        m.MoveCaptures,
        also=(
            "{kinds:kinds+} capture by moving onto a enemy piece",
            "{kinds:kinds+} capture by moving onto a piece",
            "{kinds:kinds+} capture by replacement",
            ("a move onto a piece of your opponent captures it", {"kinds": ("piece",)}),
            ("you capture a piece by moving onto it", {"kinds": ("piece",)}),
            ("you capture by moving onto a piece of your opponent", {"kinds": ("piece",)}),
        ),
    ),
    P(
        "sentence",
        "a piece that moves leaves a {kind:kind} behind",
        m.Trail,
        also=(
            "a moving piece leaves a {kind:kind} behind",
            ("the cell that a piece leaves is blocked", {"kind": "wall"}),
            ("the cell that a piece left is blocked", {"kind": "wall"}),
            ("the cell that you leave is blocked", {"kind": "wall"}),
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
