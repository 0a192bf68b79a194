/* Rows of states: between rows and slots, order, and hash. */
#ifndef KIBITZ_ROWS_H
#define KIBITZ_ROWS_H

#include "lanes.h"

/* Turn 64 vectors so that bit j of vector i becomes bit i of vector j, in each word at once
 * (Warren, Hacker's Delight, section 7-3). */
static void transpose(lanes *block)
{
    static const u64 masks[6] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    UNROLL
    for (int k = 5; k >= 0; k--) {
        i64 shift = 1 << k;
        for (i64 pair = 0; pair < 32; pair++) {
            i64 low = pair & (shift - 1), first = (pair ^ low) << 1 | low, second = first + shift;
            lanes x = block[first], y = block[second];
            lanes swap = (x >> shift ^ y) & SPLAT(masks[k]);
            block[second] = y ^ swap;
            block[first] = x ^ swap << shift;
        }
    }
}

/* Put rows into the lanes of the fluents' slots. `packed` has room for 64 vectors. */
INLINE void load_rows(const struct game *game, lanes *memory, lanes *packed, const u64 *rows,
                      i64 row_words, i64 count)
{
    for (i64 word = 0; word < row_words; word++) {
        /* Lane i is bit i % 64 of word i / 64: row i % 64 and element i / 64 here. */
        for (i64 i = 0; i < count; i++)
            ((u64 *)packed)[(i & 63) * WORDS + (i >> 6)] = rows[i * row_words + word];
        transpose(packed);
        i64 start = 64 * word, left = game->fluent_count - start;
        for (i64 i = 0; i < (left < 64 ? left : 64); i++)
            memory[game->fluents + start + i] = packed[i];
    }
}

/* Put one row into all lanes. `bits` has room for as many vectors as the row has bytes. */
INLINE void spread_row(const struct game *game, lanes *memory, lanes *bits, const u64 *row)
{
    const lanes up = {0, 1, 2, 3, 4, 5, 6, 7};
    i64 count = game->fluent_count; /* stores to lanes may alias it */
    memory += game->fluents;
    for (i64 f = 0; f < count; f += 8)
        bits[f >> 3] = NONE - (SPLAT(row[f >> 6] >> (f & 63)) >> up & SPLAT(1));
    for (i64 f = 0; f < count; f++)
        memory[f] = SPLAT(word_at(bits, f));
}

/* Take the other rows in lanes where they are smaller, the first word counting most. Word w of a
 * row is `stride` * w vectors on. */
INLINE void keep_smaller(lanes *best, const lanes *other, i64 words, i64 stride)
{
    lanes undecided = ALL, take = NONE;
    for (i64 word = 0; word < words; word++) {
        lanes old = best[stride * word], new = other[stride * word];
        take |= undecided & (lanes)(new < old);
        undecided &= (lanes)(new == old);
    }
    for (i64 word = 0; word < words; word++)
        best[stride * word] = choose(take, other[stride * word], best[stride * word]);
}

INLINE u64 hash_row(const u64 *row, i64 words)
{
    u64 result = 0;
    for (i64 w = 0; w < words; w++)
        result = mix((result ^ row[w]) + (u64)w);
    return result;
}

INLINE int equal_rows(const u64 *one, const u64 *other, i64 words)
{
    u64 differ = 0;
    for (i64 w = 0; w < words; w++)
        differ |= one[w] ^ other[w];
    return differ == 0;
}

#endif
