"""A square of a QR code in, its text out: what a camera's program does, to check the page's codes.

Written from ISO/IEC 18004 for error correction L and bytes; it shares no code with the page.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

# Blocks of each version at level L: (blocks, codewords of each, data codewords of each), ...
LAYOUT = {
    1: [(1, 26, 19)], 2: [(1, 44, 34)], 3: [(1, 70, 55)], 4: [(1, 100, 80)], 5: [(1, 134, 108)],
    6: [(2, 86, 68)], 7: [(2, 98, 78)], 8: [(2, 121, 97)], 9: [(2, 146, 116)],
    10: [(2, 86, 68), (2, 87, 69)], 14: [(3, 145, 115), (1, 146, 116)],
    20: [(3, 135, 107), (5, 136, 108)], 27: [(10, 152, 122), (2, 153, 123)],
    40: [(19, 148, 118), (6, 149, 119)],
}  # fmt: skip
CENTRES = {
    1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38],
    8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50], 14: [6, 26, 46, 66], 20: [6, 34, 62, 90],
    27: [6, 34, 62, 90, 118], 40: [6, 30, 58, 86, 114, 142, 170],
}  # fmt: skip
MASKS: list[Callable[[int, int], bool]] = [
    lambda i, j: (i + j) % 2 == 0,
    lambda i, j: i % 2 == 0,
    lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]
POWERS = [1]
while len(POWERS) < 255:
    POWERS.append(POWERS[-1] * 2 ^ (0x11D if POWERS[-1] > 127 else 0))


def read_code(square: list[list[bool]]) -> str:
    """Read a code; fail where its patterns, its format or its correction are wrong."""
    size = len(square)
    version = (size - 17) // 4
    function = _patterns(square, version)
    word = 0
    for j in (0, 1, 2, 3, 4, 5, 7, 8):
        word = word << 1 | square[8][j]
    for i in (7, 5, 4, 3, 2, 1, 0):
        word = word << 1 | square[i][8]
    word ^= 0b101010000010010
    assert _remainder(word, 0b10100110111, 15) == 0, "the format is damaged"
    assert word >> 13 == 1, "error correction is not L"
    mask = MASKS[word >> 10 & 7]
    bits: list[bool] = []
    columns = [j for j in range(size - 1, -1, -1) if j != 6]
    for turn, pair in enumerate(zip(columns[::2], columns[1::2], strict=True)):
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        bits += [square[i][j] != mask(i, j) for i in rows for j in pair if (i, j) not in function]
    stream = [int("".join("01"[b] for b in bits[k : k + 8]), 2) for k in range(0, len(bits) - 7, 8)]
    sizes = [(all_, data) for count, all_, data in LAYOUT[version] for _ in range(count)]
    blocks: list[list[int]] = [[] for _ in sizes]
    taken = iter(stream)
    for k in range(max(data for _, data in sizes)):
        for block, (_, data) in zip(blocks, sizes, strict=True):
            if k < data:
                block.append(next(taken))
    data_bytes = [byte for block in blocks for byte in block]
    for _ in range(sizes[0][0] - sizes[0][1]):
        for block in blocks:
            block.append(next(taken))
    for block in blocks:
        for root in range(sizes[0][0] - sizes[0][1]):
            assert _value(block, root) == 0, "the correction does not fit the data"
    text = "".join(f"{byte:08b}" for byte in data_bytes)
    assert text[:4] == "0100", "not bytes"
    width = 8 if version < 10 else 16
    length = int(text[4 : 4 + width], 2)
    body = text[4 + width :][: 8 * length]
    return bytes(int(body[k : k + 8], 2) for k in range(0, len(body), 8)).decode()


def _patterns(square: list[list[bool]], version: int) -> set[tuple[int, int]]:
    """Check the fixed patterns, and return their places with those of format and version."""
    size = len(square)
    expected: dict[tuple[int, int], bool] = {}
    for k in range(8, size - 8):
        expected[6, k] = expected[k, 6] = k % 2 == 0
    eye = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for i, j in itertools.product(range(-1, 8), repeat=2):
            if 0 <= top + i < size and 0 <= left + j < size:
                inside = 0 <= i < 7 and 0 <= j < 7
                expected[top + i, left + j] = inside and eye[i][j] == "1"
    centres = CENTRES[version]
    for a, b in itertools.product(centres, repeat=2):
        if (a, b) in {(6, 6), (6, centres[-1]), (centres[-1], 6)}:
            continue
        for i, j in itertools.product(range(-2, 3), repeat=2):
            expected[a + i, b + j] = max(abs(i), abs(j)) != 1
    expected[size - 8, 8] = True
    for (i, j), bit in expected.items():
        assert square[i][j] == bit, f"the pattern is wrong at {i}, {j}"
    found = set(expected)
    found |= {(8, k) for k in (*range(9), *range(size - 8, size))}
    found |= {(k, 8) for k in (*range(9), *range(size - 8, size))}
    if version >= 7:
        word = 0
        for k in range(17, -1, -1):
            bit = square[k // 3][size - 11 + k % 3]
            assert bit == square[size - 11 + k % 3][k // 3]
            word = word << 1 | bit
        assert word >> 12 == version
        assert _remainder(word, 0b1111100100101, 18) == 0
        found |= {(k // 3, size - 11 + k % 3) for k in range(18)}
        found |= {(size - 11 + k % 3, k // 3) for k in range(18)}
    return found


def _remainder(word: int, divisor: int, width: int) -> int:
    for k in range(width - divisor.bit_length(), -1, -1):
        if word >> (k + divisor.bit_length() - 1) & 1:
            word ^= divisor << k
    return word


def _value(block: list[int], root: int) -> int:
    """Evaluate a block as a polynomial at a power of two, in the field of 256 elements."""
    total = 0
    for byte in block:
        if total:
            total = POWERS[(POWERS.index(total) + root) % 255]
        total ^= byte
    return total
