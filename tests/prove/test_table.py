"""The table of positions, written and read by several threads at once."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from kibitz.native import native
from kibitz.prove.kernels import hash_row, keep, probe

OPERATIONS = 20_000_000


@native
def write_and_read(table: Any, locks: Any, seed: int, operations: int) -> int:
    """Keep of each row a number that follows from it; count the rows that answer another one."""
    wrong = 0
    number = np.uint64(seed)
    row = np.zeros(2, np.uint64)
    for _ in range(operations):
        number = number * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        row[0] = number >> np.uint64(54)
        row[1] = row[0] * np.uint64(3)
        mixed = np.uint64(hash_row(row))
        expected = np.int64(row[0]) + 1
        pn, dn = probe(table, locks, row, mixed, 1)
        if pn + dn > 0 and (pn != expected or dn != expected + 1):
            wrong += 1
        keep(table, locks, row, mixed, 1, expected, expected + 1, 1)
    return wrong


def test_threads_that_share_buckets_never_read_what_was_kept_of_another_row() -> None:
    table, locks = np.zeros((64, 3), dtype=np.uint64), np.zeros(1 << 14, dtype=np.int64)
    write_and_read(table, locks, 1, 1)  # compiles it
    found: list[int] = []
    threads = [
        threading.Thread(
            target=lambda seed=seed: found.append(write_and_read(table, locks, seed, OPERATIONS))
        )
        for seed in (2, 3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0, 0]
