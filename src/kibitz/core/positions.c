#include "positions.h"

/* Enter what the places of another table hold. */
void positions_fill(const struct positions *table, const u64 *places, i64 count, i64 words)
{
    for (const u64 *row = places + 1; count-- > 0; row += words + 1) {
        u64 entry = row[-1], power = entry >> WORK_SHIFT & 63; /* it may come from a file */
        if (entry)
            keep_numbers(table, row, hash_row(row, words), aim_of(entry), numbers_of(entry),
                         power ? 1ll << (power - 1) : 1, words);
    }
}

void positions_probe(const struct positions *table, const u64 *row, i64 aim, i64 *numbers, i64 words)
{
    struct numbers found = probe(table, row, hash_row(row, words), aim, words);
    numbers[0] = found.pn;
    numbers[1] = found.dn;
}
