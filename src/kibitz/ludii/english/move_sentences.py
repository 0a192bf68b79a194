"""Write the ludeme of players' moves as sentences: one for each alternative, not one for all.

Alternatives that would stand in brackets within one sentence become sentences of their own, each
with the conditions under which it holds, and what follows a move comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kibitz.ludii.english.templates import Grammar
from kibitz.ludii.tokens import Ludeme

_FAILING, _ELSE = "if nothing of this is possible, ", "otherwise, "


def move_sentences(grammar: Grammar, ludeme: Ludeme, begin: Callable[[str], str]) -> Iterator[str]:
    """Write moves as sentences without capitals and full stops.

    `begin` gives the beginning of a sentence: of the first for no word, and of others for *or*,
    *or, in the same case* and *otherwise*.

    >>> from kibitz.ludii.english.description import grammar
    >>> from kibitz.ludii.tokens import parse_ludemes
    >>> moves = '''(if (is Prev Mover) (or (forEach Piece) (move Pass (then
    ...     (if (is Full) (moveAgain))))) (or (move Pass) (if (is Full) (forEach Piece))))'''
    >>> begin = lambda word: f"{word or 'on your turn'}, "
    >>> for sentence in move_sentences(grammar(), parse_ludemes(moves, name="x"), begin):
    ...     print(sentence)
    on your turn, if you also made the move before, move one of your pieces as its kind moves
    or, in the same case, pass
    after that, if the board is full, you move again
    otherwise, pass
    or, in the same case, if the board is full, move one of your pieces as its kind moves
    """
    before = ""
    for number, (conditions, move) in enumerate(_alternatives(grammar, ludeme, "")):
        word, when = "or" * bool(number), conditions
        if before and conditions.startswith(before):
            word, when = "or, in the same case", conditions.removeprefix(before)
        elif number and conditions.startswith(_ELSE) and not before.startswith(_ELSE):
            word, when = "otherwise", conditions.removeprefix(_ELSE)
        before = conditions
        effect = None
        if _is_nested(grammar.write(move, "move")):
            move, effect = _without_effect(move)
        yield f"{begin(word)}{when}{grammar.write(move, 'move')}"
        for text in _effects(grammar, effect, "") if effect else ():
            yield f"after that, {text}"


def _is_nested(text: str) -> bool:
    return "(" in text


def _alternatives(
    grammar: Grammar, ludeme: Ludeme, conditions: str
) -> Iterator[tuple[str, Ludeme]]:
    """Yield the alternatives of a move, each with the text of its conditions."""
    parts = _parts(ludeme)
    if not _is_nested(grammar.write(ludeme, "move")):
        yield conditions, ludeme
    elif ludeme.kind == "if" and len(ludeme.items) in (2, 3):
        test, *branches = ludeme.items
        when = grammar.write(test, "condition1")
        has_else = any(one.kind == "if" and len(one.items) == 3 for one in branches[0].walk())
        texts = f"if {when}, ", f"unless {when}, " if has_else else _ELSE
        for text, branch in zip(texts, branches, strict=False):
            yield from _alternatives(grammar, branch, conditions + text)
    elif ludeme.kind in ("or", "priority") and not ludeme.calls("then"):
        for number, part in enumerate(parts):
            failing = _FAILING if number and ludeme.kind == "priority" else ""
            yield from _alternatives(grammar, part, conditions + failing)
    elif ludeme.kind == "forEach Piece" and (inner := _only_move(ludeme)) is not None:
        for part in _parts(inner):
            items = tuple(part if item is inner else item for item in ludeme.items)
            yield from _alternatives(grammar, replace(ludeme, items=items), conditions)
    else:
        yield conditions, ludeme


def _effects(grammar: Grammar, ludeme: Ludeme, conditions: str) -> Iterator[str]:
    """Yield what follows a move, each part with its conditions."""
    text = grammar.write(ludeme, "effect")
    if _is_nested(text) and ludeme.kind in ("and", "seq"):
        for part in _parts(ludeme):
            yield from _effects(grammar, part, conditions)
    elif _is_nested(text) and ludeme.kind == "if" and len(ludeme.items) in (2, 3):
        test, *branches = ludeme.items
        when = grammar.write(test, "condition1")
        for word, branch in zip(("if", "unless"), branches, strict=False):
            yield from _effects(grammar, branch, f"{conditions}{word} {when}, ")
    else:
        yield conditions + text


def _parts(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    items = ludeme.items
    return items[0].items if len(items) == 1 and items[0].shape == "list" else items


def _only_move(ludeme: Ludeme) -> Ludeme | None:
    """Return the alternatives that each piece has, if nothing else is said of its moves."""
    calls = [item for item in ludeme.items if item.shape == "call"]
    is_plain = len(calls) == 1 and calls[0].kind == "or" and not calls[0].calls("then")
    return calls[0] if is_plain else None


def _without_effect(ludeme: Ludeme) -> tuple[Ludeme, Ludeme | None]:
    """Split a move, perhaps that of each piece, from what follows it."""
    then = next(iter(ludeme.calls("then")), None)
    if then is not None and len(then.items) == 1:
        items = tuple(item for item in ludeme.items if item is not then)
        return replace(ludeme, items=items), then.items[0]
    if ludeme.kind == "forEach Piece":
        for number, item in enumerate(ludeme.items):
            inner, effect = _without_effect(item) if item.shape == "call" else (item, None)
            if effect is not None:
                items = (*ludeme.items[:number], inner, *ludeme.items[number + 1 :])
                return replace(ludeme, items=items), effect
    return ludeme, None
