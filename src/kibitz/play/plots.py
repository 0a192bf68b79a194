"""Draw scores of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kibitz.charts import Axis, Interval, interval_chart, save_chart
from kibitz.play.tournament import Score

__all__ = ["plot_scores"]


def plot_scores(scores: Sequence[Score], path: Path, *, title: str) -> None:
    """Write a picture of mean goals with their intervals; the file's suffix gives the format."""
    rows = [Interval(s.name, s.goal_interval[0], s.mean_goal, s.goal_interval[1]) for s in scores]
    axis = Axis("mean goal, with its 95 % interval", 0, 100)
    save_chart(interval_chart(rows, axis, title=title), path)
