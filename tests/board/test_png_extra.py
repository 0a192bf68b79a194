"""Pictures of pixels need an extra; everything else of a board does not."""

from __future__ import annotations

import sys

import pytest

from kibitz.board import Picture, to_png
from kibitz.errors import InputError


def test_without_matplotlib_a_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(InputError, match="needs matplotlib") as caught:
        to_png(Picture(10, 10, ()))
    assert caught.value.hint == "pip install 'kibitz[pictures]'"
