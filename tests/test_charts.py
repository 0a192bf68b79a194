"""Charts: what is drawn is where it should be, and files of all kinds are written."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kibitz.board import Circle, Label, Picture, Rect, Shape, ShapeGroup
from kibitz.charts import (
    Axis,
    Bar,
    Interval,
    Series,
    bar_chart,
    histogram,
    interval_chart,
    line_chart,
    save_chart,
    svg_chart,
)


def shapes(chart: Picture) -> list[Shape]:
    found: list[Shape] = []
    for shape in chart.shapes:
        found += shape.shapes if isinstance(shape, ShapeGroup) else [shape]
    return found


def bars(chart: Picture) -> list[Rect]:
    return [s for s in shapes(chart) if isinstance(s, Rect) and s.fill == "blue"]


def test_bars_are_as_long_as_their_sizes_and_negative_ones_go_left() -> None:
    chart = bar_chart([Bar("a", 30, "30"), Bar("b", -10, "-10"), Bar("c", None, "–")], title="t")
    long, short = bars(chart)
    assert long.width == pytest.approx(3 * short.width)
    assert short.x + short.width == pytest.approx(long.x)
    assert all(0 <= s.x <= s.x + s.width <= chart.width for s in (long, short))


def test_a_log_scale_makes_each_tenfold_a_step() -> None:
    chart = bar_chart([Bar("a", 10, ""), Bar("b", 1000, "")], title="t", is_log=True)
    one, other = bars(chart)
    assert other.width == pytest.approx(3 * one.width)


def test_columns_of_a_histogram_stand_on_one_line() -> None:
    chart = histogram([Bar("1", 0.25, "25%"), Bar("2", 0.75, "75%")], title="t")
    low, high = bars(chart)
    assert high.height == pytest.approx(3 * low.height)
    assert low.y + low.height == pytest.approx(high.y + high.height)
    assert histogram([], title="t").height > 0


def test_an_interval_has_its_mean_on_it() -> None:
    chart = interval_chart([Interval("a", 20, 30, 60)], Axis("goal", 0, 100), title="t")
    (dot,) = (s for s in shapes(chart) if isinstance(s, Circle))
    left = next(s.x for s in shapes(chart) if isinstance(s, Label) and s.text == "0")
    right = next(s.x for s in shapes(chart) if isinstance(s, Label) and s.text == "100")
    assert (dot.x - left) / (right - left) == pytest.approx(0.3)


def test_points_are_placed_by_their_axes_and_those_beyond_at_the_rim() -> None:
    x, y = Axis("x", 1, 100, is_log=True), Axis("y", 0, 10)
    chart = line_chart([Series("a", [(1, 0), (10, 5), (1000, 20)])], x, y, title="")
    a, b, c = (s for s in shapes(chart) if isinstance(s, Circle))
    assert (b.x - a.x, b.y - a.y) == pytest.approx(((c.x - a.x) / 2, (c.y - a.y) / 2))


def test_names_that_would_lie_on_one_another_are_left_to_tooltips() -> None:
    points = Series("", [(5, 5), (5, 5.01), (5, 9)], "points", ["one", "two", "three"])
    svg = svg_chart(line_chart([points], Axis("x", 0, 10), Axis("y", 0, 10), title=""))
    assert ">one</text>" in svg
    assert ">two</text>" not in svg
    assert "<title>two: 5, 5.01</title>" in svg
    assert ">three</text>" in svg


@pytest.mark.parametrize("axis", [Axis("", 0, 0), Axis("", 3, 3), Axis.spanning("", [0.0])])
def test_an_axis_without_extent_is_no_trouble(axis: Axis) -> None:
    assert axis.place(axis.low) == 0
    assert line_chart([Series("a", [(axis.low, axis.low)])], axis, axis, title="").width > 0


def test_every_text_is_escaped() -> None:
    chart = bar_chart([Bar("<b>", 1, "<i>")], title="<script>")
    root = ET.fromstring(svg_chart(chart))
    assert "<b>" in "".join(root.itertext())


@pytest.mark.parametrize(
    ("suffix", "begins"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".PDF", b"%PDF")]
)
def test_files_are_of_the_kind_that_their_names_say(
    tmp_path: Path, suffix: str, begins: bytes
) -> None:
    chart = bar_chart([Bar("a", 1, "1")], title="t")
    for name in ("one", "other"):
        save_chart(chart, tmp_path / f"{name}{suffix}")
    one, other = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "other"))
    assert one.startswith(begins)
    assert one == other
