"""What commands that write files share: the option, and writing so that no half file is left."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from kibitz.errors import InputError

__all__ = ["OutputOption", "check_folder", "write_file"]

OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the result to a file."),
]


def check_folder(output: Path | None) -> None:
    """Refuse a file in a folder that is not there, before any work is done."""
    if output and not output.parent.is_dir():
        raise InputError(f"cannot write {output}: {output.parent} is no folder")


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file beside its place and put it there when it is whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(text.encode() if isinstance(text, str) else text)
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
