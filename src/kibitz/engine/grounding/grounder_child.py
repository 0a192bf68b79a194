"""Ground a clingo program into its ground rules and the atoms it shows.

`gringo` runs this module as a script in a process with limits, so it imports
nothing else of Kibitz.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import sys
from collections.abc import Sequence
from typing import Any

Rule = tuple[int, tuple[int, ...]]
"""Head and body, as numbers of atoms."""
Shown = tuple[str, tuple[Any, ...], int]
"""Relation and arguments of an atom, and its number; 0 if it always holds."""


def ground_program(program: str, rules: list[Rule]) -> list[Shown]:
    """Add the ground rules of a program to a list, and return the atoms that it shows.

    Observing the grounder is far faster than its own text output.

    >>> rules = []
    >>> ground_program('{p}. q :- p. #show q/0.', rules)
    [('q', (), 2)]
    >>> rules
    [(2, (1,))]
    """
    import clingo  # once there are limits

    shown = []

    def plain(symbol: clingo.Symbol) -> Any:
        if symbol.type == clingo.SymbolType.String:
            return symbol.string
        return tuple(map(plain, symbol.arguments))

    class Listener(clingo.Observer):
        def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
            if not choice:
                rules.append((head[0], tuple(body)))

        def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
            shown.append((symbol.name, tuple(map(plain, symbol.arguments)), atom))

    control = clingo.Control(["--warn=none"], logger=lambda code, message: None)
    control.register_observer(Listener(), replace=True)
    control.add("base", [], program)
    control.ground([("base", [])])
    return shown


def _limit(seconds: int, size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent still ends this process in time
        return
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_AS, size, size),
    ):
        _, most = resource.getrlimit(kind)  # A limit can be lowered, and not raised again.
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        with contextlib.suppress(OSError, ValueError):  # macOS does not limit memory
            resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    gc.disable()  # Nothing here is in cycles, and there may be millions of tuples.
    _limit(*map(int, sys.argv[1:]))
    found: list[Rule] = []
    atoms = ground_program(sys.stdin.buffer.read().decode(), found)
    sys.stdout.buffer.write(marshal.dumps((found, atoms)))
