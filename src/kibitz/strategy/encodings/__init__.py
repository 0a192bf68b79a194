"""Strategies in other languages: answer set programs and first-order logic."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.strategy.encodings.asp import asp_encoding as asp_encoding
    from kibitz.strategy.encodings.tptp import tptp_encoding as tptp_encoding

__getattr__ = lazy_exports(__name__)
