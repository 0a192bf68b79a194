"""Look up the strategies that come with Kibitz: their names, and the text of each."""

from __future__ import annotations

from importlib.resources import files

from kibitz.errors import InputError

_SUFFIX = ".strategy"


def shipped_names() -> tuple[str, ...]:
    """List the names.

    >>> "nim-table4" in shipped_names()
    True
    """
    folder = files("kibitz.strategy") / "library"
    found = (entry.name for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))


def shipped_text(name: str) -> str:
    """Return the text of a strategy; raise InputError if no strategy has that name.

    >>> shipped_text("nim-table4").splitlines()[-1]
    'true => (reduce a 0)'
    """
    if name not in shipped_names():
        raise InputError(
            f"Kibitz has no strategy {name}", hint=f"there are {' '.join(shipped_names())}"
        )
    return (files("kibitz.strategy") / "library" / f"{name}{_SUFFIX}").read_text("utf-8")
