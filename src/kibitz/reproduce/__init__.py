"""Tables of the papers, measured again."""

from kibitz.reproduce.frame import Measured, Row, measure_row, rows_at_hand

__all__ = ["Measured", "Row", "measure_row", "rows_at_hand"]
