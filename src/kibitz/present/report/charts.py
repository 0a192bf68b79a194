"""Numbers in, small charts out, as HTML and SVG that take their colours from the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import log10
from typing import NamedTuple

from kibitz.present.report.text import percent

__all__ = ["Share", "bar_chart", "legend", "length_chart", "share_bar"]

_WIDTH, _HEIGHT = 640.0, 150.0
_MOST_BARS = 80


class Share(NamedTuple):
    """A part of a whole: what it is, how large, and the name of its colour."""

    name: str
    size: float
    tone: str


def share_bar(shares: Iterable[Share]) -> str:
    """Draw parts of a whole side by side; each says what it is when pointed at."""
    parts = "".join(
        f'<span class="{share.tone}" style="flex-grow:{max(0.0, share.size):.4f}" '
        f'title="{escape(share.name)} {percent(share.size)}">'
        f"{percent(share.size) if share.size > 0.08 else ''}</span>"
        for share in shares
        if share.size > 1e-9
    )
    return f'<div class="shares">{parts}</div>'


def legend(shares: Iterable[Share], *, told: bool = False) -> str:
    """Say which colour is which, with their sizes if `told`."""
    items = "".join(
        f'<span><i class="{share.tone}"></i>{escape(share.name)}'
        f"{' ' + percent(share.size) if told else ''}</span>"
        for share in shares
    )
    return f'<p class="legend">{items}</p>'


def length_chart(chances: Sequence[float]) -> str:
    """Draw how likely a match is to have each length; a long tail is left out.

    >>> length_chart([0.0, 0.5, 0.5]).count("<rect")
    2
    """
    seen, last = 0.0, -1
    total = sum(chances)
    while last + 1 < len(chances) and seen < 0.999 * total:
        last += 1
        seen += chances[last]
    first = next((i for i, chance in enumerate(chances) if chance), 0)
    step = max(1, -(-(last + 1 - first) // _MOST_BARS))
    bins = [
        (start, sum(chances[start : min(start + step, last + 1)]))
        for start in range(first, last + 1, step)
    ]
    highest = max((share for _, share in bins), default=0.0)
    if highest <= 0 or len(bins) < 2:
        return ""
    wide = min(46.0, (_WIDTH - 20) / len(bins))
    every = max(1, -(-len(bins) // 16))
    parts = []
    for i, (start, share) in enumerate(bins):
        tall = (_HEIGHT - 45) * share / highest
        x, y = 10 + i * wide, _HEIGHT - 22 - tall
        name = f"{start}" if step == 1 else f"{start} to {start + step - 1}"
        parts.append(
            f'<rect x="{x + wide * 0.08:.1f}" y="{y:.1f}" width="{wide * 0.84:.1f}" '
            f'height="{tall:.1f}"><title>{name} moves: {percent(share)}</title></rect>'
        )
        if i % every == 0:
            parts.append(f'<text x="{x + wide / 2:.1f}" y="{_HEIGHT - 7:.0f}">{start}</text>')
        if len(bins) <= 16:
            parts.append(
                f'<text class="top" x="{x + wide / 2:.1f}" y="{y - 4:.1f}">{percent(share)}</text>'
            )
    return (
        f'<svg class="chart" viewBox="0 0 {20 + wide * len(bins):.0f} {_HEIGHT:.0f}" '
        f'style="max-width:{20 + wide * len(bins):.0f}px" role="img">'
        f"<title>Chances of lengths in random play</title>{''.join(parts)}</svg>"
        '<p class="soft">Moves of a random match, and how often it has so many.</p>'
    )


def bar_chart(
    title: str, bars: Sequence[tuple[str, float | None, str]], *, is_log: bool = False
) -> str:
    """Draw one bar for each game; `is_log` makes each tenfold a step, negative ones go left."""
    sizes = [0.0 if v is None else (log10(max(v, 1.0)) if is_log else v) for _, v, _ in bars]
    low, high = min(0.0, *sizes), max(0.0, *sizes)
    span = (high - low) or 1.0
    rows = []
    for (name, value, text), size in zip(bars, sizes, strict=True):
        left = 100 * (min(0.0, size) - low) / span
        width = 100 * abs(size) / span
        bar = "" if value is None else f'<b style="left:{left:.1f}%;width:{width:.1f}%"></b>'
        rows.append(f"<span>{escape(name)}</span><i>{bar}</i><em>{escape(text)}</em>")
    scale = " <small>(powers of ten)</small>" if is_log else ""
    return (
        f'<figure class="bars"><figcaption>{escape(title)}{scale}</figcaption>'
        f"<div>{''.join(rows)}</div></figure>"
    )
