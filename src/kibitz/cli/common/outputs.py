"""Write files so that no partial file is left."""

from __future__ import annotations

import os
from pathlib import Path

from kibitz.errors import InputError
from kibitz.files import written_whole

__all__ = ["check_folder", "check_plot", "write_file"]


def check_folder(output: Path | None) -> None:
    """Refuse a file that cannot be written, before any work is done."""
    if not output:
        return
    if not output.parent.is_dir():
        raise InputError(f"cannot write {output}: {output.parent} is not a folder")
    if output.is_dir():
        raise InputError(f"cannot write {output}: it is a folder", hint="add a file's name")
    if not os.access(output.parent, os.W_OK):
        raise InputError(f"cannot write {output}: {output.parent} may not be written to")


def check_plot(output: Path | None) -> None:
    """Refuse a plot that cannot be written, before any work is done."""
    check_folder(output)
    if output and output.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise InputError(f"cannot draw {output}", hint="end its name in .svg, .png or .pdf")


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file, or leave what was there."""
    with written_whole(path) as part:
        part.write_bytes(text.encode() if isinstance(text, str) else text)
