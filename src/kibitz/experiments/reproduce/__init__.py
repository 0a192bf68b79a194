"""Tables of the papers, measured again."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.experiments.reproduce.all_papers import (
        reproduce_all as reproduce_all,
        to_html as to_html,
        to_markdown as to_markdown,
    )
    from kibitz.experiments.reproduce.claims import TITLES as TITLES
    from kibitz.experiments.reproduce.fft import ROWS as ROWS, measure_lists as measure_lists
    from kibitz.experiments.reproduce.frame import (
        FrameRow as FrameRow,
        Measured as Measured,
        frame_html as frame_html,
        measure_row as measure_row,
        rows_at_hand as rows_at_hand,
    )
    from kibitz.experiments.reproduce.learning import (
        APPROACHES as APPROACHES,
        Generalised as Generalised,
        LearningRow as LearningRow,
        learning_html as learning_html,
        learning_json as learning_json,
        measure_generalisation as measure_generalisation,
        measure_learning as measure_learning,
    )
    from kibitz.experiments.reproduce.positions import (
        measure_tables as measure_tables,
        positions_html as positions_html,
        printed_rows as printed_rows,
    )

__getattr__ = lazy_exports(__name__)
