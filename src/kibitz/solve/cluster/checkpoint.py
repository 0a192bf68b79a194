"""Keep the finished layers of a cluster run in a folder, so that another run can continue it.

=================== ===============================================================================
`run.json`          the rules, the number of shards, and what else must not change between runs
`states-L-S`        the states of layer L in shard S, in order
`moves-L-S`         their moves, ends and goals; complete once the next layer is known
`layer-L.json`      written when layer L is done: how many states and moves each shard has
`values-L-S`        values and distances of the states of a layer
=================== ===============================================================================

All files have checksums. They are written under another name and then renamed, so each is complete
or missing. The newest `layer-L.json` says how far a run came.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

from kibitz.errors import InputError
from kibitz.files import sweep, written_whole
from kibitz.space import Array, read_arrays, write_arrays

__all__ = ["Checkpoint"]

FORMAT = "kibitz cluster run 2"


class Checkpoint:
    """A folder with the finished layers of one run."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def open(self, facts: dict[str, Any], shards: int) -> int:
        """Start a run, or continue one that has the same facts; return its number of shards."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make {self.folder}: {error.strerror or error}") from None
        sweep(self.folder)
        kept = self._read("run.json")
        if kept is None:
            if any(self.folder.iterdir()):
                raise InputError(
                    f"{self.folder} has other files, but no cluster run",
                    hint="give an empty or a new folder with --checkpoint",
                )
            self._write("run.json", {"format": FORMAT, "shards": shards, **facts})
            return shards
        if {**kept, "shards": 0} != {"format": FORMAT, **facts, "shards": 0}:
            raise InputError(
                f"{self.folder} has a run of {kept.get('game', 'something else')} that cannot be "
                f"continued for {facts['game']}: rules, start or version differ",
                hint="give another folder with --checkpoint",
            )
        return int(kept["shards"])

    def layer(self, number: int) -> dict[str, Any] | None:
        """Return the facts of a finished layer, None if it is not finished."""
        return self._read(f"layer-{number}.json")

    def finish_layer(self, number: int, facts: dict[str, Any]) -> None:
        """Record that all files of a layer, and the states of the next, are there."""
        self._write(f"layer-{number}.json", facts)

    def has_values(self, layer: int, shards: int) -> bool:
        """Return whether all states of a layer are valued."""
        return all((self.folder / f"values-{layer}-{s}").exists() for s in range(shards))

    def put(
        self, kind: str, layer: int, shard: int, arrays: dict[str, Array], **notes: Any
    ) -> None:
        """Write the arrays of a shard."""
        write_arrays(self.folder / f"{kind}-{layer}-{shard}", arrays, notes)

    def get(self, kind: str, layer: int, shard: int) -> tuple[dict[str, Array], dict[str, Any]]:
        """Map the arrays of a shard into memory; return them and its notes."""
        return read_arrays(self.folder / f"{kind}-{layer}-{shard}")

    def _read(self, name: str) -> dict[str, Any] | None:
        path = self.folder / name
        try:
            text = path.read_text("utf-8")
            facts = json.loads(text)["facts"]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            facts = None
        if not isinstance(facts, dict) or _checked(facts) != text:
            raise InputError(
                f"{path} is damaged, or was written by another version of Kibitz",
                hint="give a new folder with --checkpoint, and solve the game again",
            )
        return facts

    def _write(self, name: str, facts: dict[str, Any]) -> None:
        path = self.folder / name
        with written_whole(path) as part, part.open("w", encoding="utf-8") as stream:
            stream.write(_checked(facts))
            stream.flush()
            os.fsync(stream.fileno())


def _checked(facts: dict[str, Any]) -> str:
    """Write facts with their checksum, always in the same way."""
    written = json.dumps(facts)
    return f'{{"crc32": {zlib.crc32(written.encode())}, "facts": {written}}}'
