"""Arrays that grow, in memory or, once they are moved there, in temporary files without names."""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
import weakref
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError

__all__ = ["Column"]

_CHUNK = 1 << 26
_STEP = 1 << 24
_LEAVE_FREE = 1 << 30


class Column:
    """One growing array, with a row of fixed shape for each state or edge.

    >>> column = Column(np.uint16)
    >>> column.resize(3)
    >>> column.move_to(tempfile.gettempdir())
    >>> column.resize(5)
    >>> column.array.tolist(), column.bytes_in_memory
    ([0, 0, 0, 0, 0], 0)
    """

    def __init__(self, dtype: Any, *shape: int) -> None:
        self.dtype = np.dtype(dtype)
        self.shape = shape
        self.array: npt.NDArray[Any] = np.zeros((0, *shape), dtype=dtype)
        self._file: int | None = None

    @property
    def address(self) -> int:
        """The address of the array, which a change of size may change."""
        return self.array.ctypes.data

    @property
    def row_bytes(self) -> int:
        """How long a row is."""
        return int(self.dtype.itemsize * prod(self.shape))

    @property
    def bytes_in_memory(self) -> int:
        """The memory that the array takes; an array in a file counts as none."""
        return self.array.nbytes if self._file is None else 0

    def resize(self, length: int) -> None:
        """Change the number of rows; new ones are zero.

        An array grows step by step: other threads wait while memory is set to zero.
        """
        if self._file is None:
            while len(self.array) != length:
                step = max(_STEP, self.array.nbytes // 8) // self.row_bytes + 1
                to = min(length, len(self.array) + step)
                self.array.resize((to, *self.shape), refcheck=False)
        else:
            self._map(self._file, length)

    def move_to(self, folder: str | Path) -> None:
        """Continue in a file without a name in a folder; it disappears when no longer used."""
        if self._file is not None:
            return
        try:
            self._file, name = tempfile.mkstemp(dir=folder, prefix="kibitz")
            weakref.finalize(self, os.close, self._file)
            os.unlink(name)
            rows = np.ascontiguousarray(self.array).reshape(-1).view(np.uint8)
            while len(rows):
                rows = rows[os.write(self._file, rows[:_CHUNK].data) :]
        except OSError as error:
            raise InputError(f"cannot spill to {folder}: {error.strerror or error}") from None
        self._map(self._file, len(self.array))

    def _map(self, file: int, length: int) -> None:
        size = length * self.row_bytes
        if not size:
            self.array = np.zeros((length, *self.shape), dtype=self.dtype)
            return
        try:
            growth = size - os.fstat(file).st_size
            if hasattr(os, "fstatvfs"):
                disk = os.fstatvfs(file)
                if growth > disk.f_bavail * disk.f_frsize - _LEAVE_FREE:
                    raise OSError(errno.ENOSPC, "the disk would be full")
            if growth > 0 and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, size)  # a full disk must be reported here, not later
            else:
                os.ftruncate(file, size)
            mapped = mmap.mmap(file, size)
        except OSError as error:
            raise InputError(
                f"cannot spill {size / 1e9:.1f} GB to disk: {error.strerror or error}",
                hint="give a folder on a larger disk with --spill",
            ) from None
        self.array = np.frombuffer(mapped, dtype=self.dtype).reshape(length, *self.shape)
