"""Build the `__getattr__` of a package from its name: exports are imported on first use.

Packages export much, and some of it loads native code that takes a second. So a package lists its
exports once, as imports under `if TYPE_CHECKING:`, where type checkers and readers look, and this
module imports each of them on first use.
"""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module

__all__ = ["PARSING", "lazy_exports"]

PARSING = threading.RLock()
"""For what parses Python: up to 3.11 `ast.parse` fails by chance where two threads are in it."""

if hasattr(os, "register_at_fork"):  # a child must not inherit the lock of a thread it has not
    os.register_at_fork(
        before=PARSING.acquire, after_in_parent=PARSING.release, after_in_child=PARSING.release
    )


@cache
def lazy_exports(package: str) -> Callable[[str], object]:
    """Return the `__getattr__` of a package, from the imports under its `if TYPE_CHECKING:`.

    >>> import kibitz.space
    >>> kibitz.space.StateSpace.__module__
    'kibitz.space.space'
    >>> kibitz.space.nothing
    Traceback (most recent call last):
    AttributeError: module 'kibitz.space' has no attribute 'nothing'
    """
    module = sys.modules[package]
    assert module.__spec__ is not None
    source = module.__spec__.loader.get_source(package)  # type: ignore[union-attr]
    with PARSING:
        tree = ast.parse(source)
    homes = {
        alias.name: imported.module
        for block in tree.body
        if isinstance(block, ast.If)
        for imported in block.body
        if isinstance(imported, ast.ImportFrom) and imported.module
        for alias in imported.names
    }

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:  # a module of its own
            return import_module(f"{package}.{name}")
        return getattr(import_module(homes[name]), name)

    vars(module)["__all__"] = sorted(homes)
    return get
