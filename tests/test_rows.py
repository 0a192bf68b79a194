"""Rows, keys and images agree with plain arithmetic on numbers."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.rows import (
    hash_rows,
    keys_of,
    least_image,
    least_images,
    order_rows,
    pack,
    pack_key,
    row_words,
    rows_of_keys,
    sort_rows,
    unpack,
    unpack_key,
)


@pytest.mark.parametrize("count", [0, 1, 7, 63, 64, 65, 130])
def test_rows_hold_the_bits_that_keys_do(count: int) -> None:
    bits = np.random.default_rng(count).integers(0, 2, (40, count), dtype=np.uint8)
    keys = [sum(1 << i for i, bit in enumerate(row) if bit) for row in bits.tolist()]
    rows = pack(bits)
    assert rows.shape == (40, row_words(count))
    assert keys_of(rows) == keys == [pack_key(row) for row in bits]
    assert (rows_of_keys(keys, row_words(count)) == rows).all()
    assert (unpack(rows, count) == bits).all()
    assert all((unpack_key(key, count) == row).all() for key, row in zip(keys, bits, strict=True))
    assert keys_of(pack(bits, 3)) == keys
    assert pack(bits, 3).shape == (40, max(3, row_words(count)))
    by_number = sorted(keys)
    assert keys_of(sort_rows(rows.copy())) == by_number
    ordered = rows[order_rows(rows)]
    assert (hash_rows(ordered)[1:] >= hash_rows(ordered)[:-1]).all()
    assert sorted(keys_of(ordered)) == by_number


@pytest.mark.parametrize("count", [5, 64, 90])
def test_the_least_image_of_many_rows_is_that_of_each(count: int) -> None:
    source = np.random.default_rng(count)
    images = [source.permutation(count).tolist() for _ in range(6)]
    rows = pack(source.integers(0, 2, (30, count), dtype=np.uint8))
    found = [least_image(key, images, rows.shape[1]) for key in keys_of(rows)]
    assert list(map(tuple, least_images(rows, images).tolist())) == found
