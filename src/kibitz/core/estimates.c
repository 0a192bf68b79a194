#include "judge.h"

/* Fit weights of bits, and last of all one of every row, by the gradient of the logistic loss of one
 * sample after another. Each has steps of its own size (AdaGrad; Duchi, Hazan and Singer 2011). */
void estimates_fit(const u64 *rows, i64 row_words, i64 count, const f32 *results, f32 *weights,
                   f32 *squares, f64 rate)
{
    i64 last = 64 * row_words;
    for (i64 i = 0; i < count; i++) {
        const u64 *row = rows + i * row_words;
        f64 total = 0.0;
        for (i64 w = 0; w < row_words; w++)
            for (u64 left = row[w]; left; left &= left - 1)
                total += weights[64 * w + __builtin_ctzll(left)];
        f64 slope = logistic(total + weights[last]) - results[i];
        for (i64 w = 0; w <= row_words; w++)
            for (u64 left = w < row_words ? row[w] : 1; left; left &= left - 1) {
                i64 at = 64 * w + __builtin_ctzll(left);
                squares[at] += (f32)(slope * slope);
                weights[at] -= (f32)(rate * slope / __builtin_sqrtf(squares[at]));
            }
    }
}

void estimates_score(const u64 *rows, i64 row_words, i64 count, const f32 *table, f32 *sums)
{
    for (i64 i = 0; i < count; i++)
        sums[i] = score_row(rows + i * row_words, row_words, table);
}

/* Find the most wanted successor of each state; -1 stands where there is none. */
void estimates_pick(const i64 *parents, const f64 *wanted, i64 count, i64 *picked)
{
    for (i64 i = 0; i < count; i++) {
        i64 *best = picked + parents[i];
        if (*best < 0 || wanted[i] > wanted[*best])
            *best = i;
    }
}
