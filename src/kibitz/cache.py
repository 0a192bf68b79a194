"""Keep results that took long in the user's cache folder: by content, bounded, never trusted.

A file that is not what was written counts as missing. Nothing here raises: a cache that cannot be
read or written is treated as empty.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

from kibitz.errors import InputError
from kibitz.files import written_whole

__all__ = ["cache_folder", "digest_of", "key_of", "load", "store"]

MOST_BYTES = 200_000_000
MOST_FILES = 500
_SUFFIX = ".kibitz-cache"

T = TypeVar("T")


def cache_folder() -> Path:
    """Return the folder: $XDG_CACHE_HOME/kibitz, or where the system keeps such things."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        base = Path(named)
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        base = Path.home() / ".cache"
    return base / "kibitz"


def key_of(parts: Iterable[object]) -> str:
    """Make a key of whatever a result depends on, and of the program that made it.

    >>> key_of(["rules", 1]) == key_of(["rules", 1]), key_of(["rules", 1]) == key_of(["rules1"])
    (True, False)
    """
    from kibitz import __version__

    return digest_of([f"{__version__} {_stamp()}", *parts])


def digest_of(parts: Iterable[object]) -> str:
    """Make a name of values, which is the same with every version of the program."""
    digest = hashlib.sha256()
    for part in parts:
        text = repr(part).encode()
        digest.update(f"{len(text)}:".encode() + text)
    return digest.hexdigest()


@cache
def _stamp() -> str:
    """Return a text that changes with the program's source, also between releases."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    stats = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(stats).encode()).hexdigest()


def store(key: str, value: object) -> None:
    """Keep a value, and drop the oldest ones where there are too many."""
    import msgspec

    folder = cache_folder()
    with contextlib.suppress(OSError, InputError):
        data = msgspec.msgpack.encode(value)
        folder.mkdir(parents=True, exist_ok=True)
        with written_whole(folder / f"{key}{_SUFFIX}") as part:
            part.write_bytes(_digest(key, data) + data)
        _bound(folder)


def _digest(key: str, data: bytes) -> bytes:
    """Return a text that depends on the content alone, not on its name."""
    return hashlib.sha256(key.encode() + data).digest()


def load(key: str, kind: type[T]) -> T | None:
    """Return the stored value, or None if there is none or it is damaged."""
    import msgspec

    path = cache_folder() / f"{key}{_SUFFIX}"
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        raw = path.read_bytes()
        check, data = raw[:32], raw[32:]
        if _digest(key, data) != check:
            return None
        value = msgspec.msgpack.decode(data, type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return value


def _bound(folder: Path) -> None:
    """Drop the files that were used longest ago while there are too many, or too large ones."""
    files = sorted(folder.glob(f"*{_SUFFIX}"), key=lambda f: f.stat().st_mtime, reverse=True)
    total = 0
    for number, file in enumerate(files):
        total += file.stat().st_size
        if number >= MOST_FILES or total > MOST_BYTES:
            with contextlib.suppress(OSError):
                file.unlink()
