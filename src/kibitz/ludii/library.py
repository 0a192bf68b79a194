"""A folder or a jar in, the definitions of Ludii's own library out, as tokens by their names."""

from __future__ import annotations

import itertools
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kibitz.errors import InputError, RuleSheetError
from kibitz.ludii.tokens import Token, matching, tokens_of
from kibitz.reading import read_bytes, read_text

__all__ = ["Definition", "Library", "definitions_in", "remember", "remembered"]

_MAX_FILES = 5_000
_MAX_BYTES = 200_000

Definition = tuple[Token, ...]
"""What stands for a name: its tokens, in which #1 is the first argument."""


@dataclass(frozen=True)
class Library:
    """Definitions that sheets call by name without defining them."""

    definitions: Mapping[str, Definition] = field(default_factory=dict)

    @staticmethod
    def find(place: str | Path | None = None) -> Library:
        """Read the definitions in a folder or jar.

        Else those in what KIBITZ_LUDII names, else in what is remembered, else none.

        >>> Library.find("no/such/folder")
        Traceback (most recent call last):
        kibitz.errors.InputError: no/such/folder holds no definitions of Ludii
          hint: name the folder that def is in, or Ludii's jar
        """
        named = place or os.environ.get("KIBITZ_LUDII") or remembered()
        return Library() if not named else _read(Path(named).resolve(), str(named))


def _setting() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "kibitz" / "ludii"


def remembered() -> str | None:
    """Return the place of Ludii's definitions that was remembered, if there is one."""
    try:
        return read_text(_setting()).strip() or None
    except InputError:
        return None


def remember(place: str) -> int:
    """Remember a place, if it holds definitions, and return how many; forget it if it is empty."""
    setting = _setting()
    try:
        if not place:
            setting.unlink(missing_ok=True)
            return 0
        count = len(Library.find(place).definitions)
        setting.parent.mkdir(parents=True, exist_ok=True)
        setting.write_text(f"{Path(place).resolve()}\n", "utf-8")
    except OSError as error:
        raise InputError(f"cannot write {setting}: {error.strerror}") from None
    return count


_LAYOUTS = ("def", "res/def", "Common/res/def")
"""Where definitions are in a folder: of their own, in Ludii's resources, in its sources."""


@cache
def _read(place: Path, shown: str) -> Library:
    found: dict[str, Definition] = {}
    texts = _from_jar(place) if place.is_file() else _from_folder(place)
    for name, text in itertools.islice(texts, _MAX_FILES):
        with suppress(RuleSheetError):  # what is missing is reported where it is called
            found |= definitions_in(tokens_of(text, name=name)[1])[0]
    if not found:
        raise InputError(
            f"{shown} holds no definitions of Ludii",
            hint="name the folder that def is in, or Ludii's jar",
        )
    return Library(found)


def _from_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give the definition files in a folder, in the order of their names."""
    roots = [folder] if folder.name == "def" else [folder / layout for layout in _LAYOUTS]
    for root in roots:
        for path in sorted(root.rglob("*.def")):
            with suppress(InputError):
                yield str(path), read_bytes(path, most=_MAX_BYTES)


def _from_jar(jar: Path) -> Iterator[tuple[str, bytes]]:
    """Give the definition files in a jar, none if it is no jar."""
    try:
        with zipfile.ZipFile(jar) as archive:
            for info in sorted(archive.infolist(), key=lambda one: one.filename):
                parts = info.filename.split("/")
                if parts[-1].endswith(".def") and "def" in parts and info.file_size <= _MAX_BYTES:
                    with archive.open(info) as file:
                        yield info.filename, file.read(_MAX_BYTES)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error):
        return


def definitions_in(tokens: list[Token]) -> tuple[dict[str, Definition], list[Token]]:
    """Split tokens into the definitions among them, and the rest.

    >>> tokens = tokens_of('(define "Two" (a #1)) ("Two" 5)', name="x.lud")[1]
    >>> found, rest = definitions_in(tokens)
    >>> [token.text for token in found["Two"]], [token.text for token in rest]
    (['(', 'a', '#1', ')'], ['(', '"Two"', '5', ')'])
    """
    found: dict[str, Definition] = {}
    rest: list[Token] = []
    index = 0
    while index < len(tokens):
        if (
            tokens[index].text == "("
            and index + 2 < len(tokens)
            and tokens[index + 1].text == "define"
            and tokens[index + 2].kind == "text"
        ):
            end = matching(tokens, index)
            found[tokens[index + 2].text[1:-1]] = tuple(tokens[index + 3 : end - 1])
            index = end
        else:
            rest.append(tokens[index])
            index += 1
    return found, rest
