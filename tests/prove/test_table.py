"""The table of positions, written and read by several threads at once."""

from __future__ import annotations

import threading

import numpy as np

from kibitz.core import Struct, constant, function
from kibitz.prove.table import pack

PLACES, ROWS = 64, 1024


def test_threads_that_share_buckets_never_read_what_was_kept_of_another_row() -> None:
    """Each row has numbers that follow from it."""
    table = Struct(
        "positions", entries=np.zeros((PLACES, 3), dtype=np.uint64),
        mask=PLACES - constant("BUCKET"), locks=np.zeros(8, dtype=np.uint64), lock_mask=7,
    )  # fmt: skip
    source = np.random.default_rng(1)
    firsts = source.integers(0, ROWS, size=(2, 1_000_000))
    places = [
        np.array([[pack(int(n) + 1, int(n) + 2, 1, 1), n, 3 * n] for n in range(ROWS)], np.uint64)[
            batch
        ]
        for batch in firsts
    ]
    fill, probe = function("positions_fill", 2), function("positions_probe", 2)
    is_over = threading.Event()

    def write(batch: np.ndarray) -> None:
        for _ in range(5):
            fill(table, batch, len(batch))
        is_over.set()

    threads = [threading.Thread(target=write, args=(batch,)) for batch in places]
    for thread in threads:
        thread.start()
    numbers, seen = np.zeros(2, dtype=np.int64), 0
    while not is_over.is_set() or seen == 0:
        for first in range(ROWS):
            probe(table, np.array([first, 3 * first], dtype=np.uint64), 1, numbers)
            if numbers.any():
                assert numbers.tolist() == [first + 1, first + 2]
                seen += 1
    for thread in threads:
        thread.join()


def test_what_took_least_work_is_overwritten_first() -> None:
    """All rows go into one bucket of four."""
    table = Struct(
        "positions", entries=np.zeros((4, 2), dtype=np.uint64), mask=0,
        locks=np.zeros(1, dtype=np.uint64), lock_mask=0,
    )  # fmt: skip
    places = np.array([[pack(1, 2, 1, work), work] for work in (5, 3, 9, 7, 6)], dtype=np.uint64)
    function("positions_fill", 1)(table, places, len(places))
    assert sorted(table.entries[:, 1].tolist()) == [5, 6, 7, 9]
