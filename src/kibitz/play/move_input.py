"""What a person types in, the moves that it can mean out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kibitz.engine import CompiledGame, Game, Move, Role

__all__ = ["describe_moves", "moves_meant"]


def describe_moves(game: Game, role: Role, moves: tuple[Move, ...]) -> dict[Move, str]:
    """Return moves with their words; as in the rule sheet where the game is not compiled.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> list(describe_moves(game, "xplayer", game.initial().legal("xplayer")).values())[:2]
    ['take the top left corner', 'take the top edge']
    """
    if not isinstance(game, CompiledGame):
        return {move: game.write(move) for move in moves}
    from kibitz.english import say_move, scene_of

    scene = scene_of(game, role)
    return {move: say_move(scene, move) for move in moves}


def moves_meant(text: str, described: Mapping[Move, str]) -> tuple[Move, ...]:
    """Return the moves that a text can mean; several where it is ambiguous.

    A text is a move's number in the list, its text in the rule sheet, its words, the names in it
    alone, or some of its words in their order; cells may be written together, as in `b3-a4`.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> described = describe_moves(game, "xplayer", game.initial().legal("xplayer"))
    >>> [moves_meant(text, described) for text in ("5", "mark 2 2", "2,2", "centre")]
    [((mark 2 2),), ((mark 2 2),), ((mark 2 2),), ((mark 2 2),)]
    >>> moves_meant("bottom corner", described)
    ((mark 3 1), (mark 3 3))
    >>> from kibitz.gdl import parse_terms
    >>> first, second = parse_terms("(move b 3 a 4) (move b 3 c 4)")
    >>> moves_meant("B3xC4", {first: "move from b3 to a4", second: "move from b3 to c4"})
    ((move b 3 c 4),)
    """
    moves = list(described)
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= len(moves):
        return (moves[int(text) - 1],)
    typed = _words(text)
    if not typed:
        return ()
    texts = {move: (_words(str(move)), _words(described[move])) for move in moves}
    for matches in (
        [move for move in moves if typed in texts[move]],
        [move for move in moves if typed == texts[move][0][1:]],
        [move for move in moves if any(_is_part(typed, words) for words in texts[move])],
    ):
        if matches:
            return tuple(matches)
    cells = _letters_and_numbers(text)
    return tuple(
        move
        for move in moves
        if cells
        and any(_is_part(cells, _letters_and_numbers(one)) for one in (str(move), described[move]))
    )


def _words(text: str) -> list[str]:
    return re.sub(r"[(),]", " ", text).lower().split()


def _letters_and_numbers(text: str) -> list[str]:
    """Split a text into words and numbers, at each change between them: b3-a4, b3a4 and b3xa4."""
    return re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=\d)x(?=[a-z]*\d)", " ", text.lower()))


def _is_part(typed: list[str], words: list[str]) -> bool:
    """Return whether all typed words are among some words, in their order."""
    left = iter(words)
    return all(word in left for word in typed)
