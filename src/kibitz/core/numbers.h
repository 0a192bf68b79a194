/* States of a tree by their numbers. */
#ifndef KIBITZ_NUMBERS_H
#define KIBITZ_NUMBERS_H

#include "rows.h"

/* Where a row is looked for first. */
INLINE i32 *place_of(const struct numbered *states, const u64 *row)
{
    return states->table + (hash_row(row, states->words) & states->mask);
}

/* Where a row is, or an empty place for it. */
INLINE i32 *find_place(const struct numbered *states, const u64 *row)
{
    i64 words = states->words;
    u64 at = (u64)(place_of(states, row) - states->table);
    for (; states->table[at] >= 0; at = (at + 1) & states->mask)
        if (equal_rows(states->rows + states->table[at] * words, row, words))
            break;
    return states->table + at;
}

/* Return the number of a row; one that is missing is added at the end. */
INLINE i64 find_or_add(struct numbered *states, const u64 *row)
{
    i32 *place = find_place(states, row);
    if (*place < 0) {
        *place = (i32)states->used++;
        for (i64 w = 0; w < states->words; w++)
            states->rows[*place * states->words + w] = row[w];
    }
    return *place;
}

#endif
