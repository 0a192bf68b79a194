"""Keep named arrays in one file: written whole or not at all, read by mapping it into memory.

The file is a line that names the format, a line of JSON (what the arrays are, where they stand,
the checksum of each, and whatever the writer adds), and the arrays, each starting at a multiple
of 64 bytes.
"""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError

__all__ = ["FORMAT", "Array", "read_arrays", "write_arrays"]

FORMAT = "kibitz arrays 1"
_ALIGN = 64
_CHUNK = 1 << 24

Array = npt.NDArray[Any]


def write_arrays(path: str | Path, arrays: Mapping[str, Array], notes: Mapping[str, Any]) -> None:
    """Write arrays and notes beside the target, then put the file in its place."""
    target = Path(path)
    described: list[dict[str, Any]] = []
    offset = 0
    for name, array in arrays.items():
        offset = -(-offset // _ALIGN) * _ALIGN
        described.append(
            {
                "name": name,
                "dtype": array.dtype.str,
                "shape": array.shape,
                "offset": offset,
                "crc32": _checksum(np.ascontiguousarray(array)),
            }
        )
        offset += array.nbytes
    header = json.dumps({"arrays": described, "notes": dict(notes)}).encode()
    first = f"{FORMAT} {len(header)}\n".encode()
    start = -(-(len(first) + len(header)) // _ALIGN) * _ALIGN
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(first + header)
                for array, facts in zip(arrays.values(), described, strict=True):
                    stream.seek(start + facts["offset"])
                    np.ascontiguousarray(array).tofile(stream)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def read_arrays(path: str | Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """Map a file's arrays into memory, and give its notes; raise InputError if it is damaged."""
    try:
        with open(path, "rb") as stream:
            first = stream.readline(100)
            parts = first.decode(errors="replace").rsplit(" ", 1)
            if parts[0] != FORMAT or not parts[-1].strip().isdecimal():
                raise InputError(
                    f"{path} is not a file of this version of Kibitz", hint="make it anew"
                )
            size = int(parts[1])
            if size > os.fstat(stream.fileno()).st_size:
                raise InputError(f"{path} is damaged: it ends too soon", hint="make it anew")
            header = json.loads(stream.read(size))
        start = -(-(len(first) + size) // _ALIGN) * _ALIGN
        arrays: dict[str, Array] = {}
        for facts in header["arrays"]:
            shape = tuple(facts["shape"])
            array = (
                np.memmap(path, facts["dtype"], "r", start + facts["offset"], shape)
                if 0 not in shape
                else np.zeros(shape, facts["dtype"])
            )
            if _checksum(array) != facts["crc32"]:
                raise InputError(f"{path} is damaged: {facts['name']} is not what was written")
            arrays[facts["name"]] = array
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: {error}", hint="make it anew") from None
    return arrays, header["notes"]


def _checksum(array: Array) -> int:
    raw = array.reshape(-1).view(np.uint8)
    result = 0
    for start in range(0, len(raw), _CHUNK):
        result = zlib.crc32(raw[start : start + _CHUNK].data, result)
    return result
