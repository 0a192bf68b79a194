"""Draw scores of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kibitz.play.tournament import Score

__all__ = ["plot_scores"]


def plot_scores(scores: Sequence[Score], path: Path, *, title: str) -> None:
    """Write a picture of mean goals with their intervals; the file's suffix gives the format."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 0.6 + 0.45 * len(scores)), layout="constrained")
    axes = figure.subplots()
    names = [score.name for score in reversed(scores)]
    for row, score in enumerate(reversed(scores)):
        low, high = score.goal_interval
        axes.plot([low, high], [row, row], color="#0072B2", linewidth=2)
        axes.plot([score.mean_goal], [row], "o", color="#0072B2")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 100)
    axes.set_xlabel("mean goal, with its 95 % interval")
    axes.set_title(title)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)
