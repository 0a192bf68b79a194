"""Keep named arrays in one file: written completely or not at all, read by mapping it to memory.

The file is a line that names the format, with the length and the checksum of the header; the
header, which is JSON (what the arrays are, the checksum of each, and whatever the writer adds); and
the arrays, each starting at a multiple of 64 bytes, with zeros between them. So a change of any
byte is noticed.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.files import written_whole
from kibitz.reading import bounded

FORMAT = "kibitz arrays 2"
_FIRST = re.compile(rf"({FORMAT} (\d{{1,18}})) ([0-9a-f]{{8}})\n")
_OTHER_VERSION = "kibitz arrays "
_ALIGN = 64
_CHUNK = 1 << 24

Array = npt.NDArray[Any]


def write_arrays(path: str | Path, arrays: Mapping[str, Array], notes: Mapping[str, Any]) -> None:
    """Write arrays and notes to a file beside the target, then rename it to the target."""
    target = Path(path)
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    described = [
        {
            "name": name,
            "dtype": array.dtype.str,
            "shape": array.shape,
            "crc32": _checksum(array),
        }
        for name, array in whole.items()
    ]
    header = json.dumps({"arrays": described, "notes": dict(notes)}).encode()
    size = f"{FORMAT} {len(header)}"
    first = f"{size} {zlib.crc32(size.encode() + header):08x}\n"
    with written_whole(target) as part, part.open("wb") as stream:
        stream.write(first.encode() + header)
        for array in whole.values():
            stream.write(bytes(-stream.tell() % _ALIGN))
            raw = array.reshape(-1).view(np.uint8)
            for start in range(0, len(raw), _CHUNK):
                stream.write(raw[start : start + _CHUNK].data)


def read_arrays(path: str | Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """Map a file's arrays into memory; return them and the notes. Raise InputError if damaged."""
    try:
        with open(path, "rb") as stream:
            header = _read_header(path, stream)
            arrays: dict[str, Array] = {}
            for facts in header["arrays"]:
                offset = stream.tell() + -stream.tell() % _ALIGN
                if any(stream.read(offset - stream.tell())):
                    raise _damaged(path, f"there is something before {facts['name']}")
                dtype, shape = np.dtype(facts["dtype"]), tuple(facts["shape"])
                if dtype.kind not in "biuf":
                    raise _damaged(path, f"{facts['name']} has no numbers")
                array = (
                    np.memmap(stream, dtype, "r", offset, shape)
                    if 0 not in shape
                    else np.zeros(shape, dtype)
                )
                if _checksum(array) != facts["crc32"]:
                    raise _damaged(path, f"{facts['name']} is not what was written")
                arrays[facts["name"]] = array
                stream.seek(offset + array.nbytes)
            if stream.tell() != os.fstat(stream.fileno()).st_size:
                raise _damaged(path, "its length is not what was written")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, str(error)) from None
    return arrays, header["notes"]


@bounded("reading its header")
def _read_header(path: str | Path, stream: BinaryIO) -> dict[str, Any]:
    """Read the first line and the header; the stream is then at the first array."""
    first = stream.readline(100).decode(errors="replace")
    found = _FIRST.fullmatch(first)
    if found is None:
        if first.startswith(_OTHER_VERSION) and not first.startswith(FORMAT):
            raise InputError(
                f"{path} was written by another version of Kibitz", hint="solve the game again"
            )
        if first.startswith(FORMAT):
            raise _damaged(path, "its first line is not what was written")
        raise InputError(
            f"{path} is not a file that Kibitz wrote", hint="kibitz solve GAME -o FILE writes one"
        )
    size = int(found[2])
    if size > os.fstat(stream.fileno()).st_size:
        raise _damaged(path, "it ends too soon")
    header = stream.read(size)
    if zlib.crc32(found[1].encode() + header) != int(found[3], 16):
        raise _damaged(path, "its header is not what was written")
    result: dict[str, Any] = json.loads(header)
    return result


def _damaged(path: str | Path, why: str) -> InputError:
    return InputError(f"{path} is damaged: {why}", hint="solve the game again")


def _checksum(array: Array) -> int:
    raw = array.reshape(-1).view(np.uint8)
    result = 0
    for start in range(0, len(raw), _CHUNK):
        result = zlib.crc32(raw[start : start + _CHUNK].data, result)
    return result
