"""Escape text of a game in Markdown, which shows it as it is, whatever its names contain."""

from __future__ import annotations

import html

_SIGNS = "\\`*_[]#|"


def plain_markdown(text: str) -> str:
    r"""Escape a text on one line.

    >>> plain_markdown("<b> & *x*")
    '&lt;b&gt; &amp; \\*x\\*'
    """
    escaped = html.escape(" ".join(text.split()), quote=False)
    return "".join("\\" + c if c in _SIGNS else c for c in escaped)


def fenced_markdown(text: str) -> str:
    """Show lines of text as they are; in a block of HTML where they contain what looks like it.

    >>> print(fenced_markdown("a < b"))
    <pre>
    a &lt; b
    </pre>
    """
    if "<" in text:  # not all readers of Markdown know fences
        return f"<pre>\n{html.escape(text, quote=False)}\n</pre>"
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"
