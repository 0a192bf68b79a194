"""Values with large arrays from a child to the server, by a file that the server maps to memory.

What the server has already, such as the game, stays there and is only named in the file.
"""

from __future__ import annotations

import io
import mmap
import pickle
from collections.abc import Mapping
from typing import IO, Any

from kibitz.errors import KibitzError

__all__ = ["Parcel", "pack", "unpack"]

Parcel = tuple[bytes, list[tuple[int, int]]]
"""A pickle, and where in the file each of its arrays begins and ends."""

_ALIGN = 64


def pack(value: object, file: IO[bytes], known: Mapping[str, object]) -> Parcel:
    """Write a value: its arrays to the file, which must be empty, the rest to the parcel.

    >>> import tempfile, numpy
    >>> with tempfile.TemporaryFile() as file:
    ...     parcel = pack({"rows": numpy.arange(3), "of": str}, file, {"text": str})
    ...     unpack(parcel, file, {"text": int})
    {'rows': array([0, 1, 2]), 'of': <class 'int'>}
    """
    stream = io.BytesIO()
    places: list[tuple[int, int]] = []

    def keep(buffer: pickle.PickleBuffer) -> None:
        file.write(bytes(-file.tell() % _ALIGN))
        begin = file.tell()
        file.write(buffer.raw())
        places.append((begin, file.tell()))

    pickler = _Pickler(stream, protocol=5, buffer_callback=keep)
    pickler.names = {id(one): name for name, one in known.items()}
    try:
        pickler.dump(value)
        file.flush()
    except OSError as error:
        raise KibitzError(f"cannot keep the result: {error.strerror or error}") from None
    return stream.getvalue(), places


def unpack(parcel: Parcel, file: IO[bytes], known: Mapping[str, object]) -> Any:
    """Read what `pack` wrote; arrays are mapped, and changes of them stay in this process."""
    data, places = parcel
    mapped: Any = b""
    if any(end for _, end in places):
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    whole = memoryview(mapped)
    unpickler = _Unpickler(io.BytesIO(data), buffers=[whole[begin:end] for begin, end in places])
    unpickler.known = known
    return unpickler.load()


class _Pickler(pickle.Pickler):
    names: Mapping[int, str]

    def persistent_id(self, one: object) -> str | None:
        return self.names.get(id(one))


class _Unpickler(pickle.Unpickler):
    known: Mapping[str, object]

    def persistent_load(self, name: str) -> object:
        return self.known[name]
