"""Game in, Report out: what a designer wants to know of it, exact where it can be worked out."""

from kibitz.report.figures import Report
from kibitz.report.making import Wish, make_report

__all__ = ["Report", "Wish", "make_report"]
