#include "rows.h"

#define TAG 0xFFFFFFFF00000000ull

/* Enter all rows, which differ: each in the first free slot from its hash on, as its number plus one
 * below half of its hash. */
void index_rows(const u64 *rows, i64 count, u64 *index, u64 mask, i64 words)
{
    for (i64 i = 0; i < count; i++) {
        u64 hash = hash_row(rows + i * words, words), at = hash & mask;
        while (index[at])
            at = (at + 1) & mask;
        index[at] = (hash & TAG) | (u64)(i + 1);
    }
}

/* Look up rows; one that is not there has the number -1. */
void find_rows(const u64 *rows, const u64 *index, u64 mask, const u64 *wanted, i64 count,
               i64 *numbers, i64 words)
{
    for (i64 i = 0; i < count; i++) {
        const u64 *row = wanted + i * words;
        u64 hash = hash_row(row, words), at = hash & mask, entry;
        numbers[i] = -1;
        for (; numbers[i] < 0 && (entry = index[at]); at = (at + 1) & mask)
            if ((entry & TAG) == (hash & TAG) &&
                equal_rows(rows + ((entry & ~TAG) - 1) * (u64)words, row, words))
                numbers[i] = (i64)(entry & ~TAG) - 1;
    }
}
