"""Write files whole: beside their place and then renamed, so that no partial file is read."""

from __future__ import annotations

import contextlib
import os
import platform
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from kibitz.errors import InputError

__all__ = ["sweep", "written_whole"]

_NUMBERS = count()


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Return a path beside a file to write to; its content replaces the file at the end.

    It has the same suffix, by which plots are written. What writers on this machine left in the
    folder when they were killed is removed.
    """
    host = _this_host()
    for part in path.parent.glob(f".kibitz-{host}-*"):
        number = part.name.split("-")[2]
        if number.isdecimal() and not _is_running(int(number)):
            _remove(part)
    part = path.with_name(f".kibitz-{host}-{os.getpid()}-{next(_NUMBERS)}{path.suffix}")
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        _remove(part)


def sweep(folder: Path) -> None:
    """Remove what was being written in a folder in which nobody works now, here or elsewhere."""
    for part in folder.glob(".kibitz-*"):
        _remove(part)


def _this_host() -> str:
    """Name this machine: in a folder that several share, numbers of processes mean nothing."""
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _is_running(process: int) -> bool:
    if os.name == "nt":  # where signal 0 would end the process
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # such as that of another user
        pass
    return True


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
