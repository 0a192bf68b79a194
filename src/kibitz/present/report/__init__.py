"""Game in, Report out: what a designer wants to know of it, exact where it can be worked out."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.present.report.builder import Wish as Wish, make_report as make_report
    from kibitz.present.report.figures import Report as Report

__getattr__ = lazy_exports(__name__)
