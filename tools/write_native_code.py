"""Write native code that comes with Kibitz: .venv/bin/python tools/write_native_code.py.

Commands that use the loops run with empty caches, and what numba compiles meanwhile, for processors
that most people have, goes into the archive of this system and these versions of Python and numba.
That takes some minutes. With commands as arguments, each in quotes, their loops are added, and
those that changed are dropped.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
COMMANDS = (
    "explain nim:2,3 --no-cache",
    "explain mnk:3,3,3 --no-cache",
    "explain chomp:3x3 --no-cache",
    "explain threemensmorris --no-cache --time 1",
    "explain hanoi --no-cache --time 1",
    "explain roshambo --no-cache",
    "explain bottom3:3,3x3 --no-cache",
    "explain breakthrough:5x4 --no-cache --max-states 1000 --time 2",
    "explain connect:4,5x4 --no-cache --max-states 1000 --time 2",
    "explain connect:4,5x4 --no-cache --max-states 20000 --time 1 --role xplayer",
    "report tictactoe",
    "report pegsolitaire",
    "solve connect:3,4x4 --search --moves",
    "solve connect:3,4x4 --search --plies",
    "solve breakthrough:4x3 --search",
    "solve connect:4,5x5 --search --timeout 20",
    "solve nim:9,9,9,9",
    "solve connect:3,4x4 --compact",
    "solve connect:3,4x4 --reduce",
    "puzzles tictactoe",
    "puzzles connect:3,4x4",
    "hardness tictactoe --role xplayer",
    "winsets tictactoe --role xplayer",
    "repair tictactoe tictactoe-five --role oplayer --time 5",
    "match tictactoe --agent uct:100 --start-clock 2",
    "match connect:4,5x4 --agent auto --start-clock 2 --play-clock 0.5",
    "match roshambo --agent mcts --start-clock 2",
    "match knightthrough:5x4 --agent auto --agent random --start-clock 10 --play-clock 0.3",
    "hardness threemensmorris --role xplayer",
    "explain eightpuzzle --no-cache --max-states 1000 --time 1",
    f"explain {_EXAMPLES / 'three_rivals.lud'} --no-cache --time 1",
    "hardness nim:1,3,5 --role player1",
    "hardness nim:1,3,5 --role player1 --sample 5",
    "verify nim:7,9,11,13 nim-table4 --role player1",
    "match knightthrough:6x6 --agent auto --agent random --start-clock 12 --play-clock 0.1",
    "endings breakthrough:5x4 --men 3 -o endings",
    "solve breakthrough:5x4 --search --endings endings --timeout 20",
)
"""Commands that together use the loops that people wait for, on games of every kind.

They run one after the other in one folder, so files that one writes can be read by the next.
"""
_SIGNATURE = 3
"""The place of the types of arguments and result in what numba keeps of a loop."""


def main(arguments: list[str]) -> None:
    """Run the commands, and write the archive."""
    if arguments[:1] == ["--record"]:
        _record(Path(arguments[1]), arguments[2:])
        return
    from kibitz.native import FOLDER, PROCESSOR, archive_name

    with tempfile.TemporaryDirectory() as home:
        made = Path(home) / "made"
        made.mkdir()
        caches = {name: f"{home}/{name}" for name in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
        environment = {**os.environ, **caches, "NUMBA_CPU_NAME": PROCESSOR}
        for command in arguments or COMMANDS:
            before = len(list(made.iterdir()))
            recorded = [sys.executable, __file__, "--record", str(made), *command.split()]
            done = subprocess.run(recorded, env=environment, cwd=home, stdout=subprocess.DEVNULL)
            new = len(list(made.iterdir())) - before
            print(f"{command}: {new} loops, exit status {done.returncode}", flush=True)
        entries = {path.name: path.read_bytes() for path in made.iterdir()}
    path = FOLDER / archive_name()
    if arguments and path.exists():
        with zipfile.ZipFile(path) as archive:
            kept = {name: archive.read(name) for name in archive.namelist()}
        entries |= {name: data for name, data in kept.items() if _is_current(name, data)}
    FOLDER.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(entries.items()):
            archive.writestr(zipfile.ZipInfo(name), _without_folders(data), zipfile.ZIP_LZMA)
    print(f"{path.name}: {len(entries)} loops, {path.stat().st_size:,} bytes")


def _is_current(name: str, data: bytes) -> bool:
    """Return whether an entry is the code of a loop as it is now."""
    from kibitz.native import entry_name

    where, _, loop = name.rpartition("-")[0].rpartition(".")
    found: Any = getattr(import_module(where), loop, None)
    signature = pickle.loads(data)[_SIGNATURE].args
    return found is not None and entry_name(getattr(found, "py_func", found), signature) == name


def _without_folders(data: bytes) -> bytes:
    """Replace the folders of this machine, which errors of loops name, by as many characters."""
    for package in ("numba", "kibitz"):
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        folder = str(Path(spec.origin).parent.parent)
        data = data.replace(folder.encode(), ("/." * len(folder))[: len(folder)].encode())
    return data


def _record(folder: Path, arguments: list[str]) -> None:
    """Run a command, and write what numba compiles into a folder."""
    from numba.core import caching, serialize

    from kibitz.cli import main as run
    from kibitz.native import entry_name

    kept: Any = caching.FunctionCache
    pickled: Any = serialize
    keep = kept._save_overload

    def save(cache: Any, signature: Any, compiled: Any) -> None:
        *parts, _types, initialise, environments = cache._impl.reduce(compiled)
        name = entry_name(cache._py_func, signature)
        (folder / name).write_bytes(pickled.dumps((*parts, "", initialise, environments)))
        keep(cache, signature, compiled)

    kept._save_overload = save
    sys.argv = ["kibitz", *arguments]
    run()


if __name__ == "__main__":
    main(sys.argv[1:])
