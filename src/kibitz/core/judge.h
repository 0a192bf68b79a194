/* Sums of weights of rows. */
#ifndef KIBITZ_JUDGE_H
#define KIBITZ_JUDGE_H

#include "rows.h"

INLINE f32 score_row(const u64 *row, i64 words, const f32 *table)
{
    f32 total = table[words * 8 * 256];
    for (i64 w = 0; w < words; w++)
        for (i64 k = 0; k < 8; k++)
            total += table[(8 * w + k) * 256 + (row[w] >> 8 * k & 255)];
    return total;
}

#endif
