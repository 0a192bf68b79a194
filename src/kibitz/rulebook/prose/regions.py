"""Places on a grid that people describe by others in, their cells out: the middle of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import EACH


@dataclass(frozen=True, slots=True)
class Part:
    """Some cells of a region: its middle, its dark or light cells, one by its number, a corner,
    so many rows at the top or bottom, or each of them."""

    which: str
    region: Any
    number: int = 0


def plain_region(
    region: Any, player: str, players: tuple[str, ...], grid: m.Grid | None
) -> m.Region:
    """Return a region of the table with the same cells for a player.

    >>> plain_region(Part("centre", m.Side("top")), "", (), m.Grid(5, 5, "square"))
    Cells(names=('c5',))
    """
    if isinstance(region, m.NthRow) and grid and player in players[1:]:
        # Black's pawns on the seventh row are seen from White's side.
        return m.Rows((region.number,)) if 2 * region.number > grid.rows else region
    if not isinstance(region, Part):
        found: m.Region = region
        return found
    inner = plain_region(region.region, player, players, grid)
    if region.which == "each":
        return inner
    if grid is None or player == EACH:
        raise NotSaid(region)
    if region.which in ("top", "bottom"):
        first = 1 if region.which == "bottom" else grid.rows + 1 - region.number
        return m.Rows(tuple(range(first, first + region.number)))
    if " " in region.which:
        side, hand = region.which.split()
        column = "a" if hand == "left" else chr(96 + grid.columns)
        return m.Cells((f"{column}{grid.rows if side == 'top' else 1}",))
    rows = _rows(inner, player, players, grid)
    cells = [(column, row) for row in rows for column in range(1, grid.columns + 1)]
    if region.which == "centre" and len(rows) == 1 and grid.columns % 2:
        cells = [cells[grid.columns // 2]]
    elif region.which == "number" and len(rows) == 1 and region.number <= grid.columns:
        cells = [cells[region.number - 1]]
    elif region.which in ("dark", "light"):
        cells = [one for one in cells if (sum(one) % 2 == 0) == (region.which == "dark")]
    else:
        raise NotSaid(region)
    return m.Cells(tuple(f"{chr(96 + column)}{row}" for column, row in cells))


def _rows(region: m.Region, player: str, players: tuple[str, ...], grid: m.Grid) -> list[int]:
    is_far = player in players[1:]
    if isinstance(region, m.Every):
        return list(range(1, grid.rows + 1))
    if isinstance(region, m.Rows):
        return list(region.numbers)
    if isinstance(region, m.Side) and region.side in ("top", "bottom"):
        return [grid.rows if region.side == "top" else 1]
    if isinstance(region, m.HomeRow):
        return [grid.rows if is_far else 1]
    if isinstance(region, m.FarRow):
        return [1 if is_far else grid.rows]
    if isinstance(region, m.HomeRows):
        near = range(1, region.count + 1)
        return [grid.rows + 1 - row for row in near] if is_far else list(near)
    raise NotSaid(region)
