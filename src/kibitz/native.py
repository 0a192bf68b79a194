"""A loop over arrays in, its native code out: as it came with Kibitz, or compiled by numba.

Numba takes up to a second to compile a loop. Code that was compiled before comes with Kibitz, in
one archive for each system and version of Python and numba (`native_code/`, written by
tools/write_native_code.py). An entry is named by all that its code depends on: the loop and what it
calls, their constants, the types of the arguments, and the version of numba. So code of another
loop is never taken; where there is none, numba compiles it at its first call, and keeps it.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import platform
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core import caching

__all__ = ["FOLDER", "PROCESSOR", "archive_name", "entry_name", "native", "shipped_loops"]

FOLDER = Path(__file__).parent / "native_code"
PROCESSOR = "x86-64-v3"
"""What the code that comes with Kibitz needs: most processors since 2013 or so have it."""
_FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "xsave")

Loop = TypeVar("Loop", bound=Callable[..., Any])
_caching: Any = caching
_config: Any = numba.config


def native(loop: Loop) -> Loop:
    """Let a loop run as native code, which is loaded or compiled at its first call."""
    compiled: Any = numba.njit(cache=True, nogil=True)(loop)
    if hasattr(compiled, "_cache"):  # it has none where numba is told not to compile
        compiled._cache = _Cache(loop)
    return cast(Loop, compiled)


class _Cache(_caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of the code of one loop, after what came with Kibitz."""

    def _load_overload(self, sig: object, target_context: object) -> object:
        data = _shipped_code(entry_name(self._py_func, sig))
        if data is None:
            return super()._load_overload(sig, target_context)
        return self._impl.rebuild(target_context, pickle.loads(data))


def _shipped_code(name: str) -> bytes | None:
    """Return an entry of the archive, if there is one that this processor can run."""
    archive = _archive()
    try:
        return None if archive is None else archive.read(name)
    except (KeyError, zipfile.BadZipFile):
        return None


@cache
def _archive() -> zipfile.ZipFile | None:
    has = binding.get_host_cpu_features()
    if _config.CPU_NAME or not all(has.get(feature) for feature in _FEATURES):
        return None
    try:  # in memory, for processes that are forked would share the place in an open file
        return zipfile.ZipFile(io.BytesIO((FOLDER / archive_name()).read_bytes()))
    except (OSError, zipfile.BadZipFile):
        return None


def archive_name() -> str:
    """Name the archive for this system and these versions of Python and numba."""
    version = "".join(map(str, sys.version_info[:2]))
    return f"{sys.platform}-{platform.machine()}-py{version}-numba{numba.__version__}.zip"


def shipped_loops() -> int:
    """Count the loops whose code came with Kibitz and can be used here."""
    archive = _archive()
    return 0 if archive is None else len(archive.namelist())


def entry_name(loop: Callable[..., Any], signature: object) -> str:
    """Name the code of a loop for arguments of some types, by all that it depends on.

    >>> def double(number): return 2 * number
    >>> def triple(number): return 3 * number
    >>> entry_name(double, "int64") == entry_name(triple, "int64")
    False
    """
    versions = f"{numba.__version__} {llvmlite.__version__} {signature}"
    digest = hashlib.sha256(versions.encode())
    for part in _parts(loop, set()):
        digest.update(f"{len(part)}:".encode() + part)
    return f"{loop.__module__}.{loop.__qualname__}-{digest.hexdigest()[:32]}"


def _parts(value: Any, seen: set[int]) -> Iterator[bytes]:
    """Give what makes a function, with all that it uses, or another global what it is."""
    value = getattr(value, "py_func", getattr(value, "_defn", value))
    if isinstance(value, FunctionType):
        if id(value) in seen:
            return
        seen.add(id(value))
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        names = {name for code in _codes(value.__code__) for name in code.co_names}
        used = [value.__globals__[name] for name in sorted(names) if name in value.__globals__]
        for code in _codes(value.__code__):
            constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
            yield code.co_code
            yield repr([c for c in constants if c != value.__doc__]).encode()
            yield repr(code.co_names).encode()
        for other in [value.__defaults__, *cells, *used]:
            yield from _parts(other, seen)
    elif isinstance(value, np.ndarray):
        yield value.tobytes()
    elif isinstance(value, (int, float, str, tuple, np.generic)):
        yield repr(value).encode()
    else:
        yield str(getattr(value, "__name__", type(value).__name__)).encode()


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Give the code of a function and of those inside of it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
