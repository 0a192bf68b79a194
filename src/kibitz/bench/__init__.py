"""Rule sheets in, figures out: how fast the engine is, beside code written by hand.

>>> from kibitz.bench import geometric_mean
>>> round(geometric_mean([2.0, 8.0]), 6)
4.0
"""

from kibitz.bench.figures import Failure, Figures, Size, Speed, Yardstick, geometric_mean
from kibitz.bench.references import SHEETS, Reference, reference_of
from kibitz.bench.running import DEFAULTS, Job, measure
from kibitz.bench.solving import SOLVED, Solved, measure_solving
from kibitz.bench.solving_tables import plot_growth, solving_json, solving_tables
from kibitz.bench.tables import as_json_value, as_tables, describe_machine

__all__ = [
    "DEFAULTS",
    "SHEETS",
    "SOLVED",
    "Failure",
    "Figures",
    "Job",
    "Reference",
    "Size",
    "Solved",
    "Speed",
    "Yardstick",
    "as_json_value",
    "as_tables",
    "describe_machine",
    "geometric_mean",
    "measure",
    "measure_solving",
    "plot_growth",
    "reference_of",
    "solving_json",
    "solving_tables",
]
