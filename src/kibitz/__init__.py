"""Kibitz: rules of a board game in; a short, proven way to play it perfectly out.

>>> import kibitz
>>> game = kibitz.load("tictactoe")
>>> state = game.initial()
>>> state.legal_moves[0]
(mark 1 1)
>>> state = state.play("(mark 2 2)")
>>> state.turn, game.solve().value(state)
(('oplayer',), {'xplayer': 50, 'oplayer': 50})

The verbs are in `kibitz.facade`, which is imported when one is first used. `kibitz.solve`,
`kibitz.play` and `kibitz.puzzles` are verbs and packages at once: packages that can be called.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.facade import (
        AnyGame as AnyGame,
        Drawing as Drawing,
        LoadedGame as LoadedGame,
        RuleCheck as RuleCheck,
        check as check,
        compare as compare,
        draw as draw,
        explain as explain,
        explore as explore,
        load as load,
        minimise as minimise,
        play as play,
        puzzles as puzzles,
        repair as repair,
        report as report,
        simulate as simulate,
        solve as solve,
        synthesise as synthesise,
        teach as teach,
        verify as verify,
    )

__version__ = "0.1.0"

_PACKAGES = ("play", "puzzles", "solve")
"""The verbs that are names of packages, too."""


if not TYPE_CHECKING:  # so that type checkers see what is not there

    def __getattr__(name: str) -> Any:
        if name in _PACKAGES:
            return import_module(f"kibitz.{name}")
        from kibitz.lazy import lazy_exports

        exported = lazy_exports(__name__)
        return globals()["__all__"] if name == "__all__" else exported(name)

    def __dir__() -> list[str]:
        return __getattr__("__all__")


class _Verb(ModuleType):
    """A package that can be called, as the verb of its name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from kibitz import facade

        return getattr(facade, self.__name__.rpartition(".")[2])(*args, **kwargs)


class _Kibitz(ModuleType):
    """Lets the packages that are verbs be called as soon as they are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _PACKAGES and isinstance(value, ModuleType):
            value.__class__ = _Verb
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Kibitz
