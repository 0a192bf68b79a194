"""Report to a designer on a game, with exact figures where they can be computed."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.present.report.builder import Wish as Wish, make_report as make_report
    from kibitz.present.report.figures import Report as Report

__getattr__ = lazy_exports(__name__)
