"""An OpenAPI schema in, a plain page for people out."""

from __future__ import annotations

from typing import Any

from kibitz.pages import write_page

__all__ = ["reference_page"]


def reference_page(schema: dict[str, Any]) -> str:
    """List every request of the interface, what it takes and what it returns.

    >>> "<h1>" in reference_page({"info": {"title": "T", "version": "1"}, "paths": {}})
    True
    """
    return write_page("interface", schema=schema)
