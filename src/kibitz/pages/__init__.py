"""Render values as whole pages: one set of templates, one theme, on screen and on paper."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.pages.markdown import (
        fenced_markdown as fenced_markdown,
        plain_markdown as plain_markdown,
    )
    from kibitz.pages.page import THEME_CSS as THEME_CSS, write_page as write_page

__getattr__ = lazy_exports(__name__)
